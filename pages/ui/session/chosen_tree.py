"""Represent the tree of a page, taken from a path or from a loaded model."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pages.jobs.kinds.constraint_values import tree_constraints
from pages.jobs.point import Point
from pages.ui.shell.computed import computed
from treecore.constraints.constraints import Constraints
from treecore.tree.category_columns import CategoryColumns
from treecore.tree.decision_digits import decision_digits
from treecore.tree.feature_statistics import feature_deviation, missing_features
from treecore.tree.target import Target
from treecore.tree.tree import Tree, target_of
from viz.nodes.category_columns import category_columns


@dataclass(frozen=True)
class ChosenTree:
    """One tree with its data.

    name : cache key, unique for tree and data; title : title for people; point : `Point` with the tree and its metrics;
    rows : (training, validation, test) row numbers of `data`; parameters : training parameters; has_data : whether
    `data` are the training data. Otherwise they are the sample rows of a loaded model, an empty
    `viz.tree.bare_data.BareData`, or None for trees without a figure. loaded : the `Model` of an imported tree;
    threshold : `thresholds.Threshold` of its predictions, or None; base : name without the threshold.
    """

    name: str
    title: str
    point: Point
    data: Any  # DataSet, BareData or None; a page that needs a DataSet checks has_data first
    rows: tuple
    parameters: dict
    has_data: bool = True
    loaded: Any = None
    threshold: Any = None
    base: str = ""

    def __post_init__(self) -> None:
        if not self.base:
            object.__setattr__(self, "base", self.name)

    @cached_property
    def tree(self) -> Tree:
        """Return the `Tree` with feature names."""
        return self.point.tree if self.data is None else self.point.tree.with_names(self.data.feature_names)

    @cached_property
    def target(self) -> Target:
        """Return the `Target` of the tree."""
        return self.tree.target if self.data is None else target_of(self.tree, self.data)

    @property
    def target_name(self) -> str:
        """Return the name of the column that the tree predicts, or "" if it is unknown."""
        stored = None if self.loaded is None or self.loaded.data is None else self.loaded.data.target
        return stored or getattr(self.data, "target_name", "")

    @cached_property
    def deviation(self) -> np.ndarray | None:
        """Return the standard deviation of every feature, float64[d], or None without rows."""
        return _deviation(self.name, self.data.X) if self.has_rows else None

    @cached_property
    def constraints(self) -> Constraints:
        """Return the constraints of the training."""
        return tree_constraints(self.parameters, self.tree.feature_names or [""] * self.tree.n_features)

    @property
    def monotone(self) -> np.ndarray | None:
        """Return the sign of each feature under a monotone constraint, int8[d], or None."""
        return None if self.constraints.monotone is None else self.constraints.monotone.signs

    @cached_property
    def features_with_missing(self) -> np.ndarray | None:
        """Return which features have missing values, bool[d], or None without the data."""
        return _features_with_missing(self.name, self.data.X) if self.has_data and self.has_rows else None

    @cached_property
    def digits(self) -> np.ndarray:
        """Return the number of digits of each split, uint8[m], as on the stage."""
        return _digits(
            self.name, self.tree, self.columns, self.data.X if self.has_rows else np.empty((0, self.tree.n_features))
        )

    @cached_property
    def columns(self) -> CategoryColumns | None:
        """Return the `CategoryColumns` of the data, used in the text of splits, or None without data."""
        return None if self.data is None else category_columns(self.data)

    @property
    def n_all_rows(self) -> int:
        """Return the number of training rows if `data` are a sample of them, else 0."""
        return int(self.point.figures.get("n_all_rows") or 0) if self.has_data else 0

    @property
    def has_rows(self) -> bool:
        """Test whether `data` has any rows."""
        return self.data is not None and len(self.data.X) > 0


# Cache the result for all sessions, because it takes about 0.1 s on image data.
@computed(100)
def _deviation(name: str, _X: np.ndarray) -> np.ndarray:
    return feature_deviation(_X)


@computed(100)
def _features_with_missing(name: str, _X: np.ndarray) -> np.ndarray:
    return missing_features(_X)


@computed(100)
def _digits(name: str, _tree: Tree, _columns: CategoryColumns | None, _X: np.ndarray) -> np.ndarray:
    return decision_digits(_tree, _X, columns=_columns)
