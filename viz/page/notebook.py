"""Trees and paths in a notebook: the stage as a widget connected to Python, or in a frame."""

from __future__ import annotations

import base64
import html
import io
import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike
from PIL import Image

from treecore.errors import ParameterError
from treecore.messages import literal
from viz.page.stage_html import stage_page
from viz.payload.grid_facts import is_grid, readable_in_grid
from viz.payload.stage_payload import EMPTY_PATH, points_in_order, stage_payload
from viz.tree.bare_data import BareData
from viz.tree.forest_strip import MOST, forest_of, forest_strip
from viz.tree.given_data import given_data
from viz.tree.readable_tree import readable_tree
from viz.tree.tree_figure import figure

if TYPE_CHECKING:
    from viz.page.stage_widget import StageWidget

HEIGHT = 600  # in pixels
MOST_NODES = 20_000  # maximum number of nodes of all trees on the stage
MOST_BYTES = 4_000_000  # maximum size in bytes of the page with the stage
MOST_DRAWN = 400  # maximum number of nodes in a figure
MOST_STILL = 21_500  # maximum size in bytes of the figure that replaces the widget in a saved notebook
STILL_SIZES = (1.0, 0.75, 0.5)


class Shown:
    """Display of a tree or a path in a notebook.

    html : HTML for the notebook
    text : text for a terminal
    """

    def __init__(self, html: str, text: str) -> None:
        self.html, self.text = html, text

    def _repr_html_(self):
        return self.html

    def __repr__(self):
        return self.text


def show(
    tree_or_path: Any, data: Any = None, y: ArrayLike | None = None, rows: Sequence | None = None, height: int = HEIGHT
) -> Shown | StageWidget:
    """Show the interactive tree or path in a notebook.

    If anywidget is installed, the result is a `StageWidget` in a notebook. Its `selected_rows`, `node`, `tree` and
    `lam` can be read, set and observed. A tree that is too large for a cell is shown as a figure, a forest as
    `viz.forest_strip`.

    Parameters
    ----------
    tree_or_path : Tree, RegularizationPath, list or fitted model
        Tree or path, objects with `tree` and `lam`, or a fitted estimator or pipeline (`treecore.foreign.fitted_tree`).
    data : DataSet, table or None, default=None
        Data set of the trees, or a table X (DataFrame or array). None shows the counts stored in the trees.
    y : array-like or None, default=None
        Class labels or numbers of a table.
    rows : tuple of int array or None, default=None
        Row numbers (training, validation, test). None if the data are not divided.
    height : int, default=600
        Height in pixels, 200 to 4000.

    Returns
    -------
    Shown or StageWidget
        An object that a notebook displays as the last line of a cell.

    Raises
    ------
    ParameterError
        If the height is out of range, or the data do not fit the trees.

    See Also
    --------
    stage_html : Returns the stage as a file.

    Examples
    --------
    >>> import sample_data, viz
    >>> from treecore import CARTClassifier
    >>> data = sample_data.load("iris")
    >>> shown = viz.show(CARTClassifier(random_state=0).fit(data.X, data.labels()), data)
    >>> hasattr(shown, "_repr_html_") or hasattr(shown, "_repr_mimebundle_")
    True
    """
    return _shown(tree_or_path, data, y, rows, height, _widget_class())


def cell_html(tree_or_path: Any) -> str:
    """Return the HTML of a notebook cell that shows a Tree or a path without its rows.

    This HTML works in every program that opens notebooks.
    """
    return _shown(tree_or_path, None, None, None, HEIGHT, None).html


def displayed(tree_or_path: Any) -> bool:
    """Show a Tree or a path as a widget in the current cell.

    Return False if that is impossible or the tree is too large.
    """
    widget_class = _widget_class()
    shown = widget_class and _shown(tree_or_path, None, None, None, HEIGHT, widget_class)
    if not widget_class or not isinstance(shown, widget_class):
        return False
    shown._ipython_display_()
    return True


