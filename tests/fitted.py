"""Checks for every fitted estimator that predicts by trees: its trees against plain loops over the rows."""

import numpy as np

from tests import naive
from treecore import Tree


def trees_of(model):
    """List of the `Tree`s of a fitted estimator; a boundary forest has none."""
    trees = model.estimators_ if hasattr(model, "estimators_") else [model.tree_]
    return [tree for tree in trees if isinstance(tree, Tree)]


def check_predictions(model, X):
    """Trees survive JSON, `apply` is that of plain loops, predictions are the averages over the leaves reached.

    The trees of the rules of C5.0 do not predict, and boundary trees are no `Tree`s: there the averages are left out.
    """
    rows = model.encoder_.transform(model, X)
    trees = trees_of(model)
    reached = [naive.leaves(tree.routing, rows) for tree in trees]
    for tree in trees:
        assert Tree.from_json(tree.to_json()) == tree
    if trees:
        assert np.array_equal(
            model.apply(X), np.stack(reached, axis=1) if hasattr(model, "estimators_") else reached[0]
        )
    if not hasattr(model, "predict_proba"):
        np.testing.assert_allclose(
            model.predict(X), np.mean([t.values[at, 1] for t, at in zip(trees, reached, strict=True)], axis=0)
        )
        return
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert np.array_equal(model.predict(X), model.classes_[shares.argmax(axis=1)])
    if trees and getattr(model, "rules_", None) is None:
        counts = [tree.values[at] for tree, at in zip(trees, reached, strict=True)]
        np.testing.assert_allclose(shares, np.mean([c / c.sum(axis=1, keepdims=True) for c in counts], axis=0))
