"""Test the claims of the lessons for the second hour on the data, with other programs and by trying all."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from pages.ui.learn import lessons, lessons_panel
from pages.ui.learn.lessons import (
    build,
    elsewhere,
    lambda_prunes,
    lookup,
    mnist,
    pixels,
    scenes,
    two_features,
    unstable,
)
from pages.ui.learn.lessons.further import (
    bias_and_variance,
    categories_and_missing,
    how_far_from_best,
    pruning_and_lambda,
)
from pages.ui.learn.lessons.lesson import Figure, Series
from tests.budget import budget

SOME_PLANES = budget(elsewhere.PLANES[:2], elsewhere.PLANES)


def test_the_squared_error_is_the_sum_of_squared_bias_and_variance():
    rng = np.random.default_rng(0)
    parts = bias_and_variance.parts_of(rng.normal(1.0, 2.0, (10, 5_000)), np.zeros(5_000))
    assert parts.error**2 == pytest.approx(parts.bias**2 + parts.spread**2)
    assert (parts.bias, parts.spread) == pytest.approx((1.0, 2.0), rel=0.05)  # without the variance of the mean
    assert parts.mean**2 == pytest.approx(parts.bias**2 + parts.spread**2 / 10)


@pytest.mark.parametrize("seeds", [range(300, 310), range(400, 410)])
def test_more_points_lower_the_spread_of_small_trees_and_leave_their_bias_on_draws_that_no_lesson_shows(seeds):
    _, heights = bias_and_variance.truth()
    found = [
        bias_and_variance.parts_of(bias_and_variance.voices(2, seeds, n), heights) for n in bias_and_variance.SIZES
    ]
    assert found[0].spread > 1.3 * found[1].spread > 1.6 * found[2].spread
    assert max(one.bias for one in found) < 1.1 * min(one.bias for one in found)


def test_each_draw_has_its_own_points_and_trees_and_the_errors_of_all_trees_so_far():
    built, draws = build("bias-and-variance"), len(bias_and_variance.SEEDS)
    X, heights = bias_and_variance.truth()
    for moment, step in ((1, 0), (4, 1)):
        shown = built.moments[moment]
        drawn = built.scenes[draws : shown.scene + 1]  # with 200 points each
        assert len({scene.data.fingerprint for scene in drawn}) == draws == len(drawn)
        assert {scene.data.target for scene in drawn} == {drawn[0].data.target}  # so that colours do not change
        said = np.array([scene.tree(step).predict(X) for scene in drawn])
        for k in (1, 4, draws):
            one = shown.draws[draws + k - 1]
            assert one.bias == pytest.approx(np.sqrt(((said[:k].mean(axis=0) - heights) ** 2).mean()))
            assert one.spread == pytest.approx(np.sqrt(said[:k].var(axis=0, ddof=1).mean()) if k > 1 else 0.0)
    assert {one.bias for one in built.moments[0].draws} == {None}  # the next screen asks for it


def test_the_chart_of_a_lesson_has_a_value_for_each_place_and_keeps_the_answer_back():
    here, others = (build("pruning-and-lambda").moments[k] for k in (4, 5))
    for figure in (here.figure, others.figure):
        assert all(len(one.values) == len(figure.places) for one in figure.series)
        assert [one.late for one in figure.series] == [False, True]
        assert figure.to_dict()["places"] == list(figure.places)
    pruned, tao = (np.array(one.values) for one in here.figure.series)
    counts = {"lower": tao < pruned - 1e-9, "equal": abs(tao - pruned) <= 1e-9, "higher": tao > pruned + 1e-9}
    assert max(counts, key=lambda word: counts[word].sum()) in here.guess.choices[here.guess.truth]
    assert sum(others.figure.series[1].values) > sum(others.figure.series[0].values)


def test_a_place_of_a_chart_may_be_empty():
    found = Figure("title", "points", ("a", "b"), (Series("one", (1, None)),)).to_dict()
    assert found["series"] == [{"name": "one", "values": [1.0, None]}]


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


def test_the_fewest_errors_of_depth_two_are_those_of_the_best_of_all_trees(rng):
    for n_rows, n_features in ((6, 1), (25, 2), (40, 3)):
        X = rng.integers(0, 8, (n_rows, n_features)).astype(float)
        codes = np.unique(rng.integers(0, 3, n_rows), return_inverse=True)[1]
        roots = [column < threshold for column in X.T for threshold in np.unique(column)[1:]]
        every = [_stump(X[left], codes[left]) + _stump(X[~left], codes[~left]) for left in roots]
        assert how_far_from_best.fewest_errors(X, codes) == min(every)


def _stump(X, codes):
    """Return the smallest number of rows that one threshold, or none, misclassifies."""
    sides = [np.ones(len(codes), bool), *(column < threshold for column in X.T for threshold in np.unique(column)[1:])]
    return min(len(codes) - sum(np.bincount(codes[part]).max(initial=0) for part in (left, ~left)) for left in sides)


@pytest.mark.nightly
def test_a_last_split_corrects_more_than_lambda_errors_but_the_first_one_need_not():
    scene = build("lambda-prunes").scenes[0]
    k = build("lambda-prunes").moments[2].step
    first = scene.tree(k)
    errors = first.values.sum(axis=1) - first.values.max(axis=1)
    assert first.n_leaves == 4
    assert errors[0] - errors[first.left[0]] - errors[first.right[0]] < scene.points[k].lam
    for settings in (replace(lambda_prunes.THRESHOLDS, data_set=name) for name in SOME_PLANES):
        found = scenes.path(settings, "")
        assert all(gain > lam for gain, lam in lambda_prunes.last_splits(found))
        leaves = [point.tree.n_leaves for point in found.points]
        assert leaves == sorted(leaves, reverse=True)  # a larger λ gives a smaller tree


def test_a_split_of_two_classes_that_corrects_no_error_makes_one_side_less_pure():
    scene = build("split-choice").scenes[2]
    wrong = [lookup.wrong(scene, k) for k in range(len(scene.points))]
    step = next(k for k in range(1, len(wrong)) if wrong[k] == wrong[k - 1])
    tree, before = scene.tree(step), scene.tree(step - 1)
    node = lookup.place(scene, step, np.setdiff1d(tree.origin[tree.left >= 0], before.origin[before.left >= 0])[0])
    shares = tree.values / tree.values.sum(axis=1, keepdims=True)
    gini = 1 - (shares**2).sum(axis=1)
    children = [tree.left[node], tree.right[node]]
    assert min(gini[children]) < gini[node] < max(gini[children])
    assert np.average(gini[children], weights=tree.n_samples[children]) < gini[node]


def test_the_weights_of_a_node_have_the_sign_of_the_difference_of_the_mean_images():
    scene = build("mnist").scenes[0]
    k, X = mnist.few_pixels(scene), scene.data.X
    for node in mnist.above_two_leaves(scene, k):
        if not mnist.separates(scene, k, node):
            continue
        rows, (features, weights, _) = lookup.reaching(scene, k, node), scene.tree(k).split(node)
        names = np.array(scene.data.class_names)[scene.data.y[rows]]
        left, right = (X[rows[names == digit]].astype(float).mean(axis=0) for digit in mnist.digits(scene, k, node))
        more = right - left
        assert (np.sign(more[features]) == np.sign(weights)).mean() > 0.9
        assert abs(more[features]).mean() > 3 * abs(more).mean()


def test_a_weighted_sum_is_better_than_the_best_pixel_for_most_pairs_of_digits():
    better, n_pairs = pixels.pairs_better_with_sums()
    assert n_pairs == 45
    assert better > 0.8 * n_pairs


@pytest.mark.parametrize("slug", lessons.ALL)
def test_a_lesson_has_choices_to_guess(slug):
    assert any(moment.guess.choices for moment in build(slug).moments if moment.guess is not None)


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("regression-trees", {"data_set": "hill", "rows": "lesson", "n_points": 900}),
        ("bias-and-variance", {"data_set": "hill", "rows": "drawn", "n_points": 200, "max_depth": 2}),
        ("how-far-from-the-best-tree", {"data_set": "spirals", "split": "univariate", "max_depth": 2}),
        ("two-features", {"data_set": "breast-cancer", "split": "bivariate"}),  # lines, so that C is in the sidebar
    ],
)
def test_the_laboratory_opens_with_the_data_that_the_task_needs(monkeypatch, slug, expected):
    built, chosen = build(slug), {}
    page = SimpleNamespace(from_dict=lambda values: None)
    monkeypatch.setattr(
        lessons_panel, "st", SimpleNamespace(session_state={}, query_params=page, rerun=lambda scope: None)
    )
    monkeypatch.setattr(lessons_panel.learn_settings.LEARN, "change", lambda **values: chosen.update(values))
    monkeypatch.setattr(lessons_panel.learn_link, "add", lambda store, sentence: None)
    last = built.moments[-1]
    lessons_panel._open_in_lab(built.scenes[last.scene], last.step, None)
    assert {name: chosen[name] for name in expected} == expected
    assert chosen["lam"] <= 50  # in the unit of the laboratory, also for regression


@pytest.mark.nightly
def test_a_larger_c_gives_no_more_lines_on_data_that_the_lesson_does_not_show():
    for name in SOME_PLANES:
        counts, errors = two_features.on_other_splits(5.35, name)
        assert (np.diff(counts, axis=1) <= 0).all()
        assert (errors[0][:, 0] <= errors[0][:, -1] + 1e-9).mean() >= 0.8  # lines fit the training points better


def test_the_first_feature_of_cart_comes_back_on_some_tables_and_changes_on_others():
    settings = build("unstable").scenes[0].settings
    steady = [unstable.first_features(settings, name) == 1 for name in ("moons", "clouds", "wine", "breast-cancer")]
    assert steady == [True, True, False, False]
