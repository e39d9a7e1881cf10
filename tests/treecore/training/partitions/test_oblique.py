"""Test oblique splits on rows in parts against the training in memory."""

import numpy as np
import pytest

from treecore import TAOClassifier
from treecore.errors import DataError
from treecore.training.partitions.nodes import level, oblique_nodes
from treecore.training.partitions.partitioned_run import fit_source
from treecore.training.partitions.sources.row_source import ArraySource


def _rows(n=4000):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6)) * [1, 2, 5, 0.1, 1, 1] + 3
    score = X @ [1.0, -0.5, 0.2, 3.0, 0.0, 0.0] + 0.3 * X[:, 4] * X[:, 5]
    return X, np.digitize(score + rng.normal(size=n) * 0.3, np.quantile(score, [0.3, 0.7]))


def _fitted(X, y, weights=None, **others):
    """Return the estimators that are trained in memory and in parts, from the same random tree."""
    p = {"lam": 5.0, "random_state": 0, **others}
    start = TAOClassifier(init="random", max_depth=3, max_iter=1, **p).fit(X, y, weights).tree_
    models = [TAOClassifier(init=start, max_iter=8, **p) for _ in range(2)]
    models[0].fit(X, y, weights)
    fit_source(models[1], ArraySource(X, y, weights, size=len(y) // 3))
    return models


@pytest.mark.parametrize("surrogate", ["logistic", "squared_hinge"])
@pytest.mark.parametrize("most", [5000, 200])
def test_trees_are_as_good_as_in_memory(monkeypatch, surrogate, most):
    """200 : large nodes take Newton steps on all rows."""
    for module in (level, oblique_nodes):
        monkeypatch.setattr(module, "MOST_POINTS", most)
    X, y = _rows()
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    memory, parts = _fitted(X, y, weights, surrogate=surrogate)
    best = [min(record.objective for record in (m.initial_, *m.trace_)) for m in (memory, parts)]
    assert best[1] <= 1.02 * best[0]
    np.testing.assert_allclose(parts.score(X, y, weights), memory.score(X, y, weights), atol=0.01)


def test_a_node_has_the_weights_of_the_optimum(monkeypatch):
    """The first pass of a tree with one node solves the problem of the solver in memory."""
    for module in (level, oblique_nodes):
        monkeypatch.setattr(module, "MOST_POINTS", 300)
    X, y = _rows()
    y = (y == 2).astype(int)
    start = TAOClassifier(split="univariate", init="cart", max_depth=1, max_iter=0).fit(X, y).tree_
    p = {"init": start, "lam": 20.0, "max_iter": 1, "node_tol": 1e-9, "random_state": 0}
    memory = TAOClassifier(**p).fit(X, y)
    parts = fit_source(TAOClassifier(**p), ArraySource(X, y, size=1500))
    assert np.array_equal(memory.tree_.features, parts.tree_.features)
    np.testing.assert_allclose(parts.tree_.weights, memory.tree_.weights, rtol=1e-3, atol=1e-4)


def test_missing_values_are_refused():
    X, y = _rows(300)
    X[5, 1] = np.nan
    with pytest.raises(DataError, match="missing"):
        fit_source(TAOClassifier(max_depth=2), ArraySource(X, y))


def test_large_nodes_take_the_permitted_number_of_newton_steps(monkeypatch):
    for module in (level, oblique_nodes):
        monkeypatch.setattr(module, "MOST_POINTS", 300)
    X, y = _rows()
    start = TAOClassifier(split="univariate", init="cart", max_depth=2, max_iter=0).fit(X, y).tree_
    parts = fit_source(TAOClassifier(init=start, max_iter=1, max_inner=1), ArraySource(X, y))
    assert not np.array_equal(parts.tree_.features, start.features)


@pytest.mark.parametrize("most", [5000, 200])
@pytest.mark.filterwarnings("error")
def test_initial_trees_may_use_features_that_are_constant_now(monkeypatch, most):
    for module in (level, oblique_nodes):
        monkeypatch.setattr(module, "MOST_POINTS", most)
    X, y = _rows()
    start = TAOClassifier(init="random", max_depth=2, max_iter=1, lam=0.1, random_state=0).fit(X, y).tree_
    X[:, 0] = 2.5
    found = fit_source(TAOClassifier(init=start, lam=5.0, max_iter=3), ArraySource(X, y, size=1500))
    assert 0 not in found.tree_.features
    assert found.trace_[-1].objective < found.initial_.objective
