"""The task of a phase diagram."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from pages.jobs.kinds.training_task import TrainingTask
from sample_data import DataSet
from treecore.training.phase import PhaseRun
from treecore.tree.tree import Tree


class PhaseTask(TrainingTask):
    """Train a phase diagram."""

    is_whole = False

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request, data)
        self._run = PhaseRun(
            self.estimator(split="bivariate"), *self.train_rows, request["n_lambdas"], request["costs"],
            **self.validating,
        )  # fmt: skip

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the records of arguments["row"], from arguments["column"] up to but excluding arguments["stop"]."""
        column, stop = arguments["column"], arguments["stop"]
        below = [_tree(text) for text in arguments["below"]]
        for point in islice(
            self._run.points(arguments["row"], column, _tree(arguments["beside"]), below), stop - column
        ):
            yield self.record(point)


def _tree(text: str | None) -> Tree | None:
    return None if text is None else Tree.from_json(text)
