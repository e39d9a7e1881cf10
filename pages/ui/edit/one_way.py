"""Warn about a typed rule that sends all rows to one child."""

import numpy as np

from pages.ui.edit.messages import MESSAGES
from treecore.tree.date_text import column_name, end_text
from treecore.tree.number_text import count
from treecore.tree.tree import Tree


def one_way(tree: Tree, at: int, X: np.ndarray) -> str | None:
    """Return a warning if a split sends all training rows with a value to one child, else None.

    at : position of the node; X : float[n, d], all training rows.
    """
    margins = tree.margins(X, at)
    margins = margins[~np.isnan(margins)]
    n_left, n_right = (int(tree.n_samples[child]) for child in (tree.left[at], tree.right[at]))
    everywhere = margins.size and (margins >= 0).all() == (margins >= 0).any()
    if n_left and n_right and not everywhere:
        return None
    goes_right = bool(margins[0] >= 0) if everywhere else n_right > 0
    rows = (
        MESSAGES("one_way.all_rows", n=count(n_left + n_right))
        if not (n_left and n_right)
        else MESSAGES("one_way.with_value")
    )
    return MESSAGES("one_way", rows=rows, side="right" if goes_right else "left", why=_range(tree, at, X))


def _range(tree: Tree, at: int, X: np.ndarray) -> str:
    """Return a sentence on the range of the only feature of a split if its threshold is outside of it."""
    features, weights, bias = tree.split(at)
    if len(features) != 1 or not weights[0]:
        return ""
    low, high = (float(end) for end in (np.nanmin(X[:, features[0]]), np.nanmax(X[:, features[0]])))
    if not low < high or low < -bias / weights[0] <= high:
        return ""
    name = tree.feature_name(features[0])
    return MESSAGES("one_way.range", column=column_name(name), low=end_text(name, low), high=end_text(name, high))
