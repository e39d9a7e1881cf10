"""Test that each size has a tree, which is not worse than CART, a smaller tree and those of the lambda path."""

import itertools

import numpy as np
import pandas
import pytest
import scipy.sparse
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.budget import NIGHTLY
from treecore import (
    ParameterError,
    TAOClassifier,
    TAOClassifierCV,
    TAORegressor,
    TAORegressorCV,
    regularization_path,
    size_path,
)
from treecore.training.cost_complexity import weakest_links
from treecore.training.training_run import TrainingRun
from treecore.tree.metrics import training_loss

SIZES = range(2, 13)
SPLITS = ("univariate", "bivariate", "oblique")


def problem(seed, n=150):
    """Return (X, y) with some noise: 2, 3 or 4 classes, or numbers if the seed is a multiple of 4."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(2)
    score = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=n)
    return X, score if seed % 4 == 0 else np.digitize(score, np.linspace(-1, 1, 1 + seed % 4))


def estimator(y, split="univariate", **parameters):
    kind = TAORegressor if np.issubdtype(np.asarray(y).dtype, np.floating) else TAOClassifier
    return kind(split, random_state=0, **parameters)


def loss(predicted, y):
    return ((predicted - y) ** 2).sum() if y.dtype.kind == "f" else (predicted != y).sum()


def cart_losses(X, y, sizes):
    """Return the training loss of scikit-learn's CART of each size by three rules, the smallest one of each size."""
    kind = DecisionTreeRegressor if y.dtype.kind == "f" else DecisionTreeClassifier
    found = {size: [loss(kind(random_state=0, max_leaf_nodes=size).fit(X, y).predict(X), y)] for size in sizes}
    grown = kind(random_state=0).fit(X, y)
    for alpha in grown.cost_complexity_pruning_path(X, y).ccp_alphas:
        model = kind(random_state=0, ccp_alpha=alpha).fit(X, y)
        for size in sizes:
            if model.get_n_leaves() <= size:
                found[size].append(loss(model.predict(X), y))
    tree = grown.tree_
    weights, values = tree.weighted_n_node_samples, tree.value[:, 0]
    shares = values / values.sum(axis=1, keepdims=True)
    risk = weights * (tree.impurity if y.dtype.kind == "f" else 1 - shares.max(axis=1))
    for subtree in weakest_links(tree.children_left, tree.children_right, risk):
        for size in sizes:
            if subtree.n_leaves <= size:
                found[size].append(subtree.risk)
    return {size: min(losses) for size, losses in found.items()}


def check(path, sizes, X, y):
    """Assert what holds for every path of sizes."""
    assert [point.size for point in path] == sorted(sizes)
    assert all(point.n_leaves <= point.size for point in path)
    losses = [training_loss(point.tree) for point in path]
    assert all(after <= before * (1 + 1e-8) + 1e-9 for before, after in itertools.pairwise(losses))
    return losses


@pytest.mark.nightly
@pytest.mark.parametrize("split", SPLITS)
def test_no_tree_is_worse_than_cart_or_the_lambda_path(split):
    for seed in range(40 if NIGHTLY else 4):
        X, y = problem(seed)
        base = estimator(y, split)
        losses = check(size_path(base, X, y, SIZES), SIZES, X, y)
        cart = cart_losses(X, y, SIZES)
        points = regularization_path(base, X, y, 30).points
        for size, found in zip(SIZES, losses, strict=True):
            others = [training_loss(point.tree) for point in points if point.n_leaves <= size]
            assert found <= min(others, default=np.inf) * (1 + 1e-8) + 1e-9, (seed, size)
            assert found <= cart[size] * (1 + 1e-8) + 1e-9, (seed, size)


def best_of_two_leaves(X, y):
    """Return the smallest training loss of a threshold, by trying all of them."""
    best = np.inf
    for column in X.T:
        for cut in np.unique(column)[1:]:
            sides = y[column < cut], y[column >= cut]
            if y.dtype.kind == "f":
                best = min(best, sum(((side - side.mean()) ** 2).sum() for side in sides))
            else:
                best = min(best, sum(side.size - np.bincount(side).max() for side in sides))
    return best


@pytest.mark.nightly
def test_two_leaves_are_nearly_always_the_best_threshold():
    found = []
    for seed in range(100 if NIGHTLY else 20):
        X, y = problem(seed, 60)
        best, mine = best_of_two_leaves(X, y), training_loss(size_path(estimator(y), X, y, [2])[0].tree)
        assert mine >= best - 1e-9
        found.append(mine <= best + 1e-9)
    assert np.mean(found) >= 0.9


def test_every_size_has_a_tree_of_its_own_where_the_data_have_one():
    X, y = problem(3, 600)
    for split in SPLITS:
        path = size_path(estimator(y, split), X, y, range(2, 25))
        assert [point.n_leaves for point in path] == [point.size for point in path]


