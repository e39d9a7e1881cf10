"""Test steps of two levels (`block=2`) and several starts (`n_init`) against brute force and recomputation."""

import itertools

import numpy as np
import pytest

from tests.refusals import refused
from treecore import TAOClassifier, TAOClassifierCV, TAORegressor, regularization_path
from treecore.data.costs import CostLoss
from treecore.data.losses import SquaredLoss, ZeroOneLoss
from treecore.errors import ParameterError
from treecore.node_solvers.block_kernels import FIXED, LEAF, SPLIT, best_block, encode

ALREADY_OPTIMAL = {("univariate", "classes"), ("bivariate", "missing")}
TREE = {"split": "univariate", "init": "cart", "random_state": 0, "n_jobs": 1}


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


def leaf_loss(targets, weights, loss):
    if targets.size == 0:
        return 0.0
    if isinstance(loss, SquaredLoss):
        return float((weights * (targets - np.average(targets, weights=weights)) ** 2).sum())
    if isinstance(loss, CostLoss):
        return float(min((weights * loss.costs[targets, j]).sum() for j in range(loss.n_classes)))
    return float(weights.sum() - np.bincount(targets, weights).max())


def halves(codes, points, groups=()):
    """Yield (column, points below, points above) for each threshold, and the same points the other way round.

    groups : columns of categories, of which every group is tried.
    """
    for j, column in enumerate(codes):
        known = np.unique(column)
        for inside in subsets(known) if j in groups else (known[known < cut] for cut in known[1:]):
            is_below = np.isin(column[points], inside)
            yield j, points[is_below], points[~is_below]
            yield j, points[~is_below], points[is_below]


def subsets(known):
    """Return the subsets of some codes, except the whole."""
    return [list(some) for size in range(len(known)) for some in itertools.combinations(known.tolist(), size)]


def steps(known):
    """Return the subsets as a sequence of codes that are added or removed."""
    found, inside = [], set()
    for some in subsets(known):
        found += [-code - 1 for code in inside - set(some)] + [code + 1 for code in set(some) - inside]
        inside = set(some)
    return found


def slow_child(side, points, codes, penalties, targets, weights, losses, groups, kind, are_leaves, loss):
    """Return the smallest loss with penalty of a child by trying every threshold and every group."""

    def below(place, those):
        if are_leaves[place]:
            return leaf_loss(targets[those], weights[those], loss)
        return losses[side, place, those].sum()

    if kind == FIXED:
        return losses[side, 0, points].sum()
    if kind == LEAF:
        return leaf_loss(targets[points], weights[points], loss)
    found = [below(0, points), below(1, points)]
    found += [penalties[j] + below(0, left) + below(1, right) for j, left, right in halves(codes, points, groups)]
    return min(found)


@pytest.mark.parametrize("kind", ["classes", "costs", "numbers"])
def test_a_block_is_the_best_of_all_pairs_of_splits(rng, kind):
    for _ in range(60):
        d, m, k = rng.integers(1, 4), rng.integers(2, 14), int(rng.integers(2, 4))
        X = rng.integers(0, rng.integers(2, 6), (d, m)).astype(float)
        codes = np.zeros((d, m), np.uint8)
        n_codes = np.array([encode(X[j], 256, codes[j]) for j in range(d)])
        targets = rng.normal(size=m) if kind == "numbers" else rng.integers(0, k, m)
        costs = rng.integers(0, 4, (k, k)) * (1.0 - np.eye(k))
        loss = {"classes": ZeroOneLoss(k), "costs": CostLoss(costs), "numbers": SquaredLoss()}[kind]
        weights = rng.integers(1, 4, m).astype(float)
        kinds, are_leaves = rng.integers(0, 3, 2), rng.integers(0, 2, (2, 2)).astype(bool)
        losses = weights * rng.integers(0, 2, (2, 2, m))
        losses[(kinds == SPLIT)[:, None] & are_leaves] = 0
        losses[kinds == LEAF] = 0
        losses[kinds == FIXED, 1] = 0
        penalties = rng.choice([0, 0.5, 1.3, 4], d)
        groups = np.flatnonzero((rng.random(d) < 0.5) & (n_codes > 1)).tolist()
        sequences = np.zeros((d, 200), np.int64)
        for j in groups:
            sequences[j, : len(steps(np.arange(n_codes[j])))] = steps(np.arange(n_codes[j]))
        contributions, form = loss.leaf_sums(targets, weights)
        found = best_block(
            codes, n_codes, sequences, penalties, contributions, weights, losses, kinds, are_leaves, form, 1e9
        )
        given = codes, penalties, targets, weights, losses, groups

        def child(side, points, kinds=kinds, are_leaves=are_leaves, given=given, loss=loss):
            return slow_child(side, points, *given, kinds[side], are_leaves[side], loss)

        everything = np.arange(m)
        slow = [child(0, everything), child(1, everything)]
        pairs = halves(codes, everything, groups)
        slow += [penalties[j] + child(0, left) + child(1, right) for j, left, right in pairs]
        assert found[0] == pytest.approx(min(slow), abs=1e-9)


