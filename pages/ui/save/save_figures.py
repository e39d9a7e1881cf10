"""Save figures of a tree, its parts or nodes, and charts. Each is made when the visitor clicks its button."""

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from pages.ui.save.save_menu import SavedFile
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.save_button import save_button
from treecore.errors import TreecoreError
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from viz.artifacts import TREE_FILES
from viz.drawing.canvas import font_words
from viz.drawing.check_output import check_pixels
from viz.figure_format import FIGURE_FORMATS
from viz.tree.node_figure import node_figure, node_zip, zipped_nodes
from viz.tree.tree_figure import figure, largest_size
from viz.tree.tree_pages import pages, parts_of_pages
from viz.words.sentences import tree_doubt, tree_sentence

WHOLE, SUBTREE, WAY, NODE, PAGES, ZIP = (
    "Whole tree", "Subtree of the selected node", "Path to the selected node", "Selected node",
    "Pages (PDF, A4)", "All nodes (zip)",
)  # fmt: skip
DPI = (100, 150, 200, 300, 600)
WIDTHS = (3.0, 60.0)  # minimum and maximum width of a figure in inches


def files(label: str, stem: str, make: Callable[[str], bytes | None]) -> list[SavedFile]:
    """Return one `SavedFile` per format of a figure.

    make : function that returns the bytes of a format, such as "svg".
    """
    return [
        SavedFile(f"{label} ({form.words})", lambda ending=ending: make(ending), f"{stem}.{ending}", form.mime)
        for ending, form in FIGURE_FORMATS.items()
    ]


def background(key: str) -> str:
    """Draw the choice of a background and return it. Documents are light, so a dark page does not change the default.

    key : unique key on the page.
    """
    return st.segmented_control("Background", ["light", "dark"], default="light", required=True, key=key)


def whole(chosen: ChosenTree, stem: str) -> list[SavedFile]:
    """Return the `SavedFile` list with the figure of a `ChosenTree` on a light background."""
    return [SavedFile.of(TREE_FILES[ending], lambda: known(chosen), stem) for ending in FIGURE_FORMATS]


def known(chosen: ChosenTree) -> dict[str, Any]:
    """Return the inputs of the figure and the page of a `ChosenTree` by name."""
    return {"tree": chosen.tree, "data": chosen.data, "rows": _rows(chosen)} | words_of(chosen)


def words_of(chosen: ChosenTree) -> dict[str, str]:
    """Return the title of a figure, the tree in one sentence, and its caption with the origin of tree and error."""
    figures = chosen.point.figures
    error, n = figures.get("test_error"), figures.get("n_test")
    sentence = tree_sentence(chosen.tree, chosen.target, error, n, bool(figures.get("is_weighted")))
    measured = f" · error measured on {n:,} test rows" if error is not None and n else ""
    if doubt := tree_doubt(chosen.tree, chosen.target, error):
        measured += f" · {doubt}"
    return {"title": sentence, "caption": f"{chosen.title}{measured} · {datetime.date.today().isoformat()}"}


def _rows(chosen: ChosenTree) -> np.ndarray | None:
    """Return the rows that the figures count, the training rows of the tree."""
    return chosen.rows[0] if chosen.has_data and len(chosen.rows) and len(chosen.rows[0]) else None


def parts(chosen: ChosenTree, origin: int | None, stem: str) -> None:
    """Draw the choice among the figures of the tree, its parts and its nodes.

    origin : origin id of the selected node, or None.
    """
    _choices(chosen, _rows(chosen), _node_of(chosen.tree, origin), stem)


def _node_of(tree: Tree, origin: int | None) -> int | None:
    """Return the position of the selected node in this tree, or None if the tree does not contain it."""
    found = [] if origin is None else np.flatnonzero(tree.origin == origin)
    return int(found[0]) if len(found) else None


def _choices(chosen: ChosenTree, rows: Any, node: int | None, stem: str) -> None:
    offered = [WHOLE, PAGES, ZIP] if node is None else [WHOLE, SUBTREE, WAY, NODE, PAGES, ZIP]
    what = st.selectbox("Figure", offered, key="figure-what")
    if node is None:
        st.caption("Select a node on the stage to save its subtree or its decision path.")
    look = background("figure-theme")
    ending, width, dpi = "pdf", 11.0, 200
    if what != PAGES:
        ending = st.segmented_control(
            "Format", list(FIGURE_FORMATS), default="svg", required=True, key="figure-format",
            format_func=lambda one: FIGURE_FORMATS[one].words,
        )  # fmt: skip
    left, right = st.columns(2)
    if what in (WHOLE, SUBTREE, WAY):
        width = left.number_input("Width (inches)", *WIDTHS, 11.0, 0.5, format="%.1f", key="figure-width")
    if FIGURE_FORMATS[ending].has_pixels:
        dpi = right.selectbox("Resolution (dpi)", DPI, DPI.index(200), key="figure-dpi")
    try:
        note, make, name, mime = _figure_file(chosen, rows, node, what, ending, width, dpi, look)
    except TreecoreError as error:
        st.error(str(error), icon=":material/error:")
        return
    if note:
        st.caption(note)
    save_button("Save figure", make, f"{stem}{name}", mime, key="figure-save", type="primary", width="stretch")


def font_note(chosen: ChosenTree) -> None:
    """Draw a warning about names that figures as PNG and PDF show wrongly, if there are any."""
    if words := font_words(_names(chosen)):
        st.warning(plain(words), icon=":material/font_download_off:")


def _names(chosen: ChosenTree) -> list[str]:
    """Return the names in the figures of a tree."""
    used = [chosen.tree.feature_names[j] for j in np.unique(chosen.tree.features)] if chosen.tree.feature_names else []
    return [*map(str, used), *chosen.target.groups, *words_of(chosen).values()]


def _figure_file(
    chosen: ChosenTree, rows: Any, node: Any, what: str, ending: str, width: float, dpi: int, look: str
) -> tuple[str, Callable[[], Any], str, str]:
    """Return (remark, function that makes the file, end of its name, MIME type).

    Raises TreecoreError if the figure is too large.
    """
    tree, data, words = chosen.tree, chosen.data, words_of(chosen)
    shared: dict[str, Any] = {"rows": rows, "theme": look}
    mime = FIGURE_FORMATS[ending].mime
    called = "-".join(node_names(tree)[node or 0].split()[:2])
    if what == PAGES:
        count = len(parts_of_pages(tree))
        remark = f"{count} page{'s' * (count > 1)}. Each cut branch shows the page number of its subtree."
        return remark, lambda: pages(tree, data, title=words["title"], **shared), "-pages.pdf", mime
    if what == ZIP:
        remark = f"{zipped_nodes(tree).size} files. Large trees take some seconds."
        return (
            remark,
            lambda: node_zip(tree, data, ending, dpi=dpi, **shared),
            f"-nodes-{ending}.zip",
            "application/zip",
        )
    if what == NODE:
        return "", lambda: node_figure(tree, data, node, ending, dpi=dpi, **shared), f"-{called}.{ending}", mime
    part = {SUBTREE: {"root": node}, WAY: {"leaf": node}}.get(what, {})
    size = largest_size(tree, width, **part, image_shape=data.image_shape)
    check_pixels(ending, size, dpi)
    name = {SUBTREE: f"-below-{called}", WAY: f"-way-{called}"}.get(what, "")
    remark = f"Size: about {size[0]:.1f} × {size[1]:.1f} inches."
    return (
        remark,
        lambda: figure(tree, data, format=ending, size=(width, None), dpi=dpi, **part, **words, **shared),
        f"{name}.{ending}",
        mime,
    )
