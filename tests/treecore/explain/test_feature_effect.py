"""Test predictions for rows with one changed column against those of scikit-learn."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from sklearn.inspection import partial_dependence

import sample_data
from tests.refusals import refused
from treecore.errors import DataError
from treecore.explain.feature_effect import effect_grid, feature_effect
from treecore.training.estimators import TAOClassifier, TAORegressor


@pytest.mark.parametrize("split", ["univariate", "bivariate"])
def test_effects_are_those_of_scikit_learn(split):
    data = sample_data.load("wine")
    model = TAOClassifier(split=split, init="cart", max_depth=3, random_state=0).fit(data.X, data.y)
    (feature, *_) = model.tree_.features.tolist()
    grid = effect_grid(model.tree_, data.X, feature)
    found = feature_effect(model.tree_, data.X, [feature], grid[:, None])
    expected = partial_dependence(model, data.X, [feature], kind="both", custom_values={feature: grid})
    np.testing.assert_allclose(found.mean(axis=1).T, expected["average"], atol=1e-12)
    np.testing.assert_allclose(found.transpose(2, 1, 0), expected["individual"], atol=1e-12)


def test_the_grid_has_both_sides_of_every_threshold_so_that_no_step_is_missed():
    data = sample_data.load("iris")
    own = TAOClassifier(split="univariate", init="cart", max_depth=3, random_state=0).fit(data.X, data.y).tree_
    turned = replace(own, weights=-3 * own.weights, bias=-3 * own.bias)
    for tree, feature in product((own, turned), set(own.features.tolist())):
        grid = effect_grid(tree, data.X, feature)
        curves = feature_effect(tree, data.X, [feature], grid[:, None])
        fine = np.unique(np.concatenate([grid, np.linspace(grid[0], grid[-1], 2001)]))
        exact = feature_effect(tree, data.X, [feature], fine[:, None])
        before = np.searchsorted(grid, fine, side="right") - 1
        assert np.array_equal(exact, curves[before])


def test_a_number_and_a_wrong_shape():
    X = np.arange(20.0).reshape(10, 2)
    tree = TAORegressor(max_depth=1).fit(X, X[:, 0]).tree_
    assert feature_effect(tree, X, [0], [[0.0], [20.0]]).shape == (2, 10, 1)
    assert effect_grid(tree, np.full((3, 2), np.nan), 0).size == 0
    with refused(DataError, "values has shape …: expected (any number, …)"):
        feature_effect(tree, X, [0], [1.0])
