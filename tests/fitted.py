"""Check the trees of fitted estimators against plain loops over the rows."""

import numpy as np

from tests import naive
from treecore import Tree


def trees_of(model):
    """Return the list of the `Tree` objects in a fitted estimator. A boundary forest has none."""
    trees = model.estimators_ if hasattr(model, "estimators_") else [model.tree_]
    return [tree for tree in trees if isinstance(tree, Tree)]


def check_predictions(model, X):
    """Assert that trees survive JSON, `apply` equals plain loops, and predictions average the reached leaves.

    The averages are left out for C5.0 rules, whose trees do not predict, and for boundary trees, which are not `Tree`
    objects.
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
