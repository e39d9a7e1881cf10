"""Greedy splits on a group of categories: categories in an order, and the best prefix of it.

With two classes or numbers, the best group is a prefix of the categories ordered by class share or mean (Breiman et al.
1984, section 4.2.2). With more classes, they are ordered by the first principal component of their class shares
(Coppersmith, Hong and Hosking 1999).
"""

import numpy as np

from treecore.data.category_groups import CategoryGroups
from treecore.tree.split import Split

# A category with fewer rows in the node goes with the side with more weight. `benchmarks.categories` compares 1 and 5.
LEAST_ROWS = 5


def best_group(
    groups: CategoryGroups,
    points: np.ndarray,
    channels: np.ndarray,
    amounts: np.ndarray,
    weights: np.ndarray,
    n_channels: int,
    tie: float,
    usable: np.ndarray | None = None,
) -> tuple[float, Split] | None:
    """Return (score, Split) of the best group of categories by impurity, or None if no column varies.

    points : int64[m], rows of the node; channels, amounts, weights, n_channels : as in `treecore.initial.greedy.Node`;
    tie : scores within it are equal; usable : int64[k], features that the split may use, None for all. Categories
    without rows, and unknown ones, go to the side with more weight.
    """
    if points.size < 2 * LEAST_ROWS:
        return None
    is_usable = np.full(groups.is_single.size, usable is None)
    if usable is not None:
        is_usable[usable] = True
    best, chosen = -np.inf, None
    for group, (column, size) in enumerate(zip(groups.codes, groups.n_codes.tolist(), strict=True)):
        if not is_usable[groups.members[group]].all():
            continue
        codes = column[points]
        present = np.flatnonzero(np.bincount(codes, minlength=size) >= LEAST_ROWS)
        if present.size < 2:
            continue
        sizes = np.bincount(codes, weights, size)
        sums = np.bincount(codes * np.int64(n_channels) + channels, amounts, size * n_channels).reshape(size, -1)
        found = _best_prefix(sums, sizes, present)
        if found[0] > best + tie:
            best, chosen = found[0], (group, *_sides(sizes, *found[1:]))
    if chosen is None:
        return None
    group, default, right = chosen
    split = groups.split(group, right, default, bool(right[-1]))
    return None if split is None else (best, split)


def best_prefix(sums: np.ndarray, sizes: np.ndarray) -> tuple[bool, np.ndarray] | None:
    """Return (side of other categories, whether each category goes right bool[k]) of the best group, or None.

    sums : float64[k, channels], sizes : float64[k], for each category, no category and missing values.
    """
    present = np.flatnonzero(sizes >= LEAST_ROWS)
    return _sides(sizes, *_best_prefix(sums, sizes, present)[1:]) if present.size > 1 else None


def _best_prefix(sums, sizes, present):
    """Return (score, order of the categories `present`, place of the last one on the left)."""
    order = present[np.argsort(category_keys(sums[present], sizes[present]), kind="stable")]
    scores = _scores(sums[order], sizes[order])[:-1] + _scores(sums[order[::-1]], sizes[order[::-1]])[-2::-1]
    place = int(scores.argmax())
    return float(scores[place]), order, place


def _sides(sizes, order, place):
    right = np.zeros(sizes.size, np.bool_)
    right[order[place + 1 :]] = True
    outside = sizes.size - 2
    default = bool(right[outside]) if sizes[outside] > 0 else bool(sizes[right].sum() > sizes[~right].sum())
    right[np.setdiff1d(np.arange(sizes.size), order)] = default
    return default, right


def category_keys(sums, sizes):
    """Return the positions of categories in the order that is searched, float64[k]."""
    shares = sums / sizes[:, None]
    if shares.shape[1] < 3:
        return shares[:, -1]
    centred = shares - (shares * sizes[:, None]).sum(axis=0) / sizes.sum()
    _, axes = np.linalg.eigh((centred * sizes[:, None]).T @ centred)
    axis = axes[:, -1]
    return centred @ (axis * np.sign(axis[np.abs(axis).argmax()]))


def _scores(sums, sizes):
    """Return the score of the union of the first k categories for each k, float64[k]."""
    return (sums.cumsum(axis=0) ** 2).sum(axis=1) / sizes.cumsum()
