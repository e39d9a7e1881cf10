"""One result of a job: a tree with its metrics."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treecore.errors import TreeFormatError
from treecore.training.path import PathPoint
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from sample_data import DataSet

FIGURES = PathPoint.__dataclass_fields__.keys() - {"tree", "trace", "size"} | {"test_error", "n_validation", "n_test"}


LACKING_FIGURES = "The stored record of a tree is incomplete: metrics are missing."


@dataclass(frozen=True)
class Point:
    """One tree of a job with its metrics, test error and training trace.

    For the metrics, see `treecore.PathPoint` and `PhasePoint`.
    """

    index: int
    lam: float
    tree: Tree
    figures: dict[str, Any]
    trace: tuple[dict, ...] = ()

    @property
    def key(self) -> str:
        """Return a name that no other result of the job has. Trees of every size arrive in rounds."""
        return f"{self.figures['round']}-{self.index}" if "round" in self.figures else str(self.index)

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Point:
        """Return the point of a worker's record. Raises TreeFormatError if the record is invalid."""
        figures = {name: value for name, value in record.items() if name not in ("tree", "trace")}
        trace = record.get("trace", ())
        if not figures.keys() >= FIGURES or not all(map(_is_figure, figures.values())):
            raise TreeFormatError(LACKING_FIGURES)
        if not isinstance(trace, list | tuple) or not all(isinstance(step, dict) for step in trace):
            raise TreeFormatError("The stored record of a tree is incomplete: the list of passes is missing.")
        if not isinstance(record.get("tree"), str):
            raise TreeFormatError("The stored record contains no tree.")
        return cls(figures["index"], figures["lam"], Tree.from_json(record["tree"]), figures, tuple(trace))


def check_fits(tree: Tree, data: DataSet) -> None:
    """Raise TreeFormatError if a stored tree has other features or other classes than its data."""
    names, target = tree.feature_names, data.target
    are_features = tree.n_features == data.n_features and names in (None, data.feature_names)
    if not are_features or not target.fits(tree) or target.unknown_classes(tree):
        raise TreeFormatError("The stored tree does not have the features and the target of the data.")


def _is_figure(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value))
