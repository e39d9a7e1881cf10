"""Compare sparse oblique trees with nearest neighbours: ``python -m benchmarks.neighbours [--only NAME]``.

The initial tree and λ of the TAO tree are chosen by the error on 20 % of the training rows. Among several random starts
on all training rows, the one with the lowest objective counts. The boundary forest has 50 trees, as in the paper.
scikit-learn's kd-tree and ball tree find the exact nearest neighbour, so their errors differ only in ties. The paper's
random kd-trees are approximate. All methods use raw features.

Inference time is the median time of `predict` on the whole test set, with all cores. The methods take turns. If exact
trees are too slow (mnist), their time is measured on the first rows, scaled up, and marked ~. Their error uses all
rows.
"""

import argparse
import sys
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.common import (
    DataMissing,
    benchmark_set,
    heading,
    interleaved,
    markdown,
    table,
    timed,
    write_json,
    write_markdown,
)
from treecore import BoundaryForestClassifier, TAOClassifier

STARTS = 3


class Start(NamedTuple):
    """Initial tree of a candidate."""

    init: str
    depth: int | None
    scale: str = "standard"
    surrogate: str = "logistic"

    def estimator(self, seed, share, n):
        """Return the unfitted TAO tree for λ = share * n."""
        return TAOClassifier(
            init=self.init, max_depth=self.depth, scale=self.scale, surrogate=self.surrogate, lam=share * n,
            random_state=seed, n_jobs=-1,
        )  # fmt: skip


class Plan(NamedTuple):
    """One data set: number of training rows (None for all), candidates, and results of the paper.

    The results are test errors in % and inference seconds.
    """

    rows: int | None
    starts: tuple
    shares: np.ndarray
    errors: dict
    seconds: dict
    timed_rows: int | None = None  # number of test rows for timing the kd-tree and the ball tree; None for all


def _paper(*figures):
    return dict(zip(("TAO oblique", "boundary forest", "kd-tree", "ball tree"), figures, strict=True))


_SMALL = (Start("cart", None), Start("oblique_cart", None), Start("oblique_cart", None, "minmax", "squared_hinge"))
PLANS = {
    "pendigits": Plan(
        None, (Start("random", 8), *_SMALL), np.geomspace(4e-6, 4e-4, 5),
        _paper(3.14, 2.62, 2.26, 2.80), _paper(0.01, 0.34, 0.75, 0.02),
    ),
    "letter": Plan(
        10500, (Start("random", 11), *_SMALL), np.geomspace(4e-6, 1e-4, 5),
        _paper(7.94, 5.40, 5.50, 5.60), _paper(0.05, 1.16, 1.67, 0.91),
    ),
    "mnist": Plan(
        None, (Start("random", 8, "minmax"), Start("random", 9, "minmax")), np.geomspace(1.5e-5, 6e-5, 3),
        _paper(5.69, 2.24, 3.08, 2.99), _paper(0.18, 23.90, 89.20, 417.60), 400,
    ),
}  # fmt: skip
PAPER_NAME = {"kd-tree": "random kd-trees", "ball tree": "cover tree"}
HEADER = ("set", "method", "test error %", "paper", "inference s", "/ TAO", "paper s", "/ TAO", "fit s", "detail")


def chosen(plan, X, y):
    """Return the (Start, λ / n) with the smallest validation error; the smaller tree wins a tie."""
    X, X_val, y, y_val = train_test_split(X, y, test_size=0.2, stratify=y, random_state=0)
    found = []
    for start in plan.starts:
        for share in plan.shares:
            model = start.estimator(0, share, len(y)).fit(X, y)
            error = round(1 - model.score(X_val, y_val), 9)
            found.append((error, model.tree_.n_leaves, start, float(share)))
            print(f"  {start}, {share:.2g}: {100 * error:.2f} %", file=sys.stderr, flush=True)
    return min(found, key=lambda one: one[:2])[2:]


def tao_tree(plan, X, y):
    """Return (fitted TAO tree, description)."""
    start, share = chosen(plan, X, y)
    fitted = [start.estimator(seed, share, len(y)).fit(X, y) for seed in range(STARTS)]
    model = min(fitted, key=lambda one: min(record.objective for record in one.trace_))
    tree = model.tree_
    return model, (
        f"from {start.init}, {start.scale}, {start.surrogate}, lambda {share * len(y):.3g}; "
        f"{tree.n_leaves} leaves, depth {tree.depth}, {tree.features_per_node:.1f} features a node"
    )


