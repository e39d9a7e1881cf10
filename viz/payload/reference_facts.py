"""The tree of another method that a path is compared with, for the browser."""

from collections.abc import Iterable, Mapping

import numpy as np

from treecore.baselines.cart import PARTS, CARTClassifier, CARTRegressor
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
    """Return the errors of subtrees of a fitted CART, for `reference_facts`.

    Pruning passes over many sizes, such as all sizes below the number of equally frequent classes. For these sizes, the
    result has the tree of best-first growth if its training error is below that of the pruned trees with fewer leaves.

    sets : {name in `SETS`: (X, y, weights or None)}; the first one is the training set, and the last one decides which
    large trees are kept.
    """
    pruned, grown = ({name: cart.error_curve(*rows, part=part) for name, rows in sets.items()} for part in PARTS)
    leaves, errors = list(pruned.values())[-1]
    is_kept = (leaves <= EVERY_SIZE) | np.append(True, errors[1:] < np.minimum.accumulate(errors)[:-1])
    found = {int(leaves[at]): _errors_at(pruned, at) for at in np.flatnonzero(is_kept).tolist()}
    sizes, trained = next(iter(grown.values()))
    least = np.inf
    for size in range(1, EVERY_SIZE + 1):
        at = int(np.searchsorted(sizes, size))
        if size not in found and at < sizes.size and trained[at] < least:
            found[size] = _errors_at(grown, at)
        least = min(least, found.get(size, {}).get(f"{next(iter(sets))}_error", np.inf))
    return [{"leaves": size} | found[size] for size in sorted(found)]


def _errors_at(curves, at):
    return {f"{name}_error": float(errors[at]) for name, (_, errors) in curves.items()}
