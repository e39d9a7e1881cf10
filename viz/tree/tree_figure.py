"""Figure of a tree, a subtree or a decision path, drawn as on the stage (SVG, PDF or PNG)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.docstrings import filled
from treecore.errors import DataError, ParameterError
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import Tree
from viz.drawing.canvas import PIXELS_PER_INCH, Box, Canvas
from viz.drawing.check_output import MOST_SIZE, check_output, check_pixels
from viz.drawing.figure_entries import FIGURE
from viz.nodes.node_contents import node_contents
from viz.palette import THEMES
from viz.tree.bare_data import BareData
from viz.tree.given_data import given_data
from viz.tree.layout import Layout
from viz.tree.tree_drawing import LINE, MOST_LINES, draw_legend, draw_tree, legend_lines
from viz.tree.tree_part import check_node, part_places, subtree, way_to
from viz.tree.tree_places import compact_height, level_rooms, natural_height, node_boxes, used_height

MARGIN = 14
TITLE, CAPTION = 28, 12  # height of the title, size of the caption
WIDTH = 11.0  # in inches


@filled(FIGURE)
def figure(
    tree: Any,
    data: Any = None,
    y: ArrayLike | None = None,
    format: str = "svg",
    *,
    root: int | None = None,
    leaf: int | None = None,
    size: tuple = (WIDTH, None),
    dpi: float = 200,
    theme: str = "light",
    title: str | None = None,
    caption: str | None = None,
    rows: np.ndarray | None = None,
    places: Layout | None = None,
) -> bytes:
    """Draw a tree as a figure.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, fitted estimator or fitted pipeline (see `treecore.foreign.fitted_tree`).
    data : DataSet, table or None, default=None
        Data set that the tree was trained on, or a table X (DataFrame or array). None draws the tree without rows, from
        its numbers of training rows.
    y : array-like or None, default=None
        Class labels or numbers of a table.
    {format}
    root : int or None, default=None
        Root of the subtree to draw. None draws the whole tree.
    leaf : int or None, default=None
        Node whose decision path is drawn; other subtrees are drawn as stubs.
    {size, dpi, theme, title}
    caption : str or None, default=None
        Text below the figure, such as the origin of the data.
    {rows}
    places : Layout or None, default=None
        Positions of all nodes, such as `layout_in_path` returns. None computes them.

    Returns
    -------
    bytes
        The figure, which a notebook shows as a picture. Its text is 0.12 to 0.13 inches high at every size.

    Raises
    ------
    ParameterError
        If a parameter is invalid, or a PNG would have more than 60 million pixels.
    DataError
        If the data do not fit the tree.

    See Also
    --------
    pages : Draws a large tree on several pages.
    show : Shows the interactive tree in a notebook.

    Examples
    --------
    >>> import sample_data, viz
    >>> from treecore import CARTClassifier
    >>> data = sample_data.load("iris")
    >>> tree = CARTClassifier(max_depth=1, random_state=0).fit(data.X, data.labels()).tree_
    >>> viz.figure(tree, data, format="pdf")[:4]
    b'%PDF'
    """
    if isinstance(y, str):  # In earlier versions, this was the position of the format.
        y, format = None, y
    check_output(format, size, dpi, theme)
    tree, data, _ = given_data(tree, data, y)
    if data is None:
        _check_without_data(rows)
        data = BareData.of(tree)
    check_data(tree, data)
    rows = checked_rows(rows, data)
    root = 0 if root is None else check_node(tree, root, "root")
    part = subtree(tree, root) if leaf is None else way_to(tree, check_node(tree, leaf, "leaf"), root)
    if places is not None and len(places.x) != tree.n_nodes:
        raise ParameterError(f"places is a layout for {len(places.x)} nodes, but the tree has {tree.n_nodes}.")
    places = None if places is None else part_places(part, places)
    contents = node_contents(tree, data, rows, part.nodes)
    top = MARGIN + (TITLE if title else 0)
    width = size[0] * PIXELS_PER_INCH
    box = Box(MARGIN, top, width - 2 * MARGIN, 0.0)
    legend = legend_lines(contents, box.width) * LINE
    foot = legend + MARGIN + (LINE if caption else 0)
    if size[1] is None:
        box = box._replace(height=_natural_height(tree, part, places, data.image_shape, box.width, top + foot))
        height = top + foot + used_height(contents, node_boxes(contents, part, places, box))
        check_pixels(format, (size[0], height / PIXELS_PER_INCH), dpi)
    else:
        height = size[1] * PIXELS_PER_INCH
        if foot > height / 4:
            foot = MARGIN
        box = box._replace(height=max(height - top - foot, 10.0))
    canvas = Canvas(width, height, THEMES[theme], format)
    if title:
        canvas.text(MARGIN, MARGIN + 10, str(title), 15, box.width, canvas.theme.text, align="left", bold=True)
    draw_tree(canvas, contents, box, part, places)
    if foot > MARGIN:
        draw_legend(canvas, contents, MARGIN, height - foot + MARGIN / 2, box.width)
        if caption:
            y = height - foot + MARGIN / 2 + legend + LINE / 2
            canvas.text(MARGIN, y, str(caption), CAPTION, box.width, canvas.theme.muted, align="left")
    return canvas.save(dpi / PIXELS_PER_INCH)


def _check_without_data(rows):
    if rows is not None:
        raise ParameterError("rows was passed without data. Pass the data set, or the table and y.")


def largest_size(
    tree: Tree, width: float = WIDTH, root: int | None = None, leaf: int | None = None, image_shape: tuple | None = None
) -> tuple:
    """Return the maximum (width, height) in inches of the `figure` at this width, without reading the data.

    image_shape : shape of the images in the rows, or None
    """
    root = 0 if root is None else check_node(tree, root, "root")
    part = subtree(tree, root) if leaf is None else way_to(tree, check_node(tree, leaf, "leaf"), root)
    around = 2 * MARGIN + TITLE + (MOST_LINES + 1) * LINE
    inner = width * PIXELS_PER_INCH - 2 * MARGIN
    return width, (around + _natural_height(tree, part, None, image_shape, inner, around)) / PIXELS_PER_INCH


def _natural_height(tree, part, places, image_shape, width, around):
    """Return the height of the tree in pixels.

    around : height of everything else in pixels
    """
    if places is None:
        natural = compact_height(tree, part, image_shape, width)
    else:
        natural = natural_height(level_rooms(places), places.n_slots, width)
    return min(natural, MOST_SIZE * PIXELS_PER_INCH - around)


def check_data(tree: Tree, data: DataSetLike) -> None:
    """Raise DataError if `data` cannot be the data set of `tree`."""
    if getattr(data, "X", np.empty((0, 0))).shape[1:] != (tree.n_features,):
        raise DataError(f"data: expected the data set of the tree, with {tree.n_features:,} features in X.")


def checked_rows(rows: np.ndarray | None, data: DataSetLike) -> np.ndarray | None:
    """Return the row numbers as int64[k], or None for None.

    Raise ParameterError unless they are at least one row number of the data.
    """
    if rows is None:
        return None
    rows = np.asarray(rows)
    if rows.ndim != 1 or rows.size == 0 or rows.dtype.kind not in "iu":
        raise ParameterError("rows: expected a list of row numbers (at least one), or None for all rows.")
    if rows.min() < 0 or rows.max() >= len(data.X):
        raise ParameterError(
            f"rows contains {rows.max() if rows.min() >= 0 else rows.min()}: expected 0 to {len(data.X) - 1}."
        )
    return rows