def nodes_of(forest):
    """Return the description of a boundary forest."""
    nodes = np.mean([tree.rows.size for tree in forest.estimators_])
    return f"{len(forest.estimators_)} trees of {nodes:.0f} nodes"


def measure(plan, rows, n_trees, repeats):
    """Return {method: metrics} for (X, y, X_test, y_test)."""
    X, y, X_test, y_test = rows
    methods = {
        "boundary forest": BoundaryForestClassifier(n_trees, random_state=0, n_jobs=-1),
        "kd-tree": KNeighborsClassifier(1, algorithm="kd_tree", n_jobs=-1),
        "ball tree": KNeighborsClassifier(1, algorithm="ball_tree", n_jobs=-1),
    }
    (tree, detail), seconds, _ = timed(lambda: tao_tree(plan, X, y))
    models, found = {"TAO oblique": tree}, {"TAO oblique": {"fit": seconds, "detail": detail}}
    for name, model in methods.items():
        models[name], seconds, _ = timed(lambda model=model: model.fit(X, y))
        detail = nodes_of(model) if name == "boundary forest" else "one nearest neighbour"
        found[name] = {"fit": seconds, "detail": detail}
    exact = {name: models.pop(name) for name in PAPER_NAME} if plan.timed_rows else {}
    calls = {name: lambda model=model: model.predict(X_test) for name, model in models.items()}
    for name, timing in interleaved(calls, repeats).items():
        error = 100 * float(np.mean(timing.result != y_test))
        found[name] |= {"error": error, "seconds": timing.median, "repeats": timing.raw()}
    if exact:
        error = 100 * (1 - KNeighborsClassifier(1, algorithm="brute", n_jobs=-1).fit(X, y).score(X_test, y_test))
    for name, model in exact.items():
        _, seconds, _ = timed(lambda model=model: model.predict(X_test[: plan.timed_rows]))
        seconds *= len(X_test) / plan.timed_rows
        found[name] |= {"error": error, "seconds": seconds, "timed_rows": plan.timed_rows}
    return found


def cells(name, plan, found):
    """Return the rows of the table."""
    ours, theirs = found["TAO oblique"]["seconds"], plan.seconds["TAO oblique"]
    for method, one in found.items():
        paper = f"{plan.errors[method]:.2f}" + (f" ({PAPER_NAME[method]})" if method in PAPER_NAME else "")
        seconds = f"{'~' if 'timed_rows' in one else ''}{one['seconds']:.3g}"
        yield (
            name, method, f"{one['error']:.2f}", paper, seconds, f"{one['seconds'] / ours:.3g}",
            f"{plan.seconds[method]:g}", f"{plan.seconds[method] / theirs:.3g}", f"{one['fit']:.3g}", one["detail"],
        )  # fmt: skip


def main(arguments=None):
    """Measure the data sets, print the table, and write it as Markdown and the raw numbers as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neighbours", description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=PLANS, help="run only this data set, and write separate files")
    parser.add_argument("--trees", type=int, default=50, help="number of trees in the boundary forest")
    parser.add_argument(
        "--repeats", type=int, default=5, help="number of timed predictions, of which the median is reported"
    )
    options = parser.parse_args(arguments)
    rows, raw = [], {}
    for name in [options.only] if options.only else PLANS:
        plan = PLANS[name]
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            X, y, *test = benchmark_set(name)
        except DataMissing as error:
            print(error, file=sys.stderr)
            return 1
        raw[name] = measure(plan, (X[: plan.rows], y[: plan.rows], *test), options.trees, options.repeats)
        rows += cells(name, plan, raw[name])
    title = heading("Oblique trees and nearest neighbours")
    print(title)
    print(table(HEADER, rows, left=(0, 1, 9)))
    note = "fit s of TAO includes the choice of lambda and the initial tree; / TAO: times the tree's inference time."
    print(note)
    written = write_markdown("neighbours", f"{title}\n\n{markdown(HEADER, rows, (0, 1, 9))}\n\n{note}", options.only)
    print(f"table: {written}; raw numbers: {write_json('neighbours', raw, options.only)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
