"""Test hierarchical shrinkage against its definition, row by row."""

import numpy as np
import pytest

from tests.refusals import refused
from treecore import ParameterError, TAORegressor, regularization_path
from treecore.training.training_run import shrunk
from treecore.tree.metrics import training_error

SETTINGS = {"split": "univariate", "init": "cart", "lam": 0.05, "random_state": 0}


@pytest.fixture
def data(rng):
    X = rng.uniform(-1, 1, (120, 3))
    return X, X[:, 0] + rng.standard_normal(120)


def test_a_leaf_predicts_the_shrunk_steps_of_its_decision_path(data):
    X, y = data
    plain = TAORegressor(**SETTINGS).fit(X, y).tree_
    model = TAORegressor(**SETTINGS, shrinkage=3.0).fit(X, y)
    reached = np.asarray(plain.values)
    for x, leaf, found in zip(X, plain.apply(X), model.predict(X), strict=True):
        way, node = [], leaf
        while node >= 0:
            way.insert(0, node)
            node = plain.parents[node] if node else -1
        wanted = reached[0, 1]
        for above, below in zip(way, way[1:], strict=False):
            wanted += (reached[below, 1] - reached[above, 1]) / (1 + 3.0 / reached[above, 0])
        assert found == pytest.approx(wanted), x
    assert training_error(model.tree_) == pytest.approx(np.sqrt(np.mean((model.predict(X) - y) ** 2)))
    assert shrunk(plain, 0.0, np.array([])) is plain


def test_paths_give_shrunk_trees_that_are_trained_as_ever(data):
    X, y = data
    plain, less = (regularization_path(TAORegressor(**SETTINGS, shrinkage=s), X, y, 4) for s in (0.0, 5.0))
    for a, b in zip(plain.points, less.points, strict=True):
        assert np.array_equal(a.tree.apply(X), b.tree.apply(X))
        assert b.train_error >= a.train_error
    assert less.points[0].train_error > plain.points[0].train_error


@pytest.mark.parametrize("shrinkage", [-1.0, np.nan, "much", True])
def test_bad_shrinkage_is_refused(data, shrinkage):
    with refused(ParameterError, "shrinkage=…: expected a finite number >= … and <="):
        TAORegressor(**SETTINGS, shrinkage=shrinkage).fit(*data)
