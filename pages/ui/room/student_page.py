"""Draw the page of a student: the current question, a guess, a threshold or lines on a plane, and the result."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from pages.rooms import room_store
from pages.rooms.room import Contest, Entry, is_right
from pages.rooms.room_store import RoomError, RoomOver
from pages.serving.client_address import label
from pages.ui.components.component import component
from pages.ui.room import class_view
from pages.ui.room.class_view import score_html, time_html
from pages.ui.room.led_room import rooms
from pages.ui.shell import address, chart, edit_messages, stage
from pages.ui.shell.markdown_text import plain, spans
from pages.ui.shell.owner import device, host
from pages.ui.styles.sheet import sheet
from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.messages import counted
from treecore.tree.tree import Tree
from viz.page.contest_html import image_html, lines_html, points_html
from viz.page.guesses_html import guess_text, guesses_html, scale_text
from viz.tree.thumbnails import small_drawings

SLOT, HIDDEN = "room", ("figures", "tools", "inspector", "legend")
_TURNS = "room_turns"  # {key of a stage: (turn, seen, fault)}, see `edit_messages`


def drawing_stage(code: str, token: str, view: Any) -> Any:
    """Draw the plane and return the `StudentView` after the student's last drawing.

    view : `StudentView` of the student.
    """
    screen = view.screen
    key = f"room-{code}-{screen.lesson}-{screen.moment}"
    turn, received, fault = st.session_state.setdefault(_TURNS, {}).get(key, (1, 0, None))
    report = edit_messages.report(stage.editor_report(SLOT), key, received)
    if report is not None:
        received, fault = report.turn, None
        try:
            rooms().draw(code, token, screen.name, report.document)
        except TreecoreError as error:  # the browser then restores the previous tree
            turn, fault = turn + 1, str(error)
        view = rooms().look(code, token)
        st.session_state[_TURNS][key] = turn, received, fault
    last = screen.contest.leaf if view.drawn is None else view.drawn.last
    header = edit_messages.header(turn, received, last.document, None, fault)
    options = stage.Options(alone=True, edit=header, hide=HIDDEN)
    stage.mount(key, screen.contest.content, stage.View(0), SLOT, options)
    return view


LASTING = 8.0  # seconds for which a message stays, although the page refreshes more often
_FAULT = "room_fault"


def attempt(request: Callable[..., Any], *values: Any) -> Any:
    """Return `request(*values)`. If the room refuses it, keep the message and return None."""
    try:
        found = request(*values)
    except RoomError as error:
        st.session_state[_FAULT] = str(error), time.monotonic()
        return None
    st.session_state.pop(_FAULT, None)
    return found


def show_refusal() -> None:
    """Draw the latest message."""
    text, when = st.session_state.get(_FAULT, ("", 0.0))
    if text and time.monotonic() - when < LASTING:
        st.warning(plain(text))


STEPS = 100  # number of steps of the slider
FIRST = 0.15  # initial position, as on the stage (dragged_threshold.js): far from any good threshold


def threshold_field(code: str, token: str, view: Any) -> None:
    """Draw the plane and the slider. Each move is a drawing of the student.

    view : `StudentView` of the student.
    """
    screen, contest = view.screen, view.screen.contest
    key, (low, high) = f"room-threshold-{code}-{screen.lesson}-{screen.moment}", contest.thresholds
    step = (high - low) / STEPS
    if key not in st.session_state:
        at = low + FIRST * (high - low) if view.drawn is None else -view.drawn.last.document["nodes"][0]["bias"]
        st.session_state[key] = min(max(low + round((at - low) / step) * step, low), high)
    place, is_closed = st.container(), view.left == 0
    st.slider(
        f"Threshold on {contest.data.feature_names[contest.feature]}", low, high, step=step, key=key, format="%.2f",
        disabled=is_closed, on_change=_move, args=(code, token, screen, key),
    )  # fmt: skip
    at = st.session_state[key]
    entry, theme = _entry(contest, at), chart.theme()
    words = f"{len(contest.rows)} points and a line at {at:.2f}"
    positions = contest.target.positions(contest.tao_tree)
    with place:
        class_view.layers(
            lines_html(contest.X, [], entry.tree, None, positions, theme),
            points_html(contest.X, contest.data.y[contest.rows], words, theme),
        )
    st.html(f'<div class="room-words" role="status">{counted(entry.errors, "misclassified point")}</div>')


@lru_cache(maxsize=500)
def _entry(contest: Contest, at: float) -> Entry:
    return contest.entry(contest.threshold_document(at))


def _move(code: str, token: str, screen: Any, key: str) -> None:
    attempt(rooms().draw, code, token, screen.name, screen.contest.threshold_document(st.session_state[key]))


@dataclass(frozen=True, eq=False)
class ScenePicture:
    """The rows and the tree on the stage.

    rows : numbers of the drawn rows; tree : Tree, or None if the stage shows points only.
    """

    data: DataSet
    rows: np.ndarray
    tree: Tree | None

    @property
    def is_plane(self) -> bool:
        """Test whether the rows are points of several classes in a plane."""
        return self.data.n_features == 2 and self.data.target.values_are_groups and not np.isnan(self.X).any()

    @property
    def X(self) -> np.ndarray:
        """Return the drawn rows, float64[n, k]."""
        return self.data.X[self.rows].astype(np.float64)


@lru_cache(maxsize=100)
def picture_layers(picture: ScenePicture, has_tree: bool, theme: str) -> tuple[str, ...]:
    """Return the layers of the picture as HTML, the lowest first; () if nothing can be drawn without the tree.

    has_tree : whether to draw the tree, which may contain the answer; theme : "light" or "dark".
    """
    data, tree = picture.data, picture.tree if has_tree else None
    if picture.is_plane:
        words = f"{len(picture.rows)} points from {data.title}"
        points = points_html(picture.X, data.y[picture.rows], words, theme)
        positions = None if tree is None else data.target.positions(tree)
        return (points,) if positions is None else (lines_html(picture.X, [], tree, None, positions, theme), points)
    if tree is None:
        return ()
    words = f"Tree with {tree.n_leaves:,} leaves for {data.title}"
    return (image_html(small_drawings([tree], theme)[0], words, "5 / 3"),)


_TOKEN = "room_token "  # key of this tab's token; the code of the room follows
EVERY = 2.0  # seconds between two updates of the screen


def student_page() -> None:
    """Draw the page, or a field for the code of a room."""
    st.html(sheet("student"))
    code = room_store.tidy(st.query_params.get("room", ""))
    if code:
        try:
            # The address may be older than the token that this run has written into it.
            token = _token_in(code, st.query_params.get("student") or st.session_state.get(_TOKEN + code))
        except RoomError as error:
            is_known = "student" in st.query_params or _TOKEN + code in st.session_state
            if is_known and isinstance(error, RoomOver):
                st.info(f"Room {plain(code)} has ended. Thank you for taking part.", icon=":material/meeting_room:")
                st.page_link(
                    "pages/learn.py", label="Open the lessons", icon=":material/school:",
                    query_params={"lesson": "all"},
                )  # fmt: skip
            else:
                st.warning(plain(error), icon=":material/meeting_room:")
        else:
            st.session_state[_TOKEN + code] = token
            address.write({"room": code, "student": token})
            component("scroll_top")(key="room-top")
            st.fragment(_screen, run_every=EVERY)(code, token)
            _name(code, token)
            return
    _code_field()


def _code_field() -> None:
    """Draw the field for the code."""
    st.html('<div class="room-words"><h1>Join a room</h1></div>')
    with st.form("room-door", border=False):
        st.text_input("Room code", max_chars=12, autocomplete="off", key="room-code")
        st.form_submit_button("Join", type="primary", width="stretch", on_click=_join)


def _join() -> None:
    if code := room_store.tidy(st.session_state["room-code"]):
        st.query_params.from_dict({"room": code})


def _name(code: str, token: str) -> None:
    key = f"name-{token}"
    with contextlib.suppress(RoomError):  # the screen reports the error
        st.session_state.setdefault(key, rooms().look(code, token).name)
    with st.expander("Nickname (optional)", icon=":material/badge:"):
        st.text_input(
            "Nickname",
            max_chars=room_store.NAME,
            autocomplete="off",
            key=key,
            on_change=_call,
            args=(code, token, key),
            help="Tables show it instead of your number. It is deleted when the room ends.",
        )
        st.button(
            "Another student", key="room-else", type="tertiary", on_click=_other, args=(code,),
            help="All tabs of one browser count as one student. Press this button to make this tab a separate "
            "student.",
        )  # fmt: skip


def _call(code: str, token: str, key: str) -> None:
    attempt(rooms().call, code, token, st.session_state[key])


def _other(code: str) -> None:
    if token := attempt(_token_in, code, None, True):
        st.session_state[_TOKEN + code] = token
        st.query_params.from_dict({"room": code, "student": token})


def _token_in(code: str, token: str | None, is_new: bool = False) -> str:
    """Join a room and return the token of the student, see `RoomStore.join`. Raises RoomError."""
    return rooms().join(code, token, device(), is_new, label(host()))


_LOST = "No connection. The page continues when this device is connected again."


def _screen(code: str, token: str) -> None:
    # Every run replaces this element. Without a run for some seconds, its style sheet makes it visible.
    st.html(f'<div class="room-lost" role="status" data-run="{time.time():.2f}">{escape(_LOST)}</div>')
    show_refusal()
    try:
        view = rooms().look(code, token)
    except RoomOver:
        st.rerun(scope="app")
    except RoomError as error:
        st.warning(plain(error))
        return
    screen, is_open = view.screen, not view.is_shown and view.left != 0
    if screen is None:
        st.html(
            f'<div class="room-words"><h1>You are in room {escape(code)}</h1><p>It starts in a moment. '
            f"You are {escape(view.who)}.</p></div>"
        )
        return
    ask = f'<div class="room-ask">{_paragraph(screen.ask)}</div>' if screen.ask else ""
    text = f'<div class="room-words">{"".join(map(_paragraph, screen.text))}</div>'
    name = f"{screen.lesson} {screen.moment}"  # for scroll_top.js
    st.html(f'<div class="room-words" data-screen="{escape(name)}"><h1>{escape(screen.title)}</h1></div>')
    if screen.contest is None:
        _picture(view)
    if screen.contest is None or not ask:
        st.html(text)
    if ask:
        st.html(f'<div class="room-words">{ask}</div>')
    if not view.is_shown and screen.has_task and (left := time_html(view.left)):
        st.html(left)
    if screen.contest is not None:
        _contest(code, token, view, is_open)
        if ask:
            st.html(text)
    elif view.is_shown:
        _answer(view)
    elif screen.guess is not None:
        _guess(code, token, view, is_open and not view.is_final)
        st.caption("The projector shows the tree, with its sliders and buttons.")
    else:
        st.caption("This screen needs no guess. Look at the projector.")
    if score := score_html(view.score):
        st.html(score)


def _picture(view: Any) -> None:
    """Draw the picture on the stage, without its tree while a question is open."""
    screen = view.screen
    if screen.picture is not None:
        found = picture_layers(screen.picture, view.is_shown or not screen.ask, chart.theme())
        if found:
            with st.container(key="room-picture"):
                class_view.layers(*found)


def _contest(code: str, token: str, view: Any, is_open: bool) -> None:
    contest = view.screen.contest
    if contest.feature is not None and not view.is_shown:
        threshold_field(code, token, view)
    elif is_open:
        with st.container(key="room-stage"):
            view = drawing_stage(code, token, view)
    if view.drawn is not None:
        words = class_view.result(contest, view.drawn, view.is_shown)
        st.html(f'<div class="room-words"><p><b>{escape(words)}</b></p></div>')
    class_view.table(contest, view.board, view.is_shown, view.drawn)
    if view.is_shown or (contest.feature is None and not is_open):
        class_view.plane(contest, view.board, view.is_shown, view.drawn)
    if view.is_shown and view.screen.answer:
        st.html(f'<div class="room-words">{_paragraph(view.screen.answer)}</div>')


def _answer(view: Any) -> None:
    screen = view.screen
    if screen.guess is not None:
        truth = guess_text(screen.guess, screen.guess.truth)
        own = "" if view.guess is None else guess_text(screen.guess, view.guess)
        words = f"The answer is {truth}." if view.guess is None else f"You guessed {own}; the answer is {truth}."
        if view.guess is not None and is_right(screen.guess, view.guess):
            words = (
                f"You guessed {own}: correct."
                if own == truth
                else f"You guessed {own}: correct. The exact answer is {truth}."
            )
        bars = guesses_html(screen.guess, view.guesses, True, view.guess) if view.guesses else ""
        st.html(f'<div class="room-words"><p><b>{escape(words)}</b></p>{bars}</div>')
    st.html(f'<div class="room-words">{_paragraph(screen.answer)}</div>')


def _guess(code: str, token: str, view: Any, is_open: bool) -> None:
    guess, key = view.screen.guess, f"room-{view.screen.lesson}-{view.screen.moment}"
    made: dict[str, Any] = {"on_click": _send, "width": "stretch", "disabled": not is_open}
    with st.container(key="room-guess"):
        if guess.choices:
            for k, words in enumerate(guess.choices):
                kind, words = "primary" if view.guess == k else "secondary", words[:1].upper() + words[1:]
                st.button(words, key=f"{key}-{k}", type=kind, args=(code, token, view.screen.name, k), **made)
        else:
            # The first option has no value, so that the slider suggests no value.
            options = [
                None,
                *(guess.low + k * guess.step for k in range(round((guess.high - guess.low) / guess.step) + 1)),
            ]
            now = None if view.guess is None else min(options[1:], key=lambda one: abs(one - view.guess))
            value = st.select_slider(
                f"Your guess: {scale_text(guess)}", options, now,
                lambda one: "No guess yet" if one is None else guess_text(guess, one), key=key, disabled=not is_open,
            )  # fmt: skip
            args = (code, token, view.screen.name, None, key)
            made["disabled"] |= value is None
            st.button("Send guess", key=f"{key}-made", type="primary", args=args, **made)
    if view.guess is not None:
        words = plain(guess_text(guess, view.guess))
        st.success(
            f"Your guess: {words}. You can change it until the answer is shown." if is_open else f"Your guess: {words}."
        )


def _send(code: str, token: str, name: Any, value: Any, key: str | None = None) -> None:
    """Send the value of a button, or the current value of the widget with this key."""
    attempt(rooms().guess, code, token, name, value if key is None else st.session_state[key])


def _paragraph(text: str) -> str:
    tags = {"": "{}", "strong": "<b>{}</b>", "em": "<em>{}</em>"}
    return f"<p>{''.join(tags[kind].format(escape(words)) for kind, words in spans(text))}</p>"
