"""Figure of a single node, as in the inspector of the stage, and a zip file with the figures of all nodes."""

import io
import zipfile
from collections.abc import Callable

import numpy as np

from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.number_text import count
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from viz.drawing.canvas import PIXELS_PER_INCH, Canvas
from viz.drawing.check_output import check_output
from viz.drawing.figure_entries import FIGURE
from viz.drawing.labels import Labels
from viz.nodes.node_box import NodeBox
from viz.nodes.node_contents import node_contents
from viz.nodes.node_painter import NodePainter
from viz.palette import THEMES
from viz.tree.tree_figure import check_data, checked_rows
from viz.tree.tree_part import check_node, subtree
from viz.words import text_fit

WIDTH, MARGIN = 480, 18  # in pixels
MOST_CLASSES, ROW = 12, 17  # maximum number of lines in the class table, and their height
MOST_NODES = 300
SIDES = 84  # pixels of the mean images on both sides
WORDS = 13  # text size of the condition


@filled(FIGURE)
def node_figure(
    tree: Tree,
    data: DataSetLike,
    node: int,
    format: str = "svg",
    *,
    dpi: float = 200,
    theme: str = "light",
    rows: np.ndarray | None = None,
) -> bytes:
    """Draw one large node with axes, its condition and the classes on both sides.

    Parameters
    ----------
    {tree, data}
    node : int
        Number of the node.
    {format, dpi, theme, rows}

    Returns
    -------
    bytes
        The figure.

    Raises
    ------
    ParameterError
        If a parameter is invalid.
    DataError
        If the data do not fit the tree.

    See Also
    --------
    node_zip : Draws every node.

    Examples
    --------
    >>> import sample_data, viz
    >>> from treecore import CARTClassifier
    >>> data = sample_data.load("iris")
    >>> tree = CARTClassifier(random_state=0).fit(data.X, data.labels()).tree_
    >>> viz.node_figure(tree, data, 0)[:5]
    b'<?xml'
    """
    check_output(format, (WIDTH / PIXELS_PER_INCH, None), dpi, theme)
    check_data(tree, data)
    node = check_node(tree, node, "node")
    return _drawn(node_contents(tree, data, checked_rows(rows, data), [node]), node, format, dpi, theme)


@filled(FIGURE)
def node_zip(
    tree: Tree,
    data: DataSetLike,
    format: str = "svg",
    *,
    root: int | None = None,
    dpi: float = 200,
    theme: str = "light",
    rows: np.ndarray | None = None,
    on_node: Callable | None = None,
) -> bytes:
    """Draw every node as a separate figure, in a zip file.

    The files are named as on the stage: `node-003.svg`, `leaf-005.svg`.

    Parameters
    ----------
    {tree, data, format}
    root : int or None, default=None
        Root of the subtree whose nodes are drawn. None draws all nodes.
    {dpi, theme, rows}
    on_node : callable or None, default=None
        Function of (nodes done, nodes in total), called after each node.

    Returns
    -------
    bytes
        The zip file.

    Raises
    ------
    ParameterError
        If a parameter is invalid, or there are more than 300 nodes.
    DataError
        If the data do not fit the tree.

    See Also
    --------
    node_figure : Draws one node.

    Examples
    --------
    >>> import sample_data, viz
    >>> from treecore import CARTClassifier
    >>> data = sample_data.load("iris")
    >>> tree = CARTClassifier(max_depth=1, random_state=0).fit(data.X, data.labels()).tree_
    >>> viz.node_zip(tree, data)[:2]
    b'PK'
    """
    check_output(format, (WIDTH / PIXELS_PER_INCH, None), dpi, theme)
    check_data(tree, data)
    nodes = zipped_nodes(tree, root)
    contents = node_contents(tree, data, checked_rows(rows, data), nodes)
    out = io.BytesIO()
    names, digits = node_names(tree), max(3, len(str(tree.n_nodes)))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as folder:
        for done, node in enumerate(nodes.tolist(), 1):
            kind, number, *_ = names[node].split()
            # Without a date, equal figures give equal files.
            entry = zipfile.ZipInfo(f"{kind}-{number:0>{digits}}.{format}")
            entry.compress_type = zipfile.ZIP_DEFLATED
            folder.writestr(entry, _drawn(contents, node, format, dpi, theme))
            if on_node is not None:
                on_node(done, nodes.size)
    return out.getvalue()


def zipped_nodes(tree: Tree, root: int | None = None) -> np.ndarray:
    """Return int64[k], the nodes that `node_zip` draws, without drawing them.

    Raise ParameterError for more than 300 nodes.
    """
    nodes = np.sort(subtree(tree, 0 if root is None else check_node(tree, root, "root")).nodes)
    if nodes.size > MOST_NODES:
        raise ParameterError(
            f"{nodes.size} nodes would require {nodes.size} files (maximum {MOST_NODES}). Pass root= to draw a subtree."
        )
    return nodes


