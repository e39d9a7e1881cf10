"""Show the room of a lesson next to the teacher's stage: its code and the answers of the class."""

import contextlib
from typing import Any

import streamlit as st

from pages.rooms.room import TeacherView, points_of_guess
from pages.rooms.room_store import TIMES, RoomOver
from pages.serving.class_address import is_inward
from pages.ui.room import class_view, led_room
from pages.ui.room.class_view import score_html, seats_html, time_html
from pages.ui.room.led_room import rooms
from pages.ui.room.room_menu import HIDE, room_menu
from pages.ui.save.save_menu import INWARD, qr_image
from pages.ui.shell import address
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.owner import owner
from viz.page.guesses_html import guess_text, guesses_html

EVERY = 0.5  # seconds between two updates of the answers
NEAREST = 3


def button() -> None:
    """Draw the button that opens a room, or a menu if this browser leads a room in another tab."""
    if led_room.is_open():
        return
    words, icon = "Students enter guesses on their own devices, and the guesses appear here.", ":material/groups:"
    if led := rooms().led(owner()):
        with st.popover("Open room", icon=icon, type="tertiary", help=words):
            st.button(
                f"Return to {led[0]}", key="room-return", on_click=led_room.switch, args=(led[0],), width="stretch",
                help="Leads this open room again, at its current screen.",
            )  # fmt: skip
            st.button("New room", key="room-open", on_click=led_room.open_room, width="stretch")
    else:
        st.button("Open room", icon=icon, key="room-open", type="tertiary", on_click=led_room.open_room, help=words)


def strip(name: tuple[str, int]) -> None:
    """Draw the strip next to the stage, if there is a room.

    name : (lesson, moment) of this tab.
    """
    if not led_room.is_open():
        return
    with st.container(key="lesson-room"):
        if found := head():
            room_menu(found)  # above the answers, whose height changes
            st.fragment(_answers, run_every=EVERY)(name)
            qr(found)


def waiting() -> None:
    """Draw the code and the menu of the room, if there is one, while it waits for its next screen."""
    if led_room.is_open():
        with st.container(key="board-side"):
            if found := head():
                room_menu(found)
                st.fragment(_present, run_every=EVERY)()
                qr(found)


def _present() -> None:
    with contextlib.suppress(RoomOver):  # the next run reports the error
        st.html(f'<div class="room-count">{led_room.answers().here} present</div>')


def head() -> TeacherView | None:
    """Draw the code and the address of the room. Return its `TeacherView`, or None if it has ended."""
    try:
        found = led_room.answers()
    except RoomOver as error:
        st.info(str(error), icon=":material/meeting_room:")
        st.button("Close", key="room-close", on_click=led_room.forget)
        return None
    st.html(f'<div class="room-code">{found.code}</div><div class="room-at">{_link().partition("://")[2]}</div>')
    return found


def qr(found: TeacherView) -> None:
    """Draw the QR code of the room. It is below the answers, so that it never hides them."""
    st.html(f'<img class="room-qr" alt="QR code of the room" src="{qr_image(_link(room=found.code))}">')
    if is_inward(_link()):
        st.caption(INWARD)


def state(found: TeacherView) -> None:
    """Draw the numbers of students and answers, the remaining time, and the buttons that close guessing."""
    st.html(seats_html(found.seats, "answered" if found.screen.contest is None else "drew"))
    if found.is_shown:
        return
    if found.left is not None:
        st.html(time_html(found.left))
    with st.container(horizontal=True, gap="small", key="room-clock"):
        if found.left is None:
            for seconds in TIMES:
                _clock(f"{seconds} s", seconds, f"Closes guessing after {seconds} seconds.")
        if found.left != 0:
            _clock("Close guessing", 0.0, "Students can still see their guesses.")
        if found.left is not None:
            _clock("Reopen guessing" if found.left == 0 else "No time limit", None, "Opens guessing without a limit.")


def _clock(label: str, seconds: float | None, words: str) -> None:
    st.button(label, key=f"room-clock-{label}", on_click=_close, args=(seconds,), help=words)


def _close(seconds: float | None) -> None:
    with contextlib.suppress(RoomOver):
        rooms().close(led_room.secret(), seconds)


def _answers(name: tuple[str, int]) -> None:
    try:
        found = led_room.answers()
    except RoomOver as error:
        st.info(str(error), icon=":material/meeting_room:")
        return
    screen = found.screen
    if screen is not None and screen.name != name:
        st.caption(f"Another window controls the room now: '{plain(screen.title)}', screen {screen.moment + 1}.")
    if screen is None or not screen.has_task:
        st.html(f'<div class="room-count">{found.here} present</div>This screen needs no guess.')
    elif screen.contest is not None:
        state(found)
        class_view.table(screen.contest, found.board, found.is_shown)
        class_view.plane(screen.contest, found.board, found.is_shown)
    else:
        state(found)
        _guesses(found)
    if score := score_html(found.score):
        st.html(score)


def _guesses(found: TeacherView) -> None:
    screen = found.screen
    if found.guesses and (found.is_shown or not st.session_state.get(HIDE, True)):
        st.html(guesses_html(screen.guess, found.guesses, found.is_shown))
    elif found.is_shown:
        st.caption("No student answered this question.")
    if found.is_shown and st.session_state.get("room-names"):
        good = [one for one in found.named if points_of_guess(screen.guess, one[1]) > 0]
        near = sorted(good, key=lambda one: abs(one[1] - screen.guess.truth))[:NEAREST]
        if near:
            st.caption("Nearest: " + ", ".join(f"{plain(who)} ({guess_text(screen.guess, one)})" for who, one in near))


def _link(**query: Any) -> str:
    """Return the address of the student page."""
    return address.link_to((st.context.url or "").rstrip("/").rpartition("/")[0] + "/room", query)
