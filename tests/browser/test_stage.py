"""Test the stage as a visitor uses it: hooks, keyboard, followed rows, changes, features, search and unusual data."""

import re

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.stage_examples import HOSTILE, made
from treecore.tree.feature_statistics import feature_deviation, margin_units
from treecore.tree.text_tree import node_names

pytestmark = pytest.mark.browser


def test_the_file_as_it_is_written_opens_and_follows_its_slider(open_stage):
    page = open_stage("digits", opened_up=False)
    slider = page.get_by_test_id("stage-slider")
    assert (slider.get_attribute("type"), slider.get_attribute("min")) == ("range", "0")
    assert int(slider.get_attribute("max")) == len(made("digits").trees) - 1
    for k in (0, 3, 1):
        driver.step(page, k)
        assert driver.painted(page) == k == int(slider.input_value())


def test_the_hook_is_set_after_the_paint(open_stage):
    """When the attribute changes, the canvas already shows the tree of the new index."""
    page = open_stage("digits", reduced_motion="reduce")
    driver.step(page, 0)
    driver.rest(page)
    same = page.evaluate("""() => new Promise((resolve) => {
      const seen = () => stage.view.canvas.toDataURL();
      const before = seen();
      new MutationObserver(() => {
        if (stage.element.dataset.painted !== "4") return;
        const during = seen();
        requestAnimationFrame(() => requestAnimationFrame(() => resolve([during !== before, during === seen()])));
      }).observe(stage.element, { attributeFilter: ["data-painted"] });
      stage.transport.slider.value = 4;
      stage.transport.slider.dispatchEvent(new Event("input"));
    })""")
    assert same == [True, True]


def test_every_step_of_a_fast_drag_ends_on_the_last_tree(open_stage):
    page = open_stage("digits")
    page.evaluate("""() => {
      const slider = document.querySelector("[data-testid=stage-slider]");
      for (const k of [0, 1, 2, 3, 4, 5, 2]) { slider.value = k; slider.dispatchEvent(new Event("input")); }
    }""")
    driver.rest(page)
    assert driver.painted(page) == 2


def test_a_click_selects_a_node_and_the_selection_outlives_the_tree(open_stage):
    page = open_stage("digits")
    driver.step(page, 1)
    driver.rest(page)
    tree = made("digits").trees[1]
    for node in (0, int(tree.left[0]), int(tree.right[0]), int(np.flatnonzero(tree.left < 0)[-1])):
        page.mouse.click(*page.evaluate(driver.MIDDLE, int(tree.origin[node])))
        driver.rest(page)
        assert driver.selected(page) == tree.origin[node]
    driver.step(page, len(made("digits").trees) - 1)
    assert driver.selected(page) == tree.origin[node]
    driver.rest(page)
    assert page.get_by_test_id("stage-gone").is_visible()
    page.mouse.click(*page.evaluate("() => { const b = stage.view.canvas.getBoundingClientRect();"
                                    " return [b.left + 3, b.bottom - 3]; }"))  # fmt: skip
    driver.rest(page)
    assert driver.selected(page) is None


def test_arrow_keys_walk_the_tree(open_stage):
    page = open_stage("digits")
    driver.step(page, 0)
    tree = made("digits").trees[0]
    origin = tree.origin
    left, right = int(tree.left[0]), int(tree.right[0])
    page.get_by_role("tree").focus()
    driver.rest(page)
    assert driver.selected(page) == origin[0]
    for key, expected in (("ArrowDown", left), ("ArrowRight", right), ("ArrowLeft", left), ("ArrowUp", 0),
                          ("ArrowUp", 0)):  # fmt: skip
        page.keyboard.press(key)
        driver.rest(page)
        assert driver.selected(page) == origin[expected], key
        active = page.get_by_role("tree").get_attribute("aria-activedescendant")
        assert page.locator(f"#{active}").get_attribute("aria-selected") == "true"
        assert page.locator("[aria-selected=true][role=treeitem]").count() == 1


