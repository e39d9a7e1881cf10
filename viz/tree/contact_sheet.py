"""A regularisation path as a PDF: its curves, followed by all its trees in order of lambda."""

from collections.abc import Callable, Sequence
from typing import Any

from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.training.path import RegularizationPath
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import target_of
from viz.charts.path_figures import path_panel
from viz.charts.path_points import (
    RECOMMENDED,
    error_panel,
    number_text,
    path_places,
    path_points,
    recommended,
    size_panel,
    summary,
    title_of,
)
from viz.drawing.canvas import Box, Canvas, pdf_of
from viz.drawing.check_output import check_theme
from viz.drawing.figure_entries import FIGURE
from viz.nodes.node_contents import node_contents
from viz.palette import THEMES
from viz.tree.tree_drawing import LINE, draw_legend, draw_tree
from viz.tree.tree_figure import check_data

PAGE = (827, 1169)  # in pixels, A4
MARGIN, GAP = 40, 24
CAPTION = 50
LARGEST_LEVEL = 110
MOST = 8  # columns or rows
RULES = "best: smallest validation error; simplest good: simplest tree within one standard error of the best"


@filled(FIGURE)
def contact_sheet(
    path: RegularizationPath | Sequence,
    data: DataSetLike,
    columns: int = 2,
    rows: int = 3,
    theme: str = "light",
    on_frame: Callable | None = None,
) -> bytes | None:
    """Draw the trees of a path in a PDF, in order of lambda.

    Parameters
    ----------
    path : RegularizationPath or list
        Path, or objects with `lam`, `tree` and optional errors.
    {data}
    columns : int, default=2
        Number of trees next to each other on a page.
    rows : int, default=3
        Number of rows of trees on a page.
    {theme}
    on_frame : callable or None, default=None
        Function of (trees done, trees in total). If it returns a true value, drawing stops.

    Returns
    -------
    bytes or None
        The PDF, or None if drawing was stopped.

    Raises
    ------
    ParameterError
        If the path, theme, numbers or data set are invalid.

    See Also
    --------
    path_gif : Draws the path as an animation.

    Examples
    --------
    >>> import sample_data, viz
    >>> from treecore import TAOClassifier, regularization_path
    >>> data = sample_data.load("iris")
    >>> estimator = TAOClassifier(split="univariate", init="cart", max_depth=1)
    >>> path = regularization_path(estimator, data.X, data.labels(), lams=[9.0])
    >>> viz.contact_sheet(path, data)[:4]
    b'%PDF'
    """
    points = path_points(path)
    check_theme(theme)
    for name, value in (("columns", columns), ("rows", rows)):
        if value not in range(1, MOST + 1):
            raise ParameterError(f"{name}={literal(value)}: expected 1 to {MOST}.")
    for point in points:
        check_data(point.tree, data)
    marks = {}
    for rule, index in recommended(path).items():
        name = RECOMMENDED[rule]
        marks[index] = f"{marks[index]} and {name}" if index in marks else name
    per_page = columns * rows
    n_pages = 1 + -(-len(points) // per_page)
    pages = [_first_page(points, marks, data, THEMES[theme], n_pages)]
    for first in range(0, len(points), per_page):
        page = _blank(THEMES[theme], len(pages) + 1, n_pages, title_of(data))
        legend: Any = None
        for place, index in enumerate(range(first, min(first + per_page, len(points)))):
            contents = node_contents(points[index].tree, data)
            _cell(page, points[index], contents, marks.get(index), _cell_box(place, columns, rows))
            legend = max(legend or contents, contents, key=lambda one: one.tree.n_nodes)
            if on_frame is not None and on_frame(index + 1, len(points)):
                return None
        draw_legend(page, legend, MARGIN, PAGE[1] - MARGIN - 2 * LINE, PAGE[0] - 2 * MARGIN)
        pages.append(page)
    return pdf_of(pages, f"Regularisation path: {title_of(data)}")


def _blank(theme, number, n_pages, title):
    page = Canvas(*PAGE, theme, "pdf")
    room = PAGE[0] - 2 * MARGIN
    page.text(PAGE[0] - MARGIN, 20, f"{number} / {n_pages}", 12, room, theme.muted, align="right")
    if number > 1:
        page.text(MARGIN, 20, title, 12, room - 80, theme.muted, align="left")
    return page


def _first_page(points, marks, data, theme, n_pages):
    """Draw the title, the metrics and the curves."""
    page = _blank(theme, 1, n_pages, "")
    room, y = PAGE[0] - 2 * MARGIN, 70
    page.text(MARGIN, y, title_of(data) or "Regularisation path", 26, room, theme.text, align="left", bold=True)
    for text in _facts(points, data):
        y += 26 if y > 70 else 36
        page.text(MARGIN, y, text, 13, room, theme.muted, align="left")
    for index, name in sorted(marks.items()):
        y += 26
        text = f"{name[0].upper()}{name[1:]}: {points[index].place}, "
        f"{', '.join(summary(points[index]))}"
        page.text(MARGIN, y, text, 13, room, theme.text, align="left", bold=True)
    if marks:
        y += 22
        page.text(MARGIN, y, RULES, 12, room, theme.muted, align="left")
    lams = path_places(points)
    panels = [panel for panel in (error_panel(points), size_panel(points)) if panel]
    y += 40
    height = min((PAGE[1] - MARGIN - y) / len(panels) - GAP, 420)
    for i, panel in enumerate(panels):
        named = [(index, "" if i else name) for index, name in sorted(marks.items())]
        path_panel(page, panel, lams, Box(MARGIN, y, room, height), marks=named)
        y += height + GAP
    return page


def _facts(points, data):
    """Return the description of the path as lines of text."""
    count, leaves = len(points), [point.tree.n_leaves for point in points]
    has_sizes = points[0].size is not None
    trees = f"{'Best trees by size' if has_sizes else 'Regularisation path'}: {count} tree{'s' if count > 1 else ''}"
    if count > 1 and not has_sizes:
        trees += f", λ from {number_text(points[0].lam)} to {number_text(points[-1].lam)}"
    if count > 1:
        trees += f", {max(leaves):,} to {min(leaves):,} leaves"
    n_rows, n_features = data.X.shape
    target = target_of(points[0].tree, data)
    groups = [] if target.is_ordered else [f"{len(target.groups)} {target.nouns}"]
    return [trees, ", ".join([f"{n_rows:,} rows", f"{n_features:,} features", *groups])]


def _cell_box(place, columns, rows):
    """Return the `Box` of a tree on its page."""
    width = (PAGE[0] - 2 * MARGIN - (columns - 1) * GAP) / columns
    height = (PAGE[1] - 2 * MARGIN - 2 * LINE - rows * GAP) / rows
    row, column = divmod(place, columns)
    return Box(MARGIN + column * (width + GAP), MARGIN + row * (height + GAP), width, height)


def _cell(page, point, contents, mark, box):
    """Draw one tree below its caption."""
    text, muted = page.theme.text, page.theme.muted
    page.rectangle(box.left, box.top, box.width, 1, page.theme.line)
    heading = point.place + (f": {mark}" if mark else "")
    page.text(box.left, box.top + 12, heading, 13, box.width, text, align="left", bold=True)
    for i, line in enumerate(_caption(point)):
        page.text(box.left, box.top + 28 + 15 * i, line, 12, box.width, muted, align="left")
    height = min(box.height - CAPTION - 4, (point.tree.depth + 1) * LARGEST_LEVEL)
    draw_tree(page, contents, Box(box.left, box.top + CAPTION + 4, box.width, height))


def _caption(point):
    """Return two lines with the metrics of a tree."""
    tree = point.tree
    sizes = f"{summary(point)[0]} · depth {tree.depth} · {tree.features_per_node:.3g} features per node"
    return [sizes, " · ".join(f"{name} {tree.target.error_text(error)}" for name, error in point.named_errors())]