@pytest.mark.parametrize("split", SPLITS)
def test_the_same_call_gives_the_same_trees(split):
    X, y = problem(2)
    first, again = (size_path(estimator(y, split, n_jobs=jobs), X, y, SIZES) for jobs in (1, 2))
    assert first.trees == again.trees


def test_a_search_that_is_stopped_has_a_tree_for_each_size_and_never_takes_one_back():
    X, y = problem(7)
    seen, losses = [], {}

    def on_point(point):
        seen.append(point)
        now = training_loss(point.tree)
        assert now <= losses.get(point.size, np.inf) * (1 + 1e-8)
        losses[point.size] = now

    whole = size_path(estimator(y, "oblique"), X, y, SIZES, on_point=on_point)
    assert {point.size for point in seen} == set(SIZES)
    assert whole.points == tuple(next(p for p in reversed(seen) if p.size == size) for size in SIZES)
    stopped = size_path(estimator(y, "oblique"), X, y, SIZES, on_point=lambda point: True)
    check(stopped, SIZES, X, y)
    by_callback = size_path(estimator(y, callback=lambda step: True), X, y, SIZES)
    check(by_callback, SIZES, X, y)


def test_the_recommended_tree_is_the_smallest_of_those_with_a_small_validation_error():
    X, y = problem(5, 400)
    path = size_path(estimator(y), X[::2], y[::2], SIZES, X_val=X[1::2], y_val=y[1::2])
    errors = np.array([point.validation_error for point in path])
    best = path.best("min")
    assert best.validation_error == errors.min()
    assert best.size == min(p.size for p in path if p.validation_error == errors.min())
    rule = path.best("one_se")
    assert rule.size <= best.size
    assert rule.validation_error <= errors.min() + np.sqrt(errors.min() * (1 - errors.min()) / 200) + 1e-12


def variants():
    X, y = problem(6)
    lost = X.copy()
    lost[::7, 0] = np.nan
    city = pandas.DataFrame({"city": np.array(list("abcdef"))[(X[:, 0] * 2).astype(int) % 6], "x": X[:, 1]})
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    two = (y > y.min()).astype(int)
    return {
        "missing": (lost, y, {"missing": "learn"}, {}),
        "categories": (city, y, {}, {}),
        "groups": (city, y, {"categories": "groups"}, {}),
        "weights": (X, y, {}, {"sample_weight": weights}),
        "class weights": (X, y, {"class_weight": "balanced"}, {}),
        "leaf size": (X, y, {"min_samples_leaf": 8}, {}),
        "depth": (X, y, {"max_depth": 3}, {}),
        "monotone": (X, two, {"monotonic_cst": [1, 0, 0]}, {}),
        "interactions": (X, y, {"interaction_cst": [[0], [1, 2]]}, {}),
        "block": (X, y, {"block": 2}, {}),
        "costs": (X, y, {"feature_costs": [1.0, 2.0, 5.0]}, {}),
        "sparse": (scipy.sparse.csr_matrix(np.where(np.abs(X) < 0.5, 0, X)), y, {"split": "oblique"}, {}),
        "bytes": ((X * 40 + 128).astype(np.uint8), y, {}, {}),
    }


def features_above(tree, node):
    """Return the features of the splits above a node."""
    found = set()
    while (node := tree.parents[node]) >= 0:
        found |= set(tree.split(node)[0].tolist())
    return found


@pytest.mark.parametrize("name", variants())
def test_options_act_on_every_tree(name):
    X, y, parameters, more = variants()[name]
    path = size_path(estimator(y, **parameters), X, y, range(2, 9), **more)
    check(path, range(2, 9), X, y)
    for tree in path.trees:
        if name == "leaf size":
            assert tree.n_samples[tree.left < 0].min() >= 8
        if name == "depth":
            assert tree.depths.max() <= 3
        if name == "monotone":
            for at in (-1.0, 0.0, 1.0):
                grid = np.column_stack([np.linspace(-3, 3, 50), np.full((50, 2), at)])
                assert (np.diff(tree.predict(grid)) >= 0).all()
        if name == "interactions":
            for leaf in np.flatnonzero(tree.left < 0):
                assert features_above(tree, leaf) in ({0}, {1}, {2}, {1, 2}, set())