def test_tree_items_are_the_visible_nodes_and_space_closes_one(open_stage):
    page = open_stage("digits")
    driver.step(page, 0)
    driver.rest(page)
    tree = made("digits").trees[0]
    items = page.locator("[role=tree] > [role=treeitem]")
    assert items.count() == tree.n_nodes
    levels = items.evaluate_all("all => all.map((e) => Number(e.ariaLevel))")
    assert sorted(levels) == sorted(tree.depths + 1)
    page.get_by_role("tree").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    driver.rest(page)
    left = int(tree.left[0])
    below = sum(left in ancestors(tree, node)[1:] for node in range(tree.n_nodes))
    assert below > 0
    assert items.count() == tree.n_nodes - below
    assert page.locator("[role=treeitem][aria-expanded=false]").count() == 1
    assert f"{below} nodes hidden" in page.get_by_test_id("stage-hidden").inner_text()
    page.keyboard.press("Space")
    driver.rest(page)
    assert items.count() == tree.n_nodes


def ancestors(tree, node):
    """Return the node and all its ancestors."""
    found = [node]
    while found[-1]:
        found.append(int(tree.parents[found[-1]]))
    return found


def test_tab_reaches_everything_and_the_focus_is_seen(open_stage):
    page = open_stage("digits")
    driver.rest(page)
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("""() => {
          const e = document.activeElement;
          const style = getComputedStyle(e);
          const seen = e.matches(":focus-visible") && (style.outlineStyle !== "none" || e.type === "range");
          return [e.dataset.testid ?? e.getAttribute("role") ?? e.getAttribute("aria-label") ?? e.textContent, seen];
        }""")
        )
    names = {name for name, _ in reached}
    assert {
        "stage-slider", "tree", "stage-search", "stage-view", "stage-fit", "stage-panel", "stage-play", "stage-one-se",
        "stage-min", "stage-tab-node", "Zoom in", "Full screen", "Previous tree", "Next tree",
    } <= names  # fmt: skip
    unseen = {name for name, seen in reached if not seen and name not in ("", None)}
    assert not {name for name in unseen if not str(name).startswith(("\n", "Digits"))}


def test_arrow_keys_walk_the_tabs(open_stage):
    page = open_stage("digits")
    page.get_by_test_id("stage-tab-node").focus()
    for key, expected in (("ArrowRight", "row"), ("ArrowRight", "features"), ("ArrowLeft", "row")):
        page.keyboard.press(key)
        driver.rest(page)
        assert page.evaluate("() => document.activeElement.dataset.testid") == f"stage-tab-{expected}"
        assert page.locator("[role=tab][aria-selected=true]").inner_text().lower() == expected


def test_slider_keys_step_and_keep_the_focus(open_stage):
    page = open_stage("digits")
    driver.step(page, 2)
    page.get_by_test_id("stage-slider").focus()
    for key, expected in (("ArrowRight", 3), ("ArrowRight", 4), ("ArrowLeft", 3), ("Home", 0), ("End", 7)):
        page.keyboard.press(key)
        driver.rest(page)
        assert driver.painted(page) == expected
        assert page.evaluate("() => document.activeElement.dataset.testid") == "stage-slider"


def test_focus_stays_on_what_was_pressed(open_stage):
    page = open_stage("digits")
    driver.open_tab(page, "row")
    pressed = [
        page.get_by_role("button", name="Next row"),
        page.get_by_test_id("stage-tab-features"),
        page.locator(".legend button").nth(2),
        page.get_by_role("button", name="test", exact=True),
    ]
    for button in pressed:
        button.focus()
        page.keyboard.press("Enter")
        driver.rest(page)
        assert button.evaluate("(e) => e === document.activeElement")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nodes_jump_to_their_places_when_motion_is_unwanted(open_stage, motion):
    page = open_stage("digits", reduced_motion=motion)
    driver.step(page, 0)
    driver.set_state(page, layout="compact")
    places = page.evaluate("""() => {
      stage.go(4);
      const { view, tree } = stage;
      return [...view.places].map(([node, place]) => {
        const shown = view.shown.get(tree.origin[node]);
        return Math.hypot(shown.x - place.x, shown.y - place.y);
      });
    }""")
    assert driver.painted(page) == 4
    if motion == "reduce":
        assert max(places) == 0
    else:
        assert max(places) > 1
        page.wait_for_function("() => stage.view.before === null")


