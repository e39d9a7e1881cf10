"""CART for rows that are read in parts: grown from histograms, pruned by cross-validated cost-complexity."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from treecore.baselines.cross_validation import Subtrees, chosen_subtree, errors_of, middles_of
from treecore.errors import ParameterError
from treecore.parameter_checks import random_numbers
from treecore.training.cost_complexity import weakest_links
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.training.partitions.nodes.level_solver import only_value
from treecore.training.partitions.partitioned_run import PartitionedRun
from treecore.training.partitions.sources.row_source import RowSource, SubsetSource
from treecore.training.partitions.sources.sources import close_source, with_names
from treecore.training.prune import cut
from treecore.tree.tree import Tree

FITTED = ("encoder_", "classes_", "n_features_in_", "feature_names_in_")


def fit_partitioned_cart(estimator: Any, source: RowSource) -> Any:
    """Fit a CARTClassifier or CARTRegressor on the rows of a source and return it.

    The folds are random rows of each part, so that cross-validation reads all rows twice more for each fold. Trees have
    at most `MOST_LEAVES` leaves. Raise ParameterError for unsupported parameters.
    """
    if estimator.min_samples_split != 2:
        given = estimator.min_samples_split
        raise ParameterError(only_value("min_samples_split", given, 2))
    costs = getattr(estimator, "cost_matrix", None)
    if costs is not None:
        raise ParameterError(only_value("cost_matrix", costs, None))
    cv = estimator.cv
    if cv is not None and not isinstance(cv, numbers.Integral):
        raise ParameterError(
            f"cv is a {type(cv).__name__}: rows that are read in parts require a number of folds or None."
        )
    if not isinstance(estimator.min_samples_leaf, numbers.Integral):
        raise ParameterError(
            f"min_samples_leaf={estimator.min_samples_leaf}: rows that are read in parts require a whole number."
        )
    seed = int(random_numbers(estimator.random_state).randint(2**31 - 1))
    try:
        tree, run = _grown(estimator, source)
        for name in FITTED:
            if hasattr(run.estimator, name):
                setattr(estimator, name, getattr(run.estimator, name))
        estimator.grown_ = tree
        sequence = weakest_links(tree.left, tree.right, _risk(tree))
        if cv is not None and len(sequence) > 1:
            middles = middles_of([one.alpha for one in sequence])
            errors = _cross_validated(estimator, source, int(cv), seed, middles, run)
            estimator.cv_errors_, estimator.cv_standard_errors_ = errors
            is_end = tree.left < 0
            for subtree in sequence[1 : chosen_subtree(*errors, estimator.rule) + 1]:
                is_end[subtree.collapsed] = True
            tree = cut(tree, is_end)
        estimator.tree_ = tree
    finally:
        close_source(source)
    return estimator


def _grown(estimator, source):
    """Return (tree, its run) of the rows of a source, without any pass of TAO."""
    kind = TAOClassifier if is_classifier(estimator) else TAORegressor
    parameters = {"class_weight": estimator.class_weight} if kind is TAOClassifier else {}
    growing = kind(
        split="univariate", init="cart", max_iter=0, max_depth=estimator.max_depth, missing=estimator.missing,
        n_jobs=estimator.n_jobs, random_state=0, categories=estimator.categories, **parameters,
    )  # fmt: skip
    run = PartitionedRun(growing, source, least_leaf=estimator.min_samples_leaf)
    try:
        run.optimise(0.0, max_iter=0)
        return run.whole_tree(), run
    finally:
        run.shards.close()


def _cross_validated(estimator, source, cv, seed, middles, whole):
    """Return the errors and standard errors of the subtrees, float64[subtrees] each."""
    sums, weight, squared = np.zeros((3, middles.size)), 0.0, 0.0
    edges = np.arange(cv + 1) / cv
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        tree, run = _grown(estimator, SubsetSource(source, seed, [(0.0, low), (high, 1.0)]))
        subtrees = Subtrees(run.working, _risk(tree), tree.predictions, middles)
        for part in SubsetSource(source, seed, [(low, high)]).parts():
            X, y, weights = part.read()
            if not len(y):
                continue
            own = np.ones(len(y)) if weights is None else weights
            balance = whole.weights_of(y)
            own = own if balance is None else own * balance
            fitted = run.estimator
            names = getattr(fitted, "feature_names_in_", None)
            X = fitted.encoder_.transform(fitted, with_names(X, part.name, source.feature_names, names))
            sums += subtrees.loss_sums(tree.apply(X, estimator.n_jobs), y, own, tree.target.losses)
            weight, squared = weight + own.sum(), squared + (own**2).sum()
    return errors_of(sums, weight, squared)


def _risk(tree: Tree) -> np.ndarray:
    return tree.target.node_losses(tree) / tree.target.weights(tree.values[0])
