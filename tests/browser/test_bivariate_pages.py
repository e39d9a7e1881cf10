"""Test bivariate trees as a visitor uses them: two sliders and their map, a typed λ, a case study."""

import re

import pytest

from tests.browser.conftest import open_save_menu, save_button, show_details
from tests.browser.test_app import painted
from tests.refusals import wording

pytestmark = pytest.mark.browser

PHASE = "/?data_set=wine&split=bivariate&init=cart&max_depth=0&n_lambdas=8&costs=1-1.5-5"
N = 8
PATH = "/?data_set=wine&n_lambdas=8&split=bivariate&init=cart&max_depth=0"
BIVARIATE = "/?data_set=wine&split=bivariate&init=cart&max_depth=0&n_lambdas=8"


def ready(page):
    """Return the stage after all training."""
    save_button(page).wait_for()
    stage = page.get_by_test_id("stage")
    stage.wait_for()
    show_details(page)
    return stage


def test_both_sliders_and_the_map_move_the_tree_without_the_server(open_page):
    page = open_page(PATH)
    stage = ready(page)
    stage.evaluate("element => { element.mine = true; }")
    page.get_by_text(re.compile(r"^Train all C values: \d+ trees, ")).wait_for()
    page.get_by_test_id("stage-train").click()
    cell = page.get_by_test_id("stage-map-cell")
    cell.wait_for()
    assert stage.evaluate("element => element.mine === true")  # the stage stays mounted
    page.wait_for_url(re.compile(r"costs=1-1.1-1.25-1.5-2-3-5.*&tree=\d+"))
    ready(page)
    k = int(stage.get_attribute("data-painted"))
    assert k // N == 2  # C = 1.25, as before
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    talk = page.context.new_cdp_session(page)
    talk.on("Network.webSocketFrameSent", lambda frame: said.append(frame))
    talk.send("Network.enable")
    slider = page.get_by_test_id("stage-cost-slider")
    drag = "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', { bubbles: true })); }"
    for row in (3, 4, 3):
        slider.evaluate(drag, row)
        painted(stage, row * N + k % N)
        page.get_by_text(f"C = {(1.5, 2)[row - 3]}", exact=True).wait_for()
        assert cell.get_attribute("data-cell") == f"{row} {k % N}"
    assert not [url for url in asked if "_stcore/health" not in url]
    assert said == []
    page.get_by_test_id("stage-slider").press("ArrowRight")
    painted(stage, k + N + 1)
    page.wait_for_url(re.compile(f"tree={k + N + 1}(&|$)"))
    box = page.get_by_test_id("stage-map").bounding_box()
    left = 34  # width in pixels of the words for C
    x = box["x"] + left + 1.5 * (box["width"] - left) / N
    page.mouse.click(x, box["y"] + 0.5 * box["height"] / 7)  # the second column of the largest C
    painted(stage, 6 * N + 1)
    page.wait_for_url(re.compile(f"tree={6 * N + 1}(&|$)"))
    assert slider.input_value() == "6"
    assert page.get_by_test_id("stage-slider").input_value() == str(6 * N + 1)


def test_a_link_to_a_tree_of_the_map_opens_it(open_page):
    page = open_page(PHASE + f"&tree={2 * N + 3}")
    painted(ready(page), 2 * N + 3)
    page.get_by_text("C = 5", exact=True).wait_for()


@pytest.mark.long
def test_a_phase_diagram_can_be_cancelled(open_page):
    page = open_page(
        "/?data_set=segment&split=bivariate&init=cart&max_depth=0&n_lambdas=60&seed=9&costs=1-1.05-1.1-1.15-1.2-1.25-1.5-1.75-2-2.5-3-4-5-7-10"
    )
    page.get_by_text(re.compile("of 900 trees")).wait_for()
    page.get_by_role("button", name="Cancel").wait_for()
    page.get_by_text(re.compile("Training tree")).wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text(wording("Training cancelled after … of")).wait_for()
    page.get_by_role("button", name="Train again").wait_for()


@pytest.mark.long
def test_the_figures_of_the_diagram_can_be_saved(open_page):
    page = open_page(PHASE)
    ready(page)
    page.locator(".st-key-open-maps summary").click()
    page.locator("[data-testid=stImage] img").wait_for()
    open_save_menu(page, "Maps")
    with page.expect_download() as download:
        page.get_by_role("button", name="All figures of the diagram").click()
    lines = download.value.path().read_text().splitlines()
    assert len(lines) == 1 + 3 * 8
    assert "share_bivariate" in lines[0]


@pytest.mark.long
def test_a_typed_lambda_joins_the_path(open_page):
    page = open_page(BIVARIATE)
    stage = ready(page)
    page.get_by_test_id("stPopoverButton").get_by_text("More", exact=True).click()
    box = page.get_by_role("spinbutton", name="Custom λ")
    box.fill("3.21")
    box.press("Enter")
    stage.get_by_text("λ = 3.21 · tree").wait_for()
    page.get_by_text(wording("the previous tree on the path (λ = …)")).wait_for()
    page.wait_for_url(re.compile("lam=3.21"))
    page.goto(page.url)
    ready(page).get_by_text("λ = 3.21 · tree").wait_for()
    slider = page.get_by_test_id("stage-slider")
    assert slider.get_attribute("max") == "8"


@pytest.mark.long
def test_a_case_study_shows_its_tree_with_the_papers_results(open_page):
    page = open_page(BIVARIATE)
    stage = ready(page)
    page.get_by_test_id("stPopoverButton").get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Breast Cancer (figure 4 of the paper)").click()
    page.get_by_text("tree of the paper", exact=True).wait_for()
    show_details(page)
    stage.get_by_text("λ = 2 · tree").wait_for()


@pytest.mark.long
def test_code_and_rules_of_the_tree_on_screen_are_saved(open_page):
    page = open_page(BIVARIATE)
    ready(page)
    open_save_menu(page, "Other forms", "Other code")
    begins = {
        "Code (Python)": '"""Decision tree', "Code (C)": "/* Decision tree", "Code (JavaScript)": "// Decision tree",
        "Code (SQL)": "SELECT", "Rules (text)": "if ", "Rules (Markdown)": "| if | then |",
        "Rules (LaTeX)": "\\begin{tabular}", "Rules (CSV)": "leaf,if,then,",
    }  # fmt: skip
    for label, start in begins.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=label).click()
        text = download.value.path().read_text(encoding="utf-8")
        assert text.startswith(start), label
        assert "cultivar" in text