def test_play_begins_anew_beyond_the_simplest_good_tree_and_stops_there(open_stage):
    page = open_stage("digits")
    simplest = made("digits").path.best_index("one_se")
    driver.step(page, simplest + 1)
    page.get_by_label("Speed").select_option("1200")
    page.get_by_test_id("stage-play").click()
    page.wait_for_selector("[data-painted='0']")
    page.get_by_label("Speed").select_option("150")
    page.wait_for_selector(f"[data-painted='{simplest}']")
    page.wait_for_selector("[data-testid=stage-play][aria-label='Play the path']")


def test_recommended_trees_are_one_click_away(open_stage):
    page = open_stage("digits")
    path = made("digits").path
    for rule, button in (("one_se", "stage-one-se"), ("min", "stage-min")):
        driver.step(page, 6)
        page.get_by_test_id(button).click()
        driver.rest(page)
        assert driver.painted(page) == path.best_index(rule)


@pytest.mark.parametrize("name", ["digits", "wine"])
def test_a_followed_row_is_predicted_as_by_the_tree(open_stage, name):
    page = open_stage(name)
    found = made(name)
    driver.step(page, 1)
    tree, data = found.trees[1], found.data
    body = driver.open_tab(page, "row")
    part = 1
    page.get_by_role("button", name="validation", exact=True).click()
    driver.rest(page)
    for row in found.sampled(part)[:3]:
        body.get_by_role("button", name="Next row").click()
        driver.rest(page)
        assert f"row {row} (validation)" in body.inner_text()
        x = data.X[row : row + 1]
        assert page.locator("[data-testid=stage-verdict] b").first.inner_text() == tree.predict(x)[0]
        right = tree.predict(x)[0] == data.class_names[data.y[row]]
        assert (": correct" in page.get_by_test_id("stage-verdict").inner_text()) == right
        way = tree.path_of(x[0])[:-1]
        steps = body.locator(".way li")
        assert texts_of_nodes(steps) == [node_names(tree)[node] for node in way]
        for text, node in zip(driver.texts(steps.locator("b")), way, strict=True):
            margin = tree.margins(x, node)[0] / margin_units(tree, feature_deviation(data.X))[node]
            shown, side = re.fullmatch(r"margin ([+−].*) sd, goes (right|left)", text).groups()
            assert (side == "right") == (margin >= 0)
            assert driver.as_number(shown) == pytest.approx(margin, rel=5.1e-3)
        lit = page.evaluate("() => [...stage.store.litNodes].map((node) => stage.tree.origin[node])")
        assert lit == [tree.origin[node] for node in tree.path_of(x[0])]


def texts_of_nodes(steps):
    return driver.texts(steps.locator("button"))


def test_a_drawing_is_predicted_and_its_decision_path_lights_up(open_stage):
    page = open_stage("digits")
    driver.step(page, 1)
    driver.open_tab(page, "row")
    box = page.locator("canvas.pad").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 20, steps=8)
    lit = page.evaluate("() => stage.store.litNodes?.size")
    assert lit >= 2
    page.mouse.up()
    driver.rest(page)
    tree = made("digits").trees[1]
    values = np.array(page.evaluate("() => Array.from(stage.state.row.values)"))
    assert values.max() > 0
    assert page.locator("[data-testid=stage-verdict] b").inner_text() == tree.predict(values.reshape(1, -1))[0]
    page.get_by_role("button", name="Clear").click()
    driver.rest(page)
    assert page.get_by_test_id("stage-verdict").count() == 0


