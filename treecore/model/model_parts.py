"""Content of a model file: the tree, a summary of the data, and the training."""

import re
from dataclasses import dataclass, field

import numpy as np

from treecore.errors import TreeFormatError
from treecore.model.messages import MESSAGES
from treecore.tables.table_columns import TableColumns
from treecore.tree.tree import Tree

MOST_ROWS = 300  # maximum number of rows in a sample


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
        MESSAGES.require(re.fullmatch("[0-9a-f]{64}", self.fingerprint), TreeFormatError, "data.fingerprint")
        for what, names in (("feature", self.feature_names), ("class", self.class_names)):
            MESSAGES.require(len(set(names)) == len(names), TreeFormatError, "data.equal_names", what=what)
            MESSAGES.require(all(names), TreeFormatError, "data.empty_name", what=what)
        if self.image_shape is not None:
            height, width = self.image_shape
            fits = min(height, width) >= 1 and height * width == len(self.feature_names)
            MESSAGES.require(
                fits,
                TreeFormatError,
                "data.image_shape",
                image_shape=self.image_shape,
                n_features=len(self.feature_names),
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
        MESSAGES.require(self.X.ndim == 2 and self.X.shape[0] >= 1, TreeFormatError, "sample.empty")
        MESSAGES.require(
            self.X.shape[0] <= MOST_ROWS,
            TreeFormatError,
            "sample.too_many_rows",
            n_rows=self.X.shape[0],
            most=MOST_ROWS,
        )
        MESSAGES.require(self.y.shape == self.X.shape[:1], TreeFormatError, "sample.labels")
        MESSAGES.require(not np.isinf(self.X).any() and np.isfinite(self.y).all(), TreeFormatError, "sample.infinity")


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
