"""Test the app on a phone: the tree is visible before, during and after a choice."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import at_rest, choose, show_details
from tests.browser.test_app import SMALL, stage_of

pytestmark = pytest.mark.browser


def test_the_choices_take_one_row_and_leave_the_tree_in_sight(open_page):
    page = open_page("/about")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(page.url.replace("/about", SMALL))
    stage = stage_of(page)
    assert stage.bounding_box()["x"] < 30
    picture = stage.locator(".view canvas").first
    expect(picture).to_have_css("touch-action", "pan-y")  # a finger on a wholly visible tree scrolls the page
    show_details(page)
    page.get_by_role("button", name="Zoom in").click()
    expect(picture).to_have_css("touch-action", "none")
    page.get_by_test_id("stage-fit").click()
    bar = page.get_by_test_id("stSidebar")
    assert bar.get_attribute("data-collapsed") == "true"
    choose(page.get_by_role("combobox", name=re.compile("Data set")), re.compile("Iris"))
    page.wait_for_url(re.compile("data_set=iris"))
    page.locator(".legend").get_by_text("setosa").wait_for()
    row = page.locator(".st-key-choices").bounding_box()
    assert row["height"] < 60
    assert 0 <= stage_of(page).bounding_box()["y"] - row["y"] - row["height"] < 40
    page.get_by_test_id("stExpandSidebarButton").click()
    at_rest(bar.get_by_role("link", name="How to read this")).click()
    page.wait_for_url(re.compile("about"))
    page.locator("[data-testid=stSidebar][data-collapsed=true]").wait_for(state="attached")
