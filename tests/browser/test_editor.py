"""Test editing a tree on the stage: counts equal the engine's, and every edit can be undone, also by keyboard."""

import json
import re

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made
from tests.budget import budget
from treecore.tree.editing import edited_tree

pytestmark = pytest.mark.browser

DOCUMENT = "() => JSON.stringify(stage.editor.document)"
WORDS = "() => stage.editor.history.entries.slice(0, stage.editor.history.at + 1).map((entry) => entry.words)"
# Make random edits, and return the browser's counts after each: [document, [origins, counts of the first set]]. A drag
# consists of several drafts, of which only the last becomes an edit.
RANDOM_EDITS = """async ([seed, n]) => {
  const { stage } = window, { editor } = stage, { panel } = editor.parts, { path } = stage;
  const random = () => { // mulberry32
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const any = (values) => values[Math.floor(random() * values.length)];
  const frame = () => new Promise(requestAnimationFrame);
  const drag = async (node) => {
    const { features, weights, bias } = stage.tree.split(node);
    editor.drag.begin(node);
    for (let i = 0; i < 2; i++) {
      const turned = Array.from(weights, (w, j) => w * (1 + random() - 0.5));
      const value = path.sample.X[features[0] * path.sample.n + Math.floor(random() * path.sample.n)];
      const moved = random() < 0.3 ? -turned[0] * value : bias * (0.5 + random());
      editor.drag.change({ features, weights: turned, bias: moved });
      await frame();
      await frame();
    }
    editor.drag.end("split moved");
  };
  const paint = (node) => {
    const { brush } = panel;
    brush.kind = any(["plus", "minus", "erase"]);
    brush.begin(node);
    for (let i = 0; i < 4; i++) brush.mark(random() * path.imageShape[0], random() * path.imageShape[1]);
    brush.lift();
  };
  const seen = [];
  while (seen.length < n) {
    const { tree } = stage;
    const node = Math.floor(random() * tree.n);
    const at = editor.history.at;
    if (tree.isLeaf(node))
      random() < 0.5 ? panel.split(node) : panel.flip(node, Math.floor(random() * path.target.n));
    else if (random() < 0.15 && tree.depth[node] > 1) panel.cut(node);
    else if (random() < 0.1) editor.setLock(tree.origin[node], random() < 0.7);
    else if (path.imageShape && random() < 0.6) paint(node);
    else if (tree.nWeights(node)) await drag(node);
    if (random() < 0.1) editor.undo();
    if (editor.history.at === at) continue;
    const { counts } = stage.tree.figures(0);
    seen.push([editor.document, [Array.from(stage.tree.origin), Array.from(counts)]]);
  }
  return seen;
}"""
REDRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# Change the same split repeatedly, each time in a separate frame. Return how often it was drawn and how many errors
# were reported.
DRAG = """n => new Promise((resolve) => {
  const { stage } = window;
  const handle = stage.editor.parts.handles.plane.middle;
  const box = handle.getBoundingClientRect();
  const at = [box.left + 14, box.top + 14];
  const send = (name, x, y) => handle.dispatchEvent(new PointerEvent(name,
    { bubbles: true, button: 0, pointerId: 1, clientX: x, clientY: y, isPrimary: true }));
  handle.setPointerCapture = () => {};
  let work = 0;
  const errors = new Set();
  const { drag } = stage.editor;
  const { show } = drag;
  drag.show = function () {
    show.call(this);
    work++;
  };
  send("pointerdown", ...at);
  let i = 0;
  const step = () => {
    errors.add(stage.tree.figures(0).losses[0]);
    if (i++ === n) {
      send("pointerup", ...at);
      delete drag.show;
      return resolve({ work, errors: errors.size });
    }
    send("pointermove", at[0] + 80 * Math.sin(i / 9), at[1] + 60 * Math.sin(i / 7));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""


def training_rows(found):
    """Return (X, y) of the training rows of the tree."""
    rows = found.sets[0][1]
    return found.data.X[rows], found.data.labels()[rows]


def engines_tree(found, document):
    """Return the engine's tree of a document."""
    X, y = training_rows(found)
    tree = found.trees[0]
    return edited_tree(document, tree, X, y, positions=found.data.target.positions(tree))


