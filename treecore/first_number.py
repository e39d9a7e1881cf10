"""`first_number`: the exact threshold of a split on one feature, independent of how its condition is rounded."""

from collections.abc import Callable

import numpy as np

_LAST = int(np.finfo(np.float64).max.view(np.int64))  # floats are ordered like the integers of their bits


def first_number(goes_right: Callable[[np.ndarray], np.ndarray], n: int) -> np.ndarray:
    """Return the first number that goes right in each of n splits, float64[n]: -inf if all do, inf if none does.

    goes_right : monotone function of float64[n], a number for each split, that returns bool[n]. It is called 64 times,
    once per bit of the result.
    """
    low, high = np.full(n, -_LAST - 1), np.full(n, _LAST + 1)
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(65):
            middle = (low >> 1) + (high >> 1) + (low & high & 1)  # avoids overflow of the sum
            right = goes_right(_numbers(middle))
            low, high = np.where(right, low, middle), np.where(right, middle, high)
    first = _numbers(high)
    return np.where(first == -np.finfo(np.float64).max, -np.inf, first)


def _numbers(ranks):
    return np.copysign(np.abs(ranks).view(np.float64), ranks)