@pytest.mark.parametrize(("name", "pinned", "now"), [("digits", 0, 5), ("digits", 4, 1), ("wine", 2, 6)])
def test_changes_are_those_between_the_two_trees(open_stage, name, pinned, now):
    page = open_stage(name)
    driver.step(page, pinned)
    driver.open_tab(page, "changes")
    page.get_by_test_id("stage-pin").click()
    driver.step(page, now)
    driver.rest(page)
    rows = page.get_by_test_id("stage-changes").locator("tr")
    shown = dict(zip(driver.texts(rows.locator("th")), driver.texts(rows.locator("td")), strict=True))
    found = made(name)
    assert shown == expected_changes(found, found.trees[pinned], found.trees[now])
    page.get_by_test_id("stage-unpin").click()
    driver.rest(page)
    assert page.get_by_test_id("stage-pin").count() == 1


def test_a_pinned_tree_stands_next_to_the_tree_of_the_slider(open_stage):
    page = open_stage("wine")
    driver.step(page, 2)
    page.get_by_test_id("stage-pin-tree").focus()
    page.keyboard.press("Enter")
    driver.step(page, 6)
    driver.rest(page)
    boxes = [page.locator(place).bounding_box() for place in (".pinned .picture", ".now > .picture >> nth=-1")]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    assert page.evaluate("[stage.pin.second.state.k, stage.state.k, stage.state.pinned]") == [2, 6, 2]
    words = driver.texts(page.get_by_test_id("stage-change-words").locator("li"))
    assert re.match(r"\d+ of \d+ .*test rows get another class", words[0])
    assert len(words) > 1
    # The rows of a node appear in the other tree, in both directions.
    for here, there in (("stage", "stage.pin.second"), ("stage.pin.second", "stage")):
        page.evaluate(f"{here}.select({here}.tree.origin[{here}.tree.left[0]])")
        shown, own = page.evaluate(
            f"[[...{there}.state.guest.rows.rows].sort(), "
            f"[...{here}.tree.reaching(0, {here}.tree.left[0]).rows].sort()]"
        )
        assert shown == own
        assert page.evaluate(f"{there}.state.node === null && {here}.state.guest === null")
    page.get_by_test_id("stage-unpin-tree").click()
    driver.rest(page)
    assert page.get_by_test_id("stage-pinned").is_hidden()
    assert page.evaluate("stage.state.guest === null && document.activeElement.dataset.testid === 'stage-pin-tree'")


def expected_changes(found, before, after):
    """Return the expected table of the Changes tab for the training rows of the sample."""
    old, new = weights_by_node(before), weights_by_node(after)
    weights = [{(origin, j) for origin, used in side.items() for j in used} for side in (old, new)]
    rows = found.sampled(0)
    X, y = found.data.X[rows], found.data.labels()[rows]
    leaf = [tree.origin[tree.apply(X)] for tree in (before, after)]
    right = [tree.predict(X) == y for tree in (before, after)]
    pruned = [origin for origin in new if origin in old and old[origin] and not new[origin]]
    return {
        "nodes removed": f"{len(set(old) - set(new)):,}",
        "nodes added": f"{len(set(new) - set(old)):,}",
        "decision nodes now leaves": f"{len(pruned):,}",
        "weights removed": f"{len(weights[0] - weights[1]):,}",
        "weights added": f"{len(weights[1] - weights[0]):,}",
        "rows in another leaf": f"{np.sum(leaf[0] != leaf[1]):,} of {rows.size:,}",
        "now correct, were wrong": f"{np.sum(~right[0] & right[1]):,}",
        "now wrong, were correct": f"{np.sum(right[0] & ~right[1]):,}",
    }


def weights_by_node(tree):
    """Return {origin: number of used features}."""
    return {int(tree.origin[node]): set(tree.split(node)[0].tolist()) for node in range(tree.n_nodes)}