def _shown(tree_or_path, data, y, rows, height, widget_class):
    if not 200 <= height <= 4000:
        raise ParameterError(f"height={literal(height)}: expected 200 to 4000 pixels.")
    if (forest := forest_of(tree_or_path)) is not None:
        return _strip(forest)
    tree_or_path, data, rows = given_data(tree_or_path, data, y, rows)
    trees = _trees(tree_or_path)
    if not trees:
        raise ParameterError(EMPTY_PATH)
    text = _words(trees)
    data = BareData.of(trees[0]) if data is None else data
    if sum(tree.n_nodes for tree in trees) > MOST_NODES:
        return Shown(_picture(trees[_opens(tree_or_path, data)], data, text), text)
    payload = stage_payload(tree_or_path, data, rows)
    if widget_class is None:
        page = stage_page(payload, data.title, fills=True)
        if len(page) <= MOST_BYTES:
            return Shown(_frame(page, height, text), text)
    elif len(payload) <= MOST_BYTES:
        alone = hasattr(tree_or_path, "left")
        points = [SimpleNamespace(tree=tree_or_path, lam=None)] if alone else points_in_order(tree_or_path)
        opens = _opens(tree_or_path, data)
        return widget_class(
            payload, points, len(data.X), text, lambda: _still(trees[opens], data, text), height=height, tree=opens
        )
    return Shown(_picture(trees[_opens(tree_or_path, data)], data, text), text)


def _widget_class():
    """Return `StageWidget` in a notebook that supports it, otherwise None."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if not hasattr(shell, "kernel") and not getattr(sys.modules.get("marimo"), "running_in_notebook", lambda: False)():
        return None
    try:
        from viz.page.stage_widget import StageWidget
    except ImportError:
        return None
    return StageWidget


def _strip(forest):
    text = f"{forest.program}: {forest.n_trees:,} trees"
    text += f", of which the first {MOST} are shown" if forest.n_trees > MOST else ""
    picture = base64.b64encode(forest_strip(forest)).decode()
    words = f"<p>{html.escape(text)}. {html.escape(forest.alone or '')}</p>"
    return Shown(f'{words}<img alt="{html.escape(text)}" src="data:image/svg+xml;base64,{picture}">', text)


def _trees(tree_or_path):
    return [tree_or_path] if hasattr(tree_or_path, "left") else [point.tree for point in points_in_order(tree_or_path)]


def _opens(tree_or_path, data):
    """Return the index of the tree of a path to show first: a readable tree."""
    if hasattr(tree_or_path, "left"):
        return 0
    return (readable_in_grid if is_grid(tree_or_path) else readable_tree)(
        tree_or_path, has_images=bool(data.image_shape)
    ).index


def _words(trees):
    """Return a one-line description of the trees."""
    sizes = [tree.n_leaves for tree in trees]
    if len(trees) == 1:
        return f"Decision tree with {sizes[0]} {'leaf' if sizes[0] == 1 else 'leaves'}, depth {trees[0].depth}"
    return f"Path of {len(trees)} decision trees with {max(sizes)} to {min(sizes)} leaves"


def _frame(page, height, text):
    # A separate document keeps ids and styles apart, even if the cell is displayed twice.
    return (
        f'<iframe srcdoc="{html.escape(page)}" title="{html.escape(text)}" width="100%" height="{height}" '
        f'style="border:0;min-width:320px" loading="lazy" allowfullscreen>{html.escape(text)}</iframe>'
    )


def _picture(tree, data, text):
    """Return text for trees that are too large for a stage, with a figure if its nodes are distinguishable."""
    words = f"<p>{html.escape(text)}: too large for an interactive view in a cell. Write the tree to a file with "
    "viz.stage_html.</p>"
    if tree.n_nodes > MOST_DRAWN:
        return words
    picture = base64.b64encode(figure(tree, data, format="png")).decode()
    return f'{words}<img alt="{html.escape(_words([tree]))}" src="data:image/png;base64,{picture}" width="1100">'


def _still(tree, data, text):
    """Return a small figure for a saved notebook, which does not keep the widget.

    The text alone is returned if the tree is too large.
    """
    words = f"<p>{html.escape(text)}: run this cell to explore it.</p>"
    if tree.n_nodes > MOST_DRAWN:
        return words
    drawn = Image.open(io.BytesIO(figure(tree, data, format="png", dpi=100))).convert("RGB")
    for size in STILL_SIZES:
        smaller = drawn.resize((round(drawn.width * size), round(drawn.height * size)), Image.Resampling.LANCZOS)
        smaller.save(packed := io.BytesIO(), "webp", quality=40, method=6)
        if packed.tell() <= MOST_STILL:
            source = f"data:image/webp;base64,{base64.b64encode(packed.getvalue()).decode()}"
            return f'{words}<img alt="{html.escape(text)}" src="{source}" width="880">'
    return words
