"""The tree of another method that a path is compared with, for the browser."""

from treecore.tree.tree import Tree

CART = "CART"


def reference_facts(tree: Tree, figures: dict, method: str = CART) -> dict:
    """Return `Reference` of viz/stage/types.d.ts for JSON.

    figures : dict with "train_error", "validation_error" and "test_error", each a float or None.
    """
    errors = {name: figures[f"{name}_error"] for name in ("train", "validation", "test")}
    return {"method": method, "leaves": tree.n_leaves, "errors": errors}
