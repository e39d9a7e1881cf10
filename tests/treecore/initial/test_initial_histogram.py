"""Test CART from histograms against CART from sorted values."""

import numpy as np
import pytest

from tests import naive
from treecore import TAOClassifier
from treecore.constraints.constraints import Constraints
from treecore.data.training_data import TrainingData
from treecore.initial import histogram_cart, initial_tree


@pytest.fixture(autouse=True)
def _all_nodes_use_histograms(monkeypatch):
    monkeypatch.setattr(histogram_cart, "LEAST_ROWS", 2)


def random_state():
    return np.random.RandomState(0)


def rows(seed, n=1500, missing=0.0):
    random = np.random.default_rng(seed)
    X = random.integers(0, 40, (n, 5)).astype(float)
    score = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] / 300 + random.normal(0, 0.3, n)
    X[random.random(X.shape) < missing] = np.nan
    return X, score, random.integers(1, 4, n).astype(float)


def impurity(tree, X, y, weights):
    """Return the weighted squared distances of the targets, or of the indicators of the classes, from their means."""
    total = 0.0
    columns = y[:, None] if y.dtype.kind == "f" else y[:, None] == np.unique(y)
    for leaf, points in enumerate(naive.visits(tree.routing(), X)):
        if tree.left[leaf] < 0 and len(points):
            own, w = columns[points].astype(float), weights[points]
            total += float((w @ (own - np.average(own, axis=0, weights=w)) ** 2).sum())
    return total


@pytest.mark.parametrize("is_number", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_features_with_few_values_get_the_tree_of_all_values(is_number, missing):
    for seed in range(6):
        X, score, weights = rows(seed, missing=missing)
        y = score if is_number else np.digitize(score, [0.0, 1.0])
        found = []
        for init in ("histogram_cart", "cart"):
            data = TrainingData(X, y, None if is_number else 3, weights)
            tree = initial_tree(init, data, 3, np.random.RandomState(seed))
            found.append((tree.n_leaves, impurity(tree, X, y, weights)))
        assert found[0][0] == found[1][0] == 8
        assert found[0][1] == pytest.approx(found[1][1], rel=1e-9)


def test_thresholds_lie_between_quantiles():
    random = np.random.default_rng(0)
    X = np.exp(random.normal(size=(20_000, 2)))
    tree = initial_tree("histogram_cart", TrainingData(X, (X[:, 0] > 1.3).astype(int), 2), 1, random_state())
    low, high = sorted((-tree.splits[0].bias / tree.splits[0].weights[0], 1.3))
    assert np.count_nonzero((X[:, 0] > low) & (X[:, 0] < high)) <= 20_000 / 255


def test_the_best_leaf_is_split_first():
    X, score, weights = rows(2)
    y = np.digitize(score, [0.0, 1.0])
    data = TrainingData(X, y, 3, weights)
    one, three, many = (
        initial_tree("histogram_cart", data, None, random_state(), constraints=Constraints(max_leaf_nodes=most))
        for most in (2, 4, 40)
    )
    assert (one.n_leaves, three.n_leaves, many.n_leaves) == (2, 4, 40)
    assert impurity(many, X, y, weights) < impurity(three, X, y, weights) < impurity(one, X, y, weights)


def test_trees_do_not_depend_on_threads():
    X, score, _ = rows(3)
    one, two = (TAOClassifier(init="histogram_cart", n_jobs=n, max_iter=1).fit(X, score > 0).tree_ for n in (1, 2))
    assert one == two


def test_groups_of_categories_are_found():
    random = np.random.default_rng(1)
    import pandas

    city = random.integers(0, 12, 3000)
    table = pandas.DataFrame({"city": pandas.Categorical([f"c{one}" for one in city]), "x": random.normal(size=3000)})
    y = np.isin(city, [1, 4, 7, 11]).astype(int)
    model = TAOClassifier(split="univariate", init="histogram_cart", categories="groups", max_depth=2).fit(table, y)
    assert model.score(table, y) == 1.0
    assert model.tree_.n_leaves == 2


def test_sparse_rows_give_the_tree_of_dense_ones():
    import scipy.sparse

    model, X, y = TAOClassifier(lam=0.1, init="histogram_cart"), np.eye(8), np.arange(8) % 2
    sparse, dense = (model.fit(rows, y).tree_.to_json() for rows in (scipy.sparse.csr_matrix(X), X))
    assert sparse == dense
