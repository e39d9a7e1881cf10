"""Test editing at the wrong moment: on a removed leaf, on a sample, during a drag, during typing."""

import json

import pytest

from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made
from tests.browser.test_editor import DOCUMENT, LIVE, WORDS, document, leaf_of, select

pytestmark = pytest.mark.browser


def test_a_line_is_drawn_only_across_the_leaf_it_was_meant_for(open_stage):
    page = open_stage("edited plane")
    leaf = leaf_of(page)
    page.evaluate("leaf => { stage.select(leaf); stage.editor.drawing.start(leaf); }", leaf)
    page.get_by_test_id("stage").focus()
    page.keyboard.press("s")
    assert not page.evaluate("() => stage.editor.drawing.isOn")  # the node has become a decision node
    other = leaf_of(page)
    page.evaluate("leaf => { stage.select(leaf); stage.editor.drawing.start(leaf); }", other)
    select(page, leaf)
    assert not page.evaluate("() => stage.editor.drawing.isOn")
    page.evaluate("leaf => { stage.select(leaf); stage.editor.drawing.start(leaf); }", other)
    page.evaluate("() => stage.load(bytes('trees'), { fresh: true })")  # loads a smaller tree
    assert not page.evaluate("() => stage.editor.drawing.isOn")
    assert page.evaluate("() => stage.editor.history.at") == 0


def test_figures_of_a_sample_are_compared_with_those_of_the_same_rows(open_stage):
    page = open_stage("edited sample")
    found = made("edited sample")
    assert page.evaluate("() => stage.editor.partly[0].here") < found.data.n_rows
    whole = page.locator(".figures").inner_text()
    select(page, 0)
    page.get_by_test_id("edit-lock").click()
    driver.rest(page)
    errors = page.evaluate("() => stage.tree.figures(0).losses[0]")
    locked = page.locator(".figures").inner_text()
    assert locked != whole
    assert "→" not in locked
    assert f"errors {errors:,}" in page.get_by_test_id("edit-feedback").inner_text()
    page.keyboard.press("Control+z")
    driver.rest(page)
    assert page.locator(".figures").inner_text() == whole


def test_updates_during_a_drag_or_typing_wait(open_stage):
    page = open_stage("edited table")
    page.evaluate(LIVE)
    select(page, 0)
    first = page.evaluate(DOCUMENT)
    rule = json.loads(first)
    rule["nodes"][0]["bias"] += 0.1
    said = {"turn": 1, "seen": 0, "ask": "rule", "document": rule, "message": "typed"}
    box = page.get_by_test_id("handle-plot-move").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y)
    page.evaluate("said => stage.editor.hear(said)", said)
    page.keyboard.press("Control+z")
    assert page.evaluate(DOCUMENT) == first
    page.mouse.up()
    driver.rest(page)
    words = ["original tree", "node 1: split moved", "typed"]
    assert page.evaluate(WORDS) == words
    page.mouse.move(x, y)
    drag_on = page.get_by_test_id("handle-plot-move").bounding_box()
    page.mouse.move(drag_on["x"] + 14, drag_on["y"] + 14)
    page.mouse.down()
    page.mouse.move(drag_on["x"] + 60, drag_on["y"] + 14)
    page.keyboard.press("Escape")
    page.mouse.up()
    driver.rest(page)
    assert page.evaluate(WORDS) == words
    assert document(page) == rule
    assert page.evaluate("() => stage.tree === stage.editor.tree && !stage.state.penDown")
    field = page.get_by_test_id("edit-threshold")
    field.fill("1.2")
    page.evaluate("() => stage.inspector.draw()")
    assert field.input_value() == "1.2"
    assert page.evaluate(WORDS) == words
    field.press("Enter")
    driver.rest(page)
    assert page.evaluate(WORDS) == [*words, "node 1: threshold moved"]