def best_of_depth_two(X, y, lam, groups=()):
    """Return the smallest number of errors plus lam per split of all univariate trees of depth 2.

    groups : as in `halves`.
    """

    def errors(points):
        return points.size - np.bincount(y[points]).max() if points.size else 0

    def best(points, depth):
        alone = errors(points)
        if depth == 0 or alone == 0:
            return alone
        pairs = (pair[1:] for pair in itertools.islice(halves(X.T, points, groups), 0, None, 2))
        return min([alone, *(lam + best(left, depth - 1) + best(right, depth - 1) for left, right in pairs)])

    return best(np.arange(len(y)), 2)


@pytest.mark.parametrize("lam", [0.0, 1.0, 3.0])
def test_trees_of_depth_two_are_optimal(rng, lam):
    for _ in range(10):
        X = rng.integers(0, 7, (40, 3)).astype(float)
        y = ((X[:, 0] > 3) ^ (X[:, 1] > 2) ^ (rng.random(40) < 0.2)).astype(int)
        model = TAOClassifier(**TREE, max_depth=2, lam=lam, block=2).fit(X, y)
        assert recomputed(model, X, y) == pytest.approx(best_of_depth_two(X, y, lam))


def with_categories(rng, n, n_values, is_missing=0.0):
    """Return (X, columns, codes): two columns of categories as 0/1 features, and a number."""
    codes = rng.integers(0, n_values, (2, n))
    features = [np.where(column[:, None] == np.arange(n_values), 1.0, 0.0) for column in codes]
    for column in features:
        column[rng.random(n) < is_missing] = np.nan
    number = rng.integers(0, 5, n).astype(float)
    columns = [list(range(n_values)), list(range(n_values, 2 * n_values))]
    return np.column_stack([*features, number]), columns, np.array([*codes, number]).T


@pytest.mark.parametrize("lam", [0.0, 1.0, 3.0])
def test_trees_of_depth_two_on_groups_are_optimal(rng, lam):
    for _ in range(6):
        X, columns, codes = with_categories(rng, 40, 5)
        y = (np.isin(codes[:, 0], [1, 3]) ^ np.isin(codes[:, 1], [0, 3, 4]) ^ (rng.random(40) < 0.2)).astype(int)
        model = TAOClassifier(**TREE, max_depth=2, lam=lam, block=2, categories=columns).fit(X, y)
        found = np.count_nonzero(model.predict(X) != y) + lam * model.tree_.n_decision
        assert found == pytest.approx(best_of_depth_two(codes, y, lam, groups=(0, 1)))


