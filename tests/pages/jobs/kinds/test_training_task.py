"""Test that class weights for a rare class count in training and in the errors of the curves."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from pages.jobs.kinds.tasks import PathTask
from pages.jobs.point import Point
from pages.jobs.row_split import split_rows
from pages.jobs.settings import Settings
from sample_data import DataSet
from tests.customers import grouped_customers
from tests.refusals import refused
from treecore.errors import ParameterError
from treecore.tree.metrics import row_losses
from viz.charts.path_points import error_panel, path_points
from viz.payload.stage_payload import stage_values


@pytest.fixture(scope="module")
def fraud():
    """Return data with 2 % fraud rows, some of which differ from the rest."""
    rng = np.random.default_rng(0)
    y = (rng.random(4000) < 0.02).astype(int)
    X = rng.normal(size=(4000, 3)) + 1.6 * y[:, None]
    return DataSet("fraud", "Fraud", X, y, ("a", "b", "c"), ("fine", "fraud"))


def errors_by_class(task, tree):
    X, labels = task.test
    losses = row_losses(tree, X, labels)
    return [losses[labels == name].mean() for name in ("fine", "fraud")]


def test_balanced_classes_find_what_is_rare(fraud):
    chosen = Settings("fraud", split="univariate", init="cart", max_depth=4, n_lambdas=6)
    found = {}
    for weight in ("equal", "balanced"):
        task = PathTask(asdict(replace(chosen, class_weight=weight)), fraud)
        points = [Point.from_record(record) for record in task.results({"done": 0, "last": None})]
        best = min(points, key=lambda point: point.figures["validation_error"])
        told = "weighted error (%)" if weight == "balanced" else "error (%)"
        assert error_panel(path_points(points)).title == told
        shown = stage_values(points, fraud, split_rows(fraud, 0, "standard"))
        kept = shown["weighted"]
        if weight == "balanced":
            np.testing.assert_array_equal(kept[2], [point.figures["test_error"] for point in points])
        else:
            assert kept == [None] * 3
        found[weight] = errors_by_class(task, best.tree)
        if weight == "balanced":
            for point in points:
                # Each class is weighted by its training rows, whose shares a random split of the rows has kept.
                mean = np.mean(errors_by_class(task, point.tree))
                assert point.figures["test_error"] == pytest.approx(mean, abs=0.01)
                assert point.figures["validation_spread"] > 0
    task = PathTask(asdict(replace(chosen, class_weight="1-49")), fraud)
    points = [Point.from_record(record) for record in task.results({"done": 0, "last": None})]
    labels = task.test[1]
    for point in points:
        losses = row_losses(point.tree, *task.test)
        weights = np.where(labels == "fraud", 49, 1)
        assert point.figures["test_error"] == pytest.approx(np.average(losses, weights=weights))
    assert errors_by_class(task, points[0].tree)[1] < 0.4
    assert found["equal"][1] > 0.5
    assert found["balanced"][1] < 0.4
    assert np.mean(found["balanced"]) < np.mean(found["equal"])


def test_weights_that_do_not_fit_are_refused(fraud):
    with refused(ParameterError, "The weights … do not match these data. Enter one number for each of the 2 classes"):
        PathTask(asdict(Settings("fraud", class_weight="1-2-3")), fraud)


def test_groups_of_categories_are_lists_of_features_and_old_jobs_have_none():
    _, data = grouped_customers()
    chosen = Settings("grouped", split="univariate", init="cart", max_depth=4, n_lambdas=4)
    old = {name: value for name, value in asdict(chosen).items() if name != "categories"}
    assert PathTask(old, data).estimator().categories == "features"
    task = PathTask(asdict(replace(chosen, categories="groups")), data)
    assert task.estimator().categories == [list(range(12))]
    points = [Point.from_record(record) for record in task.results({"done": 0, "last": None})]
    assert max(np.diff(point.tree.indptr).max() for point in points) > 1
    oblique = asdict(replace(chosen, split="oblique", categories="groups"))
    assert PathTask(oblique, data).estimator().categories == "features"
