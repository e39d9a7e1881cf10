"""Payload of a stage for manual edits, with every feature and all rows that determine its counts.

The header contains "edit", so that the browser can compute the objective ``errors + lam * sum of penalties``. Its keys
are:

whole : whether all training rows and features are included
lam : lambda
penalty : {"width": [of each feature of the payload] or null, "cost" or null, "most": maximum number of features of a
    split, null for any, "column": [number of the column of each feature of the payload] or null}
lines : if the only edits are lines in the plane, their maximum number. Leaves predict by their rows.

The penalty of a split on k features is the sum of |weight| * width if there are widths. Otherwise it is 0, 1 or cost *
(k - 1), or k without a cost. With "column", the categories of a column count as one feature.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from treecore.node_solvers import SPLITS
from treecore.tree.data_set_like import DataSetLike
from viz.nodes.category_columns import category_columns
from viz.payload.compressed import compressed
from viz.payload.stage_payload import shared_sample, stage_values

MOST_BYTES = 3_000_000  # maximum number of bytes of rows and features, before compression
MOST_ROWS = 20_000


def edit_payload(
    point: Any,
    data: DataSetLike,
    rows: Sequence | None,
    *,
    split: str,
    cost: float,
    scale: str | None,
    lines: int = 0,
    are_grouped: bool = False,
    monotone: np.ndarray | None = None,
) -> tuple[bytes, bool]:
    """Return (bytes for the stage, whether they contain all rows and features).

    point : object of one tree, with `tree` and `lam`
    data : DataSet
    rows : (training, validation, test) row numbers, or None
    split, cost, scale : parameters of the estimator, as in `treecore.TAOClassifier`
    lines : value for the header, 0 to allow all edits
    are_grouped : whether the categories of a column count as one feature
    monotone : as in `stage_payload`
    """
    train, *others = (np.arange(len(data.X)),) if rows is None else rows
    sample, all_features = _sample(data, rows, train, others)
    columns = np.arange(data.X.shape[1]) if all_features else None
    values = stage_values([point], data, rows, recommended={}, sample=sample, columns=columns, monotone=monotone)
    columns = values["columns"]
    whole = all_features and bool(np.isin(train, sample).all())
    kind = SPLITS[split]
    width = None if kind.is_exact else _widths(data.X[np.ix_(train, columns)], scale).tolist()
    price = float(cost) if "bivariate_cost" in kind.parameters else None
    group_of = category_columns(data).group_of if are_grouped else {}
    column = [int(group_of[j].start if j in group_of else j) for j in columns.tolist()] if are_grouped else None
    values["edit"] = {
        "whole": whole,
        "lam": float(point.lam),
        "penalty": {"width": width, "cost": price, "most": kind.most_features, "column": column},
    }
    if lines:
        values["edit"]["lines"] = lines
    return compressed(values), whole and sample.size == train.size + sum(part.size for part in others)


def _sample(data, rows, train, others):
    """Return (row numbers, whether every feature is included)."""
    each = data.X.shape[1] * data.X.itemsize
    most = min(MOST_ROWS, MOST_BYTES // max(each, 1))
    if train.size > most:
        sample = shared_sample(data, rows)
        return sample, sample.size * each <= 2 * MOST_BYTES
    kept, left = [train], most - train.size
    for part in reversed(others):  # Test rows come first.
        count = min(part.size, left)
        kept.append(part[(np.arange(count) * part.size) // max(count, 1)])
        left -= count
    return np.concatenate(kept), True


def _widths(X, scale):
    """Return float64[d], the penalty of a weight of 1 for each feature."""
    if scale is None:
        return np.ones(X.shape[1])
    X = X.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        known = np.where(np.isnan(X), np.nanmean(X, axis=0) if X.size else 0.0, X)
        width = known.std(axis=0) if scale == "standard" else known.max(axis=0) - known.min(axis=0)
    return np.nan_to_num(width, nan=0.0, posinf=0.0)
