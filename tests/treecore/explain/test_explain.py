"""Test explanations: decision paths, nearest counterfactuals against brute force, and feature use."""

import re
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.inspection import permutation_importance

import treecore
from tests import naive
from tests.budget import budget
from tests.refusals import refused
from tests.strategies import MODEST, rows, small_tree, trees
from treecore import (
    CARTClassifier,
    CARTRegressor,
    Counterfactual,
    DataError,
    NoCounterfactual,
    ParameterError,
    TAOClassifier,
    Tree,
)
from treecore.explain.explanation import counterfactual, explain, feature_usage
from treecore.explain.leaf_search import dual_newton, least_distance, nearest
from treecore.tree.condition_text import TYPED
from treecore.tree.conditions import Linear
from treecore.tree.feature_statistics import feature_decimals, margin_units


def random_tree(rng, n_leaves, d, n_used, k=3):
    """Return a tree with random oblique splits through the unit cube."""
    left, right, splits, leaves = [-1], [-1], [None], [0]
    while len(leaves) < n_leaves:
        node = leaves.pop(rng.integers(len(leaves)))
        features = np.sort(rng.choice(d, min(n_used, d), replace=False))
        weights = rng.standard_normal(features.size)
        splits[node] = (features, weights, -weights @ rng.random(features.size))
        left[node], right[node] = len(left), len(left) + 1
        leaves += [len(left), len(left) + 1]
        left += [-1, -1]
        right += [-1, -1]
        splits += [None, None]
    m = len(left)
    filled = [split or ((), (), 0.0) for split in splits]
    return Tree(
        left, right, np.cumsum([0] + [len(split[0]) for split in filled]), np.concatenate([s[0] for s in filled]),
        np.concatenate([s[1] for s in filled]), [s[2] for s in filled], rng.integers(0, k, m), np.ones((m, k)),
        np.ones(m), range(m), range(k), d,
    )  # fmt: skip


def half_spaces(tree, leaf):
    """Return (A, b) of the closure of a leaf's region, A z >= b."""
    A, b, node = [], [], leaf
    while node:
        above = tree.parents[node]
        features, weights, bias = tree.split(above)
        sign = 1.0 if tree.right[above] == node else -1.0
        row = np.zeros(tree.n_features)
        row[features] = sign * weights
        A.append(row)
        b.append(-sign * bias)
        node = above
    return np.array(A).reshape(-1, tree.n_features), np.array(b)


