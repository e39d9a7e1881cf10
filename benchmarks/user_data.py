"""Measure how user data are read: ``python -m benchmarks.user_data`` (``--rows 100000`` for a small table).

The script writes a mixed CSV of 20 columns (decimals, integers, categories, dates, unique texts, missing values) to a
temporary folder. Child processes read, summarise and check it, and read it with plain ``pandas.read_csv``. Each reports
its seconds and its peak memory minus the memory after its imports. Another one proposes a recipe for 20,000 rows with
30 columns, and reports its seconds of CPU.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas

from benchmarks.common import heading, table, write_json

SECONDS, TIMES_THE_FILE = 15.0, 4.0
REPETITIONS = 3
PROPOSED = (20_000, 30)  # rows and columns of the table for which a recipe is proposed


def main():
    """Measure, print the table and write the JSON file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--child", nargs=2, metavar=("WHAT", "PATH"))
    arguments = parser.parse_args()
    if arguments.child:
        sys.stdout.write(json.dumps(CHILDREN[arguments.child[0]](Path(arguments.child[1]), arguments.rows)))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        _run(
            "write", path, arguments.rows
        )  # a child inherits its parent's peak memory, so this process must stay small
        n_bytes = path.stat().st_size
        runs = {what: [_run(what, path) for _ in range(REPETITIONS)] for what in ("own data", "pandas.read_csv")}
        proposals = [_run("propose", path, PROPOSED[0]) for _ in range(REPETITIONS)]
    print(heading(f"A CSV of {arguments.rows:,} rows, 20 columns, {n_bytes / 1e6:.0f} MB"))
    rows = []
    for what, found in runs.items():
        for step in found[0]["seconds"]:
            rows.append([f"{what}: {step}", f"{min(one['seconds'][step] for one in found):.2f}", "", ""])
        total = min(sum(one["seconds"].values()) for one in found)
        peak = max(one["peak"] - one["imports"] for one in found)
        rows.append([f"{what}: all", f"{total:.2f}", f"{peak / 1e6:.0f}", f"{peak / n_bytes:.2f}"])
    print(table(["", "seconds", "peak MB", "x the file"], rows))
    steps = {step: min(one["seconds"][step] for one in proposals) for step in proposals[0]["seconds"]}
    shown = ", ".join(f"{step} {seconds:.2f} s" for step, seconds in steps.items())
    print(f"\n{PROPOSED[0]:,} x {PROPOSED[1]}, CPU: {shown}")
    imports = runs["own data"][0]["imports"] / 1e6
    print(f"\nWithout the {imports:.0f} MB of the imports. Limits: {SECONDS:.0f} s, {TIMES_THE_FILE:.0f} x the file.")
    write_json("user_data", {"rows": arguments.rows, "n_bytes": n_bytes, "runs": runs, "proposals": proposals})


def mixed_table(n_rows: int) -> pandas.DataFrame:
    """Return columns that are typical of customer tables."""
    rng = np.random.default_rng(0)
    days = pandas.Timestamp("2015-01-01") + pandas.to_timedelta(rng.integers(0, 3650, n_rows), unit="D")
    score = rng.normal(size=n_rows)
    columns = {
        "customer id": rng.permutation(n_rows) + 10**7,
        "name": [f"customer {k:x}" for k in rng.integers(0, 2**40, n_rows).tolist()],
        "age": np.where(rng.random(n_rows) < 0.02, np.nan, rng.integers(18, 95, n_rows)),
        "income": np.round(rng.lognormal(10, 0.7, n_rows), 2),
        "balance": np.round(rng.normal(0, 5000, n_rows), 2),
        "city": rng.choice([f"city number {k}" for k in range(300)], n_rows),
        "plan": rng.choice(["basic", "standard", "premium", None], n_rows, p=[0.5, 0.3, 0.15, 0.05]),
        "joined": days.strftime("%Y-%m-%d"),
        "active": rng.choice(["yes", "no"], n_rows),
        "calls": rng.poisson(4, n_rows),
    }
    columns |= {f"measure {k}": np.round(score * k + rng.normal(size=n_rows), 4) for k in range(1, 7)}
    columns |= {f"count {k}": rng.integers(0, 10**k, n_rows) for k in range(1, 4)}
    columns["class"] = np.where(score + rng.normal(size=n_rows) > 1, "leaves", "stays")
    return pandas.DataFrame(columns)


def _write(path: Path, n_rows: int) -> None:
    mixed_table(n_rows).to_csv(path, index=False)


def _own_data(path: Path, _) -> dict:
    from sample_data import user_data

    imports, seconds = _peak(), {}
    began = time.perf_counter()
    read = user_data.read(path, path.name)
    seconds["read"] = time.perf_counter() - began
    summaries = user_data.summarise(read)
    recipe = user_data.propose(read, summaries)
    seconds["summarise"] = time.perf_counter() - began - sum(seconds.values())
    user_data.problems(read, summaries, recipe)
    seconds["problems"] = time.perf_counter() - began - sum(seconds.values())
    return {"imports": imports, "peak": _peak(), "seconds": seconds}


def _propose(path: Path, n_rows: int) -> dict:
    from sample_data import user_data

    rng = np.random.default_rng(1)
    more = {f"v{k}": rng.integers(0, 3000, n_rows) if k % 2 else rng.normal(size=n_rows).round(3)
            for k in range(PROPOSED[1] - 20)}  # fmt: skip
    table = user_data.read(mixed_table(n_rows).assign(**more).to_csv(index=False).encode(), "rows.csv")
    times = [time.process_time()]
    summaries = user_data.summarise(table)
    times.append(time.process_time())
    recipe = user_data.propose(table, summaries)
    times.append(time.process_time())
    user_data.problems(table, summaries, recipe)
    times.append(time.process_time())
    return {"seconds": dict(zip(("summarise", "propose", "problems"), np.diff(times).tolist(), strict=True))}


def _pandas(path: Path, _) -> dict:
    imports, began = _peak(), time.perf_counter()
    pandas.read_csv(path)
    return {"imports": imports, "peak": _peak(), "seconds": {"read": time.perf_counter() - began}}


def _peak() -> int:
    """Return the peak memory of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _run(what: str, path: Path, n_rows: int = 0) -> dict:
    command = [sys.executable, "-m", "benchmarks.user_data", "--child", what, str(path), "--rows", str(n_rows)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


CHILDREN = {"write": _write, "own data": _own_data, "propose": _propose, "pandas.read_csv": _pandas}

if __name__ == "__main__":
    main()
