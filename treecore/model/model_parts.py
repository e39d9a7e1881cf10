"""Content of a model file: the tree, a summary of the data, and the training."""

import re
from dataclasses import dataclass, field

import numpy as np

from treecore.errors import TreeFormatError
from treecore.tables.table_columns import TableColumns
from treecore.tree.tree import Tree

MOST_ROWS = 300  # maximum number of rows in a sample


NO_FINGERPRINT = "The fingerprint of the data must be a SHA-256 hash."


@dataclass(frozen=True)
class ModelData:
    """Summary of the data that a tree was trained on.

    name, title : str; fingerprint : str, sha256 of the data (64 hexadecimal digits); feature_names : tuple of str;
    class_names : tuple of str, empty for regression; image_shape : (height, width) or None; target : str, name of the
    predicted column, or None.
    """

    name: str
    title: str
    fingerprint: str
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]
    image_shape: tuple[int, int] | None = None
    target: str | None = None

    def __post_init__(self):
        if not re.fullmatch("[0-9a-f]{64}", self.fingerprint):
            raise TreeFormatError(NO_FINGERPRINT)
        for what, names in (("feature", self.feature_names), ("class", self.class_names)):
            if len(set(names)) != len(names):
                raise TreeFormatError(f"Two {what} names of the data are equal. Use different names.")
            if not all(names):
                raise TreeFormatError(f"A {what} name of the data is empty. Name it.")
        if self.image_shape is not None:
            height, width = self.image_shape
            fits = min(height, width) >= 1 and height * width == len(self.feature_names)
            if not fits:
                raise TreeFormatError(
                    f"image_shape={self.image_shape}: expected height × width = {len(self.feature_names)} features."
                )


@dataclass(frozen=True, eq=False)
class ModelSample:
    """Sample of the data, for drawing a tree without the full data.

    X : [n, d] of uint8, other integers or floats, NaN for a missing value; y : [n], int64 indices of class names, or
    float64 for regression.
    """

    X: np.ndarray
    y: np.ndarray

    def __post_init__(self):
        if not (self.X.ndim == 2 and self.X.shape[0] >= 1):
            raise TreeFormatError("The sample is empty. It must have at least one row and one feature.")
        if not (self.X.shape[0] <= MOST_ROWS):
            raise TreeFormatError(f"The sample has {self.X.shape[0]} rows (maximum {MOST_ROWS}).")
        if self.y.shape != self.X.shape[:1]:
            raise TreeFormatError("The sample must have one class or number for each row.")
        if not (not np.isinf(self.X).any() and np.isfinite(self.y).all()):
            raise TreeFormatError("The sample contains infinite values.")


@dataclass(frozen=True, eq=False)
class ModelContent:
    """Fields of a `Model` file, for documentation and validation."""

    tree: Tree
    columns: TableColumns | None = None
    data: ModelData | None = None
    parameters: dict = field(default_factory=dict)
    trace: tuple = ()
    figures: dict = field(default_factory=dict)
    sample: ModelSample | None = None
    created_by: dict = field(default_factory=dict)
