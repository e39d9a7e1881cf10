"""The app as a person meets it: open it, wait for the first tree, move the slider, cancel, follow a link."""

import re
import time

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TREE = re.compile("Decision tree with")
SMALL = "/?data_set=wine&max_depth=3&n_lambdas=8"


def tree_text(page):
    return page.get_by_alt_text(TREE).get_attribute("alt")


def shown_at(slider):
    return re.compile(f"lambda {re.escape(slider.get_attribute('aria-valuetext'))};")


def test_a_cold_deep_link_shows_the_whole_frame(open_page):
    page = open_page("/about")  # the first visit of this server, whatever the order of the tests: see below
    page.get_by_role("heading", name="How to read this").wait_for()
    page.get_by_role("link", name="Explore").wait_for()
    page = open_page("/data")
    page.get_by_role("button", name="Explore this data set").wait_for()
    page.get_by_role("link", name="Explore", exact=True).wait_for()


def test_the_first_tree_comes_without_a_click_and_the_slider_moves_it(open_page):
    page = open_page("/")
    page.get_by_text(re.compile("Preparing|Training tree|Waiting")).first.wait_for()
    page.get_by_alt_text(TREE).wait_for()
    slider = page.get_by_role("slider", name=re.compile("strength of the penalty"))
    slider.wait_for()
    # the last picture of the training may still be there
    page.get_by_alt_text(shown_at(slider)).wait_for()
    before = tree_text(page)
    slider.focus()
    start = int(slider.input_value())
    for _ in range(4):
        slider.press("ArrowRight")
    page.wait_for_url(re.compile(f"tree={start + 4}"))
    page.get_by_alt_text(shown_at(slider)).wait_for()
    after = tree_text(page)
    assert after != before
    page.goto(page.url)
    page.get_by_alt_text(TREE).wait_for()
    assert tree_text(page) == after


def test_cancelling_answers_within_a_second(open_page):
    page = open_page("/?n_lambdas=60&seed=77")
    page.get_by_role("button", name="Cancel").wait_for()
    page.get_by_text(re.compile("Training tree")).wait_for()
    began = time.monotonic()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Training was cancelled").wait_for()
    assert time.monotonic() - began < 1.0
    page.get_by_role("button", name="Train again").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tables_show_coefficients_in_both_themes(open_page, scheme):
    page = open_page(SMALL, scheme)
    page.get_by_alt_text(TREE).wait_for()
    page.get_by_role("button", name="Simplest good tree").wait_for()
    page.get_by_text("Nodes of this tree as a table").click()
    page.get_by_test_id("stDataFrame").wait_for()


def test_files_can_be_saved(open_page):
    page = open_page(SMALL)
    page.get_by_role("button", name="Simplest good tree").wait_for()
    page.get_by_text("Save", exact=True).click()
    for label, start in (
        ("Picture (SVG)", b"<?xml"),
        ("Tree (JSON)", b'{"format": "treecore-tree"'),
        ("Path (CSV)", b"index"),
    ):
        with page.expect_download() as download:
            page.get_by_role("button", name=label).click()
        assert download.value.path().read_bytes().startswith(start)


def test_pages_are_reached_by_the_menu_and_keep_the_state(open_page):
    page = open_page(SMALL)
    page.get_by_alt_text(TREE).wait_for()
    page.get_by_role("link", name="Data").click()
    page.get_by_text("178").first.wait_for()
    page.get_by_role("link", name="Explore").click()
    page.get_by_alt_text(TREE).wait_for()
    assert page.get_by_role("combobox", name=re.compile("Data set")).input_value() == "Italian wines (wine)"
