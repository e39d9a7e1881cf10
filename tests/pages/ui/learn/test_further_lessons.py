"""Test the claims of the lessons for the second hour on the data, with other programs and by trying all."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from pages.ui.learn.lessons import build, claims, elsewhere, lookup, scenes, segment
from pages.ui.learn.lessons.further import (
    bias_and_variance,
    categories_and_missing,
    how_far_from_best,
    pruning_and_lambda,
    where_tao_does_not_help,
)
from pages.ui.learn.lessons.lesson import Figure, Series


def test_the_squared_error_is_the_sum_of_squared_bias_and_variance():
    rng = np.random.default_rng(0)
    parts = bias_and_variance.parts_of(rng.normal(1.0, 2.0, (10, 500)), np.zeros(500))
    assert parts.error**2 == pytest.approx(parts.bias**2 + parts.spread**2)


def test_large_trees_have_less_bias_on_all_planes_and_more_spread_on_most():
    found = [bias_and_variance.on_other_data(name) for name in elsewhere.PLANES]
    assert len(found) == 5
    assert all(large.bias < small.bias for small, large in found)
    assert build("bias-and-variance").moments[5].guess.truth == sum(
        large.spread > small.spread for small, large in found
    )


def test_the_chart_of_a_lesson_has_a_value_for_each_place_and_keeps_the_answer_back():
    here, others = (build("pruning-and-lambda").moments[k] for k in (4, 5))
    for figure in (here.figure, others.figure):
        assert all(len(one.values) == len(figure.places) for one in figure.series)
        assert [one.late for one in figure.series] == [False, True]
        assert figure.to_dict()["places"] == list(figure.places)
    pruned, tao = (np.array(one.values) for one in here.figure.series)
    assert (tao < pruned - 1e-9).sum() == here.guess.truth
    assert sum(others.figure.series[1].values) == others.guess.truth


def test_a_place_of_a_chart_may_be_empty():
    found = Figure("title", "points", ("a", "b"), (Series("one", (1, None)),)).to_dict()
    assert found["series"] == [{"name": "one", "values": [1.0, None], "late": False}]


def test_a_pruned_tree_is_that_of_another_program():
    settings = replace(pruning_and_lambda.SETTINGS, data_set="moons")
    tao, pruned = pruning_and_lambda.both(settings)
    errors = [pruning_and_lambda.objective(pruned, k) for k in range(len(pruned.points))]
    large = scenes.growth(settings, "")
    for step in range(len(large.points)):  # no tree that growth passes has a smaller objective
        tree = large.tree(step)
        for k, point in enumerate(pruned.points):
            assert errors[k] <= lookup.wrong(large, step) + point.lam * tree.n_decision + 1e-9
    counts = pruning_and_lambda.compared(tao, pruned)
    assert sum(counts) == len(tao.points)


def test_tao_never_raises_the_training_error_and_is_surely_better_on_few_sets():
    found = {name: where_tao_does_not_help.errors(name) for name in where_tao_does_not_help.SETS}
    assert len(found) == 11
    assert all((one.tao <= one.cart + 1e-9).all() for one in found.values())
    assert sum(one.sure > 0 for one in found.values()) == build("where-tao-does-not-help").moments[5].guess.truth
    assert not found["iris"].sure


def test_the_best_tree_of_depth_two_is_certified_by_another_program():
    pytest.importorskip("pystreed")
    from treecore.initial.optimal_search import best_tree

    task = scenes.task_of(replace(how_far_from_best.SETTINGS, data_set="xor"))
    X, y = task.train_rows
    rows = np.random.default_rng(0).choice(len(y), 60, replace=False)
    X, codes = X[rows], np.unique(y[rows], return_inverse=True)[1]
    binary = np.column_stack([column >= t for column in X.T for t in np.unique(column)[1:]])
    found = best_tree(binary, codes, np.ones(len(codes)), 2, 0.0, 30.0)
    assert found.proven
    assert how_far_from_best.fewest_errors(X, codes) == found.loss


def test_no_greedy_or_trained_tree_is_better_than_the_best_tree():
    for name in how_far_from_best.OTHERS:
        found = how_far_from_best.errors(name)
        assert found.best <= min(found[:4])
    task = scenes.task_of(how_far_from_best.SETTINGS)
    X, y = task.train_rows
    other = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    assert (other.predict(X) != y).sum() >= how_far_from_best.best_of_depth_two("spirals")


def test_hidden_values_are_a_share_or_the_largest_ones():
    data = categories_and_missing.with_bands()
    rows = np.arange(data.n_rows)
    large = categories_and_missing.holes(data, rows, -1, "large", 0)
    assert data.X[large, -1].min() > data.X[~large, -1].max()
    chance = categories_and_missing.holes(data, rows, -1, "random", 0)
    assert abs(chance.mean() - categories_and_missing.SHARE) < 0.05


def test_a_large_tree_of_segment_is_surely_better_on_few_splits():
    long, sides = segment.on_other_splits()
    assert (long, len(sides)) == (5, 5)
    assert sides.count(1) == 1
    with pytest.raises(claims.ClaimDoesNotHold):
        claims.hold(sides.count(1) == 0, "never better")
