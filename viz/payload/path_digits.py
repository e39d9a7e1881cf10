"""Find the numbers of digits for all trees of a path at once, because most of their splits are the same."""

from collections.abc import Sequence

import numpy as np

from treecore.tree.category_columns import CategoryColumns
from treecore.tree.conditions import MOST_TERMS
from treecore.tree.decision_digits import split_digits
from treecore.tree.number_text import FEW_DIGITS
from treecore.tree.tree import Tree

SEED = 0  # of the random codes of the rows


def path_digits(
    trees: Sequence[Tree], X: np.ndarray, leaves: Sequence[np.ndarray], columns: CategoryColumns | None = None
) -> np.ndarray:
    """Return `decision_digits` of each tree, concatenated, uint8[total nodes].

    A split has the same digits in all trees in which the same rows reach it. Splits and sets of rows are compared by
    random codes of 64 bits. Equal codes of different splits are as good as impossible, and would only lengthen or
    shorten a number.

    trees : different Tree objects
    X : array [n, d], known rows
    leaves : leaf of each row, for every tree
    columns : CategoryColumns, for conditions on categories
    """
    start = np.cumsum([0, *(tree.n_nodes for tree in trees)])
    found = np.full(start[-1], FEW_DIGITS, np.uint8)
    if X.shape[0] == 0:
        return found
    row_codes, low, high = _row_codes(trees, start, X.shape[0], leaves)
    codes = _split_codes(trees) ^ _mixed(row_codes)
    splits = np.flatnonzero(np.concatenate([np.diff(tree.indptr) for tree in trees]))
    _, first, same = np.unique(codes[splits], return_index=True, return_inverse=True)
    chosen = splits[np.sort(first)]
    for which, nodes in enumerate(np.split(chosen, np.searchsorted(chosen, start[1:-1]))):
        if nodes.size:
            place = low[start[which] : start[which + 1]][leaves[which]]
            order = np.argsort(place, kind="stable")
            edges = np.searchsorted(place[order], [low[nodes], high[nodes]]).T.tolist()
        for node, (begin, end) in zip(nodes.tolist(), edges if nodes.size else (), strict=True):
            split = trees[which].split(node - int(start[which]))
            found[node] = split_digits(split, X, order[begin:end], MOST_TERMS, columns)
    found[splits] = found[splits[first]][same]
    return found


def _row_codes(trees, start, n_rows, leaves):
    """Return (codes, low, high), [total nodes] each: a code of the set of rows that reaches each node, and its leaves.

    The code is the sum of the codes of the rows. Leaves have positions from left to right, and those below a node are
    in ``[low, high)``. The levels of all trees are processed together.
    """
    codes = np.zeros(start[-1], np.uint64)
    of_rows = np.random.default_rng(SEED).integers(np.iinfo(np.uint64).max, size=n_rows, dtype=np.uint64)
    for tree, low, reached in zip(trees, start[:-1], leaves, strict=True):
        np.add.at(codes[low : low + tree.n_nodes], reached, of_rows)
    left, right = (
        np.concatenate([side + low for side, low in zip(sides, start[:-1], strict=True)])
        for sides in zip(*((tree.left, tree.right) for tree in trees), strict=True)
    )
    is_leaf = np.concatenate([tree.left < 0 for tree in trees])
    levels, nodes = [], start[:-1]
    while (nodes := nodes[~is_leaf[nodes]]).size:
        levels.append(nodes)
        nodes = np.concatenate([left[nodes], right[nodes]])
    low, count = np.zeros((2, start[-1]), np.int64)
    count[is_leaf] = 1
    for nodes in reversed(levels):
        codes[nodes] = codes[left[nodes]] + codes[right[nodes]]
        count[nodes] = count[left[nodes]] + count[right[nodes]]
    for nodes in levels:
        low[left[nodes]] = low[nodes]
        low[right[nodes]] = low[nodes] + count[left[nodes]]
    return codes, low, low + count


def _split_codes(trees):
    """Return a code of the split of each node, uint64[total nodes]."""
    terms = _mixed(np.concatenate([tree.weights for tree in trees]).view(np.uint64))
    terms = _mixed(terms + np.concatenate([tree.features for tree in trees]).astype(np.uint64))
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])
    ends = np.concatenate([[0], np.cumsum(np.concatenate([np.diff(tree.indptr) for tree in trees]))])
    return _mixed(sums[ends[1:]] - sums[ends[:-1]]) ^ np.concatenate([tree.bias for tree in trees]).view(np.uint64)


def _mixed(codes):
    """Return well mixed codes, uint64[n] (finaliser of SplitMix64)."""
    codes = codes + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        codes = (codes ^ (codes >> np.uint64(shift))) * np.uint64(factor)
    return codes ^ (codes >> np.uint64(31))
