"""Ranked splits of a node: equal to a search by brute force, distinct, within the constraints."""

import itertools

import numpy as np
import pytest

import tests.naive as naive
from tests.each import each
from treecore import CARTClassifier, CARTRegressor, TAOClassifier, TAORegressor, candidate_splits
from treecore.errors import DataError, ParameterError
from treecore.training.candidate_splits import NodeSearch
from treecore.tree.nodes import node_paths

LAM = 0.5


def rows(seed, n=30, d=3, n_classes=3, is_missing=False):
    """Return random (X, y, weights). The values are whole numbers, so that many are equal."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, (n, d)).astype(float)
    if is_missing:
        X[rng.random(X.shape) < 0.15] = np.nan
    y = np.where(rng.random(n) < 0.7, (np.nan_to_num(X[:, 0]) + X[:, -1] > 7) + 0, rng.integers(0, n_classes, n))
    y[:n_classes] = np.arange(n_classes)
    return X, y, rng.integers(1, 4, n).astype(float)


def estimator(is_regression=False, **parameters):
    kind = TAORegressor if is_regression else TAOClassifier
    return kind(**{"lam": LAM, "split": "univariate", "init": "random", "random_state": 0} | parameters)


def losses_at(tree, node, X, y, weights, costs):
    """Return a function of bool[k], the rows of a node that go right, that returns their loss. Also return the rows."""
    own = np.flatnonzero(node_paths(tree)[:, node].toarray().ravel()[naive.leaves(tree, X)])
    y, weights = y[own], weights[own]
    if tree.classes.size:
        labels = np.searchsorted(tree.classes, y)
        table = costs[labels] * weights[:, None]  # loss of each row for each prediction
    if tree.is_leaf(node):

        def loss(right):
            total = 0.0
            for side in (right, ~right):
                if tree.classes.size:
                    total += min(table[side].sum(axis=0)) if side.any() else 0.0
                elif side.any():
                    total += weights[side] @ (y[side] - np.average(y[side], weights=weights[side])) ** 2
            return total

        return loss, own
    ends = [naive.leaves(tree, X[own], child) for child in (tree.left[node], tree.right[node])]
    if tree.classes.size:
        each_side = [table[np.arange(own.size), tree.labels[end]] for end in ends]
    else:
        each_side = [weights * (y - tree.values[end, 1]) ** 2 for end in ends]
    return lambda right: np.where(right, each_side[1], each_side[0]).sum(), own


def present_loss(tree, node, loss, X, own, table=None):
    """Return the loss of the rows of a node at present. table : loss of each row for each class, in a leaf."""
    if tree.is_leaf(node):
        return loss(np.zeros(own.size, bool)) if table is None else table[:, tree.labels[node]].sum()
    return loss(np.array([naive.path(tree, X[row], node)[1] == tree.right[node] for row in own]))


def best_change(tree, node, X, y, weights, costs, lam):
    """Return the smallest change of the objective over all thresholds, by trying all of them."""
    loss, own = losses_at(tree, node, X, y, weights, costs)
    table = costs[np.searchsorted(tree.classes, y[own])] * weights[own, None] if tree.classes.size else None
    present = present_loss(tree, node, loss, X, own, table)
    best = np.inf
    for column in X[own].T:
        known = np.unique(column[~np.isnan(column)])
        for least in known:
            for right in (column >= least, column < least):
                sides = (right, right | np.isnan(column)) if np.isnan(column).any() else (right,)
                for side in sides:
                    if 0 < side.sum() < side.size:
                        best = min(best, loss(side))
    return best - present + lam * (1 if tree.is_leaf(node) else 0)


def search_of(seed, **parameters):
    """Return (NodeSearch, X, y, weights, costs) for a random tree."""
    kind, is_missing = seed % 5, seed % 3 == 0
    X, y, weights = rows(seed, is_missing=is_missing)
    costs = 1.0 - np.eye(3)
    if kind == 4:
        costs = np.random.default_rng(seed).integers(1, 5, (3, 3)) * costs
        parameters["cost_matrix"] = costs
    is_regression = kind == 3
    if is_regression:
        y = y + np.random.default_rng(seed).normal(size=y.size)
    model = (TAORegressor if is_regression else TAOClassifier)(
        lam=0.01, split="univariate", init="cart", max_depth=3, missing="learn", random_state=0
    )
    tree = model.fit(X, y, weights).tree_
    found = NodeSearch(tree, X, y, estimator(is_regression, missing="learn", **parameters), weights)
    return found, X, y, weights, costs


def test_the_first_threshold_equals_brute_force():
    """500 nodes with classes, numbers, weights, costs and missing values."""
    checked, faults = 0, []
    for seed in itertools.count():
        search, *data = search_of(seed)
        for node in range(search.tree.n_nodes):
            found = search.candidates(node, ("univariate",), 20)
            best = best_change(search.tree, node, *data, LAM)
            if not found:
                own = losses_at(search.tree, node, *data)[1]
                if len(np.unique(data[1][own])) > 1 and np.isfinite(best):
                    faults.append((seed, node, "none"))
                continue
            checked += 1
            if not np.isclose(found[0].change, best, atol=1e-9):
                faults.append((seed, node, found[0].change, best))
            if [one.change for one in found] != sorted(one.change for one in found):
                faults.append((seed, node, "order"))
        if checked >= 500:
            break
    assert faults == []


def test_the_first_line_equals_brute_force():
    checked, faults = 0, []
    for seed in itertools.count():
        X, y, weights = rows(seed, 18, 3, 2)
        X = X + np.random.default_rng(seed).normal(size=X.shape)
        tree = CARTClassifier(max_depth=2, random_state=0).fit(X, y).tree_
        search = NodeSearch(tree, X, y, estimator(split="bivariate"), weights)
        for node in np.flatnonzero(tree.left >= 0):
            loss, own = losses_at(tree, node, X, y, weights, 1.0 - np.eye(2))
            sides = loss(np.ones(own.size, bool)), loss(np.zeros(own.size, bool))
            found = search.candidates(node, ("bivariate",), 5)
            gains = np.array([loss(np.arange(own.size) != row) for row in range(own.size)]) - sides[0]
            signs, sizes = np.sign(gains), np.abs(gains)
            least = min(naive.best_line(X[own, j], X[own, k], signs, sizes) for j, k in ((0, 1), (0, 2), (1, 2)))
            base = sides[0] + gains[gains < 0].sum()  # the loss if each row is on its better side
            expected = base + least - present_loss(tree, node, loss, X, own) + LAM * 0.25
            checked += 1
            if not found or not np.isclose(found[0].change, expected, atol=1e-9):
                # the best line may be a threshold or a constant, which is not in this list
                if found and found[0].change > expected and np.isclose(least, _simple(X[own], gains)).any():
                    continue
                faults.append((seed, node, found and found[0].change, expected))
        if checked >= 50:
            break
    assert faults == []


def _simple(X, gains):
    """Return the losses of both constants and of all thresholds."""
    signs, sizes = np.sign(gains), np.abs(gains)
    found = [sizes[signs < 0].sum(), sizes[signs > 0].sum()]
    for column in X.T:
        for least in column:
            for right in (column >= least, column < least):
                found.append(sizes[right & (signs < 0)].sum() + sizes[~right & (signs > 0)].sum())
    return found


def objective(tree, X, y, weights, costs, lam):
    """Return the objective of a tree with thresholds."""
    ends = naive.leaves(tree, X)
    if tree.classes.size:
        loss = (weights * costs[np.searchsorted(tree.classes, y), tree.labels[ends]]).sum()
    else:
        loss = (weights * (y - tree.values[ends, 1]) ** 2).sum()
    return loss + lam * np.count_nonzero(np.diff(tree.indptr))


@each("seed", range(15))
def test_the_change_is_that_of_the_tree(seed):
    search, *data = search_of(seed)
    before = objective(search.tree, *data, LAM)
    for node in range(search.tree.n_nodes):
        for one in search.candidates(node, ("univariate",), 3):
            assert np.isclose(objective(one.tree, *data, LAM) - before, one.change)
            assert np.isclose(objective(one.after, *data, LAM) - before, one.change_after)
            assert one.change_after <= one.change + 1e-9
            assert one.loss_change == pytest.approx(one.change - LAM * search.tree.is_leaf(node))
            child = one.tree.left[node], one.tree.right[node]
            assert (one.n_left, one.n_right) == tuple(one.tree.n_samples[list(child)])


def test_each_feature_and_pair_is_listed_once():
    X, y, _ = rows(1, 200, 6)
    X = X + np.random.default_rng(0).normal(size=X.shape)
    tree = CARTClassifier(max_depth=3, random_state=0).fit(X, y).tree_
    found = candidate_splits(tree, 0, X, y, n=12, estimator=estimator())
    kinds = [one.kind for one in found]
    assert len(found) == 12
    assert all(kinds.count(kind) >= 4 for kind in ("univariate", "bivariate"))
    assert len({one.features for one in found}) == 12
    oblique = [len(one.features) for one in found if one.kind == "oblique"]
    assert oblique
    assert len(set(oblique)) == len(oblique)


def test_agreement_is_the_measure_of_association_of_surrogates():
    X = np.array([[0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]], float)
    y = np.array([0, 0, 1, 1, 1, 1])
    tree = CARTClassifier(random_state=0).fit(X, y).tree_
    found = {one.features[0]: one for one in candidate_splits(tree, 0, X, y, kinds="univariate", estimator=estimator())}
    # two rows are on the smaller side; the second feature, with exchanged sides, separates two rows in another way
    assert (found[0].agreement, found[1].agreement, found[2].agreement) == (1.0, 0.0, 0.0)
    assert found[0].change == 0


def test_validation_rows_give_an_error_with_an_interval():
    X, y, _ = rows(2, 120)
    tree = CARTClassifier(max_depth=2, random_state=0).fit(X[::2], y[::2]).tree_
    one = candidate_splits(
        tree, 0, X[::2], y[::2], kinds="univariate", n=1, X_val=X[1::2], y_val=y[1::2], estimator=estimator()
    )[0]
    wrong = np.mean(one.after.predict(X[1::2]) != y[1::2])
    assert one.validation_error == pytest.approx(wrong)
    low, high = one.validation_interval
    assert high - wrong == pytest.approx(1.96 * np.sqrt(wrong * (1 - wrong) / 60))
    assert candidate_splits(tree, 0, X, y, kinds="univariate", n=1)[0].validation_interval is None


def test_constraints_are_kept():
    X, y, _ = rows(3, 150, 4, 2)
    for parameters in (
        {"monotonic_cst": [1, -1, 0, 0]},
        {"interaction_cst": [[0, 1], [2, 3]]},
        {"min_samples_leaf": 12},
        {"max_leaf_nodes": 5},
    ):
        model = estimator(**parameters, max_depth=2).set_params(init="cart", lam=0.1)
        tree = model.fit(X, y).tree_
        search = NodeSearch(tree, X, y, model)
        for node in range(tree.n_nodes):
            for one in search.candidates(node, ("univariate", "bivariate"), 6):
                assert search.run.constraints.holds(search.working_of(one.tree))
                assert one.tree.n_samples[one.tree.left < 0].min() >= parameters.get("min_samples_leaf", 0)


def test_costs_of_features_count():
    X, y, _ = rows(4, 80, 3, 2)
    tree = CARTClassifier(max_depth=2, random_state=0).fit(X, y).tree_
    plain = {one.features: one for one in candidate_splits(tree, 0, X, y, kinds="univariate", estimator=estimator())}
    costly = estimator(feature_costs=[1.0, 5.0, 2.0])
    found = {one.features: one for one in candidate_splits(tree, 0, X, y, kinds="univariate", estimator=costly)}
    present = int(tree.split(0)[0][0])
    for feature, cost in enumerate([1.0, 5.0, 2.0]):
        one = found[(feature,)]
        assert one.cost == cost
        extra = LAM * (cost - [1.0, 5.0, 2.0][present])
        assert one.change == pytest.approx(plain[(feature,)].change + extra)


def test_groups_of_categories():
    rng = np.random.default_rng(0)
    codes, other = rng.integers(0, 5, 90), rng.normal(size=90)
    X = np.column_stack([codes[:, None] == np.arange(5), other]).astype(float)
    y = np.isin(codes, [1, 3]) ^ (rng.random(90) < 0.1)
    model = estimator(categories=[list(range(5))])
    tree = CARTClassifier(max_depth=1, random_state=0).fit(X[:, 5:], y).tree_
    tree = TAOClassifier(lam=0.1, split="univariate", init="cart", max_depth=1, random_state=0).fit(X, y).tree_
    for node in (0, 1):
        found = candidate_splits(tree, node, X, y, kinds="univariate", estimator=model)
        assert sum(set(one.features) <= set(range(5)) for one in found) <= 1
    best = candidate_splits(tree, 0, X, y, kinds="univariate", estimator=model)[0]
    assert set(best.features) in ({1, 3}, {0, 2, 4})


def test_absolute_errors():
    X, y, _ = rows(5)
    y = y + np.random.default_rng(5).standard_cauchy(y.size)
    model = TAORegressor(lam=0.1, split="univariate", init="cart", loss="absolute_error", max_depth=2, random_state=0)
    tree = model.fit(X, y).tree_
    search = NodeSearch(tree, X, y, model)
    before = np.abs(y - tree.predict(X)).sum()
    for node in range(tree.n_nodes):
        for one in search.candidates(node, ("univariate",), 3):
            assert np.abs(y - one.tree.predict(X)).sum() - before == pytest.approx(one.loss_change)


def test_small_and_large_nodes():
    X, y = np.arange(6.0).reshape(3, 2), np.array([0, 0, 1])
    tree = TAOClassifier(lam=0.1, split="univariate", init="cart", random_state=0).fit(X, y).tree_
    leaf = int(np.flatnonzero((tree.left < 0) & (tree.n_samples == 2))[0])
    assert candidate_splits(tree, leaf, X, y) == []  # one class
    found = candidate_splits(tree, 0, X, y, estimator=estimator())
    assert [one.change for one in found][:2] == [0.0, 0.0]
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3000))
    y = (X[:, 2999] > 0) + 0
    tree = CARTClassifier(max_depth=1, random_state=0).fit(X[:, :5], y).tree_
    tree = CARTClassifier(max_depth=1, random_state=0).fit(X, rng.permutation(y)).tree_
    model = estimator(lam=0.01)
    assert candidate_splits(tree, 1, X, y, kinds=("univariate",), estimator=model)[0].features == (2999,)
    assert len(candidate_splits(tree, 0, X, y, kinds=("bivariate",), estimator=model)) > 0


def test_bad_input():
    X, y, _ = rows(6)
    tree = CARTClassifier(max_depth=1, random_state=0).fit(X, y).tree_
    with pytest.raises(ParameterError, match="kinds=.*'lines'"):
        candidate_splits(tree, 0, X, y, kinds=("lines",))
    with pytest.raises(ParameterError, match="kinds=.*None"):
        candidate_splits(tree, 0, X, y, kinds=None)
    for node in (1.5, "0"):
        with pytest.raises(ParameterError, match="expected the number of a node"):
            candidate_splits(tree, node, X, y)
    with pytest.raises(ParameterError, match="n=0"):
        candidate_splits(tree, 0, X, y, n=0)
    with pytest.raises(IndexError, match="no node 9"):
        candidate_splits(tree, 9, X, y)
    with pytest.raises(ParameterError, match="X_val and y_val"):
        candidate_splits(tree, 0, X, y, X_val=X)
    with pytest.raises(ParameterError, match="expected a Tree"):
        candidate_splits(CARTClassifier(), 0, X, y)
    with pytest.raises(DataError, match="y_val has shape"):
        candidate_splits(tree, 0, X, y, X_val=X, y_val=y[:5])
    for weights in (np.ones(5), np.ones((len(y), 1)), ["heavy"] * len(y), np.full(len(y), np.nan)):
        with pytest.raises(DataError):
            candidate_splits(tree, 0, X, y, sample_weight=weights)
    regressor = CARTRegressor(max_depth=1, random_state=0).fit(X, y + 0.5)
    assert candidate_splits(regressor.tree_, 0, X, y + 0.5)
