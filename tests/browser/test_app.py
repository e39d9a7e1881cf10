"""Test the app as a visitor uses it: open it, wait for the first tree, move the slider, cancel, follow a link."""

import re
import time

import pytest
from playwright.sync_api import expect

from pages.ui.data.data_panel import EXPLORE
from tests.browser.conftest import PATIENCE, at_rest, choose, open_save_menu, save_button, show_details
from tests.refusals import wording

pytestmark = pytest.mark.browser

SMALL = "/?data_set=wine&max_depth=3&n_lambdas=8"


def stage_of(page):
    """Return the stage of a finished path."""
    save_button(page).wait_for()
    stage = page.get_by_test_id("stage")
    expect(stage).to_have_count(1, timeout=PATIENCE)  # the stage of the previous page may still exist
    stage.wait_for()
    return stage


def painted(stage, index):
    """Wait until any stage on the page has painted a tree. The stage may be mounted again in the meantime."""
    stage.page.locator(f"[data-testid=stage][data-painted='{index}']").first.wait_for()


def focused(page):
    return page.evaluate(
        "() => { let e = document.activeElement; while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;"
        " return e.getAttribute('role') ?? e.dataset.testid; }"
    )


def test_a_cold_deep_link_shows_the_whole_frame(open_page):
    page = open_page("/about")  # first visit of this server, for any order of the tests
    page.get_by_role("heading", level=2).first.wait_for()
    page.get_by_role("link", name="Compare").wait_for()
    page = open_page("/data")
    page.get_by_role("button", name=EXPLORE).wait_for()
    page.get_by_role("link", name="Compare").wait_for()


def test_the_first_tree_comes_without_a_click_and_cancelling_ends_it(open_page):
    seed = time.time_ns() % 1000  # a new seed, so that a repeated run trains for a minute too
    page = open_page(f"/?data_set=mnist-5k&n_lambdas=60&max_depth=6&seed={seed}")
    page.get_by_text(re.compile("Preparing|Training tree|Waiting")).filter(visible=True).first.wait_for()
    page.get_by_test_id("stage").wait_for()
    page.get_by_text(re.compile("Training tree")).wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text(wording("Training cancelled after … of")).wait_for()
    page.get_by_role("button", name="Train again").wait_for()


def test_the_slider_moves_the_tree_a_key_selects_a_node_and_the_link_keeps_both(open_page):
    page = open_page(SMALL)
    stage = stage_of(page)
    assert stage.get_attribute("data-theme") == "light"
    the_wheel_moves_the_page_until_the_stage_has_the_focus(page, stage)
    slider = page.get_by_test_id("stage-slider")
    slider.press("Home")
    slider.focus()
    for _ in range(4):
        slider.press("ArrowRight")
    painted(stage, 4)
    page.wait_for_url(re.compile("tree=4"))
    assert focused(page) == "stage-slider"  # the rerun has not moved the focus
    own = page.get_by_test_id("stage-headline").locator(".lead")  # CART may be named later
    sentence = own.inner_text()
    assert re.search(r"\d+ leaves predict ", sentence)
    page.get_by_role("tree").focus()
    page.keyboard.press("ArrowDown")
    node = stage.get_attribute("data-selected")
    page.wait_for_url(re.compile("node=node-2"))  # the focus has selected the root, node 1, before
    assert focused(page) == "tree"
    page.goto(page.url)
    stage = stage_of(page)
    painted(stage, 4)
    assert own.inner_text() == sentence
    assert stage.get_attribute("data-selected") == node


def the_wheel_moves_the_page_until_the_stage_has_the_focus(page, stage):
    """Assert that the wheel scrolls a page higher than its window until the stage has the focus."""
    page.set_viewport_size({"width": 1440, "height": 700})
    main, tree = page.get_by_test_id("stMain"), page.get_by_role("tree")
    box = at_rest(tree).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.wheel(0, 60)
    page.wait_for_function("main => main.scrollTop > 0", arg=main.element_handle())
    tree.focus()
    top = main.evaluate("main => main.scrollTop")
    page.mouse.wheel(0, 60)
    page.wait_for_timeout(300)
    assert main.evaluate("main => main.scrollTop") == top
    main.evaluate("main => main.scrollTo(0, 0)")
    page.set_viewport_size({"width": 1440, "height": 900})


def test_the_stage_stays_mounted_from_the_first_tree_to_the_last(open_page):
    page = open_page("/?data_set=digits&max_depth=5&n_lambdas=10&seed=5")
    page.get_by_test_id("stage").wait_for()
    page.get_by_test_id("stage").evaluate("element => { element.mine = true; }")
    assert stage_of(page).evaluate("element => element.mine === true")


def test_another_data_set_brings_its_trees_and_keeps_how_one_looks_at_them(open_page):
    page = open_page(SMALL)
    stage_of(page)
    page.get_by_test_id("stage-view").click()
    page.get_by_text("Larger type").click()
    choose(page.get_by_role("combobox", name=re.compile("Data set")), re.compile("Iris"))
    page.wait_for_url(re.compile("data_set=iris"))
    page.locator(".legend").get_by_text("setosa").wait_for()
    page.get_by_test_id("stage-view").click()
    assert page.get_by_label("Larger type").is_checked()


