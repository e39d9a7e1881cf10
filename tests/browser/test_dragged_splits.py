"""Test that a dragged split depends only on the end of the drag, not on its events, its kind or earlier drags."""

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.conftest import PATIENCE
from tests.browser.test_editor import REDRAWN, document, drag, node_of, select

pytestmark = pytest.mark.browser
COLUMN = "j => { const { X, n } = stage.path.sample; return Array.from(X.slice(j * n, (j + 1) * n)); }"
MOVES = (1, 3, 10, 50)  # numbers of events in one drag


def evenly(moves):
    """Return the positions, from 0 to 1, of this many events along a drag."""
    return [(i + 1) / moves for i in range(moves)]


def undo(page):
    page.get_by_test_id("edit-undo").click()
    driver.rest(page)


def threshold(page, origin):
    node = node_of(page, origin)
    return -node["bias"] / node["weights"][0]


@pytest.mark.long
def test_the_threshold_of_a_category_depends_on_the_shift_alone(open_stage):
    page = open_stage("edited categories")
    n_strips = 0
    for node in [node["id"] for node in document(page)["nodes"] if len(node.get("features", [])) > 1]:
        select(page, node)
        driver.rest(page)
        before = node_of(page, node)
        for strip in range(1, 3):
            if not page.get_by_test_id(f"handle-plot-{strip}-move").is_visible():
                continue
            ends = []
            for moves in MOVES:
                drag(page, f"handle-plot-{strip}-move", -25, 0, evenly(moves))
                after = node_of(page, node)
                ends.append([*after["weights"], after["bias"]])
                undo(page)
            assert ends[0] != [*before["weights"], before["bias"]]
            np.testing.assert_allclose(ends, ends[:1] * len(MOVES), rtol=1e-9)
            n_strips += 1
        if n_strips:
            break
    assert n_strips == 2


@pytest.fixture
def tablet(browser, stage_file):
    """Return a touch screen that shows an edited tree."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, has_touch=True, offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(stage_file("edited table"))
    page.wait_for_selector("[data-testid=stage][data-painted]")
    yield page
    context.close()


def test_a_finger_moves_a_threshold_as_a_mouse_does(tablet):
    select(tablet, 0)
    drag(tablet, "handle-plot-move", 30, 0)
    by_mouse = threshold(tablet, 0)
    undo(tablet)
    box = tablet.get_by_test_id("handle-plot-move").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = tablet.context.new_cdp_session(tablet)
    for kind, shift in (("touchStart", 0), ("touchMove", 8), ("touchMove", 20), ("touchMove", 30), ("touchEnd", None)):
        points = [] if shift is None else [{"x": x + shift, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        tablet.evaluate(REDRAWN)
    driver.rest(tablet)
    assert threshold(tablet, 0) == pytest.approx(by_mouse, rel=1e-9)


def test_a_threshold_stays_on_the_axis_however_often_it_is_dragged(open_stage):
    page = open_stage("edited table")
    select(page, 0)
    ends = []
    for _ in range(4):
        drag(page, "handle-plot-move", 900, 0, evenly(3))
        ends.append(threshold(page, 0))
    feature = node_of(page, 0)["features"][0]
    values = page.evaluate(COLUMN, feature)
    room = 0.05 * (max(values) - min(values))
    assert ends == pytest.approx(ends[:1] * 4)
    assert ends[0] <= max(values) + room
