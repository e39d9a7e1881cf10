"""Store measured results, one line of JSON per set, method, split and version: ``python -m benchmarks.measured``.

A benchmark appends each result to ``benchmarks/results/NAME.jsonl``, so that a stopped run continues, and the tables of
the documentation are generated from these lines. A line is out of date if the engine now returns other trees. The
stamp of the trees decides this, not the source code: it is a hash of the predictions of trees for fixed problems.

The command computes the stamp, stores it in ``benchmarks/results/trees.jsonl`` and prints the problems whose
predictions have changed, and how many lines of each benchmark are out of date. With ``--check``, it stores nothing and
its exit code is 1 if a prediction has changed.
"""

import argparse
import hashlib
import json
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "results"
TREES = "trees"  # file of the stamp
PACKAGES = ("numpy", "numba", "scikit-learn")
MARK = " †"  # after the name of a method with a line that is out of date
NOTE = "† Measured with an older version of the engine, whose trees can differ."


def lines(name: str, folder: Path = FOLDER) -> list[dict]:
    """Return the stored lines of a benchmark, without an incomplete last line."""
    path = folder / f"{name}.jsonl"
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1] if line]


def append(name: str, line: Mapping, folder: Path = FOLDER) -> dict:
    """Append a line, replace an incomplete last line, and return the line as it is stored."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jsonl"
    kept = path.read_bytes() if path.is_file() else b""
    if kept and not kept.endswith(b"\n"):
        path.write_bytes(kept[: kept.rfind(b"\n") + 1])
    text = json.dumps(rounded(line))
    with path.open("a", encoding="utf-8") as file:
        file.write(text + "\n")
    return json.loads(text)


def once(
    name: str, key: Mapping, measure: Callable[[], Mapping], *, trees: str | None, folder: Path = FOLDER
) -> tuple[dict, bool]:
    """Return (the line of a key, whether it was measured now). A stored line of another version is measured again.

    key : "set", "method", "split" and other values that identify a result
    trees : stamp of the trees, or None for a method of another package
    """
    for line in lines(name, folder):
        if line["trees"] == trees and all(line.get(part) == value for part, value in key.items()):
            return line, False
    packages = {package: version(package) for package in PACKAGES}
    return append(name, {**key, "trees": trees, "packages": packages, **measure()}, folder), True


def current_trees(folder: Path = FOLDER) -> str:
    """Return the stored stamp of the trees, or "" if there is none."""
    found = lines(TREES, folder)
    return stamp_of({line["problem"]: line["predictions"] for line in found}) if found else ""


def is_old(line: Mapping, trees: str) -> bool:
    """Return whether a line is from an engine with other trees. Results of other packages are not."""
    return line["trees"] not in (None, trees)


def newest(found: Iterable[dict], trees: str) -> list[dict]:
    """Return the lines of each set and method in a single version: the current one if there is any, else the last one.

    Results of different versions are never mixed in the mean of a method on a set.
    """
    groups: dict[tuple, list[dict]] = {}
    for line in found:
        groups.setdefault((line["set"], line["method"]), []).append(line)
    kept = []
    for own in groups.values():
        last = own[-1]["trees"]
        chosen = trees if any(line["trees"] == trees for line in own) else last
        same = [line for line in own if line["trees"] == chosen]
        single = [line for line in same if line["split"] is not None]
        kept += single or same  # a line without a split has the means of an older run
    return kept


def rounded(value):
    """Round the numbers of a JSON value to six digits."""
    if isinstance(value, float | np.floating):
        return float(f"{value:.6g}")
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def problems() -> dict[str, Callable]:
    """Return {name: function that returns predictions}, the fixed problems of the stamp."""
    from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine

    import sample_data
    from treecore import (
        C50Classifier,
        CARTClassifier,
        TAOClassifier,
        TAOClassifierCV,
        TAORegressor,
        regularization_path,
        size_path,
    )

    cancer, diabetes, iris, wine = (
        load(return_X_y=True) for load in (load_breast_cancer, load_diabetes, load_iris, load_wine)
    )
    digits = sample_data.load("digits")
    digits = digits.X[:400], digits.labels()[:400]
    gaps = np.where(np.arange(wine[0].size).reshape(wine[0].shape) % 7 == 3, np.nan, wine[0])

    def fitted(estimator, data):
        return lambda: estimator.fit(*data).predict(data[0])

    def last(sweep, estimator, data, values):
        return lambda: np.concatenate([point.tree.predict(data[0]) for point in sweep(estimator, *data, values)])

    tao, number = TAOClassifier, TAORegressor
    return {
        "cancer, univariate": fitted(tao("univariate", random_state=0), cancer),
        "cancer, bivariate": fitted(tao("bivariate", random_state=0), cancer),
        "cancer, oblique": fitted(tao("oblique", lam=1.0, init="random", max_depth=3, random_state=0), cancer),
        "cancer, refine": fitted(tao("univariate", lam=1.0, refine=5, random_state=0), cancer),
        "cancer, block": fitted(tao("univariate", lam=1.0, block=2, max_depth=3, random_state=0), cancer),
        "diabetes, univariate": fitted(number("univariate", random_state=0), diabetes),
        "diabetes, bivariate": fitted(number("bivariate", random_state=0), diabetes),
        "diabetes, oblique": fitted(number("oblique", lam=1.0, init="cart", max_depth=3, random_state=0), diabetes),
        "diabetes, absolute": fitted(number("univariate", lam=5.0, loss="absolute_error", random_state=0), diabetes),
        "digits, univariate": fitted(tao("univariate", lam=1.0, init="random", max_depth=5, random_state=0), digits),
        "digits, bivariate": fitted(tao("bivariate", lam=1.0, init="cart", max_depth=5, random_state=0), digits),
        "digits, oblique": fitted(tao("oblique", lam=1.0, init="random", max_depth=4, random_state=0), digits),
        "iris, linear leaves": fitted(tao("oblique", leaf="linear", lam=0.1, max_depth=1, random_state=0), iris),
        "iris, folds": fitted(TAOClassifierCV(tao("bivariate", random_state=0), lams=5, cv=3), iris),
        "wine, missing": fitted(tao("bivariate", lam=1.0, missing="learn", random_state=0), (gaps, wine[1])),
        "wine, CART": fitted(CARTClassifier(rule="one_se", random_state=0), wine),
        "wine, C5.0": fitted(C50Classifier(), wine),
        "wine, path": last(regularization_path, tao("oblique", init="random", random_state=0), wine, 4),
        "wine, sizes": last(size_path, tao("univariate", random_state=0), wine, [3, 5]),
        "iris, sizes": last(size_path, tao("bivariate", random_state=0), iris, [3, 5]),
    }


def predictions() -> dict[str, str]:
    """Return {problem: hash of the predictions of its trees}."""
    found = {}
    for name, predict in problems().items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            values = np.asarray(predict())
        text = ",".join(f"{value:.6g}" for value in values.astype(float))
        found[name] = hashlib.sha256(text.encode()).hexdigest()[:10]
    return found


def stamp_of(found: Mapping[str, str]) -> str:
    """Return the stamp of the trees, given {problem: hash}."""
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:10]


def main(arguments: list[str] | None = None) -> int:
    """Compute and store the stamp. Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="store nothing; exit with 1 if a prediction has changed")
    options = parser.parse_args(arguments)
    before = {line["problem"]: line["predictions"] for line in lines(TREES)}
    found = predictions()
    changed = [name for name, one in found.items() if before.get(name) != one]
    print(f"trees {stamp_of(found)}: other predictions on {len(changed)} of {len(found)} problems {changed or ''}")
    if options.check:
        return int(bool(changed))
    content = "".join(json.dumps({"problem": name, "predictions": one}) + "\n" for name, one in found.items())
    (FOLDER / f"{TREES}.jsonl").write_text(content, encoding="utf-8")
    for path in sorted(FOLDER.glob("*.jsonl")):
        if path.stem != TREES:
            kept = newest(lines(path.stem), stamp_of(found))
            old = sum(is_old(line, stamp_of(found)) for line in kept)
            print(f"{path.stem}: {old} of {len(kept)} lines are out of date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
