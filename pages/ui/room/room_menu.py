"""Draw the menu of a room for its teacher: settings, files, the key for other devices, and the end."""

import contextlib

import streamlit as st

from pages.rooms.room_store import RoomOver
from pages.rooms.room_views import TeacherView
from pages.ui.room import led_room, room_export
from pages.ui.room.rooms import rooms
from pages.ui.shell import address
from pages.ui.shell.owner import owner
from pages.ui.shell.save_button import save_button
from treecore.messages import counted

EVERY = 2.0  # seconds between two updates of the number of answers
HIDE = "room-hide"  # key of the switch that hides the guesses until the answer is shown
_ENDING = "room_ending"  # secret of the room that the teacher is about to end


def room_menu(found: TeacherView) -> None:
    """Draw the menu of the room: settings, files, the key for other devices, and the end."""
    secret = led_room.secret()
    with st.popover("Room", icon=":material/key:"):
        st.toggle("Hide until shown", True, key=HIDE, help="Hides the guesses until the answer is shown.")
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
        _files(secret, found.code)
        if st.toggle("Show teacher's key", key="room-show-key", help="Turn it on only while the projector is off."):
            st.caption(
                "To lead the room from a second device, open this link there and enter the key. Students cannot "
                "lead the room without the key."
            )
            st.code(address.link_to(st.context.url, led_room.query()), language=None, wrap_lines=True)
            st.code(f"{found.key[:4]} {found.key[4:]}", language=None)
            st.button(
                "New key", key="room-new-key", icon=":material/autorenew:", on_click=led_room.renew_key,
                help="Replaces the key. Browsers that entered the previous key no longer lead the room.",
            )  # fmt: skip
        for code in rooms().led(owner()):
            if code != found.code:
                st.button(
                    f"Switch to {code}", key=f"room-switch-{code}", icon=":material/swap_horiz:",
                    on_click=led_room.switch, args=(code,),
                    help="Leads another open room in this tab. This room stays open.",
                )  # fmt: skip
        _end_buttons(secret)


def _files(secret: str, code: str) -> None:
    """Draw the buttons that save the guesses, a summary and the questions."""
    st.fragment(_saved, run_every=EVERY)(secret)
    for label, make, ending, mime in (
        ("Guesses (CSV)", room_export.guesses_csv, ".csv", "text/csv"),
        ("Summary (HTML)", room_export.summary_html, ".html", "text/html"),
        ("Questions (Moodle GIFT)", room_export.questions_gift, ".gift.txt", "text/plain"),
    ):
        save_button(
            label, lambda make=make: make(rooms().record(secret)), f"room-{code}{ending}", mime,
            key=f"room-save{ending}", type="tertiary",
        )  # fmt: skip


def _saved(secret: str) -> None:
    if secret != led_room.secret():  # another tab has made a new key, so the buttons need the new secret
        st.rerun(scope="app")
    with contextlib.suppress(RoomOver):
        record = rooms().record(secret)
        given = [one.student for _, found in record.asked for one in found]
        words = (
            f"{counted(len(given), 'answer')} from {counted(len(set(given)), 'student')}, without names. Save "
            "them before the room ends."
        )
        st.caption("The room has no answers yet, so the files contain questions only." if record.is_empty else words)


def _end_buttons(secret: str) -> None:
    """Draw the button that ends the room, which needs a second press if there are answers."""
    with contextlib.suppress(RoomOver):  # the next run reports the error
        n = sum(len(found) for _, found in rooms().record(secret).asked)
        if n and st.session_state.get(_ENDING) == secret:
            st.warning(f"The room contains {counted(n, 'answer')}. Save the files above first, if you need them.")
            st.button("End and delete", key="room-end-now", icon=":material/delete:", on_click=led_room.end)
            st.button("Keep room", key="room-keep", on_click=_ask_end)
        else:
            st.button(
                "End room", key="room-end", icon=":material/logout:", on_click=_ask_end if n else led_room.end,
                args=(secret,) if n else (),
            )  # fmt: skip


def _ask_end(secret: str | None = None) -> None:
    """Request a second press before a room with answers ends; None withdraws the request."""
    st.session_state[_ENDING] = secret


def _keep_score(secret: str) -> None:
    with contextlib.suppress(RoomOver):
        rooms().keep_score(secret, st.session_state["room-score"])
