"""Test Back and Forward: each press undoes one choice of the visitor, on every page."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import at_rest, choose
from tests.browser.test_app import SMALL, painted, stage_of

pytestmark = pytest.mark.browser


def step_to(page, index):
    """Move the slider to a tree and leave it there."""
    slider = page.get_by_test_id("stage-slider")
    slider.press("Home")
    for _ in range(index):
        slider.press("ArrowRight")
    painted(stage_of(page), index)
    page.wait_for_url(re.compile(f"tree={index}"))


def data_set(page):
    return page.get_by_role("combobox", name=re.compile("Data set"))


def test_back_and_forward_go_through_the_choices_of_explore(open_page):
    page = open_page(SMALL)
    opened = stage_of(page).get_attribute("data-painted")
    length = page.evaluate("() => history.length")
    step_to(page, 1)
    before = page.evaluate("() => history.length")
    choose(data_set(page), re.compile("Iris"))
    page.wait_for_url(re.compile("data_set=iris"))
    page.locator(".legend").get_by_text("setosa").wait_for()
    assert page.evaluate("() => history.length") == before + 1
    page.go_back()
    expect(data_set(page)).to_have_value(re.compile("wine"))
    page.locator(".legend").get_by_text("cultivar 1").wait_for()
    painted(stage_of(page), 1)
    for _ in range(before - length):
        page.go_back()
    painted(stage_of(page), opened)
    page.wait_for_url(lambda url: "tree=" not in url)
    for _ in range(before - length):
        page.go_forward()
    painted(stage_of(page), 1)
    page.go_forward()
    expect(data_set(page)).to_have_value(re.compile("iris"))
    page.locator(".legend").get_by_text("setosa").wait_for()


def test_a_page_is_one_press_and_keeps_what_was_chosen_on_it(open_page):
    page = open_page(SMALL)
    stage_of(page)
    step_to(page, 2)
    length = page.evaluate("() => history.length")
    at_rest(page.get_by_role("link", name="Rules")).click()
    page.wait_for_url(re.compile(r"/rules\?.*data_set=wine"))
    page.get_by_test_id("stage").first.wait_for()
    assert page.evaluate("() => history.length") == length + 1
    page.go_back()
    page.wait_for_url(re.compile(r"/\?.*tree=2"))
    painted(stage_of(page), 2)
    page.go_forward()
    page.wait_for_url(re.compile(r"/rules\?.*data_set=wine"))
    page.get_by_test_id("stage").first.wait_for()


@pytest.mark.long
def test_the_row_and_the_question_of_explain_come_back(open_page):
    page = open_page("/explain?data_set=iris&max_depth=2&n_lambdas=3&tree=0&row=3")
    number = page.get_by_role("spinbutton", name="Row number")
    expect(number).to_have_value("3")
    number.fill("7")
    number.press("Enter")
    page.wait_for_url(re.compile("row=7"))
    page.get_by_text("Which features matter").click()
    page.wait_for_url(re.compile("part=features"))
    page.go_back()
    expect(number).to_have_value("7")
    page.go_back()
    expect(number).to_have_value("3")
    page.go_forward()
    expect(number).to_have_value("7")
    length = page.evaluate("() => history.length")
    page.get_by_role("button", name="Rule").click()
    page.wait_for_url(re.compile(r"/rules\?data_set=iris.*node="))
    page.get_by_text(re.compile("^THEN ")).or_(page.locator(".st-key-rule-detail code")).first.wait_for()
    page.go_back()
    expect(number).to_have_value("7")
    assert page.evaluate("() => history.length") <= length + 1


def test_back_takes_a_change_by_hand_from_the_screen(open_page):
    page = open_page("/edit?data_set=wine&split=univariate&init=cart&max_depth=2&n_lambdas=3&tree=0")
    handle, threshold = page.get_by_test_id("handle-plot-move"), page.get_by_test_id("edit-threshold")
    before = threshold.input_value()
    length = page.evaluate("() => history.length")
    for _ in range(5):
        handle.press("ArrowRight")
    page.wait_for_url(re.compile("edit="))
    expect(threshold).not_to_have_value(before)
    after = threshold.input_value()
    assert page.evaluate("() => history.length") == length + 1
    page.go_back()
    page.wait_for_url(lambda url: "edit=" not in url)
    expect(threshold).to_have_value(before)
    page.go_forward()
    page.wait_for_url(re.compile("edit="))
    expect(threshold).to_have_value(after)


@pytest.mark.long
def test_one_press_is_one_choice_of_compare(open_page):
    page = open_page("/compare?data_set=iris&methods=cart&repeats=2&inner=2")
    words = page.get_by_text(re.compile("150 rows: "))
    expect(words).to_have_text(re.compile("2-fold cross-validation"))
    length = page.evaluate("() => history.length")
    choose(page.get_by_role("combobox", name=re.compile("Protocol")), re.compile("Repeated random splits"))
    page.wait_for_url(re.compile("protocol=splits"))
    expect(words).to_have_text(re.compile("2 random splits"))
    choose(data_set(page), re.compile("wine"))
    page.wait_for_url(re.compile("data_set=wine"))
    expect(page.get_by_text(re.compile("178 rows: 2 random splits"))).to_be_visible()
    assert page.evaluate("() => history.length") == length + 2
    page.go_back()
    expect(data_set(page)).to_have_value(re.compile("Iris"))
    expect(words).to_have_text(re.compile("2 random splits"))
    page.go_back()
    expect(words).to_have_text(re.compile("2-fold cross-validation"))
    page.go_forward()
    expect(words).to_have_text(re.compile("2 random splits"))
    assert "methods=cart" in page.url


def test_the_moments_of_a_lesson_come_back(open_page):
    page = open_page("/learn?lesson=care-points")
    first = page.locator(".lesson .plain > p").first
    words = first.inner_text()
    page.get_by_test_id("lesson-next").click()
    page.wait_for_url(re.compile("moment=2"))
    expect(first).not_to_have_text(words)
    page.go_back()
    page.wait_for_url(lambda url: "moment" not in url)
    expect(page.locator(".lesson .plain > p").first).to_have_text(words)
    page.go_forward()
    page.wait_for_url(re.compile("moment=2"))
    expect(page.locator(".lesson .plain > p").first).not_to_have_text(words)


@pytest.mark.long
def test_the_ways_to_bring_rows_come_back(open_page):
    page = open_page("/predict?data_set=iris&max_depth=2&n_lambdas=3&tree=0")
    ways = [page.get_by_role("radio", name=name) for name in ("Upload a file", "Paste rows", "Test rows")]
    expect(ways[0]).to_be_checked()
    length = page.evaluate("() => history.length")
    for way, said in zip(ways[1:], ("paste", "known"), strict=True):
        at_rest(way).click()
        page.wait_for_url(re.compile(f"from={said}"))
    assert page.evaluate("() => history.length") == length + 2
    for back in (1, 0):
        page.go_back()
        expect(ways[back]).to_be_checked()
    page.go_forward()
    expect(ways[1]).to_be_checked()


@pytest.mark.long
def test_links_to_a_part_of_a_page_open_it_whatever_it_showed_before(open_page):
    page = open_page(SMALL)

    def open_by(link):
        at_rest(page.get_by_role("link", name=link)).click()

    def back():
        page.go_back()
        page.wait_for_url(re.compile(r"/\?"))
        stage_of(page)

    stage_of(page)
    for link, way in (("Predict", "Upload a file"), ("Performance", "Test rows")) * 2:
        open_by(link)
        expect(page.get_by_role("radio", name=way)).to_be_checked()
        back()
    open_by("Explain a prediction")
    at_rest(page.get_by_role("radio", name="Which features matter")).click()
    page.wait_for_url(re.compile("part=features"))
    at_rest(page.get_by_role("link", name="Tree", exact=True)).click()
    stage_of(page)
    open_by("Explain a prediction")
    expect(page.get_by_role("radio", name="This row")).to_be_checked()


def test_a_reload_shows_the_data_set_that_was_chosen(open_page):
    page = open_page("/?n_lambdas=3&max_depth=2&split=univariate&init=cart&data_set=iris")
    stage_of(page)
    choose(data_set(page), re.compile("wine"))
    page.wait_for_url(re.compile("data_set=wine"))
    page.reload()
    expect(data_set(page)).to_have_value(re.compile("wine"))
