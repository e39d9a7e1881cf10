"""Test that rows with missing values take the branch of their tree, and appear next to the axes and in texts."""

import re

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made
from viz.tree.node_figure import node_figure

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["missing", "missing plane"])
def test_conditions_say_where_missing_values_go(open_stage, name):
    page = open_stage(name)
    driver.step(page, 0)
    tree = made(name).trees[0]
    for node in np.flatnonzero(tree.left >= 0)[:6]:
        driver.select(page, int(tree.origin[node]))
        side = "right" if tree.missing_right[node] else "left"
        assert f"Missing values go {side}." in page.get_by_test_id("stage-sides").inner_text()
        item = page.locator("[role=treeitem][aria-selected=true]").text_content()
        assert f"missing values go {side}" in item
    child = int(tree.left[0] if not tree.missing_right[0] else tree.right[0])
    driver.select(page, int(tree.origin[child]))
    assert "or missing" in page.locator(".way li").first.inner_text()


def test_trees_that_know_of_no_missing_values_say_nothing_of_them(open_stage):
    page = open_stage("wine")
    assert "issing" not in page.get_by_test_id("stage-sides").inner_text()
    assert page.get_by_test_id("stage-missing").count() == 0


@pytest.mark.parametrize(("name", "k"), [("missing", 0), ("missing", 1), ("missing plane", 1)])
def test_rows_without_a_coordinate_are_next_to_the_axis_and_can_be_selected_there(open_stage, name, k):
    page = open_stage(name)
    found = made(name)
    driver.step(page, k)
    driver.rest(page)
    tree = found.trees[k]
    rows = found.sampled(0)
    first = 0 if found.data.n_features == 2 else int(tree.split(0)[0][0])
    expected = rows[np.isnan(found.data.X[rows, first])]
    assert expected.size > 20
    note = page.get_by_test_id("stage-missing").inner_text()
    features = [0, 1] if found.data.n_features == 2 else tree.split(0)[0]
    assert f"{np.isnan(found.data.X[rows][:, features]).any(axis=1).sum():,} sampled rows" in note
    selected = page.evaluate("""() => {
      const { marks, size } = stage.inspector.node.plot;
      const { left } = marks.area;
      const wide = Math.max(3, Math.min(18, (marks.free ? size.box.w : size.box.w - 6) * 0.08));
      const corners = [[left, -999], [left + wide - 1.5, -999], [left + wide - 1.5, 999], [left, 999]];
      return marks.rowsIn(corners).map((row) => stage.path.sample.rows[row]);
    }""")
    assert sorted(selected) == sorted(expected.tolist())


def test_the_strip_for_missing_values_has_a_name_in_figures():
    found = made("missing")
    for tree, text in zip(found.trees, (">missing │ −7.55<", ">missing<"), strict=False):  # one line or two
        assert text in node_figure(tree, found.data, 0).decode()


def test_a_missing_value_is_called_so(open_stage):
    page = open_stage("missing")
    found = made("missing")
    driver.step(page, 1)
    driver.rest(page)
    place = page.evaluate("""() => {
      const { X, n } = stage.path.sample;
      const [a, b] = stage.tree.split(0).features;
      const { rows } = stage.tree.reaching(0, 0);
      const row = rows.find((one) => Number.isNaN(X[a * n + one]) && !Number.isNaN(X[b * n + one]));
      const { py } = modules.scatter_js.scatterFrame(stage.view.drawing.look(), 0, stage.inspector.node.plot.size.box);
      const box = stage.inspector.node.plot.canvas.getBoundingClientRect();
      return [box.left + stage.inspector.node.plot.marks.area.left + 4, box.top + py(X[b * n + row])];
    }""")
    page.mouse.move(*place)
    card = page.get_by_test_id("stage-card")
    assert card.is_visible()
    first = found.data.feature_names[int(found.trees[1].split(0)[0][0])]
    assert [first, "missing"] == driver.texts(card.locator("tr").first.locator("th, td"))
    page.get_by_test_id("stage-tab-row").click()
    page.evaluate("""() => stage.follow(stage.tree.reaching(0, 0).rows.find((row) =>
      Number.isNaN(stage.path.sample.X[stage.tree.split(0).features[0] * stage.path.sample.n + row])))""")
    driver.rest(page)
    side = "right" if found.trees[1].missing_right[0] else "left"
    assert re.search(rf"missing\b.*\b{side}", page.locator(".way li").first.inner_text())
    assert "NaN" not in page.locator(".body").inner_text()
    assert "NaN" not in " ".join(driver.texts(page.locator(".label:visible")))
