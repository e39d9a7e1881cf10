"""Convert painted points to a text that fits into a URL, and to a data set.

A point takes four characters of URL-safe base64 (24 bits): 10 bits for each coordinate and 4 bits for its class.
Coordinates range from 0 to 1023 over a square of side 1.
"""

import base64
import re
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


NAME = "painted"
STEPS = 1023  # a coordinate is a multiple of 1 / STEPS
MOST_CLASSES = 8
MOST_POINTS = 5000
CHARACTERS = 4  # characters per point
FEATURES = ("horizontal", "vertical")
_ALPHABET = re.compile(r"[A-Za-z0-9_-]*")


def encode(X: np.ndarray, y: np.ndarray) -> str:
    """Return points X float[n, 2] in [0, 1] with class codes y int[n] in 0..7 as a text.

    Points outside the square are moved to its edge. Raises DataError for other shapes or codes, and for more than 5000
    points.
    """
    X, y = np.asarray(X, np.float64), np.asarray(y)
    if X.ndim != 2 or X.shape[1] != 2 or y.shape != X.shape[:1] or not np.isfinite(X).all():
        raise DataError(
            f"X has shape {X.shape} and y {y.shape}: expected finite points of shape [n, 2] and one class per point."
        )
    if y.size and not (y.dtype.kind in "ui" and y.min() >= 0 and y.max() < MOST_CLASSES):
        raise DataError(f"y contains values that are not class codes from 0 to {MOST_CLASSES - 1}.")
    _check_count(y.size)
    places = np.rint(np.clip(X, 0.0, 1.0) * STEPS).astype(np.uint32)
    bits = (places[:, 0] << 14) | (places[:, 1] << 4) | y.astype(np.uint32)
    block = np.stack([bits >> 16, bits >> 8, bits], axis=1).astype(np.uint8).tobytes()
    return base64.urlsafe_b64encode(block).decode("ascii")


def decode(text: str) -> tuple:
    """Return (X float64[n, 2], y int64[n]) from a text written by `encode`; n may be 0.

    Raises DataError for any other text.
    """
    if not isinstance(text, str) or len(text) % CHARACTERS:
        raise DataError(
            f"The painted points are damaged: the text has {_size(text)}, but each point needs {CHARACTERS}."
        )
    _check_count(len(text) // CHARACTERS)
    if not _ALPHABET.fullmatch(text):
        raise DataError("The painted points are damaged. Only the characters A-Z a-z 0-9 - _ are allowed.")
    parts = np.frombuffer(base64.urlsafe_b64decode(text), np.uint8).reshape(-1, 3).astype(np.uint32)
    bits = (parts[:, 0] << 16) | (parts[:, 1] << 8) | parts[:, 2]
    y = (bits & 15).astype(np.int64)
    if y.size and y.max() >= MOST_CLASSES:
        raise DataError(f"A painted point has class {y.max()}: expected 0 to {MOST_CLASSES - 1}.")
    return np.stack([bits >> 14, (bits >> 4) & STEPS], axis=1) / STEPS, y


def painted_set(text: str) -> DataSet:
    """Return the data set of painted points.

    A class without points keeps its name, so that the colours of the other classes do not change. Raises DataError if
    the text is damaged or contains no points.
    """
    X, y = decode(text)
    if y.size == 0:
        raise DataError("No points are painted yet. Choose a class and paint points in the plot.")
    return DataSet(
        name=NAME,
        title="Painted points",
        X=X,
        y=y,
        feature_names=FEATURES,
        class_names=class_names(int(y.max()) + 1),
        description="Points painted by hand.",
        source="painted by hand",
        licence="none",
    )


def class_names(count: int) -> tuple[str, ...]:
    """Return the names of the first `count` classes, at least two names."""
    return tuple(f"class {i + 1}" for i in range(max(count, 2)))


def _check_count(count):
    if count > MOST_POINTS:
        raise DataError(f"{count} points are painted (maximum {MOST_POINTS}). Erase some.")


def _size(text):
    return f"{len(text)} characters" if isinstance(text, str) else f"a {type(text).__name__} instead of text"