def brute_force(tree, x, wanted, norm, low, high, scale):
    """Return the distance to the nearest closed region of a wanted leaf.

    Each candidate lies where some of the constraints meet. For l2, it is the projection onto them. For l1, it is a
    vertex; the planes through x are constraints too.
    """
    d, best = x.size, np.inf
    for leaf in np.flatnonzero((tree.left < 0) & wanted):
        A, b = half_spaces(tree, leaf)
        A = np.vstack([A, np.eye(d), -np.eye(d)])
        b = np.concatenate([b, low, -high])
        A, b = A[np.isfinite(b)] * scale, b[np.isfinite(b)] - A[np.isfinite(b)] @ x
        planes = np.vstack([A, np.eye(d)]) if norm == "l1" else A
        offsets = np.concatenate([b, np.zeros(d)]) if norm == "l1" else b
        sizes = [d] if norm == "l1" else range(d + 1)
        for size in sizes:
            for chosen in map(list, combinations(range(planes.shape[0]), size)):
                v = np.linalg.pinv(planes[chosen]) @ offsets[chosen] if chosen else np.zeros(d)
                if (A @ v >= b - 1e-9).all():
                    best = min(best, np.abs(v).sum() if norm == "l1" else np.linalg.norm(v))
    return best


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize(("d", "n_used"), [(1, 1), (2, 2), (3, 2), (3, 3), (4, 1)])
def test_a_counterfactual_is_as_near_as_brute_force_finds(rng, norm, d, n_used):
    for trial in range(6):
        tree = random_tree(rng, 4 if d > 2 else 7, d, n_used)
        x, scale = rng.random(d), rng.uniform(0.5, 2, d)
        free = trial % 3 > 0 and d < 4
        low, high = (np.full(d, -np.inf), np.full(d, np.inf)) if free else (np.zeros(d), np.ones(d))
        wanted = tree.labels != tree.predict(x[None])[0]
        best = brute_force(tree, x, wanted, norm, low, high, scale)
        if not np.isfinite(best):
            with pytest.raises(NoCounterfactual):
                counterfactual(tree, x, norm=norm, bounds=(low, high), scale=scale)
            continue
        found = counterfactual(tree, x, norm=norm, bounds=None if free else (low, high), scale=scale)
        assert found.distance == pytest.approx(best, rel=1e-6, abs=1e-9)
        assert found.lower_bound <= found.distance <= found.lower_bound * (1 + 1e-6) + 1e-9
        assert_is_as_said(tree, x, found, norm, low, high, scale)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_the_nearest_number_above_or_below_is_as_near_as_brute_force_finds(rng, norm):
    for _ in range(6):
        tree = random_tree(rng, 6, 2, 2)
        means = np.round(rng.normal(size=tree.n_nodes), 2)
        tree = replace(
            tree,
            classes=np.empty(0),
            labels=np.zeros(tree.n_nodes, int),
            values=np.column_stack([np.ones(tree.n_nodes), means, np.zeros(tree.n_nodes)]),
        )
        x, (low, high) = rng.random(2), np.sort(np.round(rng.normal(size=2), 1))
        before = tree.predict(x[None])[0]
        for limits in ({}, {"above": low}, {"below": high}, {"above": low, "below": high}):
            fine = (means > limits.get("above", -np.inf)) & (means < limits.get("below", np.inf))
            wanted = fine if limits else means != before
            best = brute_force(tree, x, wanted, norm, np.zeros(2), np.ones(2), np.ones(2))
            if not np.isfinite(best):
                with refused(
                    NoCounterfactual, "No input within the given bounds is predicted … (… of … features are frozen)"
                ) as caught:
                    counterfactual(tree, x, norm=norm, bounds=(0.0, 1.0), **limits)
                for name, value in limits.items():
                    assert f"{name} {float(value)!r}" in str(caught.value)
                continue
            found = counterfactual(tree, x, norm=norm, bounds=(0.0, 1.0), **limits)
            assert found.distance == pytest.approx(best, rel=1e-6, abs=1e-9)
            assert tree.predict(found.point[None])[0] == found.prediction
            assert wanted[found.leaf]


def assert_is_as_said(tree, x, found, norm, low=-np.inf, high=np.inf, scale=1.0):
    assert tree.predict(found.point[None]).tolist() == [found.prediction] != tree.predict(x[None]).tolist()
    assert tree.apply(found.point[None]).tolist() == [found.leaf]
    assert ((found.point >= np.fmin(low, x)) & (found.point <= np.fmax(high, x))).all()
    moved = np.abs(found.point - x) / scale
    assert found.distance == pytest.approx(moved.sum() if norm == "l1" else np.linalg.norm(moved))
    assert [(j, x[j], found.point[j]) for j in np.flatnonzero(moved)] == sorted(
        (feature, old, new) for feature, _, old, new in found.changes
    )


def assert_written(tree, x, found):
    """Assert that the numbers in the sentence, typed back, give the prediction."""
    typed = np.array(x, np.float64)
    numbers = re.findall(r"to (\S+?)(?:,| \(distance)", str(found))
    assert len(numbers) == len(found.changes)
    for (feature, *_), text in zip(found.changes, numbers, strict=True):
        typed[feature] = float(text.replace("−", "-"))
    assert tree.predict(typed[None])[0] == found.prediction


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_the_written_values_typed_in_change_the_prediction(bundled, norm):
    X, y = bundled("wine")
    for model in (CARTClassifier(), TAOClassifier(split="oblique", lam=0.5, max_depth=3, random_state=0)):
        tree = model.fit(X, y).tree_
        bounds = (X.min(axis=0), X.max(axis=0))
        for x in X[::15]:
            found = counterfactual(tree, x, norm=norm, bounds=bounds)
            assert_written(tree, x, found)
            assert ((found.written >= bounds[0]) & (found.written <= bounds[1])).all()


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_written_values_have_the_decimals_of_their_column(bundled, norm):
    X, y = bundled("wine")
    decimals, n_rounded = feature_decimals(X), 0
    for split in ("univariate", "oblique"):
        tree = TAOClassifier(split=split, lam=0.5, max_depth=3, random_state=0).fit(X, y).tree_
        bounds = (X.min(axis=0), X.max(axis=0))
        for x in X[::15]:
            found = counterfactual(tree, x, norm=norm, bounds=bounds, decimals=decimals)
            assert_written(tree, x, found)
            assert ((found.written >= bounds[0]) & (found.written <= bounds[1])).all()
            moved = [feature for feature, *_ in found.changes]
            n_rounded += all(round(found.written[j], decimals[j]) == found.written[j] for j in moved)
    assert n_rounded >= 20  # of 24


