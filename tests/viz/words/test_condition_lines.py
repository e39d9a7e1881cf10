"""Test that lines of conditions break before a sign and keep numbers whole."""

import pytest

from viz.words import text_fit
from viz.words.text_fit import condition_lines

LONG = "−0.457 · petal length (cm) + 0.000451 · hire date (days since 1970) ≥ −1.278"


@pytest.mark.parametrize("room", [500, 300, 240, 170, 130, 105])
def test_lines_fit_and_keep_every_number(room):
    lines = condition_lines(LONG, 10, room)
    assert 1 <= len(lines) <= 3
    assert all(text_fit.width(line, 10) <= room for line in lines)
    text = " ".join(lines)
    assert all(number in text for number in ("−0.457 · ", "+ 0.000451 · ", "≥ −1.278"))
    assert ("…" in text) == (room < 170), text


def test_lines_break_before_signs_and_are_even():
    assert condition_lines(LONG, 10, 500) == (LONG,)
    assert condition_lines("mean perimeter ≥ 71.8", 10, 100) == ("mean perimeter", "≥ 71.8")
    assert condition_lines("0.5 · width − 0.25 · length ≥ 3", 10, 160) == ("0.5 · width", "− 0.25 · length ≥ 3")


def test_without_room_for_the_numbers_there_are_no_lines():
    assert condition_lines(LONG, 10, 40) == ()


def test_a_name_may_look_like_a_condition_or_be_empty():
    assert condition_lines("a ≥ b · c + d ≥ 2", 10, 400) == ("a ≥ b · c + d ≥ 2",)
    assert condition_lines("", 10, 400) == ("",)


def test_no_words_are_one_empty_line():
    assert condition_lines("", 10, 400) == ("",)
