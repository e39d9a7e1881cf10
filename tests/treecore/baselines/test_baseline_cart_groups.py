"""Test CART with splits on groups of categories: growth, missing values, pruning by folds, subtrees, comparisons."""

import numpy as np
import pandas
import pytest

from tests.refusals import refused
from tests.treecore.training.test_categories import table
from treecore import (
    BivariateCARTClassifier,
    CARTClassifier,
    CARTRegressor,
    ParameterError,
    TAOClassifier,
    regularization_path,
)
from treecore.baselines.cross_validation import folds_of
from treecore.comparison import compare
from treecore.data.training_data import TrainingData
from treecore.initial import greedy
from treecore.training.cost_complexity import weakest_links


def widest(tree):
    return int(np.diff(tree.indptr).max())


@pytest.mark.parametrize("missing", [False, True])
def test_groups_need_fewer_leaves(missing):
    X, y = table(2000, missing=missing)
    X_test, y_test = table(4000, seed=1, missing=missing)
    given = {"missing": "learn" if missing else "error", "random_state": 0}
    alone, groups = (CARTClassifier(categories=kind, **given).fit(X, y) for kind in ("features", "groups"))
    assert widest(alone.tree_) == 1
    assert groups.get_n_leaves() < alone.get_n_leaves()
    assert groups.score(X_test, y_test) >= alone.score(X_test, y_test)
    assert "city in {c00, c03, c06, c09}" in str(groups.tree_)


def test_the_unpruned_tree_is_the_start_of_tao():
    X, y = table(missing=True)
    cart = CARTClassifier(cv=None, max_depth=4, categories="groups", missing="learn", random_state=0).fit(X, y)
    start = TAOClassifier(
        split="univariate", init="cart", max_depth=4, max_iter=0, categories="groups", missing="learn", lam=0.0
    ).fit(X, y)
    rows = cart.encoder_.transform(cart, X)
    assert np.array_equal(cart.tree_.predict(rows), start.tree_.predict(rows))


@pytest.mark.parametrize("is_regression", [False, True])
def test_the_errors_of_the_folds_are_those_of_pruned_trees(is_regression):
    X, y = table(300)
    y = y + X["size"].to_numpy() if is_regression else y
    kind = CARTRegressor if is_regression else CARTClassifier
    folds = folds_of(np.zeros(len(y), int), 4, np.random.RandomState(3))
    given = {"categories": "groups", "min_samples_leaf": 3, "random_state": 0}
    model = kind(cv=folds, **given).fit(X, y)
    tree = model.grown_
    risk = tree.target.node_losses(tree) / len(y)
    alphas = [max(one.alpha, 0.0) for one in weakest_links(tree.left, tree.right, risk)]
    # each fold gets the columns of the whole table, as in CART
    rows, columns = model.encoder_.transform(model, X), [list(group) for group in model.encoder_.groups[:2]]
    own = [kind(cv=None, **given | {"categories": columns}).fit(rows[train], y[train]) for train, _ in folds]
    for place, middle in enumerate([*np.sqrt(np.multiply(alphas[:-1], alphas[1:])), np.inf]):
        losses = np.empty(len(y))
        for grown, (_, held) in zip(own, folds, strict=True):
            predicted = grown.subtrees([middle])[0].predict(rows[held])
            losses[held] = (predicted - y[held]) ** 2 if is_regression else predicted != y[held]
        assert model.cv_errors_[place] == pytest.approx(losses.mean())


def test_an_array_with_lists_of_features_gives_the_tree_of_the_frame():
    X, y = table()
    model = CARTClassifier(categories="groups", random_state=0).fit(X, y)
    rows, columns = model.encoder_.transform(model, X), [list(group) for group in model.encoder_.groups[:2]]
    other = CARTClassifier(categories=columns, random_state=0).fit(rows, y)
    assert other.tree_.with_names(None).to_json() == model.tree_.with_names(None).to_json()


def best_score(values, y):
    """Return the best score of a threshold, with the missing values on either side or apart, by trying all."""
    lost, best = np.isnan(values), -np.inf
    for cut in [*np.unique(values[~lost]), np.inf]:
        for right in (values >= cut, (values >= cut) | lost):
            if right.any() and not right.all():
                score = sum((y[side] == k).sum() ** 2 / side.sum() for side in (right, ~right) for k in np.unique(y))
                best = max(best, score)
    return best


@pytest.mark.parametrize("seed", range(8))
def test_the_threshold_with_missing_values_is_the_best(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (30, 3)).astype(float)
    X[rng.random(X.shape) < 0.3] = np.nan
    y = rng.integers(0, 3, 30)
    data = TrainingData(X, y, 3)
    node = greedy.Node(data, np.arange(3), np.arange(30), np.ones(30), (0,))
    score, split = greedy.best_threshold(node)
    assert score == pytest.approx(max(best_score(column, y) for column in X.T))
    assert node.score(node.goes_right(split)) == pytest.approx(score)


def test_a_value_that_was_never_missing_goes_with_the_majority():
    X = pandas.DataFrame({"size": np.arange(40.0), "colour": ["red", "blue", None, "blue"] * 10})
    for y in (np.arange(40) >= 10, np.arange(40) >= 30):
        model = CARTClassifier(cv=None, max_depth=1, categories="groups", missing="learn").fit(X, y)
        lost = pandas.DataFrame({"size": [np.nan], "colour": ["red"]})
        assert model.predict(lost)[0] == (y.mean() > 0.5)


def test_a_comparison_gives_all_methods_the_same_categories():
    X, y = table()
    names = ["cart", "cart_min", "tao_univariate", "bivariate_cart", "nearest_neighbours", "tao_oblique"]
    model = CARTClassifier(cv=None).fit(X, y)
    rows, columns = model.encoder_.transform(model, X), [list(group) for group in model.encoder_.groups[:2]]
    found = compare(rows, y, names, cv=2, inner=2, n_jobs=1, categories=columns)
    assert not found.failures("nearest_neighbours")
    for name in names[:4]:
        assert max(widest(cell.tree) for cell in found.of(name)) > 2
    with refused(ParameterError, "categories=…: expected one of"):
        compare(rows, y, ["cart"], categories="values")


def test_bivariate_cart_splits_groups():
    X, y = table(1000)
    model = BivariateCARTClassifier(max_depth=3, categories="groups", random_state=0).fit(X, y)
    path = regularization_path(
        TAOClassifier(split="bivariate", init=model.tree_, categories="groups"), X, y, lams=[1.0]
    )
    assert widest(model.tree_) > 2
    assert path.trees[0].n_leaves > 1
