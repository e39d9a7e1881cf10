"""Compare forests with a paper's table: ``python -m benchmarks.forests [--only NAME] [--trees 10 30] [--seeds N]``.

Every forest uses sqrt(d) candidate features per node and scales the features to [0, 1]. The ν and learning rate of CO2
are chosen by the error of 10 trees, cross-validated on at most 10,000 training rows. The option --co2 sets both and
skips the search. The training set of letter is its first 15,000 rows, as in the paper. The training set of connect4 has
55,000 random rows, with one feature for each of the three states of a square. The sets mnist and connect4 run only on
request (--only).
"""

import argparse
import sys
from typing import NamedTuple

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split

from benchmarks.common import DataSet, benchmark_set, heading, table, timed, write_json
from treecore import CO2ForestClassifier, TwoProbeForestClassifier

GRID = tuple({"nu": nu, "learning_rate": rate} for nu in (4.0, 10.0, 43.0) for rate in (0.3, 1.0))
VALIDATION_TREES, FOLDS = 10, 3
CHOICE_ROWS = 10_000  # number of rows used to choose the settings
LETTER_ROWS, CONNECT4_ROWS = 15_000, 55_000
# Test error in % with 10 and 30 trees. The paper's random forest is scikit-learn's.
PAPER = {
    "pendigits": {"random forest": (3.9, 3.3), "oc1": (3.2, 2.2), "co2": (1.8, 1.7)},
    "letter": {"random forest": (6.6, 4.7), "oc1": (7.6, 5.0), "co2": (3.2, 2.3)},
    "connect4": {"random forest": (18.9, 17.4), "co2": (17.1, 15.7)},
    "mnist": {"random forest": (4.5, 3.5), "co2": (2.5, 2.0)},
}
PAPER_TREES = (10, 30)


class Measured(NamedTuple):
    """Test errors in % for each number of trees, and wall seconds for training the largest forest."""

    errors: list
    seconds: float


def rows_of(name):
    """Return (X_train, y_train, X_test, y_test)."""
    data = benchmark_set(name)
    if name == "connect4":
        X = (data.X[:, :, None] == np.arange(3)).reshape(len(data.X), -1).astype(np.uint8)
        rows = np.random.default_rng(0).permutation(len(X))
        train, test = rows[:CONNECT4_ROWS], rows[CONNECT4_ROWS:]
        return DataSet(X[train], data.y[train], X[test], data.y[test])
    if name != "letter":
        return data
    X, y = np.concatenate([data.X, data.X_test]), np.concatenate([data.y, data.y_test])
    return X[:LETTER_ROWS], y[:LETTER_ROWS], X[LETTER_ROWS:], y[LETTER_ROWS:]


def forest_of(method, n_trees, seed, settings):
    """Return the unfitted forest of a method."""
    if method == "scikit-learn":
        return RandomForestClassifier(n_trees, random_state=seed, n_jobs=-1)
    if method == "two_probe":
        return TwoProbeForestClassifier(n_trees, random_state=seed, n_jobs=-1)
    return CO2ForestClassifier(n_trees, base=method, scale="minmax", random_state=seed, n_jobs=-1, **settings)


def chosen(method, X, y):
    """Return the settings with the smallest cross-validated error, {} for a method without a grid."""
    if method != "co2":
        return {}
    if len(y) > CHOICE_ROWS:
        X, _, y, _ = train_test_split(X, y, train_size=CHOICE_ROWS, stratify=y, random_state=0)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    forests = [forest_of(method, VALIDATION_TREES, 0, one) for one in GRID]
    errors = [1 - cross_val_score(forest, X, y, cv=folds).mean() for forest in forests]
    for one, error in zip(GRID, errors, strict=True):
        print(f"  {one}: {100 * error:.2f} %", file=sys.stderr, flush=True)
    return GRID[int(np.argmin(errors))]


def measure(method, rows, trees, seed, settings):
    """Return the `Measured` for a method. Smaller forests consist of the first trees of the largest forest."""
    X, y, X_test, y_test = rows
    forest, seconds, _ = timed(lambda: forest_of(method, max(trees), seed, settings).fit(X, y))
    shares = np.cumsum([tree.predict_proba(X_test) for tree in forest.estimators_], axis=0)
    labels = forest.classes_[shares.argmax(axis=2)]
    return Measured([100 * float(np.mean(labels[n - 1] != y_test)) for n in trees], seconds)


def cells(name, method, settings, found, trees):
    """Return the rows of the table, one for each number of trees."""
    reference = PAPER[name].get({"scikit-learn": "random forest", "univariate": "random forest"}.get(method, method))
    note = ", ".join(f"{key} {value:g}" for key, value in settings.items())
    for i, n in enumerate(trees):
        errors = np.array([one.errors[i] for one in found])
        spread = f" ± {errors.std(ddof=1) / np.sqrt(errors.size):.2f}" if errors.size > 1 else ""
        paper = reference[PAPER_TREES.index(n)] if reference and n in PAPER_TREES else ""
        seconds = f"{np.median([one.seconds for one in found]):.1f}" if n == max(trees) else ""
        yield name, method, n, f"{errors.mean():.2f}{spread}", paper, seconds, note


def main(arguments=None):
    """Measure the data sets, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forests", description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=PAPER, help="run only this data set")
    parser.add_argument(
        "--co2", type=float, nargs=2, metavar=("NU", "RATE"), help="settings of CO2, instead of a search"
    )
    parser.add_argument("--methods", nargs="+", default=["scikit-learn", "univariate", "two_probe", "oc1", "co2"])
    parser.add_argument(
        "--trees", type=int, nargs="+", default=list(PAPER_TREES), help="numbers of trees in the forests"
    )
    parser.add_argument("--seeds", type=int, default=3, help="number of forests, over which the results are averaged")
    options = parser.parse_args(arguments)
    rows, raw = [], {}
    for name in [options.only] if options.only else ("pendigits", "letter"):
        data = rows_of(name)
        raw[name] = {}
        for method in options.methods:
            print(f"{name}, {method} ...", file=sys.stderr, flush=True)
            is_given = method == "co2" and options.co2
            settings = dict(zip(GRID[0], options.co2, strict=True)) if is_given else chosen(method, *data[:2])
            found = [measure(method, data, options.trees, seed, settings) for seed in range(options.seeds)]
            raw[name][method] = {"settings": settings, "measured": [one._asdict() for one in found]}
            rows += cells(name, method, settings, found, options.trees)
            print(rows[-1], file=sys.stderr, flush=True)
    print(heading("Forests"))
    print(table(("set", "forest", "trees", "test error %", "paper", "train s", "settings"), rows, left=(0, 1, 6)))
    print(f"raw numbers: {write_json('forests', raw, options.only)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
