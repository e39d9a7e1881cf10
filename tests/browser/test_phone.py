"""Test the app on a phone: the tree is visible before, during and after a choice."""

import re

import pytest
from playwright.sync_api import expect

from pages.rooms.room_store import PAUSE
from tests.browser.conftest import at_rest, choose, show_details
from tests.browser.test_app import SMALL, stage_of

pytestmark = pytest.mark.browser


def test_the_choices_take_two_rows_and_leave_the_tree_in_sight(open_page):
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
    assert row["height"] < 110
    assert 0 <= stage_of(page).bounding_box()["y"] - row["y"] - row["height"] < 40
    page.get_by_test_id("stExpandSidebarButton").click()
    at_rest(bar.get_by_role("link", name="How to read this")).click()
    page.wait_for_url(re.compile("about"))
    page.locator("[data-testid=stSidebar][data-collapsed=true]").wait_for(state="attached")


def test_a_student_guesses_by_keyboard_mouse_and_touch_and_sees_the_top_of_the_next_screen(open_page):
    teacher = open_page("/learn?lesson=what-a-tree-is")
    teacher.get_by_role("button", name="Open room").click()
    student = open_page(f"/room?room={teacher.locator('.room-code').inner_text()}")
    student.set_viewport_size({"width": 390, "height": 700})
    slider = student.get_by_role("slider", name="Your guess: 0 to 600 points", exact=True)  # one name
    finger = student.context.new_cdp_session(student)
    value, send = student.get_by_test_id("stSliderThumbValue"), student.get_by_role("button", name="Send guess")
    before = value.inner_text()
    for x in (None, 150, 250):  # keyboard, mouse and touch
        at = {"x": x, "y": slider.bounding_box()["y"] + 8}
        if x is None:
            slider.press("ArrowRight")
        elif x == 150:
            student.mouse.click(**at)
        else:
            finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
            finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(value).not_to_have_text(before)
        before = value.inner_text()
        student.wait_for_timeout(1000 * PAUSE)  # a faster guess is refused
        send.click()
        expect(student.get_by_test_id("stAlert")).to_contain_text(f"Your guess: {before}.")
    student.set_viewport_size({"width": 390, "height": 400})
    teacher.keyboard.press("PageDown")
    student.locator(".guesses").wait_for()
    main = student.get_by_test_id("stMain")
    assert main.evaluate("(page) => { page.scrollTop = 150; return page.scrollTop; }") == 150
    teacher.keyboard.press("PageDown")
    student.get_by_text("This screen needs no guess. Look at the projector.").wait_for()
    expect(main).to_have_js_property("scrollTop", 0)
