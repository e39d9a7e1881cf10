"""`first_number`: where a decision on one feature turns, whatever arithmetic it is made with."""

from collections.abc import Callable

import numpy as np

_LAST = int(np.finfo(np.float64).max.view(np.int64))  # floats are ordered as the integers of their bits


def first_number(goes_right: Callable[[np.ndarray], np.ndarray], n: int) -> np.ndarray:
    """float64[n]: for each of n decisions the first number that goes right; -inf where all do, inf where none does.

    goes_right : function from float64[n], a number for each decision, to bool[n]; of larger numbers it must say True
    where it said so of a smaller one. It is asked 64 times, of single bits of the answer.
    """
    low, high = np.full(n, -_LAST - 1), np.full(n, _LAST + 1)
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(65):
            middle = (low >> 1) + (high >> 1) + (low & high & 1)  # their sum may be too large
            right = goes_right(_numbers(middle))
            low, high = np.where(right, low, middle), np.where(right, middle, high)
    first = _numbers(high)
    return np.where(first == -np.finfo(np.float64).max, -np.inf, first)


def _numbers(ranks):
    return np.copysign(np.abs(ranks).view(np.float64), ranks)
