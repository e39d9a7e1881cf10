"""Test the views of the stage that a browser reports."""

from types import SimpleNamespace

from pages.ui.shell import stage
from tests.each import each

GOOD = {"key": "a", "tree": 2, "node": 7, "turn": 1, "scene": None, "moment": 3, "pin": 4}


@each(
    "seen", [None, 3, "a", [], {}, {"tree": 1}, GOOD | {"key": "b"},
             *(GOOD | {part: value} for part in ("tree", "node", "turn", "scene", "moment", "pin")
               for value in (-1, 1.5, "x", True, [], {}, 10**30, float("nan")))],
)  # fmt: skip
def test_a_view_that_makes_no_sense_is_none(monkeypatch, seen):
    monkeypatch.setattr(stage, "st", SimpleNamespace(session_state={"stage": {"view": seen}}))
    assert stage.latest_view("a") is None
    monkeypatch.setattr(stage, "st", SimpleNamespace(session_state={"stage": {"view": GOOD}}))
    assert stage.latest_view("a") == stage.View(2, 7, 1, None, 3, pin=4)
    monkeypatch.setattr(
        stage, "st", SimpleNamespace(session_state={"stage": {"view": {"key": "a", "tree": 1, "node": None}}})
    )
    assert stage.latest_view("a") == stage.View(1)