def test_thresholds_are_met_to_the_last_bit(bundled):
    X, y = bundled("wine")
    tree = CARTClassifier().fit(X, y).tree_
    for x in X[::20]:
        for norm in ("l1", "l2"):
            found = counterfactual(tree, x, norm=norm)
            assert found.distance == pytest.approx(found.lower_bound, rel=1e-14)
            for feature, _, old, _ in found.changes:  # each change is needed, and none is too large
                back = found.point.copy()
                back[feature] = np.nextafter(back[feature], old)
                assert tree.predict(back[None])[0] == tree.predict(x[None])[0] or not (
                    np.abs(back - x).sum() < np.abs(found.point - x).sum()
                )


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_trained_oblique_trees(bundled, norm):
    X, y = bundled("breast_cancer")
    tree = TAOClassifier(lam=0.3, max_depth=4, random_state=0).fit(X, y).tree_
    scale, limits = X.std(axis=0), (X.min(axis=0), X.max(axis=0))
    for x in X[::60]:
        free = counterfactual(tree, x, norm=norm, scale=scale)
        inside = counterfactual(tree, x, norm=norm, scale=scale, bounds=limits)
        frozen = counterfactual(tree, x, norm=norm, scale=scale, frozen=[free.changes[0][0]])
        for found in (free, inside, frozen):
            assert_is_as_said(tree, x, found, norm, scale=scale)
            assert found.distance <= found.lower_bound * (1 + 1e-6)
        assert free.distance <= min(inside.distance, frozen.distance) * (1 + 1e-9)
        assert ((inside.point >= limits[0]) & (inside.point <= limits[1])).all()
        assert frozen.point[free.changes[0][0]] == x[free.changes[0][0]]


def test_no_sample_is_nearer(rng):
    tree = random_tree(rng, 40, 6, 3)
    X = rng.uniform(-0.5, 1.5, (20000, 6))
    labels = tree.predict(X)
    for x, label in zip(X[:8], labels[:8], strict=True):
        for target in set(range(3)) - {label}:
            for norm, distances in (("l1", np.abs(X - x).sum(axis=1)), ("l2", np.linalg.norm(X - x, axis=1))):
                found = counterfactual(tree, x, target, norm=norm)
                assert found.prediction == target
                assert found.distance <= distances[labels == target].min()


def test_many_features_and_leaves(rng):
    tree = random_tree(rng, 300, 400, 10, k=10)
    x = rng.random(400)
    for norm, bounds in product(("l1", "l2"), (None, (0.0, 1.0))):
        found = counterfactual(tree, x, norm=norm, bounds=bounds)
        assert_is_as_said(tree, x, found, norm)
        assert found.distance <= found.lower_bound * (1 + 1e-6)


@settings(max_examples=budget(30, 1500))
@given(st.data())
def test_any_tree_gives_a_wanted_point_or_reports_that_none_exists(data):
    tree = data.draw(trees(MODEST))
    x = data.draw(rows(tree.n_features, max_rows=1))[0]
    norm = data.draw(st.sampled_from(["l1", "l2"]))
    try:
        found = counterfactual(tree, x, norm=norm)
    except NoCounterfactual:
        X = data.draw(rows(tree.n_features, max_rows=50))
        assert np.unique(tree.predict(np.vstack([X, x]))).size == 1
        return
    assert tree.predict(found.point[None])[0] == found.prediction != found.before
    assert_written(tree, x, found)


def polyhedron(rng):
    d, m = rng.integers(1, 10), rng.integers(1, 7)
    A = rng.standard_normal((m, d)) * (rng.random((m, d)) < 0.7)
    A[:, 0] += np.abs(A).sum(axis=1) == 0
    A /= np.linalg.norm(A, axis=1)[:, None]
    low = np.where(rng.random(d) < 0.3, -np.inf, rng.uniform(-2, 0.2, d))
    high = np.where(rng.random(d) < 0.3, np.inf, np.fmax(low, 0) + 2 * rng.random(d))
    inside = np.clip(rng.standard_normal(d), low, high)
    return A, A @ inside - rng.random(m) * (rng.random(m) < 0.5), low, high


