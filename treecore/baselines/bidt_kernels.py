"""Branch and bound for the line with the lowest Gini index in the plane of two features (Bollwein, Westphal 2021).

A line splits the points by ``y + slope * x >= cut`` with a slope in [-1, 1]. Steeper lines are found by exchanging x
and y. The search halves boxes of slopes and cuts. In a box, some points are right of every line and some are left of
every line. The remaining points are open. Their score is bounded by placing all open points of a class on the same
side, whichever is best. No mixture is better, because the score is convex in the class weights of a side. As in
`impurity_kernels`, a score is the sum over the sides of ``sum of squared class weights / weight``, and a larger score
means purer sides.
"""

from typing import NamedTuple

import numpy as np

from treecore._jit import kernel
from treecore.baselines.bidt_lines import (
    MOST_CHOICES,
    SMALL,
    Scratch,
    add_location,
    best_of_few,
    best_of_order,
    may_cross,
    score_line,
)

SLABS = 8  # intervals of the weight of a side in the coarse bound
NARROW = 1e-9  # smallest size of a box that is halved, in units of the middle range of a feature
DEEP = 256  # largest number of open boxes


class Boxes(NamedTuple):
    """Stack of open boxes. The open locations of each box are the first `opens` entries of `members`."""

    limits: np.ndarray  # float64[DEEP, 4]: least and largest slope, least and largest cut
    opens: np.ndarray  # int64[DEEP]
    left: np.ndarray  # float64[DEEP, k], class weights left of every line
    right: np.ndarray  # float64[DEEP, k]
    members: np.ndarray  # int64[g]


@kernel
def first_box(points, n_classes):
    """Return `Boxes` with a single box that contains every line."""
    boxes = Boxes(
        np.empty((DEEP, 4)), np.empty(DEEP, np.int64), np.zeros((DEEP, n_classes)), np.zeros((DEEP, n_classes)),
        np.arange(points.x.size),
    )  # fmt: skip
    lowest, highest = np.inf, -np.inf
    for g in range(points.x.size):
        lowest = min(lowest, points.y[g] - abs(points.x[g]))
        highest = max(highest, points.y[g] + abs(points.x[g]))
    boxes.limits[0] = np.array([-1.0, 1.0, lowest, highest])
    boxes.opens[0] = points.x.size
    return boxes


@kernel
def _coarse_bound(left, right, free):
    """Return a coarser bound than `score_bound`, by intervals of the weight on the left.

    Each class chooses independently of the others.
    """
    low, high, moving = left.sum(), right.sum(), free.sum()
    best = 0.0
    for s in range(SLABS):
        least_left = low + moving * s / SLABS
        least_right = high + moving * (SLABS - 1 - s) / SLABS
        if least_left <= 0.0 or least_right <= 0.0:
            return low + high + moving
        total = 0.0
        for c in range(left.size):
            joins_left = (left[c] + free[c]) ** 2 / least_left + right[c] ** 2 / least_right
            joins_right = left[c] ** 2 / least_left + (right[c] + free[c]) ** 2 / least_right
            total += max(joins_left, joins_right)
        best = max(best, total)
    return min(best, low + high + moving)


@kernel
def score_bound(left, right, free, choices):
    """Return the largest score if each class may put its weight `free` on either side, or a bound for many classes.

    left, right, free : float64[k], class weights; choices : float64[4, 2**MOST_CHOICES], scratch array for the sums of
    squares and the weights of both sides, for every choice of the classes so far.
    """
    n_open = 0
    below, above, low, high = 0.0, 0.0, 0.0, 0.0
    for c in range(left.size):
        if free[c] > 0.0:
            n_open += 1
        else:
            below += left[c] * left[c]
            above += right[c] * right[c]
        low += left[c]
        high += right[c]
    if n_open > MOST_CHOICES:
        return _coarse_bound(left, right, free)
    choices[0, 0], choices[1, 0], choices[2, 0], choices[3, 0] = below, above, low, high
    size = 1
    for c in range(left.size):
        if free[c] > 0.0:
            joined_left, joined_right = (left[c] + free[c]) ** 2, (right[c] + free[c]) ** 2
            stays_left, stays_right = left[c] ** 2, right[c] ** 2
            for i in range(size):
                choices[0, size + i] = choices[0, i] + joined_left
                choices[1, size + i] = choices[1, i] + stays_right
                choices[2, size + i] = choices[2, i] + free[c]
                choices[3, size + i] = choices[3, i]
                choices[0, i] += stays_left
                choices[1, i] += joined_right
                choices[3, i] += free[c]
            size *= 2
    best = 0.0
    for i in range(size):
        score = choices[0, i] / choices[2, i] if choices[2, i] > 0.0 else 0.0
        score += choices[1, i] / choices[3, i] if choices[3, i] > 0.0 else 0.0
        best = max(best, score)
    return best


