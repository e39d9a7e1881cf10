"""Test the Compare page as a visitor uses it: results, files, and selected rows highlighted in both trees."""

import re

import pytest

from tests.browser.conftest import PATIENCE, open_save_menu

pytestmark = pytest.mark.browser

COMPARE = "/compare?data_set=wine&methods=tao_univariate-cart-c50&repeats=3"


def ready(page):
    """Return both painted stages. The first comparison starts processes, which is slow while many tests run."""
    page.locator("[data-testid=stage][data-painted]").nth(1).wait_for()
    return page.get_by_test_id("stage")


@pytest.mark.long
def test_a_comparison_from_the_address_to_the_files(open_page):
    page = open_page(COMPARE)
    page.set_default_timeout(150_000)
    ready(page)
    assert page.get_by_text("178 rows: 3-fold cross-validation").count() == 1
    assert page.locator("[data-testid=stPlotlyChart] .main-svg").count() >= 3
    open_save_menu(page, "Other tables")
    for label, start in (("CSV", "method,test error %"), ("Markdown", "| method |"), ("LaTeX", "\\begin{tabular}")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Table ({label})").click()
        text = download.value.path().read_text(encoding="utf-8")
        assert text.startswith(start)
        assert "TAO, univariate" in text
    with page.expect_download() as download:
        page.get_by_role("button", name="Trees side by side (HTML)").click()
    assert download.value.suggested_filename == "comparison-wine.html"


@pytest.mark.long
def test_rows_selected_in_one_tree_are_described_in_the_other(open_page):
    page = open_page(COMPARE)
    stages = ready(page)
    first, second = stages.nth(0), stages.nth(1)
    first.scroll_into_view_if_needed()
    assert first.locator(".row-summary").inner_text() != ""
    box = first.locator(".picture").bounding_box()
    page.keyboard.down("Shift")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 0.2 * box["height"])
    page.keyboard.up("Shift")
    pattern = re.compile(r"\d+ selected, \d+ wrong: \d+ to leaf")
    for stage in (first, second):
        stage.locator(".row-summary").filter(has_text=pattern).wait_for()
    counts = [int(stage.locator(".row-summary").inner_text().split()[0]) for stage in (first, second)]
    assert counts[0] == counts[1] > 50
    page.keyboard.press("Escape")
    for stage in (first, second):
        stage.locator(".row-summary").filter(has_not_text="selected").wait_for()


@pytest.mark.long
def test_a_second_look_needs_no_training(open_page):
    ready(open_page(COMPARE))
    page = open_page(COMPARE, "dark")
    page.set_default_timeout(PATIENCE)
    ready(page)
    page.get_by_role("combobox", name=re.compile("Methods")).first.click()
    page.keyboard.type("Nearest")  # only the first options are in the document
    page.get_by_role("option", name="Nearest neighbours").click()
    page.wait_for_url(re.compile("nearest_neighbours"))
    ready(page)
    page.get_by_text("Nearest neighbours").first.wait_for()