def expected_counts(found, document):
    """Return {origin: number of rows in each class of the data}."""
    X, y = training_rows(found)
    tree = engines_tree(found, document)
    codes = [found.data.class_names.index(str(label)) for label in y]
    counts = np.zeros((tree.n_nodes, len(found.data.class_names)), int)
    np.add.at(counts, (tree.apply(X), codes), 1)
    for node in range(tree.n_nodes - 1, 0, -1):
        counts[tree.parents[node]] += counts[node]
    return dict(zip(tree.origin.tolist(), counts.tolist(), strict=True))


def select(page, origin):
    driver.select(page, origin)


def document(page):
    return json.loads(page.evaluate(DOCUMENT))


def node_of(page, origin):
    return next(node for node in document(page)["nodes"] if node["id"] == origin)


def drag(page, test, dx, dy, shares=(0.3, 0.7, 1.0)):
    """Drag a handle by some pixels, with a redraw at each of the `shares` of the distance."""
    driver.rest(page)
    box = page.get_by_test_id(test).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for share in shares:
        page.mouse.move(x + share * dx, y + share * dy)
        page.evaluate(REDRAWN)
    page.mouse.up()
    driver.rest(page)


def leaf_of(page):
    """Return the origin id of the leaf that most training rows reach."""
    return page.evaluate("""() => { const { tree } = stage, { n } = tree.figures(0);
      const leaves = [...tree.left.keys()].filter((node) => tree.isLeaf(node));
      return tree.origin[leaves.reduce((a, b) => (n[b] > n[a] ? b : a))]; }""")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["edited plane", "edited table", "edited digits"])
def test_after_any_edit_the_counts_are_the_engines(open_stage, name):
    page = open_stage(name)
    found = made(name)
    seen = page.evaluate(RANDOM_EDITS, [7, budget(10, 40)])
    assert len({json.dumps(edited) for edited, _ in seen}) > 5
    for edited, (origins, counts) in seen:
        shown = dict(zip(origins, np.reshape(counts, (len(origins), -1)).tolist(), strict=True))
        assert shown == expected_counts(found, edited)


def test_undo_and_redo_lead_to_the_very_same_documents(open_stage):
    page = open_stage("edited plane")
    first = page.evaluate(DOCUMENT)
    page.evaluate(RANDOM_EDITS, [3, 8])
    last = page.evaluate(DOCUMENT)
    steps = page.evaluate("() => stage.editor.history.at")
    page.get_by_test_id("stage").focus()
    for _ in range(steps):
        page.keyboard.press("Control+z")
    assert page.evaluate(DOCUMENT) == first != last
    assert page.get_by_test_id("edit-undo").is_disabled()
    for i in range(steps):
        page.keyboard.press("Control+y" if i % 2 else "Control+Shift+Z")
    assert page.evaluate(DOCUMENT) == last
    assert page.get_by_test_id("edit-redo").is_disabled()
    page.get_by_test_id("edit-reset").click()
    assert page.evaluate(DOCUMENT) == first
    assert page.get_by_test_id("edit-keep").is_disabled()
    assert page.evaluate("() => stage.editor.moved") is None
    page.keyboard.press("Control+z")
    assert page.evaluate(DOCUMENT) == last


