"""Test the gap of a tree against a search through all trees."""

import numpy as np
import pytest

from tests.refusals import refused
from tests.treecore.baselines.test_baseline_optimal import WITHOUT, smallest_objective
from treecore import CARTClassifier, ParameterError, TAOClassifier, TAORegressor, optimality_gap
from treecore.initial.binary_features import column_thresholds

pytest.importorskip("pystreed", reason=WITHOUT)


@pytest.mark.parametrize("lam", [0.0, 1.0, 1.5])
@pytest.mark.parametrize("seed", range(8))
def test_the_gap_is_the_difference_to_the_best_tree(seed, lam):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    weights = rng.uniform(0.5, 2.0, 40) if seed % 2 else None
    model = TAOClassifier(split="univariate", init="cart", max_depth=2, lam=lam, random_state=seed).fit(X, y, weights)
    found = optimality_gap(model, X, y, lam, max_depth=2, n_thresholds=4, sample_weight=weights)
    weighted = np.ones(40) if weights is None else weights
    cuts = [(j, t) for j in range(3) for t in column_thresholds(X[:, j], weighted, 4)]
    own = [model.tree_.split(node) for node in np.flatnonzero(model.tree_.left >= 0)]
    binary = np.array([X[:, j] >= t for j, t in cuts] + [X[:, f[0]] * w[0] + b >= 0 for f, w, b in own]).T
    best = smallest_objective(binary, y, weighted, lam, 2)
    errors = weighted[model.predict(X) != y].sum()
    assert found.objective == pytest.approx(errors + lam * (model.get_n_leaves() - 1))
    assert found.certificate.proven
    assert found.gap == pytest.approx(found.objective - best)


def test_a_tree_that_is_optimal_has_no_gap(bundled):
    X, y = bundled("iris")
    first = optimality_gap(CARTClassifier(cv=None, max_depth=3, random_state=0).fit(X, y), X, y)
    assert first.gap > 0
    again = optimality_gap(first.best, X, y, n_thresholds=1)
    assert (again.gap, again.objective) == (0.0, first.certificate.objective)


def test_labels_that_the_tree_does_not_have_are_errors(bundled):
    X, y = bundled("iris")
    model = CARTClassifier(cv=None, max_depth=1, random_state=0).fit(X[:100], y[:100])
    assert optimality_gap(model, X, y).objective == 50


def test_other_trees_are_refused(bundled):
    X, y = bundled("iris")
    for model in (
        TAOClassifier(max_depth=2, random_state=0).fit(X, y),
        TAORegressor(split="univariate", max_depth=2, random_state=0).fit(X, y),
        TAOClassifier(leaf="linear", max_depth=1, random_state=0).fit(X, y),
    ):
        with refused(ParameterError, "The tree has other splits or features"):
            optimality_gap(model, X, y)
