"""Test bivariate CART: every split against brute force over pairs, orientations and thresholds; fully grown trees."""

from collections import Counter

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings

import sample_data
from tests import naive
from tests.budget import budget
from tests.refusals import refused
from tests.strategies import datasets
from treecore import DataError, ParameterError, TAOClassifier, warm_up
from treecore.data.classification import Classification
from treecore.data.regression import Regression
from treecore.data.training_data import TrainingData
from treecore.initial import INITIAL_TREES, bivariate_cart, histogram_cart, impurity_kernels, initial_tree
from treecore.initial.bivariate_cart import GreedyTarget, bivariate_cart_tree, grow
from treecore.node_solvers import side_kernels
from treecore.training.partitions import histogram_search, row_kernels, value_kernels
from treecore.training.partitions.nodes import line_kernels, oblique_kernels


def serial(function, items):
    return [function(item) for item in items]


def grow_classes(X, y, depth=None, weights=None, **options):
    return bivariate_cart_tree(TrainingData(X, y, int(max(y)) + 1, weights), depth, None, **options)


def grow_means(X, y, depth=None, weights=None):
    target = GreedyTarget(Regression(), np.asarray(y, float), np.ones(len(y)) if weights is None else weights)
    return grow(np.ascontiguousarray(X.T), np.arange(X.shape[1]), target, depth, 60, serial)


def gini(y, weights):
    """Return the weighted Gini index of one side, times its weight."""
    total = sum(weights)
    shares = [sum(w for w, label in zip(weights, y, strict=True) if label == c) / total for c in set(y)]
    return total * (1 - sum(share**2 for share in shares))


def squared_error(y, weights):
    """Return the weighted squared error of one side around its mean."""
    mean = sum(w * value for w, value in zip(weights, y, strict=True)) / sum(weights)
    return sum(w * (value - mean) ** 2 for w, value in zip(weights, y, strict=True))


def impurity_of(goes_right, y, weights, impurity):
    sides = [goes_right, ~goes_right]
    return sum(impurity(y[side].tolist(), weights[side].tolist()) for side in sides)


def best_cut(values, y, weights, impurity):
    """Return the smallest impurity over all thresholds on `values`."""
    cuts = [impurity_of(values >= t, y, weights, impurity) for t in np.unique(values)[1:]]
    return min(cuts, default=np.inf)


def best_threshold(X, y, weights, impurity):
    return min(best_cut(column, y, weights, impurity) for column in X.T.astype(float))


def best_line(X, y, weights, impurity, orientations=60):
    """Return the smallest impurity over all pairs and `orientations` directions of features scaled to one range."""
    X = X.astype(float)
    X = X[:, X.min(axis=0) < X.max(axis=0)]
    X = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    best = np.inf
    for j in range(X.shape[1]):
        for k in range(j):
            for angle in np.pi * np.arange(orientations) / orientations:
                values = np.round(np.cos(angle) * X[:, k] + np.sin(angle) * X[:, j], 12)
                best = min(best, best_cut(values, y, weights, impurity))
    return best


def root(tree):
    """Return (split, function of rows: which go right) of the root."""
    split = tree.splits[0]
    return split, lambda X: np.array([naive.margin(tree.routing(), 0, x) >= 0 for x in X])


def sides(split, X):
    return split.bias + X[:, split.features].astype(float) @ split.weights >= 0


def arrays(tree):
    return [*tree.routing(), tree.labels]


@settings(max_examples=budget(30, 1500), deadline=None)
@given(datasets())
def test_no_root_is_worse_than_the_best_threshold_and_lines_are_strictly_better(dataset):
    X, y, weights = dataset
    tree = grow_classes(X, y, 1, weights)
    if len(set(y)) == 1 or (X.min(axis=0) == X.max(axis=0)).all():
        assert tree.n_nodes == 1
        return
    split, goes_right = root(tree)
    right = goes_right(X)
    assert right.any()
    assert not right.all()
    found, wanted = impurity_of(right, y, weights, gini), best_threshold(X, y, weights, gini)
    if len(split.features) == 1:
        assert found == pytest.approx(wanted, abs=1e-9)
    else:
        assert len(split.features) == 2
        assert split.features[0] < split.features[1]
        assert found < wanted - 1e-10 * weights.sum()


