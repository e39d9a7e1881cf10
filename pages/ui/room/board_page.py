"""Draw the page of a teacher whose class is drawing: the plane with all lines, and the ranking."""

import contextlib
from collections.abc import Callable

import streamlit as st

from pages.rooms.room_store import RoomOver
from pages.ui.room import class_view, led_room, teacher_strip
from pages.ui.room.class_view import score_html
from pages.ui.room.room_menu import room_menu
from pages.ui.shell import address
from pages.ui.shell.markdown_text import plain
from pages.ui.styles.sheet import sheet

LAB = "pages/learn.py"


def board_page(kept: dict[str, str], bar: Callable[[bool, dict[str, str]], None]) -> None:
    """Draw the page for the room in the address.

    kept : more parameters for the address, such as the class plan; bar : function that draws the bar of the class plan,
    see `plan_bar.on_board`.
    """
    screen = led_room.begin()
    bar(_is_shown(), led_room.query())
    st.html(sheet("board"))
    address.write(kept | led_room.query())
    if led_room.is_asked():
        return
    if screen is None or screen.contest is None:
        words = "This screen has no drawing task." if led_room.is_open() else "This room has ended."
        st.info(words, icon=":material/meeting_room:")
        st.page_link(LAB, label="Laboratory", icon=":material/school:")
        return
    with st.container(key="board-words"):
        st.markdown(f"**{plain(screen.title)}.** {plain(' '.join(screen.text))}")
    left, right = st.columns([1.6, 1], gap="medium")
    with right.container(key="board-side"):
        found = teacher_strip.head()
        if found is None:
            return
        with st.container(horizontal=True):
            room_menu(found)
            _buttons(found.is_shown)
        st.fragment(_board, run_every=teacher_strip.EVERY)()
        teacher_strip.qr(found)
    with left:
        st.fragment(_plane, run_every=teacher_strip.EVERY)()


def _is_shown() -> bool:
    with contextlib.suppress(RoomOver):  # the ranking reports the error
        return led_room.is_open() and led_room.answers().is_shown
    return False


def _plane() -> None:
    with contextlib.suppress(RoomOver):  # the ranking shows that the room has ended
        found = led_room.answers()
        class_view.plane(found.screen.contest, found.board, found.is_shown)


def _board() -> None:
    try:
        found = led_room.answers()
    except RoomOver as error:
        st.info(str(error), icon=":material/meeting_room:")
        return
    teacher_strip.state(found)
    class_view.table(found.screen.contest, found.board, found.is_shown)
    if score := score_html(found.score):
        st.html(score)


def _buttons(is_shown: bool) -> None:
    words, icon, page = ("Hide and continue", "draw", "up") if is_shown else ("Show TAO's tree", "visibility", "down")
    st.button(
        words, icon=f":material/{icon}:", key="board-reveal", type="primary", on_click=led_room.reveal,
        args=(not is_shown,), help="Students cannot draw while the tree is shown.", shortcut=f"page{page}",
    )  # fmt: skip
    st.page_link(LAB, label="Change points or lesson", icon=":material/science:")