def test_the_threshold_of_a_difference_is_dragged_and_stays_a_difference(open_stage):
    page = open_stage("edited difference")
    select(page, 0)
    ends = page.evaluate("() => [stage.path.low, stage.path.high].map((ends) => Array.from(ends))")
    for test, dx in (("handle-plot-move", 20), ("handle-view-move", -12), ("handle-view-move", -2000)):
        before = node_of(page, 0)
        drag(page, test, dx, 0)
        now = node_of(page, 0)
        first, second = now["weights"]
        assert first == -second
        bounds = [-node["bias"] / node["weights"][0] for node in (before, now)]
        assert bounds[1] >= 0
        if dx > -2000:
            assert (bounds[1] - bounds[0]) * dx > 0
            assert abs(bounds[1] - bounds[0]) < ends[1][2] - ends[0][2]
            assert "length (cm) − the width (cm)" in page.locator("body").inner_text()
    assert bounds[1] == 0


def test_a_line_is_dragged_in_all_its_pictures_and_tells_what_it_costs(open_stage):
    page = open_stage("edited plane")
    select(page, 0)
    before = node_of(page, 0)
    error = "() => stage.tree.path.target.errorText(stage.tree.sizes(0).error)"
    before_error = page.evaluate(error)
    for test in ("handle-plane-move", "handle-plot-move", "handle-view-move"):
        now = node_of(page, 0)
        drag(page, test, 16, -12)
        assert node_of(page, 0)["weights"] == before["weights"]
        assert node_of(page, 0)["bias"] != now["bias"]
    metrics = page.locator(".figures").inner_text()
    assert f"{before_error} → {page.evaluate(error)}" in metrics
    assert page.get_by_text(re.compile("^Leaves")).count() == 1  # each metric is shown once
    page.get_by_test_id("handle-plane-turn").last.scroll_into_view_if_needed()
    box = page.get_by_test_id("handle-plane-turn").last.bounding_box()
    assert min(box["width"], box["height"]) >= 24
    page.mouse.move(box["x"] + 14, box["y"] + 14)
    page.mouse.down()
    page.mouse.move(box["x"] + 24, box["y"] + 60)
    driver.rest(page)
    moved = page.evaluate("() => stage.editor.moved.rows.length")
    assert moved > 0
    assert f"{moved} rows end" in page.get_by_test_id("edit-feedback").inner_text()
    page.mouse.up()
    driver.rest(page)
    turned = node_of(page, 0)
    assert turned["weights"] != before["weights"]
    assert page.evaluate(WORDS) == ["original tree"] + ["node 1: split moved"] * 4


def test_only_what_may_turn_has_handles_for_turning(open_stage):
    """A line parallel to an axis of the plane can become bivariate.

    Without a plane, a univariate split stays univariate.
    """
    page = open_stage("edited plane")
    select(page, 0)
    page.get_by_test_id("edit-feature-2").select_option("")
    driver.rest(page)
    assert len(node_of(page, 0)["features"]) == 1
    box = page.get_by_test_id("handle-plane-turn").first.bounding_box()
    page.mouse.move(box["x"] + 14, box["y"] + 14)
    page.mouse.down()
    page.mouse.move(box["x"] + 50, box["y"] + 40)
    page.mouse.up()
    driver.rest(page)
    assert node_of(page, 0)["features"] == [0, 1]
    page = open_stage("edited table")
    select(page, 0)
    assert page.get_by_test_id("handle-plot-move").is_visible()
    assert page.get_by_test_id("handle-plot-turn").first.is_hidden()


def test_dragging_keeps_up_with_the_pointer_on_2000_points(open_stage):
    page = open_stage("edited 2000 points")
    select(page, 0)
    measured = page.evaluate(DRAG, 45)
    assert measured["errors"] > 10
    assert measured["work"] >= 30
    found = made("edited 2000 points")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    counts = page.evaluate("() => Array.from(stage.tree.figures(0).counts)")
    engine = expected_counts(found, document(page))
    origins = page.evaluate("() => Array.from(stage.tree.origin)")
    assert np.reshape(counts, (len(origins), -1)).tolist() == [engine[origin] for origin in origins]


