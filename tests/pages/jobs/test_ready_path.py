"""Test that the stored first path equals the trained one, and is used for no other settings."""

from dataclasses import replace

import pytest

from pages.jobs import ready_path
from pages.jobs.kinds.plans import PathPlan
from pages.jobs.row_split import split_rows
from pages.jobs.settings import FIRST
from pages.jobs.task_data import task_data
from treecore.tree.metrics import error_of
from treecore.tree.tree import Tree
from viz.tree.readable_tree import readable_tree

AGAIN = "Training gives another path: python -m pages.jobs.ready_path writes it again."
# Sums of floating-point numbers depend on the processor and its threads, and the splits of oblique trees on these sums.
LEAVES, ERROR = 4, 0.04


def test_path_and_cart_are_what_training_gives():
    fingerprint, fresh = task_data(FIRST.data_set).fingerprint, ready_path.train()
    kept = list(ready_path.points(FIRST.path(), fingerprint).values())
    assert [point.lam for point in kept] == pytest.approx([record["lam"] for record in fresh["points"]]), AGAIN
    for point, record in zip(kept, fresh["points"], strict=True):
        assert point.figures["n_leaves"] == pytest.approx(record["n_leaves"], abs=LEAVES), AGAIN
        for name in ("train_error", "validation_error", "test_error"):
            assert point.figures[name] == pytest.approx(record[name], abs=ERROR), AGAIN
    cart = ready_path.reference(ready_path.first_reference(), fingerprint)
    assert cart.tree == Tree.from_json(fresh["reference"]["tree"]), AGAIN
    assert cart.figures["test_error"] == fresh["reference"]["test_error"], AGAIN


def test_metrics_are_those_of_the_stored_trees():
    data = task_data(FIRST.data_set)
    test, labels = split_rows(data, FIRST.seed)[2], data.labels()
    for point in ready_path.points(FIRST.path(), data.fingerprint).values():
        assert point.figures["n_leaves"] == point.tree.n_leaves
        assert point.figures["test_error"] == pytest.approx(error_of(point.tree, data.X[test], labels[test]))


@pytest.mark.long
def test_cross_validated_errors_are_those_of_the_folds():
    kept = ready_path.points(FIRST.path(), task_data(FIRST.data_set).fingerprint).values()
    fresh = ready_path.cross_validated(tuple(point.lam for point in kept))
    for point, errors in zip(kept, fresh, strict=True):
        assert {name: point.figures[name] for name in ready_path.CROSSED} == pytest.approx(errors, abs=ERROR), AGAIN


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
