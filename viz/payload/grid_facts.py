"""What the browser must know of a phase diagram to draw its map, and which of its trees opens."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from treecore.tree.target import Target
from viz.charts.values.phase_maps import BORDER, DASHES, phase_maps
from viz.tree.readable_tree import STUMP, ReadableTree, most_leaves, readable_tree


class GridLike(Protocol):
    """A `treecore.training.phase.PhaseDiagram`, or what is like it; its points may lack the last ones."""

    points: tuple
    lams: np.ndarray
    costs: np.ndarray
    n_validation: int

    def within_one_se(self) -> np.ndarray:
        """bool[n_costs, n_lams]."""

    def best(self, rule: str) -> object:
        """Recommended point."""


def is_grid(path: object) -> bool:
    """Whether trees stand in rows of one C each."""
    return hasattr(path, "costs")


def grid_facts(grid: GridLike) -> dict:
    """`Grid` of viz/stage/types.d.ts, for JSON."""
    figures = [getattr(point, "figures", None) or vars(point) for point in grid.points]
    good, best = (grid.within_one_se(), grid.best("min").index) if grid.n_validation else (None, None)
    maps = phase_maps(figures, grid.lams.tolist(), grid.costs.tolist(), good, best)
    return {
        "costs": [float(cost) for cost in grid.costs],
        "nLams": int(grid.lams.size),
        "maps": [
            {"title": one.title, "shares": _list(one.shares), "stops": one.scale.stops, "ticks": one.scale.ticks}
            for one in reversed(maps.maps)
        ],
        "outline": maps.outline.tolist(),
        "border": [[color, width, dash] for (color, width), dash in zip(BORDER, ([], DASHES), strict=True)],
        "best": best,
    }


def recommended_in_grid(grid: GridLike) -> dict[str, int]:
    """Index of the recommended trees by rule, over every C; {} without validation rows."""
    return {rule: int(grid.best(rule).index) for rule in ("one_se", "min")} if grid.n_validation else {}


def readable_in_grid(grid: GridLike, target: Target | None = None) -> ReadableTree:
    """`ReadableTree` of a phase diagram: the simplest good tree where it can be read, else one of the same C.

    target : as of `readable_tree`.
    """
    index = int(grid.best("one_se").index) if grid.n_validation else len(grid.points) // 2
    tree = grid.points[index].tree
    if grid.n_validation and STUMP < tree.n_leaves <= most_leaves(tree):
        return ReadableTree(index, "")
    first = index - index % grid.lams.size
    found = readable_tree(grid.points[first : first + grid.lams.size], target)
    return ReadableTree(first + found.index, found.note, None if found.better is None else first + found.better)


def _list(shares):
    return [None if share != share else round(float(share), 3) for share in shares.ravel()]
