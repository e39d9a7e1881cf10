"""Compare linear with constant leaves: ``python -m benchmarks.linear_leaves [--only NAME ...] [--splits N]``.

Each data set is split several times. For digits and breast cancer, 20 % of the rows are the test set, and 5-fold
cross-validation on the other rows chooses depth, scaling and λ (`TAOClassifierCV`). For pendigits and letter, the test
set is published, and the error on 20 % of the other rows chooses. The chosen tree is trained again on all rows outside
the test set. Initial trees are random. Trees with linear leaves have `--starts` initial trees, one of which is chosen
together with λ. In a tie, the tree with fewer leaves wins, then the larger λ. The test rows affect no choice. "oracle"
is the tree on the paths with the smallest test error.
"""

import argparse
import itertools
import time
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split

from benchmarks.common import DataSet, benchmark_set, heading, table, verdict, write_json
from treecore import TAOClassifier, TAOClassifierCV, regularization_path


class Plan(NamedTuple):
    """The candidates: depths of the random initial tree, and λ / n for each kind of leaf.

    target : error in % to reach.
    """

    load: object
    depths: dict
    shares: dict
    target: float
    scales: dict = {"constant": ("standard", "minmax"), "linear": ("minmax",)}  # noqa: RUF012
    passes: int = 12


STANDARD = dict.fromkeys(("constant", "linear"), ("standard",))


def _bundled(load):
    return lambda: DataSet(*load(return_X_y=True))


PLANS = {
    "digits": Plan(
        _bundled(load_digits), {"constant": (4, 5, 6), "linear": (1, 3)},
        {"constant": np.geomspace(3e-4, 0.01, 6), "linear": np.geomspace(3e-5, 1e-3, 4)}, 2.6,
    ),
    "breast_cancer": Plan(
        _bundled(load_breast_cancer), {"constant": (2, 3, 4), "linear": (1, 2)},
        {"constant": np.geomspace(1e-3, 0.03, 6), "linear": np.geomspace(3e-4, 0.02, 5)}, 1.8,
    ),
    "pendigits": Plan(
        lambda: benchmark_set("pendigits"), {"constant": (7, 8), "linear": (3, 4)},
        {"constant": np.geomspace(3e-5, 1e-3, 5), "linear": np.geomspace(1e-5, 3e-4, 4)}, 2.5, STANDARD,
    ),
    "letter": Plan(
        lambda: benchmark_set("letter"), {"constant": (11,), "linear": (5,)},
        {"constant": np.geomspace(4e-6, 1e-4, 5), "linear": np.geomspace(2e-5, 1.8e-4, 3)}, 6.5, STANDARD, 8,
    ),
}  # fmt: skip


def parts(data, seed):
    """Return (X, y) of training, validation (None if folds choose) and test rows of one split."""
    X, y, X_test, y_test = data
    if X_test is None:
        X, X_test, y, y_test = train_test_split(X, y, test_size=0.2, random_state=seed, stratify=y)
        return (X, y), None, (X_test, y_test)
    X, X_val, y, y_val = train_test_split(X, y, test_size=0.2, random_state=seed, stratify=y)
    return (X, y), (X_val, y_val), (X_test, y_test)


def tried(start, lams, rows):
    """Return (error, leaves, λ, tree, all trees of the path).

    The tree is chosen by cross-validation or by validation rows.
    """
    (X, y), validation, _ = rows
    if validation is None:
        model = TAOClassifierCV(start, lams=lams, cv=5).fit(X, y)
        return model.best_error_, model.tree_.n_leaves, model.best_params_["lam"], model.tree_, model.path_.trees
    path = regularization_path(start, X, y, lams, *validation)
    best = min(path.points, key=lambda point: (point.validation_error, point.n_leaves, -point.lam))
    return best.validation_error, best.n_leaves, best.lam, best.tree, path.trees


def chosen(plan, leaf, rows, seeds):
    """Return a dict with the metrics of the chosen tree; errors are in percent.

    seeds : random states of the initial trees.
    """
    n, (X_test, y_test) = len(rows[0][1]), rows[2]
    began, found, errors = time.perf_counter(), [], []
    for depth, scale, seed in itertools.product(plan.depths[leaf], plan.scales[leaf], seeds):
        start = TAOClassifier(
            init="random", max_depth=depth, scale=scale, max_iter=plan.passes, random_state=seed, leaf=leaf, n_jobs=-1
        )
        error, leaves, lam, tree, trees = tried(start, plan.shares[leaf] * n, rows)
        found.append((error, leaves, -lam, start, tree))
        errors += [float(np.mean(one.predict(X_test) != y_test)) for one in trees]
    error, leaves, lam, start, tree = min(found, key=lambda one: one[:3])
    if rows[1] is not None:
        tree = trained_on_all(start, plan.shares[leaf], rows, -lam / n)
        leaves = tree.n_leaves
    return {
        "chosen by": 100 * error, "leaves": leaves, "test": 100 * float(np.mean(tree.predict(X_test) != y_test)),
        "depth": start.max_depth, "scale": start.scale, "start": start.random_state,
        "lam_per_row": -lam / n, "oracle": 100 * min(errors), "seconds": time.perf_counter() - began,
    }  # fmt: skip


def trained_on_all(start, shares, rows, share):
    """Train a path up to the chosen λ / n on training and validation rows, and return its last tree."""
    X, y = (np.concatenate(both) for both in zip(*rows[:2], strict=True))
    return regularization_path(start, X, y, shares[shares <= share * (1 + 1e-9)] * len(y)).trees[-1]


def main(arguments=None):
    """Run the benchmark, print the table and write the raw numbers."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.linear_leaves", description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=list(PLANS), default=list(PLANS))
    parser.add_argument("--leaf", nargs="+", choices=("constant", "linear"), default=("constant", "linear"))
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="seed of the first split")
    parser.add_argument(
        "--starts", type=int, default=1, help="number of random initial trees to choose from, for linear leaves"
    )
    options = parser.parse_args(arguments)
    lines, records = [], {}
    for name in options.only:
        plan = PLANS[name]
        data = plan.load()
        found = {leaf: [] for leaf in options.leaf}
        for seed in range(options.first, options.first + options.splits):
            rows = parts(data, seed)
            for leaf, kept in found.items():
                seeds = [seed + 1000 * start for start in range(options.starts if leaf == "linear" else 1)]
                kept.append(chosen(plan, leaf, rows, seeds))
                print(
                    name,
                    seed,
                    leaf,
                    {k: v if isinstance(v, str) else round(v, 5) for k, v in kept[-1].items()},
                    flush=True,
                )
        records[name] = found
        for leaf, kept in found.items():
            mean = {key: np.mean([one[key] for one in kept]) for key in ("test", "leaves", "oracle", "seconds")}
            spread = np.std([one["test"] for one in kept], ddof=1) if len(kept) > 1 else 0.0
            reached = verdict(mean["test"], plan.target if leaf == "linear" else None)
            cells = f"{mean['test']:.2f} ± {spread:.2f}", f"{mean['leaves']:.1f}", f"{mean['oracle']:.2f}"
            lines.append((name, leaf, *cells, f"{mean['seconds']:.0f}", plan.target, reached))
    print(heading("linear leaves"))
    header = "set", "leaves are", "test error %", "leaves", "oracle %", "seconds", "target %", ""
    print(table(header, lines, left=(0, 1)))
    write_json(
        "linear_leaves",
        {"splits": options.splits, "first": options.first, "starts": options.starts, "records": records},
    )


if __name__ == "__main__":
    main()
