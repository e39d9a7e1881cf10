"""Test recorded runs on the stage: each step equals the engine's, and users can step through, play and paint runs."""

import base64
import re

import numpy as np
import pytest

from sample_data import painted
from tests.browser import stage_driver as driver
from tests.browser.conftest import StagePages
from tests.browser.recorded_runs import run
from tests.browser.stage_examples import opened_up
from viz.page.stage_html import stage_page
from viz.payload.recording_payload import recording_payload

pytestmark = pytest.mark.browser

PAINTING = """\
window.reports = [];
const live = { send() {}, theme: () => "light", recall: () => ({}), remember() {}, paint: (one) => reports.push(one) };
window.stage = new modules.stage_js.Stage(document.getElementById("stage"), live);
window.show = async (paint) => {
  modules.presentation_js.present(stage, { paint });
  await stage.load(bytes("trees"), { paint, tree: 0 });
};
await show({ classes: ["dark", "light", "third"], points: "", turn: 1 });"""


@pytest.fixture(scope="module")
def run_pages(browser, tmp_path_factory):
    """Return the `StagePages` that `open_run` uses."""
    folder = tmp_path_factory.mktemp("recordings")

    def file_of(name, paints):
        path = folder / f"{name}-{paints}.html"
        if path.exists():
            return path.as_uri()
        recording, data = run(name)
        text = opened_up(stage_page(recording_payload(recording, data), data.title))
        if paints:
            before = (
                r'window\.stage = await standalone\(element\("stage"\), ?bytes\("trees"\), ?'
                r'parsedBlock\("presented"\) ?\?\? ?\{\}\);'
            )
            text, n = re.subn(before, lambda _: PAINTING, text)
            assert n == 1
        path.write_text(text, encoding="utf-8")
        return path.as_uri()

    pages = StagePages(browser, file_of)
    yield pages
    pages.close()


@pytest.fixture
def open_run(run_pages, request):
    """Return a function that opens a page, given (example, whether it paints, options). The console must stay empty."""
    run_pages.begin()

    def open_run(name, paints=False, **options):
        return run_pages.open(name, paints, **options)

    yield open_run
    run_pages.end(request.node)


def painted_now(page, k):
    """Wait until a step is painted. A slow drawing follows one frame later."""
    page.wait_for_function("k => stage.element.dataset.painted === String(k)", arg=k)


# The canvas itself reports its triangles. Each is a separate path around its point.
DRAWN = """() => {
  const { plane } = stage;
  const context = plane.canvas.getContext("2d");
  const colors = stage.colors.theme;
  const drawn = [];
  const words = [];
  let path = [];
  const { moveTo, lineTo, beginPath, fill, fillText } = context;
  const own = { moveTo, lineTo, beginPath, fill, fillText };
  context.fillText = (text, x, y) => { words.push(text); own.fillText.call(context, text, x, y); };
  context.beginPath = () => { path = []; own.beginPath.call(context); };
  context.moveTo = (x, y) => { path.push([[x, y]]); own.moveTo.call(context, x, y); };
  context.lineTo = (x, y) => { path.at(-1)?.push([x, y]); own.lineTo.call(context, x, y); };
  context.fill = () => {
    const side = { [colors.toLeft]: -1, [colors.toRight]: 1 }[context.fillStyle];
    if (side && path.length && path.every((corners) => corners.length === 3))
      for (const corners of path) drawn.push([side, ...corners[0]]);
    own.fill.call(context);
  };
  plane.draw();
  for (const name of Object.keys(own)) delete context[name];
  return { drawn, words };
}"""
EXPECTED = """rows => rows.map((number) => {
  const row = stage.path.sample.rows.indexOf(number);
  const { px, py } = stage.plane.frame;
  const { X, n } = stage.path.sample;
  return [px(X[row]), py(X[n + row])];
})"""