@pytest.mark.parametrize("kind", ["two classes", "four classes", "numbers", "missing"])
@pytest.mark.parametrize("split", ["univariate", "bivariate"])
def test_groups_are_never_worse_than_by_single_nodes(rng, kind, split):
    n_better = 0
    for _ in range(4):
        X, columns, codes = with_categories(rng, 400, 12, 0.1 * (kind == "missing"))
        signal = 1.0 * np.isin(codes[:, 0], rng.permutation(12)[:6]) - np.isin(codes[:, 1], rng.permutation(12)[:6])
        signal = np.abs(signal) + codes[:, 2] / 4 + 0.3 * rng.standard_normal(400)
        y = signal if kind == "numbers" else np.digitize(signal, [0.8, 1.2, 1.6] if kind == "four classes" else [1.2])
        estimator = (TAORegressor if kind == "numbers" else TAOClassifier)(**TREE | {"split": split, "lam": 2.0})
        estimator.set_params(missing="learn" if kind == "missing" else "error", max_depth=3, categories=columns)
        before = estimator.fit(X, y).trace_[-1].objective
        model = estimator.set_params(block=2).fit(X, y)
        objectives = [model.initial_.objective, *(record.objective for record in model.trace_)]
        assert all(after <= ahead + 1e-9 * abs(ahead) for ahead, after in itertools.pairwise(objectives))
        assert objectives[-1] <= before
        losses = (model.predict(X) - y) ** 2 if kind == "numbers" else model.predict(X) != y
        penalty = [model.bivariate_cost if n > 1 else n for n in model.tree_.columns_per_split(columns)]
        assert objectives[-1] == pytest.approx(losses.sum() + 2.0 * sum(penalty))
        n_better += objectives[-1] < before
    assert n_better > 1


@pytest.mark.parametrize("split", ["univariate", "bivariate"])
@pytest.mark.parametrize("kind", ["classes", "weighted", "numbers", "missing"])
def test_the_objective_is_never_larger_than_that_of_single_nodes(rng, split, kind):
    X, signal = noisy(rng)
    y, weights = (signal > 0).astype(int), None
    if kind == "weighted":
        weights = rng.uniform(0.5, 2.0, len(y))
    if kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    estimator = (TAORegressor if kind == "numbers" else TAOClassifier)(**TREE | {"split": split, "lam": 1.5})
    y = signal if kind == "numbers" else y
    estimator.set_params(missing="learn" if kind == "missing" else "error", max_depth=4)
    before = estimator.fit(X, y, weights).trace_[-1].objective
    model = estimator.set_params(block=2).fit(X, y, weights)
    objectives = [model.initial_.objective, *(record.objective for record in model.trace_)]
    assert all(after <= ahead + 1e-9 * abs(ahead) for ahead, after in itertools.pairwise(objectives))
    assert objectives[-1] <= before
    assert objectives[-1] < before or (split, kind) in ALREADY_OPTIMAL
    assert objectives[-1] == pytest.approx(recomputed(model, X, y, 1.0 if weights is None else weights))
    assert model.get_depth() <= 4
    assert len(set(model.tree_.origin.tolist())) == model.tree_.n_nodes
    assert model.fit(X, y, weights).tree_ == model.tree_


def test_frozen_nodes_and_the_smallest_leaf_are_kept(rng):
    X, signal = noisy(rng)
    y = (signal > 0).astype(int)
    grown = TAOClassifier(**TREE, lam=0.5, max_depth=4).fit(X, y).tree_
    frozen = [int(grown.origin[0]), int(grown.origin[np.flatnonzero(grown.left < 0)[0]])]
    model = TAOClassifier(**TREE | {"init": grown}, frozen=frozen, lam=0.5, block=2).fit(X, y)
    assert set(frozen) <= set(model.tree_.origin.tolist())
    assert model.tree_.split(0)[2] == grown.split(0)[2]
    kept = model.tree_.origin.tolist().index(frozen[1])
    assert model.tree_.left[kept] < 0
    model = TAOClassifier(**TREE, lam=0.5, max_depth=4, block=2, min_samples_leaf=25).fit(X, y)
    assert model.tree_.n_samples[model.tree_.left < 0].min() >= 25


