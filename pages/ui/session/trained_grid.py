"""Provide the result of a job over λ and C, for the stage and for files."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from pages.jobs.point import Point
from treecore.training.phase import PhaseDiagram, PhasePoint
from viz.words.error_names import figure_columns

MOST_NODES = 300_000  # maximum number of nodes sent to a browser
_FIGURES = [field.name for field in fields(PhasePoint) if field.name not in ("tree", "trace")]


@dataclass(frozen=True)
class TrainedGrid:
    """The points of a job by ascending C, then λ. The last ones may be missing.

    points : list of `Point`; diagram : `PhaseDiagram` with the same points.
    """

    points: list
    diagram: PhaseDiagram

    @property
    def lams(self) -> np.ndarray:
        """Return the λ values, float64[n_lams], ascending."""
        return self.diagram.lams

    @property
    def costs(self) -> np.ndarray:
        """Return the C values, float64[n_costs], ascending."""
        return self.diagram.costs

    @property
    def n_validation(self) -> int:
        """Return the number of validation rows."""
        return self.diagram.n_validation

    def within_one_se(self) -> np.ndarray:
        """Return which points are within one standard error of the best, bool[n_costs, n_lams], see `PhaseDiagram`."""
        return self.diagram.within_one_se()

    def best(self, rule: str = "min") -> Any:
        """Return the recommended point, see `PhaseDiagram`."""
        return self.diagram.best(rule)

    def row_of(self, index: int) -> tuple[list[Point], int]:
        """Return (the points with the same C as the point at an index, position of this point among them)."""
        row, column = divmod(index, self.lams.size)
        found = self.points[row * self.lams.size : (row + 1) * self.lams.size]
        return [replace(point, index=place) for place, point in enumerate(found)], column

    def to_frame(self) -> Any:
        """Return a pandas DataFrame of all metrics, including the test error."""
        frame = self.diagram.to_frame()
        place = list(frame.columns).index("validation_error") + 1
        frame.insert(place, "test_error", [point.figures["test_error"] for point in self.points])
        return frame.rename(columns=figure_columns(self.points[0].figures["is_weighted"]))


def trained_grid(points: list[Point], costs: Sequence[float], n_lams: int) -> TrainedGrid | None:
    """Return a `TrainedGrid` with the first results of a job, or None before all λ of the first C are trained.

    costs : all C values, ascending; n_lams : number of λ values. If there are too many trees for a browser, the largest
    C values are left out.
    """
    if len(points) < n_lams:
        return None
    nodes = np.cumsum([point.tree.n_nodes for point in points])
    rows = max(int(np.searchsorted(nodes[n_lams - 1 :: n_lams], MOST_NODES, "right")), 1)
    points = points[: rows * n_lams] if nodes[-1] > MOST_NODES else points
    costs = costs[: -(-len(points) // n_lams)]
    phase_points = tuple(
        PhasePoint(tree=point.tree, **{name: point.figures[name] for name in _FIGURES}) for point in points
    )
    lams = np.array([point.lam for point in points[:n_lams]])
    return TrainedGrid(points, PhaseDiagram(phase_points, lams, np.array(costs), points[0].figures["n_validation"]))
