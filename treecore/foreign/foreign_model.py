"""`ForeignModel`: a model of another program, of which each tree can be had as a `Tree`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.errors import ParameterError
from treecore.foreign.damage_told import damage_told
from treecore.foreign.foreign_columns import ForeignColumns
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class ForeignModel:
    """A model of one tree or more.

    program : str, its source in words; n_trees : int; columns : ForeignColumns, what its trees see of a table;
    alone : str, why one of its trees alone does not predict what the model does, None where it does; make : function
    from the number of a tree to the `Tree`.
    """

    program: str
    n_trees: int
    columns: ForeignColumns
    alone: str | None
    make: Callable[[int], Tree]

    def tree(self, number: int = 0) -> Tree:
        """`Tree` of a number, counted from 0. Raises ParameterError for another, TreeFormatError for a tree that has
        no form here."""
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 0 <= number < self.n_trees:
            trees = "1 tree, number 0" if self.n_trees == 1 else f"{self.n_trees:,} trees, 0 to {self.n_trees - 1}"
            raise ParameterError(f"tree={number!r:.40}: the model has {trees}.")
        with damage_told(f"Tree {number} of the file of {self.program}"):
            return self.make(int(number))

    def only_tree(self) -> Tree:
        """The tree that predicts what the model does. Raises ParameterError where no single tree does."""
        if self.alone:
            function = f"from_{self.program.lower().replace('scikit-learn', 'sklearn')}"
            one = "model.estimators_[0]" if self.program == "treecore" else f"{function}(model, tree=0)"
            raise ParameterError(
                f"{self.alone} One can be looked at by itself: {one}; viz.forest_strip(model) shows them all."
            )
        return self.tree(0)

    def features(self, X: Any) -> Any:
        """[n, d]: what the trees see of rows, see `ForeignColumns.features`."""
        return self.columns.features(X)
