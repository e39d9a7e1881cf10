"""The task of improving a tree."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from pages.jobs.kinds.training_task import TrainingTask
from sample_data import DataSet
from treecore.errors import DataError
from treecore.foreign.from_sklearn import from_sklearn
from treecore.training.improve import improve
from treecore.tree.metrics import error_of
from treecore.tree.tree import Tree

# CART estimator for each loss of a target
CARTS = {"unequal": DecisionTreeClassifier, "squared": DecisionTreeRegressor}


class ImprovementTask(TrainingTask):
    """Improve a given tree with TAO.

    The result is the best smaller tree that `improve` finds, else the first tree on its path.

    The record's `cart_error` is the validation error of a CART with as many leaves. CART has not used the validation
    rows; the given tree may have used them.
    """

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request["path"], data)
        self.start = Tree.from_json(request["start"])

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record."""
        if not self.validating:
            raise DataError(
                "The data set has no validation rows to compare the trees on. Choose a data split with validation rows."
            )
        found = improve(self.start, *self.train_rows, **self.validating, estimator=self.estimator())
        record = self.record(replace(found.point or found.path[0], index=0, total=1))
        yield record | {"cart_error": self._cart_error()}

    def _cart_error(self) -> float:
        kind = CARTS[self.start.target.loss]
        cart = kind(max_leaf_nodes=max(self.start.n_leaves, 2), random_state=0).fit(*self.train_rows)
        return error_of(from_sklearn(cart), self.validating["X_val"], self.validating["y_val"])