@pytest.mark.parametrize("name", ["digits", "wine"])
def test_features_enter_at_the_largest_lambda_that_uses_them(open_stage, name):
    page = open_stage(name)
    found = made(name)
    driver.open_tab(page, "features")
    expected = {}
    for lam, tree in zip(found.lams, found.trees, strict=True):
        for feature in np.unique(tree.features):
            expected[found.data.feature_names[feature]] = lam
    rows = page.get_by_test_id("stage-features").locator("tbody tr")
    names, values = driver.texts(rows.locator("th")), driver.texts(rows.locator("td.number"))
    assert len(names) == min(40, len(expected))
    for feature, text in zip(names, values, strict=True):
        assert driver.as_number(text) == pytest.approx(expected[feature], rel=5.1e-3)
    shown = [expected[feature] for feature in names]
    assert shown == sorted(shown, reverse=True)
    assert min(shown) >= max((lam for feature, lam in expected.items() if feature not in names), default=0)


@pytest.mark.parametrize("name", ["digits", "wine"])
def test_search_finds_features_classes_and_nodes(open_stage, name):
    page = open_stage(name)
    driver.step(page, 1)
    found = made(name)
    tree, data = found.trees[1], found.data
    leaf = np.flatnonzero(tree.left < 0)
    feature = int(np.bincount(tree.features).argmax())
    users = {int(tree.origin[node]) for node in range(tree.n_nodes) if feature in tree.split(node)[0]}
    predicted = str(tree.classes[tree.labels[leaf[0]]])
    leaves = {int(tree.origin[node]) for node in leaf if tree.classes[tree.labels[node]] == predicted}
    number, name = int(tree.origin[-1]), node_names(tree)[-1]
    queries = {data.feature_names[feature]: users, name: {number}, "no such thing": set()}
    if not predicted.isdigit():
        queries[predicted.upper()] = leaves
    for query, expected in queries.items():
        page.get_by_test_id("stage-search").fill(query)
        driver.rest(page)
        assert set(page.evaluate("() => [...stage.state.found]")) == expected, query
        assert f"{len(expected)} found" in page.locator(".tools").inner_text()
    page.get_by_test_id("stage-search").fill("")
    driver.rest(page)
    assert "found" not in page.locator(".tools").inner_text()


def test_enter_walks_through_what_was_found(open_stage):
    page = open_stage("wine")
    driver.step(page, 1)
    tree = made("wine").trees[1]
    predicted = str(tree.classes[tree.labels[-1]])
    leaves = {int(tree.origin[n]) for n in np.flatnonzero(tree.left < 0) if tree.classes[tree.labels[n]] == predicted}
    page.get_by_test_id("stage-search").fill(predicted)
    seen = set()
    for _ in leaves:
        page.keyboard.press("Enter")
        driver.rest(page)
        seen.add(driver.selected(page))
    assert seen == leaves


# Return the width of an element minus the width of its parent, in pixels.
TOO_WIDE = """() => [document.documentElement, stage.element,
  stage.element.querySelector(".body")].map((e) => e.scrollWidth - e.clientWidth)"""
ODD = ["hostile", "sixty classes", "two thousand features", "one leaf", "one lambda", "not square"]


@pytest.mark.parametrize("name", ODD)
def test_odd_data_open_without_overflow(open_stage, name):
    page = open_stage(name)
    for k in range(len(made(name).trees)):
        driver.step(page, k)
    for width in (1440, 800):
        page.set_viewport_size({"width": width, "height": 768})
        for tab in ("row", "features", "changes", "node"):
            driver.set_state(page, tab=tab, panel=True)
            assert max(page.evaluate(TOO_WIDE)) <= 0, (width, tab)
        assert page.locator(".label:visible").count() > 0
        assert inked(page) > 0.005


