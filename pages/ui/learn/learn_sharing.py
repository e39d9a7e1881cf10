"""Share a run with a class by a link that hides controls, or by a file for classrooms without a network."""

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.serving.class_address import is_inward
from pages.ui.learn import learn_kept, learn_settings
from pages.ui.learn.learn_settings import LearnSettings
from pages.ui.save.save_menu import INWARD, shared_link
from pages.ui.session.page_settings import PageSettings
from pages.ui.shell import address, file_names, stage
from pages.ui.shell.save_button import save_button
from sample_data import DataSet
from viz.page.stage_html import stage_page

_SWITCHES = {
    "learn-link-present", "learn-link-step",
    *(f"learn-hide-{name}" for name in (*learn_settings.CONTROLS, *learn_settings.PARTS)),
}  # fmt: skip
_OPENED = "learn-link-opened"  # session key, set when the menu has been opened
TOOLS = ("paint", "inspector", "tools")  # parts of the stage that do more than show the steps


def sharing_section(
    places: Iterable[DeltaGenerator],
    store: PageSettings,
    chosen: LearnSettings,
    view: stage.View | None,
    data: DataSet | None,
    content: bytes | None,
) -> None:
    """Draw the three buttons in `places`.

    view : `stage.View` on the screen; data, content : DataSet and bytes on the stage, None without a run.
    """
    left, middle, right = places
    share = left.popover(
        "Share with a class", icon=":material/share:", width="stretch", key="learn-share", on_change="rerun"
    )
    if _OPENED in st.session_state:
        for key in _SWITCHES & st.session_state.keys():
            st.session_state[key] = st.session_state[key]  # keeps the values while the menu is closed
    if share.open:
        st.session_state.setdefault("learn-link-step", True)
        st.session_state[_OPENED] = True
        with share:
            _link(store, chosen, view)
    if middle.button(
        "Present", icon=":material/present_to_all:", key="learn-present", width="stretch",
        help="Hides the sidebar and enlarges the text.", on_click=store.change, kwargs={"present": True},
    ):  # fmt: skip
        st.rerun(scope="app")
    if content is not None:
        save_button(
            "Save run (HTML)", lambda: stage_page(content, f"{data.title}, step by step").encode(),
            f"learn-{file_names.of_data(data)}.html", "text/html", place=right,
            key="learn-html", width="stretch", help="One file that opens in any browser and works offline.",
        )  # fmt: skip


def _link(store: PageSettings, chosen: LearnSettings, view: stage.View | None) -> None:
    link = st.container()
    switches = st.columns(2)
    present = switches[0].toggle("Presentation mode", key="learn-link-present")
    at_step = switches[1].toggle("Start at this step", key="learn-link-step")
    st.markdown("**Hide from students**")
    columns = st.columns(2, gap="small")
    hidden = []
    for place, (name, text) in enumerate((learn_settings.CONTROLS | learn_settings.PARTS).items()):
        at = columns[place >= len(learn_settings.CONTROLS)]
        if at.checkbox(text[:1].upper() + text[1:] if text.isascii() else text, key=f"learn-hide-{name}"):
            hidden.append(name)
    st.button("Hide all controls", key="learn-hide-all", on_click=_hide_all)
    query = store.text.write(replace(chosen, hide=tuple(hidden), present=present))
    if at_step and view is not None:
        query |= {name: str(value) for name, value in (("step", view.tree), ("node", view.node)) if value is not None}
    kept = learn_kept.token(chosen)
    text = address.link_to(st.context.url, query if kept is None else query | {"kept": kept})
    shared_link(text, link)
    if is_inward(text):
        link.caption(INWARD)
    if kept is not None:
        link.caption(
            "The server stores painted points for a limited time. Save the run as a file to keep it."
            if learn_settings.is_large(chosen)
            else "The server stores the drawn tree for a limited time. Save the run as a file to keep it."
        )


def _hide_all() -> None:
    for name in (*learn_settings.CONTROLS, *TOOLS):
        st.session_state[f"learn-hide-{name}"] = True
