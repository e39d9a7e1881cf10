"""Tables of a comparison as rows of text."""

import numpy as np

from treecore.comparison.comparison import Comparison
from treecore.comparison.significance import holm
from treecore.tree.target import Target

TRAINING = "training error"  # has the unit of the test error
NO_TREE = "no tree"  # remark on a method whose models have no tree, and therefore no sizes
SIZES = (
    "leaves",
    "nodes",
    "depth",
    "features per node",
    "multiplications per row",
    "fit s",
    "folds",
    "p",
    "p (Holm)",
    "remark",
)


def header(target: Target) -> tuple:
    """Return the column names of the table for a `Target`.

    The columns are the method, the test error with its unit, its standard error, the training error, other metrics, and
    `SIZES`.
    """
    return ("method", f"test {target.short_axis_title}", "standard error", TRAINING, *target.other_names, *SIZES)


def table_rows(comparison: Comparison, reference: str | None = None) -> list:
    """Return one tuple of str per method, under `header`.

    Column p is the paired test against the method `reference`. Column p (Holm) is corrected for the number of tests.
    """
    rows, target = [], comparison.target
    summary = comparison.summary()
    tested = [
        comparison.paired_test(row.method, reference).p
        if reference is not None and row.method != reference and row.n_folds
        else np.nan
        for row in summary.itertuples()
    ]
    columns = (summary[name] for name in target.other_names)
    for row, p, corrected, *others in zip(summary.itertuples(), tested, holm(tested), *columns, strict=True):
        rows.append((
            row.title, _error(target, row.test_error), _error(target, row.standard_error),
            _error(target, row.train_error),
            *map(_significant, others), _number(row.n_leaves, 1),
            _number(row.n_nodes, 1), _number(row.depth, 1), _number(row.features_per_node, 2),
            _number(row.inference_cost, 1), _number(row.fit_seconds, 3), str(row.n_folds), p_text(p), p_text(corrected),
            _remark(row),
        ))  # fmt: skip
    return rows


def _remark(row):
    """Return the reason for a missing result, or for missing sizes."""
    if isinstance(row.failure, str) and row.failure:
        return row.failure
    return NO_TREE if row.n_folds and row.n_leaves != row.n_leaves else ""


def p_text(p: float | None) -> str | None:
    """Format a p value (float, or None)."""
    return f"{p:.1e}" if p is not None and 0 < p < 0.0005 else _number(p, 3)


def _error(target, value):
    if target.error_digits is None:
        return _significant(value)
    return _number(value, target.error_digits + 1, target.error_scale)


def _significant(value):
    return "" if value is None or value != value else f"{value:.4g}"


def _number(value, digits, factor=1):
    """Format a number, or return "" for None and NaN."""
    return "" if value is None or value != value else f"{value * factor:.{digits}f}"
