"""Convert painted points to a text that fits into a URL, and to a data set.

A point takes four characters of URL-safe base64 (24 bits): 10 bits for each coordinate and 4 bits for its class.
Coordinates range from 0 to 1023 over a square of side 1.
"""

import base64
import re

import numpy as np

from sample_data.data_set import DataSet
from treecore.errors import DataError

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
