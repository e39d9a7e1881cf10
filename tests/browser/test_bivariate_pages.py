"""The pages about bivariate trees as a person meets them: a click in a map, a typed lambda, a case study."""

import re

import pytest

from tests.browser.conftest import open_save_menu, save_button

pytestmark = pytest.mark.browser

PHASE = "/phase?data_set=wine&n_lambdas=8&costs=1-1.5-5"
BIVARIATE = "/bivariate?data_set=wine&n_lambdas=8"
DOUBLE_CLICK = 320  # ms: of two clicks nearer to each other, Plotly makes one double click, which lets all cells go


def ready(page):
    """The stage when everything is trained."""
    save_button(page).wait_for()
    stage = page.get_by_test_id("stage")
    stage.wait_for()
    return stage


def painted(stage, index):
    stage.page.wait_for_function(
        "([stage, index]) => stage.dataset.painted === index", arg=[stage.element_handle(), str(index)]
    )


def plot(page, number):
    """Box of the cells of a map."""
    return page.locator("[data-testid=stPlotlyChart] .nsewdrag").nth(number).bounding_box()


def click_cell(page, number, row, column, rows=3, columns=8):
    box = plot(page, number)
    page.wait_for_timeout(DOUBLE_CLICK)
    page.mouse.click(
        box["x"] + (column + 0.5) * box["width"] / columns, box["y"] + (rows - row - 0.5) * box["height"] / rows
    )
    page.wait_for_url(re.compile(f"row={row}&tree={column}(&|$)"))


def words(page, cost):
    """Lambda of the cell that the page names, when it is one of this C."""
    return page.get_by_text(re.compile(rf"^C = {cost}, λ = ")).first.inner_text().split()[-1]


def test_a_click_in_any_map_shows_that_tree(open_page):
    page = open_page(PHASE)
    stage = ready(page)
    stage.evaluate("element => { element.mine = true; }")
    lams = []
    for number, row, column in ((0, 2, 1), (1, 0, 4), (2, 1, 6), (0, 2, 1), (0, 2, 3)):
        click_cell(page, number, row, column)
        painted(stage, column)
        lam = words(page, ("1", "1.5", "5")[row])
        stage.get_by_text(f"λ = {lam} ").first.wait_for()
        lams.append(lam)
    assert lams[0] == lams[3]
    assert stage.evaluate("element => element.mine === true")  # it stays mounted
    page.goto(page.url)
    painted(ready(page), 3)
    assert words(page, "5") == lams[-1]


def test_the_slider_of_the_stage_moves_the_frame_along_lambda(open_page):
    page = open_page(PHASE)
    stage = ready(page)
    click_cell(page, 0, 1, 2)
    painted(stage, 2)
    slider = page.get_by_test_id("stage-slider")
    slider.focus()
    slider.press("ArrowRight")
    page.wait_for_url(re.compile("row=1&tree=3"))
    page.wait_for_function(
        "() => [...document.querySelectorAll('p')].some(p => p.innerText.startsWith('C = 1.5, λ ='))"
    )
    painted(stage, 3)


def test_the_keyboard_reaches_every_cell(open_page):
    page = open_page(PHASE + "&row=0&tree=0")
    stage = ready(page)
    painted(stage, 0)
    main = page.get_by_test_id("stMain")
    main.locator("input[aria-label=C]").press("ArrowRight")
    page.wait_for_url(re.compile("row=1&tree=0"))
    column = main.locator("input[aria-label=λ]")
    column.press("ArrowRight")
    page.wait_for_url(re.compile("row=1&tree=1"))
    painted(stage, 1)
    column.press("ArrowRight")  # it has kept its place and the focus
    page.wait_for_url(re.compile("row=1&tree=2"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_maps_say_what_they_show(open_page, scheme):
    page = open_page(PHASE, scheme)
    ready(page)
    charts = page.locator("[data-testid=stPlotlyChart]")
    charts.nth(2).wait_for()
    assert charts.count() == 3
    for number, title in enumerate(("Decisions on two features", "Decision nodes", "Test error")):
        text = charts.nth(number).locator("text").all_text_contents()
        assert {title, "single leaf", "C", "λ", "1", "1.5", "5"} <= set(text)
        assert title in charts.nth(number).get_attribute("aria-label")
    box = plot(page, 1)
    page.mouse.move(box["x"] + 15, box["y"] + 15)
    page.locator(".hoverlayer").get_by_text("validation error").wait_for()


def test_a_pick_keeps_the_zoom_and_moves_the_frame(open_page):
    page = open_page(PHASE)
    ready(page)
    box = plot(page, 1)
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.1 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.9 * box["height"], steps=4)
    page.mouse.up()
    zoom = "() => document.querySelectorAll('.js-plotly-plot')[1].layout.xaxis.range.join()"
    page.wait_for_function(f"() => ({zoom})() !== '-0.5,7.5'")
    before = page.evaluate(zoom)
    click_cell(page, 0, 2, 1)
    framed = "n => getComputedStyle(document.querySelectorAll('.js-plotly-plot .barlayer .point path')[n]).stroke"
    page.wait_for_function(f"() => ({framed})(17) === 'rgb(214, 22, 139)'")
    click_cell(page, 0, 0, 4)
    page.wait_for_function(f"() => ({framed})(4) === 'rgb(214, 22, 139)'")
    assert page.evaluate(framed, 17) != "rgb(214, 22, 139)"
    assert page.evaluate(zoom) == before


def test_a_phase_diagram_can_be_cancelled(open_page):
    page = open_page("/phase?data_set=digits&n_lambdas=60&seed=9")
    page.get_by_role("button", name="Cancel").wait_for()
    page.get_by_text(re.compile("Training tree")).wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Training was cancelled").wait_for()
    page.get_by_role("button", name="Train again").wait_for()


def test_the_figures_of_the_diagram_can_be_saved(open_page):
    page = open_page(PHASE)
    ready(page)
    open_save_menu(page, "The maps")
    with page.expect_download() as download:
        page.get_by_role("button", name="All figures of the diagram").click()
    lines = download.value.path().read_text().splitlines()
    assert len(lines) == 1 + 3 * 8
    assert "share_bivariate" in lines[0]


def test_a_typed_lambda_joins_the_path(open_page):
    page = open_page(BIVARIATE)
    stage = ready(page)
    box = page.get_by_role("spinbutton", name="Train at exactly this λ")
    box.fill("3.21")
    box.press("Enter")
    stage.get_by_text("λ = 3.21 · tree").wait_for()
    page.get_by_text("its left neighbour on the path").wait_for()
    page.wait_for_url(re.compile("lam=3.21"))
    page.goto(page.url)
    ready(page).get_by_text("λ = 3.21 · tree").wait_for()
    slider = page.get_by_test_id("stage-slider")
    assert slider.get_attribute("max") == "8"


def test_a_case_study_shows_its_tree_beside_the_papers_figures(open_page):
    page = open_page(BIVARIATE)
    stage = ready(page)
    page.get_by_test_id("stSidebar").get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Breast Cancer (figure 4 of the paper)").click()
    page.get_by_text("the paper's", exact=True).wait_for()
    stage.get_by_text("λ = 2 · tree").wait_for()
    page.get_by_role("button", name="Map of all λ and C").click()
    page.get_by_text("Decision nodes").first.wait_for()
    ready(page)


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
