"""Univariate splits as comparisons with a threshold, equivalent to the sign of the margin for every float."""

import struct
from typing import NamedTuple

from treecore.export.checks import plain_number
from treecore.tree.tree import Tree

_LARGEST = 0x7FEFFFFFFFFFFFFF  # index of the largest float, because floats are ordered like the integers of their bits


class Threshold(NamedTuple):
    """Threshold of a split. A point goes right if ``x >= value`` (`rising`) or ``x <= value`` (not `rising`)."""

    feature: int
    rising: bool
    value: float

    def operator(self, goes_right: bool) -> str:
        """Return the comparison operator for numbers that go right (or left)."""
        if goes_right:
            return ">=" if self.rising else "<="
        return "<" if self.rising else ">"


def threshold(tree: Tree, node: int) -> Threshold | None:
    """Return the threshold of a decision node, or None if it does not use exactly one feature or is constant.

    The rounded margin is monotone in x, so bisection finds the first number that goes right.
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
    """Return the float with an index among all floats, where 0.0 has index 0."""
    size = struct.unpack("<d", struct.pack("<q", abs(place)))[0]
    return -size if place < 0 else size