def test_newton_and_least_distance_programming_agree(rng):
    solved = 0
    for _ in range(300):
        A, b, low, high = polyhedron(rng)
        start = np.clip(0.0, low, high)
        newton = dual_newton(A, b, low, high)
        ldp = start if (A @ start >= b).all() else least_distance(A, b, low, high)
        assert (A @ ldp >= b - 1e-8).all()
        if newton is not None:
            solved += 1
            np.testing.assert_allclose(newton, ldp, atol=1e-7)
    assert solved > 280


def test_contradictions_have_no_nearest_point():
    A, free = np.array([[1.0, 0.0], [-1.0, 0.0]]), np.full(2, np.inf)
    for norm in ("l1", "l2"):
        assert nearest(norm, A, np.array([1.0, 0.5]), -free, free) is None
        assert nearest(norm, A[:1], np.ones(1), -free, np.full(2, 0.5)) is None
        assert nearest(norm, A[:1], np.ones(1), np.ones(2), np.zeros(2)) is None


def diagonal(**changes):
    """Return a tree that predicts a if x0 + x1 < 1, else b."""
    return Tree([1, -1, -1], [2, -1, -1], [0, 2, 2, 2], [0, 1], [1.0, 1.0], [-1.0, 0, 0], [0, 0, 1],
                [[2, 1], [2, 0], [0, 1]], [3, 2, 1], [0, 1, 2], ["a", "b"], 3, ["r", "s", "t"], **changes)  # fmt: skip


def test_the_strict_side_is_really_reached():
    on_line = counterfactual(diagonal(), [0.5, 0.5, 0.0])
    assert (on_line.before, on_line.prediction) == ("b", "a")
    assert (on_line.lower_bound, on_line.distance < 1e-12) == (0.0, True)
    found = counterfactual(diagonal(), [3.0, 2.0, 7.0], norm="l2", frozen="t", bounds=(-9, 9))
    np.testing.assert_allclose(found.point, [1.0, 0.0, 7.0], atol=1e-12)
    assert re.findall(r"\b(?:[abrs]|\d)\b", str(found))[:7] == ["a", "b", "r", "3", "1", "s", "2"]
    found = counterfactual(diagonal(), [1e9, 1e9, 0.0])
    assert found.distance == pytest.approx(2e9 - 1, rel=1e-6)


def test_an_input_that_is_as_wanted_stays():
    found = counterfactual(diagonal(), np.array([0, 0, 5], np.uint8), target="a")
    assert isinstance(found, Counterfactual)
    assert (found.distance, found.changes, found.point.tolist()) == (0.0, (), [0.0, 0.0, 5.0])
    assert str(found).startswith("a ")


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_no_solution_is_an_error(norm):
    tree = diagonal()
    for arguments in ({"frozen": ["r", 1]}, {"bounds": (0.0, 0.4)}, {"bounds": ([-9, -9, -9], [0.4, 0.6 - 1e-9, 9])}):
        name = (
            "No input is predicted … without bounds (… of … features are frozen)"
            if "frozen" in arguments
            else "No input within the given bounds is predicted … (… of … features are frozen)"
        )
        with refused(NoCounterfactual, name):
            counterfactual(tree, [0.2, 0.3, 0.0], norm=norm, **arguments)
    with refused(NoCounterfactual, "No input is predicted … without bounds (… of … features are frozen)"):
        counterfactual(replace(tree, labels=[0, 0, 0]), [0, 0, 0], "b", norm=norm)
    empty = small_tree(bias=[-1.5, 0, 1.5, 0, 0], indptr=[0, 1, 1, 2, 2, 2], features=[0, 0], weights=[1.0, -1.0])
    assert counterfactual(empty, [0.0, 0, 0], norm=norm).point[0] == 1.5
    with pytest.raises(NoCounterfactual):  # x0 > 1.5 and x0 >= 1.5 leave no region
        counterfactual(replace(empty, weights=[1.0, 1.0], bias=[-1.5, 0, -1.5, 0, 0]), [0.0, 0, 0], "b", norm=norm)


