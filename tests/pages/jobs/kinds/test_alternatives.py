"""Test the search for other trees about as good: its paths, the features left out, and the selection."""

from dataclasses import asdict, replace

import numpy as np
import pytest

import sample_data
from pages.jobs.kinds.alternative_paths import MOST, FailedPath, alternative_paths
from pages.jobs.kinds.plans import AlternativesPlan
from pages.jobs.kinds.shortlist import agreement, shortlist
from pages.jobs.kinds.tasks import AlternativesTask, PathTask
from pages.jobs.point import Point
from pages.jobs.row_split import split_rows
from pages.jobs.settings import Alternatives, PathSettings, bivariate, following_split
from pages.jobs.settings_text import PATH_TEXT
from treecore.node_solvers import SPLITS
from treecore.tree.metrics import error_of


def path_points(settings, data):
    task = PathTask({"kind": "path", **asdict(settings)}, data)
    return [Point.from_record(record) for record in task.results({"done": 0, "last": None})]


@pytest.fixture(scope="module")
def iris():
    """Return (data, present point, settings of the search, its points)."""
    data = sample_data.load("iris")
    path = bivariate(data_set="iris", n_lambdas=8).path()
    points = path_points(path, data)
    present = next(point for point in points if point.tree.n_leaves == 3)
    wanted = Alternatives(path, 3, ((int(present.tree.split(0)[0][0]),),))
    task = AlternativesTask({"kind": "alternatives", **asdict(wanted)}, data)
    found = [Point.from_record(record) for i in range(len(task.paths)) for record in task.results({"index": i})]
    return data, present, wanted, found


@pytest.mark.parametrize(("split", "init"), [("univariate", "cart"), ("bivariate", "random"), ("oblique", "random"),
                                             ("oblique", "oblique_cart")])  # fmt: skip
def test_no_tree_uses_a_feature_left_out(split, init):
    data = sample_data.load("wine")
    path = replace(bivariate(data_set="wine").path(), **following_split(split) | {"init": init, "max_depth": 4})
    for point in path_points(replace(path, n_lambdas=4, left_out=(0, 6, 9)), data):
        assert not set(point.tree.used_features.tolist()) & {0, 6, 9}


def test_another_start_is_another_tree_on_the_same_rows():
    data = sample_data.load("wine")
    path = replace(bivariate(data_set="wine").path(), **following_split("oblique"), max_depth=3, n_lambdas=2)
    path = replace(path, init="random")
    trees = {path_points(replace(path, start=start), data)[0].tree.to_json() for start in range(3)}
    assert len(trees) > 1
    tasks = [PathTask({"kind": "path", **asdict(replace(path, start=start))}, data) for start in range(2)]
    np.testing.assert_array_equal(tasks[0].train_rows[1], tasks[1].train_rows[1])


def test_links_contain_the_start_and_the_features_left_out():
    texts = PATH_TEXT.write(replace(PathSettings(), init="random", start=2, left_out=(0, 3)))
    assert (texts["start"], texts["without"]) == ("2", "0-3")
    assert PATH_TEXT.read(texts).left_out == (0, 3)
    assert PATH_TEXT.invalid_names({"without": "0-x"}) == ["without"]


@pytest.mark.parametrize("name", ["iris", "wine", "digits", "diabetes"])
@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
def test_the_paths_differ_from_the_present_one_and_from_each_other(name, split):
    data = sample_data.load(name)
    path = replace(bivariate(data_set=name).path(), **following_split(split))
    found = alternative_paths(Alternatives(path, 5, ((0,), (1,))), data)
    assert 0 < len(found) <= MOST
    assert len({*(one.settings for one in found), path}) == len(found) + 1
    assert len({one.words for one in found}) == len(found)
    assert any(one.settings.left_out for one in found) == (data.image_shape is None)


def test_small_tables_get_several_starts_and_the_optimal_start(monkeypatch):
    data = sample_data.load("wine")
    path = replace(bivariate(data_set="wine").path(), **following_split("univariate"), max_depth=3)
    found = {one.words: one.settings for one in alternative_paths(Alternatives(path, 5, ()), data)}
    starts = found["best of 5 starts"]
    assert (starts.n_init, starts.block) == (5, 2)
    assert any(one.init == "optimal" for one in found.values())
    first = path_points(replace(path, n_lambdas=2), data)[0]
    best = path_points(replace(starts, n_lambdas=2), data)[0]
    assert best.trace[-1]["objective"] <= first.trace[-1]["objective"]
    monkeypatch.setattr("treecore.initial.find_spec", lambda name: None)
    without = alternative_paths(Alternatives(path, 5, ()), data)
    assert not any(one.settings.init == "optimal" for one in without)
    large = replace(data, X=np.tile(data.X, (60, 1)), y=np.tile(data.y, 60))
    assert all(one.settings.n_init == 1 for one in alternative_paths(Alternatives(path, 5, ()), large))


def test_paths_for_missing_values_take_them():
    data = sample_data.load("wine")
    X = data.X.copy()
    X[::7, 0] = np.nan
    path = bivariate(data_set="wine", init="cart").path()
    found = alternative_paths(Alternatives(path, 5, ((0,), (1,))), replace(data, X=X))
    assert found
    assert all(SPLITS[one.settings.split].takes_missing for one in found)
    assert all(one.settings.init != "bivariate_cart" for one in found)


def test_a_tree_of_the_search_is_a_tree_of_its_path(iris):
    data, _, wanted, found = iris
    for point, path in zip(found, alternative_paths(wanted, data), strict=True):
        assert path_points(path.settings, data)[point.figures["place"]].tree == point.tree


def test_a_plan_trains_every_path_at_low_priority(iris):
    data, _, wanted, found = iris
    plan = AlternativesPlan(wanted)
    assert plan.total == len(found)
    assert plan.ready({0: found[0]}, [1]) == list(range(2, len(found)))
    assert plan.visible({2: found[2], 0: found[0]}) == [found[0], found[2]]


def test_alternatives_are_about_as_good_and_selected_without_test_rows(iris):
    data, present, wanted, found = iris
    rows = split_rows(data, 0)
    kept = shortlist(present.tree, found, wanted.path, data, rows)
    assert 0 < len(kept) <= 6
    validation, test = rows[1], rows[2]
    own = error_of(present.tree, data.X[validation], data.labels()[validation])
    share = (own * validation.size + 2) / (validation.size + 4)
    most = own + np.sqrt(share * (1 - share) / (validation.size + 4))
    for one in kept:
        assert error_of(one.point.tree, data.X[validation], data.labels()[validation]) <= most
        assert one.agreement == agreement(present.tree, one.point.tree, data.X[test])
        assert one.point.tree != present.tree
    y = data.y.copy()
    y[test] = (y[test] + 1) % 3
    again = shortlist(present.tree, found, wanted.path, replace(data, y=y), rows)
    assert [one.point.index for one in again] == [one.point.index for one in kept]


def test_the_tree_itself_is_no_alternative(iris):
    data, present, wanted, _ = iris
    assert shortlist(present.tree, [present], wanted.path, data, split_rows(data, 0)) == []


def test_a_failed_path_is_a_result_and_the_others_are_still_trained(iris):
    _, _, wanted, found = iris
    plan = AlternativesPlan(wanted)
    index, failed = plan.failure(1, "Not enough rows.")
    assert (index, failed) == (1, FailedPath(1, "Not enough rows."))
    done = {0: found[0], 1: failed}
    assert plan.visible(done) == [found[0], failed]
    assert plan.ready(done, []) == list(range(2, plan.total))
