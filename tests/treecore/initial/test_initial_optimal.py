"""Test the optimal tree as the initial tree: its objective, its limits, and data that it does not support."""

import numpy as np
import pytest
import scipy.sparse

from sample_data import load
from tests.refusals import refused
from treecore import DataError, OptimalTreeClassifier, ParameterError, TAOClassifier, TAORegressor, regularization_path
from treecore.initial import optimal, suitable


@pytest.fixture(autouse=True)
def pystreed(request):
    if "without_the_package" not in request.node.name:
        pytest.importorskip("pystreed", reason="pystreed, an optional package, is not installed")


def objective(model, X, y):
    return float((model.predict(X) != y).sum()) + model.lam * (model.get_n_leaves() - 1)


def start(depth, lam, X, y, **others):
    """Return the optimal initial tree without training."""
    estimator = TAOClassifier(split="univariate", init="optimal", max_depth=depth, lam=lam, max_iter=0, **others)
    return estimator.set_params(random_state=0).fit(X, y)


@pytest.mark.parametrize("lam", [0.0, 1.0, 5.0])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_its_objective_is_the_minimum_on_codes(depth, lam):
    data = load("wine")
    X = np.array([np.searchsorted(np.quantile(x, [0.2, 0.4, 0.6, 0.8]), x) for x in data.X.T], float).T
    best = OptimalTreeClassifier(depth, lam, 4).fit(X, data.y)
    assert objective(start(depth, lam, X, data.y), X, data.y) == best.certificate_.objective


@pytest.mark.parametrize("block", [1, 2])
def test_tao_lowers_its_objective_below_that_from_cart(block):
    data = load("wine")
    found = [
        TAOClassifier(split="univariate", init=init, max_depth=3, lam=1.0, block=block, random_state=0)
        .fit(data.X, data.y)
        for init in ("cart", "optimal")
    ]  # fmt: skip
    cart, from_optimal = (objective(one, data.X, data.y) for one in found)
    assert from_optimal <= objective(start(3, 1.0, data.X, data.y), data.X, data.y)
    assert from_optimal < cart
    assert found[1].get_depth() <= 3


def test_it_is_not_above_cart_and_has_at_most_depth_four():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((120, 2)), rng.integers(0, 3, 120)
    cart = TAOClassifier(split="univariate", init="cart", max_depth=3, lam=0.0, max_iter=0, random_state=0).fit(X, y)
    assert objective(start(3, 0.0, X, y), X, y) <= objective(cart, X, y)
    assert start(None, 0.0, X, y).get_depth() <= optimal.MOST_DEPTH


def test_a_path_starts_from_the_optimum_of_its_first_lambda():
    data = load("wine")
    estimator = TAOClassifier(split="univariate", init="optimal", max_depth=2, random_state=0)
    first = regularization_path(estimator, data.X, data.y, [3.0, 9.0])[0].tree
    alone = TAOClassifier(split="univariate", init="optimal", max_depth=2, lam=3.0, random_state=0)
    assert first == alone.fit(data.X, data.y).tree_


def test_sweeps_solve_subtrees():
    data = load("wine")
    values = {"split": "univariate", "max_depth": 4, "lam": 1.0, "refine": 2, "random_state": 0}
    cart = TAOClassifier(init="cart", **values).fit(data.X, data.y)
    found = TAOClassifier(init="optimal", **values).fit(data.X, data.y)
    assert objective(found, data.X, data.y) <= objective(cart, data.X, data.y)


def test_a_time_limit_keeps_the_deepest_tree_that_is_found(monkeypatch):
    data, known = load("wine"), optimal.best_tree

    def slow(binary, y, weights, depth, lam, seconds):
        if depth == 3:
            raise ParameterError("no tree")
        return known(binary, y, weights, depth, lam, seconds)

    expected = start(2, 1.0, data.X, data.y).tree_
    monkeypatch.setattr(optimal, "best_tree", slow)
    assert start(3, 1.0, data.X, data.y).tree_ == expected

    def never(*arguments):
        raise ParameterError("no tree")

    monkeypatch.setattr(optimal, "best_tree", never)
    with pytest.raises(ParameterError, match="no tree"):
        start(3, 1.0, data.X, data.y)


def test_unsupported_data_are_refused_in_words():
    X, y = np.arange(12.0).reshape(6, 2), np.array([0, 1, 0, 1, 0, 1])
    with refused(ParameterError, "init='optimal' supports classification only"):
        TAORegressor(split="univariate", init="optimal").fit(X, y)
    model = TAOClassifier(lam=0.1, init="optimal", max_depth=2)
    sparse, dense = (model.fit(rows, y).tree_.to_json() for rows in (scipy.sparse.csr_matrix(X), X))
    assert sparse == dense
    X[0, 0] = np.nan
    with refused(DataError, "init='optimal' does not support NaN in X"):
        start(2, 1.0, X, y, missing="learn")
    assert "optimal" in suitable(False, True)
    assert not {"optimal"} & (suitable(True, True) | suitable(False, False))
    assert suitable(True, True) == {"random", "cart", "histogram_cart"}