@pytest.mark.nightly
@pytest.mark.parametrize(("n", "d"), budget([(25, 3)], [(25, 3), (40, 4), (60, 4), (150, 3)]))
@pytest.mark.parametrize("kind", ["classes", "means"])
def test_roots_are_nearly_as_good_as_brute_force(rng, n, d, kind):
    impurity, ratios = {"classes": gini, "means": squared_error}[kind], []
    for _ in range(6):
        X, weights = rng.standard_normal((n, d)), rng.integers(1, 4, n).astype(float)
        signal = X[:, 0] + 0.6 * X[:, 1] + 0.5 * rng.standard_normal(n)
        y = np.digitize(signal, [-0.5, 0.6]) if kind == "classes" else np.round(signal + (signal > 0.3), 2)
        tree = grow_classes(X, y, 1, weights) if kind == "classes" else grow_means(X, y, 1, weights)
        found = impurity_of(sides(tree.splits[0], X), y, weights, impurity)
        wanted = min(best_threshold(X, y, weights, impurity), best_line(X, y, weights, impurity))
        whole = impurity(y.tolist(), weights.tolist())
        ratios.append((whole - found) / (whole - wanted))
    # With few points, the best line may exist only in a narrow range of angles, which the search can miss.
    assert min(ratios) > 0.9
    assert np.mean(ratios) > 0.97


def test_an_axis_aligned_optimum_stays_a_threshold(rng):
    X = rng.uniform(-1, 1, (200, 4))
    for y in ((X[:, 2] > 0.3).astype(int), (X[:, 2] > 0.3).astype(int) + 2 * (X[:, 2] < -0.5)):
        tree = grow_classes(X, y)
        assert all(split.features.tolist() == [2] for split in tree.splits if split)
        assert tree.n_leaves == len(set(y))
    grown = grow_means(X, np.where(X[:, 1] > 0, 3.0, -1.0))
    assert [split.features.tolist() for split in grown.splits if split] == [[1]]
    assert sorted(grown.predictions[1:]) == [-1, 3]


def test_a_line_is_found_among_many_pairs(rng):
    X = rng.standard_normal((400, 20)) * 10.0 ** rng.integers(-3, 4, 20)
    unit = X / X.std(axis=0)
    truth = unit[:, 7] - 0.8 * unit[:, 13] > 0.2
    tree = grow_classes(X, truth.astype(int), 1)
    assert tree.splits[0].features.tolist() == [7, 13]
    assert np.mean(sides(tree.splits[0], X) == truth) > 0.98
    grown = grow_means(X, np.where(truth, 5.0, 2.0), 1)
    assert grown.splits[0].features.tolist() == [7, 13]
    assert np.mean(sides(grown.splits[0], X) == truth) > 0.98


def test_a_turned_chequer_needs_few_lines(rng):
    u, v = rng.uniform(-1, 1, (2, 400))
    X = np.column_stack([u + v, u - v])
    y = ((u > 0) ^ (v > 0.2)).astype(int)
    tree = grow_classes(X, y)
    assert (tree.labels[naive.leaves(tree.routing(), X)] == y).all()
    assert tree.n_leaves <= 16


@settings(max_examples=budget(30, 1500), deadline=None)
@given(datasets())
def test_fully_grown_leaves_cannot_be_split(dataset):
    X, y, weights = dataset
    tree = grow_classes(X, y, None, weights)
    for node, rows in enumerate(naive.visits(tree.routing(), X)):
        assert rows
        counts = np.bincount(y[rows], weights[rows], 3)
        assert counts[tree.labels[node]] == counts.max()
        if tree.left[node] < 0:
            assert len(set(y[rows])) == 1 or len(np.unique(X[rows], axis=0)) == 1


@settings(max_examples=budget(30, 1500), deadline=None)
@given(datasets())
def test_fully_grown_means_cannot_be_split(dataset):
    X, y, weights = dataset
    y = y / 3.0
    grown = grow_means(X, y, None, weights)
    used = [split for split in grown.splits if split]
    assert all(len(split.features) in (1, 2) for split in used)
    rows = {0: np.arange(len(X))}
    for node, split in enumerate(grown.splits):
        here = rows[node]
        assert grown.predictions[node] == pytest.approx(np.average(y[here], weights=weights[here]), abs=1e-12)
        if split is None:
            assert len(set(y[here])) == 1 or len(np.unique(X[here], axis=0)) == 1
        else:
            right = sides(split, X[here])
            rows[grown.left[node]], rows[grown.right[node]] = here[~right], here[right]
            assert right.any()
            assert not right.all()


