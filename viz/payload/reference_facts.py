"""The tree of another method that a path is compared with, for the browser."""

from collections.abc import Iterable, Mapping

import numpy as np

from treecore.baselines.cart import CARTClassifier, CARTRegressor
from treecore.tree.tree import Tree

CART = "CART"


EVERY_SIZE = 64  # number of leaves up to which each tree is kept; of the larger ones, those with fewer errors are
SETS = ("train", "validation", "test")


def reference_facts(tree: Tree, figures: dict, sizes: Iterable[Mapping] = (), method: str = CART) -> dict:
    """Return `Reference` of viz/stage/types.d.ts for JSON.

    figures : dict with "train_error", "validation_error" and "test_error", each a float or None. sizes : the
    same errors of the trees of other sizes of this method, with their "leaves", in increasing order.
    """
    errors = {name: figures[f"{name}_error"] for name in SETS}
    others = [{"leaves": one["leaves"], "errors": {name: one.get(f"{name}_error") for name in SETS}} for one in sizes]
    return {"method": method, "leaves": tree.n_leaves, "errors": errors, "sizes": others}


def errors_of_sizes(cart: CARTClassifier | CARTRegressor, sets: Mapping[str, tuple]) -> list[dict]:
    """Return the errors of the pruned subtrees of a fitted CART, for `reference_facts`.

    sets : {name in `SETS`: (X, y, weights or None)}, the last one decides which large trees are kept.
    """
    curves = {name: cart.error_curve(*rows) for name, rows in sets.items()}
    leaves, errors = list(curves.values())[-1]
    is_kept = (leaves <= EVERY_SIZE) | np.append(True, errors[1:] < np.minimum.accumulate(errors)[:-1])
    return [
        {"leaves": int(leaves[at])} | {f"{name}_error": float(errors[at]) for name, (_, errors) in curves.items()}
        for at in np.flatnonzero(is_kept).tolist()
    ]
