"""The tree that a page is about: one of a path of this visitor, or a loaded model."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pages.jobs.point import Point
from pages.ui.shell.computed import computed
from treecore.tree.category_columns import CategoryColumns
from treecore.tree.decision_digits import decision_digits
from treecore.tree.feature_statistics import feature_deviation, missing_features
from treecore.tree.target import Target
from treecore.tree.tree import Tree, target_of
from viz.nodes.category_columns import category_columns


@dataclass(frozen=True)
class ChosenTree:
    """One tree with its data.

    name : differs for all trees and data, so it can be part of a cache's key; title : for people; point : `Point`
    with the tree and its figures; rows : (train, validation, test) row numbers of `data`; parameters : dict, of the
    training; has_data : whether `data` is what the tree was trained on, else it has the few rows of a loaded model, or
    none (`viz.tree.bare_data.BareData`; None for trees that no picture shows); loaded : the `Model` of a tree from a
    file; threshold : `thresholds.Threshold` by which it predicts, or None; base : its name without one.
    """

    name: str
    title: str
    point: Point
    data: Any  # DataSet, BareData or None: a page that needs the first checks has_data
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
        """The `Tree`, with the names of the features."""
        return self.point.tree if self.data is None else self.point.tree.with_names(self.data.feature_names)

    @cached_property
    def target(self) -> Target:
        """`Target`: what the tree predicts."""
        return self.tree.target if self.data is None else target_of(self.tree, self.data)

    @cached_property
    def deviation(self) -> np.ndarray | None:
        """float64[d]: standard deviation of every feature, for what is large in a weighted sum; None without rows."""
        return _deviation(self.name, self.data.X) if self.has_rows else None

    @cached_property
    def missed(self) -> np.ndarray | None:
        """bool[d]: features of which a value is missing; None where the data are not here, for nobody knows."""
        return _missed(self.name, self.data.X) if self.has_data and self.has_rows else None

    @cached_property
    def digits(self) -> np.ndarray:
        """uint8[m]: digits that each decision is written with, as on the stage."""
        return _digits(
            self.name, self.tree, self.columns, self.data.X if self.has_rows else np.empty((0, self.tree.n_features))
        )

    @cached_property
    def columns(self) -> CategoryColumns | None:
        """`CategoryColumns` of the data, in whose words decisions are told; None without data."""
        return None if self.data is None else category_columns(self.data)

    @property
    def has_rows(self) -> bool:
        """Whether `data` has any row."""
        return self.data is not None and len(self.data.X) > 0


# the same for all who look at a tree, and of many pixels a tenth of a second
@computed(100)
def _deviation(name: str, _X: np.ndarray) -> np.ndarray:
    return feature_deviation(_X)


@computed(100)
def _missed(name: str, _X: np.ndarray) -> np.ndarray:
    return missing_features(_X)


@computed(100)
def _digits(name: str, _tree: Tree, _columns: CategoryColumns | None, _X: np.ndarray) -> np.ndarray:
    return decision_digits(_tree, _X, columns=_columns)
