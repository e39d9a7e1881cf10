"""Test the points of guesses and drawings."""

import pytest

from pages.rooms.room import MOST, is_right, points_of_drawing, points_of_guess
from pages.ui.learn.lessons.lesson import Guess
from tests.pages.rooms.contests import contest

SCALE = Guess(4.43, 0, 20, 0.5, 1, "%")
CHOICE = Guess(1, choices=("less", "more"))


@pytest.mark.parametrize(("value", "points"), [(4.5, 10), (4.0, 9), (5.5, 8), (9.43, 0), (20, 0)])
def test_a_number_gets_fewer_points_the_farther_it_is(value, points):
    assert points_of_guess(SCALE, value) == points
    assert is_right(SCALE, value) == (points == MOST)


def test_a_choice_gets_all_points_or_none():
    assert [points_of_guess(CHOICE, k) for k in (0, 1)] == [0, MOST]


def test_some_step_of_every_scale_is_right():
    for truth in (0, 0.26, 3.74, 9.99, 10):
        guess = Guess(truth, 0, 10, 0.5, 1)
        assert any(is_right(guess, k * 0.5) for k in range(21)), truth


def test_a_drawing_gets_the_share_of_the_improvement_of_tao():
    one = contest()
    first, goal = one.leaf.objective, one.tao_entry.objective
    objectives = first + 5, first, (first + goal) / 2, goal, goal - 1
    assert [points_of_drawing(one, objective) for objective in objectives] == [0, 0, 5, 10, 10]
