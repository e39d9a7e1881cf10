"""Static picture of a tree: SVG, PDF or PNG."""

import numpy as np

from viz.canvas import Box, Canvas
from viz.layout import layout
from viz.node_content import node_contents
from viz.palette import THEMES
from viz.tree_drawing import LINE, draw_legend, draw_tree, legend_lines

FORMATS = ("svg", "pdf", "png")
MARGIN = 14


def figure(tree, data, format="svg", width=1100, theme="light", scale=2.0, places=None, levels=None):
    """Picture of `tree` as bytes.

    tree : Tree; data : DataSet that it was trained on; format : "svg", "pdf" or "png"; width : pixels at 100 %;
    theme : "light" or "dark"; scale : pixels of a PNG per pixel of the drawing; places : Layout of this tree, such as
    `layout_in_path` gives (None: its own); levels : levels to leave room for, so that pictures of one path have equal
    heights (None: those of the tree). Raises ValueError for another format, theme, width, data set or layout.
    """
    if format not in FORMATS:
        raise ValueError(f"format={format!r}: use one of {', '.join(FORMATS)}.")
    check_theme(theme)
    if not width >= 100:
        raise ValueError(f"width={width!r}: use at least 100 pixels.")
    check_data(tree, data)
    places = layout(tree) if places is None else places
    if len(places.x) != tree.n_nodes:
        raise ValueError(f"places is a layout of {len(places.x)} nodes, but the tree has {tree.n_nodes}.")
    levels = max(levels or 0, int(places.depth.max()) + 1)
    contents = node_contents(tree, data)
    inner = width - 2 * MARGIN
    height = levels * float(np.clip(620 / levels, 64, 150))
    lines = legend_lines(contents, data, inner)
    canvas = Canvas(width, MARGIN + height + lines * LINE + (MARGIN if lines else 4), THEMES[theme], format)
    draw_tree(canvas, tree, contents, Box(MARGIN, MARGIN, inner, height), places, levels)
    draw_legend(canvas, contents, data, MARGIN, MARGIN + height, inner)
    return canvas.save(scale)


def check_theme(theme):
    """Raise ValueError for an unknown theme."""
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r}: use one of {', '.join(THEMES)}.")


def check_data(tree, data):
    """Raise ValueError when `data` cannot be the data set of `tree`."""
    if getattr(data, "X", np.empty((0, 0))).shape[1:] != (tree.n_features,):
        raise ValueError(f"data must be the data set of the tree, with X of {tree.n_features} features.")
