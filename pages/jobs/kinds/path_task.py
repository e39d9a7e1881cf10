"""The task of a path."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pages.jobs.kinds.training_task import TrainingTask
from pages.jobs.settings import MOST_LEAVES
from sample_data import DataSet
from treecore.training.path import PathRun, regularization_path
from treecore.training.size_path import size_path
from treecore.tree.tree import Tree


class PathTask(TrainingTask):
    """Train a regularisation path, or a tree of each size."""

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request, data)
        self.has_sizes = request.get("sweep") == "size" and request["leaf"] == "constant"
        self.is_whole = request["lambdas"] == "critical" or self.has_sizes
        self._run: PathRun | None = None

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the records from index arguments["done"] on.

        arguments["last"] is the previous tree as JSON.
        """
        if self.is_whole:
            yield from self._sizes() if self.has_sizes else self._critical()
            return
        # starts from the initial tree, even if this task has trained before
        if self._run is None or not arguments["done"]:
            self._run = PathRun(self.estimator(), *self.train_rows, self.settings["n_lambdas"], **self.validating)
        last = None if arguments["last"] is None else Tree.from_json(arguments["last"])
        for point in self._run.points(arguments["done"], last):
            yield self.record(point)

    def _sizes(self) -> Iterator[dict[str, Any]]:
        """Yield the different trees of all sizes, the largest first."""
        estimator = self.estimator()
        sizes = range(2, min(MOST_LEAVES, estimator.max_leaf_nodes or MOST_LEAVES) + 1)
        path = size_path(estimator, *self.train_rows, sizes, **self.validating)
        points = [path[0], *(point for before, point in pairwise(path) if point.tree != before.tree)]
        for index, point in enumerate(reversed(points)):
            yield self.record(replace(point, index=index, total=len(points), size=point.n_leaves))

    def _critical(self) -> Iterator[dict[str, Any]]:
        """Yield at most `n_lambdas` evenly spaced trees. Their number is unknown until the end."""
        path = regularization_path(self.estimator(lam=0.0), *self.train_rows, "critical", **self.validating)
        count = min(len(path), self.settings["n_lambdas"])
        for index in range(count):
            point = path[round(index * (len(path) - 1) / max(count - 1, 1))]
            yield self.record(replace(point, index=index, total=count))
