"""Draw the instructor's page of a lesson: aims, misconceptions, advice on guesses, data and worksheets."""

import functools
from collections.abc import Iterable

import streamlit as st

from pages.ui.learn import lesson_store, lessons, notes
from pages.ui.learn.class_plan import plan_bar
from pages.ui.learn.lesson_notes import Notes, truth_text
from pages.ui.learn.lessons.lesson import BuiltLesson, Moment
from pages.ui.learn.worksheets.worksheet_files import FORMATS, KINDS, worksheet_file, worksheet_name
from pages.ui.room import led_room
from pages.ui.shell import address
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.page_title import page_title
from pages.ui.shell.save_button import save_button
from pages.ui.styles.sheet import sheet
from treecore.tree.number_text import count

PAGE = "pages/learn.py"
LABELS = {
    ("worksheet", "html"): "Worksheet (HTML)",
    ("worksheet", "pdf"): "Worksheet (PDF)",
    ("key", "html"): "Key (HTML)",
    ("key", "pdf"): "Key (PDF)",
}


def show(slug: str) -> bool:
    """Draw the notes of a lesson if the address asks for them. Return whether it does."""
    if st.query_params.get("notes") != "1" or slug not in notes.ALL or slug not in lessons.ALL:
        return False
    address.write({"lesson": slug, "notes": "1"} | plan_bar.query() | led_room.query())
    _notes_page(slug, lesson_store.opened(slug))
    return True


def link(slug: str) -> None:
    """Draw the link to the notes of a lesson."""
    if slug in notes.ALL:
        st.page_link(
            PAGE, label="Notes", icon=":material/lightbulb:",
            query_params={"lesson": slug, "notes": "1"} | plan_bar.query(),
            help="Instructor's notes: aims, misconceptions, advice on guesses, and worksheets.",
        )  # fmt: skip


def _notes_page(slug: str, built: BuiltLesson) -> None:
    lesson, found = lessons.ALL[slug], notes.ALL[slug].filled(built)
    st.html(sheet("no_sidebar"))
    page_title("Instructor's notes", f"{lesson.title}. {lesson.about}")
    st.page_link(
        PAGE, label="Back to the lesson", icon=":material/arrow_back:", query_params={"lesson": slug} | plan_bar.query()
    )
    words, side = st.columns([2.2, 1], gap="large")
    with words:
        st.markdown(_words(found, built))
    with side:
        st.markdown(f"## Time\n{found.minutes} minutes, {len(built.moments)} screens")
        st.markdown("## Worksheets")
        for kind in KINDS:
            with st.container(horizontal=True):
                for format, mime in FORMATS.items():
                    save_button(
                        LABELS[kind, format], functools.partial(worksheet_file, slug, kind, format),
                        worksheet_name(slug, kind, format), mime, key=f"notes-{kind}-{format}",
                    )  # fmt: skip
        st.caption("The worksheet contains the questions without answers. The key contains the answers.")
        st.markdown(f"## Data\n{_data(built)}")


def _words(found: Notes, built: BuiltLesson) -> str:
    guesses = [(number, moment) for number, moment in enumerate(built.moments, 1) if moment.guess is not None]
    return "\n\n".join(
        [
            "## Aims\nAfter this lesson, students can", _list(found.aims),
            "## What students must know", _list(found.needs),
            "## Misconceptions", _list(f"**{belief}** {reply}" for belief, reply in found.misconceptions),
            "## When guesses differ", _list(_guess(found, number, moment) for number, moment in guesses),
        ]
    )  # fmt: skip


def _guess(found: Notes, number: int, moment: Moment) -> str:
    words = found.split_words(moment)
    return f"Screen {number}: *{_plain(moment.ask)}* Answer: **{plain(truth_text(moment))}**. {words}"


def _data(built: BuiltLesson) -> str:
    data = {scene.data.name: scene for scene in built.scenes}
    return _list(
        f"**{plain(scene.data.title)}**: {count(scene.data.n_rows)} rows, {scene.data.n_features} features; "
        f"{count(len(scene.rows[0]))} training rows. Source: {plain(scene.data.source)}."
        for scene in data.values()
    )


def _list(words: Iterable[str]) -> str:
    return "\n".join(f"- {one}" for one in words)


def _plain(text: str) -> str:
    """Return a question without its emphasis, which is already in emphasis."""
    return plain(text.replace("*", ""))