@pytest.mark.nightly
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_whole_numbers_stay_whole_and_as_near_as_enumeration_finds(rng, norm):
    n_found = 0
    for trial in range(n_trials := budget(12, 48)):
        tree = random_tree(rng, 6, 3, 1 + trial % 3)
        tree = replace(tree, bias=4 * tree.bias)  # a cube of side 4
        x, scale = np.array([*rng.integers(0, 5, 2), 4 * rng.random()]), rng.uniform(0.5, 2, 3)
        best = np.inf
        for whole in product(range(5), repeat=2):
            z = np.array([*whole, x[2]], np.float64)
            moved = (np.abs(z - x) / scale)[:2]
            for target in set(tree.classes.tolist()) - {tree.predict(x[None])[0]}:
                try:
                    rest = counterfactual(
                        tree, z, target, norm=norm, frozen=(0, 1), bounds=(0.0, 4.0), scale=scale
                    ).distance
                except NoCounterfactual:
                    continue
                best = min(best, moved.sum() + rest if norm == "l1" else np.hypot(np.linalg.norm(moved), rest))
        if not np.isfinite(best):
            with pytest.raises(NoCounterfactual):
                counterfactual(tree, x, None, norm=norm, frozen=(), bounds=(0.0, 4.0), scale=scale, whole=(0, 1))
            continue
        found = counterfactual(tree, x, None, norm=norm, frozen=(), bounds=(0.0, 4.0), scale=scale, whole=(0, 1))
        n_found += 1
        assert found.is_nearest
        assert found.distance == pytest.approx(best, rel=1e-6, abs=1e-9)
        assert (found.point[:2] == np.rint(found.point[:2])).all()
        assert_is_as_said(tree, x, found, norm, 0.0, 4.0, scale)
    assert n_found >= n_trials / 2


def test_many_whole_numbers_give_the_best_point_found(rng, monkeypatch):
    tree = random_tree(rng, 8, 30, 30)
    x = rng.integers(0, 9, 30).astype(np.float64)
    monkeypatch.setattr("treecore.explain.leaf_search._MOST_PARTS", 3)
    found = counterfactual(tree, x, whole=range(30))
    assert (found.point == np.rint(found.point)).all()
    assert_is_as_said(tree, x, found, "l1")
    assert counterfactual(tree, x).distance <= found.lower_bound * (1 + 1e-6) <= found.distance * (1 + 2e-6)
    with refused(DataError, "x has … in …, a feature with whole numbers only"):
        counterfactual(tree, x + 0.5, whole=[3])
    with refused(ParameterError, "whole contains 30: expected names, or whole numbers in [0, 30)"):
        counterfactual(tree, x, whole=[30])


def test_missing_values_stay_missing():
    tree = diagonal(missing_right=[True, False, False])
    with refused(DataError, "x has missing values in 1 features that are not frozen, such as 's'"):
        counterfactual(tree, [0.0, np.nan, 0.0])
    with pytest.raises(NoCounterfactual):
        counterfactual(tree, [0.0, np.nan, 0.0], frozen=["s"])
    found = counterfactual(tree, [0.0, 0.0, np.nan], frozen=["t"])
    assert np.isnan(found.point[2])
    assert found.distance == pytest.approx(1.0)
    with refused(DataError, "X contains NaN or infinite values"):
        counterfactual(diagonal(), [0.0, np.nan, 0.0], frozen=["s"])


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"norm": "l3"}, ParameterError, "norm='l3': expected 'l1' or 'l2'"),
        ({"target": "c"}, DataError, "target='c': expected a class of the tree"),
        ({"frozen": ["q"]}, ParameterError, "contains 'q', which is not a feature of the tree"),
        ({"frozen": [3]}, ParameterError, "frozen contains 3: expected names, or whole numbers in [0, 3)"),
        ({"frozen": [True]}, ParameterError, "frozen contains …: expected names, or whole numbers in [0, …)"),
        ({"scale": [1, 0, 1]}, ParameterError, "scale[1]=0.0: expected finite numbers > 0 (1 for a constant feature)"),
        ({"scale": [1, 2]}, ParameterError, "scale: expected a number, or one for each of the … features"),
        ({"scale": "std"}, ParameterError, "scale: expected a number, or one for each of the … features"),
        ({"bounds": (1, 0)}, ParameterError, "bounds of feature …: low=…, high="),
        ({"bounds": (0, [1, 2])}, ParameterError, "bounds: expected a number, or one for each of the … features"),
        ({"bounds": "data range"}, ParameterError, "bounds='data range': expected a pair (low, high)"),
        ({"bounds": 3}, ParameterError, "bounds=3: expected a pair (low, high)"),
        ({"frozen": 1.5}, ParameterError, "frozen contains 1.5"),
        ({"target": ["a"]}, DataError, "target=['a']: expected a class of the tree"),
        ({"above": 3.0}, ParameterError, "above and below apply to regression trees only"),
    ],
)
def test_bad_arguments_are_named(arguments, kind, message):
    with refused(kind, message):
        counterfactual(diagonal(), [0.0, 0.0, 0.0], **arguments)