@pytest.mark.long
def test_files_can_be_saved(open_page):
    page = open_page(SMALL, "dark")
    assert stage_of(page).get_attribute("data-theme") == "dark"
    show_details(page)
    assert page.get_by_test_id("stage-condition").inner_text()
    at_rest(save_button(page)).press("Enter")  # the keyboard is sufficient
    together = at_rest(page.get_by_role("button", name="Share as a page (HTML)"))
    for key in ("Tab", "Shift+Tab", "Tab"):  # into the menu, back to its button, and in again
        page.keyboard.press(key)
    expect(together).to_be_focused()
    with page.expect_download():
        together.press("Enter")
    expect(together).to_be_focused()  # the button was disabled while the file was made
    together.press("Escape")
    together.wait_for(state="hidden")
    open_save_menu(page, "Other figures", "Other code", "Path")
    for label, start in (
        ("Figure (SVG)", b"<?xml"),
        ("Curves (PDF)", b"%PDF"),
        ("Tree (JSON)", b'{"format": "treecore-tree"'),
        ("Figures (CSV)", b"index"),
        ("Share as a page (HTML)", b"<!doctype html>"),
    ):
        with page.expect_download() as download:
            at_rest(page.get_by_role("button", name=label)).click()
        assert download.value.path().read_bytes().startswith(start)
    assert '"simple": true, "tree": ' in download.value.path().read_text(encoding="utf-8")  # opens as the stage


@pytest.mark.long
def test_parts_of_the_tree_can_be_saved(open_page):
    page = open_page("/?data_set=iris&max_depth=2&n_lambdas=3&tree=0&node=0", "dark")
    stage_of(page)
    open_save_menu(page, "Other figures", "Path")
    for what, remark, name in (
        ("Subtree of the selected node", "inches.", "-below-node-1.svg"),
        ("Pages (PDF, A4)", "each stub", "-pages.pdf"),
        ("All nodes (zip)", "files;", "-nodes-svg.zip"),
    ):
        choose(page.get_by_role("combobox", name="Figure"), what)
        page.get_by_text(remark).wait_for()
        save = at_rest(page.get_by_role("button", name="Save figure"))
        with page.expect_download() as download:
            save.click()
        assert download.value.suggested_filename.endswith(name)
        assert len(download.value.path().read_bytes()) > 1000
    # an animation is made on demand
    at_rest(page.get_by_role("button", name="Create: Animation")).click()
    page.get_by_test_id("stage-slider").press("Home")  # a report of the stage does not end the work
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile(r"Animation \(GIF, ")).click()
    assert download.value.path().read_bytes().startswith(b"GIF89a")


def test_pages_are_reached_by_the_menu_and_keep_the_state(open_page):
    page = open_page(SMALL)
    stage_of(page)
    page.get_by_test_id("stage-slider").press("Home")
    page.wait_for_url(re.compile("tree=0"))
    page.get_by_role("link", name="Data").click()
    page.get_by_text("178").first.wait_for()
    page.get_by_role("link", name="Tree").click()
    painted(stage_of(page), 0)
    assert page.get_by_role("combobox", name=re.compile("Data set")).input_value() == "Italian wines (wine)"


@pytest.mark.long
def test_without_the_server_the_stage_stays_usable_and_reports_it(browser, server):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    sockets = []
    page.route_web_socket(re.compile("/_stcore/stream"), lambda socket: sockets.append(socket.connect_to_server()))
    page.goto(server + SMALL)
    stage = stage_of(page)
    context.set_offline(True)
    for socket in sockets:
        socket.close()
    page.get_by_test_id("stage-notice").wait_for()
    page.get_by_test_id("stage-slider").evaluate(
        "slider => { slider.value = 2; slider.dispatchEvent(new Event('input')); }"
    )
    painted(stage, 2)
    context.close()


def test_a_typed_size_shows_the_best_tree_that_is_small_enough(open_page):
    page = open_page("/?data_set=wine&split=univariate&sweep=size")
    stage_of(page)
    save_button(page).wait_for()  # all sizes are trained
    field = page.get_by_test_id("stage-size")
    sizes = []
    for typed in ("1000", "3", "", "0"):
        field.fill(typed)
        field.press("Enter")
        sizes.append(int(field.input_value()))
        page.wait_for_url(re.compile(f"leaves={sizes[-1]}(&|$)"))
        words = {1: "Without a split", 2: "One split"}.get(sizes[-1], f"{sizes[-1]} leaves")
        expect(page.get_by_test_id("stage-headline").locator(".lead")).to_contain_text(words)
    assert sizes[0] > 3
    assert sizes[1:] == [3, 3, 1]
    field.fill("2")
    move = """(slider, value) => {
      slider.value = value;
      for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
    }"""
    page.get_by_test_id("stage-slider").evaluate(move, "0")  # as when another tree arrives
    assert field.input_value() == "2"
    field.press("Enter")
    assert int(field.input_value()) <= 2
