"""A large tree on several pages: its top with numbered stubs, then one page for every stub."""

import numpy as np

from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.messages import counted
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.number_text import percent
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from viz.charts.path_points import title_of
from viz.drawing.canvas import Box, Canvas, pdf_of
from viz.drawing.check_output import check_theme
from viz.drawing.figure_entries import FIGURE
from viz.nodes.node_contents import node_contents
from viz.nodes.tree_contents import TreeContents
from viz.palette import THEMES
from viz.tree.tree_drawing import LINE, draw_legend, draw_tree, legend_lines
from viz.tree.tree_figure import check_data, checked_rows
from viz.tree.tree_part import check_node, page_parts, stub_words, subtree
from viz.tree.tree_places import compact_height

PAGE = (1169, 827)  # in pixels, A4 landscape
MARGIN, HEAD = 40, 54
MOST_LEAVES, MOST_LEVELS = 12, 6  # maximum on one page
MOST_PAGES = 150
MOST_STEPS = 4  # maximum number of conditions shown from the decision path to the top node of a page


@filled(FIGURE)
def pages(
    tree: Tree,
    data: DataSetLike,
    *,
    root: int | None = None,
    theme: str = "light",
    title: str | None = None,
    rows: np.ndarray | None = None,
) -> bytes:
    """Draw a large tree as a PDF of several pages, A4 landscape.

    Page 1 shows the top of the tree. Each stub names the page of its subtree.

    Parameters
    ----------
    {tree, data}
    root : int or None, default=None
        Root of the subtree to draw. None draws the whole tree.
    {theme}
    title : str or None, default=None
        Title of every page. None uses the title of the data set.
    {rows}

    Returns
    -------
    bytes
        The PDF.

    Raises
    ------
    ParameterError
        If a parameter is invalid, or the tree needs more than 150 pages.
    DataError
        If the data do not fit the tree.

    See Also
    --------
    figure : Draws the tree as one figure.

    Examples
    --------
    >>> import sample_data, viz
    >>> from treecore import CARTClassifier
    >>> data = sample_data.load("iris")
    >>> tree = CARTClassifier(max_depth=1, random_state=0).fit(data.X, data.labels()).tree_
    >>> viz.pages(tree, data)[:4]
    b'%PDF'
    """
    check_theme(theme)
    check_data(tree, data)
    rows = checked_rows(rows, data)
    parts = parts_of_pages(tree, root)
    number_of = {int(part.nodes[0]): number for number, part in enumerate(parts, 1)}
    above = {int(part.nodes[place]): number for number, part in enumerate(parts, 1) for place in part.closed}
    contents = node_contents(tree, data, rows)
    title = title_of(data) if title is None else str(title)
    canvases = []
    for number, part in enumerate(parts, 1):
        page = Canvas(*PAGE, THEMES[theme], "pdf")
        _head(page, contents, part, title, number, len(parts), above.get(int(part.nodes[0])))
        stubs = {
            place: (f"page {number_of[int(part.nodes[place])]}", stub_words(tree, int(part.nodes[place])))
            for place in part.closed
        }
        room = PAGE[0] - 2 * MARGIN
        foot = legend_lines(contents, room) * LINE
        high = min(PAGE[1] - HEAD - MARGIN - foot, 1.25 * compact_height(tree, part, data.image_shape, room))
        draw_tree(page, contents, Box(MARGIN, HEAD + MARGIN / 2, room, high), part._replace(closed=stubs))
        draw_legend(page, contents, MARGIN, PAGE[1] - MARGIN / 2 - foot, room)
        canvases.append(page)
    return pdf_of(canvases, title)


def parts_of_pages(tree: Tree, root: int | None = None) -> list:
    """Return the `TreePart` of each page as a list, without drawing it.

    Raise ParameterError for more than 150 pages.
    """
    parts = page_parts(tree, 0 if root is None else check_node(tree, root, "root"), MOST_LEAVES, MOST_LEVELS)
    if len(parts) > MOST_PAGES:
        raise ParameterError(
            f"The tree has {tree.n_nodes:,} nodes and would need {len(parts)} pages (maximum {MOST_PAGES}). Pass "
            "root= to draw a subtree, or draw the whole tree as one large figure."
        )
    return parts


def _head(page, contents, part, title, number, n_pages, above):
    """Draw the title, the page number, and the decision path to the node at the top."""
    tree, theme, room = contents.tree, page.theme, PAGE[0] - 2 * MARGIN
    page.text(MARGIN, 26, title, 15, room - 130, theme.text, align="left", bold=True)
    page.text(PAGE[0] - MARGIN, 26, f"page {number} of {n_pages}", 12, 120, theme.muted, align="right")
    node = int(part.nodes[0])
    figures = contents.nodes[node].figures
    words = f"{node_names(tree)[node].capitalize()}, {percent(figures.share)} of the rows"
    if above:
        words += f", from page {above}"
    if node:
        words += ": " + way_words(contents, node)
    elif n_pages > 1:
        n_leaves = np.count_nonzero(tree.left[subtree(tree).nodes] < 0)
        words = f"{counted(int(n_leaves), 'leaf')}, depth {tree.depth}; each cut branch shows the page of its subtree"
    page.text(MARGIN, 46, words, 12, room, theme.muted, align="left")


def way_words(contents: TreeContents, node: int) -> str:
    """Return the last conditions on the decision path to a node as text."""
    tree, steps = contents.tree, []
    while node:
        if len(steps) == MOST_STEPS:
            steps.append("…")
            break
        above = int(tree.parents[node])
        text = contents.nodes[above].words
        steps.append(text if tree.right[above] == node else f"not ({text})")
        node = above
    return " → ".join(reversed(steps))
