"""The task of a search for the best tree of the depth of a given tree."""

from collections.abc import Iterator
from typing import Any

from pages.jobs.kinds.optimality import ALL_THRESHOLDS, SECONDS, THRESHOLDS
from pages.jobs.kinds.training_task import TrainingTask
from sample_data import DataSet
from treecore.baselines.optimal.gap import optimality_gap
from treecore.tree.tree import Tree


class GapTask(TrainingTask):
    """Search for a tree with a smaller objective on the training rows. A record has the fields of `Optimality`."""

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request["path"], data)
        self.tree, self.lam = Tree.from_json(request["tree"]), request["lam"]

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record."""
        count = max(1, min(THRESHOLDS, ALL_THRESHOLDS // self.data.n_features))
        found = optimality_gap(self.tree, *self.train_rows, self.lam, n_thresholds=count, time_limit=SECONDS)
        known = found.certificate
        yield {
            "index": 0, "objective": found.objective, "least": known.lower_bound, "best": known.objective,
            "is_proven": known.proven, "n_thresholds": known.n_thresholds, "depth": self.tree.depth,
        }  # fmt: skip