def test_everything_by_keyboard(open_stage):
    page = open_stage("edited plane")
    select(page, 0)
    before = node_of(page, 0)
    handle = page.get_by_test_id("handle-plane-move")
    assert handle.get_attribute("role") == "slider"
    assert "node 1" in handle.get_attribute("aria-label")
    assert 0 <= int(handle.get_attribute("aria-valuenow")) <= 100
    handle.focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.wait_for_function("() => stage.editor.history.at === 1")
    coarse = node_of(page, 0)
    assert coarse["weights"] == before["weights"]
    assert coarse["bias"] != before["bias"]
    handle.focus()
    page.keyboard.press("Control+ArrowUp")
    page.wait_for_function("() => stage.editor.history.at === 2")
    fine = node_of(page, 0)
    assert 0 < abs(fine["bias"] - coarse["bias"]) < 0.2 * abs(coarse["bias"] - before["bias"])
    handle.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("() => stage.editor.history.at === 3")
    assert node_of(page, 0)["weights"] != before["weights"]
    driver.rest(page)
    leaf = leaf_of(page)
    select(page, leaf)
    page.locator("[role=tree]").focus()
    was = node_of(page, leaf)["label"]
    page.keyboard.press(str(2 - was))
    assert node_of(page, leaf)["label"] == 1 - was
    page.keyboard.press("s")
    split = node_of(page, leaf)
    assert split["left"] is not None
    page.keyboard.press("l")
    assert node_of(page, leaf)["locked"]
    page.keyboard.press("Delete")
    assert node_of(page, leaf)["left"] is None
    assert "Training errors" in page.locator(".stage .status").inner_text()


def test_leaves_are_split_flipped_and_nodes_cut_with_the_majority_of_their_rows(open_stage):
    page = open_stage("edited table")
    found = made("edited table")
    leaf = leaf_of(page)
    select(page, leaf)
    page.get_by_test_id("edit-split").click()
    driver.rest(page)
    grown = node_of(page, leaf)
    counts = expected_counts(found, document(page))
    for child in (grown["left"], grown["right"]):
        assert sum(counts[child]) > 0
        assert node_of(page, child)["label"] == int(np.argmax(counts[child]))
    select(page, grown["left"])
    other = page.get_by_test_id("edit-class").filter(has_not=page.locator("[aria-pressed=true]"))
    label = next(i for i in range(other.count()) if other.nth(i).get_attribute("aria-pressed") == "false")
    other.nth(label).click()
    driver.rest(page)
    assert node_of(page, grown["left"])["label"] == label
    select(page, 0)
    page.get_by_test_id("edit-feature-1").select_option("4")
    driver.rest(page)
    assert node_of(page, 0)["features"] == [4]
    page.get_by_test_id("edit-feature-2").select_option("2")
    driver.rest(page)
    assert node_of(page, 0)["features"] == [2, 4]
    page.get_by_test_id("edit-cut").click()
    driver.rest(page)
    assert [node["id"] for node in document(page)["nodes"]] == [0]
    assert document(page)["nodes"][0]["label"] == int(np.argmax(expected_counts(found, document(page))[0]))


