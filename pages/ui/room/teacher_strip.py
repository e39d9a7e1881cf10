"""Show the room of a lesson next to the teacher's stage: its code and the answers of the class."""

import contextlib
from typing import Any

import streamlit as st

from pages.rooms.points import points_of_guess
from pages.rooms.room_store import TIMES, NotLeader, RoomError, RoomOver
from pages.rooms.room_views import TeacherView
from pages.rooms.screen import Screen
from pages.serving.class_address import is_inward
from pages.serving.client_address import network
from pages.ui.room import contest_view, room_export
from pages.ui.room.class_view import score_html, seats_html, time_html
from pages.ui.room.messages import MESSAGES
from pages.ui.room.rooms import rooms
from pages.ui.save.shared_link import INWARD, qr_image
from pages.ui.shell import address
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.owner import host, owner
from pages.ui.shell.save_button import save_button
from pages.ui.styles.sheet import sheet
from viz.page.guesses_html import guess_text, guesses_html

EVERY = 0.5  # seconds between two updates of the answers
NEAREST = 3
_SECRET, _CODE, _SHOWN, _HIDE = "room_secret", "room_code", "room_told", "room-hide"
_ASKED, _KEY, _WRONG, _ENDED = "room_asked", "room-key", "room_wrong_key", "room_ended"
_ENDING = "room_ending"  # secret of the room that the teacher is about to end
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
        _forget()
        return None


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


def query() -> dict[str, str]:
    """Return the parameter of the room for the address."""
    return {"teach": st.session_state[_CODE]} if is_open() else {}


def _key_form(words: str = "") -> None:
    with st.form("room-lead", width=420):
        st.caption(plain(st.session_state.get(_WRONG) or words))
        st.text_input("Teacher's key", type="password", max_chars=20, autocomplete="off", key=_KEY)
        with st.container(horizontal=True):
            st.form_submit_button("Lead room", type="primary", on_click=_enter)
            st.form_submit_button("Cancel", on_click=_cancel)


def _enter() -> None:
    try:
        found = rooms().lead(st.session_state[_ASKED], owner(), st.session_state[_KEY])
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


def button() -> None:
    """Draw the button that opens a room, or a menu if this browser leads a room in another tab."""
    if is_open():
        return
    words, icon = MESSAGES("teacher.wait"), ":material/groups:"
    if led := rooms().led(owner()):
        with st.popover("Open room", icon=icon, type="tertiary", help=words):
            st.button(
                f"Return to {led[0]}", key="room-return", on_click=_switch, args=(led[0],), width="stretch",
                help="Leads this open room again, at its current screen.",
            )  # fmt: skip
            st.button("New room", key="room-open", on_click=_open, width="stretch")
    else:
        st.button("Open room", icon=icon, key="room-open", type="tertiary", on_click=_open, help=words)


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


def strip(name: tuple[str, int]) -> None:
    """Draw the strip next to the stage, if there is a room.

    name : (lesson, moment) of this tab.
    """
    if not is_open():
        return
    with st.container(key="lesson-room"):
        if found := head():
            keys(found)  # above the answers, whose height changes
            st.fragment(_answers, run_every=EVERY)(name)
            qr(found)


def waiting() -> None:
    """Draw the code and the menu of the room, if there is one, while it waits for its next screen."""
    if is_open():
        with st.container(key="board-side"):
            if found := head():
                keys(found)
                st.fragment(_present, run_every=EVERY)()
                qr(found)


def _present() -> None:
    with contextlib.suppress(RoomOver):  # the next run reports the error
        st.html(f'<div class="room-count">{answers().here} present</div>')


def head() -> TeacherView | None:
    """Draw the code and the address of the room. Return its `TeacherView`, or None if it has ended."""
    try:
        found = answers()
    except RoomOver as error:
        st.info(str(error), icon=":material/meeting_room:")
        st.button("Close", key="room-close", on_click=_forget)
        return None
    st.html(sheet("room") + sheet("class") + sheet("contest"))
    st.html(f'<div class="room-code">{found.code}</div><div class="room-at">{_link().partition("://")[2]}</div>')
    return found


