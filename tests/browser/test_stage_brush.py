"""Test that rows selected in a plot, in the tree or by keyboard are highlighted everywhere, listed and saved as CSV."""

import csv
import io
import re

import numpy as np
import pytest

from tests.browser import snapshots
from tests.browser import stage_driver as driver
from tests.browser.stage_examples import HOSTILE, made
from treecore.tree.text_tree import node_names

pytestmark = pytest.mark.browser

SELECTED = "() => stage.state.selection?.rows.map((row) => stage.path.sample.rows[row]) ?? []"
REACHING = "() => stage.state.selection && Array.from(stage.state.selection.reaching(stage.tree, stage.state.set))"
PLACES = """() => {
  const { limits } = modules.limits_js;
  const features = stage.path.nFeatures === 2 ? [0, 1] : Array.from(stage.tree.split(0).features);
  const { low, high } = limits(stage.view.drawing.look(), 0, features);
  return { features: features.map((j) => stage.path.columns[j]), low, high, box: stage.inspector.node.plot.size.box };
}"""


def chip(page):
    """Return the chip with the number of selected rows."""
    return page.get_by_test_id("stage-selection")


def selected(page):
    """Return the row numbers of the selected rows, in order."""
    return sorted(page.evaluate(SELECTED))


def drag(page, box, start, end, *, loop=(), shift=False, lift=True):
    """Drag over an element from one position in its box to another.

    loop : positions in between.
    """
    if shift:
        page.keyboard.down("Shift")
    at = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, *loop, end)]
    page.mouse.move(*at[0])
    page.mouse.down()
    for place in at[1:]:
        page.mouse.move(*place, steps=4)
    if lift:
        page.mouse.up()
    if shift:
        page.keyboard.up("Shift")
    driver.rest(page)


def plot_box(page):
    """Return the box of the large plot in the inspector."""
    return page.get_by_test_id("stage-plot").bounding_box()


def pixels_of(page, data, rows):
    """Return the positions of rows in the root's scatter plot, relative to its canvas, float[n, 2]."""
    places = page.evaluate(PLACES)
    low, high, box = np.array(places["low"]), np.array(places["high"]), places["box"]
    share = (data.X[rows][:, places["features"]] - low) / (high - low)
    x = box["x"] - box["w"] / 2 + share[:, 0] * box["w"]
    y = box["y"] + box["h"] / 2 - share[:, 1] * box["h"]
    return np.column_stack([x, y])


def visited(tree, X):
    """Return which nodes each row visits, bool[n, nodes]."""
    found = np.zeros((len(X), tree.n_nodes), bool)
    found[np.arange(len(X)), tree.apply(X)] = True
    for node in range(tree.n_nodes - 1, 0, -1):
        found[:, tree.parents[node]] |= found[:, node]
    return found


def open_on_scatter(open_stage, name="bivariate"):
    """Return a page whose inspector shows the scatter plot of the root."""
    page = open_stage(name)
    driver.step(page, 0)
    driver.select(page, int(made(name).trees[0].origin[0]))
    return page


@pytest.mark.parametrize("name", ["bivariate", "plane"])
def test_a_box_selects_the_rows_inside(open_stage, name):
    page = open_on_scatter(open_stage, name)
    found = made(name)
    box = plot_box(page)
    drag(page, box, (0.3, 0.3), (0.6, 0.7))
    rows = found.sampled(0)
    places = pixels_of(page, found.data, rows) / [box["width"], box["height"]]
    inside = np.all((places > [0.3, 0.3]) & (places < [0.6, 0.7]), axis=1)
    assert 5 < inside.sum() < rows.size
    assert selected(page) == sorted(rows[inside].tolist())
    assert f"{inside.sum()} rows selected" in chip(page).inner_text()
    assert f"{inside.sum()} rows selected" in page.locator(".status").text_content()


def test_a_loop_selects_the_rows_inside(open_stage):
    page = open_on_scatter(open_stage)
    found = made("bivariate")
    page.get_by_role("button", name="Lasso").click()
    driver.rest(page)
    box = plot_box(page)
    drag(page, box, (0.5, 0.2), (0.25, 0.7), loop=((0.75, 0.7),))
    rows = found.sampled(0)
    x, y = (pixels_of(page, found.data, rows) / [box["width"], box["height"]]).T
    share = (y - 0.2) / 0.5  # share of the distance from the tip of the triangle to its base
    clear = np.abs(np.abs(x - 0.5) - 0.25 * share) > 0.015  # the corners of the loop are a few pixels apart
    inside = (share > 0) & (y < 0.7) & (np.abs(x - 0.5) < 0.25 * share)
    clear &= np.abs(y - 0.7) > 0.015
    taken = np.isin(rows, selected(page))
    assert inside.sum() > 10
    np.testing.assert_array_equal(taken[clear], inside[clear])


