"""The task of a path."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from time import monotonic
from typing import Any

from pages.jobs.kinds.training_task import TrainingTask, has_sizes
from sample_data import DataSet
from treecore.training.path import PathRun, regularization_path
from treecore.training.size_path import SizePathRun, usual_sizes
from treecore.tree.tree import Tree

SHORTEST = 1.0  # seconds between two rounds of preliminary trees of each size
GROWTH = 0.5  # the next round follows after this share of the time that has passed


class PathTask(TrainingTask):
    """Train a regularisation path, or a tree of each size."""

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request, data)
        self.has_sizes = has_sizes(request)
        self.is_whole = request["lambdas"] == "critical" or self.has_sizes
        self._run: PathRun | None = None
        self._rounds: Iterator[list[dict[str, Any]]] | None = None  # goes on in the next piece

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the records from index arguments["done"] on.

        arguments["last"] is the previous tree as JSON. For a tree of each size, these are the records of one round (see
        `_sizes`), so that a round is on the screen while the next one is trained.
        """
        if self.has_sizes:
            self._rounds = self._sizes(arguments) if self._rounds is None else self._rounds
            yield from next(self._rounds, [])
            return
        if self.is_whole:
            yield from self._critical()
            return
        # starts from the initial tree, even if this task has trained before
        if self._run is None or not arguments["done"]:
            self._run = PathRun(self.estimator(), *self.train_rows, self.settings["n_lambdas"], **self.validating)
        last = None if arguments["last"] is None else Tree.from_json(arguments["last"])
        for point in self._run.points(arguments["done"], last):
            yield self.record(point)

    def _sizes(self, arguments: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
        """Yield rounds of the different trees of all sizes, the largest first. The last round has the best trees.

        arguments["done"], arguments["next"] : number of results of the job, and the index of the next one.
        """
        estimator = self.estimator()
        n_classes = len(self.data.target.groups) if self.data.target.values_are_groups else 0
        wanted = usual_sizes(n_classes, estimator.max_leaf_nodes)
        run = SizePathRun(estimator, *self.train_rows, wanted, **self.validating)
        n_done, first, began, due = arguments["done"], arguments["next"], monotonic(), 0.0
        try:
            for share in run.steps():
                self.news = {"share": share}
                if monotonic() < due:
                    continue
                records = self._round(run, first, None, share)
                yield records
                n_done, first = n_done + len(records), first + len(records)
                due = monotonic() + max(SHORTEST, GROWTH * (monotonic() - began))
            yield self._round(run, first, n_done)
        finally:
            run.close()

    def _round(self, run: SizePathRun, first: int, n_done: int | None, share: float = 1.0) -> list[dict[str, Any]]:
        """Return the records of one round.

        n_done : number of earlier results, None for preliminary trees; share : share of the search that is done.
        """
        found = run.path().points
        points = [found[0], *(point for before, point in pairwise(found) if point.tree != before.tree)][::-1]
        total = 0 if n_done is None else n_done + len(points)
        return [
            self.record(replace(point, index=first + at, total=total, size=point.n_leaves))
            | {"round": first, "round_size": len(points), "share": share}
            for at, point in enumerate(points)
        ]

    def _critical(self) -> Iterator[dict[str, Any]]:
        """Yield at most `n_lambdas` evenly spaced trees. Their number is unknown until the end."""
        path = regularization_path(self.estimator(lam=0.0), *self.train_rows, "critical", **self.validating)
        count = min(len(path), self.settings["n_lambdas"])
        for index in range(count):
            point = path[round(index * (len(path) - 1) / max(count - 1, 1))]
            yield self.record(replace(point, index=index, total=count))