def test_constant_targets_give_one_exact_leaf():
    grown = grow_means(np.arange(6.0)[:, None], np.full(6, 0.1), None, np.array([1, 2, 3, 1e-9, 7, 0.3]))
    assert grown.predictions == [0.1]


def test_far_away_targets_do_not_drown_the_differences(rng):
    X = rng.uniform(-1, 1, (100, 3))
    y = np.where(X[:, 0] + X[:, 1] > 0, 1.0, 0.0)
    near, far = grow_means(X, y, 2), grow_means(X, y + 2.0**30, 2)
    assert near.splits[0].features.tolist() == far.splits[0].features.tolist() == [0, 1]
    np.testing.assert_allclose(np.array(far.predictions) - 2.0**30, near.predictions, atol=1e-5)


def test_weights_of_very_different_sizes():
    X = np.array([[0.0, 3], [1, 1], [2, 4], [3, 2]])
    tree = grow_classes(X, np.array([0, 1, 0, 1]), None, np.array([1e25, 1, 1e-20, 1e3]))
    assert tree.labels[naive.leaves(tree.routing(), X)].tolist() == [0, 1, 0, 1]


def test_zero_weights_are_as_if_the_rows_were_not_there(rng):
    X, y, weights = rng.standard_normal((90, 3)), rng.integers(0, 3, 90), rng.integers(0, 3, 90).astype(float)
    keep = weights > 0
    one, two = grow_classes(X, y, 4, weights), grow_classes(X[keep], y[keep], 4, weights[keep])
    for a, b in zip(arrays(one), arrays(two), strict=True):
        assert np.array_equal(a, b)


def test_duplicates_with_different_labels_share_a_leaf():
    X = np.repeat(np.array([[0.0, 1], [1, 0], [1, 1]]), 2, axis=0)
    tree = grow_classes(X, np.array([0, 1, 1, 1, 0, 0]))
    assert tree.n_leaves == 3
    assert Counter(naive.leaves(tree.routing(), X).tolist()).most_common()[-1][1] == 2


@pytest.mark.parametrize("X", [
    np.arange(6.0)[:, None], np.column_stack([np.arange(6.0), np.ones(6)]), np.arange(6, dtype=np.uint8)[:, None],
    np.column_stack([np.arange(6.0), np.arange(6.0) * 1e-140]), np.column_stack([np.arange(6.0) * 1e29, np.arange(6)]),
    np.nextafter(1.0, 2) ** np.arange(6)[:, None] * np.ones((1, 2)),
])  # fmt: skip
def test_one_useful_feature_gives_thresholds(X):
    y = np.array([0, 0, 1, 1, 0, 0])
    tree = grow_classes(X, y)
    assert all(len(split.features) == 1 for split in tree.splits if split)
    assert (tree.labels[naive.leaves(tree.routing(), X)] == y).all()


def test_neighbouring_floats_among_distant_ones_are_separated():
    near = 1.0 + np.arange(8) * 2.0**-52
    X = np.column_stack([np.r_[near, 1e29], np.r_[-near[::-1], -1e29]])
    y = np.arange(9) % 2
    tree = grow_classes(X, y)
    assert (tree.labels[naive.leaves(tree.routing(), X)] == y).all()


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_depth_is_kept(rng, depth):
    X, y = rng.standard_normal((120, 3)), rng.integers(0, 3, 120)
    assert grow_classes(X, y, depth).depth.max() == depth


def test_the_kind_of_number_does_not_matter(rng):
    X = rng.integers(0, 30, (200, 4))
    y = (X[:, 0] + X[:, 1] > 30).astype(int) + (X[:, 2] > X[:, 3])
    target = GreedyTarget(Classification(3), y, np.ones(200))
    trees = [
        grow(np.ascontiguousarray(X.T, dtype), np.arange(4), target, None, 60, serial)
        for dtype in (np.uint8, np.float32, np.float64)
    ]
    for other in trees[1:]:
        assert other.left == trees[0].left
        assert other.predictions == trees[0].predictions
        for a, b in zip(trees[0].splits, other.splits, strict=True):
            assert (a is None) == (b is None)
            assert a is None or (a.bias == b.bias and np.array_equal(a.weights, b.weights))


