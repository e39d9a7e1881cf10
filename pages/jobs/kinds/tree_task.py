"""The task of one tree."""

from collections.abc import Iterator
from typing import Any

from pages.jobs.kinds.training_task import TrainingTask
from sample_data import DataSet
from treecore.training.path import WARM_TOL, fitted_point, regularization_path
from treecore.tree.tree import Tree


class TreeTask(TrainingTask):
    """Train the tree of one λ, from a given tree or from the initial one."""

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request["path"], data)
        self.lam, self.start, self.refine = request["lam"], request["start"], request["refine"]
        self.first_origin = request["first_origin"]

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record."""
        start = {} if self.start is None else {"init": Tree.from_json(self.start)}
        if self.refine:
            estimator = self.estimator(**start, lam=self.lam, refine=self.refine, tol=WARM_TOL)
            yield self.record(
                fitted_point(estimator, *self.train_rows, **self.validating, first_origin=self.first_origin)
            )
            return
        for point in regularization_path(self.estimator(**start), *self.train_rows, [self.lam], **self.validating):
            yield self.record(point)