def test_the_plane_draws_the_care_points_of_the_chosen_node(open_run):
    page = open_run("random")
    recording, _ = run("random")
    k, step = next((k, step) for k, step in enumerate(recording.steps) if step.depth == 1)
    driver.step(page, k)
    driver.rest(page)
    page.wait_for_function("() => stage.recorder.motion === null")
    for node in sorted(step.nodes, key=lambda node: -node.rows.size):
        assert page.get_by_test_id("stage-node-sentence").inner_text().startswith(f"Node {node.origin}: ")
        shown = page.evaluate(DRAWN)
        drawn, wanted = np.array(shown["drawn"]), {"left": np.sum(node.sides < 0), "right": np.sum(node.sides > 0)}
        assert {f"{n} care point{'s' * int(n != 1)}: {side}" for side, n in wanted.items() if n} <= set(shown["words"])
        places = np.array(page.evaluate(EXPECTED, node.rows.tolist()))
        # The badges on the timeline are triangles too.
        marks = drawn[np.abs(drawn[:, 1:][:, None] - places[None]).sum(axis=2).min(axis=1) < 8]
        radius = np.abs(marks[0, 1] - places[:, 0]).min() if len(marks) else 0
        assert 0 < radius < 8
        assert len(marks) == len(places)
        for side in (-1, 1):
            tips = np.sort(marks[marks[:, 0] == side][:, 2])
            np.testing.assert_allclose(tips, np.sort(places[node.sides == side][:, 1]), atol=1e-6)
        other = next((one for one in step.nodes if one is not node), None)
        if other is not None:
            driver.select(page, other.origin)  # the visitor selects another node
    chosen = page.evaluate("() => stage.state.node")
    page.get_by_test_id("stage-step").click()
    assert page.evaluate("() => stage.state.node") == chosen


