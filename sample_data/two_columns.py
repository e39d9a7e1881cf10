"""Reduce a data set to two of its columns, for drawing on a plane."""

from dataclasses import replace

import numpy as np

from sample_data.data_set import DataSet
from treecore.errors import DataError
from treecore.messages import literal

ALIKE = 0.97  # absolute correlation above which a second column adds little information


def two_columns(data: DataSet, names: tuple[str, str]) -> DataSet:
    """Return the data set with only two of its columns, in the order of `names`.

    Rows with a missing value in either column are left out. Raises DataError if a column does not exist or is named
    twice, or if no row is left.
    """
    unknown = [name for name in names if name not in data.feature_names]
    if unknown:
        raise DataError(
            f"{data.name} has no column {unknown[0]!r}. Available columns: {', '.join(data.feature_names[:20])}."
        )
    if len(names) != 2 or names[0] == names[1]:
        raise DataError(f"Both columns are {' and '.join(map(repr, names))}. Choose two different columns.")
    X = data.X[:, [data.feature_names.index(name) for name in names]]
    known = ~np.isnan(X).any(axis=1) if X.dtype.kind == "f" else np.ones(data.n_rows, bool)
    if not known.any():
        raise DataError(f"No row of {data.name} has a value in both {literal(names[0])} and {literal(names[1])}.")
    split = None if data.split is None or not (data.split[known] == 0).any() else data.split[known]
    groups, times = (None if part is None else part[known] for part in data.dependence)
    groups = None if groups is None else np.unique(groups, return_inverse=True)[1]
    return replace(
        data, X=X[known], y=data.y[known], feature_names=tuple(names), image_shape=None, split=split, columns=None,
        groups=groups, times=times,
    )  # fmt: skip


def informative_pair(data: DataSet) -> tuple[str, str]:
    """Return the names of two columns that are informative about the class.

    Columns are ranked by the share of their variance that lies between the classes. The second column must not be
    highly correlated with the first, unless there is no other. Raises DataError if the set has only one column.
    """
    if data.n_features < 2:
        raise DataError(f"{data.name} has a single column, but a plot of two features needs two.")
    X = data.X.astype(np.float64)
    known = ~np.isnan(X)
    counts = np.maximum(known.sum(axis=0), 1)
    X = np.where(known, X - np.where(known, X, 0.0).sum(axis=0) / counts, 0.0)  # centred, unknown values at the mean
    total = (X**2).sum(axis=0)
    between = np.zeros(data.n_features)
    groups = data.target.group_of(data.y)
    for code in np.unique(groups):
        rows = groups == code
        between += X[rows].sum(axis=0) ** 2 / np.maximum(known[rows].sum(axis=0), 1)
    order = np.argsort(-between / np.where(total > 0, total, np.inf), kind="stable")
    first = order[0]
    norm = np.sqrt(total * total[first])
    alike = np.abs(X.T @ X[:, first]) >= ALIKE * np.where(norm > 0, norm, np.inf)
    others = [j for j in order[1:] if not alike[j]] or list(order[1:])
    return data.feature_names[first], data.feature_names[others[0]]