def test_bad_inputs_are_named():
    for x, message in (([0.0, 1.0], "2 features"), (np.zeros((2, 3)), "2 rows"), ([0, np.inf, 0], "infinite")):
        with pytest.raises(DataError, match=message):
            counterfactual(diagonal(), x)
        with pytest.raises(DataError, match=message):
            explain(diagonal(), x)
    with refused(ParameterError, "precision=0: expected a whole number >="):
        explain(diagonal(), [0, 0, 0], precision=0)


@given(st.data())
def test_steps_are_the_decision_path_of_the_input(data):
    tree = data.draw(trees(MODEST))
    x = data.draw(rows(tree.n_features, max_rows=1))[0]
    found = explain(tree, x)
    way = naive.path(tree, x)
    assert [step.node for step in found.steps] + [found.leaf] == way
    assert [step.child for step in found.steps] == way[1:]
    assert [step.margin for step in found.steps] == [naive.margin(tree, node, x) for node in way[:-1]]
    assert [step.right for step in found.steps] == [step.margin >= 0 for step in found.steps]
    assert found.prediction == tree.predict(x[None])[0]
    assert found.shares == tuple(tree.predict_proba(x[None])[0])
    assert len(str(found).splitlines()) == len(way)


def test_an_explanation_in_words():
    tree = small_tree().with_names(["r", "s", "t"])
    assert str(explain(tree, [2.0, 0.0, 3.0])) == (
        "r ≥ 1.5: margin +0.5, goes right; a: 44.4 % → 0.0 %, b: 33.3 % → 60.0 %, c: 22.2 % → 40.0 %\n"
        "t > r: margin −1, goes left; b: 60.0 % → 100.0 %, c: 40.0 % → 0.0 %\n"
        "prediction: b\n"
    )
    near = explain(small_tree(bias=[-1.50004, 0, 0, 0, 0]), scipy.sparse.csr_matrix([[1.50003, 0, 0]]), precision=2)
    assert near.steps[0].condition == "x0 < 1.50004"
    assert explain(tree, [2.0, 0.0, 3.0], most_terms=1).steps[1].condition == "t > 0 + 1 more"
    learned = small_tree(missing_right=[True, False, False, False, False])
    step = str(explain(learned, [np.nan, 0, 0])).splitlines()[0]
    assert all(word in step for word in ("missing", "right", "a: 44.4 %"))
    assert "(or missing)" in explain(learned, [np.nan, 0, 0]).steps[0].condition
    assert "missing" not in str(explain(learned, [2.0, 0, 0]))


def test_a_regression_tree_explains_its_means(bundled):
    X, _ = bundled("iris")
    tree = CARTRegressor().fit(X[:, :3], X[:, 3]).tree_
    found = explain(tree, X[70, :3])
    assert found.prediction == tree.predict(X[70:71, :3])[0]
    assert found.steps[0].before == (tree.values[0, 1],)
    assert "mean 1.20 → " in str(found)
    assert str(counterfactual(tree, X[70, :3], below=1.0)).split(": ")[0].endswith(f"of {found.prediction:.6g}")
    for limits, words in (
        ({"above": "a lot"}, "above='a lot': expected a finite number"),
        ({"below": np.nan}, "below=…: expected a finite number"),
    ):
        with refused(ParameterError, words):
            counterfactual(tree, X[70, :3], **limits)