# Run some steps, each in a separate frame, and return what each frame painted.
FRAMES = """(steps) => new Promise((resolve) => {
  const painted = [];
  let at = 0;
  const frame = () => {
    if (at === steps.length) return resolve(painted);
    stage.go(steps[at++], false);
    if (stage.pending) stage.show();
    painted.push(stage.state.k);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""
PLAYING = """() => new Promise((resolve) => {
  const own = stage.redraw;
  let moved = 0;
  stage.redraw = (what) => {
    own.call(stage, what);
    if (stage.recorder.motion) moved++;
    if (stage.state.k >= 9) {
      stage.player.play(false);
      delete stage.redraw;
      resolve(moved);
    }
  };
  stage.go(4);
  stage.recorder.on.setSpeed(200);
  stage.player.play(true);
})"""


def test_every_step_fits_into_a_frame_back_too_and_playing_moves_lines(open_run):
    page = open_run("random", reduced_motion="no-preference")
    last = len(run("random")[0].steps) - 1
    for steps in (list(range(last + 1)), list(range(last, -1, -1))):
        assert page.evaluate(FRAMES, steps) == steps
    painted_now(page, 0)
    assert page.evaluate(PLAYING) > 0


def test_lines_move_between_steps_and_are_right_at_rest(open_run):
    page = open_run("random", reduced_motion="no-preference")
    recording, _ = run("random")
    k = next(k for k, step in enumerate(recording.steps) if step.depth == 0 and step.nodes[0].changed)
    driver.step(page, k - 1)
    page.wait_for_timeout(150)
    split = "() => { const s = stage.recorder.splitOf(0) ?? stage.tree.split(0); return [...s.weights, s.bias]; }"
    moves, during = page.evaluate(f"k => {{ stage.go(k); return [stage.recorder.motion !== null, ({split})()]; }}", k)
    assert moves
    page.wait_for_function("() => stage.recorder.motion === null")
    after = page.evaluate(split)
    tree = recording.steps[k].tree
    assert after == [*tree.split(0)[1].tolist(), float(tree.bias[0])]
    assert during != after
    polygons = page.evaluate("() => stage.plane.regions.polygons[stage.tree.left[0]]")
    assert np.all(tree.margins(np.array(polygons), 0) <= 1e-9)


def test_nothing_moves_for_those_who_want_no_motion(open_run):
    page = open_run("random", reduced_motion="reduce")
    page.get_by_test_id("stage-step").click()
    assert page.evaluate("() => stage.recorder.motion") is None
    painted_now(page, 1)


def test_keyboard_alone_steps_plays_and_hears_the_steps(open_run):
    page = open_run("random")
    recording, _ = run("random")
    last = len(recording.steps) - 1
    page.get_by_test_id("stage-slider").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    painted_now(page, 2)
    assert page.evaluate("() => stage.view.kept !== null")  # nodes keep their positions
    page.locator(".outline").first.focus()
    page.keyboard.press("PageDown")
    painted_now(page, 3)
    page.keyboard.press("PageUp")
    page.keyboard.press("]")
    second = next(k for k, step in enumerate(recording.steps) if step.iteration == 2)
    painted_now(page, second)
    page.keyboard.press("[")
    painted_now(page, next(k for k, step in enumerate(recording.steps) if step.iteration == 1))
    driver.rest(page)
    status = page.locator("[role=status].status").inner_text()
    assert status.startswith("Pass 1, depth ")
    page.evaluate("() => stage.recorder.on.setSpeed(100)")
    page.keyboard.press("p")
    page.wait_for_function(f"() => stage.state.k === {last}")
    page.wait_for_function("() => !stage.player.isPlaying")
    driver.rest(page)
    assert page.locator("[role=status].status").inner_text() != status
    assert page.get_by_test_id("stage-where").inner_text().endswith(f"step {last + 1} of {last + 1}")
    assert page.get_by_test_id("stage-step").is_disabled()
    assert page.evaluate("() => stage.view.kept === null")  # the remaining tree fills its panel


def test_a_press_on_the_staircase_goes_there_and_a_drag_scrubs(open_run):
    page = open_run("random")
    last = len(run("random")[0].steps) - 1
    box = page.get_by_test_id("stage-staircase").bounding_box()
    places = page.evaluate("() => stage.state.recording.steps.map((_, i) => stage.recorder.staircase.xOf(i))")
    page.mouse.move(box["x"] + places[5], box["y"] + 40)
    page.mouse.down()
    painted_now(page, 5)
    page.mouse.move(box["x"] + places[2] + 1, box["y"] + 40)
    painted_now(page, 2)
    page.mouse.move(box["x"] + places[last] + 300, box["y"] + 40)
    page.mouse.up()
    painted_now(page, last)
    heights = page.evaluate("""() => stage.state.recording.steps.map(
      (step) => stage.recorder.staircase.y(step.objective))""")
    objectives = [step.objective for step in run("random")[0].steps]
    np.testing.assert_allclose(np.corrcoef(heights, objectives)[0, 1], -1)


def test_greedy_growth_is_shown_split_by_split(open_run):
    page = open_run("grown")
    recording, _ = run("grown")
    for k in (0, 1, len(recording.steps) - 1):
        driver.step(page, k)
        driver.rest(page)
        shown = dict(
            zip(driver.texts(page.locator(".figures dt")), driver.texts(page.locator(".figures dd")), strict=True)
        )
        assert int(shown["Leaves"]) == recording.steps[k].tree.n_leaves
        assert page.get_by_test_id("stage-step-sentence").inner_text() != ""
    assert page.get_by_test_id("stage-pass").is_hidden()
    assert not any("want" in words for words in page.evaluate(DRAWN)["words"])


BESIDE = """async (text) => {
  const host = document.body.appendChild(document.createElement("div"));
  window.other = new modules.stage_js.Stage(host);
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const options = { link: "class", match: "steps", compact: true };
  modules.presentation_js.present(stage, { ...options, title: "TAO" });
  modules.presentation_js.present(other, { ...options, title: "CART" });
  await other.load(bytes, { tree: 0 });
}"""


def test_greedy_growth_follows_step_by_step(open_run):
    page = open_run("random")
    longer, (shorter, data) = run("random")[0], run("grown")
    assert len(longer.steps) > len(shorter.steps) > 3
    driver.step(page, 2)
    page.evaluate(BESIDE, base64.b64encode(recording_payload(shorter, data, title="CART")).decode())
    both = "() => [stage.state.k, other.state.k]"
    assert page.evaluate(both) == [2, 2]
    page.evaluate("() => other.go(3)")
    assert page.evaluate(both) == [3, 3]
    page.evaluate("() => stage.recorder.on.setSpeed(100)")
    page.get_by_test_id("stage-play").nth(1).click()
    assert [one.get_attribute("aria-label") for one in page.get_by_test_id("stage-play").all()] == ["Pause"] * 2
    last = len(longer.steps) - 1
    page.wait_for_function(f"() => stage.state.k === {last} && !stage.player.isPlaying")
    assert page.evaluate(both) == [last, len(shorter.steps) - 1]


def points_of(report):
    X, y = painted.decode(report["points"])
    return X, y


def test_painting_with_the_mouse_reports_the_points(open_run):
    page = open_run("random", paints=True)
    assert page.locator(".paint-hint").inner_text() != ""
    box = page.get_by_test_id("stage-painter").bounding_box()
    place = "([x, y]) => { const { px, py } = stage.plane.frame; return [px(x), py(y)]; }"

    def at(x, y):
        left, top = page.evaluate(place, [x, y])
        return box["x"] + left, box["y"] + top

    page.get_by_test_id("stage-paint-point").click()
    for label, x, y in ((0, 0.25, 0.5), (2, 0.75, 0.9)):
        page.get_by_test_id(f"stage-paint-class-{label}").click()
        page.mouse.click(*at(x, y))
    assert page.evaluate("() => stage.paint.isAhead")
    page.wait_for_function("() => reports.at(-1)?.points.length === 8")  # two points with four characters each
    X, y = points_of(page.evaluate("() => reports.at(-1)"))
    assert y.tolist() == [0, 2]
    np.testing.assert_allclose(X, [[0.25, 0.5], [0.75, 0.9]], atol=0.004)
    page.get_by_test_id("stage-paint-spray").click()
    page.mouse.move(*at(0.4, 0.3))
    page.mouse.down()
    page.mouse.move(*at(0.6, 0.3), steps=10)
    page.mouse.up()
    page.wait_for_function("() => reports.at(-1).points.length > 8 && reports.at(-1).points === stage.paint.text")
    report = page.evaluate("() => reports.at(-1)")
    assert report["turn"] == 1
    X, y = points_of(report)
    assert len(y) >= 10
    assert np.all(np.abs(X[2:, 1] - 0.3) < 0.06)
    page.get_by_test_id("stage-paint-erase").click()
    page.mouse.click(*at(0.25, 0.5))
    page.wait_for_function("text => reports.at(-1).points !== text", arg=report["points"])
    assert len(points_of(page.evaluate("() => reports.at(-1)"))[1]) == len(y) - 1
    page.keyboard.press("Control+z")
    page.wait_for_function("text => reports.at(-1).points === text", arg=report["points"])
    page.get_by_test_id("stage-paint-clear").click()
    assert page.get_by_test_id("stage-paint-message").inner_text() == "0 points"
    page.get_by_test_id("stage-paint-undo").click()
    # The server answers with the recording of these points, so the browser is no longer ahead of it.
    page.evaluate("text => show({ classes: ['dark', 'light', 'third'], points: text, turn: 1 })", report["points"])
    assert not page.evaluate("() => stage.paint.isAhead")


def test_painting_with_the_keyboard_and_until_the_plane_is_full(open_run):
    page = open_run("random", paints=True)
    driver.rest(page)  # until the step has been announced
    page.get_by_test_id("stage-painter").focus()
    page.keyboard.press("2")
    page.evaluate("() => stage.paint.setMode('point')")
    for key in ("ArrowLeft", "ArrowUp", "Space"):
        page.keyboard.press(key)
    assert "Point, class light; 1 points." in page.locator("[role=status].status").inner_text()
    page.wait_for_function("() => reports.length")
    X, y = points_of(page.evaluate("() => reports.at(-1)"))
    assert y.tolist() == [1]
    assert X[0, 0] < 0.5 < X[0, 1]
    page.evaluate("() => { for (let i = 0; i < 5005; i++) stage.paint.model.add(i % 1000, 500, 0); }")
    page.keyboard.press("Space")
    message = page.get_by_test_id("stage-paint-message")
    assert "5,000" in message.inner_text()
    assert "bad" in message.get_attribute("class")
    page.wait_for_function("() => reports.length > 1")
    assert len(points_of(page.evaluate("() => reports.at(-1)"))[1]) == 5000


def test_hidden_parts_are_not_there_and_the_projector_has_larger_type(open_run):
    page = open_run("random", paints=True)
    size = "() => parseFloat(getComputedStyle(document.querySelector('.node-sentence')).fontSize)"
    before = page.evaluate(size)
    page.evaluate(
        """async () => {
      modules.presentation_js.present(stage, { present: true, hide: ["staircase", "transport", "plane", "tools"] });
      await stage.load(bytesOf, {});
    }""".replace("await stage.load(bytesOf, {});", "stage.retheme(); stage.resize();")
    )
    assert page.evaluate(size) > before
    for part in (".staircase", ".transport.steps", ".middle > .track", ".plane", ".tools", ".inspector"):
        assert page.locator(part).is_hidden()
    page.get_by_test_id("stage").focus()
    page.keyboard.press("PageDown")
    assert driver.painted(page) == 0
    again = "options => { modules.presentation_js.present(stage, options); stage.retheme(); stage.resize(); }"
    page.evaluate(again, {"present": False, "hide": ["paint"], "paint": {"classes": ["a"], "points": "", "turn": 9}})
    assert page.evaluate(size) == before
    assert page.get_by_test_id("stage-painter").is_hidden()
    page.keyboard.press("PageDown")
    page.locator("[data-painted='1']").wait_for()
    page.evaluate("() => { stage.paint.hasPainted = true; }")
    page.evaluate(again, {})
    assert not page.evaluate("() => stage.paint.hasPainted")


FRESH = """async (hide) => {
  const host = document.body.appendChild(document.createElement("div"));
  const fresh = (window.fresh = new modules.stage_js.Stage(host));
  modules.presentation_js.present(fresh, { hide });
  await fresh.load(bytes("trees"));
}"""


def test_a_stage_opens_with_hidden_parts(open_run):
    page = open_run("random")
    page.evaluate(FRESH, ["staircase", "transport"])
    fresh = page.get_by_test_id("stage").nth(1)
    assert fresh.get_attribute("data-painted") == "0"
    assert fresh.locator(".staircase").is_hidden()
    assert page.evaluate("() => { fresh.go(3); return fresh.element.dataset.painted; }") == "3"