def _drawn(contents, node, format, dpi, theme):
    content = contents.nodes[node]
    box, bottom = _picture_box(content)
    lines = _lines(contents, node)
    codes = _codes(content.figures)
    means = getattr(content, "means", None) if contents.is_image else None
    sides = SIDES + 30 if means is not None else 0
    height = bottom + sum(size * 1.45 for _, size, _ in lines) + sides + 30 + ROW * (len(codes) + 1) + MARGIN
    canvas = Canvas(WIDTH, height, THEMES[theme], format)
    labels = Labels(canvas)
    painter = NodePainter(canvas, labels, contents, axes=True)
    _title(painter, node)
    painter.draw(content, box)
    y = bottom
    for text, size, is_main in lines:
        y += size * 1.45
        color = painter.theme.text if is_main else painter.theme.muted
        canvas.text(MARGIN, y - size * 0.6, text, size, WIDTH - 2 * MARGIN, color, align="left", bold=is_main)
    if sides:
        _means(painter, means, y + 12)
    _class_table(painter, node, codes, y + sides + 30)
    labels.draw()
    return canvas.save(dpi / PIXELS_PER_INCH)


def _picture_box(content):
    """Return (NodeBox of the plot, lower end of its axes)."""
    room = WIDTH - 2 * MARGIN
    w, h, after, top = content.figure_size(room)
    return NodeBox(WIDTH / 2, top + h / 2, w, h, room, 20.0), top + h + after


def _title(painter, node):
    contents, canvas = painter.contents, painter.canvas
    figures, theme, room = contents.nodes[node].figures, canvas.theme, WIDTH - 2 * MARGIN
    text = f"{node_names(contents.tree)[node].capitalize()}{' (root)' if node == 0 else ''}"
    canvas.text(MARGIN, 22, text, 16, room, theme.text, align="left", bold=True)
    facts = contents.phrases("inspector", figures)
    if figures.n:
        facts.append(contents.target.format_losses(contents.target.share_words, figures.loss, figures.n))
    canvas.text(MARGIN, 44, "; ".join(facts), 12, room, theme.muted, align="left")


def _lines(contents, node):
    """Return [(text, size, whether it is the main text)] for the lines below the plot."""
    content, tree = contents.nodes[node], contents.tree
    if content.kind.is_leaf:
        return [(f"predicts {getattr(content, 'named', content.answer)}", WORDS, True)]
    text = text_fit.clean(content.words, any_glyph=True)
    lines = [(line, WORDS, True) for line in text_fit.wrapped(text, WORDS, WIDTH - 2 * MARGIN, 4, bold=True)]
    more = "Rows go right if true, left otherwise."
    if tree.missing_right is not None:
        more += f" Missing values go {'right' if tree.missing_right[node] else 'left'}."
    return [*lines, (more + content.note, 12, False)]


def _means(painter, means, top):
    """Draw the mean images of the rows that go left and right."""
    for i, (mean, text) in enumerate(zip(means, ("mean image, left", "mean image, right"), strict=True)):
        unit = SIDES / max(mean.shape)
        w, h = unit * mean.shape[1], unit * mean.shape[0]
        x = WIDTH / 2 + (i - 0.5) * (SIDES + 40)
        painter.canvas.image(painter.ink(mean), x - w / 2, top, w, h)
        painter.labels.add(x, top + SIDES + 9, text, 12, painter.theme.muted, SIDES + 30)


def _codes(figures):
    """Return the codes of the classes in the table: all classes with rows, or the most frequent of many."""
    present = np.flatnonzero(figures.counts)
    if present.size > MOST_CLASSES:
        present = present[np.argsort(-figures.counts[present], kind="stable")[:MOST_CLASSES]]
    return present


def _class_table(painter, node, codes, top):
    """Draw the rows of each class: on the left those that go left, on the right those that go right."""
    contents, theme, labels = painter.contents, painter.theme, painter.labels
    tree, counts = contents.tree, contents.nodes[node].figures.counts
    is_leaf = tree.left[node] < 0
    yes = counts if is_leaf else contents.nodes[node].figures.right
    no = np.zeros_like(counts) if is_leaf else counts - yes
    most, reach, gap = max(yes.max(), no.max(), 1), 110, 84
    middle = MARGIN + gap if is_leaf else WIDTH / 2
    sides = [] if is_leaf else contents.branches[node]
    heads = [] if is_leaf else [(middle - gap, f"{sides[0]}: {count(no.sum())}", "right")]
    heads.append((middle + gap, "rows" if is_leaf else f"{sides[1]}: {count(yes.sum())}", "left"))
    for x, text, align in [*heads, (middle, contents.target.title, "center")]:
        labels.add(x, top, text, 12, theme.muted, 2 * gap - 20, align=align, whole=True)
    for place, code in enumerate(codes):
        y = top + ROW * (place + 1)
        labels.add(middle, y, contents.target.groups[code], 12, theme.text, 2 * gap - 16)
        for value, side in ((no[code], -1), (yes[code], 1)):
            if is_leaf and side < 0:
                continue
            wide = reach * value / most
            x = middle + side * gap
            painter.canvas.rectangle(min(x, x + side * wide), y - 5, wide, 10, painter.colors[code])
            align = "left" if side > 0 else "right"
            labels.add(x + side * (wide + 5), y, count(value), 12, theme.text, 70, align=align, whole=True)
