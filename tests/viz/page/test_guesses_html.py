"""Test the bars for the guesses of a class."""

import re

import pytest

from pages.ui.learn.lessons.lesson import Guess
from viz.page.guesses_html import MOST_BARS, guess_text, guesses_html, scale_text

SCALES = [Guess(11.5, 0, 30, 0.5, 1, "%"), Guess(7, 0, 3136, unit="pixels"), Guess(1, 1, 2), Guess(6, 1, 12)]


def heights(html):
    """Return [height of each bar in percent]."""
    return [float(text) for text in re.findall(r"height:([\d.]+)%", html)]


@pytest.mark.parametrize("guess", SCALES)
def test_every_guess_is_in_one_bar_and_the_ends_of_the_scale_too(guess):
    html = guesses_html(guess, [guess.low, guess.high, guess.high], False)
    assert 2 <= len(heights(html)) <= MOST_BARS + 1
    assert [k for k, height in enumerate(heights(html)) if height] == [0, len(heights(html)) - 1]
    assert [int(n) for n in re.findall(r">(\d+)</span><div", html)] == [1, 2]
    assert "▲" not in html


def test_the_truth_is_there_once_it_is_shown_and_texts_are_escaped():
    shown = guesses_html(SCALES[0], [3], True, 3)
    assert ">11.5\u00a0%<" in shown
    middles = re.findall(r"margin-left:([\d.]+)%;transform:translateX\(-50.0%\)\">▲", shown)
    places = [100 * (k + 0.5) / 16 for k in (5, 1)]  # the triangles of the truth and of the own guess are below bars
    assert list(map(float, middles)) == [pytest.approx(place, abs=0.1) for place in places]
    assert ">you<" in guesses_html(SCALES[0], [3], True, 3)
    choice = Guess(1, choices=("<b>", "more"))
    html = guesses_html(choice, [0, 0, 1], True, 0)
    assert all(words in html for words in ("&lt;b&gt; (you)", "more ✓"))
    assert re.findall(r"<span>(\d)</span>", html) == ["2", "1"]
    assert "✓" not in guesses_html(choice, [], False)


def test_a_guess_is_written_as_the_lesson_writes_it():
    assert (scale_text(SCALES[0]), scale_text(SCALES[2])) == ("0.0 to 30.0\u00a0%", "1 to 2")
    assert [guess_text(SCALES[0], 3), guess_text(SCALES[1], 3136)] == ["3.0\u00a0%", "3,136\u00a0pixels"]