def test_the_selected_rows_are_lit_in_every_node_of_every_tree(open_stage):
    page = open_on_scatter(open_stage)
    found = made("bivariate")
    drag(page, plot_box(page), (0.3, 0.3), (0.6, 0.7))
    rows = selected(page)
    for k, tree in enumerate(found.trees):
        driver.step(page, k)
        assert selected(page) == rows
        expected = visited(tree, found.data.X[rows]).sum(axis=0)
        np.testing.assert_array_equal(page.evaluate(REACHING), expected)
        lit = page.evaluate("() => [...stage.store.litNodes]")
        assert sorted(lit) == np.flatnonzero(expected).tolist()
    page.set_viewport_size({"width": 1900, "height": 1000})  # so that leaves have two lines
    driver.rest(page)
    leaves = page.evaluate("() => Array.from(stage.tree.left.keys()).filter((node) => stage.tree.isLeaf(node))")
    shares = driver.texts(page.locator(".label[data-kind=leaf]:visible"))
    told = [text for text in shares if f" of {len(rows)}" in text]
    expected = visited(found.trees[k], found.data.X[rows]).sum(axis=0)[leaves]
    assert 0 < len(told) <= np.count_nonzero(expected)
    assert set(int(text.split()[0]) for text in told) <= set(expected.tolist())


def test_a_histogram_is_selected_by_whole_bins(open_stage):
    page = open_stage("iris univariate")
    found = made("iris univariate")
    driver.step(page, 0)
    driver.select(page, 0)
    box = plot_box(page)
    drag(page, box, (0.5, 0.4), (0.8, 0.5))
    rows = found.sampled(0)
    values = found.data.X[rows, found.trees[0].split(0)[0][0]]
    taken = np.isin(rows, selected(page))
    assert 0 < taken.sum() < rows.size
    low, high = values[taken].min(), values[taken].max()
    np.testing.assert_array_equal(taken, (values >= low) & (values <= high))
    assert page.get_by_role("button", name="Lasso").count() == 0


def test_shift_adds_escape_clears_and_a_click_outside_the_points_too(open_stage):
    page = open_on_scatter(open_stage)
    box = plot_box(page)
    drag(page, box, (0.3, 0.3), (0.5, 0.5))
    first = selected(page)
    drag(page, box, (0.5, 0.5), (0.7, 0.7))
    second = selected(page)
    assert first
    assert second
    assert first != second
    drag(page, box, (0.3, 0.3), (0.5, 0.5), shift=True)
    assert selected(page) == sorted({*first, *second})
    page.keyboard.press("Escape")
    driver.rest(page)
    assert selected(page) == []
    assert chip(page).is_hidden()
    assert re.fullmatch(r"\D+", page.locator(".status").text_content())  # no row is selected any more
    drag(page, box, (0.3, 0.3), (0.5, 0.5))
    page.get_by_role("button", name="Clear the selection").click()
    driver.rest(page)
    assert selected(page) == []
    drag(page, box, (0.3, 0.3), (0.5, 0.5))
    page.mouse.click(box["x"] + 25, box["y"] + 25)  # a corner without points
    driver.rest(page)
    assert selected(page) == []


def test_escape_during_a_drag_brings_back_what_was_selected(open_stage):
    page = open_on_scatter(open_stage)
    box = plot_box(page)
    drag(page, box, (0.3, 0.3), (0.5, 0.5))
    before = selected(page)
    drag(page, box, (0.5, 0.5), (0.9, 0.9), lift=False)
    assert selected(page) != before
    page.get_by_role("tree").focus()
    page.keyboard.press("Escape")
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.up()
    driver.rest(page)
    assert selected(page) == before
    drag(page, box, (0.4, 0.4), (0.5, 0.5))
    assert selected(page) != before


