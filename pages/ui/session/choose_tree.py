"""Draw the title of the Rules, Explain, Predict and Edit pages, and choose their tree."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from pages.jobs import user_store
from pages.jobs.point import Point
from pages.ui.session import data_sets, loaded_models, page_settings, settings_for_data, shown_path, training
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import address, link_notes
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.page_title import page_title
from treecore.model.model import Model
from treecore.tree.number_text import number

PATH, PATH_TITLE = "explore", "As on the Tree page"
PATH_PAGE = "pages/explore.py", {"source": PATH}  # the Tree page with its path, even if it showed an opened tree
ON_TREE_PAGE = "tree_page_source"  # key of the session for the tree on the Tree page


def choose_tree(title: str, needs_rows: bool = True, opens_files: bool = False, **shared: Any) -> ChosenTree:
    """Draw the head of the page with its title and the choice, and return the `ChosenTree`.

    While the tree is being trained, the function shows the progress and ends the run.

    title : title of the page; needs_rows : whether to end the run for a model without any row of its data;
    opens_files : whether to offer opening model files; shared : other parameters of the page for the address, None for
    those left out.
    """
    sources = _sources(shared)
    if address.is_from_address("chosen_source") or st.session_state["chosen_source"] not in sources:
        st.session_state["chosen_source"] = next(iter(sources))
    # Without a widget, the key would outlive the page.
    source = st.session_state["chosen_source"] if len(sources) > 1 else st.session_state.pop("chosen_source")
    with st.container(key="page-head", horizontal=True, vertical_alignment="center"):
        words = st.empty()
        page_title(title, place=words)
        if len(sources) > 1:
            source = st.selectbox(
                "Tree", list(sources), format_func=lambda key: sources[key][0], key="chosen_source",
                label_visibility="collapsed", width=280,
            )  # fmt: skip
        if opens_files:
            with st.popover("Open a model file", icon=":material/upload_file:"):
                loaded_models.uploader()
    chosen = sources[source][1]()
    page_title(title, chosen.title, words)
    if needs_rows and not chosen.has_rows:
        loaded_models.explain_no_rows(chosen.loaded)
        st.stop()
    return chosen


def _sources(shared: dict[str, Any]) -> dict[str, tuple[str, Callable[[], ChosenTree]]]:
    """Return {key: (title, function that returns the tree)} of the available trees, the current one first."""
    linked = st.query_params.get("source")
    preferred = linked or st.session_state.get("last_store")
    sources = {PATH: (PATH_TITLE, partial(_of_path, shared))} | {
        f"model-{name}": (f"{name} (file)", partial(_of_file, shared, name, model))
        for name, model in loaded_models.models()
    }
    first = preferred if preferred in sources else PATH
    if linked and first != linked:
        link_notes.add(
            f"The tree '{plain(linked[:60])}' in this link is not available. A model is available only in the "
            "tab that opened its file. Showing the tree of the Tree page."
        )
    return {key: sources[key] for key in sorted(sources, key=lambda key: key != first)}


def _of_path(shared: dict[str, Any]) -> ChosenTree:
    store = page_settings.EXPLORE
    chosen = store.current()
    data = data_sets.load_or_stop(chosen.data_set)
    settings_for_data.make_possible(data)
    settings_for_data.show_changes()
    shown = shown_path.submit(chosen, data, None if chosen.lam is None else st.empty())
    job, its_settings, status = shown.current_job()
    shown_path.share(shown, **shared)
    if shown.waits or training.runs(status):
        st.fragment(_wait, run_every=training.REFRESH)(job)
        st.stop()
    training.notice(job, its_settings, data, status)
    trees = shown.trees()
    points = trees.points
    if not points:
        st.stop()
    wanted = shown_path.placed(shown_path.view_of(store, shown.name), points)
    view = trees.view(wanted)
    if wanted is not None and wanted.tree >= len(points):
        link_notes.add(shown_path.no_such_tree(wanted, len(points)))
    return shown.chosen_tree(view.tree)


def _of_file(shared: dict[str, Any], name: str, model: Model) -> ChosenTree:
    query = {"source": f"model-{name}"} | shared
    store = page_settings.EXPLORE
    if user_store.is_own(store.current().data_set):  # a link to user data would share the data unintentionally
        address.write({key: str(value) for key, value in query.items() if value is not None})
    else:  # a visitor without the file sees another tree with these settings
        store.share_in_url(**query)
    return of_model(name, model)


def of_model(name: str, model: Model) -> ChosenTree:
    """Return the `ChosenTree` of an opened or saved model, and make the other pages use this tree."""
    st.session_state["last_store"] = f"model-{name}"
    data, rows, has_data = loaded_models.data_of(model)
    lam = model.parameters.get("lam")
    lam = float(lam) if isinstance(lam, int | float) else 0.0
    point = Point(0, lam, model.tree, model.figures, model.trace)
    title = model.data.title if model.data else "Tree without data"
    title += f", from {model.parameters['program']}" if "program" in model.parameters else f", λ = {number(lam)}"
    title += ", edited" if "edited" in model.parameters else ""
    return ChosenTree(
        f"model-{model.checksum[:16]}-{data.fingerprint[:12] if has_data else 'file'}",
        title,
        point,
        data,
        rows,
        model.parameters,
        has_data,
        loaded=model,
    )


def _wait(job: str) -> None:
    if not training.is_running(job):
        st.rerun()
    training.progress(job, training.status(job))
