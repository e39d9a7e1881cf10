"""The setting `class_weight` by hand: its text, its refusals and its proposals."""

import math

import pytest

from pages.jobs import class_weights
from pages.jobs.settings import PathSettings
from pages.jobs.settings_text import PATH_TEXT


@pytest.mark.parametrize("numbers", [(1.0, 50.0), (0.01, 1.0, 10_000.0), (2.5,) * 60])
def test_a_link_keeps_the_weights(numbers):
    chosen = PathSettings(class_weight=class_weights.text_of(numbers))
    assert class_weights.by_hand(chosen.class_weight) == numbers
    assert PATH_TEXT.read(PATH_TEXT.write(chosen)) == chosen


@pytest.mark.parametrize(
    "text", ["0-1", "1-1e9", "1e9-1", "-1-2", "1--2", "", "-", "nan-1", "1-inf", "1,2", "1-" * 99 + "1"]
)
def test_what_is_no_weight_is_left_out(text):
    assert class_weights.by_hand(text) is None
    assert PATH_TEXT.read({"class_weight": text}).class_weight == "equal"
    assert PATH_TEXT.misread({"class_weight": text}) == ["class_weight"]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "would not be there"),
        (1e9, "1e9 is no weight"),
        (-3, "is no weight"),
        (math.nan, "from 0.01"),
        (None, "from 0.01"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_is_allowed(number, said):
    assert said in class_weights.refusal(number)
    assert class_weights.refusal(50) is None


def test_what_is_proposed_balances_the_classes():
    assert class_weights.proposed([980, 20]) == "1-49"
    assert class_weights.by_hand(class_weights.proposed([10**9, 0, 3]))[1:] == (10_000.0, 10_000.0)
