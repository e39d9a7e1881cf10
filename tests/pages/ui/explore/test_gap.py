"""Test the sentence that compares the tree on the stage with the best tree of its depth."""

import pytest

from pages.jobs.kinds import optimality
from pages.jobs.kinds.optimality import Optimality
from pages.jobs.settings import Gap
from pages.jobs.settings_text import PATH_TEXT
from pages.ui.explore import explorer
from pages.ui.session import data_sets
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_jobs, wait_for_path
from tests.refusals import wording

IRIS = {"data_set": "iris", "split": "univariate", "init": "cart", "max_depth": "2", "n_lambdas": "2"}
SENTENCES = (
    ("Optimal: no tree up to depth … on … thresholds has a smaller objective (training errors + λ × decision nodes)"),
    ("At most … above the best tree up to depth … on … thresholds, in training errors + λ × decision nodes (…; best"),
    (
        "At most … above the best tree up to depth … on … thresholds, in training errors + λ × decision "
        "nodes (…; best found"
    ),
)


def captions(app):
    return [one.value for one in app.caption]


def test_the_sentence_follows_the_tree(open_app):
    app = wait_for_path(open_app(tree="0", **IRIS))
    data, chosen = data_sets.load("iris"), PATH_TEXT.read(IRIS).path()
    path = manager().submit(chosen, data.fingerprint)
    point = manager().points(path)[0]
    assert not any(
        text == "Searching for the best tree of this depth. You can keep working." for text in captions(app)
    )  # the search waits for the tree to appear
    job = manager().submit(Gap(chosen, point.tree.to_json(), point.lam), data.fingerprint)
    app.session_state[explorer.GAPS] = {f"{path}-0": job}
    wait_for_jobs(30)
    app.run()
    assert not app.exception
    assert any(wording(name).match(text) for name in SENTENCES for text in captions(app))
    (found,) = manager().points(job)
    assert found.is_proven
    assert found.depth == point.figures["depth"]


def test_a_stopped_search_shows_nothing(open_app):
    other = IRIS | {"seed": "3"}
    app = wait_for_path(open_app(tree="0", **other))
    data, chosen = data_sets.load("iris"), PATH_TEXT.read(other).path()
    path = manager().submit(chosen, data.fingerprint)
    point = manager().points(path)[0]
    job = manager().submit(Gap(chosen, point.tree.to_json(), point.lam), data.fingerprint)
    manager().cancel(job, None)
    app.session_state[explorer.GAPS] = {f"{path}-0": job}
    app.run()
    assert not app.exception
    state = manager().status(job)["state"]
    assert state in ("cancelled", "done")
    assert any(wording(name).match(text) for name in SENTENCES for text in captions(app)) == (state == "done")


def test_a_better_tree_offers_to_start_from_it(open_app):
    wine = IRIS | {"data_set": "wine", "max_depth": "2"}
    app = wait_for_path(open_app(tree="0", **wine))
    data, chosen = data_sets.load("wine"), PATH_TEXT.read(wine).path()
    path = manager().submit(chosen, data.fingerprint)
    point = manager().points(path)[0]
    job = manager().submit(Gap(chosen, point.tree.to_json(), point.lam), data.fingerprint)
    app.session_state[explorer.GAPS] = {f"{path}-0": job}
    wait_for_jobs(30)
    app.run()
    (found,) = manager().points(job)
    assert found.best < found.objective
    app = wait_for_path(app.button(key="start-optimal").click().run())
    assert app.query_params["init"] == "optimal"
    best = PATH_TEXT.read(wine | {"init": "optimal"}).path()
    first = manager().points(manager().submit(best, data.fingerprint))[0]
    assert first.trace[-1]["objective"] <= found.best


def test_without_pystreed_nothing_is_shown(open_app, monkeypatch):
    monkeypatch.setattr(optimality, "find_spec", lambda name: None)
    app = wait_for_path(open_app(tree="0", **IRIS))
    wait_for_jobs()
    app.run()
    assert not app.exception
    assert not any(wording(name).match(text) for name in SENTENCES for text in captions(app))


@pytest.mark.parametrize(
    ("objective", "least", "proven", "name"),
    [
        (
            5.0,
            5.0,
            True,
            (
                "Optimal: no tree up to depth … on … thresholds has a smaller objective (training errors + λ × "
                "decision nodes)"
            ),
        ),
        (
            7.0,
            5.0,
            True,
            (
                "At most … above the best tree up to depth … on … thresholds, in training errors + λ × decision "
                "nodes (…; best"
            ),
        ),
        (
            7.0,
            1.0,
            False,
            (
                "At most … above the best tree up to depth … on … thresholds, in training errors + λ × decision "
                "nodes (…; best found"
            ),
        ),
    ],
)
def test_the_words_state_the_bound(objective, least, proven, name):
    text = str(explorer._gap_text(Optimality(0, objective, least, max(least, 5.0), proven, 28, 3)))
    assert wording(name).match(text)
    assert "up to depth 3 on 28 thresholds" in text
    assert (f"At most {objective - least:g} above" in text) == (
        name
        != (
            "Optimal: no tree up to depth … on … thresholds has a smaller objective (training errors + λ × "
            "decision nodes)"
        )
    )