def test_a_threshold_is_dragged_and_typed_and_an_empty_side_is_reported(open_stage):
    page = open_stage("edited table")
    select(page, 0)
    before = node_of(page, 0)
    drag(page, "handle-plot-move", 30, 0)
    assert node_of(page, 0)["bias"] != before["bias"]
    assert node_of(page, 0)["weights"] == before["weights"]
    page.get_by_test_id("edit-threshold").fill("1e6")
    page.keyboard.press("Tab")
    driver.rest(page)
    assert node_of(page, 0)["bias"] == -before["weights"][0] * 1e6
    assert page.get_by_test_id("edit-feedback").get_by_role("status").is_visible()
    assert "empty" in page.locator(".labels").inner_text()
    page.get_by_test_id("edit-keep").click()
    driver.rest(page)
    assert node_of(page, 0)["locked"]
    page.get_by_test_id("edit-lock").click()
    driver.rest(page)
    assert not node_of(page, 0)["locked"]


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_the_description_of_a_split_follows_a_drag(open_stage, by):
    page = open_stage("edited table")
    select(page, 0)
    drag(page, "handle-plot-move", 60, 0)
    handle, seen = page.get_by_test_id("handle-plot-move"), []
    told = {
        "condition": page.get_by_test_id("stage-condition").inner_text,
        "share": page.get_by_test_id("stage-share").inner_text,
        "threshold": page.get_by_test_id("edit-threshold").input_value,
        "handle": lambda: handle.get_attribute("aria-valuetext"),
        "rows": page.locator("summary", has_text="Rows here").inner_text,
        "classes": page.locator("table.classes").inner_text,
        "edit": page.get_by_test_id("edit-feedback").inner_text,
    }

    def read():
        page.evaluate(REDRAWN)
        seen.append({name: text() for name, text in told.items()})

    read()
    if by == "mouse":
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        assert not page.get_by_test_id("edit-feedback").locator(".number").count()
        page.mouse.move(x - 120, y)
    else:
        handle.focus()
        for _ in range(30):
            page.keyboard.press("ArrowLeft")
    read()
    assert page.evaluate("() => stage.state.isDraft")
    bound = -page.evaluate("() => stage.tree.split(0).bias / stage.tree.split(0).weights[0]")
    assert float(seen[1]["threshold"]) == pytest.approx(bound, rel=1e-4)
    assert [name for name in told if seen[1][name] == seen[0][name]] == []
    if by == "mouse":
        page.mouse.up()
    else:
        page.keyboard.press("Tab")
    driver.rest(page)
    read()
    assert seen[2] == seen[1]


def test_a_handle_that_is_pressed_and_let_go_changes_nothing(open_stage):
    page = open_stage("edited table")
    select(page, 0)
    drag(page, "handle-plot-move", 60, 0)
    feedback = page.get_by_test_id("edit-feedback")
    before = feedback.inner_text()
    page.get_by_test_id("handle-plot-move").click()
    driver.rest(page)
    assert feedback.inner_text() == before
    assert page.evaluate("() => stage.editor.history.entries.length") == 2


@pytest.mark.nightly
@pytest.mark.parametrize("shift", budget([80], [30, 80]))
def test_a_dragged_threshold_depends_on_the_shift_alone(open_stage, shift):
    page = open_stage("edited table")
    select(page, 0)
    weight = node_of(page, 0)["weights"][0]
    before = -node_of(page, 0)["bias"] / weight
    ends = []
    for moves in (1, 3, 10, 50):
        drag(page, "handle-plot-move", shift, 0, [(i + 1) / moves for i in range(moves)])
        ends.append(-node_of(page, 0)["bias"] / weight)
        page.get_by_test_id("edit-undo").click()
        driver.rest(page)
    assert np.ptp(ends) < 1e-9 * abs(ends[0])
    assert ends[0] > before


def test_arrow_keys_move_a_threshold_by_equal_steps(open_stage):
    page = open_stage("edited table")
    select(page, 0)
    driver.rest(page)
    weight = node_of(page, 0)["weights"][0]
    page.get_by_test_id("handle-plot-move").focus()
    thresholds = []
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        page.evaluate(REDRAWN)
        thresholds.append(-page.evaluate("() => stage.tree.split(0).bias") / weight)
    steps = np.diff(thresholds)
    assert np.allclose(steps, steps[0], rtol=1e-6)


