"""`estimate`: what reading a file will cost, before it is read."""

from dataclasses import dataclass

# Seconds and megabytes per megabyte of the file, measured on two slow cores (text: benchmarks/user_data.py).
_COSTS = {"text": (0.03, 3.0), "Excel": (5.5, 16.0), "Parquet": (0.1, 9.0), "arrays": (0.05, 6.0), "images": (0.5, 5.0)}


@dataclass(frozen=True)
class Estimate:
    """seconds and megabytes (beyond those of the running program) of reading and summarising; text: both in words."""

    seconds: float
    megabytes: float
    text: str


def estimate(n_bytes: int, format: str = "CSV") -> Estimate:
    """Return what a file of `n_bytes` costs; format as in `Table.format` or an ending such as "csv", "xlsx", "zip"."""
    seconds, megabytes = _COSTS[_group(format)]
    size = max(int(n_bytes), 0) / 1e6
    seconds, megabytes = 0.2 + seconds * size, 5 + megabytes * size
    time = (
        "less than a second"
        if seconds < 1
        else f"about {seconds:.0f} s"
        if seconds < 90
        else f"about {seconds / 60:.0f} min"
    )
    return Estimate(seconds, megabytes, f"{size:,.1f} MB: {time}, up to {megabytes:,.0f} MB of memory")


def _group(format):
    plain = str(format).lower().lstrip(".")
    for group, words in (("Excel", ("excel", "xlsx", "xlsm")), ("Parquet", ("parquet", "pq")), ("arrays", ("npz",)),
                         ("images", ("zip", "images"))):  # fmt: skip
        if plain in words:
            return group
    return "text"
