"""Make tables of single classification trees: ours next to the paper's, from `treecore.comparison.compare`."""

import sys

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from benchmarks.common import benchmark_set
from benchmarks.reproduction.store import Store
from treecore.comparison import Cell, compare, rank_test
from treecore.comparison.tables import p_text

SIZES = {"n_leaves": "leaves", "n_nodes": "nodes"}


def header(size):
    """Return the names of the columns.

    size : a key of `SIZES`.
    """
    return (
        "set", "method", "test % (sd)", "paper", SIZES[size], "paper", "depth", "paper", "p", "fit s", "repeats",
        "remark",
    )  # fmt: skip


def rows_and_folds(name, plan):
    """Return (X, y, [(training rows, test rows)]).

    The splits repeat the published one, or have 20 % random test rows.
    """
    data = benchmark_set(name)
    X, y = data.X, data.y
    if data.X_test is not None:
        X, y = np.vstack([X, data.X_test]), np.concatenate([y, data.y_test])
    if 0 < plan.most_rows < len(y):
        rows = np.random.default_rng(0).permutation(len(y))[: plan.most_rows]
        X, y = X[rows], y[rows]
    if plan.published:
        return X, y, [(np.arange(len(data.y)), np.arange(len(data.y), len(y)))] * plan.repeats
    return X, y, list(StratifiedShuffleSplit(plan.repeats, test_size=0.2, random_state=0).split(X, y))


def compared(table, name, plan, n_jobs=-1):
    """Return the `Comparison` of a plan's methods on one data set, without training stored cells again."""
    X, y, folds = rows_and_folds(name, plan)
    # The number of repeats changes the folds only if they are random.
    store = Store(f"{table}-{name}", f"{plan._replace(methods=(), limit=0)} {X.shape}")
    known = {method.name: repr(method) for method in plan.methods}
    kept = [record for record in store.records() if known.get(record["method"]) == record["settings"]]
    # Failed cells are tried again under another limit.
    kept = [record for record in kept if record["cell"]["failure"] is None or record["limit"] == plan.limit]

    def keep(cell):
        settings = {"settings": known[cell.method], "limit": plan.limit}
        store.append({"method": cell.method, **settings, "cell": cell.to_dict()})
        print(f"  {name}, {cell.method}, {cell.fold}: {cell.failure or cell.test_error}", file=sys.stderr, flush=True)

    cells = [Cell.from_dict(record["cell"]) for record in kept]
    return compare(
        X, y, plan.methods, cv=folds, inner=plan.inner, limit=plan.limit, n_jobs=n_jobs, on_cell=keep, cells=cells
    )


def table_rows(name, comparison, paper, size, published=False):
    """Return the rows under `header`, with p of the corrected paired test against the first method.

    size : a key of `SIZES`; published : whether the test rows are always the same. If so, there is no p, because only
    the randomness of the trees differs.
    """
    summary = comparison.summary().set_index("method")
    reference = next(iter(comparison.methods))
    for method, title in comparison.methods.items():
        row, errors = summary.loc[method], 100 * comparison.errors(method)
        figures = [f"{figure:g}" for figure in paper.get(method, ())] or [""] * 3
        if not row.n_folds:
            yield (name, title, "", figures[0], "", figures[1], "", figures[2], "", "", "0", row.failure)
            continue
        spread = f" ({np.nanstd(errors, ddof=1):.2f})" if row.n_folds > 1 else ""
        p = comparison.paired_test(reference, method).p
        yield (
            name, title, f"{100 - np.nanmean(errors):.2f}{spread}", figures[0], f"{row[size]:.1f}", figures[1],
            f"{row.depth:.1f}", figures[2], "" if published or method == reference else p_text(p),
            f"{row.fit_seconds:.3g}", str(row.n_folds), row.failure or "",
        )  # fmt: skip


def ranks(comparisons):
    """Return (titles, `RankTest`) over the data sets, or None if fewer than 2 sets have results for all methods."""
    errors = [np.array([one.errors(method) for method in one.methods]) for one in comparisons.values()]
    shared = [each[:, np.isfinite(each).all(axis=0)] for each in errors]  # only folds with results of all methods
    errors = [each.mean(axis=1) for each in shared if each.shape[1]]
    if len(errors) < 2:
        return None
    return list(next(iter(comparisons.values())).methods.values()), rank_test(errors)