def test_a_drag_with_shift_in_the_tree_adds_rows(open_stage):
    page = open_on_scatter(open_stage)
    found = made("bivariate")
    tree = found.trees[0]
    child = int(tree.left[0])
    origin = int(tree.origin[child])
    page.evaluate("""node => {
      const place = stage.view.places.get(node);
      stage.view.camera.centre(place.x, place.y, 180 / place.w, stage.view.width, stage.view.height);
      stage.requestDraw();
    }""", child)  # fmt: skip
    driver.rest(page)
    x, y = page.evaluate(driver.MIDDLE, origin)
    camera = page.evaluate("() => [stage.view.camera.x, stage.view.camera.y]")
    around = {"x": x - 100, "y": y - 100, "width": 200, "height": 200}
    drag(page, around, (0.25, 0.25), (0.75, 0.75), shift=True)
    assert page.evaluate("() => [stage.view.camera.x, stage.view.camera.y]") == camera
    rows = found.sampled(0)
    here = rows[visited(tree, found.data.X[rows])[:, child]]
    some = selected(page)
    assert 0 < len(some) < here.size
    assert set(some) <= set(here.tolist())
    page.keyboard.down("Shift")
    page.mouse.click(x, y)
    page.keyboard.up("Shift")
    driver.rest(page)
    assert selected(page) == sorted(here.tolist())
    drag(page, around, (0.5, 0.05), (0.5, 0.4))
    assert page.evaluate("() => [stage.view.camera.x, stage.view.camera.y]") != camera
    assert selected(page) == sorted(here.tolist())


@pytest.mark.parametrize("name", ["bivariate", "digits", "one leaf"])
def test_all_rows_of_a_node_are_selected_by_keyboard(open_stage, name):
    page = open_stage(name)
    found = made(name)
    driver.step(page, 0)
    tree = found.trees[0]
    node = tree.n_nodes - 1
    driver.select(page, int(tree.origin[node]))
    button = page.get_by_test_id("stage-select-all")
    button.focus()
    page.keyboard.press("Enter")
    driver.rest(page)
    rows = found.sampled(0)
    here = rows[visited(tree, found.data.X[rows])[:, node]]
    assert here.size
    assert selected(page) == sorted(here.tolist())
    assert f"{here.size}" in chip(page).inner_text()
    page.keyboard.press("Escape")
    driver.rest(page)
    assert selected(page) == []


def test_the_table_lists_the_rows_as_the_engine_predicts_them(open_stage):
    page = open_on_scatter(open_stage)
    found = made("bivariate")
    drag(page, plot_box(page), (0.4, 0.4), (0.55, 0.55))
    rows = selected(page)
    assert 0 < len(rows) <= 200
    driver.step(page, 1)
    driver.rest(page)
    tree = found.trees[1]
    table = page.get_by_test_id("stage-selected").locator("table")
    read_on(page)
    head = driver.texts(table.locator("thead th"))
    lines = [
        dict(zip(head, driver.texts(line.locator("th, td")), strict=True)) for line in table.locator("tbody tr").all()
    ]
    assert [int(line["row"]) for line in lines] == rows
    leaves = tree.apply(found.data.X[rows])
    for line, row, leaf in zip(lines, rows, leaves, strict=True):
        assert line["class"] == found.data.class_names[found.data.y[row]]
        predicted = str(tree.classes[tree.labels[leaf]])
        assert line["predicted"] == (predicted if predicted == line["class"] else f"✕ {predicted}")
        assert line["leaf"] == node_names(tree)[leaf]
        feature = int(tree.split(0)[0][0])
        assert driver.as_number(line[f"x{feature}"]) == pytest.approx(found.data.X[row, feature], rel=1e-4)
    wrong = np.count_nonzero(tree.predict(found.data.X[rows]) != found.data.labels()[rows])
    assert f"{wrong} wrong" in page.get_by_test_id("stage-selected").inner_text()


def read_on(page):
    """Scroll the table of selected rows to its end, until no further rows appear."""
    page.evaluate("""async () => {
      const rows = () => document.querySelectorAll(".selected tbody tr").length;
      for (let before = -1; rows() > before; ) {
        before = rows();
        const e = document.querySelector(".selected .scroll");
        e.scrollTop = e.scrollHeight;
        for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
      }
    }""")


def saved(page):
    """Return (name, lines) of the CSV file that the button saves."""
    with page.expect_download() as download:
        page.get_by_test_id("stage-save-rows").click()
    text = download.value.path().read_bytes().decode("utf-8")
    return download.value.suggested_filename, list(csv.reader(io.StringIO(text, newline="")))


