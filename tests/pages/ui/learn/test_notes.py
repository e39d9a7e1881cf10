"""Test the notes for teachers: every lesson has them, and they suit its questions."""

import re

import pytest

from pages.ui.learn import lessons, notes
from pages.ui.learn.lesson_notes import truth_text
from pages.ui.learn.lessons import build

PAGE = "pages/learn.py"


def test_every_lesson_has_notes():
    missing = [slug for slug in lessons.ALL if slug not in notes.ALL]
    assert not missing, (
        f"The lessons {missing} have no notes for teachers. Declare Notes with minutes, aims, needs, "
        "misconceptions and splits in ALL of pages/ui/learn/notes.py."
    )
    assert list(notes.ALL) == list(lessons.ALL), "The notes are in the order of the lessons."


@pytest.mark.parametrize("slug", notes.ALL)
def test_notes_are_whole(slug):
    found = notes.ALL[slug]
    assert 3 <= found.minutes <= 15
    assert len(found.aims) >= 2
    assert found.needs
    assert len(found.misconceptions) >= 2
    for aim in found.aims:
        assert re.fullmatch(r"[a-z].*[^.]", aim), f"An aim completes 'students can': {aim}"
    for pair in found.misconceptions:
        assert len(pair) == 2
        assert all(re.fullmatch(r"[A-Z{].*\.", words) for words in pair)
    for need in found.needs:
        for title in re.findall(r"\*([^*]+)\*", need):
            assert title in {lesson.title for lesson in lessons.ALL.values()}, f"There is no lesson '{title}'."


@pytest.mark.parametrize("slug", notes.ALL)
def test_notes_suit_the_questions_of_the_lesson_and_their_numbers_are_filled_in(slug):
    built = build(slug)
    found = notes.ALL[slug].filled(built)
    guesses = [moment for moment in built.moments if moment.guess is not None]
    assert found.splits
    for phrase in found.splits:
        fitting = [moment for moment in guesses if phrase in moment.ask]
        assert len(fitting) == 1, (
            f"'{phrase}' in the notes on {slug} is in {len(fitting)} questions with a guess, not in one."
        )
    words = [*found.aims, *found.needs, *sum(found.misconceptions, ()), *map(found.split_words, guesses)]
    assert not [text for text in words if re.search(r"[{}]", text)]


def test_the_correct_guess_is_the_one_of_the_lesson():
    moment = build("split-choice").moments[2]
    assert truth_text(moment) in notes.ALL["split-choice"].split_words(moment)


def test_the_numbers_in_replies_are_those_of_the_lesson():
    built = build("pruning-and-lambda")
    reply = notes.ALL["pruning-and-lambda"].filled(built).misconceptions[0][1]
    assert f"TAO needs {built.moments[1].guess.truth}," in reply


def test_the_page_shows_notes_and_offers_worksheets(open_app):
    app = open_app(PAGE, lesson="split-choice", notes="1")
    assert not app.exception
    text = "\n".join(one.value for one in app.markdown)
    found = notes.ALL["split-choice"].filled(build("split-choice"))
    for words in (*found.aims, *(reply for _, reply in found.misconceptions)):
        assert words in text
    assert "209" in text
    labels = [one.proto.download_button.label if hasattr(one.proto, "download_button") else one.proto.label
              for one in app.get("download_button")]  # fmt: skip
    assert labels == ["Worksheet (HTML)", "Worksheet (PDF)", "Key (HTML)", "Key (PDF)"]


def test_notes_are_reachable_from_the_lesson_but_not_on_a_projector(open_app):
    assert "Notes" in [one.proto.label for one in open_app(PAGE, lesson="care-points").get("page_link")]
    assert "Notes" not in [
        one.proto.label for one in open_app(PAGE, lesson="care-points", present="1").get("page_link")
    ]
