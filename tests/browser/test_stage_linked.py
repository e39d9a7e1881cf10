"""Test stages side by side: they share selected rows, move their sliders together, and have a title and space."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.conftest import PATIENCE, StagePages, start_server
from tests.browser.linked_examples import linked
from tests.browser.stage_examples import HOSTILE
from tests.browser.test_stage_brush import drag, visited
from tests.budget import budget
from treecore.tree.text_tree import node_names

pytestmark = pytest.mark.browser

SELECTED = """i => {
  const { state, path } = stages[i];
  return (state.selection?.rows ?? []).map((row) => path.sample.rows[row]).sort((a, b) => a - b);
}"""
REACHING = "i => Array.from(stages[i].state.selection.reaching(stages[i].tree, stages[i].state.set))"
BLOCKS = [
    ".heading",
    ".tools",
    ".figures",
    ".selection-summary",
    ".picture",
    ".legend",
    ".curves",
    ".middle > .track",
    ".transport",
]


@pytest.fixture(scope="module")
def linked_pages(browser, tmp_path_factory):
    """Return the `StagePages` that `open_linked` uses."""
    folder = tmp_path_factory.mktemp("linked-files")
    files = {}

    def file_of(match, example):
        key = (match, *example.names)
        if key not in files:
            files[key] = folder / f"{len(files)}.html"
            files[key].write_text(example.page(match), encoding="utf-8")
        return files[key].as_uri()

    pages = StagePages(browser, file_of)
    yield pages
    pages.close()


@pytest.fixture
def open_linked(linked_pages, request):
    """Return a function that opens a page, given match, example, size and colour scheme.

    Afterwards, check that the console is empty and that there was no request.
    """
    linked_pages.begin()

    def open_linked(match="none", example=None, **options):
        example = example or linked()
        page = linked_pages.open(match, example, **options)
        page.wait_for_function(f"() => window.stages?.length === {len(example.named)}")
        rest(page)
        return page

    yield open_linked
    linked_pages.end(request.node)


def use(page, which):
    """Let the driver act on the stage number `which` from now on."""
    page.evaluate("i => { window.stage = stages[i]; }", which)


def rest(page):
    """Wait until every stage is at rest."""
    for which in range(page.evaluate("() => stages.length")):
        use(page, which)
        driver.rest(page)


def element(page, which):
    """Return the element of a stage."""
    return page.get_by_test_id("stage").nth(which)


def selected(page, which):
    """Return the numbers of the rows that are selected in a stage."""
    return page.evaluate(SELECTED, which)


def indices(page):
    """Return the index of the tree on each stage."""
    return page.evaluate("() => stages.map((stage) => stage.state.k)")


def move(page, which, k):
    """Move the slider of a stage."""
    slider = element(page, which).get_by_test_id("stage-slider")
    slider.evaluate("(slider, k) => { slider.value = k; slider.dispatchEvent(new Event('input')); }", k)


def row_line(page, which):
    """Return the full line in which a stage summarises the selected rows."""
    return element(page, which).locator(".row-summary").get_attribute("title")


def expected_line(example, which, k, rows):
    """Return (number of rows, number of misclassified rows, {leaf number: rows}) as computed by the engine."""
    tree = example.trees(which)[k]
    leaves, names = tree.apply(example.data.X[rows]), node_names(tree)
    wrong = np.count_nonzero(tree.predict(example.data.X[rows]) != example.data.labels()[rows])
    return len(rows), wrong, dict(Counter(int(names[leaf].split()[1]) for leaf in leaves))


def read_line(text):
    """Return the values of `expected_line` from the line of a stage."""
    n, wrong = map(int, re.match(r"(\d+) selected, (\d+) wrong: ", text).groups())
    return n, wrong, {int(leaf): int(rows) for rows, leaf in re.findall(r"(\d+) to leaf (\d+) ", text)}


def select_by_box(page, which):
    """Drag a box over the root's plot in the inspector of a stage. Return the selected rows."""
    use(page, which)
    driver.set_state(page, panel=True, tab="node")
    driver.select(page, 0)
    drag(page, element(page, which).get_by_test_id("stage-plot").bounding_box(), (0.3, 0.3), (0.6, 0.7))
    rest(page)
    return selected(page, which)


