"""Data set without rows: the properties that figures need, read from the tree alone."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from treecore.model.model_parts import ModelData
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.feature_statistics import usual_ends
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class BareData:
    """Data without rows for a figure: X float64[0, d], y int64[0], and names.

    columns : categorical columns, or None
    target_name : name of the target, or ""
    ends : float64[d, 2], ends of the axis of each feature, NaN if unknown. None if all are unknown.
    """

    X: np.ndarray
    y: np.ndarray
    feature_names: tuple
    class_names: tuple
    name: str = "tree"
    title: str = "Decision tree"
    image_shape: tuple | None = None
    columns: object = None
    ends: np.ndarray | None = None
    target_name: str = ""

    @classmethod
    def of(cls, tree: Tree, data: DataSetLike | ModelData | None = None) -> Self:
        """Return the data of a `Tree`.

        The names, title and image_shape come from `data`, a DataSet of such rows, or from the tree.
        """
        none = np.empty((0, tree.n_features)), np.empty(0, np.int64)
        ends = None if tree.feature_quantiles is None else usual_ends(tree.feature_quantiles)
        if data is not None:
            others = (getattr(data, name, None) for name in ("image_shape", "columns"))
            target = getattr(data, "target_name", None) or getattr(data, "target", None)
            name = target if isinstance(target, str) else ""
            return cls(*none, data.feature_names, data.class_names, data.name, data.title, *others, ends, name)
        features = tuple(tree.feature_name(j) for j in range(tree.n_features))
        return cls(*none, features, tuple(str(label) for label in tree.classes.tolist()), ends=ends)
