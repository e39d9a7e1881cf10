"""Test the stage on a small screen: the inspector opens on a click and closes again, and touch targets are large."""

import re

import pytest

from tests.browser import stage_driver as driver
from tests.browser.conftest import PATIENCE

pytestmark = pytest.mark.browser


AT_REST = "() => !document.querySelector('.inspector').getAnimations().length"


def click_node(page, origin):
    """Click in the middle of a node."""
    page.mouse.click(*page.evaluate(driver.MIDDLE, origin))
    driver.rest(page)


@pytest.mark.parametrize(("width", "height"), [(680, 768), (390, 844)])
def test_a_click_on_a_node_opens_the_inspector_which_closes_again(open_stage, width, height):
    page = open_stage("wine", width=width, height=height)
    inspector = page.locator(".inspector")
    assert not inspector.is_visible()

    def closes(close):
        click_node(page, 0)
        assert driver.selected(page) == 0
        inspector.locator(".words").first.wait_for()
        page.wait_for_function(AT_REST)
        sheet = inspector.bounding_box()
        assert sheet["y"] + sheet["height"] <= height + 1
        assert sheet["x"] + sheet["width"] <= width + 1
        x, y = page.evaluate(driver.MIDDLE, 0)
        assert 0 < y < sheet["y"] if width < 641 else 0 < x < sheet["x"]  # the clicked node stays visible
        close()
        driver.rest(page)
        assert not inspector.is_visible()

    closes(lambda: page.get_by_test_id("stage-close").click())
    closes(lambda: page.keyboard.press("Escape"))
    assert driver.selected(page) == 0
    canvas = page.locator(".view canvas").first.bounding_box()
    closes(lambda: page.mouse.click(canvas["x"] + 4, canvas["y"] + 4))


@pytest.mark.parametrize("width", [360, 390])
def test_leaves_have_labels_and_the_sentences_are_together(open_stage, width):
    page = open_stage("wine", width=width, height=740)
    leaves = page.evaluate("() => [...stage.view.places.keys()].filter((node) => stage.tree.isLeaf(node)).length")
    assert page.locator(".view .label", has_text=re.compile(r"^(cultivar |…)\d$")).count() == leaves
    tools, sentences = page.locator(".tools").bounding_box(), page.locator(".headline, .cost").all()
    below = [one.bounding_box() for one in sentences if one.is_visible()]
    assert all(one["y"] + one["height"] <= tools["y"] + 1 for one in below)


@pytest.mark.parametrize("width", [320, 390])
def test_a_selected_node_stays_above_the_rising_sheet(open_stage, width):
    page = open_stage("wine", width=width, height=640, reduced_motion="no-preference")
    driver.rest(page)
    nodes = page.evaluate("() => [...stage.view.places.keys()].map((node) => stage.tree.origin[node])")
    for origin in (nodes[0], nodes[-1]):
        page.evaluate(f"scrollBy(0, ({driver.MIDDLE})({origin})[1] - 500)")  # the node is where the sheet will be
        click_node(page, origin)
        page.wait_for_function(AT_REST)
        x, y = page.evaluate(driver.MIDDLE, origin)
        assert 0 < y < page.locator(".inspector").bounding_box()["y"]
        page.keyboard.press("Escape")
        driver.rest(page)


def test_the_inspector_of_a_wide_stage_stays_where_it_is(open_stage):
    page = open_stage("wine")
    page.get_by_test_id("stage-panel").click()
    click_node(page, 0)
    assert not page.locator(".inspector").is_visible()  # the visitor has closed the inspector
    page.get_by_test_id("stage-panel").click()
    page.keyboard.press("Escape")
    assert page.locator(".inspector").is_visible()
    assert not page.get_by_test_id("stage-close").is_visible()


@pytest.fixture
def phone(browser, stage_file):
    """Return a phone that shows a tree for the wine data."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(stage_file("wine"))
    page.wait_for_selector("[data-testid=stage][data-painted]")
    yield page
    context.close()


def test_a_sheet_is_pulled_down_by_a_finger_and_all_can_be_hit(phone):
    phone.touchscreen.tap(*phone.evaluate(driver.MIDDLE, 0))
    driver.rest(phone)
    inspector = phone.locator(".inspector")
    phone.wait_for_function(AT_REST)
    small = phone.evaluate("""() => [...document.querySelectorAll(".stage button, .stage select, .stage summary")]
      .filter((e) => e.checkVisibility() && !e.matches(".link"))
      .map((e) => [e.textContent, e.getBoundingClientRect().height]).filter(([, height]) => height < 40)""")
    assert small == []
    box = inspector.bounding_box()
    swipe(phone, box["x"] + box["width"] / 2, box["y"] + 8, (30, 120))
    driver.rest(phone)
    assert not inspector.is_visible()


def test_a_finger_on_a_tree_that_is_whole_in_sight_leaves_it_in_its_place(phone):
    box = phone.locator(".view canvas").first.bounding_box()
    for down in (-60, 60):
        swipe(phone, box["x"] + 30, box["y"] + box["height"] / 2, (down / 3, down))
    driver.rest(phone)
    assert phone.evaluate("stage.view.camera.isWhole && stage.view.camera.x === 0")


def test_a_tap_below_a_folded_node_opens_its_subtree(browser, stage_file):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, offline=True)
    page = context.new_page()
    page.goto(stage_file("images 51"))
    page.wait_for_selector("[data-testid=stage][data-painted]")
    shown = "(() => { const { visible, tree } = stage.store; return [visible.nodes.length, tree.n]; })()"
    few, every = page.evaluate(shown)
    assert few < every
    smallest = page.evaluate("Math.min(...[...stage.view.boxes.values()].map((box) => box.w))")
    assert smallest >= 16
    label = page.locator(".view .label:visible", has_text="+").last
    label.wait_for()
    box = label.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    driver.rest(page)
    page.get_by_text("whole tree").wait_for()
    assert page.evaluate("stage.state.focus") not in (None, 0)
    page.get_by_text("whole tree").click()
    driver.rest(page)
    assert page.evaluate(shown) == [few, every]
    page.evaluate("stage.set({ levels: 'all' })")
    driver.rest(page)
    assert page.evaluate(shown) == [every, every]
    context.close()


def swipe(page, x, y, way):
    """Touch the screen at (x, y) and move the finger down by some pixels."""
    touch = page.context.new_cdp_session(page)
    for kind, dy in (("touchStart", 0), *(("touchMove", dy) for dy in way), ("touchEnd", None)):
        points = [] if dy is None else [{"x": x, "y": y + dy}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("factor", [1, 12_345])
def test_bars_of_shares_leave_numbers_alone(open_stage, factor):
    page = open_stage("wine")
    page.evaluate(
        """factor => {
          const { tree, state, path } = stage;
          const { counts, n } = tree.figures(state.set);
          counts.forEach((value, i) => (counts[i] = value * factor));
          n.forEach((value, i) => (n[i] = value * factor));
        }""",
        factor,
    )
    driver.select(page, 0)
    overlaps = page.evaluate("""() => [...document.querySelectorAll(".classes tbody td:has(i)")].filter((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell.querySelector("span:not(.bar)"));
      const [text, bar] = [range, cell.querySelector("i")].map((one) => one.getBoundingClientRect());
      return text.left < bar.right - 0.5 && bar.left < text.right - 0.5 || Math.abs(text.top - bar.top) > text.height;
    }).length""")
    assert overlaps == 0
    assert f"{35 * factor:,}" in page.locator(".classes").inner_text()
