"""Lead a room in a tab: open it, follow its link, enter its key, show screens to the class, and end it."""

import contextlib
from typing import Any

import streamlit as st

from pages.rooms.room import Screen, TeacherView
from pages.rooms.room_store import NotLeader, RoomError, RoomOver, RoomStore
from pages.serving.client_address import network
from pages.serving.quotas import Quotas
from pages.ui.shell import address
from pages.ui.shell.computed import once
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.owner import host, owner


@once
def rooms() -> RoomStore:
    """Return the `RoomStore` of the server."""
    quotas = Quotas.of()
    return RoomStore(of_owner=quotas.own_rooms, of_address=quotas.address_rooms)


_SECRET, _CODE, _SHOWN = "room_secret", "room_code", "room_told"
_ASKED, _KEY, _WRONG, _ENDED = "room_asked", "room-key", "room_wrong_key", "room_ended"
_KEPT = ("lesson", "moment", "plan", "clock", "present", "hide")  # parameters that remain after the key is entered


def is_open() -> bool:
    """Test whether this tab leads a room."""
    return _SECRET in st.session_state


def leads() -> bool:
    """Test whether this tab leads a room, or may lead one by its key."""
    return is_open() or is_asked()


def has_ended() -> bool:
    """Return whether the teacher in this tab has just ended a room; true only once."""
    return st.session_state.pop(_ENDED, False)


def is_asked() -> bool:
    """Test whether this tab needs the key of the room in its link."""
    return _ASKED in st.session_state


def begin() -> Screen | None:
    """Open the room that the address names. Return its `Screen`, or None without a room.

    The address contains only the public code, because a projector shows it. A browser that has led the room leads it
    again, so that a reload loses nothing. Another browser, or one without cookies, needs the teacher's key.
    """
    st.session_state.pop(_ENDED, None)
    linked, is_linked = st.query_params.get("teach"), address.is_from_address(_CODE)
    if is_linked and linked not in (None, st.session_state.get(_CODE)):
        _follow(linked)
    elif is_asked():
        _key_form()
    try:
        return answers().screen if is_open() else None
    except RoomOver as error:
        st.toast(plain(error), icon=":material/meeting_room:")
        forget()
        return None


def secret() -> str:
    """Return the secret of the room of this tab, or "" without a room."""
    return st.session_state.get(_SECRET, "")


def query() -> dict[str, str]:
    """Return the parameter of the room for the address."""
    return {"teach": st.session_state[_CODE]} if is_open() else {}


def show(screen: Screen, is_shown: bool) -> None:
    """Show a `Screen` to the class, unless this tab has already shown it."""
    now: Any = st.session_state.get(_SECRET), screen.name, is_shown
    if is_open() and st.session_state.get(_SHOWN) != now:
        is_back = _SHOWN not in st.session_state  # the room may already show this screen with its answer
        st.session_state[_SHOWN] = now
        with contextlib.suppress(RoomOver):  # the strip reports the error
            there = rooms().answers(now[0]).screen
            if not is_back or there is None or there.name != screen.name:
                rooms().show(now[0], screen, is_shown)


def play(screen: Screen) -> bool:
    """Show a `Screen` for drawing to the class, in a new room if there is none. Return whether this succeeded."""
    if not is_open():
        open_room()
    try:
        rooms().show(secret(), screen)
    except RoomOver as error:
        forget()
        st.toast(plain(error), icon=":material/meeting_room:")
    return is_open()


def reveal(is_shown: bool) -> None:
    """Show or hide the answer of the current screen."""
    with contextlib.suppress(RoomOver):
        rooms().show(secret(), rooms().answers(secret()).screen, is_shown)


def answers() -> TeacherView:
    """Return the `TeacherView` of the room of this tab. Raises RoomOver.

    After a new key, the room has another secret, which this tab gets if its browser still leads the room.
    """
    try:
        return rooms().answers(secret())
    except RoomOver:
        if (code := st.session_state.get(_CODE)) is None:
            raise
        try:
            st.session_state[_SECRET] = rooms().lead(code, owner())[0]
        except NotLeader as error:
            raise RoomOver(str(error)) from None
        except RoomOver:
            pass
        else:
            return rooms().answers(st.session_state[_SECRET])
        raise


def open_room() -> None:
    """Open a room and lead it in this tab."""
    try:
        opened = rooms().open(owner(), network(host()))
        _take((opened, rooms().answers(opened).code))
    except RoomError as error:
        st.toast(plain(error), icon=":material/meeting_room:")


def switch(code: str) -> None:
    """Lead another room of this browser, at the screen that its class sees."""
    try:
        _take(rooms().lead(code, owner()))
    except RoomError as error:
        st.toast(plain(error), icon=":material/meeting_room:")
        return
    kept = {name: st.query_params[name] for name in ("plan", "clock") if name in st.query_params}
    address.leave_for("pages/learn.py", kept | query())


def end() -> None:
    """End the room of this tab."""
    st.session_state[_ENDED] = True
    rooms().end(secret())
    forget()


def forget() -> None:
    """Lead no room in this tab."""
    for key in (_SECRET, _CODE, _SHOWN):
        st.session_state.pop(key, None)
    st.query_params.pop("teach", None)


def renew_key() -> None:
    """Give the room of this tab another key."""
    with contextlib.suppress(RoomOver):  # the next run reports the error
        st.session_state[_SECRET] = rooms().renew_key(st.session_state[_SECRET], owner())


def _follow(code: str) -> None:
    """Lead the room of a link. If this is not possible, the tab still leads the room that it led before."""
    try:
        found = rooms().lead(code, owner())
    except RoomError as error:
        st.query_params.pop("teach", None)
        if isinstance(error, NotLeader):
            st.session_state[_ASKED] = code
            _key_form(str(error))
        else:
            st.toast(plain(error), icon=":material/meeting_room:")
            st.session_state.pop(_ASKED, None)
    else:
        _take(found)
        st.session_state.pop(_ASKED, None)


def _take(found: tuple[str, str]) -> None:
    """Lead the room with this (secret, code) in this tab."""
    st.session_state[_SECRET], st.session_state[_CODE] = found
    st.session_state.pop(_SHOWN, None)


def _key_form(words: str = "") -> None:
    with st.form("room-lead", width=420):
        st.caption(plain(st.session_state.get(_WRONG) or words))
        st.text_input("Teacher's key", type="password", max_chars=20, autocomplete="off", key=_KEY)
        with st.container(horizontal=True):
            st.form_submit_button("Lead room", type="primary", on_click=_enter)
            st.form_submit_button("Cancel", on_click=_cancel)


def _enter() -> None:
    try:
        found = rooms().lead(st.session_state[_ASKED], owner(), st.session_state[_KEY], network(host()))
    except NotLeader as error:
        st.session_state[_WRONG] = str(error)
        return
    except RoomError as error:
        st.toast(plain(error), icon=":material/meeting_room:")
    else:
        _take(found)
        kept = {name: st.query_params[name] for name in _KEPT if name in st.query_params}
        st.query_params.from_dict(kept | query())
    _cancel()


def _cancel() -> None:
    for key in (_ASKED, _WRONG):
        st.session_state.pop(key, None)