def test_equal_rows_and_weights_give_the_same_losses():
    X, y = problem(9, 80)
    twice = size_path(estimator(y), np.repeat(X, 2, axis=0), np.repeat(y, 2), SIZES)
    weighted = size_path(estimator(y), X, y, SIZES, sample_weight=np.full(len(y), 2.0))
    assert [training_loss(tree) for tree in twice.trees] == [training_loss(tree) for tree in weighted.trees]


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ("8", "different whole numbers"),
        (8, "different whole numbers"),
        ([], "different whole numbers"),
        ([2, 3.5], "different whole numbers"),
        (["2"], "different whole numbers"),
        ([True], "different whole numbers"),
        ([0, 2], "sizes=0"),
        ([4, 2, 4], "contains 4 twice"),
    ],
)
def test_sizes_that_are_none_are_refused(sizes, words):
    X, y = problem(1)
    with pytest.raises(ParameterError, match=words):
        size_path(estimator(y), X, y, sizes)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"max_leaf_nodes": 4}, "max_leaf_nodes=4"),
        ({"refine": 2}, "refine"),
        ({"leaf": "linear"}, "size_path"),
        ({"frozen": (0,)}, "frozen"),
    ],
)
def test_options_without_effect_are_refused(parameters, words):
    X, y = problem(1)
    with pytest.raises(ParameterError, match=words):
        size_path(estimator(y, **parameters), X, y, range(2, 9))
    with pytest.raises(ParameterError, match="lam"):
        size_path(estimator(y), X, y, lam=-1.0)


def test_data_with_few_different_rows_or_one_class_have_small_trees():
    X = np.repeat([[0.0, 1.0], [1.0, 0.0], [2.0, 3.0]], 10, axis=0)
    y = np.repeat([0, 1, 0], 10)
    path = size_path(estimator(y), X, y, [1, 2, 5, 40])
    assert [point.n_leaves for point in path] == [1, 2, 2, 2]
    alone = size_path(estimator(y), X, np.zeros(30, int), [2, 3])
    assert [point.n_leaves for point in alone] == [1, 1]


@pytest.mark.parametrize("rule", ["min", "one_se"])
def test_cross_validation_selects_a_size(rule):
    X, y = problem(7, 300)
    model = TAOClassifierCV(estimator(y), sizes=[2, 4, 8, 16], cv=3, rule=rule, random_state=0).fit(X, y)
    results = model.cv_results_
    assert results["size"].tolist() == [2, 4, 8, 16]
    assert results["mean_error"].shape == results["standard_error"].shape == (4,)
    errors = [results[f"split{fold}_error"] for fold in range(3)]
    assert results["mean_error"] == pytest.approx(np.mean(errors, axis=0))
    best = int(np.argmin(results["mean_error"].round(9)))
    limit = results["mean_error"][best] + (rule == "one_se") * results["standard_error"][best] + 1e-9
    wanted = int(np.flatnonzero(results["mean_error"] <= limit)[0])
    assert model.best_params_["size"] == results["size"][wanted]
    assert model.tree_ is model.path_[model.best_index_].tree
    assert model.path_[model.best_index_].size == model.best_params_["size"]
    with pytest.raises(ParameterError, match="no effect with sizes"):
        TAOClassifierCV(estimator(y), sizes=[2, 4], lams=[1.0]).fit(X, y)
    numbers = TAORegressorCV(TAORegressor("univariate"), sizes=[2, 4], cv=2, random_state=0).fit(X, X[:, 0])
    assert numbers.best_params_["size"] == 4


@pytest.mark.parametrize("kind", [TAOClassifier, TAORegressor])
@pytest.mark.parametrize("share", [0.0, 1e-3, 1e-1])
def test_passes_that_keep_better_splits_never_increase_the_loss(rng, kind, share):
    """TAO with a surrogate alone can, as these problems show."""
    rises = 0
    for _ in range(6):
        X = rng.standard_normal((150, 4))
        y = X[:, 0] * X[:, 1] + 0.3 * rng.standard_normal(150)
        run = TrainingRun(
            kind(split="oblique", init="oblique_cart", max_depth=3), X, y if kind is TAORegressor else y > 0
        )
        lam = share * 150 * run.data.task.unit(run.data.y, run.data.weights)
        run.optimise(lam, max_iter=3)
        rises += any(np.diff([record.loss for record in run.trace]) > 0)
        before, first = training_loss(run.tree()), len(run.trace)
        run.polish(lam)
        losses = [before, *(record.loss for record in run.trace[first:])]
        assert (np.diff(losses) <= 1e-9 * before).all()
        assert training_loss(run.tree()) == pytest.approx(losses[-1])
    assert rises or share < 1e-1


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.zeros((20, 2)), np.arange(20) % 2),
        (np.zeros((20, 2)), np.arange(20.0)),
        (np.arange(40.0).reshape(20, 2), np.zeros(20, int)),
    ],
    ids=["equal-rows", "equal-rows-numbers", "one-class"],
)
def test_rows_that_no_split_separates_have_a_single_leaf_for_every_size(split, X, y):
    path = size_path(estimator(y, split, init="cart"), X, y, sizes=[1, 2, 9])
    assert [point.tree.n_leaves for point in path] == [1, 1, 1]


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("y", [[0], [0, 1, 1, 0], [*range(7)] * 2, [0] * 12 + [1]])
def test_few_rows_and_rare_classes_have_trees(split, y):
    X = np.arange(2.0 * len(y)).reshape(-1, 2) % 5
    path = size_path(TAOClassifier(split, init="cart"), X, y, sizes=[2, 3])
    assert [point.size for point in path] == [2, 3]