def test_threads_and_scales_do_not_change_the_tree(rng, monkeypatch):
    X, y = rng.standard_normal((300, 6)), rng.integers(0, 4, 300)
    first = grow_classes(X, y, 5, n_jobs=1)
    monkeypatch.setattr(bivariate_cart, "LARGE", 100)
    second = grow_classes(X, y, 5, n_jobs=3)
    for a, b in zip(arrays(first), arrays(second), strict=True):
        assert np.array_equal(a, b)
    stretched = grow_classes(X * 2.0 ** np.arange(-3, 3), y, 5, n_jobs=1)
    assert np.array_equal(stretched.routing().features, first.routing().features)
    assert np.array_equal(stretched.labels, first.labels)


@pytest.mark.parametrize("name", ["iris", "wine", "breast-cancer", "digits"])
def test_trees_are_smaller_than_those_of_thresholds(name):
    data = sample_data.load(name)
    codes = np.unique(data.y, return_inverse=True)[1]
    training = TrainingData(data.X, codes, codes.max() + 1)
    lines, thresholds = (
        initial_tree(init, training, None, np.random.RandomState(0)) for init in ("bivariate_cart", "cart")
    )
    assert lines.n_leaves < thresholds.n_leaves


def test_unsupported_requests_are_refused(rng):
    X, y = rng.standard_normal((20, 3)), np.arange(20) % 2
    with refused(ParameterError, "init='bivariate_cart' needs nodes with two features"):
        TAOClassifier(split="univariate", init="bivariate_cart").fit(X, y)
    model = TAOClassifier(lam=0.1, init="bivariate_cart", random_state=0)
    sparse, dense = (model.fit(rows, y).tree_.to_json() for rows in (scipy.sparse.csr_matrix(X), X))
    assert sparse == dense
    data = TrainingData(X, y, 2)
    data.columns.values[0, 3] = np.nan
    with refused(DataError, "init='bivariate_cart' does not support NaN in X"):
        bivariate_cart_tree(data, None, None)


@pytest.mark.parametrize("split", ["bivariate", "oblique"])
def test_tao_starts_from_it(split):
    data = sample_data.load("breast-cancer")
    model = TAOClassifier(split=split, init="bivariate_cart", lam=1.0, random_state=0).fit(data.X, data.y)
    assert model.score(data.X, data.y) > 0.95
    if split == "bivariate":
        objectives = [model.initial_.objective, *(record.objective for record in model.trace_)]
        assert all(after <= before + 1e-9 for before, after in zip(objectives, objectives[1:], strict=False))


def test_orientations_and_threads_reach_the_search(rng, monkeypatch):
    asked = []
    monkeypatch.setitem(
        INITIAL_TREES,
        "bivariate_cart",
        INITIAL_TREES["bivariate_cart"]._replace(
            make=lambda *given, **named: asked.append(named) or bivariate_cart_tree(*given, **named)
        ),
    )
    X, y = rng.standard_normal((40, 3)), np.arange(40) % 2
    TAOClassifier(split="bivariate", init="bivariate_cart", n_orientations=7, n_jobs=1, max_iter=0).fit(X, y)
    assert asked == [{"n_orientations": 7, "n_jobs": 1}]


def test_warm_up_compiles_every_kernel():
    warm_up.warm_up()
    for name, kernel in vars(impurity_kernels).items():
        if hasattr(kernel, "signatures") and not name.startswith("_"):  # the other functions are compiled into these
            assert len(kernel.signatures) >= (3 if name == "gather" else 1), name
    for module in (
        row_kernels,
        value_kernels,
        line_kernels,
        oblique_kernels,
        histogram_search,
        histogram_cart,
        side_kernels,
    ):
        for name, kernel in vars(module).items():
            is_own = getattr(kernel, "__module__", "") == module.__name__
            if hasattr(kernel, "signatures") and is_own and not name.startswith("_"):
                assert kernel.signatures, name
    assert len(line_kernels.add_projections.signatures) >= 4  # float32 and float64 values, without and with weights
    assert len(oblique_kernels.add_derivatives.signatures) >= 4
