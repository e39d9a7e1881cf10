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

SMALL = 6  # open locations whose lines are enumerated
MOST_CHOICES = 9  # open classes whose choices are enumerated; more get a coarser bound
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
    mixed: np.ndarray  # float64[g], weight of a location of several classes, 0 for one class


class Scratch(NamedTuple):
    """Memory of one search."""

    choices: np.ndarray  # float64[4, 2**MOST_CHOICES], see `score_bound`
    others: np.ndarray  # float64[k]
    side: np.ndarray  # float64[k]
    below: np.ndarray  # float64[SMALL + 1, k]
    slopes: np.ndarray  # float64[SMALL**2 + 2]
    places: np.ndarray  # float64[SMALL]
    order: np.ndarray  # int64[SMALL]


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
    mixed = np.zeros(n_locations)
    for g in range(n_locations):
        if starts[g + 1] - starts[g] > 1:
            mixed[g] = entry_weights[starts[g] : starts[g + 1]].sum()
    return Points(
        xs[:n_locations], ys[:n_locations], starts[: n_locations + 1], entry_classes[:n_entries],
        entry_weights[:n_entries], mixed,
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

    left, right, free : float64[k], class weights; choices : float64[4, 2**MOST_CHOICES], overwritten: the sums of
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
def _add(points, location, side):
    for e in range(points.starts[location], points.starts[location + 1]):
        side[points.classes[e]] += points.weights[e]


@kernel
def _classify(points, members, n_open, limits, left, right, free):
    """(open locations, their largest size of x, heaviest one of several classes or -1) of a box.

    The locations whose side is the same all over the box are added to it; the open ones come first in `members`.
    """
    least, most, lowest, highest = limits[0], limits[1], limits[2], limits[3]
    kept, farthest, heaviest, weight = 0, 0.0, -1, 0.0
    free[:] = 0.0
    for i in range(n_open):
        g = members[i]
        x, y = points.x[g], points.y[g]
        a, b = y + least * x, y + most * x
        if min(a, b) >= highest:
            _add(points, g, right)
        elif max(a, b) < lowest:
            _add(points, g, left)
        else:
            members[i], members[kept] = members[kept], g
            kept += 1
            _add(points, g, free)
            farthest = max(farthest, abs(x))
            if points.mixed[g] > weight:
                heaviest, weight = g, points.mixed[g]
    return kept, farthest, heaviest


@kernel
def _box_bound(points, heaviest, left, right, free, scratch):
    """`score_bound`; the heaviest location of several classes, which cannot be parted, is tried on either side."""
    if heaviest < 0:
        return score_bound(left, right, free, scratch.choices)
    others, side = scratch.others, scratch.side
    others[:] = free
    for e in range(points.starts[heaviest], points.starts[heaviest + 1]):
        c = points.classes[e]
        others[c] = max(others[c] - points.weights[e], 0.0)
    side[:] = left
    _add(points, heaviest, side)
    bound = score_bound(side, right, others, scratch.choices)
    side[:] = right
    _add(points, heaviest, side)
    return max(bound, score_bound(left, side, others, scratch.choices))


@kernel
def _score_line(points, open_locations, slope, cut, left, right, scratch):
    """Score of one line of a box."""
    below, above = scratch.others, scratch.side
    below[:] = left
    above[:] = right
    for g in open_locations:
        _add(points, g, above if points.y[g] + slope * points.x[g] >= cut else below)
    return side_scores(below, above)


@kernel
def _crossings(points, open_locations, least, most, slopes):
    """Sorted slopes from `least` to `most` between which the order of the locations stays; return their number."""
    slopes[0], n_slopes = least, 1
    for i in range(open_locations.size):
        for j in range(i):
            g, h = open_locations[i], open_locations[j]
            if points.x[g] == points.x[h]:
                continue
            crossing = (points.y[h] - points.y[g]) / (points.x[g] - points.x[h])
            if least < crossing < most:
                at = n_slopes
                while slopes[at - 1] > crossing:
                    slopes[at] = slopes[at - 1]
                    at -= 1
                slopes[at] = crossing
                n_slopes += 1
    slopes[n_slopes] = most
    return n_slopes + 1


@kernel
def _sort_by_place(points, open_locations, slope, places, order):
    for i in range(open_locations.size):
        g = open_locations[i]
        place, at = points.y[g] + slope * points.x[g], i
        while at > 0 and places[at - 1] > place:
            places[at], order[at] = places[at - 1], order[at - 1]
            at -= 1
        places[at], order[at] = place, g


@kernel
def _best_of_few(points, open_locations, limits, left, right, scratch):
    """(score, slope, cut) of the best line of a box with few open locations: every order along a slope, every cut."""
    lowest, highest = limits[2], limits[3]
    n, slopes, places, order = open_locations.size, scratch.slopes, scratch.places, scratch.order
    n_slopes = _crossings(points, open_locations, limits[0], limits[1], slopes)
    best, best_slope, best_cut = -np.inf, 0.0, 0.0
    below, above = scratch.below, scratch.side
    for s in range(n_slopes - 1):
        if slopes[s] == slopes[s + 1]:
            continue
        slope = slopes[s] + (slopes[s + 1] - slopes[s]) / 2
        _sort_by_place(points, open_locations, slope, places, order)
        below[0] = left
        for i in range(n):
            below[i + 1] = below[i]
            _add(points, order[i], below[i + 1])
        above[:] = right
        for i in range(n, -1, -1):
            if i < n:
                _add(points, order[i], above)
            low = lowest if i == 0 else max(places[i - 1], lowest)
            high = highest if i == n else min(places[i], highest)
            if low < high:
                score = side_scores(below[i], above)
                if score > best:
                    best, best_slope, best_cut = score, slope, low + (high - low) / 2
    return best, best_slope, best_cut


@kernel
def _may_cross(points, open_locations, least, most):
    """Whether two neighbours in the list change their order between two slopes: quickly found where many do."""
    for i in range(open_locations.size - 1):
        g, h = open_locations[i], open_locations[i + 1]
        x, y = points.x[g] - points.x[h], points.y[g] - points.y[h]
        if (y + least * x) * (y + most * x) < 0.0:
            return True
    return False


@kernel
def _best_of_order(points, open_locations, limits, left, right):
    """(score, slope, cut) of the best line of a box over whose slopes the order stays; score -inf if it does not.

    Such boxes are what the lines through one point of a row of points would be halved into without end.
    """
    least, most, lowest, highest = limits[0], limits[1], limits[2], limits[3]
    n, slope = open_locations.size, least + (most - least) / 2
    x, y = points.x[open_locations], points.y[open_locations]
    order = np.argsort(y + slope * x)
    x, y = x[order], y[order]
    for i in range(n - 1):
        if y[i] + least * x[i] > y[i + 1] + least * x[i + 1] or y[i] + most * x[i] > y[i + 1] + most * x[i + 1]:
            return -np.inf, 0.0, 0.0
    above = np.empty((n + 1, right.size))
    above[n] = right
    for i in range(n - 1, -1, -1):
        above[i] = above[i + 1]
        _add(points, open_locations[order[i]], above[i])
    best, best_cut, below = -1.0, 0.0, left.copy()
    for i in range(n + 1):
        if i > 0:
            _add(points, open_locations[order[i - 1]], below)
        low = lowest if i == 0 else max(y[i - 1] + slope * x[i - 1], lowest)
        high = highest if i == n else min(y[i] + slope * x[i], highest)
        if low < high:
            score = side_scores(below, above[i])
            if score > best:
                best, best_cut = score, low + (high - low) / 2
    return best, slope, best_cut


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
            score, slope, cut = _best_of_few(points, open_locations, limits, left, right, scratch)
        elif not _may_cross(points, open_locations, limits[0], limits[1]):
            score, slope, cut = _best_of_order(points, open_locations, limits, left, right)
        if score > best + tie:
            best, best_slope, best_cut = score, slope, cut
        if kept <= SMALL or score > -np.inf:
            continue
        turn = farthest * (limits[1] - limits[0])  # how far the open locations move over the slopes of the box
        shift = limits[3] - limits[2]
        if max(turn, shift) > NARROW and size + 2 <= DEEP:
            size = _push(boxes, size, limits, 0 if turn >= shift else 2, kept, left, right)
            continue
        slope, cut = (limits[0] + limits[1]) / 2, (limits[2] + limits[3]) / 2
        score = _score_line(points, open_locations, slope, cut, left, right, scratch)
        if score > best + tie:
            best, best_slope, best_cut = score, slope, cut
    return size, best, best_slope, best_cut
