"""Map of a phase diagram for the browser, and the tree to show first."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from treecore.tree.target import Target
from viz.charts.phase_maps import BORDER, DASHES, phase_maps
from viz.palette import THEMES
from viz.tree.readable_tree import ReadableTree, readable_tree


class GridLike(Protocol):
    """Interface of `treecore.training.phase.PhaseDiagram`, whose last points may be missing."""

    points: tuple
    lams: np.ndarray
    costs: np.ndarray
    n_validation: int

    def within_one_se(self) -> np.ndarray:
        """Return bool[n_costs, n_lams]."""

    def best(self, rule: str) -> object:
        """Return the point that the rule recommends."""


def is_grid(path: object) -> bool:
    """Return whether the trees are a grid with one C per row."""
    return hasattr(path, "costs")


def grid_facts(grid: GridLike) -> dict:
    """Return `Grid` of viz/stage/types.d.ts as JSON data."""
    figures = [getattr(point, "figures", None) or vars(point) for point in grid.points]
    good, best = (grid.within_one_se(), grid.best("min").index) if grid.n_validation else (None, None)
    maps = phase_maps(figures, grid.lams.tolist(), grid.costs.tolist(), good, best)
    return {
        "costs": [float(cost) for cost in grid.costs],
        "nLams": int(grid.lams.size),
        "maps": [
            {
                "title": one.title,
                "shares": _list(one.shares),
                "ticks": one.ticks,
                "stops": {theme: one.scale(theme).stops for theme in THEMES},
            }
            for one in reversed(maps.maps)
        ],
        "outline": maps.outline.tolist(),
        "border": [[color, width, dash] for (color, width), dash in zip(BORDER, ([], DASHES), strict=True)],
        "best": best,
    }


def recommended_in_grid(grid: GridLike) -> dict[str, int]:
    """Return the index of the recommended tree of each rule over all C, or {} without validation rows."""
    return {rule: int(grid.best(rule).index) for rule in ("one_se", "min")} if grid.n_validation else {}


def readable_in_grid(grid: GridLike, target: Target | None = None, has_images: bool = False) -> ReadableTree:
    """Return the `ReadableTree` of a phase diagram.

    The result is the simplest good tree, or without validation rows, a readable tree of a medium C.

    target, has_images : as in `readable_tree`
    """
    if grid.n_validation:
        return ReadableTree(int(grid.best("one_se").index), "")
    index = len(grid.points) // 2
    first = index - index % grid.lams.size
    found = readable_tree(grid.points[first : first + grid.lams.size], target, has_images)
    return ReadableTree(first + found.index, found.note, None if found.better is None else first + found.better)


def _list(shares):
    return [None if share != share else round(float(share), 3) for share in shares.ravel()]