@kernel
def _classify(points, members, n_open, limits, left, right, free):
    """Return (number of open locations, largest absolute x among them, heaviest mixed location or -1) of a box.

    Add the locations with the same side in the whole box to `left` or `right`, and move the open ones to the front of
    `members`.
    """
    least, most, lowest, highest = limits[0], limits[1], limits[2], limits[3]
    kept, farthest, heaviest, weight = 0, 0.0, -1, 0.0
    free[:] = 0.0
    for i in range(n_open):
        g = members[i]
        x, y = points.x[g], points.y[g]
        a, b = y + least * x, y + most * x
        if min(a, b) >= highest:
            add_location(points, g, right)
        elif max(a, b) < lowest:
            add_location(points, g, left)
        else:
            members[i], members[kept] = members[kept], g
            kept += 1
            add_location(points, g, free)
            farthest = max(farthest, abs(x))
            if points.mixed[g] > weight:
                heaviest, weight = g, points.mixed[g]
    return kept, farthest, heaviest


@kernel
def _box_bound(points, heaviest, left, right, free, scratch):
    """Return the larger `score_bound` with the heaviest mixed location on either side. No line splits a location."""
    if heaviest < 0:
        return score_bound(left, right, free, scratch.choices)
    others, side = scratch.others, scratch.side
    others[:] = free
    for e in range(points.starts[heaviest], points.starts[heaviest + 1]):
        c = points.classes[e]
        others[c] = max(others[c] - points.weights[e], 0.0)
    side[:] = left
    add_location(points, heaviest, side)
    bound = score_bound(side, right, others, scratch.choices)
    side[:] = right
    add_location(points, heaviest, side)
    return max(bound, score_bound(left, side, others, scratch.choices))


@kernel
def _push(boxes, size, limits, axis, kept, left, right):
    """Push both halves of a box onto the stack and return the new size of the stack."""
    middle = limits[axis] + (limits[axis + 1] - limits[axis]) / 2
    for half in range(2):
        boxes.limits[size] = limits
        boxes.limits[size, axis + 1 - half] = middle
        boxes.opens[size] = kept
        boxes.left[size] = left
        boxes.right[size] = right
        size += 1
    return size


@kernel
def search(points, boxes, size, best, tie, budget):
    """Search about `budget` open locations and return (number of open boxes, score, slope, cut).

    The slope is NaN if no line was found.

    size : number of open boxes; best : float, score that a line must exceed by more than `tie`. If no box is left, the
    line is optimal, or no line exceeds `best`.
    """
    k = boxes.left.shape[1]
    left, right, free = np.empty(k), np.empty(k), np.empty(k)
    scratch = Scratch(
        np.empty((4, 1 << MOST_CHOICES)), np.empty(k), np.empty(k), np.empty((SMALL + 1, k)), np.empty(SMALL**2 + 2),
        np.empty(SMALL), np.empty(SMALL, np.int64),
    )  # fmt: skip
    limits = np.empty(4)
    best_slope, best_cut = np.nan, 0.0
    while size > 0 and budget > 0:
        size -= 1
        limits[:] = boxes.limits[size]
        left[:] = boxes.left[size]
        right[:] = boxes.right[size]
        budget -= boxes.opens[size] + SMALL
        kept, farthest, heaviest = _classify(points, boxes.members, boxes.opens[size], limits, left, right, free)
        if _box_bound(points, heaviest, left, right, free, scratch) <= best + tie:
            continue
        open_locations = boxes.members[:kept]
        score = -np.inf
        if kept <= SMALL:
            score, slope, cut = best_of_few(points, open_locations, limits, left, right, scratch)
        elif not may_cross(points, open_locations, limits[0], limits[1]):
            score, slope, cut = best_of_order(points, open_locations, limits, left, right)
        if score > best + tie:
            best, best_slope, best_cut = score, slope, cut
        if kept <= SMALL or score > -np.inf:
            continue
        turn = farthest * (limits[1] - limits[0])  # largest change of an open location over the slopes of the box
        shift = limits[3] - limits[2]
        if max(turn, shift) > NARROW and size + 2 <= DEEP:
            size = _push(boxes, size, limits, 0 if turn >= shift else 2, kept, left, right)
            continue
        slope, cut = (limits[0] + limits[1]) / 2, (limits[2] + limits[3]) / 2
        score = score_line(points, open_locations, slope, cut, left, right, scratch)
        if score > best + tie:
            best, best_slope, best_cut = score, slope, cut
    return size, best, best_slope, best_cut
