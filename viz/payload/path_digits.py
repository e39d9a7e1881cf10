"""Find the numbers of digits for all trees of a path at once, because most of their splits are the same."""

import numpy as np

from treecore.tree.category_columns import CategoryColumns
from treecore.tree.conditions import MOST_TERMS
from treecore.tree.decision_digits import SplitDigits
from treecore.tree.number_text import FEW_DIGITS
from viz.payload.shared_nodes import SharedNodes, numbered

FEW = 8  # number of nodes of a tree from which it is faster to sort all rows by leaf


def path_digits(nodes: SharedNodes, X: np.ndarray, columns: CategoryColumns | None = None) -> np.ndarray:
    """Return `decision_digits` of the contents, uint8[contents].

    A split has the same digits wherever the same rows reach it.

    X : array [n, d], the rows of `nodes`
    columns : CategoryColumns, for conditions on categories
    """
    found = np.full(nodes.first.size, FEW_DIGITS, np.uint8)
    contents = np.flatnonzero(nodes.n_weights[nodes.first])
    if X.shape[0] == 0 or contents.size == 0:
        return found
    splits = nodes.first[contents]
    first, same = numbered(nodes.splits[splits] ^ nodes.rows[splits])
    chosen, digits, known = splits[first], [], {}
    for which, some in enumerate(np.split(chosen, np.searchsorted(chosen, nodes.start[1:-1]))):
        tree, start = nodes.trees[which], int(nodes.start[which])
        for node, rows in zip(some.tolist(), _rows_of(some, nodes, which), strict=True):
            code = nodes.splits[node]
            if code not in known:
                known[code] = SplitDigits(tree.split(node - start), MOST_TERMS, columns)
            digits.append(known[code].of(X, rows))
    found[contents] = np.array(digits, np.uint8)[same]
    return found


def _rows_of(some, nodes, which):
    """Yield the rows that reach each of some nodes of one tree."""
    if not some.size:
        return
    low, high = (ends[some] for ends in nodes.leaf_ranges)
    place = nodes.leaf_ranges[0][nodes.start[which] : nodes.start[which + 1]][nodes.leaves[which]]
    if some.size < FEW:
        for begin, end in zip(low, high, strict=True):
            yield np.flatnonzero((place >= begin) & (place < end))
        return
    if place.max(initial=0) < 1 << 16:
        place = place.astype(np.uint16)  # sorted faster
    order = np.argsort(place, kind="stable")
    for begin, end in np.searchsorted(place[order], [low, high]).T.tolist():
        yield order[begin:end]
