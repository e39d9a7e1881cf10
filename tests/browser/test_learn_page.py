"""Test the Learn page in class: painted points train a tree, CART takes the same steps, links show the same run."""

import re
import time

import pytest

from tests.browser import stage_driver as driver
from tests.browser.conftest import at_rest

pytestmark = pytest.mark.browser


def ready(page):
    """Return the painted stage."""
    driver.stage(page).first.and_(page.locator("[data-painted]")).wait_for()
    return driver.stage(page)


def scribble(page, middle, number):
    """Spray points of a class around a position in the painter, given as shares of its sides."""
    painter = page.get_by_test_id("stage-painter")
    box = painter.bounding_box()
    page.get_by_role("button", name=f"class {number}").first.click()
    x, y = box["x"] + middle[0] * box["width"], box["y"] + middle[1] * box["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(8):
        page.mouse.move(x + 4 * step, y + 4 * step)
    page.mouse.up()


@pytest.mark.long
def test_painted_points_are_trained_on_and_travel_in_a_link(open_page):
    page = open_page("/learn?data_set=painted")
    ready(page)
    painter = page.get_by_test_id("stage-painter")
    at_rest(painter)
    scribble(page, (0.25, 0.3), 1)
    scribble(page, (0.7, 0.6), 2)
    caption = page.get_by_text(re.compile(r"TAO ends with 2 leaves and 0 of \d+ points"))
    page.get_by_text("Last tree").click()
    caption.wait_for()
    count = int(re.search(r"0 of (\d+)", caption.inner_text())[1])
    assert count >= 4
    page.wait_for_url(re.compile(rf"painted=[\w-]{{{4 * count}}}"))

    page.get_by_role("button", name="Share with a class").click()
    page.get_by_text("Data set", exact=True).click()
    page.get_by_text("Presentation mode").click()
    link = page.locator("code").filter(has_text="hide=data").filter(has_text="present=1")
    link.wait_for()
    address = link.inner_text().replace("\n", "")
    assert address.startswith(page.url.split("?")[0] + "?")

    other = open_page(address[address.index("/learn") :])
    ready(other)
    other.get_by_test_id("stage-step-sentence").get_by_text("0 errors").wait_for()
    assert other.get_by_text("TAO ends with").count() == 0  # the class is supposed to find this out
    leave = other.get_by_role("button", name="Exit presentation")
    box = at_rest(leave).bounding_box()
    assert box["y"] + box["height"] <= 900
    main = "(main) => main.scrollHeight <= main.clientHeight"
    assert other.get_by_test_id("stMain").evaluate(main)
    assert other.get_by_test_id("stSidebar").count() == 0 or not other.get_by_test_id("stSidebar").is_visible()
    assert not other.get_by_test_id("stHeader").is_visible()
    leave.click()
    other.get_by_text("Split type").wait_for()
    assert other.get_by_test_id("stSidebar").get_by_text("Data", exact=True).count() == 0


def test_cart_follows_in_step(open_page):
    page = open_page("/learn?beside=1&step=2")
    stages = ready(page)
    stages.nth(1).and_(page.locator("[data-painted]")).wait_for()
    at_rest(stages.nth(1))
    end = time.monotonic() + 60
    page.keyboard.press("PageDown")  # as a presentation remote does, wherever the focus is
    while [s.get_attribute("data-painted") for s in stages.all()] != ["3", "3"]:
        assert time.monotonic() < end
        page.wait_for_timeout(50)
    page.wait_for_url(re.compile(r"step=3"))

    # λ changes the tree on the stage before the page has trained with it.
    page.get_by_test_id("stage-lambda").first.press("ArrowRight")
    page.get_by_test_id("stage-where").filter(has_text="Pruning").first.wait_for()
    page.wait_for_url(re.compile(r"lam=1\.5.*step=\d\d"))


@pytest.mark.parametrize("query", ["data_set=nope", "lam=abc&beside=1", "data_set=nope&present=1"])
def test_the_player_stays_visible_below_a_notice(open_page, query):
    page = open_page(f"/learn?{query}")
    page.set_viewport_size({"width": 1280, "height": 720})
    ready(page)
    page.get_by_test_id("stAlert").wait_for()
    at_rest(page.get_by_test_id("stage-play").first)
    player = page.locator(".transport").first
    assert player.evaluate("(row) => row.scrollWidth <= row.clientWidth")
    box = player.bounding_box()
    assert box["y"] + box["height"] <= 720
