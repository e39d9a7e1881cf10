"""Initial trees of TAO, one file each: ``function(data, max_depth, rng) -> WorkingTree``."""

from treecore.errors import ParameterError
from treecore.initial.cart import cart_tree
from treecore.initial.random import random_tree

INITIAL_TREES = {"random": random_tree, "cart": cart_tree}


def initial_tree(init, data, max_depth, rng):
    """Initial tree by name. Raises ParameterError for an unknown one."""
    if init not in INITIAL_TREES:
        names = ", ".join(map(repr, INITIAL_TREES))
        raise ParameterError(f"init={init!r}: use one of {names}, or a Tree to start from.")
    return INITIAL_TREES[init](data, max_depth, rng)
