"""The job of a path."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pages.jobs.kinds.training_task import TrainingTask
from sample_data import DataSet
from treecore.training.path import PathRun, regularization_path
from treecore.tree.tree import Tree


class PathTask(TrainingTask):
    """A regularisation path."""

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request, data)
        self.is_whole = request["lambdas"] == "critical"
        self._run: PathRun | None = None

    def results(self, given: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the records from index given["done"] on; given["last"] is the tree before, as JSON."""
        if self.is_whole:
            yield from self._critical()
            return
        if self._run is None or not given["done"]:  # from the initial tree, whatever this task has trained before
            self._run = PathRun(self.estimator(), *self.train_rows, self.settings["n_lambdas"], **self.validating)
        last = None if given["last"] is None else Tree.from_json(given["last"])
        for point in self._run.points(given["done"], last):
            yield self.record(point)

    def _critical(self) -> Iterator[dict[str, Any]]:
        """How many values there are is known at the end only; of too many, evenly spread ones are kept."""
        path = regularization_path(self.estimator(lam=0.0), *self.train_rows, "critical", **self.validating)
        count = min(len(path), self.settings["n_lambdas"])
        for index in range(count):
            point = path[round(index * (len(path) - 1) / max(count - 1, 1))]
            yield self.record(replace(point, index=index, total=count))