def test_rows_selected_by_a_box_are_lit_in_every_tree_as_the_engine_routes_them(open_linked):
    page = open_linked()
    example = linked()
    rows = select_by_box(page, 0)
    assert len(rows) > 20
    for which in range(3):
        tree = example.trees(which)[indices(page)[which]]
        assert selected(page, which) == rows
        expected = visited(tree, example.data.X[rows]).sum(axis=0)
        np.testing.assert_array_equal(page.evaluate(REACHING, which), expected)
        assert sorted(page.evaluate("i => [...stages[i].store.litNodes]", which)) == np.flatnonzero(expected).tolist()
        assert read_line(row_line(page, which)) == expected_line(example, which, indices(page)[which], rows)
        line = element(page, which).locator(".row-summary").inner_text()
        assert line.startswith(f"{len(rows)} selected, ")
    move(page, 1, 1)
    rest(page)
    assert selected(page, 1) == rows
    assert read_line(row_line(page, 1)) == expected_line(example, 1, 1, rows)


def test_cleared_in_one_is_cleared_in_all(open_linked):
    page = open_linked()
    assert select_by_box(page, 0)
    element(page, 1).get_by_role("tree").focus()
    page.keyboard.press("Escape")
    rest(page)
    assert [selected(page, which) for which in range(3)] == [[], [], []]
    assert "Shift" in element(page, 0).locator(".row-summary").inner_text()
    assert select_by_box(page, 0)
    element(page, 2).locator(".selection-summary").get_by_role("button", name="Clear the selection").press("Enter")
    rest(page)
    assert page.evaluate("() => document.activeElement.dataset.testid") == "stage-view"
    assert [selected(page, which) for which in range(3)] == [[], [], []]


def test_a_line_says_when_selected_rows_are_of_another_set(open_linked):
    page = open_linked()
    rows = select_by_box(page, 0)
    page.evaluate("() => stages[1].set({ set: 2 })")
    rest(page)
    for which in range(3):
        assert row_line(page, which).startswith(f"{len(rows)} selected (0 ")


def test_a_whole_node_of_one_tree_is_selected_in_all_with_a_click(open_linked):
    page = open_linked()
    example = linked()
    use(page, 1)
    tree = example.trees(1)[indices(page)[1]]
    node = int(tree.left[0])
    page.keyboard.down("Shift")
    page.mouse.click(*page.evaluate(driver.MIDDLE, int(tree.origin[node])))
    page.keyboard.up("Shift")
    rest(page)
    rows = selected(page, 1)
    sampled = np.array(page.evaluate("() => Array.from(stages[1].path.sample.rows)"))
    first = np.isin(sampled, example.rows[0])
    here = visited(tree, example.data.X[sampled])[:, node] & first
    assert rows == sorted(sampled[here].tolist())
    assert selected(page, 0) == selected(page, 2) == rows


def test_hover_followed_row_counted_rows_and_colour_are_shared(open_linked):
    page = open_linked()
    page.evaluate("() => stages[0].set({ point: 5 })")
    assert page.evaluate("() => stages.map((stage) => stage.state.point)") == [5, 5, 5]
    page.evaluate("() => stages[0].set({ point: null })")
    assert page.evaluate("() => stages.map((stage) => stage.state.point)") == [None] * 3
    page.evaluate("() => stages[1].follow(7)")
    rest(page)
    example = linked()
    row = page.evaluate("() => stages[0].path.sample.rows[7]")
    for which in range(3):
        tree = example.trees(which)[indices(page)[which]]
        leaf = page.evaluate("i => stages[i].store.way.at(-1).node", which)
        assert leaf == tree.apply(example.data.X[[row]])[0]
    page.evaluate("() => stages[2].set({ row: null })")
    assert page.evaluate("() => stages.map((stage) => stage.store.way)") == [None] * 3
    element(page, 1).get_by_role("button", name="test", exact=True).click()
    element(page, 2).locator(".legend button").first.click()
    rest(page)
    states = page.evaluate(
        "() => stages.map(({ state, colors }) => [state.set, state.chosenClass, colors.chosenClass])"
    )
    assert states == [[2, 0, 0]] * 3


