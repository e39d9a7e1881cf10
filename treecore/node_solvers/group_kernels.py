"""Exact search for the best group of categories at a decision node above two subtrees, given sums per category.

If both subtrees are fixed, each category goes to its better side. If they are leaves, the search tries their
predictions: all pairs of classes, or all means at which the side of a category changes.
"""

import numpy as np

from treecore._jit import kernel
from treecore.data.losses import COSTS, MOMENTS

MOST_LABELS = 8  # the classes with the largest weights that a free leaf may predict, which limits the pairs


@kernel
def leaf_loss(sums, n_sums, form):
    """Return the loss of the best leaf for points with these sums.

    form : their form, COUNTS for class weights, MOMENTS of the targets, or COSTS of predicting each class.
    """
    if form == MOMENTS:
        return max(sums[2] - sums[1] * sums[1] / sums[0], 0.0) if sums[0] > 0 else 0.0
    if form == COSTS:
        least = sums[0]
        for q in range(1, n_sums):
            least = min(least, sums[q])
        return max(least, 0.0)
    total, most = 0.0, 0.0
    for q in range(n_sums):
        total += sums[q]
        most = max(most, sums[q])
    return total - most


@kernel
def best_sides(sums, n_sums, form, are_leaves, first, goes_right):
    """Set the side of each category and return the loss, inf if there are not two predictions for two leaves.

    sums : float64[c, s], sums for the loss of a leaf, then losses in subtrees, of the points of each category; n_sums,
    form : number and form of the former, see `leaf_loss`; are_leaves : bool[2], whether the subtrees are leaves with a
    free prediction; first : index of the losses in the left subtree, which precede those in the right one; goes_right :
    bool[c], the result.
    """
    if not (are_leaves[0] or are_leaves[1]):
        loss = 0.0
        for code in range(sums.shape[0]):
            goes_right[code] = sums[code, first + 1] < sums[code, first]
            loss += min(sums[code, first], sums[code, first + 1])
        return loss
    if form == MOMENTS:
        if are_leaves[0] and are_leaves[1]:
            return _best_means(sums, goes_right)
        return _best_mean(sums, 0 if are_leaves[0] else 1, first, goes_right)
    return _best_labels(sums, n_sums, form, are_leaves, first, goes_right)


@kernel
def _best_means(sums, goes_right):
    """Set the sides for two leaves that predict means. The best group is a prefix in the order of the means."""
    n_codes = sums.shape[0]
    means, total = np.full(n_codes, np.inf), np.zeros(3)
    for code in range(n_codes):
        if sums[code, 0] > 0.0:
            means[code] = sums[code, 1] / sums[code, 0]
            total += sums[code, :3]
    order = np.argsort(means, kind="mergesort")
    best, last = np.inf, -1
    low = np.zeros(3)
    for place in range(n_codes):
        if means[order[place]] == np.inf:
            break
        low += sums[order[place], :3]
        loss = leaf_loss(low, 3, MOMENTS) + leaf_loss(total - low, 3, MOMENTS)
        if loss < best:
            best, last = loss, place
    goes_right[:] = True
    for place in range(last + 1):
        goes_right[order[place]] = False
    return best


@kernel
def _best_mean(sums, leaf, first, goes_right):
    """Set the sides for a leaf that predicts a mean (leaf : its side) and a fixed subtree.

    For a given mean, a category goes to the leaf if the mean is in an interval. The group therefore changes only at
    the ends of these intervals.
    """
    n_codes, fixed = sums.shape[0], first + 1 - leaf
    ends, event, n_ends = np.empty(2 * n_codes), np.empty(2 * n_codes, np.int64), 0
    rest = 0.0
    for code in range(n_codes):
        rest += sums[code, fixed]
        if sums[code, 0] > 0.0:
            least = leaf_loss(sums[code], 3, MOMENTS)
            if sums[code, fixed] > least:
                mean, radius = sums[code, 1] / sums[code, 0], np.sqrt((sums[code, fixed] - least) / sums[code, 0])
                ends[n_ends], event[n_ends] = mean - radius, code + 1
                ends[n_ends + 1], event[n_ends + 1] = mean + radius, -code - 1
                n_ends += 2
    order = np.argsort(ends[:n_ends], kind="mergesort")
    best, last, inside = rest, -1, np.zeros(3)
    for place in range(n_ends):
        code = abs(event[order[place]]) - 1
        sign = 1.0 if event[order[place]] > 0 else -1.0
        inside += sign * sums[code, :3]
        rest -= sign * sums[code, fixed]
        loss = leaf_loss(inside, 3, MOMENTS) + rest
        if loss < best:
            best, last = loss, place
    goes_right[:] = leaf == 0
    for place in range(last + 1):
        goes_right[abs(event[order[place]]) - 1] = (event[order[place]] > 0) == (leaf == 1)
    return best


@kernel
def _best_labels(sums, n_sums, form, are_leaves, first, goes_right):
    """Set the sides for one or two leaves that predict a class, by trying the classes with the smallest losses."""
    n_codes = sums.shape[0]
    totals, wrong = np.zeros(n_sums), np.zeros((n_codes, n_sums))  # wrong : loss of each category for each label
    for code in range(n_codes):
        weight = 0.0
        for q in range(n_sums):
            totals[q] += sums[code, q]
            weight += sums[code, q]
        for q in range(n_sums):
            wrong[code, q] = sums[code, q] if form == COSTS else weight - sums[code, q]
    labels = np.empty(min(n_sums, MOST_LABELS), np.int64)
    n_labels = 0
    if form == COSTS:
        totals = totals.max() - totals + 1.0
    while n_labels < labels.size and totals.max() > 0.0:
        labels[n_labels] = totals.argmax()
        totals[labels[n_labels]] = 0.0
        n_labels += 1
    best, best_left, best_right = np.inf, -1, -1
    for i in range(n_labels if are_leaves[0] else 1):
        left = labels[i] if are_leaves[0] else -1
        for k in range(i + 1 if are_leaves[0] else 0, n_labels) if are_leaves[1] else range(1):
            right = labels[k] if are_leaves[1] else -1
            loss = 0.0
            for code in range(n_codes):
                on_left = wrong[code, left] if left >= 0 else sums[code, first]
                on_right = wrong[code, right] if right >= 0 else sums[code, first + 1]
                loss += min(on_left, on_right)
            if loss < best:
                best, best_left, best_right = loss, left, right
    for code in range(n_codes):
        on_left = wrong[code, best_left] if best_left >= 0 else sums[code, first]
        on_right = wrong[code, best_right] if best_right >= 0 else sums[code, first + 1]
        goes_right[code] = on_right < on_left
    return best
