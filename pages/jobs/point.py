"""One result of a job: a tree with its figures."""

import math
from dataclasses import dataclass

from pages.jobs.messages import MESSAGES
from treecore.errors import TreeFormatError
from treecore.training.path import PathPoint
from treecore.tree.tree import Tree

FIGURES = PathPoint.__dataclass_fields__.keys() - {"tree", "trace"} | {"test_error", "n_validation", "n_test"}


@dataclass(frozen=True)
class Point:
    """One tree of a job, its figures (see `treecore.PathPoint` and `PhasePoint`) with the test error, and its trace."""

    index: int
    lam: float
    tree: Tree
    figures: dict
    trace: tuple = ()

    @classmethod
    def from_record(cls, record):
        """What a worker has made of it. Raises TreeFormatError for anything else."""
        figures = {name: value for name, value in record.items() if name not in ("tree", "trace")}
        trace = record.get("trace", ())
        if not figures.keys() >= FIGURES or not all(map(_is_figure, figures.values())):
            raise TreeFormatError(MESSAGES("point.figures"))
        if not isinstance(trace, list | tuple) or not all(isinstance(step, dict) for step in trace):
            raise TreeFormatError(MESSAGES("point.passes"))
        if not isinstance(record.get("tree"), str):
            raise TreeFormatError(MESSAGES("point.no_tree"))
        return cls(figures["index"], figures["lam"], Tree.from_json(record["tree"]), figures, tuple(trace))


def _is_figure(value):
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value))
