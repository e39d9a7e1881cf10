"""Test that the stored first path equals the trained one, and is used for no other settings."""

from dataclasses import replace

import pytest

from pages.jobs import ready_path
from pages.jobs.kinds.plans import PathPlan
from pages.jobs.settings import FIRST
from pages.jobs.task_data import task_data
from treecore.tree.tree import Tree
from viz.tree.readable_tree import readable_tree

OTHERWISE = ("seconds", "trace", "tree")
AGAIN = "Training gives another path: python -m pages.jobs.ready_path writes it again."


def test_path_and_cart_are_what_training_gives():
    fingerprint, fresh = task_data(FIRST.data_set).fingerprint, ready_path.train()
    kept = ready_path.points(FIRST.path(), fingerprint)
    assert list(kept) == [record["index"] for record in fresh["points"]], AGAIN
    cart = ready_path.reference(ready_path.first_reference(), fingerprint)
    for point, record in zip([*kept.values(), cart], [*fresh["points"], fresh["reference"]], strict=True):
        tree = Tree.from_json(record["tree"])
        for name in ("left", "right", "indptr", "features", "labels", "origin"):
            assert (getattr(point.tree, name) == getattr(tree, name)).all(), AGAIN
        assert point.tree.weights == pytest.approx(tree.weights), AGAIN
        assert point.tree.bias == pytest.approx(tree.bias), AGAIN
        figures = {name: value for name, value in record.items() if name not in OTHERWISE}
        assert {name: point.figures[name] for name in figures} == pytest.approx(figures), AGAIN


@pytest.mark.long
def test_cross_validated_errors_are_those_of_the_folds():
    kept = ready_path.points(FIRST.path(), task_data(FIRST.data_set).fingerprint).values()
    fresh = ready_path.cross_validated(tuple(point.lam for point in kept))
    assert [{name: point.figures[name] for name in ready_path.CROSSED} for point in kept] == pytest.approx(fresh), AGAIN


def test_a_plan_of_it_has_all_of_its_trees():
    plan = PathPlan(FIRST.path())
    assert len(plan.visible(plan.load_stored())) == plan.total


def test_it_is_that_of_no_other_settings_and_no_other_data():
    fingerprint = task_data(FIRST.data_set).fingerprint
    assert ready_path.points(replace(FIRST.path(), seed=1), fingerprint) == {}
    assert ready_path.points(FIRST.path(), fingerprint[::-1]) == {}
    assert ready_path.reference(replace(ready_path.first_reference(), seed=1), fingerprint) is None
    assert ready_path.reference(ready_path.first_reference(), fingerprint[::-1]) is None


def test_the_first_tree_needs_fewer_leaves_than_cart_and_errs_less():
    fingerprint = task_data(FIRST.data_set).fingerprint
    points = list(ready_path.points(FIRST.path(), fingerprint).values())
    first = points[readable_tree(points, has_images=True).index].figures
    cart = ready_path.reference(ready_path.first_reference(), fingerprint).figures
    assert first["n_leaves"] < cart["n_leaves"]
    assert first["test_error"] < cart["test_error"] / 2
