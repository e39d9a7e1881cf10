"""Test that counterfactuals of trees on categories equal those of an enumeration, and always choose one category."""

from itertools import product

import numpy as np
import pytest

from tests.budget import budget
from tests.refusals import refused
from tests.strategies import small_tree
from tests.treecore.explain.test_explain import random_tree
from treecore import TAOClassifier
from treecore.errors import DataError, NoCounterfactual, ParameterError
from treecore.explain.counterfactuals import counterfactual


def vectors_of(group, is_open):
    return [*np.eye(len(group)), *([np.zeros(len(group))] if is_open or len(group) == 1 else [])]


def enumerated(tree, x, norm, groups, scale, bounds, allowed=lambda group, vector: True, open_groups=()):
    """Return the smallest distance over all vectors of the groups; the search without groups handles the rest."""
    fixed = [feature for group in groups for feature in group]
    vectors = [
        [
            vector
            for vector in (x[list(group)], *vectors_of(group, number in open_groups))
            if allowed(group, vector) or (vector == x[list(group)]).all()
        ]
        for number, group in enumerate(groups)
    ]
    before, best = tree.predict(x[None])[0], np.inf
    for chosen in product(*vectors):
        z = x.copy()
        for group, vector in zip(groups, chosen, strict=True):
            z[list(group)] = vector
        moved = np.abs(z - x) / scale
        for target in set(tree.classes.tolist()) - {before}:
            try:
                rest = counterfactual(tree, z, target, norm=norm, frozen=fixed, bounds=bounds, scale=scale).distance
            except NoCounterfactual:
                continue
            best = min(best, moved.sum() + rest if norm == "l1" else np.hypot(np.linalg.norm(moved), rest))
    return best


def one_hot_input(rng, d, groups):
    x = rng.random(d)
    for group in groups:
        x[list(group)] = np.eye(len(group) + 1)[rng.integers(len(group) + 1)][: len(group)]
    return x


def is_valid(x, point, groups, open_groups=()):
    for number, group in enumerate(groups):
        allowed = [x[list(group)], *vectors_of(group, number in open_groups)]
        if not any(np.array_equal(point[list(group)], vector) for vector in allowed):
            return False
    return True


@pytest.mark.nightly
@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize(
    ("d", "groups", "open_groups"),
    [
        (6, [range(1, 4)], []),
        (8, [range(3), range(4, 7)], [1]),
        (5, [range(3), range(3, 5)], []),
        (5, [range(1), range(1, 2), range(2, 4)], [2]),
    ],
)
def test_as_near_as_enumeration_finds(rng, norm, d, groups, open_groups):
    n_found = 0
    for trial in range(n_trials := budget(8, 24)):
        tree = random_tree(rng, 6, d, 1 + trial % 4)
        x, scale = one_hot_input(rng, d, groups), rng.uniform(0.3, 2, d)
        bounds = (0.0, 1.0) if trial % 2 else None
        best = enumerated(tree, x, norm, groups, scale, bounds, open_groups=open_groups)
        if not np.isfinite(best):
            with pytest.raises(NoCounterfactual):
                counterfactual(
                    tree,
                    x,
                    None,
                    norm=norm,
                    frozen=(),
                    bounds=bounds,
                    scale=scale,
                    groups=groups,
                    open_groups=open_groups,
                )
            continue
        found = counterfactual(
            tree, x, None, norm=norm, frozen=(), bounds=bounds, scale=scale, groups=groups, open_groups=open_groups
        )
        n_found += 1
        assert found.distance == pytest.approx(best, rel=1e-6, abs=1e-9)
        assert found.lower_bound <= found.distance
        assert is_valid(x, found.point, groups, open_groups)
        assert tree.predict(found.point[None])[0] == found.prediction != found.before
    assert n_found >= n_trials / 2


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_many_categories_in_a_trained_tree(rng, norm):
    n, sizes = 600, (7, 12, 5, 20)
    ends = np.cumsum([0, *sizes])
    groups = [range(a, b) for a, b in zip(ends, ends[1:], strict=False)]
    codes = np.stack([rng.integers(size, size=n) for size in sizes], axis=1)
    X = np.hstack([*(np.eye(size)[codes[:, i]] for i, size in enumerate(sizes)), rng.standard_normal((n, 3))])
    y = (codes[:, 0] % 3 + (codes[:, 1] > 5) + (codes[:, 3] % 2) + X[:, -1] > 2.5).astype(int)
    tree = TAOClassifier(lam=0.3, max_depth=4, random_state=0).fit(X, y).tree_
    scale = X.std(axis=0)
    for x in X[:6]:
        found = counterfactual(tree, x, norm=norm, scale=scale, groups=groups, bounds=(X.min(axis=0), X.max(axis=0)))
        assert is_valid(x, found.point, groups)
        assert found.distance <= found.lower_bound * (1 + 1e-6)
        wanted = X[tree.predict(X) == found.prediction]  # other rows are valid points too
        moved = np.abs(wanted - x) / scale
        assert found.distance <= (moved.sum(axis=1) if norm == "l1" else np.linalg.norm(moved, axis=1)).min() + 1e-9