def nearest(values, target, leaves):
    """Return the indices of the smallest trees among the trees that are nearest to a value."""
    distances = np.abs(np.array(values, float) - target)
    found = np.flatnonzero(np.isclose(distances, distances.min(), rtol=0, atol=1e-12))
    fewest = min(leaves[i] for i in found)
    return [int(i) for i in found if leaves[i] == fewest]


@pytest.mark.parametrize("match", ["size", "error"])
def test_a_slider_moves_the_others_to_their_nearest_tree(open_linked, match):
    page = open_linked(match)
    example = linked()
    leaves = [[tree.n_leaves for tree in example.trees(which)] for which in range(3)]
    values = leaves if match == "size" else [example.errors(which) for which in range(3)]
    start = indices(page)
    assert start[1] in nearest(values[1], values[0][start[0]], leaves[1])
    page.evaluate("""() => {
      window.moves = [];
      for (const [i, stage] of stages.entries()) {
        const { go } = stage;
        stage.go = (...of) => { moves.push([i, of[0]]); go.apply(stage, of); };
      }
    }""")
    for which, other in ((0, 1), (1, 0)):
        for k in range(len(example.trees(which))):
            if indices(page)[which] == k:
                continue
            page.evaluate("() => { moves.length = 0; }")
            move(page, which, k)
            now = indices(page)
            assert now[which] == k
            assert now[other] in nearest(values[other], values[which][k], leaves[other])
            assert now[2] == 0
            # The move of the other stage causes no further move.
            assert page.evaluate("() => moves") == [[which, k], [other, now[other]]]
    rest(page)
    assert [element(page, which).get_attribute("data-painted") for which in range(3)] == [str(k) for k in now]


def test_without_match_each_goes_its_way_until_asked_to_match(open_linked):
    page = open_linked("none")
    start = indices(page)
    use(page, 1)
    page.evaluate("() => stages[1].go(5)")
    assert indices(page) == [start[0], 5, 0]
    element(page, 1).get_by_test_id("stage-view").click()
    element(page, 1).get_by_label("Number of leaves").check()
    rest(page)
    leaves = [tree.n_leaves for tree in linked().trees(0)]
    assert indices(page)[0] in nearest(leaves, linked().trees(1)[5].n_leaves, leaves)
    page.evaluate("() => stages[0].go(0)")
    assert indices(page)[1] == 0


