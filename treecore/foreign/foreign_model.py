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
from treecore.foreign.messages import MESSAGES
from treecore.tree.routing import check_rows
from treecore.tree.tree import Tree


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
            name = "tree.not_the_only_one" if self.n_trees == 1 else "tree.not_one_of"
            raise ParameterError(MESSAGES(name, number=number, n_trees=self.n_trees, last=self.n_trees - 1))
        if self.doubt:
            warnings.warn(self.doubt, ForeignWarning, stacklevel=3)
        with report_damage(MESSAGES("tree.in_file", number=number, program=self.program)):
            return self.make(int(number))

    def only_tree(self) -> Tree:
        """Return the tree that predicts the same as the model. Raise ParameterError if no single tree does."""
        if self.alone:
            function = f"from_{self.program.lower().replace('scikit-learn', 'sklearn')}"
            one = "model.estimators_[0]" if self.program == "treecore" else f"{function}(model, tree=0)"
            raise ParameterError(MESSAGES("no_single_tree", alone=self.alone, one=one))
        return self.tree(0)

    def features(self, X: Any) -> Any:
        """Return the features of rows, [n, d], see `ForeignColumns.features`."""
        features = self.columns.features(X)
        if self.check is not None:
            features = check_rows(features, self.columns.first[-1], missing=True)
            self.check(features)
        return features
