"""Regions of a tree in the plane of two features, like `regionsOf` in viz/stage/geometry/regions.js."""

import numpy as np

from treecore.tree.tree import Tree


def plane_regions(tree: Tree, low: np.ndarray, high: np.ndarray) -> tuple[dict, dict]:
    """Return the regions and split lines of a tree between two corners of the plane, without empty regions.

    Return ({leaf: float64[k, 2], corners of its convex region}, {decision node: float64[2, 2], ends of its line}).

    low, high : float[2], lower and upper corner
    """
    regions = {0: np.array([low, (high[0], low[1]), high, (low[0], high[1])], np.float64)}
    lines = {}
    for node in np.flatnonzero(tree.left >= 0).tolist():
        corners = regions.pop(node, None)  # Parents come before their children.
        if corners is None:
            continue
        features, weights, bias = tree.split(node)
        direction = np.zeros(2)
        direction[features] = weights
        sides = corners @ direction + bias
        crossing = [_crossing(corners, sides, k) for k in range(len(corners)) if (sides[k] >= 0) != (sides[k - 1] >= 0)]
        if len(crossing) == 2:
            lines[node] = np.array(crossing)
        for child, on_side in ((tree.right[node], sides >= 0), (tree.left[node], sides < 0)):
            if on_side.any():
                regions[int(child)] = _part(corners, sides, on_side)
    return regions, lines


def _crossing(corners, sides, k):
    """Return the point where the line crosses the edge between corners k - 1 and k."""
    share = sides[k - 1] / (sides[k - 1] - sides[k])
    return corners[k - 1] + share * (corners[k] - corners[k - 1])


def _part(corners, sides, on_side):
    found = []
    for k in range(len(corners)):
        if on_side[k] != on_side[k - 1]:
            found.append(_crossing(corners, sides, k))
        if on_side[k]:
            found.append(corners[k])
    return np.array(found)
