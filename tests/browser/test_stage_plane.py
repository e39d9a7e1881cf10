"""Test that the plane of data with two features shows exact regions, which are linked with the tree."""

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made
from treecore.tree.text_tree import node_names

pytestmark = pytest.mark.browser

REGIONS = """() => {
  const { polygons, cuts } = stage.plane.regions;
  return { polygons, cuts, leaf: polygons.map((_, node) => stage.tree.isLeaf(node)) };
}"""
# Return the position of a data point on the screen.
PLACE = """([x, y]) => {
  const { px, py } = stage.plane.frame;
  const box = stage.plane.canvas.getBoundingClientRect();
  return [box.left + px(x), box.top + py(y)];
}"""


def area(polygon):
    """Return the area of a polygon, by the shoelace formula."""
    x, y = np.array(polygon, float).reshape(-1, 2).T
    return abs(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2


def middle_of(page, node):
    """Return a position on the screen, and in the plane, well inside the region of a leaf and away from its rows."""
    polygon = np.array(page.evaluate("node => stage.plane.regions.polygons[node]", node))
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(len(polygon)), 200)
    for point in shares @ polygon:
        place = page.evaluate(PLACE, point.tolist())
        hit = page.evaluate("""([x, y]) => {
          const box = stage.plane.canvas.getBoundingClientRect();
          return stage.plane.marks.at(x - box.left, y - box.top) !== null;
        }""", place)  # fmt: skip
        if not hit:
            return place, point
    raise AssertionError("every place of the region is near a row")


@pytest.mark.parametrize("name", ["plane", "moons"])
def test_pointing_at_a_region_marks_its_leaf_and_a_click_selects_it(open_stage, name):
    page = open_stage(name)
    tree = made(name).trees[0]
    driver.step(page, 0)
    driver.rest(page)
    areas = [area(polygon) for polygon in page.evaluate(REGIONS)["polygons"]]
    leaves = sorted(np.flatnonzero(tree.left < 0), key=lambda node: -areas[node])[:4]
    for leaf in map(int, leaves):
        place, point = middle_of(page, leaf)
        assert tree.apply(point[None])[0] == leaf
        page.mouse.move(*place)
        assert page.evaluate("() => stage.state.hover") == tree.origin[leaf]
        assert f"{node_names(tree)[leaf]}:" in page.get_by_test_id("stage-card").inner_text()
        page.mouse.click(*place)
        driver.rest(page)
        assert driver.selected(page) == tree.origin[leaf]
    page.mouse.move(5, 5)
    assert page.evaluate("() => stage.state.hover") is None


def test_pointing_at_a_node_of_the_tree_marks_its_region(open_stage):
    page = open_stage("plane")
    tree = made("plane").trees[0]
    driver.step(page, 0)
    driver.rest(page)
    picture = "() => stage.plane.canvas.toDataURL()"
    plain = page.evaluate(picture)
    seen = {plain}
    for node in (1, int(np.flatnonzero(tree.left < 0)[0]), int(np.flatnonzero(tree.left < 0)[-1])):
        page.mouse.move(*page.evaluate(driver.MIDDLE, int(tree.origin[node])))
        driver.rest(page)
        seen.add(page.evaluate(picture))
    assert len(seen) == 4
    page.mouse.move(5, 5)
    driver.rest(page)
    assert page.evaluate(picture) == plain


def test_rows_are_selected_in_the_plane_and_lit_in_the_tree(open_stage):
    page = open_stage("plane")
    found = made("plane")
    driver.step(page, 0)
    driver.rest(page)
    start, end = page.evaluate(PLACE, [-0.5, -0.5]), page.evaluate(PLACE, [0.2, 0.3])
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()
    driver.rest(page)
    rows = found.sampled(0)
    X = found.data.X[rows]
    inside = np.all((X > [-0.5, -0.5]) & (X < [0.2, 0.3]), axis=1)
    taken = page.evaluate("() => stage.state.selection.rows.map((row) => stage.path.sample.rows[row])")
    assert sorted(taken) == sorted(rows[inside].tolist())
    leaves = np.unique(found.trees[0].apply(X[inside]))
    lit = page.evaluate("() => [...stage.store.litNodes].filter((node) => stage.tree.isLeaf(node))")
    assert sorted(lit) == leaves.tolist()


def test_the_plane_follows_the_slider_and_can_be_put_away(open_stage):
    page = open_stage("plane")
    found = made("plane")
    for k in (0, len(found.trees) - 1, 1):
        driver.step(page, k)
        assert len(page.evaluate(REGIONS)["polygons"]) == found.trees[k].n_nodes
    wide = page.evaluate("() => stage.view.width")
    button = page.get_by_test_id("stage-regions")
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    driver.rest(page)
    assert page.get_by_test_id("stage-plane").is_hidden()
    assert page.evaluate("() => stage.view.width") > wide
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    driver.rest(page)
    assert page.get_by_test_id("stage-plane").is_visible()
    driver.set_state(page, table=True)
    assert page.get_by_test_id("stage-plane").is_hidden()


@pytest.mark.parametrize("name", ["wine", "digits"])
def test_other_data_have_no_plane(open_stage, name):
    page = open_stage(name)
    assert page.get_by_test_id("stage-plane").is_hidden()
    assert page.get_by_test_id("stage-regions").is_hidden()
