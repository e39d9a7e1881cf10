"""`Permitted`: the features and directions that the split of a node may use."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Permitted(NamedTuple):
    """Features that the split of a node may use. A constant split is always permitted.

    rises, falls : bool[d], whether larger values of a feature may go right, or left; together : function of two int[p]
    that returns whether a split may use both features, bool[p], or None if every pair is permitted.
    """

    rises: np.ndarray
    falls: np.ndarray
    together: Callable | None = None


def directions(usable: np.ndarray, permitted: Permitted | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the features, bool[d] each, whose larger values may go right, or left. usable : bool[d]."""
    if permitted is None:
        return usable, usable
    return usable & permitted.rises, usable & permitted.falls


def narrowed(usable: np.ndarray, permitted: Permitted | None) -> Permitted:
    """Return the permitted features among `usable`, bool[d]."""
    rises, falls = directions(usable, permitted)
    return Permitted(rises, falls, None if permitted is None else permitted.together)