def qr(found: TeacherView) -> None:
    """Draw the QR code of the room. It is below the answers, so that it never hides them."""
    st.html(f'<img class="room-qr" alt="QR code of the room" src="{qr_image(_link(room=found.code))}">')
    if is_inward(_link()):
        st.caption(INWARD)


def keys(found: TeacherView) -> None:
    """Draw the menu of the room: settings, files, the key for other devices, and the end."""
    secret = st.session_state[_SECRET]
    with st.popover("Room", icon=":material/key:"):
        st.toggle("Hide until shown", True, key=_HIDE, help="Hides the guesses until the answer is shown.")
        st.toggle(
            "Names of the best guesses",
            key="room-names",
            help="Shown after the answer, for students who entered a nickname.",
        )
        st.toggle(
            "Running score", found.has_score, key="room-score", on_change=_keep_score,
            args=(secret,), help="Shows points on your screen and on all devices. A correct guess gets 10 points, a "
            "near one fewer. Points appear with the answer.",
        )  # fmt: skip
        _files(secret)
        if st.toggle("Show teacher's key", key="room-show-key", help="Turn it on only while the projector is off."):
            st.caption(MESSAGES("teacher.link"))
            st.code(address.link_to(st.context.url, query()), language=None, wrap_lines=True)
            st.code(f"{found.key[:4]} {found.key[4:]}", language=None)
            st.button(
                "New key", key="room-new-key", icon=":material/autorenew:", on_click=_renew,
                help="Replaces the key. Browsers that entered the previous key no longer lead the room.",
            )  # fmt: skip
        for code in rooms().led(owner()):
            if code != found.code:
                st.button(
                    f"Switch to {code}", key=f"room-switch-{code}", icon=":material/swap_horiz:", on_click=_switch,
                    args=(code,), help="Leads another open room in this tab. This room stays open.",
                )  # fmt: skip
        _end_buttons(secret)


def _end_buttons(secret: str) -> None:
    """Draw the button that ends the room, which needs a second press if there are answers."""
    with contextlib.suppress(RoomOver):  # the next run reports the error
        n = sum(len(found) for _, found in rooms().record(secret).asked)
        if n and st.session_state.get(_ENDING) == secret:
            st.warning(MESSAGES("teacher.ends", n=n))
            st.button("End and delete", key="room-end-now", icon=":material/delete:", on_click=_end)
            st.button("Keep room", key="room-keep", on_click=_ask_end)
        else:
            st.button(
                "End room", key="room-end", icon=":material/logout:", on_click=_ask_end if n else _end,
                args=(secret,) if n else (),
            )  # fmt: skip


def _ask_end(secret: str | None = None) -> None:
    """Request a second press before a room with answers ends; None withdraws the request."""
    st.session_state[_ENDING] = secret


def _renew() -> None:
    with contextlib.suppress(RoomOver):  # the next run reports the error
        st.session_state[_SECRET] = rooms().renew_key(st.session_state[_SECRET], owner())


def _switch(code: str) -> None:
    """Lead another room of this browser, at the screen that its class sees."""
    try:
        _take(rooms().lead(code, owner()))
    except RoomError as error:
        st.toast(plain(error), icon=":material/meeting_room:")
        return
    kept = {name: st.query_params[name] for name in ("plan", "clock") if name in st.query_params}
    address.leave_for("pages/learn.py", kept | query())


def _keep_score(secret: str) -> None:
    with contextlib.suppress(RoomOver):
        rooms().keep_score(secret, st.session_state["room-score"])


def _files(secret: str) -> None:
    """Draw the buttons that save the guesses, a summary and the questions."""
    st.fragment(_saved, run_every=4 * EVERY)(secret)
    for label, make, ending, mime in (
        ("Guesses (CSV)", room_export.guesses_csv, ".csv", "text/csv"),
        ("Summary (HTML)", room_export.summary_html, ".html", "text/html"),
        ("Questions (Moodle GIFT)", room_export.questions_gift, ".gift.txt", "text/plain"),
    ):
        save_button(
            label, lambda make=make: make(rooms().record(secret)), f"room-{st.session_state[_CODE]}{ending}", mime,
            key=f"room-save{ending}", type="tertiary",
        )  # fmt: skip


