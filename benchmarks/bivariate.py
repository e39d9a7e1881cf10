"""Time bivariate TAO against one CART fit on the same rows: ``python -m benchmarks.bivariate [--quick] [--only NAME]``.

Both are timed alternately in the same run. TAO starts from a fully grown CART, with H = 60 and λ = 1 (Kairgeldin and
Carreira-Perpiñán 2024, appendix). The synthetic set has 600,000 rows and 18 features, as many features as SUSY.

The last row compares the CPU time for 160 features with that of a search that screens all pairs on all points, one at a
time, and sorts all features for the best threshold. Both start from the same CART, which is not timed.
"""

import argparse
import sys
from unittest.mock import patch

import numpy as np
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from benchmarks.common import DataMissing, benchmark_set, heading, interleaved, table, write_json
from benchmarks.speed import HEADER, Row
from treecore import TAOClassifier
from treecore.node_solvers import bivariate
from treecore.node_solvers.thresholds import best_threshold
from treecore.warm_up import warm_up

LIMITS = {"segment": 30, "letter": 30, "electricity": 30, "magic": 30, "spambase": 150, "synthetic": 10, "wide": 0.35}
PARAMETERS = {"split": "bivariate", "init": "cart", "lam": 1.0, "n_orientations": 60, "random_state": 0, "n_jobs": -1}


def synthetic(n_rows, rng):
    """Return X float64[n, 18] and two noisy classes, separated by curved boundaries in a few pairs of features."""
    X = rng.standard_normal((n_rows, 18))
    signal = X[:, 0] * X[:, 1] + X[:, 2] - 0.7 * X[:, 3] + np.sin(2 * X[:, 4]) + 0.5 * X[:, 5] ** 2
    return X, (signal + 1.5 * rng.standard_normal(n_rows) > 0.5).astype(int)


def rows_of(name, quick):
    """Return the training rows (X, y): all rows of a data set, or the synthetic ones."""
    if name == "synthetic":
        return synthetic(20_000 if quick else 600_000, np.random.default_rng(0))
    data = benchmark_set(name)
    return (data.X, data.y) if data.X_test is None else (np.vstack([data.X, data.X_test]), np.r_[data.y, data.y_test])


def wide(n_rows, rng):
    """Return X float64[n, 160] and four noisy classes, assigned to the cells between six lines in pairs of features."""
    X = rng.standard_normal((n_rows, 160))
    cells = np.zeros(n_rows, int)
    for _ in range(6):
        first, second = rng.choice(160, 2, replace=False)
        angle = rng.uniform(0, np.pi)
        cells = 2 * cells + (X[:, first] * np.cos(angle) + X[:, second] * np.sin(angle) > 0.3 * rng.normal())
    y = rng.integers(0, 4, 64)[cells]
    noisy = rng.random(n_rows) < 0.05
    y[noisy] = rng.integers(0, 4, np.count_nonzero(noisy))
    return X, y


def measure_wide(quick):
    """Return the table `Row` for 160 features, and the raw numbers."""
    X, y = wide(4_000 if quick else 20_000, np.random.default_rng(0))
    start = TAOClassifier(split="univariate", init="cart", max_depth=8, max_iter=0, random_state=0).fit(X, y).tree_
    model = TAOClassifier(**PARAMETERS | {"init": start, "lam": 5.0, "n_jobs": 1})

    def exhaustive():
        plain = {"best_promising_threshold": lambda *arguments: best_threshold(*arguments[:-1])}
        with patch.multiple(bivariate, FEW_PAIRS=np.inf, MANY_PAIRS=np.inf, **plain):
            return clone(model).fit(X, y)

    timings = interleaved({"ours": lambda: clone(model).fit(X, y), "exhaustive": exhaustive}, 1)
    ours, all_pairs = timings["ours"], timings["exhaustive"]
    objectives = [timing.result.trace_[-1].objective for timing in (all_pairs, ours)]
    detail = (
        f"{ours.cpu[0]:.3g} s / {all_pairs.cpu[0]:.3g} s of CPU; {len(X)} x {X.shape[1]}; "
        f"objective {objectives[1]:.0f} / {objectives[0]:.0f}"
    )
    ratio = ours.cpu[0] / all_pairs.cpu[0]
    return Row("bivariate TAO / exhaustive screening: wide", ratio, LIMITS["wide"], detail=detail), {
        "ours": ours.cpu[0],
        "exhaustive": all_pairs.cpu[0],
        "objectives": objectives,
    }


def measure(name, quick):
    """Return the table `Row` for one data set, and the raw numbers."""
    X, y = rows_of(name, quick)
    repeats = 1 if len(X) > 100_000 else 3 if len(X) > 10_000 else 5
    timings = interleaved(
        {
            "tao": lambda: TAOClassifier(**PARAMETERS).fit(X, y),
            "cart": lambda: DecisionTreeClassifier(random_state=0).fit(X, y),
        },
        repeats,
    )
    model, grown = timings["tao"].result, timings["cart"].result
    ours, theirs = float(np.median(timings["tao"].wall)), float(np.median(timings["cart"].wall))
    detail = (
        f"{ours:.3g} s / {theirs:.3g} s; {len(X)} x {X.shape[1]}; nodes {grown.tree_.node_count} -> "
        f"{model.tree_.n_nodes}, {model.n_iter_} passes, objective {model.initial_.objective:.0f} -> "
        f"{min(record.objective for record in model.trace_):.0f}"
    )
    return Row(f"bivariate TAO / CART: {name}", ours / theirs, LIMITS[name], detail=detail), {
        "tao": ours,
        "cart": theirs,
        "nodes": model.tree_.n_nodes,
    }


def main(arguments=None):
    """Measure the data sets, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bivariate", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="use only the small data sets and few synthetic rows")
    parser.add_argument("--only", choices=LIMITS, help="run only this data set")
    options = parser.parse_args(arguments)
    warm_up()
    rows, raw = [], {"quick": options.quick}
    names = [options.only] if options.only else ["synthetic", "wide"] if options.quick else LIMITS
    for name in names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            row, raw[name] = measure_wide(options.quick) if name == "wide" else measure(name, options.quick)
        except DataMissing as error:
            print(error, file=sys.stderr)
            continue
        rows.append(row)
    print(heading("Bivariate"))
    print(table(HEADER, [row.cells() for row in rows], left=(0, 4)))
    print(f"raw numbers: {write_json('bivariate', raw, options.only)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
