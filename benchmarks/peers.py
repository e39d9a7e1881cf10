"""Compare trees of other packages on the same splits: ``python -m benchmarks.peers [--sets NAME ...]``.

The packages of ``peers-requirements.txt`` run in a separate environment, `.peers`, which the first run creates. Every
learner runs in its own process, which measures the CPU seconds of its fit and of a CART fit of scikit-learn. The sets
letter and pendigits have their published splits; all other sets have 20 % test rows, stratified, seed 0. TAO chooses λ
on 20 % of the training rows, and this choice counts towards its time. A learner that fails or takes too long gets a
"-", with the reason below the table.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split

from benchmarks.common import DataMissing, benchmark_set, heading, markdown, table, write_json, write_markdown
from benchmarks.peer_fit import LEARNERS

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = Path(__file__).parent / "peers-requirements.txt"
ENVIRONMENT = ROOT / ".peers"
BUNDLED = {"breast_cancer": load_breast_cancer, "digits": load_digits}
PUBLISHED = ("letter", "pendigits")
SETS = (*BUNDLED, "segment", "spambase", *PUBLISHED)
OUR_ENVIRONMENT = (None, "scikit-learn")
HEADER = ("set", "learner", "version", "test error %", "leaves", "fit / CART")
NOTE = "fit / CART: CPU seconds of the fit, choices included, by those of a CART fit in the same process."
KEYS = {"version", "error", "leaves", "seconds", "cart_seconds"}


class PeerFailed(RuntimeError):
    """Raised if a learner returned no results. The message gives the reason."""


class Outcome(NamedTuple):
    """Outcome of one learner on one data set: its results (a dict with `KEYS`), or the reason why it has none."""

    name: str
    learner: str
    figures: dict | None
    reason: str = ""


def split_of(name):
    """Return (X float64, y, X_test, y_test) of a data set. Raises DataMissing."""
    if name in BUNDLED:
        X, y = BUNDLED[name](return_X_y=True)
    else:
        data = benchmark_set(name)
        if name in PUBLISHED:
            return (
                data.X.astype(np.float64),
                data.y.astype(int),
                data.X_test.astype(np.float64),
                data.y_test.astype(int),
            )
        pooled = data.X_test is not None
        X = np.vstack([data.X, data.X_test]) if pooled else data.X
        y = np.concatenate([data.y, data.y_test]) if pooled else data.y
    X, X_test, y, y_test = train_test_split(
        X.astype(np.float64), y.astype(int), test_size=0.2, stratify=y, random_state=0
    )
    return X, y, X_test, y_test


def peers_python():
    """Return the interpreter of the packages' environment. Create the environment if it is missing or outdated.

    Raises PeerFailed.
    """
    stamp = ENVIRONMENT / "requirements.sha256"
    expected = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    python = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin") / "python"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == expected:
        return str(python)
    print("Installing the other packages (once) ...", file=sys.stderr, flush=True)
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(REQUIREMENTS)]
    for command in ([sys.executable, "-m", "venv", str(ENVIRONMENT)], install):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise PeerFailed(f"their environment could not be made: {last_line(done.stderr)}")
    stamp.write_text(expected, encoding="utf-8")
    return str(python)


def last_line(text):
    """Return the last non-empty line, shortened."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no message"


def figures_of(command, timeout):
    """Return the metrics that a command prints as its last line of JSON. Raises PeerFailed."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, cwd=ROOT, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        raise PeerFailed(f"not done after {timeout:g} s") from None
    except OSError as error:
        raise PeerFailed(f"could not be started: {error.strerror}") from None
    if done.returncode:
        raise PeerFailed(f"exit code {done.returncode}: {last_line(done.stderr)}")
    line = last_line(done.stdout)
    try:
        found = json.loads(line)
    except json.JSONDecodeError:
        raise PeerFailed(f"printed {line!r}, which is no JSON") from None
    if not isinstance(found, dict) or set(found) != KEYS:
        raise PeerFailed(f"printed {line!r}, which lacks some of {', '.join(sorted(KEYS))}")
    return found


def measure(names, learners, command_of, timeout, load=split_of):
    """Yield an `Outcome` for each learner on each data set.

    command_of : function (learner, path of a split) -> command.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = Path(folder) / f"{name}.npz"
            try:
                np.savez(path, **dict(zip(("X", "y", "X_test", "y_test"), load(name), strict=True)))
            except DataMissing as error:
                yield from (Outcome(name, learner, None, str(error)) for learner in learners)
                continue
            for learner in learners:
                try:
                    yield Outcome(name, learner, figures_of(command_of(learner, path), timeout))
                except PeerFailed as error:
                    yield Outcome(name, learner, None, str(error))


def cells(outcome):
    """Return the row of the table."""
    name, learner, found, _ = outcome
    if found is None:
        return name, learner, "-", "-", "-", "-"
    ratio = found["seconds"] / found["cart_seconds"]
    times = f"{ratio:.2g} x" if ratio < 10 else f"{ratio:.0f} x"
    return name, learner, found["version"] or "ours", f"{found['error']:.1f}", found["leaves"], times


def reasons(outcomes):
    """Return the lines below the table, with the reason for each learner without metrics."""
    return [f"{one.learner} on {one.name}: {one.reason}." for one in outcomes if one.figures is None]


def commands():
    """Return a function (learner, path) -> command. Without the environment, it raises for other packages only."""
    failed, python = None, None
    try:
        python = peers_python()
    except PeerFailed as error:
        failed = error

    def command_of(learner, path):
        if LEARNERS[learner].package in OUR_ENVIRONMENT:
            return [sys.executable, "-m", "benchmarks.peer_fit", learner, str(path)]
        if failed:
            raise failed
        return [python, "-m", "benchmarks.peer_fit", learner, str(path)]

    return command_of


def main(arguments=None):
    """Measure, print the table, and write it as Markdown and the raw numbers as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, metavar="NAME", help=", ".join(SETS))
    parser.add_argument("--learners", nargs="+", choices=LEARNERS, default=tuple(LEARNERS), metavar="NAME")
    parser.add_argument(
        "--timeout", type=float, default=600, help="time limit in seconds for one learner on one data set"
    )
    options = parser.parse_args(arguments)
    part = None if tuple(options.sets) == SETS and tuple(options.learners) == tuple(LEARNERS) else "part"
    title, outcomes = heading("Peers"), []
    for outcome in measure(options.sets, options.learners, commands(), options.timeout):
        outcomes.append(outcome)
        print(*cells(outcome), outcome.reason, sep="  ", file=sys.stderr, flush=True)
        rows = [cells(one) for one in outcomes]
        notes = [NOTE, *reasons(outcomes)]
        written = write_markdown("peers", "\n\n".join([title, markdown(HEADER, rows, (0, 1, 2)), *notes]), part)
        raw = write_json("peers", {"outcomes": [one._asdict() for one in outcomes]}, part)
    print(title, table(HEADER, rows, left=(0, 1, 2)), *notes, sep="\n")
    print(f"table: {written}; raw numbers: {raw}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