def _saved(secret: str) -> None:
    if secret != st.session_state.get(_SECRET):  # another tab has made a new key, so the buttons need the new secret
        st.rerun(scope="app")
    with contextlib.suppress(RoomOver):
        record = rooms().record(secret)
        given = [one.student for _, found in record.asked for one in found]
        words = MESSAGES("teacher.save", n=len(given), students=len(set(given)))
        st.caption(MESSAGES("teacher.no_guesses") if record.is_empty else words)


def play(screen: Screen) -> bool:
    """Show a `Screen` for drawing to the class, in a new room if there is none. Return whether this succeeded."""
    if not is_open():
        _open()
    try:
        rooms().show(st.session_state.get(_SECRET, ""), screen)
    except RoomOver as error:
        _forget()
        st.toast(plain(error), icon=":material/meeting_room:")
    return is_open()


def reveal(is_shown: bool) -> None:
    """Show or hide the answer of the current screen."""
    with contextlib.suppress(RoomOver):
        secret = st.session_state.get(_SECRET, "")
        rooms().show(secret, rooms().answers(secret).screen, is_shown)


def answers() -> TeacherView:
    """Return the `TeacherView` of the room of this tab. Raises RoomOver.

    After a new key, the room has another secret, which this tab gets if its browser still leads the room.
    """
    try:
        return rooms().answers(st.session_state.get(_SECRET, ""))
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


def _answers(name: tuple[str, int]) -> None:
    try:
        found = answers()
    except RoomOver as error:
        st.info(str(error), icon=":material/meeting_room:")
        return
    screen = found.screen
    if screen is not None and screen.name != name:
        st.caption(MESSAGES("teacher.other_window", title=plain(screen.title), screen=screen.moment + 1))
    if screen is None or not screen.has_task:
        st.html(f'<div class="room-count">{found.here} present</div>This screen needs no guess.')
    elif screen.contest is not None:
        state(found)
        contest_view.table(screen.contest, found.board, found.is_shown)
        contest_view.plane(screen.contest, found.board, found.is_shown)
    else:
        state(found)
        _guesses(found)
    if score := score_html(found.score):
        st.html(score)


def _guesses(found: TeacherView) -> None:
    screen = found.screen
    if found.guesses and (found.is_shown or not st.session_state.get(_HIDE, True)):
        st.html(guesses_html(screen.guess, found.guesses, found.is_shown))
    elif found.is_shown:
        st.caption(MESSAGES("teacher.no_answer"))
    if found.is_shown and st.session_state.get("room-names"):
        good = [one for one in found.named if points_of_guess(screen.guess, one[1]) > 0]
        near = sorted(good, key=lambda one: abs(one[1] - screen.guess.truth))[:NEAREST]
        if near:
            st.caption("Nearest: " + ", ".join(f"{plain(who)} ({guess_text(screen.guess, one)})" for who, one in near))


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
        rooms().close(st.session_state.get(_SECRET, ""), seconds)


def _link(**query: Any) -> str:
    """Return the address of the student page."""
    return address.link_to((st.context.url or "").rstrip("/").rpartition("/")[0] + "/room", query)


def _open() -> None:
    try:
        secret = rooms().open(owner(), network(host()))
        _take((secret, rooms().answers(secret).code))
    except RoomError as error:
        st.toast(plain(error), icon=":material/meeting_room:")


def _end() -> None:
    st.session_state[_ENDED] = True
    rooms().end(st.session_state.get(_SECRET, ""))
    _forget()


def _forget() -> None:
    for key in (_SECRET, _CODE, _SHOWN):
        st.session_state.pop(key, None)
    st.query_params.pop("teach", None)
