"""Show the room of a lesson next to the teacher's stage: its code and the answers of the class."""

import contextlib
from typing import Any

import streamlit as st

from pages.rooms.contest import Contest
from pages.rooms.room_store import RoomError, RoomOver, Screen, TeacherView
from pages.serving.class_address import is_inward
from pages.serving.client_address import network
from pages.ui.room import contest_view
from pages.ui.room.messages import MESSAGES
from pages.ui.room.rooms import rooms
from pages.ui.save.shared_link import INWARD, qr_image
from pages.ui.shell import address
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.owner import host, is_known, owner
from pages.ui.styles.sheet import sheet
from viz.page.guesses_html import guess_text, guesses_html

EVERY = 0.5  # seconds between two updates of the answers
NEAREST = 3
_SECRET, _CODE, _SHOWN, _HIDE = "room_secret", "room_code", "room_told", "room-hide"


def is_open() -> bool:
    """Test whether this tab leads a room."""
    return _SECRET in st.session_state


def has_ended() -> bool:
    """Return whether the teacher in this tab has just ended a room; true only once."""
    return st.session_state.pop("room_ended", False)


def begin() -> Screen | None:
    """Open the room that the address names. Return its `Screen`, or None without a room.

    A link contains the secret of the room, but a projector shows the address. The page therefore replaces it with
    `query`, without an entry in the history. The public code of the room is enough for a browser with cookies.
    """
    try:
        known = (None, st.session_state.get(_CODE), st.session_state.get(_SECRET))
        if (linked := st.query_params.get("teach")) not in known:
            st.session_state[_SECRET], st.session_state[_CODE] = rooms().lead(linked, owner())
        return rooms().answers(st.session_state[_SECRET]).screen if is_open() else None
    except RoomError as error:
        _forget()
        st.toast(str(error), icon=":material/meeting_room:")
        return None


def query() -> dict[str, str]:
    """Return the parameter of the room for the address: its code, or its secret if the browser has no cookies."""
    return {"teach": st.session_state[_CODE if is_known() else _SECRET]} if is_open() else {}


def button() -> None:
    """Draw the button that opens a room."""
    if not is_open():
        st.button(
            "Open room", icon=":material/groups:", key="room-open", type="tertiary", on_click=_open,
            help=MESSAGES("teacher.wait"),
        )  # fmt: skip


def show(lesson: Any, number: int, moment: Any, is_shown: bool, contest: Contest | None = None) -> None:
    """Show a moment of a lesson to the class, unless this tab has already shown it."""
    now: Any = st.session_state.get(_SECRET), lesson.slug, number, is_shown
    if is_open() and st.session_state.get(_SHOWN) != now:
        is_back = _SHOWN not in st.session_state  # the room may already show this screen with its answer
        st.session_state[_SHOWN] = now
        words = lesson.title, moment.text, moment.ask, moment.answer
        screen = Screen(lesson.slug, number, *words, moment.guess, contest)
        with contextlib.suppress(RoomOver):  # the strip reports the error
            there = rooms().answers(now[0]).screen
            if not is_back or there is None or there.name != screen.name:
                rooms().show(now[0], screen, is_shown)


def strip(name: tuple[str, int]) -> None:
    """Draw the strip next to the stage, if there is a room.

    name : (lesson, moment) of this tab.
    """
    if not is_open():
        return
    with st.container(key="lesson-room"):
        if head():
            st.fragment(_answers, run_every=EVERY)(name)
            keys()


def head() -> bool:
    """Draw the code and address of the room. Return whether the room still exists."""
    try:
        found = answers()
    except RoomOver as error:
        st.info(str(error), icon=":material/meeting_room:")
        st.button("Close", key="room-close", on_click=_forget)
        return False
    st.html(
        f'{sheet("room")}<div class="room-code">{found.code}</div><img class="room-qr" alt="QR code of the room" '
        f'src="{qr_image(_link(room=found.code))}"><div class="room-at">{_link().partition("://")[2]}</div>'
    )
    if is_inward(_link()):
        st.caption(INWARD)
    return True


def keys() -> None:
    """Draw the menu with the teacher's link and the button that ends the room."""
    with st.popover("Room", icon=":material/key:"):
        st.caption(MESSAGES("teacher.link"))
        secret = {"teach": st.session_state[_SECRET]}
        st.code(address.link_to(st.context.url, secret), language=None, wrap_lines=True)
        st.toggle("Hide until shown", True, key=_HIDE, help="Hides the guesses until the answer is shown.")
        st.toggle(
            "Names of the best guesses",
            key="room-names",
            help="Shown after the answer, for students who entered a name.",
        )
        st.button("End room", key="room-end", icon=":material/logout:", on_click=_end)


def play(screen: Screen) -> bool:
    """Show a `Screen` for drawing to the class, in a new room if there is none. Return whether this succeeded."""
    if not is_open():
        _open()
    try:
        rooms().show(st.session_state.get(_SECRET, ""), screen)
    except RoomOver as error:
        _forget()
        st.toast(str(error), icon=":material/meeting_room:")
    return is_open()


def reveal(is_shown: bool) -> None:
    """Show or hide the answer of the current screen."""
    with contextlib.suppress(RoomOver):
        secret = st.session_state.get(_SECRET, "")
        rooms().show(secret, rooms().answers(secret).screen, is_shown)


def answers() -> TeacherView:
    """Return the `TeacherView` of the room of this tab. Raises RoomOver."""
    return rooms().answers(st.session_state.get(_SECRET, ""))


def _answers(name: tuple[str, int]) -> None:
    try:
        found = answers()
    except RoomOver as error:
        st.info(str(error), icon=":material/meeting_room:")
        return
    screen = found.screen
    if screen is not None and screen.name != name:
        st.caption(MESSAGES("teacher.other_window", title=plain(screen.title), screen=screen.moment + 1))
    if screen is not None and screen.contest is not None:
        count(found)
        contest_view.table(screen.contest, found.board)
        contest_view.plane(screen.contest, found.board, found.is_shown)
        return
    if screen is None or screen.guess is None:
        st.html(f'<div class="room-count">{found.here} present</div>This screen has no question.')
        return
    is_visible = found.is_shown or (found.guesses and not st.session_state.get(_HIDE, True))
    bars = guesses_html(screen.guess, found.guesses, found.is_shown) if is_visible else ""
    st.html(f'<div class="room-count">{found.here} present, {len(found.guesses)} answered</div>{bars}')
    if found.is_shown and found.named and st.session_state.get("room-names"):
        near = sorted(found.named, key=lambda one: abs(one[1] - screen.guess.truth))[:NEAREST]
        st.caption("Nearest: " + ", ".join(f"{plain(who)} ({guess_text(screen.guess, one)})" for who, one in near))


def count(found: TeacherView) -> None:
    """Draw the numbers of students and drawings."""
    st.html(f'<div class="room-count">{found.here} present, {len(found.board)} drew</div>')


def _link(**query: Any) -> str:
    """Return the address of the student page."""
    return address.link_to((st.context.url or "").rstrip("/").rpartition("/")[0] + "/room", query)


def _open() -> None:
    try:
        secret = rooms().open(owner(), network(host()))
        st.session_state[_SECRET], st.session_state[_CODE] = rooms().lead(secret, owner())
    except RoomError as error:
        st.toast(str(error), icon=":material/meeting_room:")


def _end() -> None:
    st.session_state["room_ended"] = True
    rooms().end(st.session_state.get(_SECRET, ""))
    _forget()


def _forget() -> None:
    for key in (_SECRET, _CODE, _SHOWN):
        st.session_state.pop(key, None)
    st.query_params.pop("teach", None)
