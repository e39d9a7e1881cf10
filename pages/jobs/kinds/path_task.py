"""The task of a path."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pages.jobs.kinds.training_task import TrainingTask
from sample_data import DataSet
from treecore.training.path import PathRun, regularization_path
from treecore.tree.tree import Tree


class PathTask(TrainingTask):
    """Train a regularisation path."""

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request, data)
        self.is_whole = request["lambdas"] == "critical"
        self._run: PathRun | None = None

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the records from index arguments["done"] on.

        arguments["last"] is the previous tree as JSON.
        """
        if self.is_whole:
            yield from self._critical()
            return
        # starts from the initial tree, even if this task has trained before
        if self._run is None or not arguments["done"]:
            self._run = PathRun(self.estimator(), *self.train_rows, self.settings["n_lambdas"], **self.validating)
        last = None if arguments["last"] is None else Tree.from_json(arguments["last"])
        for point in self._run.points(arguments["done"], last):
            yield self.record(point)

    def _critical(self) -> Iterator[dict[str, Any]]:
        """Yield at most `n_lambdas` evenly spaced trees. Their number is unknown until the end."""
        path = regularization_path(self.estimator(lam=0.0), *self.train_rows, "critical", **self.validating)
        count = min(len(path), self.settings["n_lambdas"])
        for index in range(count):
            point = path[round(index * (len(path) - 1) / max(count - 1, 1))]
            yield self.record(replace(point, index=index, total=count))