def test_bounds_and_frozen_features_rule_categories_out(rng):
    tree, groups = random_tree(rng, 8, 4, 2), [range(3)]
    x = np.array([1.0, 0.0, 0.0, 0.5])
    high = np.array([1.0, 1.0, 0.0, 1.0])  # no row has the last category
    best = enumerated(tree, x, "l1", groups, np.ones(4), (0.0, high), lambda group, vector: vector[2] == 0)
    assert np.isfinite(best)
    found = counterfactual(tree, x, bounds=(0.0, high), groups=groups)
    assert found.distance == pytest.approx(best, rel=1e-6)
    assert found.point[2] == 0
    try:
        frozen = counterfactual(tree, x, frozen=[1], groups=groups)
    except NoCounterfactual:
        return
    assert frozen.point[:3].tolist() == [1.0, 0.0, 0.0]


def test_a_category_of_two_values_can_be_flipped_both_ways():
    tree = small_tree(
        left=[1, -1, -1], right=[2, -1, -1], indptr=[0, 1, 1, 1], features=[0], weights=[1.0], bias=[-0.5, 0, 0],
        labels=[0, 0, 1], values=[[2, 2, 0], [2, 0, 0], [0, 2, 0]], n_samples=[4, 2, 2], origin=[0, 1, 2],
    )  # fmt: skip
    for before in (0.0, 1.0):
        x = np.array([before, 0.0, 0.0])
        assert counterfactual(tree, x, bounds=(0.0, 1.0), groups=[[0]]).point.tolist() == [1.0 - before, 0.0, 0.0]
    x = np.array([1.0, 0.0, 0.0])
    with pytest.raises(NoCounterfactual):
        counterfactual(tree, x, groups=[[0]], bounds=(np.array([1.0, 0.0, 0.0]), 1.0))
    assert counterfactual(tree, x, groups=[range(3)], open_groups=[0]).point.tolist() == [0.0, 0.0, 0.0]
    for wrong in ([1], 0, ["a"]):
        with refused(ParameterError, "open_groups=…: expected numbers of groups in [0, …)"):
            counterfactual(tree, x, groups=[range(3)], open_groups=wrong)


@pytest.mark.parametrize(
    ("x", "groups", "kind", "message"),
    [
        ([1.0, 1.0, 0.0, 0.0], [range(3)], DataError, "x has … in a group of … features such as"),
        ([0.5, 0.0, 0.0, 0.0], [range(3)], DataError, "x has … in a group of … features such as"),
        ([0.0, 0.0, 0.0, 0.0], [range(3), range(2, 4)], ParameterError, "groups: … is in two groups"),
        (
            [0.0, 0.0, 0.0, 0.0],
            [range(2, 5)],
            ParameterError,
            "groups contains …: expected ranges of different feature numbers in [0, …)",
        ),
        (
            [0.0, 0.0, 0.0, 0.0],
            [["a"]],
            ParameterError,
            "groups contains ['a']: expected ranges of different feature numbers in [0, …)",
        ),
        (
            [0.0, 0.0, 0.0, 0.0],
            [3],
            ParameterError,
            "groups contains 3: expected ranges of different feature numbers in [0, …)",
        ),
    ],
)
def test_bad_groups_are_named(rng, x, groups, kind, message):
    with refused(kind, message):
        counterfactual(random_tree(rng, 4, 4, 2), x, groups=groups)
