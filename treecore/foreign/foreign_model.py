"""`ForeignModel`: a model of another program, of which each tree can be had as a `Tree`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.errors import ParameterError
from treecore.foreign.damage_told import damage_told
from treecore.foreign.foreign_columns import ForeignColumns
from treecore.foreign.messages import MESSAGES
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
            name = "tree.not_the_only_one" if self.n_trees == 1 else "tree.not_one_of"
            raise ParameterError(MESSAGES(name, number=number, n_trees=self.n_trees, last=self.n_trees - 1))
        with damage_told(MESSAGES("tree.in_file", number=number, program=self.program)):
            return self.make(int(number))

    def only_tree(self) -> Tree:
        """The tree that predicts what the model does. Raises ParameterError where no single tree does."""
        if self.alone:
            function = f"from_{self.program.lower().replace('scikit-learn', 'sklearn')}"
            one = "model.estimators_[0]" if self.program == "treecore" else f"{function}(model, tree=0)"
            raise ParameterError(MESSAGES("no_single_tree", alone=self.alone, one=one))
        return self.tree(0)

    def features(self, X: Any) -> Any:
        """[n, d]: what the trees see of rows, see `ForeignColumns.features`."""
        return self.columns.features(X)
