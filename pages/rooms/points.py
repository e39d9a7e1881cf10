"""Award points to guesses and drawings, for the running score of a room."""

from typing import Any

MOST = 10  # points for a correct guess
FAR = 0.25  # share of the scale between guess and truth from which a guess gets no points


def is_right(guess: Any, value: float) -> bool:
    """Test whether a guess is the correct choice, or as near to the truth as the steps of the scale allow."""
    if guess.choices:
        return value == guess.truth
    return abs(value - guess.truth) <= guess.step / 2 * (1 + 1e-9)


def points_of_guess(guess: Any, value: float) -> int:
    """Return the points of a guess, 0 to MOST. A number near the truth gets a part of them."""
    if guess.choices or is_right(guess, value):
        return MOST * is_right(guess, value)
    share = abs(value - guess.truth) / (guess.high - guess.low)
    return max(0, round(MOST * (1 - share / FAR)))


def points_of_drawing(contest: Any, objective: float) -> int:
    """Return the points of an objective, 0 to MOST: the part of TAO's improvement that the drawing reaches."""
    first, goal = contest.leaf.objective, contest.tao_entry.objective
    if objective <= goal:
        return MOST
    return max(0, round(MOST * (first - objective) / (first - goal))) if goal < first else 0
