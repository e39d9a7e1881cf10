"""Branch and bound for the best line in the plane of two features (Bollwein and Westphal 2021), for the Gini index.

A line parts the points by ``y + slope * x >= cut`` with a slope in [-1, 1]; those that are steeper are found with x and
y exchanged. The search halves boxes of slopes and cuts. In a box some points are right of every line and some left; of
the others, the best that any line could do is bounded by letting each class choose its side freely: the score is convex
in the class weights of a side, so no mixture of sides within a class is better. As in `impurity_kernels` a score is,
summed over the sides, ``sum of squared class weights / weight``, the larger the purer.

Points at the same place are one location; its points are the entries [starts[g], starts[g + 1]), one for each class.
"""

from typing import NamedTuple

import numpy as np

from treecore._jit import kernel

SMALL = 8  # open locations whose lines are enumerated
MOST_CHOICES = 6  # open classes whose choices are enumerated; more get a coarser bound
SLABS = 8  # of the weight of a side, in the coarser bound
NARROW = 1e-9  # boxes that are not halved further, in units of the middle range of a feature
DEEP = 256  # boxes that wait, at most


class Points(NamedTuple):
    """Locations of one plane, and the weight of each class at them."""

    x: np.ndarray  # float64[g]
    y: np.ndarray  # float64[g]
    starts: np.ndarray  # int64[g + 1]
    classes: np.ndarray  # int32[entries]
    weights: np.ndarray  # float64[entries]


class Boxes(NamedTuple):
    """Stack of boxes that wait; the open locations of each are the first `opens` of `members`."""

    limits: np.ndarray  # float64[DEEP, 4]: least and largest slope, least and largest cut
    opens: np.ndarray  # int64[DEEP]
    left: np.ndarray  # float64[DEEP, k], class weights that are left of every line
    right: np.ndarray  # float64[DEEP, k]
    members: np.ndarray  # int64[g]


@kernel
def gather_locations(x, y, keys, classes, weights, n_classes):
    """`Points` of rows with the same key (int64[m], equal where x and y are); x, y, weights : float64[m]."""
    order = np.argsort(keys * n_classes + classes)
    m = order.size
    xs, ys, starts = np.empty(m), np.empty(m), np.empty(m + 1, np.int64)
    entry_classes, entry_weights = np.empty(m, np.int32), np.empty(m)
    n_locations, n_entries = 0, 0
    for i in range(m):
        p = order[i]
        if i == 0 or keys[p] != keys[order[i - 1]]:
            xs[n_locations], ys[n_locations], starts[n_locations] = x[p], y[p], n_entries
            n_locations += 1
        elif classes[p] == classes[order[i - 1]]:
            entry_weights[n_entries - 1] += weights[p]
            continue
        entry_classes[n_entries], entry_weights[n_entries] = classes[p], weights[p]
        n_entries += 1
    starts[n_locations] = n_entries
    return Points(
        xs[:n_locations], ys[:n_locations], starts[: n_locations + 1], entry_classes[:n_entries],
        entry_weights[:n_entries],
    )  # fmt: skip


@kernel
def first_box(points, n_classes):
    """`Boxes` with one box, which holds every line."""
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
def side_scores(left, right):
    """Score of two sides with these class weights; an empty side adds nothing."""
    below, above, low, high = 0.0, 0.0, 0.0, 0.0
    for c in range(left.size):
        below += left[c] * left[c]
        above += right[c] * right[c]
        low += left[c]
        high += right[c]
    return (below / low if low > 0.0 else 0.0) + (above / high if high > 0.0 else 0.0)


@kernel
def _coarse_bound(left, right, free):
    """As `score_bound`, by slabs of the weight on the left: each class chooses as if the others left it room."""
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
    """Largest score when each class may put its weight `free` on either side; at least that, with many open classes.

    left, right, free : float64[k], class weights; choices : int64[k], overwritten.
    """
    n_open = 0
    below, above, low, high = 0.0, 0.0, 0.0, 0.0
    for c in range(left.size):
        if free[c] > 0.0:
            choices[n_open] = c
            n_open += 1
        else:
            below += left[c] * left[c]
            above += right[c] * right[c]
        low += left[c]
        high += right[c]
    if n_open > MOST_CHOICES:
        return _coarse_bound(left, right, free)
    best = 0.0
    for choice in range(1 << n_open):
        squares_left, squares_right, weight_left, weight_right = below, above, low, high
        for place in range(n_open):
            c = choices[place]
            if choice >> place & 1:
                squares_left += (left[c] + free[c]) ** 2
                squares_right += right[c] ** 2
                weight_left += free[c]
            else:
                squares_left += left[c] ** 2
                squares_right += (right[c] + free[c]) ** 2
                weight_right += free[c]
        score = squares_left / weight_left if weight_left > 0.0 else 0.0
        score += squares_right / weight_right if weight_right > 0.0 else 0.0
        best = max(best, score)
    return best


@kernel
def _add(points, location, side):
    for e in range(points.starts[location], points.starts[location + 1]):
        side[points.classes[e]] += points.weights[e]


@kernel
def _weight(points, location):
    total = 0.0
    for e in range(points.starts[location], points.starts[location + 1]):
        total += points.weights[e]
    return total


