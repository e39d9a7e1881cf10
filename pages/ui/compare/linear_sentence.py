"""Compare the linear model with the best single tree in one sentence."""

from typing import Any

import numpy as np

from pages.ui.compare.messages import MESSAGES
from treecore.comparison.tables import p_text
from treecore.messages import Sentence

LINEAR = "linear"  # key of the linear model in `METHODS`
LEVEL = 0.05  # p values below this level are significant


def linear_sentence(found: Any) -> Sentence | None:
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
    name = "same" if test.p >= LEVEL else "better" if test.difference < 0 else "worse"
    linear, tree = (found.target.error_text(float(np.nanmean(found.errors(one)))) for one in (LINEAR, best))
    return MESSAGES(f"linear.{name}", linear=linear, tree=tree, title=found.methods[best], p=p_text(test.p))
