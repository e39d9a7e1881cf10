"""Show the trees of the forests in a comparison as thumbnails, each of which opens a tree."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.jobs.kinds.comparison_protocol import SHOWN_FOLD
from pages.jobs.settings import ComparisonSettings
from pages.ui.session import loaded_models
from pages.ui.shell import address, chart, tree_strip
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.foreign.tree_of_data import tree_of_data
from treecore.model.model import Model
from viz.tree.thumbnails import thumbnails

_FAULT = "forest_tree_fault"


def forest_section(job: str, found: Any, data: DataSet, chosen: ComparisonSettings) -> None:
    """Draw the section if a `Comparison` has a forest.

    chosen : `ComparisonSettings` of the comparison.
    """
    cells = {name: cell for name in found.methods for cell in found.of(name) if cell.fold == SHOWN_FOLD and cell.trees}
    if not cells:
        return
    st.markdown("## Trees of the forests")
    name = st.selectbox("Forest", list(cells), format_func=label_by(found.methods), key=f"forest-{job}")
    cell = cells[name]
    key = f"forest-tree-{job}-{name}"
    number = tree_strip.tree_number(key, len(cell.trees))
    first = number // tree_strip.MOST * tree_strip.MOST
    shown = cell.trees[first : first + tree_strip.MOST]
    pictures = _pictures(f"{job}-{name}-{first}", chart.theme(), shown)
    tree_strip.tree_strip(key, first, pictures)
    left = (
        ""
        if len(cell.trees) == cell.size.n_trees
        else (
            f" Shows the first {len(cell.trees)} of {cell.size.n_trees} trees, because the whole forest is too large "
            "to store."
        )
    )
    st.caption(
        (
            "Width: share of training rows. Colour: prediction of the node. The forest combines the predictions of "
            "all trees, so its error is usually smaller than the error of a single tree."
        )
        + left
    )
    shows, keeps, _ = st.columns([2, 2, 3])
    arguments = (data, found.methods[name], cell, number, chosen.seed)
    is_shown = shows.button(
        f"Show tree {number}", icon=":material/account_tree:", key=f"forest-show-{job}", on_click=_open,
        args=(*arguments, True), width="stretch", help="Opens this tree on the Tree page, where TAO can simplify it.",
    )  # fmt: skip
    keeps.button(
        "Save tree", icon=":material/bookmark_add:", key=f"forest-keep-{job}", on_click=_open, args=(*arguments, False),
        width="stretch", help="Adds the tree to all pages and to the side-by-side view.",
    )  # fmt: skip
    if is_shown and _FAULT not in st.session_state:
        st.rerun()  # the section is a fragment, which cannot open another page
    if fault := st.session_state.pop(_FAULT, None):
        st.error(plain(fault), icon=":material/error:")


def _open(data: DataSet, title: str, cell: Any, number: int, seed: int, shows: bool) -> None:
    try:
        tree = tree_of_data(cell.trees[number], data).tree
        facts = {"program": title, "tree number": number, "trees of the model": cell.size.n_trees, "seed": seed}
        sizes = {"n_decision": tree.n_decision, "n_leaves": tree.n_leaves, "depth": tree.depth}
        model = Model.of(tree, data, facts, (), sizes)
        name = loaded_models.add_model(model, f"{title}, tree {number}")
    except TreecoreError as error:
        st.session_state[_FAULT] = str(error)
        return
    if shows:
        address.leave_for("pages/explore.py", {"source": f"model-{name}"})


@computed(12)
def _pictures(name: str, theme: str, _trees: Sequence[Any]) -> list[tuple[str | None, str]]:
    words = [f"{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}" for tree in _trees]
    return list(zip(thumbnails(_trees, theme), words, strict=True))
