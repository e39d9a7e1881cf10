"""Draw the menu of a room for its teacher: settings, key for other devices, end, and files of questions and guesses."""

import contextlib
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from pages.rooms.room import Answer, Record, Screen, TeacherView
from pages.rooms.room_store import RoomOver
from pages.ui.room import led_room
from pages.ui.room.led_room import rooms
from pages.ui.shell import address
from pages.ui.shell.markdown_text import spans
from pages.ui.shell.owner import owner
from pages.ui.shell.save_button import save_button
from treecore.messages import counted
from treecore.tables.text_tables import to_csv
from treecore.tree.number_text import percent
from viz.page.guesses_html import guess_text, guesses_html

COLUMNS = ("lesson", "screen", "question", "student", "guess", "unit", "right", "time")
OBJECTIVE = "objective"  # unit of the answers in a contest
_GIFT = re.compile(r"([\\~=#{}:])")
# Words that point to the picture or the controls of a screen.
_WORDS = (
    "sliders?", "drag", "plots?", "hand", "screen", "watch", "look at", "imagine", "go back", "move the",
    "take some draws", "faded", "boxes", "colour shows", "the (right |left )?plane", "this (leaf|node|split|rule)",
)  # fmt: skip
_POINTING = re.compile(rf"\b({'|'.join(_WORDS)})\b|\bnow\?", re.IGNORECASE)
_STYLE = """
:root { color-scheme: light dark; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
section { margin-top: 2rem; border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
h2 { font-size: 1.15rem; }
table { border-collapse: collapse; }
th, td { padding: 0.1rem 1.2rem 0.1rem 0; text-align: left; font-weight: 400; }
td { font-weight: 650; font-variant-numeric: tabular-nums; }
.guesses { max-width: 34rem; }
@media print { section { break-inside: avoid; } }
"""


def guesses_csv(record: Record) -> str:
    """Return one line for each answer: the question, the number of the student, the guess and its time (UTC)."""
    rows = []
    for screen, answers in record.asked:
        number = str(screen.moment + 1) if screen.lesson else ""
        for one in sorted(answers, key=lambda one: one.when):
            value, unit = _value(screen, one.value)
            right, when = "yes" if one.is_right else "no", one.when.strftime("%Y-%m-%d %H:%M:%S")
            rows.append((screen.title, number, _question(screen), str(one.student), value, unit, right, when))
    return to_csv(COLUMNS, rows)


def summary_html(record: Record) -> str:
    """Return a standalone page with the number of answers, the share of right ones and the median of each question."""
    title = f"Room {record.code}"
    students = len({one.student for _, answers in record.asked for one in answers})
    words = (
        "The room has no answers."
        if record.is_empty
        else f"{counted(students, 'student')} answered. The summary contains no names."
    )
    sections = "".join(_section(screen, answers) for screen, answers in record.asked)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1><p>{record.opened:%Y-%m-%d %H:%M} UTC. {escape(words)}</p>{sections}"
        "</body></html>\n"
    )


def questions_gift(record: Record) -> str:
    """Return the questions in Moodle's GIFT format, with the explanation of each answer as feedback.

    A number counts as correct within half a step of the scale. Contests are comments, and so are questions that need
    the picture of their screen.
    """
    notes, questions = [_line(f"Questions of room {record.code}, {record.opened:%Y-%m-%d}")], []
    if not record.asked:
        notes.append("This room has shown no question yet.")
    for screen, _ in record.asked:
        title = _line(screen.title)
        if screen.guess is None:
            notes.append(f"'{title}' is a drawing task, which GIFT does not support.")
        elif _POINTING.search(" ".join([*screen.text, screen.ask])):
            notes.append(f"The question of screen {screen.moment + 1} of '{title}' needs the picture of the screen.")
        else:
            questions.append(_gift(screen))
    comments = "".join(f"// {note}\n" for note in notes)  # some parsers refuse comments after the last question
    return "\n".join([comments, *questions])


def _gift(screen: Screen) -> str:
    guess, name = screen.guess, f"{screen.title}, screen {screen.moment + 1}"
    if guess.choices:
        signs = ("=" if k == guess.truth else "~" for k in range(len(guess.choices)))
        answers = " ".join(f"{sign}[plain]{_safe(words)}" for sign, words in zip(signs, guess.choices, strict=True))
    else:
        answers = f"#{float(guess.truth):.12g}:{guess.step / 2:.12g}"
        name += f" ({guess.unit})" if guess.unit else ""
    feedback = f" ####[plain]{_safe(_plain(screen.answer))}" if screen.answer else ""
    return f"::{_safe(name)}::[plain]{_safe(_words(screen))} {{{answers}{feedback}}}\n"


def _words(screen: Screen) -> str:
    """Return the lesson, the sentences and the question of a screen, because a question bank shows them alone."""
    return _plain(" ".join([f"Lesson '{screen.title}'.", *screen.text, screen.ask]))


def _section(screen: Screen, answers: Sequence[Answer]) -> str:
    head = f"{escape(screen.title)}{f', screen {screen.moment + 1}' if screen.lesson else ''}"
    rows = [("Answers", str(len(answers)))]
    bars = ""
    if answers:
        values = [one.value for one in answers]
        rows.append(("Right", percent(sum(one.is_right for one in answers) / len(answers), 0)))
        if screen.contest is not None:
            rows.append(("Median objective", f"{np.median(values):g}"))
            rows.append(("Objective of TAO", f"{screen.contest.tao_entry.objective:g}"))
        elif not screen.guess.choices:
            rows.append(("Median", _median(screen.guess, values)))
        if screen.guess is not None and screen.contest is None:
            bars = guesses_html(screen.guess, values, True)
    cells = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    answer = f"<p>{escape(_plain(screen.answer))}</p>" if screen.answer else ""
    return f"<section><h2>{head}</h2><p>{escape(_question(screen))}</p><table>{cells}</table>{bars}{answer}</section>"


def _median(guess: Any, values: Sequence[float]) -> str:
    """Return the median, with one more digit if it is halfway between two guesses."""
    found = float(np.median(values))
    is_whole = math.isclose(found, round(found, guess.digits), abs_tol=1e-9)
    return guess_text(guess if is_whole else replace(guess, digits=guess.digits + 1), found)


def _value(screen: Screen, value: float) -> tuple[str, str]:
    """Return an answer and its unit as texts."""
    if screen.contest is not None:
        return f"{value:g}", OBJECTIVE
    if screen.guess.choices:
        return guess_text(screen.guess, value), ""
    return f"{value:.{screen.guess.digits}f}", screen.guess.unit


def _question(screen: Screen) -> str:
    return _plain(screen.ask or " ".join(screen.text))


def _plain(text: str) -> str:
    return _line("".join(words for _, words in spans(text)))


def _line(text: str) -> str:
    return " ".join(text.split())


def _safe(text: str) -> str:
    """Return a text for GIFT. An arrow would make a matching question, and no escape for it exists."""
    return _GIFT.sub(r"\\\1", _line(text).replace("->", "→"))


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
        ("Guesses (CSV)", guesses_csv, ".csv", "text/csv"),
        ("Summary (HTML)", summary_html, ".html", "text/html"),
        ("Questions (Moodle GIFT)", questions_gift, ".gift.txt", "text/plain"),
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
