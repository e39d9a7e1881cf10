"""Estimate the time and memory for reading a file before it is read."""

from dataclasses import dataclass

from sample_data.user_data.readers.formats import format_of


@dataclass(frozen=True)
class Estimate:
    """Time and memory for reading and summarising a file.

    seconds : wall time; megabytes : memory in addition to the running program; text : both in words.
    """

    seconds: float
    megabytes: float
    text: str


def estimate(n_bytes: int, format: str = "CSV") -> Estimate:
    """Return the `Estimate` for reading `n_bytes`.

    format : name as in `Table.format`, or an ending such as "csv", "xlsx" or "zip".
    """
    size, kind = max(int(n_bytes), 0) / 1e6, format_of(format)
    seconds, megabytes = 0.2 + kind.seconds * size, 5 + kind.megabytes * size
    time = (
        "less than one second"
        if seconds < 1
        else f"about {seconds:.0f} s"
        if seconds < 90
        else f"about {seconds / 60:.0f} min"
    )
    return Estimate(seconds, megabytes, f"{size:,.1f} MB ({time}, up to {megabytes:,.0f} MB of memory)")
