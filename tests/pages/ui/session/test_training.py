"""Test the texts of durations."""

import pytest

from pages.ui.session.training import seconds_text


@pytest.mark.parametrize(
    ("span", "text"),
    [
        ((2.2, 6.4), "2 to 6 s"),
        ((0.1, 0.4), "about 1 s"),
        ((50, 120), "50 s to 2 min"),
        ((100, 400), "2 to 7 min"),
        ((0.5, 100), "1 s to 2 min"),
    ],
)
def test_durations_are_ranges(span, text):
    assert seconds_text(span) == text
