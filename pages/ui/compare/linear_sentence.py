"""Compare the linear model with the best single tree in one sentence."""

from typing import Any

import numpy as np

from treecore.comparison.tables import p_text

LINEAR = "linear"  # key of the linear model in `METHODS`
LEVEL = 0.05  # p values below this level are significant


def linear_sentence(found: Any) -> str | None:
    """Return the sentence for a `Comparison`, or None if it lacks a linear model, a tree, or a second fold.

    The best tree has the smallest mean test error of all methods with a single tree. The test is the corrected paired
    test on the folds of both methods.
    """
    trees = [name for name in found.methods if any(cell.size.n_trees == 1 for cell in found.of(name))]
    if LINEAR not in found.methods or not found.of(LINEAR) or not trees:
        return None
    best = min(trees, key=lambda name: float(np.nanmean(found.errors(name))))
    test = found.paired_test(LINEAR, best)
    if not np.isfinite(test.p):
        return None
    linear, tree = (found.target.error_text(float(np.nanmean(found.errors(one)))) for one in (LINEAR, best))
    title, p = found.methods[best], p_text(test.p)
    if test.p >= LEVEL:
        return (
            f"A linear model is about as good as the best tree here: test error {linear}, against {tree} for "
            f"{title} (difference not significant, p = {p})."
        )
    if test.difference < 0:
        return (
            f"A linear model is better than the best tree here: test error {linear}, against {tree} for {title} "
            f"(p = {p})."
        )
    return (
        f"A linear model is worse than the best tree here: test error {linear}, against {tree} for {title} (p = {p})."
    )