def test_the_threshold_of_a_date_is_a_day(open_stage):
    page = open_stage("edited dates")
    found = made("edited dates")
    since = list(found.data.feature_names).index("since (days since 1970)")
    nodes = [node["id"] for node in document(page)["nodes"] if node["features"] == [since]]
    select(page, nodes[0])
    field, words = page.get_by_test_id("edit-threshold"), page.get_by_test_id("edit-date-words")
    assert field.get_attribute("type") == "date"
    field.fill("2015-03-01")
    page.keyboard.press("Tab")
    driver.rest(page)
    node = node_of(page, nodes[0])
    day = (np.datetime64("2015-03-01") - np.datetime64("1970-01-01")).astype(int)
    goes_right = node["bias"] + node["weights"][0] * np.array([day - 1 / 1440, day]) >= 0
    assert goes_right.tolist() == ([False, True] if node["weights"][0] > 0 else [True, False])
    assert "2015-03-01" in page.evaluate("() => stage.outline.element.textContent")
    assert words.inner_text() == ""
    field.fill("2150-01-01")
    page.keyboard.press("Tab")
    driver.rest(page)
    assert words.inner_text().startswith("since ")


def test_a_line_drawn_across_a_region_splits_its_leaf(open_stage):
    page = open_stage("edited plane")
    leaf = leaf_of(page)
    select(page, leaf)
    page.get_by_test_id("edit-draw").click()
    (x0, y0), (x1, y1) = page.evaluate(
        """leaf => {
      const { plane, tree } = stage, { px, py } = plane.frame, box = plane.canvas.getBoundingClientRect();
      const corners = plane.regions.polygons[tree.nodeOf.get(leaf)];
      const middle = [0, 1].map((c) => corners.reduce((sum, corner) => sum + corner[c], 0) / corners.length);
      const [x, y] = [box.left + px(middle[0]), box.top + py(middle[1])];
      return [[x - 20, y - 6], [x + 20, y + 6]]; }""",
        leaf,
    )
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move((x0 + x1) / 2, (y0 + y1) / 2)
    page.mouse.move(x1, y1)
    page.mouse.up()
    driver.rest(page)
    split = node_of(page, leaf)
    assert split["features"] == [0, 1]
    counts = expected_counts(made("edited plane"), document(page))
    assert sum(counts[split["left"]]) > 0 < sum(counts[split["right"]])
    assert not page.evaluate("() => stage.editor.drawing.isOn")


def test_weights_are_painted_and_erased_on_a_digit(open_stage):
    page = open_stage("edited digits")
    select(page, 0)
    before = node_of(page, 0)

    def stroke():
        driver.rest(page)
        box = page.get_by_test_id("stage-plot").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 8
        page.mouse.move(x - 20, y)
        page.mouse.down()
        for step in range(5):
            page.mouse.move(x - 20 + 10 * step, y)
        page.mouse.up()
        driver.rest(page)

    page.get_by_test_id("brush-plus").click()
    stroke()
    painted = dict(zip(node_of(page, 0)["features"], node_of(page, 0)["weights"], strict=True))
    was = dict(zip(before["features"], before["weights"], strict=True))
    changed = [pixel for pixel in painted if painted[pixel] != was.get(pixel)]
    assert changed
    assert all(painted[pixel] > was.get(pixel, 0) for pixel in changed)
    page.get_by_test_id("brush-erase").click()
    stroke()
    assert set(changed) - set(node_of(page, 0)["features"])
    drag(page, "handle-offset-move", 25, 0)
    assert node_of(page, 0)["bias"] != before["bias"]
    page.get_by_test_id("brush-minus").click()
    driver.rest(page)
    page.get_by_test_id("stage-plot").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    assert min(node_of(page, 0)["weights"]) < 0
    assert len(page.evaluate(WORDS)) == 5
    driver.rest(page)
    page.keyboard.press("Delete")  # the plot still has the focus, so nothing is pruned
    assert page.evaluate("() => document.activeElement.dataset.testid") == "stage-plot"
    assert len(page.evaluate(WORDS)) == 5
    page.get_by_test_id("edit-lock").focus()
    page.keyboard.press("Enter")
    driver.rest(page)
    assert page.evaluate("() => document.activeElement.dataset.testid") == "edit-lock"
    for _ in range(5):
        page.keyboard.press("Control+z")
    assert node_of(page, 0) == before


