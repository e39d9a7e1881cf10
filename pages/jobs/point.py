"""One result of a job: a tree with its metrics."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pages.jobs.messages import MESSAGES
from treecore.errors import TreeFormatError
from treecore.training.path import PathPoint
from treecore.tree.tree import Tree

FIGURES = PathPoint.__dataclass_fields__.keys() - {"tree", "trace"} | {"test_error", "n_validation", "n_test"}


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

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Point:
        """Return the point of a worker's record. Raises TreeFormatError if the record is invalid."""
        figures = {name: value for name, value in record.items() if name not in ("tree", "trace")}
        trace = record.get("trace", ())
        if not figures.keys() >= FIGURES or not all(map(_is_figure, figures.values())):
            raise TreeFormatError(MESSAGES("point.figures"))
        if not isinstance(trace, list | tuple) or not all(isinstance(step, dict) for step in trace):
            raise TreeFormatError(MESSAGES("point.passes"))
        if not isinstance(record.get("tree"), str):
            raise TreeFormatError(MESSAGES("point.no_tree"))
        return cls(figures["index"], figures["lam"], Tree.from_json(record["tree"]), figures, tuple(trace))


def _is_figure(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value))
