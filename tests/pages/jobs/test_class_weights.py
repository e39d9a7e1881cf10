"""Test the setting `class_weight`: its text, refused values and proposals."""

import math

import pytest

from pages.jobs import class_weights
from pages.jobs.settings import PathSettings
from pages.jobs.settings_text import PATH_TEXT


@pytest.mark.parametrize("numbers", [(1.0, 50.0), (0.01, 1.0, 10_000.0), (2.5,) * 60])
def test_a_link_keeps_the_weights(numbers):
    chosen = PathSettings(class_weight=class_weights.format_weights(numbers))
    assert class_weights.parse_weights(chosen.class_weight) == numbers
    assert PATH_TEXT.read(PATH_TEXT.write(chosen)) == chosen


@pytest.mark.parametrize(
    "text", ["0-1", "1-1e9", "1e9-1", "-1-2", "1--2", "", "-", "nan-1", "1-inf", "1,2", "1-" * 99 + "1"]
)
def test_invalid_weights_are_left_out(text):
    assert class_weights.parse_weights(text) is None
    assert PATH_TEXT.read({"class_weight": text}).class_weight == "equal"
    assert PATH_TEXT.invalid_names({"class_weight": text}) == ["class_weight"]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "would remove the class"),
        (1e9, "Unsupported weight 1e9"),
        (-3, "Unsupported weight"),
        (math.nan, "from 0.01"),
        (None, "from 0.01"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_is_allowed(number, said):
    assert said in class_weights.weight_fault(number)
    assert class_weights.weight_fault(50) is None


def test_the_proposal_balances_the_classes():
    assert class_weights.balanced_weights([980, 20]) == "1-49"
    assert class_weights.parse_weights(class_weights.balanced_weights([10**9, 0, 3]))[1:] == (10_000.0, 10_000.0)
