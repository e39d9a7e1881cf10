"""Draw the main area of the Explain page: the row, its counterfactual, feature importance, and the tree."""

from typing import Any

import numpy as np
import streamlit as st

from pages.ui.explain import explain_change, explain_features, explain_row, explain_rows
from pages.ui.save import saving
from pages.ui.save.save_menu import place
from pages.ui.session import choose_tree, thresholds
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import address, link_notes, stage
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from viz.words.row_words import row_text

SECTIONS = {"row": "This row", "change": "What would change it", "features": "Which features matter"}
KEY, KEPT = "explain_section", "explain_kept_section"


def choose() -> ChosenTree:
    """Return the `ChosenTree`, and write the row and the section into the address."""
    linked: dict[str, Any] = {"row": explain_rows.current_row(), "part": asked_section()} | thresholds.texts()
    return thresholds.apply(choose_tree.choose_tree("Explain", **linked))


def asked_section() -> str:
    if address.is_from_address(KEPT):
        if KEPT in st.session_state:
            st.session_state.pop(KEY, None)
        st.session_state[KEPT] = linked = st.query_params.get("part")
        if linked is not None and linked not in SECTIONS:
            link_notes.add(
                f"This link contains an unsupported section: '{plain(linked[:40])}'. Showing '{SECTIONS['row']}'."
            )
    name = st.session_state.get(KEY) or st.session_state[KEPT]
    return name if name in SECTIONS else "row"


def explain_page(chosen: ChosenTree) -> None:
    """Draw the page."""
    with place():
        saving.tree_menu(chosen)
    st.session_state[KEY] = asked_section()
    st.session_state[KEPT] = section = st.segmented_control(
        "Question", list(SECTIONS), format_func=label_by(SECTIONS), required=True, key=KEY, label_visibility="collapsed"
    )
    # The stage stays mounted only if every section has the same containers.
    top, bottom = st.container(), st.container()
    if section == "features":
        with top:
            explain_features.features_section(chosen)
        return
    data = chosen.data
    outputs = _outputs(chosen.name, chosen)
    with top:
        row = explain_rows.choose(chosen, outputs)
        x = data.X[row].astype(np.float64)
        if section == "row":
            explain_row.row_section(chosen, row, x)
        else:
            explain_change.change_section(chosen, row, x)
    with bottom:
        _stage(chosen, row, x)


@computed(8)
def _outputs(name: str, _chosen: ChosenTree) -> np.ndarray:
    """Return the predicted target value of each row of the data, [n]."""
    tree, X = _chosen.tree, _chosen.data.X
    return _chosen.target.row_outputs(tree, X, tree.apply(X))


def _stage(chosen: ChosenTree, row: int, x: np.ndarray) -> None:
    rows = chosen.rows if any(len(part) for part in chosen.rows) else None
    content = stage.payload(
        f"{chosen.name}-alone", False, [chosen.point], chosen.data, rows, _monotone=chosen.monotone,
        whole=bool(chosen.n_all_rows),
    )  # fmt: skip
    changed, turn = explain_change.input_on_stage(chosen.name, row)
    label = chosen.data.y[row].item() if chosen.has_data else None
    followed = stage.FollowedRow(tuple(x.tolist()), row_text(chosen.data, row), label, changed, turn)
    stage.mount(f"{chosen.name}-alone", content, stage.View(0), "explain", stage.Options(alone=True, follow=followed))
