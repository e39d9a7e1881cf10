"""Test that memory and time stay bounded for many features, and that such a fit can be stopped."""

import subprocess
import sys

import numpy as np
import pytest

from treecore import BivariateCARTClassifier, BivariateCARTRegressor, TAOClassifier
from treecore.data.training_data import TrainingData
from treecore.initial import bivariate_cart
from treecore.node_solvers import bivariate
from treecore.node_solvers.bivariate import KEPT_FEATURES, MOST_FEATURES, BivariateSolver
from treecore.node_solvers.thresholds import best_threshold
from treecore.tree.split import constant_split

MEMORY = """
import resource
import numpy as np
from treecore import BivariateCARTClassifier, BivariateCARTRegressor, TAOClassifier
rng = np.random.default_rng(0)
for d in (5, 500):
    X = rng.standard_normal((600, d))
    y = (X[:, 0] > X[:, -1]).astype(int)
    model = TAOClassifier(split="bivariate", init="cart", max_depth=3, max_iter=2, lam=2.0, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.97, model.score(X, y)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.fixture
def wide(rng):
    X = rng.standard_normal((600, 500))
    return X, (X[:, 3] + X[:, 77] > 0).astype(int)


@pytest.mark.long
def test_memory_does_not_grow_with_the_pairs_times_the_rows():
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    few, many = map(int, done.stdout.split())  # peak memory so far
    # A single copy of the 600 x 124,750 pairs would take 600 MB.
    assert (many - few) / 1024 < 80


def test_the_right_pair_is_found_among_all(wide):
    X, y = wide
    model = TAOClassifier(split="bivariate", init="cart", max_depth=1, lam=2.0, random_state=0).fit(X, y)
    assert model.tree_.split(0)[0].tolist() == [3, 77]
    assert model.score(X, y) > 0.99


def test_steps_come_and_a_true_answer_stops_the_fit(wide):
    X, y = wide
    seen = []

    def stop(step):
        seen.append(step)
        return len(seen) == 2

    model = TAOClassifier(split="bivariate", init="cart", lam=0.5, random_state=0, callback=stop).fit(X, y)
    assert len(seen) == 2
    assert model.tree_.n_nodes >= 1
    assert np.isin(model.predict(X), [0, 1]).all()


@pytest.fixture
def wider(rng):
    """Return more features than `MOST_FEATURES`."""
    X = rng.standard_normal((100, MOST_FEATURES + 100))
    return X, (X[:, 3] + X[:, 77] > 0).astype(int)


def test_a_node_pairs_the_features_with_the_best_thresholds(wider):
    X, y = wider
    points = np.arange(100)
    data = TrainingData(X, y, 2)
    solver = BivariateSolver(data)
    assert solver.pairs.shape[1] == KEPT_FEATURES * (KEPT_FEATURES - 1) // 2
    signed = 2.0 * y - 1
    found, features = solver._best_thresholds(points, signed, 0.0)
    score = [max(_gains_of_cuts(column, signed)) for column in X.T]
    assert min(score[j] for j in features) >= max(np.delete(score, features))
    usable = solver.is_usable
    assert found == best_threshold(data.columns.values, points, signed, usable, usable, np.zeros(usable.size), 0.0)


def _gains_of_cuts(column, signed):
    above = np.cumsum(signed[np.argsort(-column)])[:-1]
    return np.concatenate([above, signed.sum() - above])


def test_a_line_is_found_among_the_kept_features(wider):
    X, y = wider
    model = TAOClassifier(split="bivariate", init="cart", max_depth=1, lam=1.0, random_state=0).fit(X, y)
    assert model.tree_.split(0)[0].tolist() == [3, 77]


@pytest.mark.parametrize("estimator", [BivariateCARTClassifier(max_depth=1), BivariateCARTRegressor(max_depth=1)])
def test_bivariate_cart_makes_pairs_of_the_kept_features_only(wider, estimator, monkeypatch):
    asked, pairs = [], bivariate_cart._pairs
    monkeypatch.setattr(bivariate_cart, "_pairs", lambda n: asked.append(n) or pairs(n))
    X, y = wider
    estimator.fit(X, y)
    assert set(asked) == {KEPT_FEATURES}
    assert estimator.tree_.split(0)[0].tolist() == [3, 77]


def test_memory_of_pairs_does_not_grow_with_the_features(rng):
    data = TrainingData(rng.standard_normal((5, 20_000)).astype(np.float32), np.array([0, 1, 0, 1, 1]), 2)
    assert BivariateSolver(data).pairs.nbytes < 1e6  # all pairs would take 1.6 GB


@pytest.mark.parametrize("names", [["best_threshold"], ["screen_pairs", "screen_many"]])
def test_no_compiled_call_searches_all_features(wider, names, monkeypatch):
    """A fit is cancelled between two Python instructions, so a search over many features must have many of them."""
    X, y = wider
    solver = BivariateSolver(TrainingData(X, y, 2))
    calls = []

    def counted(kernel):
        return lambda *args: calls.append(len(args[0])) or kernel(*args)

    for name in names:
        monkeypatch.setattr(bivariate, name, counted(getattr(bivariate, name)))
    solver.solve(0, 100, 2.0 * solver.data.y - 1, 1.0, constant_split(True))
    assert len(calls) == (X.shape[1] if names == ["best_threshold"] else KEPT_FEATURES - 1)
    assert max(calls) <= KEPT_FEATURES
