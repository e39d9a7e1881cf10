"""Results of short searches: gap of a tree to the best tree of its depth, and advice on the size of a sample."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from importlib.util import find_spec
from typing import Any, Self

from pages.jobs.settings import PathSettings, Settings
from treecore.errors import TreeFormatError
from treecore.tree.tree import Tree

# values of λ for all rows, ascending, as shares of the λ of the sample's tree times the ratio of the numbers of rows
SHARES = (1 / 9, 1 / 3, 1.0)


@dataclass(frozen=True)
class SampleAdvice:
    """Learning curve of a sample.

    text : advice in words; needs_all_rows : whether more rows probably lower the error; sizes, errors, leaves : numbers
    of training rows, test errors and leaves of the trees.
    """

    index: int
    text: str
    needs_all_rows: bool
    sizes: tuple[int, ...]
    errors: tuple[float, ...]
    leaves: tuple[int, ...]

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Return the result of a worker's record. Raises TreeFormatError if the record is invalid."""
        values: dict[str, Any] = {one.name: record.get(one.name) for one in fields(cls)}
        lists = [values[name] for name in ("sizes", "errors", "leaves")]
        if not isinstance(values["text"], str) or not all(map(_are_numbers, lists)):
            raise TreeFormatError("The record of a learning curve is damaged.")
        sizes, errors, leaves = map(tuple, lists)
        return cls(values["index"], values["text"], bool(values["needs_all_rows"]), sizes, errors, leaves)


def _are_numbers(values: Any) -> bool:
    return isinstance(values, list | tuple) and all(
        isinstance(value, int | float) and math.isfinite(value) for value in values
    )


PACKAGE = "pystreed"
MOST_DEPTH, MOST_ROWS, MOST_FEATURES = 4, 5000, 100
THRESHOLDS, ALL_THRESHOLDS = 10, 60  # maximum per feature, and for all features together
CONSTRAINTS = ("max_leaf_nodes", "feature_costs", "monotonic_cst", "interaction_cst")
SECONDS = 10.0  # time limit of the search


@dataclass(frozen=True)
class Optimality:
    """Objective of a tree (training errors + λ × decision nodes), and bounds for all trees of its depth.

    least : no tree of this depth on these thresholds has a smaller objective; best : objective of the best tree found;
    is_proven : whether no tree is better than that one; n_thresholds : number of thresholds of all features.
    """

    index: int
    objective: float
    least: float
    best: float
    is_proven: bool
    n_thresholds: int
    depth: int

    @property
    def gap(self) -> float:
        """Return the largest possible difference between the objectives of the tree and of the best tree."""
        return max(0.0, self.objective - self.least)

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Return the result of a worker's record. Raises TreeFormatError if the record is invalid."""
        values: list[Any] = [record.get(one.name) for one in fields(cls)]
        if not all(isinstance(value, int | float) and math.isfinite(value) for value in values):
            raise TreeFormatError("The record of an optimality search is damaged.")
        return cls(*values)


def has_known_optimum(tree: Tree, n_rows: int, chosen: PathSettings | Settings) -> bool:
    """Test whether the search applies to a tree that is trained on `n_rows` rows with the settings `chosen`.

    It needs equal class weights, no constraints, few rows and features, no missing values, and the package pystreed.
    """
    return (
        find_spec(PACKAGE) is not None
        and tree.target.values_are_groups
        and tree.leaf_model.is_constant
        and tree.missing_right is None
        and 0 < tree.depth <= MOST_DEPTH
        and bool((tree.indptr[1:] - tree.indptr[:-1] <= 1).all())
        and n_rows <= MOST_ROWS
        and tree.n_features <= MOST_FEATURES
        and chosen.class_weight == "equal"
        and all(getattr(chosen, name) is None for name in CONSTRAINTS)
    )
