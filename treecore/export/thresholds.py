"""Univariate splits as comparisons with a threshold that agree with the margin to the last bit."""

import struct
from typing import NamedTuple

from treecore.export.checks import plain_number
from treecore.tree.tree import Tree

_LARGEST = 0x7FEFFFFFFFFFFFFF  # index of the largest float: floats are ordered like the integers of their bits


class Threshold(NamedTuple):
    """Threshold of a split: a point goes right iff ``x >= value`` if `rising`, otherwise iff ``x <= value``."""

    feature: int
    rising: bool
    value: float

    def operator(self, goes_right: bool) -> str:
        """Return the comparison that is true iff a number goes right (or left)."""
        if goes_right:
            return ">=" if self.rising else "<="
        return "<" if self.rising else ">"


def threshold(tree: Tree, node: int) -> Threshold | None:
    """Return the threshold of a decision node; None if it uses no feature or several, or is constant.

    The rounded margin rises (or falls) with x, so one number is the first to go right: bisection finds it.
    """
    features, weights, bias = tree.split(node)
    if features.size != 1 or weights[0] == 0:
        return None
    weight = abs(float(weights[0]))
    low, high = -_LARGEST, _LARGEST
    if not bias + weight * _number(low) < 0 <= bias + weight * _number(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if bias + weight * _number(middle) >= 0:
            high = middle
        else:
            low = middle
    rising = bool(weights[0] > 0)
    return Threshold(int(features[0]), rising, plain_number(_number(high) if rising else -_number(high)))


def _number(place):
    """Return the float with this index among all floats; 0.0 has index 0."""
    size = struct.unpack("<d", struct.pack("<q", abs(place)))[0]
    return -size if place < 0 else size
