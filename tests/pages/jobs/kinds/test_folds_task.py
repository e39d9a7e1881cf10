"""Test folds that are trained in pieces or at once against separately trained paths, and folds with too few rows."""

from dataclasses import asdict, replace

import numpy as np
import pytest

import sample_data
from pages.jobs.kinds.plans import FoldsPlan
from pages.jobs.kinds.tasks import FoldsTask, folds
from pages.jobs.point import Point
from pages.jobs.row_split import split_rows
from pages.jobs.settings import CrossValidation, Settings
from tests.refusals import refused
from treecore import DataError, TAOClassifier, regularization_path
from treecore.tree.classes import Classes
from treecore.tree.quantity import Quantity

CHOSEN = CrossValidation(Settings("wine", split="univariate", init="cart", max_depth=3), (0.5, 2.0, 40.0), 3)
TWO = Classes(("a", "b"))


def results(task, **given):
    return [Point.from_record(record) for record in task.results(given)]


def test_errors_are_those_of_paths_on_folds_by_hand():
    data = sample_data.load("wine")
    task = FoldsTask(asdict(CHOSEN), data)
    train, validation, test = split_rows(data, 0)
    rows = np.concatenate([train, validation])
    labels, seen = data.labels(), []
    for fold, (fit, held) in enumerate(folds(data.target, labels[rows], 3, 0)):
        points = results(task, fold=fold, column=0, last=None)
        assert [point.index for point in points] == [3 * fold, 3 * fold + 1, 3 * fold + 2]
        fit, held = rows[fit], rows[held]
        seen += held.tolist()
        assert not np.isin([*fit, *held], test).any()
        assert not np.isin(fit, held).any()
        estimator = TAOClassifier(split="univariate", init="cart", max_depth=3, random_state=0)
        lams = np.array(CHOSEN.lams) * fit.size / train.size
        path = regularization_path(estimator, data.X[fit], labels[fit], lams, data.X[held], labels[held])
        assert [point.tree.to_json() for point in points] == [point.tree.to_json() for point in path.points]
        assert [point.figures["validation_error"] for point in points] == [one.validation_error for one in path.points]
        assert [point.figures["test_error"] for point in points] == [None] * 3
        other = FoldsTask(asdict(CHOSEN), data)  # as on another worker
        rest = results(other, fold=fold, column=1, last=points[0].tree.to_json())
        assert [point.tree.to_json() for point in rest] == [point.tree.to_json() for point in points[1:]]
    assert sorted(seen) == sorted(rows.tolist())


def test_the_plan_has_a_row_a_fold_and_nothing_to_show_before_its_end():
    plan = FoldsPlan(CHOSEN)
    task = FoldsTask(asdict(CHOSEN), plan.data)
    done = {}
    assert plan.ready(done, {}) == [0, 1, 2]
    for fold in (1, 0, 2):
        assert plan.visible(done) == []
        for point in results(task, **plan.arguments(fold, done)):
            done[point.index] = point
    assert plan.ready(done, {}) == []
    assert len(plan.visible(done)) == plan.total == 9
    del done[4]
    assert plan.ready(done, {}) == [1]
    assert plan.arguments(1, done) == {"fold": 1, "column": 1, "last": done[3].tree.to_json()}


def test_a_class_with_fewer_rows_than_folds_trains_in_all_of_them_and_judges_in_none():
    labels = np.array(["a"] * 30 + ["b"] * 20 + ["c"] * 3)
    for fit, held in folds(TWO, labels, 5, 0):
        assert set(labels[held]) == {"a", "b"}
        assert np.count_nonzero(labels[fit] == "c") == 3


@pytest.mark.parametrize(
    ("target", "labels", "code"),
    [
        (TWO, np.array(["a", "b"] * 4), "Too few rows for cross-validation"),
        (TWO, np.array(["a"] * 40 + ["b"] * 4), "Too few rows for cross-validation"),
        (TWO, np.array(list("abcdefghij")), "Too few rows for cross-validation"),
        (Quantity(), np.arange(9.0), "Too few rows for cross-validation"),
    ],
)
def test_tiny_tables_are_explained(target, labels, code):
    with refused(DataError, code, count=5, fewest=10):
        folds(target, labels, 5, 0)


def test_numbers_and_weighted_classes():
    quantity = replace(CHOSEN, path=replace(CHOSEN.path, data_set="diabetes"))
    points = results(FoldsTask(asdict(quantity), sample_data.load("diabetes")), fold=0, column=0, last=None)
    assert all(40 < point.figures["validation_error"] < 90 for point in points)
    weighted = replace(CHOSEN, path=replace(CHOSEN.path, class_weight="balanced"))
    points = results(FoldsTask(asdict(weighted), sample_data.load("wine")), fold=0, column=0, last=None)
    assert all(point.figures["is_weighted"] for point in points)
