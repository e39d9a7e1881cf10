"""The task of a search for other trees about as good."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from pages.jobs.kinds.alternative_paths import alternative_paths
from pages.jobs.kinds.path_task import PathTask
from pages.jobs.settings import Alternatives, Settings
from sample_data import DataSet
from treecore.training.tao import TrainingStep

TOLERANCE = 0.2  # largest relative difference in the number of leaves among which the validation error decides
ENOUGH = 0.6  # share of the wanted number of leaves below which a path ends


class AlternativesTask:
    """Train a path, and keep its best tree of about the wanted size.

    The record has the index of the tree on its path as `place`.
    """

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        path = {name: value for name, value in request["path"].items() if name != "kind"}
        path["left_out"] = tuple(path["left_out"])
        self.wanted = Alternatives(Settings(**path), request["n_leaves"], tuple(map(tuple, request["root"])))
        self.data = data
        self.paths = alternative_paths(self.wanted, data)
        self.on_step: Callable[[TrainingStep], None] = lambda step: None

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record of the path with the index arguments["index"]."""
        index = arguments["index"]
        task = PathTask({"kind": "path", **asdict(self.paths[index].settings)}, self.data)
        task.on_step = lambda step: self.on_step(step)
        found = []
        for record in task.results({"done": 0, "last": None}):
            found.append(record)
            if record["n_leaves"] < ENOUGH * self.wanted.n_leaves:
                break  # later trees are smaller
        best = self._best(found)
        yield best | {"index": index, "total": len(self.paths), "place": best["index"], "trace": []}

    def _best(self, records: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the record with the smallest validation error among those of about the wanted size."""
        wanted = self.wanted.n_leaves
        nearest = min(abs(record["n_leaves"] - wanted) for record in records)
        most = max(nearest, 1, TOLERANCE * wanted)
        near = [record for record in records if abs(record["n_leaves"] - wanted) <= most]
        kind = "train_error" if near[0]["validation_error"] is None else "validation_error"
        return min(near, key=lambda record: (record[kind], record["n_leaves"], -record["index"]))
