"""Show one opened or saved tree on the Tree page."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.explore import explorer, improve_section
from pages.ui.explore.all_rows_section import counts_of_all_rows
from pages.ui.save import saving
from pages.ui.save.save_menu import place
from pages.ui.session import choose_tree, controls, loaded_models
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import address, link_notes, stage
from pages.ui.shell.markdown_text import plain

_SHOWN = "_tree_page_source"
TRAINED = "Trained here"
SLOT = "opened"


def choose(row: DeltaGenerator) -> tuple[str, ChosenTree] | None:
    """Return (name, `ChosenTree`) of the chosen opened or saved tree, or None for trees trained here.

    row : container for the choice, if there is one
    """
    models = {f"model-{name}": (name, model) for name, model in loaded_models.models()}
    linked = st.query_params.get("source")
    if address.is_from_address(choose_tree.ON_TREE_PAGE):
        st.session_state[choose_tree.ON_TREE_PAGE] = linked or choose_tree.PATH
        if linked is not None and linked not in (choose_tree.PATH, *models):
            link_notes.add(
                f"The tree '{plain(linked[:60])}' in this link is not available. A model is available only in "
                "the tab that opened its file."
            )
    if st.session_state[choose_tree.ON_TREE_PAGE] not in models:
        st.session_state[choose_tree.ON_TREE_PAGE] = choose_tree.PATH
    if not models:
        return None
    now = st.session_state[_SHOWN] = st.session_state[choose_tree.ON_TREE_PAGE]
    row.selectbox(
        "Tree", [choose_tree.PATH, *models], key=_SHOWN, on_change=_keep, **controls.looks(in_row=True),
        format_func=lambda key: models[key][0] if key in models else TRAINED,
    )  # fmt: skip
    if now not in models:
        return None
    address.write({"source": now})
    return models[now][0], choose_tree.of_model(*models[now])


def _keep() -> None:
    # Streamlit drops the value of a widget when the visitor leaves the page.
    st.session_state[choose_tree.ON_TREE_PAGE] = st.session_state[_SHOWN]


def tree_page(opened: tuple[str, ChosenTree]) -> None:
    """Draw the page of the tree that `choose` returned."""
    (name, chosen), menu = opened, place()
    st.text(f"{name}: {chosen.title}")
    if chosen.data is None:
        loaded_models.explain_no_rows(chosen.loaded)
        return
    if chosen.n_all_rows:
        st.caption(counts_of_all_rows(chosen.n_all_rows))
    content = stage.payload(
        f"{SLOT}-{chosen.name}", False, [chosen.point], chosen.data, chosen.rows if chosen.has_data else None,
        whole=bool(chosen.n_all_rows),
    )  # fmt: skip
    seen = stage.mount(f"{SLOT}-{chosen.name}", content, stage.View(0), SLOT, stage.Options(banner=True, alone=True))
    node = None if seen is None else seen.node
    explorer.page_links(node)
    improve_section.improve_section(name, chosen)
    with menu:
        saving.tree_menu(chosen, node)