LIVE = """() => {
  window.reports = [];
  const edited = (said) => reports.push(said);
  stage.store.set({ isLive: true });
  stage.live = { send() {}, theme: () => "light", recall: () => ({}), remember() {}, edited };
  stage.editor.bar.draw();
}"""


def test_reoptimising_is_asked_for_answered_and_undone_like_an_edit(open_stage):
    page = open_stage("edited table")
    page.evaluate(LIVE)
    select(page, 0)
    drag(page, "handle-plot-move", 30, 0)
    page.get_by_test_id("edit-keep").click()
    kept = page.evaluate(DOCUMENT)
    page.get_by_test_id("edit-reoptimise").click()
    asked = page.evaluate("() => reports")
    assert [report["ask"] for report in asked] == ["keep", "keep", "reoptimise"]
    assert [report["turn"] for report in asked] == [1, 2, 3]
    assert json.dumps(asked[-1]["document"]) == json.dumps(json.loads(kept))
    assert page.get_by_test_id("edit-reoptimise").is_disabled()
    assert page.evaluate("() => stage.element.contains(document.activeElement)")  # keyboard events still arrive
    assert "TAO" in page.get_by_test_id("edit-note").inner_text()
    select(page, leaf_of(page))
    page.get_by_test_id("edit-class").first.click()  # edits while the server works
    page.get_by_test_id("edit-class").last.click()
    late = page.evaluate(DOCUMENT)
    asked = page.evaluate("() => reports.slice(3)")
    assert {report["ask"] for report in asked} == {"reoptimise"}
    assert asked[-1]["document"] == json.loads(late)
    answer = json.loads(late)
    moved = answer["nodes"][1]
    moved["bias"] += 0.4 * abs(moved["weights"][0])
    stale = {"turn": 1, "seen": 3, "ask": "reoptimise", "document": json.loads(kept), "message": None}
    page.evaluate("said => stage.editor.hear(said)", stale)
    assert page.evaluate(DOCUMENT) == late
    turn = page.evaluate("() => reports.at(-1).turn")
    said = {"turn": 2, "seen": turn, "ask": "reoptimise", "document": answer, "message": "Objective 3 → 2."}
    page.evaluate("said => stage.editor.hear(said)", said)
    page.wait_for_function("() => !document.querySelector('[data-testid=edit-reoptimise]').disabled")
    page.wait_for_function("() => stage.tree === stage.editor.tree")  # the split lines have turned
    driver.rest(page)
    assert document(page) == answer
    assert page.get_by_test_id("edit-note").inner_text() == "Objective 3 → 2."
    changed = page.evaluate(
        "id => modules.comparison_js.changeOfNode(stage.store, stage.tree.nodeOf.get(id)).moved", moved["id"]
    )
    assert changed > 0
    page.evaluate("said => stage.editor.hear(said)", said)  # the same message again
    assert document(page) == answer
    page.keyboard.press("Control+z")
    assert page.evaluate(DOCUMENT) == late
    page.get_by_test_id("edit-reoptimise").click()
    turn = page.evaluate("() => reports.at(-1).turn")
    fault = {"turn": 2, "seen": turn, "ask": "reoptimise", "document": answer, "message": "It <b>failed</b>."}
    page.evaluate("said => stage.editor.hear(said)", fault)
    assert page.get_by_test_id("edit-note").inner_text() == "It <b>failed</b>."
    assert page.get_by_test_id("edit-reoptimise").is_enabled()
    assert page.evaluate(DOCUMENT) == late
    history = driver.open_tab(page, "changes").get_by_test_id("edit-history").get_by_role("button")
    history.first.click()
    driver.rest(page)
    assert page.evaluate("() => stage.editor.history.at") == 0


def test_a_stage_that_is_not_edited_shows_nothing_of_it(open_stage):
    page = open_stage("grown plane")
    assert page.get_by_test_id("edit-undo").is_hidden()
    assert page.locator(".handle").count() == 0
    assert page.get_by_test_id("stage-slider").is_visible()