def test_a_disposed_stage_leaves_its_group(open_linked):
    page = open_linked("size")
    page.evaluate("() => stages[1].dispose()")
    before = indices(page)[1]
    page.evaluate("() => stages[0].go(0)")
    page.evaluate("() => stages[0].set({ selection: new modules.selection_js.Selection(stages[0].path, [1, 2]) })")
    assert indices(page)[1] == before
    assert selected(page, 1) == []
    assert len(selected(page, 2)) == 2


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", budget(["dark"], ["light", "dark"]))
def test_nothing_overlaps_and_the_tree_gets_most_of_the_room(open_linked, scheme):
    page = open_linked("size", color_scheme=scheme)
    select_by_box(page, 0)
    for width in (2100, 1440, 1060, 1000, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("() => stages[0].set({ panel: false })")
        rest(page)
        check_rooms(page, scheme)


def check_rooms(page, scheme):
    """Assert that no part of a stage overlaps another one or is outside."""
    for which in range(3):
        stage = element(page, which)
        assert stage.get_attribute("data-theme") == scheme
        whole = stage.bounding_box()
        boxes = {name: stage.locator(name).bounding_box() for name in BLOCKS if stage.locator(name).is_visible()}
        assert {".heading", ".selection-summary", ".picture"} <= set(boxes)
        assert stage.locator(".curves").is_visible() == (len(linked().trees(which)) > 1)
        for name, box in boxes.items():
            assert whole["x"] - 1 <= box["x"], name
            assert box["x"] + box["width"] <= whole["x"] + whole["width"] + 1, name
            assert box["y"] + box["height"] <= whole["y"] + whole["height"] + 1, name
            for other, beside in boxes.items():
                apart = (
                    box["x"] + box["width"] <= beside["x"] + 1
                    or beside["x"] + beside["width"] <= box["x"] + 1
                    or box["y"] + box["height"] <= beside["y"] + 1
                    or beside["y"] + beside["height"] <= box["y"] + 1
                )
                assert other == name or apart, (name, other)
        assert boxes[".picture"]["height"] > 0.5 * whole["height"]
        assert boxes[".picture"]["width"] > 0.95 * whole["width"]


def test_the_keyboard_works_in_each_and_labels_name_the_method(open_linked):
    page = open_linked()
    for which, title in enumerate(linked().names):
        stage = page.get_by_role("group", name=title, exact=True)
        assert stage.get_attribute("id") == element(page, which).get_attribute("id")
        assert stage.get_by_role("heading", name=title).is_visible()
        tree = page.get_by_role("tree", name=f"Decision tree of {title};")
        tree.focus()
        page.keyboard.press("ArrowDown")
        assert int(stage.get_attribute("data-selected")) > 0
    slider = page.get_by_role("slider", name=f"λ of {linked().names[1]}:")
    slider.press("Home")
    slider.press("ArrowRight")
    assert indices(page)[1] == 1


def test_hostile_titles_are_text(open_linked):
    example = linked()
    named = tuple((title, path) for title, (_, path) in zip(HOSTILE, example.named, strict=False))
    page = open_linked("size", replace(example, named=named))
    assert driver.texts(page.locator(".heading")) == list(HOSTILE[:3])
    assert page.evaluate("() => window.injected") is None


@pytest.fixture(scope="module")
def linked_server(tmp_path_factory):
    """Return the URL of a page that mounts linked stages in columns."""
    process, url = start_server(tmp_path_factory.mktemp("linked"), "tests/browser/linked_app.py")
    yield url
    process.terminate()
    process.wait(timeout=20)


@pytest.mark.long
def test_two_components_of_a_page_are_linked(browser, linked_server):
    complaints = []
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(linked_server)
    first, second = (page.get_by_role("group", name=name, exact=True) for name in linked().names[:2])
    for stage in (first, second):
        stage.locator(".row-summary").wait_for()
    leaves = [[tree.n_leaves for tree in linked().trees(which)] for which in range(2)]
    first.get_by_test_id("stage-slider").press("Home")
    page.get_by_text("Two features: 0").wait_for()
    assert second.get_attribute("data-painted") != "0"
    page.get_by_text("size", exact=True).click()  # the page requests matching trees
    page.wait_for_function("stage => stage.dataset.painted === '0'", arg=second.element_handle())
    second.get_by_test_id("stage-slider").press("End")
    k = nearest(leaves[0], leaves[1][-1], leaves[0])[-1]
    page.get_by_text(f"Two features: {k} / One feature: {len(leaves[1]) - 1}").wait_for()  # both stages report
    first.get_by_test_id("stage-panel").click()
    first.get_by_test_id("stage-select-all").click()
    for stage in (first, second):
        stage.get_by_text(re.compile("[0-9]+ selected,")).first.wait_for()
    assert (
        first.locator(".row-summary").inner_text().split(",")[0]
        == second.locator(".row-summary").inner_text().split(",")[0]
    )
    side_by_side = [stage.bounding_box() for stage in (first, second)]
    page.set_viewport_size({"width": 1000, "height": 900})
    page.wait_for_function(
        "([a, b]) => a.getBoundingClientRect().x === b.getBoundingClientRect().x",
        arg=[stage.element_handle() for stage in (first, second)],
    )
    page.set_viewport_size({"width": 1440, "height": 900})
    assert side_by_side[0]["y"] == side_by_side[1]["y"]
    page.get_by_text("Show Single tree").click()
    third = page.get_by_role("group", name="Single tree", exact=True)
    third.get_by_text(re.compile("[0-9]+ selected,")).first.wait_for()  # the third stage adopts the selection
    page.get_by_text("Show One feature").click()
    second.wait_for(state="detached")
    third.get_by_role("button", name="Clear the selection").click()
    first.get_by_text("Shift-click a node").wait_for()
    page.close()
    assert complaints == []


def test_error_curves_side_by_side_have_one_scale(open_linked):
    page = open_linked()
    tops = page.evaluate("() => stages.map((stage) => stage.curves.topError)")
    assert len(set(tops)) == 1
