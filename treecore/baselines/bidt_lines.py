"""Define the points of one plane, and find the best line of a box whose open points are few or in a constant order.

`bidt_kernels` defines boxes and scores. Points with the same coordinates form one location g. Its entries [starts[g],
starts[g + 1]) contain the weight of each class there.
"""

from typing import NamedTuple

import numpy as np

from treecore._jit import kernel

SMALL = 6  # largest number of open locations whose lines are enumerated
MOST_CHOICES = 9  # largest number of open classes whose choices are enumerated, above which a coarser bound is used


class Points(NamedTuple):
    """Locations of one plane, with the weight of each class."""

    x: np.ndarray  # float64[g]
    y: np.ndarray  # float64[g]
    starts: np.ndarray  # int64[g + 1]
    classes: np.ndarray  # int32[entries]
    weights: np.ndarray  # float64[entries]
    mixed: np.ndarray  # float64[g], weight of a location with several classes, 0 for one class


class Scratch(NamedTuple):
    """Scratch arrays of one search."""

    choices: np.ndarray  # float64[4, 2**MOST_CHOICES], see `score_bound`
    others: np.ndarray  # float64[k]
    side: np.ndarray  # float64[k]
    below: np.ndarray  # float64[SMALL + 1, k]
    slopes: np.ndarray  # float64[SMALL**2 + 2]
    places: np.ndarray  # float64[SMALL]
    order: np.ndarray  # int64[SMALL]


@kernel
def gather_locations(x, y, keys, classes, weights, n_classes):
    """Return the `Points` of rows. keys : int64[m], equal if x and y are equal; x, y, weights : float64[m]."""
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
def side_scores(left, right):
    """Return the score of two sides with these class weights. An empty side adds nothing."""
    below, above, low, high = 0.0, 0.0, 0.0, 0.0
    for c in range(left.size):
        below += left[c] * left[c]
        above += right[c] * right[c]
        low += left[c]
        high += right[c]
    return (below / low if low > 0.0 else 0.0) + (above / high if high > 0.0 else 0.0)


@kernel
def add_location(points, location, side):
    """Add the class weights of a location to those of a side."""
    for e in range(points.starts[location], points.starts[location + 1]):
        side[points.classes[e]] += points.weights[e]


@kernel
def score_line(points, open_locations, slope, cut, left, right, scratch):
    """Return the score of one line of a box."""
    below, above = scratch.others, scratch.side
    below[:] = left
    above[:] = right
    for g in open_locations:
        add_location(points, g, above if points.y[g] + slope * points.x[g] >= cut else below)
    return side_scores(below, above)


@kernel
def _crossings(points, open_locations, least, most, slopes):
    """Write the sorted slopes in [`least`, `most`] at which the order of the locations can change.

    Return their number.
    """
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
def best_of_few(points, open_locations, limits, left, right, scratch):
    """Return (score, slope, cut) of the best line of a box with few open locations, by enumeration."""
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
            add_location(points, order[i], below[i + 1])
        above[:] = right
        for i in range(n, -1, -1):
            if i < n:
                add_location(points, order[i], above)
            low = lowest if i == 0 else max(places[i - 1], lowest)
            high = highest if i == n else min(places[i], highest)
            if low < high:
                score = side_scores(below[i], above)
                if score > best:
                    best, best_slope, best_cut = score, slope, low + (high - low) / 2
    return best, best_slope, best_cut


@kernel
def may_cross(points, open_locations, least, most):
    """Return whether two neighbours in the list change their order between two slopes."""
    for i in range(open_locations.size - 1):
        g, h = open_locations[i], open_locations[i + 1]
        x, y = points.x[g] - points.x[h], points.y[g] - points.y[h]
        if (y + least * x) * (y + most * x) < 0.0:
            return True
    return False


@kernel
def best_of_order(points, open_locations, limits, left, right):
    """Return (score, slope, cut) of the best line of a box with a constant order of locations.

    For boxes without a constant order, the score is -inf. Without this function, boxes with lines through one of
    several collinear points would be halved without end.

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
        add_location(points, open_locations[order[i]], above[i])
    best, best_cut, below = -1.0, 0.0, left.copy()
    for i in range(n + 1):
        if i > 0:
            add_location(points, open_locations[order[i - 1]], below)
        low = lowest if i == 0 else max(y[i - 1] + slope * x[i - 1], lowest)
        high = highest if i == n else min(y[i] + slope * x[i], highest)
        if low < high:
            score = side_scores(below, above[i])
            if score > best:
                best, best_cut = score, low + (high - low) / 2
    return best, slope, best_cut
