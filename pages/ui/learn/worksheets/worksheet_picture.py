"""Draw the data of a worksheet, with or without the tree."""

import numpy as np

from pages.ui.learn.worksheets.worksheet import Worksheet
from sample_data.painted import informative_pair
from viz.drawing.canvas import Box, Canvas
from viz.nodes.node_contents import node_contents
from viz.palette import THEMES, group_colors
from viz.tree.plane_regions import plane_regions
from viz.tree.tree_drawing import LINE, draw_legend, draw_tree, legend_lines
from viz.tree.tree_part import subtree

MOST_POINTS = 900
DIGITS = 14  # images on a line
AXIS = 20  # pixels for the name of an axis
TEXT, DOT = 12, 4.5  # height of names and diameter of points, in pixels
LIGHT = THEMES["light"]


def picture_height(sheet: Worksheet, width: float) -> float:
    """Return the height of the picture at a width, in pixels."""
    data = sheet.scene.data
    if data.image_shape is not None and sheet.tree is None:
        return width / DIGITS * 3
    return 0.42 * width if data.n_features == 2 or sheet.tree is None else 0.62 * width


def draw_worksheet_picture(sheet: Worksheet, canvas: Canvas, box: Box) -> None:
    """Draw the points in the plane, images, or the tree of the key into a box of a canvas."""
    data = sheet.scene.data
    if data.n_features == 2:
        _draw_plane(sheet, canvas, box, (0, 1))
    elif sheet.tree is not None:
        contents = node_contents(sheet.tree, data, sheet.scene.rows[0])
        foot = legend_lines(contents, box.width) * LINE
        foot = foot if foot < box.height / 4 else 0
        draw_tree(canvas, contents, box._replace(height=box.height - foot), subtree(sheet.tree, 0))
        if foot:
            draw_legend(canvas, contents, box.left, box.top + box.height - foot, box.width)
    elif data.image_shape is not None:
        _draw_images(sheet, canvas, box)
    else:
        _draw_plane(sheet, canvas, box, tuple(map(data.feature_names.index, informative_pair(data))))


def worksheet_png(sheet: Worksheet, width: int = 700) -> bytes:
    """Return the picture as PNG bytes."""
    height = picture_height(sheet, width)
    canvas = Canvas(width, height, LIGHT)
    draw_worksheet_picture(sheet, canvas, Box(1, 1, width - 2, height - 2))
    return canvas.save(2)


def picture_words(sheet: Worksheet) -> str:
    """Return the alternative text of the picture."""
    kind = "Training points" if sheet.tree is None else f"A tree of this lesson with {sheet.tree.n_leaves} leaves"
    return f"{kind}: {sheet.scene.data.title}"


def _draw_plane(sheet: Worksheet, canvas: Canvas, box: Box, features: tuple[int, ...]) -> None:
    """Draw points on two features, and the regions of the tree."""
    data, rows = sheet.scene.data, sheet.scene.rows[0]
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), MOST_POINTS)).astype(int)]
    X = data.X[:, features].astype(np.float64)[rows]
    colors = group_colors(data.target, data.y)
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    pad = 0.03 * np.where(high > low, high - low, 1)
    low, high = low - pad, high + pad
    side, legend = box.height - AXIS, 150
    wide = min(box.width - AXIS - legend, 1.5 * side)
    corner = np.array([box.left + AXIS, box.top])

    def places(points: np.ndarray) -> np.ndarray:
        share = (points - low) / (high - low)
        return corner + np.c_[share[:, 0] * wide, (1 - share[:, 1]) * side]

    if sheet.tree is not None and data.n_features == 2:
        codes = data.target.group_of(data.target.outputs(sheet.tree))
        for leaf, corners in plane_regions(sheet.tree, low, high)[0].items():
            canvas.polygon(places(np.asarray(corners)), _pale(colors[codes[leaf]]), layer=1.0)
    canvas.rectangle(corner[0], corner[1], wide, side, edge=LIGHT.text, line=0.8, layer=2.0)
    groups = data.target.group_of(data.y[rows])
    canvas.dots(places(X), DOT, [colors[group] for group in groups], layer=3.0)
    names = [data.feature_names[k] for k in features]
    canvas.text(corner[0] + wide / 2, box.top + box.height - 6, names[0], TEXT, wide, LIGHT.text)
    canvas.text(box.left + 8, box.top + side / 2, names[1], TEXT, side, LIGHT.text, angle=90)
    for k, (name, color) in enumerate(zip(data.target.groups, colors, strict=False)):
        y = box.top + 12 + 20 * k
        if y < box.top + side:
            canvas.dots(np.array([[corner[0] + wide + 18, y]]), 9, color, layer=3.0)
            canvas.text(corner[0] + wide + 30, y, str(name), TEXT, legend - 30, LIGHT.text, align="left")


def _draw_images(sheet: Worksheet, canvas: Canvas, box: Box) -> None:
    """Draw the first images of the training rows."""
    data = sheet.scene.data
    size = box.width / DIGITS
    top = float(data.X.max()) or 1.0
    for k, row in enumerate(sheet.scene.rows[0][: 3 * DIGITS]):
        ink = 1 - np.asarray(data.X[row], np.float64).reshape(data.image_shape) / top
        pixels = np.repeat((255 * ink).astype(np.uint8)[..., None], 3, axis=2)
        canvas.image(pixels, box.left + k % DIGITS * size, box.top + k // DIGITS * size, size - 3, size - 3)


def _pale(color: str) -> tuple[float, ...]:
    """Return a colour mixed with white."""
    return tuple(1 - 0.28 * (1 - int(color[k : k + 2], 16) / 255) for k in (1, 3, 5))
