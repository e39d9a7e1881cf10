"""`ForeignModel`: a model from another program. Its trees can be converted to `Tree`s."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.errors import ForeignWarning, ParameterError
from treecore.foreign.file_damage import report_damage
from treecore.foreign.foreign_columns import ForeignColumns
from treecore.messages import literal
from treecore.tree.routing import check_rows
from treecore.tree.tree import Tree

NO_TREE = "The model has no tree. Train it first."


@dataclass(frozen=True, eq=False)
class ForeignModel:
    """Model with one or more trees.

    program : str, name of the program; n_trees : int; columns : ForeignColumns, which convert a table to the features
    of the trees; alone : str, reason why a single tree does not predict the same as the model, None if it is proved
    that it does; make : function that returns the `Tree` with a number; doubt : str, an assumption about something that
    the file leaves open, or None; check : function that raises DataError for features of rows for which the model makes
    no prediction, or None.
    """

    program: str
    n_trees: int
    columns: ForeignColumns
    alone: str | None
    make: Callable[[int], Tree]
    doubt: str | None = None
    check: Callable[[np.ndarray], None] | None = None

    def tree(self, number: int = 0) -> Tree:
        """Return the `Tree` with a number, starting at 0.

        Warn of a doubt. Raise ParameterError for an unknown number and TreeFormatError for an unsupported tree.
        """
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 0 <= number < self.n_trees:
            raise ParameterError(
                f"tree={literal(number, 40)}: expected 0, because the model has one tree."
                if self.n_trees == 1
                else (
                    f"tree={literal(number, 40)}: expected 0 to {self.n_trees - 1}, because the model has "
                    f"{self.n_trees:,} trees."
                )
            )
        if self.doubt:
            warnings.warn(self.doubt, ForeignWarning, stacklevel=3)
        with report_damage(f"Tree {number} of the {self.program} file"):
            return self.make(int(number))

    def only_tree(self) -> Tree:
        """Return the tree that predicts the same as the model. Raise ParameterError if no single tree does."""
        if self.alone:
            function = f"from_{self.program.lower().replace('scikit-learn', 'sklearn')}"
            one = "model.estimators_[0]" if self.program == "treecore" else f"{function}(model, tree=0)"
            raise ParameterError(f"{self.alone} Use {one} for a single tree, or viz.forest_strip(model) for all trees.")
        return self.tree(0)

    def features(self, X: Any) -> Any:
        """Return the features of rows, [n, d], see `ForeignColumns.features`."""
        features = self.columns.features(X)
        if self.check is not None:
            features = check_rows(features, self.columns.first[-1], missing=True)
            self.check(features)
        return features


def sums_trees(model: object, n_trees: int) -> str:
    """Return the message about a model that sums its trees."""
    return f"The {model} sums the leaf values of its {n_trees:,} trees, so a single tree predicts a margin."


def names_of_features(n_names: object, n_features: object) -> str:
    """Return the message about a file with another number of names."""
    return f"The file is damaged: it names {n_names} of {n_features} features."


def other_objective(objective: Any) -> str:
    """Return the message about an objective that transforms the margin."""
    return f"The objective {objective!r} transforms the margin that the tree predicts."


def all_trees(model: object) -> str:
    """Return the message about a model that combines all its trees."""
    return f"The {model} combines the predictions of all its trees."
