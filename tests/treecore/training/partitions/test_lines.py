"""Test bivariate splits on rows in parts, against the training in memory and on nodes that are too large for it."""

import numpy as np
import pytest

from treecore import TAOClassifier, TAORegressor
from treecore.training.partitions.nodes import level, line_nodes
from treecore.training.partitions.partitioned_run import fit_source
from treecore.training.partitions.sources.row_source import ArraySource


def _rows(n, is_squared, missing=False, seed=0):
    """Return rows whose classes are divided by lines."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 5)) * 20) / 4
    above = X[:, 0] + X[:, 1] > 1
    score = np.where(above, X[:, 2] - 0.5 * X[:, 3], X[:, 4] + X[:, 0]) + rng.normal(size=n)
    if missing:
        X[rng.random(X.shape) < 0.05] = np.nan
    return X, np.round(score) if is_squared else np.digitize(score, [-1.0, 1.0])


def _fitted(kind, X, y, weights, lam, **others):
    """Return the estimators that are trained in memory and in parts, from the same tree."""
    start = kind(split="univariate", init="cart", max_depth=4, max_iter=0, **others).fit(X, y, weights).tree_
    models = [kind(split="bivariate", init=start, lam=lam, max_iter=5, random_state=0, **others) for _ in range(2)]
    models[0].fit(X, y, weights)
    fit_source(models[1], ArraySource(X, y, weights, size=len(y) // 3))
    return models


@pytest.mark.parametrize(
    ("is_squared", "missing", "weighted"), [(False, False, False), (False, True, True), (True, True, False)]
)
def test_small_nodes_are_solved_as_in_memory(is_squared, missing, weighted):
    X, y = _rows(1500, is_squared, missing)
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float) if weighted else None
    kind = TAORegressor if is_squared else TAOClassifier
    memory, parts = _fitted(kind, X, y, weights, 30.0 if is_squared else 3.0, missing="learn" if missing else "error")
    assert np.array_equal(memory.tree_.features, parts.tree_.features)
    np.testing.assert_allclose(memory.trace_[-1].objective, parts.trace_[-1].objective, rtol=1e-4)
    if not is_squared:  # rounding of the means of the leaves decides between equal lines
        assert memory.tree_ == parts.tree_


@pytest.mark.parametrize(
    ("is_squared", "missing", "weighted"), [(False, False, False), (False, True, True), (True, True, True)]
)
def test_large_nodes_never_increase_the_objective(monkeypatch, is_squared, missing, weighted):
    for module in (level, line_nodes):
        monkeypatch.setattr(module, "MOST_POINTS", 600)
    X, y = _rows(6000, is_squared, missing)
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float) if weighted else None
    kind = TAORegressor if is_squared else TAOClassifier
    memory, parts = _fitted(kind, X, y, weights, 60.0 if is_squared else 6.0, missing="learn" if missing else "error")
    objectives = np.array([record.objective for record in (parts.initial_, *parts.trace_)])
    assert (np.diff(objectives) <= 1e-9 * objectives[0]).all()
    assert objectives[-1] <= 1.1 * memory.trace_[-1].objective
    assert (np.diff(parts.tree_.indptr) == 2).any()
    # The objective of the record is that of the tree on all rows.
    if not is_squared:
        loss = float((np.ones(len(y)) if weights is None else weights)[parts.predict(X) != y].sum())
        assert loss <= objectives[-1]


def test_the_sample_of_a_node_depends_on_the_rows_alone():
    """The number of threads must not change the tree."""
    X, y = _rows(3000, False)
    trees = []
    for n_jobs in (1, 2):
        model = TAOClassifier(split="bivariate", init="cart", max_leaf_nodes=8, lam=5.0, random_state=0, n_jobs=n_jobs)
        trees.append(fit_source(model, ArraySource(X, y, size=700)).tree_)
    assert trees[0] == trees[1]