def test_long_tables_are_cut_and_the_file_holds_every_row_exactly(open_stage):
    page = open_on_scatter(open_stage)
    found = made("bivariate")
    page.get_by_test_id("stage-select-all").click()
    driver.rest(page)
    rows = sorted(found.sampled(0).tolist())
    lines = page.locator(".selected tbody tr")
    read_on(page)
    assert lines.count() == 200 < len(rows)
    assert f"and {len(rows) - 200:,} more" in page.get_by_test_id("stage-selected").inner_text()
    name, (head, *lines) = saved(page)
    assert name == "clouds-selected-rows.csv"
    columns = sorted({int(feature) for tree in found.trees for feature in tree.features})
    assert head == ["row", "set", "class", "prediction", "leaf", *(f"x{j}" for j in columns)]
    assert [int(line[0]) for line in lines] == rows
    tree = found.trees[0]
    np.testing.assert_array_equal(np.array([line[5:] for line in lines], float), found.data.X[rows][:, columns])
    assert [line[3] for line in lines] == tree.predict(found.data.X[rows]).tolist()
    assert [line[4] for line in lines] == [node_names(tree)[leaf] for leaf in tree.apply(found.data.X[rows])]
    assert {line[1] for line in lines} == {"train"}


def test_hostile_names_survive_the_file(open_stage):
    page = open_stage("hostile")
    found = made("hostile")
    driver.step(page, 0)
    page.get_by_test_id("stage-select-all").click()
    driver.rest(page)
    _, (head, *lines) = saved(page)
    used = sorted({int(feature) for tree in found.trees for feature in tree.features})
    assert head[5:] == [HOSTILE[j] for j in used]
    assert {line[2] for line in lines} == set(HOSTILE)
    assert page.evaluate("() => window.injected") is None


def test_missing_values_are_empty_cells(open_stage):
    page = open_stage("missing")
    found = made("missing")
    driver.step(page, 0)
    page.get_by_test_id("stage-select-all").click()
    driver.rest(page)
    _, (_, *lines) = saved(page)
    columns = sorted({int(feature) for tree in found.trees for feature in tree.features})
    values = np.array([[float(cell) if cell else np.nan for cell in line[5:]] for line in lines])
    rows = [int(line[0]) for line in lines]
    np.testing.assert_array_equal(values, found.data.X[rows][:, columns])
    assert "NaN" not in page.locator(".selected").inner_text()


def test_the_card_of_a_point_names_its_row_its_class_and_the_values_of_the_node_first(open_stage):
    page = open_on_scatter(open_stage)
    found = made("bivariate")
    tree = found.trees[0]
    rows = found.sampled(0)
    places = pixels_of(page, found.data, rows)
    distance = np.linalg.norm(places[:, None] - places[None], axis=2) + 99 * np.eye(len(rows))
    alone = int(np.argmax(np.where(np.all((places > 40) & (places < 240), axis=1), distance.min(axis=1), 0)))
    row = int(rows[alone])
    box = plot_box(page)
    page.mouse.move(box["x"] + places[alone, 0], box["y"] + places[alone, 1])
    card = page.get_by_test_id("stage-card")
    assert card.is_visible()
    text = card.inner_text()
    assert text.startswith(f"row {row} {found.data.class_names[found.data.y[row]]}")
    leaf = int(tree.apply(found.data.X[[row]])[0])
    predicted = str(tree.classes[tree.labels[leaf]])
    right = predicted == found.data.class_names[found.data.y[row]]
    assert ("predicted correctly" if right else f"✕ predicted {predicted}") in text.replace("\xa0", " ")
    assert node_names(tree)[leaf] in text
    names = driver.texts(card.locator("th"))
    own = tree.split(0)[0]
    assert names[:2] == [f"x{feature}" for feature in own]
    assert len(names) == 8
    for name, value in zip(names, driver.texts(card.locator("td")), strict=True):
        assert driver.as_number(value) == pytest.approx(found.data.X[row, int(name[1:])], rel=1e-3)
    assert page.evaluate("() => stage.path.sample.rows[stage.state.point]") == row
    page.mouse.move(5, 5)
    assert card.is_hidden()
    assert page.evaluate("() => stage.state.point") is None


def test_points_in_the_tree_have_cards_too(open_stage):
    page = open_on_scatter(open_stage)
    driver.rest(page)
    x, y, row = page.evaluate("""() => {
      const { view, tree, path } = stage;
      const box = view.boxes.get(0);
      const marks = modules.node_pictures_js.marksOf(stage.view.drawing.look(), 0, box);
      const frame = modules.scatter_js.scatterFrame(stage.view.drawing.look(), 0, box);
      const row = Array.from(tree.reaching(0, 0).rows).find((one) => {
        return marks.at(...frame.place(one))?.point === one;
      });
      const at = view.canvas.getBoundingClientRect();
      const [x, y] = frame.place(row);
      return [at.left + x, at.top + y, path.sample.rows[row]];
    }""")
    page.mouse.move(x, y)
    assert page.get_by_test_id("stage-card").inner_text().startswith(f"row {row} ")
    assert page.locator(".card").is_hidden()


