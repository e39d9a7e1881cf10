"""Initial trees of TAO, one function per file: ``function(data, max_depth, rng, max_features) -> WorkingTree``."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from treecore.constraints.constraints import NO_CONSTRAINTS, Constraints
from treecore.data.training_data import TrainingData
from treecore.errors import ParameterError
from treecore.initial.bivariate_cart import bivariate_cart_tree
from treecore.initial.cart import cart_tree
from treecore.initial.histogram_cart import histogram_cart_tree
from treecore.initial.oblique_cart import oblique_cart_tree
from treecore.initial.optimal import optimal_tree
from treecore.initial.random import MAX_FEATURES, random_tree
from treecore.messages import literal, literals
from treecore.tree.tree import Tree
from treecore.tree.working_tree import WorkingTree


class InitialTree(NamedTuple):
    """Kind of initial tree.

    words : displayed name; make : function as above, with additional arguments `parameters`; n_features : number of
    features per split, which the split type must support; takes_missing, takes_numbers : whether it supports missing
    values, and regression; takes_sparse : whether it supports sparse rows, which are otherwise made dense; package :
    optional package that it needs.
    """

    words: str
    make: Callable
    parameters: tuple[str, ...] = ()
    n_features: int = 1
    takes_missing: bool = True
    takes_numbers: bool = True
    takes_sparse: bool = True
    package: str = ""


INITIAL_TREES = {
    "random": InitialTree(words="random tree", make=random_tree, parameters=("constraints",)),
    "cart": InitialTree(words="CART", make=cart_tree, parameters=("min_samples_leaf", "constraints")),
    "bivariate_cart": InitialTree(
        words="bivariate CART",
        make=bivariate_cart_tree,
        parameters=("n_orientations", "n_jobs"),
        n_features=2,
        takes_missing=False,
        takes_sparse=False,
    ),
    "oblique_cart": InitialTree(
        words="OC1 (oblique CART)",
        make=oblique_cart_tree,
        parameters=("n_jobs",),
        n_features=3,
        takes_missing=False,
        takes_sparse=False,
    ),
    "optimal": InitialTree(
        words="optimal tree (depth 4)",
        make=optimal_tree,
        parameters=("lam",),
        takes_missing=False,
        takes_numbers=False,
        takes_sparse=False,
        package="pystreed",
    ),
    "histogram_cart": InitialTree(
        words="CART on bins, for many rows",
        make=histogram_cart_tree,
        parameters=("n_jobs", "min_samples_leaf", "constraints"),
        takes_sparse=False,
    ),
}


def suitable(has_missing: bool, has_classes: bool) -> set[str]:
    """Return the names of the initial trees that support such data and whose packages are installed."""
    return {
        name
        for name, kind in INITIAL_TREES.items()
        if (kind.takes_missing or not has_missing)
        and (kind.takes_numbers or has_classes)
        and (not kind.package or find_spec(kind.package) is not None)
    }


def initial_tree(
    init: str | Tree,
    data: TrainingData,
    max_depth: int | None,
    rng: np.random.RandomState,
    *,
    max_features: int = MAX_FEATURES,
    n_orientations: int = 60,
    n_jobs: int | None = None,
    min_samples_leaf: int = 1,
    lam: float = 1.0,
    constraints: Constraints = NO_CONSTRAINTS,
) -> WorkingTree:
    """Return an initial tree by name, with at most `max_features` features per split.

    n_orientations, n_jobs : parameters of the search for lines; min_samples_leaf : smallest number of rows in a leaf,
    which only CART supports; lam : penalty of a decision node in the search for the optimal tree; constraints :
    constraints that CART and random trees consider, so that little of the tree is removed later. See `TAOClassifier`.
    Raise ParameterError for an unsupported combination.
    """
    if not isinstance(init, str) or init not in INITIAL_TREES:
        raise ParameterError(f"init={literal(init)}: expected one of {literals(list(INITIAL_TREES))}, or a Tree.")
    given = {
        "n_orientations": n_orientations,
        "n_jobs": n_jobs,
        "min_samples_leaf": min_samples_leaf,
        "lam": lam,
        "constraints": constraints,
    }
    kind = INITIAL_TREES[init]
    return kind.make(data, max_depth, rng, max_features, **{name: given[name] for name in kind.parameters})
