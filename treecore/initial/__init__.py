"""Initial trees of TAO, one file each: ``function(data, max_depth, rng, max_features) -> WorkingTree``."""

from treecore.errors import ParameterError
from treecore.initial.bivariate_cart import bivariate_cart_tree
from treecore.initial.cart import cart_tree
from treecore.initial.oblique_cart import oblique_cart_tree
from treecore.initial.random import MAX_FEATURES, random_tree

INITIAL_TREES = {
    "random": random_tree,
    "cart": cart_tree,
    "bivariate_cart": bivariate_cart_tree,
    "oblique_cart": oblique_cart_tree,
}


def initial_tree(init, data, max_depth, rng, max_features=MAX_FEATURES, n_orientations=60, n_jobs=None):
    """Initial tree by name, with at most `max_features` features in a split. Raises ParameterError.

    n_orientations, n_jobs : of the search for lines, see `TAOClassifier`.
    """
    if not isinstance(init, str) or init not in INITIAL_TREES:
        names = ", ".join(map(repr, INITIAL_TREES))
        raise ParameterError(f"init={init!r}: use one of {names}, or a Tree to start from.")
    search = {"n_orientations": n_orientations, "n_jobs": n_jobs} if init == "bivariate_cart" else {}
    if init == "oblique_cart":
        search = {"n_jobs": n_jobs}
    return INITIAL_TREES[init](data, max_depth, rng, max_features, **search)
