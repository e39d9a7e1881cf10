"""The plane of data with two features: exact regions, tied to the tree."""

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PLANES = ["plane", "moons", "grown plane"]  # checkerboard, moons, clouds
REGIONS = """() => {
  const { polygons, cuts } = stage.plane.regions;
  return { polygons, cuts, leaf: polygons.map((_, node) => stage.tree.isLeaf(node)) };
}"""
# Where a point of the data is on the screen.
PLACE = """([x, y]) => {
  const { px, py } = stage.plane.frame;
  const box = stage.plane.canvas.getBoundingClientRect();
  return [box.left + px(x), box.top + py(y)];
}"""


def area(polygon):
    """Area of a polygon, by the shoelace formula."""
    x, y = np.array(polygon, float).reshape(-1, 2).T
    return abs(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2


def depths(polygon, points):
    """float[n]: how far points are inside a convex polygon (negative: outside), as distance to its nearest side."""
    corners = np.array(polygon)
    sides = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(sides, axis=1)
    corners, sides = corners[length > 0], sides[length > 0] / length[length > 0, None]
    away = points[:, None] - corners
    cross = sides[:, 0] * away[:, :, 1] - sides[:, 1] * away[:, :, 0]
    return (orientation(polygon) * cross).min(axis=1)


def orientation(polygon):
    """1 for corners against the clock, -1 with it."""
    x, y = np.array(polygon).T
    return np.sign(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


@pytest.mark.parametrize("name", PLANES)
def test_points_inside_the_region_of_a_leaf_are_routed_to_it(open_stage, name):
    page = open_stage(name)
    rng = np.random.default_rng(0)
    for k, tree in enumerate(made(name).trees):
        driver.step(page, k)
        found = page.evaluate(REGIONS)
        whole = np.array(found["polygons"][0])
        low, high = whole.min(axis=0), whole.max(axis=0)
        points = rng.uniform(low, high, (4000, 2))
        leaf = tree.apply(points)
        times = np.zeros(len(points), int)
        sure = np.ones(len(points), bool)
        for node in np.flatnonzero(tree.left < 0):
            polygon = found["polygons"][node]
            if not polygon:
                assert not np.any(leaf == node)
                continue
            depth = depths(polygon, points)
            assert np.all(leaf[depth > 1e-9] == node)
            times += depth > 1e-9
            sure &= np.abs(depth) > 1e-9
        assert np.all(times[sure] == 1)
        assert sure.mean() > 0.999
        sampled = made(name).data.X.astype(float)
        assert np.all((sampled >= low) & (sampled <= high))


@pytest.mark.parametrize("name", PLANES)
def test_areas_of_the_regions_sum_to_the_plane_and_children_to_their_parent(open_stage, name):
    page = open_stage(name)
    for k, tree in enumerate(made(name).trees):
        driver.step(page, k)
        found = page.evaluate(REGIONS)
        areas = np.array([area(polygon) for polygon in found["polygons"]])
        assert found["leaf"] == (tree.left < 0).tolist()
        assert areas[tree.left < 0].sum() == pytest.approx(areas[0], rel=1e-9)
        for node in np.flatnonzero(tree.left >= 0):
            assert areas[tree.left[node]] + areas[tree.right[node]] == pytest.approx(areas[node], rel=1e-9, abs=1e-12)
            if found["cuts"][node]:
                ends = np.array(found["cuts"][node])
                np.testing.assert_allclose(tree.margins(ends, node), 0, atol=1e-9 * np.abs(tree.bias[node]) + 1e-9)


def test_one_leaf_is_the_whole_plane(open_stage):
    page = open_stage("one leaf in the plane")
    driver.rest(page)
    found = page.evaluate(REGIONS)
    assert len(found["polygons"]) == 1
    assert len(found["polygons"][0]) == 4
    assert "1 region," in page.get_by_test_id("stage-plane").get_attribute("aria-label")


def test_a_cut_through_a_corner_or_beside_the_polygon_leaves_it_whole(stage_to_ask):
    page = stage_to_ask("one leaf")
    cut = """([direction, offset]) => {
      const { cutPolygon, rectangle, area } = modules.regions_js;
      const { yes, no, cut } = cutPolygon(rectangle([0, 0], [1, 1]), direction, offset);
      return [area(yes), area(no), cut.length];
    }"""
    assert page.evaluate(cut, [[1, 0], -0.25]) == [0.75, 0.25, 2]
    assert page.evaluate(cut, [[1, 0], 1]) == [1, 0, 0]
    assert page.evaluate(cut, [[1, 0], -2]) == [0, 1, 0]
    assert page.evaluate(cut, [[0, 0], 1]) == [1, 0, 0]
    assert page.evaluate(cut, [[-1, -1], 0])[:2] == [0, 1]
    assert page.evaluate(cut, [[1, -1], 0])[:2] == pytest.approx([0.5, 0.5])


def middle_of(page, node):
    """A place on the screen, and in the plane, well inside the region of a leaf and off its rows."""
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
        assert f"leaf {tree.origin[leaf]}:" in page.get_by_test_id("stage-card").inner_text()
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