def test_the_selection_stays_with_its_rows_when_another_set_is_shown(open_stage):
    page = open_on_scatter(open_stage)
    drag(page, plot_box(page), (0.3, 0.3), (0.6, 0.7))
    rows = selected(page)
    page.get_by_role("button", name="test", exact=True).click()
    driver.rest(page)
    assert selected(page) == rows
    assert "0 of them test" in chip(page).inner_text()
    assert page.evaluate("() => stage.store.litNodes") is None
    page.get_by_test_id("stage-select-all").click(modifiers=["Shift"])
    driver.rest(page)
    assert set(selected(page)) > set(rows)


def test_the_chip_brings_the_table_into_sight(open_stage):
    page = open_on_scatter(open_stage)
    drag(page, plot_box(page), (0.3, 0.3), (0.6, 0.7))
    page.get_by_test_id("stage-tab-changes").click()
    driver.rest(page)
    chip(page).get_by_role("button").first.click()
    driver.rest(page)
    assert page.get_by_test_id("stage-selected").is_visible()
    row = page.locator(".selected tbody button").first
    number = int(row.inner_text())
    row.click()
    driver.rest(page)
    assert page.evaluate("() => stage.path.sample.rows[stage.state.row.sample]") == number


def test_selected_rows_keep_their_colour_and_the_others_fade(open_stage):
    page = open_on_scatter(open_stage)
    found = made("bivariate")
    rows = found.sampled(0)
    places = pixels_of(page, found.data, rows)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 99 * np.eye(len(rows))
    box = plot_box(page)
    drag(page, box, (0.55, 0.15), (0.8, 0.4))
    page.mouse.move(5, 5)
    driver.rest(page)
    taken = np.isin(rows, selected(page))
    inside = np.all((places > 30) & (places < 250), axis=1)
    clear = np.where(taken, apart[:, taken].min(axis=1) > 7, apart.min(axis=1) > 9) & inside
    screen = snapshots.pixels(page.screenshot())
    x, y = (places + [box["x"], box["y"]]).T.round().astype(int)
    palette = page.evaluate(
        "() => stage.path.target.groups.map((_, c) => modules.colors_js.rgb(stage.colors.ofGroup(c)))"
    )
    away = np.abs(screen[y, x] - np.array(palette)[found.data.y[rows]]).max(axis=1)
    assert np.count_nonzero(clear & taken) > 3
    assert np.count_nonzero(clear & ~taken) > 3
    assert np.median(away[clear & taken]) < 12
    assert away[clear & ~taken].min() > 30


def test_clearing_by_keyboard_leaves_the_focus_in_the_stage(open_stage):
    page = open_on_scatter(open_stage)
    page.get_by_test_id("stage-select-all").click()
    driver.rest(page)
    page.get_by_role("button", name="Clear the selection").focus()
    page.keyboard.press("Enter")
    driver.rest(page)
    assert page.evaluate("() => document.activeElement === stage.inspector.body")
    page.get_by_test_id("stage-select-all").click()
    driver.rest(page)
    page.locator(".selected").get_by_role("button", name="Clear").focus()
    page.keyboard.press("Enter")
    driver.rest(page)
    assert page.evaluate("() => stage.element.contains(document.activeElement)")
    assert selected(page) == []


@pytest.mark.parametrize("name", ["bivariate", "plane"])
def test_a_tree_of_a_single_leaf_and_no_selection_are_no_trouble(open_stage, name):
    page = open_stage("one leaf in the plane" if name == "plane" else "one leaf")
    driver.rest(page)
    assert chip(page).is_hidden()
    page.keyboard.press("Escape")
    page.get_by_test_id("stage-select-all").click()
    driver.rest(page)
    assert page.evaluate(REACHING) == [len(selected(page))]
    x, y = page.evaluate(driver.MIDDLE, 0)
    page.keyboard.down("Shift")
    page.mouse.click(x, y)
    page.keyboard.up("Shift")
    driver.rest(page)
    assert page.locator(".selected tbody tr").count() > 0
