"""Test the statistics of feature values that a tree stores, and drawings that use only these statistics."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import sample_data
from treecore import CARTClassifier, TAOClassifier, Tree
from treecore.tree.feature_statistics import QUANTILES, feature_decimals, feature_quantiles, usual_ends
from viz.nodes.node_contents import node_contents
from viz.tree.bare_data import BareData


def test_they_are_those_of_numpy_where_few_rows_are_there(rng):
    X = rng.normal(size=(301, 4))
    X[::3, 1] = np.nan
    X[:, 2] = np.nan
    X[:, 3] = 7.0
    found = feature_quantiles(X)
    for j in (0, 1, 3):
        known = X[~np.isnan(X[:, j]), j]
        assert found[j].tolist() == np.quantile(known, QUANTILES, method="lower").tolist()
    assert np.isnan(found[2]).all()
    sparse = TAOClassifier(max_depth=2).fit(scipy.sparse.csr_matrix(X[:, [0, 3]]), X[:, 0] > 0)
    assert sparse.tree_.feature_quantiles is None


def test_the_ends_are_exact_for_many_rows_and_the_rest_is_near(rng):
    X = rng.normal(size=(50_001, 1))
    X[17] = 1e6
    found = feature_quantiles(X)[0]
    assert found[[0, -1]].tolist() == [X.min(), 1e6]
    assert found[1:-1] == pytest.approx([-1.645, 0.0, 1.645], abs=0.15)
    low, high = usual_ends(found[None])[0]  # one distant value does not move the ends
    assert low == pytest.approx(-3.3, abs=0.4)
    assert high == pytest.approx(3.3, abs=0.4)


@pytest.mark.parametrize("estimator", [TAOClassifier(split="bivariate", init="cart", random_state=0), CARTClassifier()])
def test_a_tree_keeps_those_of_its_features_through_its_file(bundled, estimator):
    X, y = bundled("wine")
    tree = estimator.fit(X, y).tree_
    used = np.unique(tree.features)
    assert np.array_equal(tree.feature_quantiles[used], feature_quantiles(X)[used])
    assert np.isnan(np.delete(tree.feature_quantiles, used, axis=0)).all()
    assert not tree.feature_quantiles.flags.writeable
    assert Tree.from_json(tree.to_json()) == tree


def test_a_tree_alone_draws_its_nodes_where_its_rows_were():
    data = sample_data.load("breast-cancer")
    X, y = pd.DataFrame(data.X * 1000.0 + 5e6), data.y  # values far from zero
    tree = TAOClassifier(split="bivariate", init="cart", lam=4.0, random_state=0).fit(X, y).tree_
    contents = node_contents(tree, BareData.of(tree)).nodes
    for node in np.flatnonzero(np.diff(tree.indptr) == 2):
        values = X.to_numpy()[:, tree.split(node)[0]]
        spread = np.ptp(values, axis=0)
        assert (contents[node].ends.low > values.min(axis=0) - 0.1 * spread).all()
        assert (contents[node].ends.high < values.max(axis=0) + 0.1 * spread).all()
        assert contents[node].line is not None  # the line passes through the plot


def test_decimals_are_those_of_the_short_form():
    X = np.array([[0.1, 1.0, 0.123456789, 1e9], [2.25, np.nan, 1.0, 0.5], [3.0, 7.0, 2.0, 1.5]])
    for one in (X, X.astype(np.float32)):
        assert feature_decimals(one).tolist()[:2] == [2, 0]
    assert feature_decimals(X).tolist() == [2, 0, -1, 1]
    large = np.array([[1234567.89, 0.1 + 0.2, 20240131.5]])
    assert feature_decimals(large).tolist() == [2, 1, 1]
    assert feature_decimals(large.astype(np.float32)).tolist() == [1, 1, 0]
