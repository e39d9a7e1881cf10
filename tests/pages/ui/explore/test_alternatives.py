"""Test the section with other trees about as good, and the notice about features left out."""

import time

from pages.jobs.kinds.alternative_paths import FailedPath
from pages.jobs.kinds.plans import AlternativesPlan
from pages.ui.session import data_sets
from pages.ui.shell import tree_strip
from tests.pages.conftest import wait_for_jobs, wait_for_path

SMALL = {"data_set": "iris", "split": "univariate", "init": "cart", "max_depth": "3", "n_lambdas": "4"}


def test_a_search_shows_trees_and_a_click_opens_one(open_app, monkeypatch):
    strips = []
    monkeypatch.setattr(tree_strip, "thumbnail_strip", lambda *given: strips.append(given))
    app = wait_for_path(open_app(**SMALL))
    app.button(key="alternatives").click()
    app = wait_for_path(app.run())
    end = time.monotonic() + 120
    while not strips and time.monotonic() < end:
        wait_for_jobs()
        app = wait_for_path(app.run())
    assert strips, [one.value for one in [*app.error, *app.caption, *app.markdown]]
    _, trees, chosen, choose, _ = strips[-1]
    numbers, pictures, words = zip(*trees, strict=True)
    assert chosen == numbers[0] == -1
    assert len(numbers) > 1
    assert all(picture.startswith("<svg") for picture in pictures)
    assert all("First split: " in text for text in words)
    assert "test rows" in words[1]
    assert callable(choose)


def test_failed_paths_are_named(open_app, monkeypatch):
    whole, failed = AlternativesPlan.visible, FailedPath(1, "Not enough rows.")
    monkeypatch.setattr(AlternativesPlan, "visible", lambda self, done: [*whole(self, done)[:1], failed])
    app = wait_for_path(open_app(**SMALL))
    app.button(key="alternatives").click()
    app = wait_for_path(app.run())
    end = time.monotonic() + 120
    while not any("skipped" in one.value for one in app.caption) and time.monotonic() < end:
        app = wait_for_path(app.run())
    skipped = [one.value for one in app.caption if "skipped" in one.value]
    assert len(skipped) == 1
    assert "(Not enough rows)" in skipped[0]
    assert not app.error


def test_features_left_out_are_named(open_app):
    app = wait_for_path(open_app(**SMALL, without="3"))
    name = data_sets.load("iris").feature_names[3]
    assert any(one.value == f"Trained without {name}." for one in app.caption)
    app.button(key="use-all-features").click()
    app = wait_for_path(app.run())
    assert not any(one.value.startswith("Trained without") for one in app.caption)
