"""Test that the stored first path equals the trained one, and is used for no other settings."""

from dataclasses import replace

import pytest

from pages.jobs import ready_path
from pages.jobs.kinds.plans import PathPlan
from pages.jobs.settings import FIRST
from pages.jobs.task_data import task_data
from treecore.tree.tree import Tree

OTHERWISE = ("seconds", "trace", "tree")


def test_it_is_what_training_gives():
    kept = ready_path.points(FIRST.path(), task_data(FIRST.data_set).fingerprint)
    fresh = ready_path.train_path()["points"]
    again = "Another path is trained now: python -m pages.jobs.ready_path writes it anew."
    assert list(kept) == [record["index"] for record in fresh], again
    for point, record in zip(kept.values(), fresh, strict=True):
        tree = Tree.from_json(record["tree"])
        for name in ("left", "right", "indptr", "features", "labels", "origin"):
            assert (getattr(point.tree, name) == getattr(tree, name)).all(), again
        assert point.tree.weights == pytest.approx(tree.weights), again
        assert point.tree.bias == pytest.approx(tree.bias), again
        figures = {name: value for name, value in record.items() if name not in OTHERWISE}
        assert {name: point.figures[name] for name in figures} == pytest.approx(figures), again


def test_a_plan_of_it_has_all_of_its_trees():
    plan = PathPlan(FIRST.path())
    assert len(plan.visible(plan.load_stored())) == plan.total


def test_it_is_that_of_no_other_settings_and_no_other_data():
    fingerprint = task_data(FIRST.data_set).fingerprint
    assert ready_path.points(replace(FIRST.path(), seed=1), fingerprint) == {}
    assert ready_path.points(FIRST.path(), fingerprint[::-1]) == {}
