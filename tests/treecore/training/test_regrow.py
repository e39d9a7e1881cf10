"""Test that `refine` finds better structures, and that their objective equals a recomputation from the rows."""

import numpy as np
import pytest

from tests.refusals import refused
from treecore import ParameterError, TAOClassifier, TAORegressor, TAORegressorCV, phase_diagram, regularization_path

CLASSES = {"split": "bivariate", "init": "cart", "lam": 1.5, "random_state": 0, "n_jobs": 1}


def noisy(rng, n=300):
    X = rng.uniform(-1, 1, (n, 4))
    signal = np.where(X[:, 0] > 0.3, X[:, 1], -X[:, 2]) + 0.3 * rng.standard_normal(n)
    return X, signal


def recomputed(model, X, y, weights=1.0):
    """Return the objective of the fitted tree, from its predictions and its splits."""
    sizes = np.diff(model.tree_.indptr)
    penalty = np.where(sizes > 1, model.bivariate_cost, sizes).sum()
    wrong = model.predict(X)
    losses = (wrong - y) ** 2 if isinstance(model, TAORegressor) else wrong != y
    return np.sum(weights * losses) + model.lam * penalty


@pytest.mark.parametrize("split", ["univariate", "bivariate"])
@pytest.mark.parametrize("kind", ["classes", "weighted", "numbers", "missing"])
def test_the_objective_falls_to_what_a_recomputation_says(rng, split, kind):
    X, signal = noisy(rng)
    y, weights = (signal > 0).astype(int), None
    if kind == "weighted":
        weights = rng.uniform(0.5, 2.0, len(y))
    if kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    estimator = TAORegressor(**CLASSES) if kind == "numbers" else TAOClassifier(**CLASSES)
    y = signal if kind == "numbers" else y
    estimator.set_params(split=split, missing="learn" if kind == "missing" else "error")
    before = estimator.fit(X, y, weights).trace_[-1].objective
    model = estimator.set_params(refine=3).fit(X, y, weights)
    objectives = [model.initial_.objective, *(record.objective for record in model.trace_)]
    assert all(after <= ahead + 1e-9 * abs(ahead) for ahead, after in zip(objectives, objectives[1:], strict=False))
    assert objectives[-1] < before
    assert objectives[-1] == pytest.approx(recomputed(model, X, y, 1.0 if weights is None else weights))
    assert [record.iteration for record in model.trace_] == list(range(1, model.n_iter_ + 1))
    assert len(set(model.tree_.origin.tolist())) == model.tree_.n_nodes
    assert model.fit(X, y, weights).tree_ == model.tree_  # a second fit gives the same tree
    assert np.diff(model.tree_.indptr).max() <= (2 if split == "bivariate" else 1)


def test_locked_nodes_and_the_maximum_depth_are_kept(rng):
    X, signal = noisy(rng)
    y = (signal > 0).astype(int)
    grown = TAOClassifier(**CLASSES | {"lam": 0.5, "max_depth": 6}).fit(X, y).tree_
    root = grown.split(0)
    frozen = [int(grown.origin[0]), int(grown.origin[grown.left[0]])]
    model = TAOClassifier(**CLASSES | {"init": grown, "frozen": frozen, "refine": 3}).fit(X, y)
    assert set(frozen) <= set(model.tree_.origin.tolist())
    assert np.array_equal(model.tree_.split(0)[1], root[1])
    shallow = TAOClassifier(**CLASSES | {"max_depth": 3, "refine": 3}).fit(X, y)
    assert shallow.get_depth() <= 3


@pytest.mark.parametrize("X", [np.arange(40.0)[:, None], np.ones((40, 3)), np.arange(80.0).reshape(40, 2) // 8])
def test_degenerate_data_train(X):
    y = np.arange(40) // 5 % 2
    model = TAOClassifier(**CLASSES | {"refine": 3}).fit(X, y)
    assert model.trace_[-1].objective == pytest.approx(recomputed(model, X, y))
    assert TAOClassifier(**CLASSES | {"refine": 3, "max_iter": 0}).fit(X, y).n_iter_ == 0


def test_a_callback_stops_the_search(rng):
    X, signal = noisy(rng)
    seen = []
    TAOClassifier(**CLASSES | {"refine": 50, "callback": lambda step: seen.append(step) or True}).fit(X, signal > 0)
    assert len(seen) == 1


def test_paths_and_cross_validation_refuse_it(rng):
    X, y = noisy(rng, 60)
    model = TAORegressor(**CLASSES | {"refine": 2})
    for train in (
        lambda: regularization_path(model, X, y, 4),
        lambda: TAORegressorCV(model, lams=3, cv=2).fit(X, y),
        lambda: phase_diagram(model.set_params(split="bivariate"), X, y),
    ):
        with refused(
            ParameterError,
            (
                "refine=2 has no effect on a path. Use refine=0, and fit an estimator with refine=2 for one lambda "
                "of the path"
            ),
        ):
            train()
