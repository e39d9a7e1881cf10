"""Test the progress of cross-validation on its page."""

import time

import numpy as np
import pytest

from pages.jobs.settings import SWEEPS, CrossValidation
from pages.ui.session import data_sets, page_settings, with_folds
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_path
from tests.refusals import is_said, wording

PATH = {"data_set": "iris", "n_lambdas": "6", "split": "univariate", "init": "cart", "max_depth": "3"}


@pytest.fixture(autouse=True)
def five_folds(monkeypatch):
    monkeypatch.setenv("TAO_FOLDS", "5")


def shows(app, name, **values):
    return any(is_said(caption.value, name, **values) for caption in app.caption)


def over(job):
    end = time.monotonic() + 300
    while manager().status(job)["state"] in ("queued", "running") and time.monotonic() < end:
        time.sleep(0.1)
    return manager().status(job)["state"]


def test_the_folds_choose_and_without_them_the_validation_rows(open_app, monkeypatch):
    app = wait_for_path(open_app(**PATH))
    data, chosen = data_sets.load("iris"), page_settings.EXPLORE.text.read(PATH).path()
    path = manager().submit(chosen, data.fingerprint)
    points = manager().points(path)
    assert not any("ross-valid" in one.value for one in app.caption)  # cross-validation waits for the tree to appear
    wanted = CrossValidation(chosen, tuple(point.lam for point in points), 5)
    job = manager().submit(wanted, data.fingerprint)
    manager().cancel(job, None)
    app.session_state["folds"] = {path: job}
    assert shows(app.run(), "Cross-validation stopped")
    app.button(key="go-on-folds").click().run()
    assert over(job) == "done"
    assert shows(
        app.run(),
        "Cross-validation selects *Best tree* and *Simplest good tree*",
        folds=5,
        rows="120 training and validation rows",
    )
    assert not app.exception

    one = wait_for_path(open_app(lam=repr(points[1].lam), refine=str(SWEEPS), **PATH))
    one.session_state["folds"] = {path: job}
    assert shows(
        one.run(), "The folds contain no simplified trees, so cross-validation cannot select this one"
    )  # the curve stays, and its meaning is shown
    assert shows(one, "Cross-validation selects *Best tree* and *Simplest good tree*", folds=5)

    monkeypatch.setattr(with_folds.st, "session_state", {"folds": {path: job}})
    judged = with_folds.with_folds(with_folds.ended_folds(path), [*points[:2], points[1], *points[2:]])
    errors = np.array([point.figures["validation_error"] for point in manager().points(job)]).reshape(5, 6)
    found = [point.figures["cross_validated_error"] for point in judged]
    np.testing.assert_allclose(found, errors.mean(axis=0)[[0, 1, 1, 2, 3, 4, 5]])
    deviation = [point.figures["cross_validated_spread"] for point in judged]
    np.testing.assert_allclose(deviation, (errors.std(axis=0, ddof=1) / 5**0.5)[[0, 1, 1, 2, 3, 4, 5]])
    assert with_folds.ended_folds("another") == ""
    assert with_folds.with_folds("", points) is points


def test_impossible_folds_are_reported(open_app):
    app = wait_for_path(open_app(**PATH))
    data, chosen = data_sets.load("iris"), page_settings.EXPLORE.text.read(PATH).path()
    path = manager().submit(chosen, data.fingerprint)
    job = manager().submit(CrossValidation(chosen, (1.0, 2.0), 70), data.fingerprint)
    assert over(job) == "failed"
    app.session_state["folds"] = {path: job}
    assert shows(app.run(), "Cross-validation failed")
    assert any(
        wording(
            "Too few rows for cross-validation: 70 folds need … training and validation rows of two … with at "
            "least 70 rows each; the data have"
        ).search(one.value)
        for one in app.caption
    )