@kernel
def _classify(points, members, n_open, limits, left, right, free):
    """Add the locations whose side is the same all over a box to it; put the others first; return their number."""
    least, most, lowest, highest = limits[0], limits[1], limits[2], limits[3]
    kept = 0
    free[:] = 0.0
    for i in range(n_open):
        g = members[i]
        a, b = points.y[g] + least * points.x[g], points.y[g] + most * points.x[g]
        if min(a, b) >= highest:
            _add(points, g, right)
        elif max(a, b) < lowest:
            _add(points, g, left)
        else:
            members[i], members[kept] = members[kept], g
            kept += 1
            _add(points, g, free)
    return kept


@kernel
def _box_bound(points, open_locations, left, right, free, choices):
    """`score_bound`; the heaviest location of several classes, which cannot be parted, is tried on either side."""
    heaviest, largest = -1, 0.1 * free.sum()
    for g in open_locations:
        if points.starts[g + 1] - points.starts[g] > 1 and _weight(points, g) > largest:
            heaviest, largest = g, _weight(points, g)
    if heaviest < 0:
        return score_bound(left, right, free, choices)
    others, side = np.zeros(free.size), left.copy()
    for g in open_locations:
        if g != heaviest:
            _add(points, g, others)
    _add(points, heaviest, side)
    bound = score_bound(side, right, others, choices)
    side[:] = right
    _add(points, heaviest, side)
    return max(bound, score_bound(left, side, others, choices))


@kernel
def _score_line(points, open_locations, slope, cut, left, right):
    """Score of one line of a box."""
    below, above = left.copy(), right.copy()
    for g in open_locations:
        _add(points, g, above if points.y[g] + slope * points.x[g] >= cut else below)
    return side_scores(below, above)


@kernel
def _best_of_few(points, open_locations, limits, left, right):
    """(score, slope, cut) of the best line of a box with few open locations: every order along a slope, every cut."""
    least, most, lowest, highest = limits[0], limits[1], limits[2], limits[3]
    n = open_locations.size
    slopes, n_slopes = np.empty(2 + n * n), 2
    slopes[0], slopes[1] = least, most
    for i in range(n):
        for j in range(i):
            g, h = open_locations[i], open_locations[j]
            if points.x[g] != points.x[h]:
                crossing = (points.y[h] - points.y[g]) / (points.x[g] - points.x[h])
                if least < crossing < most:
                    slopes[n_slopes] = crossing
                    n_slopes += 1
    slopes = np.sort(slopes[:n_slopes])
    best, best_slope, best_cut = -np.inf, 0.0, 0.0
    places = np.empty(n)
    for s in range(n_slopes - 1):
        slope = slopes[s] + (slopes[s + 1] - slopes[s]) / 2
        if slopes[s] == slopes[s + 1]:
            continue
        for i in range(n):
            places[i] = points.y[open_locations[i]] + slope * points.x[open_locations[i]]
        order = np.sort(places)
        for i in range(n + 1):
            low = lowest if i == 0 else max(order[i - 1], lowest)
            high = highest if i == n else min(order[i], highest)
            if low < high:
                cut = low + (high - low) / 2
                score = _score_line(points, open_locations, slope, cut, left, right)
                if score > best:
                    best, best_slope, best_cut = score, slope, cut
    return best, best_slope, best_cut


@kernel
def _push(boxes, size, limits, axis, kept, left, right):
    """Put the halves of a box on the stack; return its size."""
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
    """(boxes that still wait, score, slope, cut) after looking at about `budget` open locations; nan slope: no line.

    size : boxes that wait; best : float, score that a line must beat by more than `tie`. With no box left, the line is
    the best there is, or none beats `best`.
    """
    k = boxes.left.shape[1]
    left, right, free, choices = np.empty(k), np.empty(k), np.empty(k), np.empty(k, np.int64)
    limits = np.empty(4)
    best_slope, best_cut = np.nan, 0.0
    while size > 0 and budget > 0:
        size -= 1
        limits[:] = boxes.limits[size]
        left[:] = boxes.left[size]
        right[:] = boxes.right[size]
        budget -= boxes.opens[size] + SMALL
        kept = _classify(points, boxes.members, boxes.opens[size], limits, left, right, free)
        open_locations = boxes.members[:kept]
        if _box_bound(points, open_locations, left, right, free, choices) <= best + tie:
            continue
        if kept <= SMALL:
            score, slope, cut = _best_of_few(points, open_locations, limits, left, right)
        else:
            slope, cut = (limits[0] + limits[1]) / 2, (limits[2] + limits[3]) / 2
            score = _score_line(points, open_locations, slope, cut, left, right)
        if score > best + tie:
            best, best_slope, best_cut = score, slope, cut
        turn = 0.0  # how far the open locations move over the slopes of the box
        for g in open_locations:
            turn = max(turn, abs(points.x[g]) * (limits[1] - limits[0]))
        shift = limits[3] - limits[2]
        if kept > SMALL and max(turn, shift) > NARROW and size + 2 <= DEEP:
            size = _push(boxes, size, limits, 0 if turn >= shift else 2, kept, left, right)
    return size, best, best_slope, best_cut