def test_usage_and_permutation_importance_of_features(bundled):
    X, y = bundled("iris")
    model = TAOClassifier(split="univariate", init="cart", lam=1.0).fit(X, y)
    usage = feature_usage(model.tree_)
    assert usage.sum() == model.tree_.features.size
    importance = permutation_importance(model, X, y, n_repeats=3, random_state=0).importances_mean
    assert (importance[usage == 0] == 0).all()
    assert feature_usage(small_tree(weights=[1.0, 0.0, -1.0])).tolist() == [1, 0, 1]


def test_the_module_keeps_its_name():
    assert treecore.explain.explain is explain
    assert treecore.explain(small_tree(), [0, 0, 0]) == explain(small_tree(), [0, 0, 0])
    assert treecore.counterfactual is counterfactual


def test_a_long_sum_shows_its_largest_terms_in_the_units_of_the_data():
    sum_of_two = Linear((0, 1), ("a", "b"), (1.0, 0.01), 0.0, ">=", 2.0)
    assert sum_of_two.text(TYPED, 1) == "a + 1 more >= 2"
    assert sum_of_two.text(TYPED, 1, np.array([0.001, 1000.0])) == "0.01 * b + 1 more >= 2"


def test_the_margin_is_the_sum_of_the_split_or_a_number_of_standard_deviations():
    X = np.array([[0.0, 0.0], [1.0, 900.0], [0.0, 1000.0], [1.0, 100.0]])
    tree = Tree(
        left=[1, -1, -1], right=[2, -1, -1], indptr=[0, 2, 2, 2], features=[0, 1], weights=[0.431, 0.00478],
        bias=[-4.25, 0.0, 0.0], labels=[0, 0, 1], n_samples=[4, 2, 2], values=[[2, 2], [2, 0], [0, 2]],
        origin=[0, 1, 2], classes=np.array([0, 1]), n_features=2, feature_names=("red", "price"),
    )  # fmt: skip
    step = explain(tree, X[1], precision=3).steps[0]
    assert step.condition == "price ≥ 889 − 90.2 · red"
    assert step.margin == pytest.approx(0.431 + 0.00478 * 900 - 4.25)
    known = explain(tree, X[1], deviation=np.array([0.5, 400.0])).steps[0]
    assert known.margin == pytest.approx(step.margin / np.hypot(0.431 * 0.5, 0.00478 * 400))
    assert f"margin +{known.margin:.3g} sd, goes right" in known.text


@given(st.data())
def test_the_unit_of_margins_is_the_distance_in_standard_deviations(data):
    tree = data.draw(trees(MODEST))
    deviation = np.array(
        data.draw(st.lists(st.sampled_from([0.0, 1e-3, 1.0, 1e5]), min_size=tree.n_features, max_size=tree.n_features))
    )
    for node, unit in enumerate(margin_units(tree, deviation)):
        features, weights, _ = tree.split(node)
        slow = float(np.linalg.norm(weights * deviation[features])) if features.size else 0.0
        assert unit == pytest.approx(slow or 1.0, rel=1e-9)
    large = replace(small_tree(), weights=np.full(3, 1e300))
    assert np.isfinite(margin_units(large, np.full(3, 1e300))).all()


@pytest.mark.long
def test_a_near_leaf_without_whole_numbers_does_not_hide_a_farther_one():
    """0.5 <= 2p - 2q <= 1.5 has no integer solution but many parts to search; p >= 900 has one."""
    tree = Tree(
        left=np.array([1, 2, -1, 5, -1, -1, -1]), right=np.array([4, 3, -1, 6, -1, -1, -1]),
        indptr=np.array([0, 1, 3, 3, 5, 5, 5, 5]), features=np.array([0, 0, 1, 0, 1], np.int32),
        weights=np.array([1.0, 2, -2, -2, 2]), bias=np.array([-900.0, -0.5, 0, 1.5, 0, 0, 0]),
        labels=np.array([0, 0, 0, 0, 1, 0, 1]), values=np.full((7, 2), 5.0), n_samples=np.full(7, 10),
        origin=np.arange(7), classes=np.array(["a", "b"]), n_features=2, feature_names=("p", "q"),
    )  # fmt: skip
    found = counterfactual(tree, [100.0, 500.0], bounds=(np.zeros(2), np.full(2, 5000.0)), whole=[0, 1])
    assert found.point.tolist() == [900.0, 500.0]
    assert not found.is_nearest
