"""Thumbnails of trees: one row per level, as in the overview of the stage, or regions in the plane."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from treecore.tree.data_set_like import DataSetLike
from treecore.tree.quantity import Quantity
from treecore.tree.tree import Tree
from viz.palette import THEMES, group_colors
from viz.tree.layout import layout
from viz.tree.plane_regions import plane_regions

WIDTH, HEIGHT = 150, 90  # in pixels
LEAST_WIDTH, LEAST_ROW = 0.4, 1.5  # minimum width and height of a drawn node, in pixels
GAP = 0.6
LEAST_BOX, MOST_BOX = 3.0, 16.0  # smallest and largest node of a small drawing, in pixels
MOST_POINTS = 140  # maximum number of points in a plane


def thumbnails(trees: Sequence[Tree], theme: str = "light") -> list[str]:
    """Return an SVG text of `WIDTH` x `HEIGHT` pixels for each Tree of a forest.

    The width of a node is its share of the training rows. Its colour is that of its class, paler for lower class
    probabilities, or that of its mean on one scale for all trees. Very thin and very deep nodes are left out.

    theme : "light" or "dark"
    """
    if not trees:
        return []
    target, colors = _common(trees, theme)
    return [_thumbnail(tree, target, colors, THEMES[theme].background) for tree in trees]


def small_drawings(trees: Sequence[Tree], theme: str = "light") -> list[str]:
    """Return an SVG text of `WIDTH` x `HEIGHT` pixels for each Tree: its nodes, and edges as wide as their rows.

    Leaves have the colours of `thumbnails`.

    theme : "light" or "dark"
    """
    if not trees:
        return []
    target, colors = _common(trees, theme)
    return [_small_drawing(tree, target, colors, THEMES[theme]) for tree in trees]


def _common(trees, theme):
    """Return (target, colours) on one scale for all trees."""
    target = trees[0].target
    if not target.values_are_groups:
        outputs = [target.usual_outputs(tree)[tree.left < 0] for tree in trees]
        target = Quantity.of(np.concatenate(outputs))
    return target, group_colors(target, None, theme)


def _groups(tree, target):
    return tree.labels if target.values_are_groups else target.group_of(target.usual_outputs(tree))


def _small_drawing(tree, target, colors, theme):
    places = layout(tree)
    size = min(WIDTH / places.n_slots, HEIGHT / (tree.depth + 1))
    box = max(LEAST_BOX, min(MOST_BOX, 0.7 * size))
    x = places.x / places.n_slots * WIDTH
    y = (tree.depths + 0.5) * HEIGHT / (tree.depth + 1)
    share = np.maximum(tree.n_samples, 0) / max(int(tree.n_samples[0]), 1)
    groups, edges, boxes = _groups(tree, target), [], []
    for node in range(tree.n_nodes):
        if node:
            above = tree.parents[node]
            middle = (y[above] + y[node]) / 2
            edges.append(
                f'<path stroke-width="{0.6 + 4 * np.sqrt(share[node]):.1f}" d="M{x[above]:.1f} {y[above]:.1f}'
                f'C{x[above]:.1f} {middle:.1f} {x[node]:.1f} {middle:.1f} {x[node]:.1f} {y[node]:.1f}"/>'
            )
        fill = colors[groups[node]] if tree.left[node] < 0 else theme.surface
        side = f'width="{box:.1f}" height="{box:.1f}" rx="{box / 6:.1f}"'
        stroke = "none" if tree.left[node] < 0 else theme.muted
        boxes.append(
            f'<rect x="{x[node] - box / 2:.1f}" y="{y[node] - box / 2:.1f}" {side} fill="{fill}" stroke="{stroke}"/>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{theme.background}"/>'
        f'<g fill="none" stroke="{theme.line}">{"".join(edges)}</g>{"".join(boxes)}</svg>'
    )


def _thumbnail(tree, target, colors, background):
    left, wide = _parts(tree)
    row = max(HEIGHT / (tree.depth + 1), LEAST_ROW)
    is_shown = (wide * WIDTH >= LEAST_WIDTH) & (tree.depths * row < HEIGHT - 0.1)
    groups = _groups(tree, target)
    if target.values_are_groups:
        total = np.maximum(tree.values.sum(axis=1), 1e-300)
        share = tree.values.max(axis=1) / total
    else:
        share = np.ones(tree.n_nodes)
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


def plane_thumbnail(tree: Tree, data: DataSetLike, rows: np.ndarray, theme: str = "light") -> str:
    """Return an SVG text that shows the regions of a Tree in the plane of two features, with some rows.

    data : DataSet of two features
    rows : row numbers
    theme : "light" or "dark"
    """
    target = data.target
    colors = group_colors(target, data.y, theme)
    X = data.X[rows].astype(np.float64)
    low, high = X.min(axis=0), X.max(axis=0)

    def places(points):
        share = (points - low) / np.where(high > low, high - low, 1)
        return [f"{x:.0f} {y:.0f}" for x, y in np.c_[share[:, 0] * WIDTH, (1 - share[:, 1]) * HEIGHT]]

    areas, marks = defaultdict(list), defaultdict(list)
    codes = target.group_of(target.outputs(tree))
    for leaf, corners in plane_regions(tree, low, high)[0].items():
        areas[colors[codes[leaf]]].append(f"M{'L'.join(places(corners))}z")
    some = np.linspace(0, len(rows) - 1, min(len(rows), MOST_POINTS)).astype(int)
    for group, at in zip(target.group_of(data.y[rows[some]]), places(X[some]), strict=True):
        marks[colors[group]].append(f"M{at}h0")
    paths = "".join(
        f'<path fill="{color}" fill-opacity="0.3" stroke="{color}" stroke-width="0.5" d="{"".join(found)}"/>'
        for color, found in areas.items()
    ) + "".join(f'<path stroke="{color}" d="{"".join(found)}"/>' for color, found in marks.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{THEMES[theme].background}"/>'
        f'<g stroke-linecap="round" stroke-width="3">{paths}</g></svg>'
    )


def _parts(tree):
    """Return the left end and the width of each node on its level, float64[m] in [0, 1] each."""
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