@pytest.mark.parametrize("X", [np.arange(40.0)[:, None], np.ones((40, 3)), np.arange(80.0).reshape(40, 2) // 8])
def test_degenerate_data_train(X):
    y = np.arange(40) // 5 % 2
    for given in ({}, {"max_depth": 1}, {"max_iter": 0}):
        model = TAOClassifier(**TREE, block=2, n_init=3, **given).fit(X, y)
        assert np.isfinite(model.starts_).all()
    assert TAOClassifier(**TREE, block=2).fit(X, np.zeros(40)).get_n_leaves() == 1


def test_features_are_screened_in_large_blocks(rng, monkeypatch):
    X = rng.normal(size=(300, 12))
    y = ((X[:, 10] > 0) ^ (X[:, 11] > 0.2)).astype(int)
    from treecore.training import two_levels

    exact = TAOClassifier(**TREE, max_depth=2, lam=1, block=2).fit(X, y).trace_[-1].objective
    monkeypatch.setattr(two_levels, "STEPS", 9 * (300 + 64**2))
    few = TAOClassifier(**TREE, max_depth=2, lam=1, block=2).fit(X, y).trace_[-1].objective
    one = TAOClassifier(**TREE, max_depth=2, lam=1).fit(X, y).trace_[-1].objective
    assert exact <= few <= one


def test_the_best_start_is_kept(rng):
    X, signal = noisy(rng)
    y = (signal > 0).astype(int)
    for given in ({"split": "univariate", "lam": 3.0}, {"split": "oblique", "init": "random", "lam": 1.0}):
        model = TAOClassifier(**TREE | given, max_depth=3, n_init=6).fit(X, y)
        assert 5 <= model.starts_.size <= 6
        one = TAOClassifier(**TREE | given, max_depth=3).fit(X, y)
        assert model.starts_[0] == one.starts_[0] == pytest.approx(min(record.objective for record in one.trace_))
        assert min(record.objective for record in model.trace_) == pytest.approx(model.starts_.min())
        assert model.fit(X, y).tree_ == model.tree_
    agreeing = TAOClassifier(**TREE, max_depth=3, lam=1000.0, n_init=50).fit(X, y)
    assert agreeing.starts_.size == 5


def test_paths_and_cross_validation_use_starts_and_blocks(rng):
    X, signal = noisy(rng, 150)
    y = (signal > 0).astype(int)
    estimator = TAOClassifier(**TREE, max_depth=3)
    plain = regularization_path(estimator, X, y, [0.5, 2.0, 8.0])
    path = regularization_path(estimator.set_params(block=2, n_init=4), X, y, [0.5, 2.0, 8.0])
    objectives = [[point.lam * point.n_decision + point.train_error * 150 for point in one] for one in (plain, path)]
    assert objectives[1][0] <= objectives[0][0]
    assert sum(objectives[1]) < sum(objectives[0])
    model = TAOClassifierCV(estimator, lams=[0.5, 2.0, 8.0], cv=3, random_state=0).fit(X, y)
    assert model.tree_.depth <= 3


def test_a_callback_stops_all_starts(rng):
    X, signal = noisy(rng)
    seen = []
    model = TAOClassifier(**TREE, n_init=5, block=2, callback=lambda step: seen.append(step) or True)
    model.fit(X, signal > 0)
    assert len(seen) == 1
    assert model.starts_.size == 1


def test_combinations_without_meaning_are_refused(rng):
    X, signal = noisy(rng)
    y = (signal > 0).astype(int)
    with refused(ParameterError, "block=2 has no effect with split=…. Use split=…, or block=1"):
        TAOClassifier(block=2).fit(X, y)
    with refused(ParameterError, "lams='critical' with block=2"):
        regularization_path(TAOClassifier(**TREE, block=2), X, y, "critical")
    grown = TAOClassifier(**TREE).fit(X, y).tree_
    with refused(ParameterError, "n_init=2 with frozen=[0]"):
        TAOClassifier(**TREE | {"init": grown}, n_init=2, frozen=[0]).fit(X, y)
    for given in ({"block": 0}, {"block": 3}, {"n_init": 0}, {"n_init": 1.5}, {"block": 2, "leaf": "linear"}):
        with pytest.raises(ParameterError, match=next(iter(given))):
            TAOClassifier(**TREE, **given).fit(X, y)