def inked(page):
    """Return the share of the pixels on the tree's canvas that are not empty."""
    return page.evaluate("""() => {
      const { width, height } = stage.view.canvas;
      const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(stage.view.canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      let inked = 0;
      for (let i = 3; i < data.length; i += 4) inked += data[i] > 0;
      return inked / (data.length / 4);
    }""")


def test_hostile_names_are_text_and_nothing_else(open_stage):
    page = open_stage("hostile")
    driver.step(page, 0)
    seen = set()
    for origin in range(0, made("hostile").trees[0].n_nodes, 6):
        driver.select(page, origin)
        seen.add(page.evaluate("() => stage.element.textContent"))
    for tab in ("features", "changes", "row"):
        driver.open_tab(page, tab)
        seen.add(page.evaluate("() => stage.element.textContent"))
    page.get_by_test_id("stage-view").click()
    driver.set_state(page, table=True)
    everything = "\n".join([*seen, page.evaluate("() => stage.element.textContent"), page.title()])
    for name in HOSTILE:
        assert name in everything
    assert page.evaluate("() => window.injected") is None
    inside = page.evaluate("() => [...new Set([...stage.element.querySelectorAll('*')].map((e) => e.localName))]")
    assert not {"img", "script", "iframe", "object", "embed", "style", "link"} & set(inside)
    assert page.locator(".stage b", has_text=re.compile("^bold$")).count() == 0
    assert page.locator("script").count() == 3


def test_every_class_has_a_chip_and_classes_beyond_the_palette_can_be_chosen(open_stage):
    page = open_stage("sixty classes")
    driver.rest(page)
    chips = page.locator(".legend button")
    assert chips.count() == 60
    chips.nth(57).click()
    driver.rest(page)
    assert chips.nth(57).get_attribute("aria-pressed") == "true"


def test_one_lambda_and_one_leaf_leave_nothing_to_move(open_stage):
    for name in ("one lambda", "one leaf"):
        page = open_stage(name)
        assert page.get_by_test_id("stage-slider").is_disabled()
        assert driver.painted(page) == 0


def test_a_map_shows_the_part_in_view_and_moves_it_by_pointer_and_keys(open_stage):
    page = open_stage("table 199", reduced_motion="reduce")
    driver.rest(page)
    where = "() => { const { camera: c, boxes, width, height } = stage.view; return [c.x, c.y, c.zoom]; }"
    in_view = """() => [...stage.view.boxes.values()].filter(({ x, y, w, h }) => x + w / 2 > 0 && y + h / 2 > 0
      && x - w / 2 < stage.view.width && y - h / 2 < stage.view.height).length"""
    on_map = page.get_by_test_id("stage-minimap")
    assert not on_map.is_visible()
    # A wheel over a gap zooms, and the nearest node stays in view.
    canvas = page.locator(".view canvas").first.bounding_box()
    page.evaluate("() => stage.element.focus()")
    page.mouse.move(canvas["x"] + 20, canvas["y"] + 20)
    for _ in range(12):
        page.mouse.wheel(0, -400)
    driver.rest(page)
    assert page.evaluate(where)[2] > 10
    assert page.evaluate(in_view) >= 1
    box = on_map.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.6)
    page.mouse.down()
    middle = page.evaluate("() => stage.view.camera.x")
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.6)
    assert page.evaluate("() => stage.view.camera.x") > middle
    page.mouse.up()
    assert page.evaluate(in_view) >= 1
    on_map.focus()
    before = page.evaluate(where)
    page.keyboard.press("-")
    assert page.evaluate(where)[2] < before[2]
    before = page.evaluate(where)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    after = page.evaluate(where)
    assert (after[0] > before[0], after[1] > before[1]) == (True, True)
    page.keyboard.press("0")
    driver.rest(page)
    assert page.evaluate(where) == [0, 0, 1]
    assert not on_map.is_visible()
    assert page.evaluate("() => document.activeElement.dataset.testid") == "stage"
