"""Test the files of a room: guesses, summary and questions."""

import csv
import io
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from pages.rooms.room import Answer, Record, Screen, is_right
from pages.rooms.room_store import RoomStore
from pages.ui.learn import lessons
from pages.ui.learn.lessons.lesson import Guess
from pages.ui.room.room_menu import COLUMNS, guesses_csv, questions_gift, summary_html
from tests.pages.rooms.contests import contest
from tests.pages.ui.room.gift import read, read_all

OPENED = datetime(2026, 3, 1, 9, tzinfo=UTC)
NASTY = "=1+1 {~a} #b: c\\d -> <b>e</b> // %50% [html] $f &amp; \\n ::g:: ####h"
NUMBER = Screen("one", 2, "A lesson", ("Words.",), "How **many**?", "It is *4.4* %.", Guess(4.43, 0, 20, 0.5, 1, "%"))
CHOICE = Screen("one", 3, NASTY, (), NASTY, NASTY, Guess(1, choices=(NASTY, "-2", "%50%@x")))


def record(*asked):
    """Return a `Record`; asked : (screen, *guesses)."""
    return Record("ABCDE", OPENED, tuple((screen, answers(screen, values)) for screen, *values in asked))


def answers(screen, values):
    """Return an `Answer` of one student for each value, a second after the other."""
    return tuple(
        Answer(k, value, is_right(screen.guess, value), OPENED + timedelta(seconds=k))
        for k, value in enumerate(values, 1)
    )


def rows_of(found):
    head, *rows = csv.reader(io.StringIO(guesses_csv(found)))
    assert tuple(head) == COLUMNS
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_the_table_has_one_line_for_each_guess_and_no_formula():
    rows = rows_of(record((NUMBER, 4.5, 9.0), (CHOICE, 0, 1, 2)))
    assert rows[0] == {
        "lesson": "A lesson", "screen": "3", "question": "How many?", "student": "1", "guess": "4.5", "unit": "%",
        "right": "yes", "time": "2026-03-01 09:00:01",
    }  # fmt: skip
    assert [row["right"] for row in rows] == ["yes", "no", "no", "yes", "no"]
    assert [row["guess"] for row in rows[2:]] == [f"'{NASTY}", "-2", "%50%@x"]
    assert rows[2]["lesson"] == rows[2]["question"] == f"'{NASTY}"
    assert not [cell for row in rows for cell in row.values() if cell[:1] in "=+@" and cell]


def test_the_summary_counts_and_escapes():
    page = summary_html(record((NUMBER, 4.5, 9.0, 4.0, 10.0), (CHOICE, 0, 1)))
    shown = unescape(re.sub("<[^>]*>", " ", page))
    assert "<b>e</b>" not in page
    assert NASTY.replace("<b>", "").replace("</b>", "")[:10] in shown
    cells = re.findall("<th>(.*?)</th><td>(.*?)</td>", page)
    assert cells == [
        ("Answers", "4"), ("Right", "25 %"), ("Median", "6.75\u00a0%"), ("Answers", "2"), ("Right", "50 %")
    ]  # fmt: skip
    assert page.count('class="guesses"') == 2


@pytest.mark.parametrize(("values", "median"), [((2, 3), "2.5"), ((2, 4), "3"), ((1000, 1001, 3), "1,000")])
def test_the_median_of_whole_numbers_is_not_rounded(values, median):
    screen = Screen("one", 2, "A lesson", (), "How many?", "", Guess(2, 0, 2000))
    assert f"<td>{median}</td>" in summary_html(record((screen, *values)))


def test_the_questions_keep_every_sign_and_their_answers():
    found = read(questions_gift(record((NUMBER,), (CHOICE,))))
    arrow = NASTY.replace("->", "→")
    lesson = "Lesson 'A lesson'. Words. How many?"
    assert found[0] == ("A lesson, screen 3 (%)", lesson, (), (4.43, 0.25), "It is 4.4 %.")
    choices = (arrow, False), ("-2", True), ("%50%@x", False)
    assert found[1] == (f"{arrow}, screen 4", f"Lesson '{arrow}'. {arrow}", choices, None, arrow)


@pytest.mark.parametrize("broken", ["::a::[plain]b {=c} {", "::a::[plain]b =c", "x {=a}", "::a::[plain]b {=c:d}"])
def test_the_reader_refuses_what_moodle_would_misread(broken):
    with pytest.raises(ValueError, match="Expected|another kind"):
        read(broken)


def test_a_room_without_guesses_still_gives_valid_files():
    for found, n in ((record(), 0), (record((NUMBER,), (CHOICE,)), 2)):
        assert rows_of(found) == []
        assert "The room has no answers." in summary_html(found)
        assert len(read(questions_gift(found))) == n
    assert "This room has shown no question yet." in questions_gift(record())


def test_a_contest_is_in_the_table_and_the_summary_without_names():
    one, store = contest(), RoomStore()
    screen = Screen("", 10**9, "Beat TAO", ("Separate the points.",), contest=one)
    secret = store.open()
    store.show(secret, screen)
    code = store.answers(secret).code
    for document in (one.leaf.document, one.tao_entry.document):
        token = store.join(code)
        store.call(code, token, "Anna")
        store.draw(code, token, screen.name, document)
    found = store.record(secret)
    rows = rows_of(found)
    assert [(row["screen"], row["student"], row["guess"], row["unit"], row["right"]) for row in rows] == [
        ("", "1", f"{one.leaf.objective:g}", "objective", "no"),
        ("", "2", f"{one.tao_entry.objective:g}", "objective", "yes"),
    ]
    assert f"<td>{one.tao_entry.objective:g}</td>" in summary_html(found)
    assert "'Beat TAO' is a drawing task, which GIFT does not support." in questions_gift(found)
    assert "Anna" not in guesses_csv(found) + summary_html(found) + questions_gift(found)


def test_every_question_of_every_lesson_is_valid_and_makes_sense_without_its_screen():
    files, shown = [], []
    for slug, lesson in lessons.ALL.items():
        screens = [
            Screen(slug, k, lesson.title, one.text, one.ask, one.answer, one.guess)
            for k, one in enumerate(lessons.build(slug).moments)
            if one.guess is not None
        ]
        files.append(questions_gift(record(*((screen,) for screen in screens))))
        shown.append(screens)
    found = read_all(files)
    assert sum(map(len, found)) > 50
    for content, items, screens in zip(files, found, shown, strict=True):
        left_out = [line for line in content.splitlines() if "needs the picture" in line]
        assert len(items) + len(left_out) == len(screens)
        kept = {f"{screen.title}, screen {screen.moment + 1}": screen for screen in screens}
        for item in items:
            screen = kept[re.sub(r" \([^)]*\)$", "", item.name)]
            assert item.text == re.sub(r"\*+", "", " ".join([f"Lesson '{screen.title}'.", *screen.text, screen.ask]))
            assert item.feedback == re.sub(r"\*+", "", screen.answer)
            if screen.guess.choices:
                assert [right for _, right in item.choices].index(True) == screen.guess.truth
                assert [words for words, _ in item.choices] == list(screen.guess.choices)
            else:
                assert item.number == (pytest.approx(screen.guess.truth), screen.guess.step / 2)


@pytest.mark.parametrize("words", ["Move the slider.", "Look at the plot.", "What does this node do?", "And now?"])
def test_a_question_about_the_picture_is_left_out_in_words(words):
    content = questions_gift(record((replace(NUMBER, ask=words),), (NUMBER,)))
    assert f"The question of screen {3} of 'A lesson' needs the picture of the screen." in content
    assert len(read(content)) == 1
