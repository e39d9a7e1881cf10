"""Phase diagram as maps over lambda and C, as in figure 1 of Kairgeldin and Carreira-Perpiñán (2024)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from viz.charts.chart import ColorScale
from viz.charts.path_points import number_text
from viz.palette import MAP_RAMPS, STAGE_THEMES
from viz.words.error_names import error_name

ROOM = 0.3  # width of the words "single leaf", as a share of a map's width
TICKS = 5  # maximum number of labelled values of lambda
# colour and width in pixels of a line and its halo, which are visible on every colour; the halo first
BORDER = (("#ffffff", 4.0), ("#14181f", 2.0))
FRAME = (("#ffffff", 6.0), (STAGE_THEMES["light"]["alarm"], 3.5))
DASHES = (5, 3)  # dashes of the border, in pixels
ERRORS = ("test_error", "validation_error", "train_error")


class PhaseMap(NamedTuple):
    """One map.

    shares : float64[n_costs, n_lams] in [0, 1], position of each cell on the colour scale; NaN for single leaves and
        missing cells
    ramp : "diverging" or "sequential", see `viz.palette.MAP_RAMPS`
    ticks : (position in [0, 1], text) each
    """

    name: str
    title: str
    shares: np.ndarray
    ramp: str
    ticks: tuple[tuple[float, str], ...]

    def scale(self, theme: str) -> ColorScale:
        """Return the `ColorScale`."""
        return ColorScale(MAP_RAMPS[theme][self.ramp], self.ticks)


class PhaseMaps(NamedTuple):
    """The three maps and their common properties.

    Cell `index` is in column index % n_lams and row index // n_lams, and extends half a unit to each side.

    lam_ticks, cost_ticks : (column or row, text) each
    leaves : int[k], cells that are single leaves
    leaf_words : (x, y, whether vertical) of the label on the single leaves, or None
    outline : int[s, 4], border of the good cells as (x1, y1, x2, y2) in columns and rows
    best : cell, or None
    """

    maps: tuple[PhaseMap, ...]
    n_lams: int
    n_costs: int
    lam_ticks: tuple[tuple[int, str], ...]
    cost_ticks: tuple[tuple[int, str], ...]
    leaves: np.ndarray
    leaf_words: tuple | None
    outline: np.ndarray
    best: int | None

    def place(self, cells: ArrayLike) -> tuple:
        """Return (columns, rows) of cells."""
        return np.asarray(cells) % self.n_lams, np.asarray(cells) // self.n_lams


def phase_maps(
    points: Sequence, lams: Sequence, costs: Sequence, good: np.ndarray | None = None, best: int | None = None
) -> PhaseMaps | None:
    """Return `PhaseMaps` of the share of bivariate splits, the number of decision nodes and the error.

    points : dicts with the metrics of PhasePoints, at least one, in the order of the grid. They may include
    "test_error".
        The last points may be missing.
    lams, costs : values of all columns and rows
    good : bool[n_costs, n_lams], cells within one standard error, or None
    """
    n_lams, n_costs = len(lams), len(costs)
    known = next((name for name in ERRORS if any(p.get(name) is not None for p in points)), "train_error")
    name = error_name(known, points[0].get("is_weighted"))
    leaves = np.array([place for place, point in enumerate(points) if not point["n_decision"]], int)
    columns = range(0, n_lams, -(-n_lams // TICKS))
    rows = range(0, n_costs, -(-n_costs // 9))
    return PhaseMaps(
        (
            _map("share", "Bivariate splits", points, _line_share, (n_costs, n_lams), "diverging", (0.0, 1.0)),
            _map("size", "Decision nodes", points, lambda point: point["n_decision"], (n_costs, n_lams)),
            _map("error", name.capitalize(), points, lambda point: point[known], (n_costs, n_lams)),
        ),
        n_lams,
        n_costs,
        tuple((column, number_text(float(lams[column]))) for column in columns),
        tuple((row, f"{costs[row]:g}") for row in rows),
        leaves,
        _leaf_words(leaves, n_lams),
        outline(good) if good is not None else np.empty((0, 4), int),
        best,
    )


def outline(mask: np.ndarray) -> np.ndarray:
    """Return the border of the true cells as int64[s, 4], segments (x1, y1, x2, y2) of grid lines.

    Cell (row, column) covers x in [column, column + 1] and y in [row, row + 1]; a straight run is one segment.

    mask : bool[rows, columns]
    """
    padded = np.pad(np.asarray(mask, bool), 1)
    across = padded[1:, 1:-1] != padded[:-1, 1:-1]  # [rows + 1, columns]: border on the line below row y
    upright = padded[1:-1, 1:] != padded[1:-1, :-1]  # [rows, columns + 1]
    segments = [(a, y, b, y) for y, line in enumerate(across) for a, b in _runs(line)]
    segments += [(x, a, x, b) for x, line in enumerate(upright.T) for a, b in _runs(line)]
    return np.array(segments, np.int64).reshape(-1, 4)


def _runs(line):
    ends = np.flatnonzero(np.diff(np.concatenate([[0], line, [0]])))
    return zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True)


def _line_share(point):
    return point["n_bivariate"] / point["n_decision"]


def _map(name, title, points, value, shape, ramp="sequential", ends=None):
    values = np.full(shape, np.nan)
    for place, point in enumerate(points):
        if point["n_decision"]:
            values.flat[place] = value(point)
    if name == "size":  # logarithmic scale
        high = max(float(np.nanmax(values, initial=2.0)), 2.0)
        ticks = [(np.log(v) / np.log(high), f"{v:,}") for v in (1, 3, 10, 30, 100, 300, 1000, 3000) if v <= high]
        return PhaseMap(name, title, np.log(values) / np.log(high), ramp, tuple(ticks))
    low, high = ends or ((float(np.nanmin(values)), float(np.nanmax(values))) if np.isfinite(values).any() else (0, 1))
    if high <= low:
        low, high = max(low - 0.01, 0.0), low + 0.01
    digits = 0 if high - low >= 0.04 else 1
    ticks = [(share, f"{100 * (low + share * (high - low)):.{digits}f} %") for share in (0.0, 0.5, 1.0)]
    return PhaseMap(name, title, (values - low) / (high - low), ramp, tuple(ticks))


def _leaf_words(leaves, n_columns):
    """Return the position of the label, in the middle row of the single leaves, horizontal if it fits."""
    if not leaves.size:
        return None
    row = int(np.sort(leaves // n_columns)[leaves.size // 2])
    columns = leaves[leaves // n_columns == row] % n_columns
    return (columns.min() + columns.max()) / 2, row, columns.size / n_columns <= ROOM
