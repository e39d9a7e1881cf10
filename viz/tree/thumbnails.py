"""Small pictures of trees, as the overview of the stage has them: a level a row, widths by share of rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treecore.tree.quantity import Quantity
from treecore.tree.tree import Tree
from viz.palette import THEMES, group_colors

WIDTH, HEIGHT = 150, 90  # pixels
LEAST_WIDTH, LEAST_ROW = 0.4, 1.5  # of a part that is drawn
GAP = 0.6


def thumbnails(trees: Sequence[Tree], theme: str = "light") -> list[str]:
    """SVG text of each Tree of a forest, `WIDTH` x `HEIGHT` pixels.

    A node is as wide as its share of the training rows and has the colour of its class, paler where fewer of its rows
    have that, or of its mean, on one ramp for all trees; what is thinner than a pixel, or very deep, is left out.
    theme : "light" or "dark".
    """
    if not trees:
        return []
    target = trees[0].target
    if not target.values_are_groups:
        outputs = [target.usual_outputs(tree)[tree.left < 0] for tree in trees]
        target = Quantity.of(np.concatenate(outputs))
    colors = group_colors(target, None, theme)
    return [_thumbnail(tree, target, colors, THEMES[theme].background) for tree in trees]


def _thumbnail(tree, target, colors, background):
    left, wide = _parts(tree)
    row = max(HEIGHT / (tree.depth + 1), LEAST_ROW)
    is_shown = (wide * WIDTH >= LEAST_WIDTH) & (tree.depths * row < HEIGHT - 0.1)
    if target.values_are_groups:
        groups = tree.labels
        total = np.maximum(tree.values.sum(axis=1), 1e-300)
        share = tree.values.max(axis=1) / total
    else:
        groups, share = target.group_of(target.usual_outputs(tree)), np.ones(tree.n_nodes)
    opacity = np.where(tree.left < 0, 1.0, np.round(0.25 + 0.6 * share, 1))
    shapes: dict = {}
    for node in np.flatnonzero(is_shown).tolist():
        x, y, width = left[node] * WIDTH, tree.depths[node] * row, max(wide[node] * WIDTH - GAP, LEAST_WIDTH)
        shape = f"M{x:.1f} {y:.1f}h{width:.1f}v{max(row - GAP, 1):.1f}h{-width:.1f}z"
        shapes.setdefault((colors[groups[node]], float(opacity[node])), []).append(shape)
    paths = "".join(
        f'<path fill="{color}" fill-opacity="{part:g}" d="{"".join(found)}"/>'
        for (color, part), found in shapes.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{background}"/>{paths}</svg>'
    )


def _parts(tree):
    """(float64[m], float64[m]): where the part of each node begins in its level, and how wide it is, in [0, 1]."""
    left, wide = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    wide[0] = 1.0
    sizes = np.maximum(tree.n_samples, 0)
    for node in np.flatnonzero(tree.left >= 0).tolist():
        below, beside = tree.left[node], tree.right[node]
        total = sizes[below] + sizes[beside]
        part = wide[node] * (sizes[below] / total if total else 0.5)
        left[below], wide[below] = left[node], part
        left[beside], wide[beside] = left[node] + part, wide[node] - part
    return left, wide
