"""Test text on the stage: labels do not overlap, are large enough to read, and stay inside their boxes."""

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made
from tests.budget import budget

pytestmark = pytest.mark.browser

SMALLEST = 9  # minimum text size in pixels
SIZES = budget(
    [("images", 51), ("table", 11)], [(kind, size) for kind in ("images", "table") for size in (11, 51, 199, 1001)]
)
SELECTED = [("bivariate", 1440), ("hostile", 1024), ("plane", 1024), ("digits", 1440), ("missing", 1280)]

TYPE = "() => parseFloat(getComputedStyle(document.querySelector('.figures dd')).fontSize)"
# Describe the faults of the text on the screen. The outline for screen readers is invisible, so it does not count.
AUDIT = """smallest => {
  const { element } = stage;
  const wrong = [];
  const shown = [...element.querySelectorAll(".labels .label")].filter((e) => e.style.display !== "none");
  const boxes = shown.map((e) => ({ e, box: e.getBoundingClientRect() })).sort((a, b) => a.box.top - b.box.top);
  boxes.forEach((a, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].box.top < a.box.bottom - 1; j++) {
      const b = boxes[j];
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - b.box.top;
      if (wide > 1 && high > 1) wrong.push(`overlap of "${a.e.textContent}" and "${b.e.textContent}"`);
    }
    if (a.e.scrollWidth > a.e.clientWidth + 1) wrong.push(`cut: "${a.e.textContent}"`);
  });
  const whole = element.getBoundingClientRect();
  const holds = (box) => box.left >= whole.left - 1 && box.right <= whole.right + 1
    && box.top >= whole.top - 1 && box.bottom <= whole.bottom + 1;
  const clips = (e) => /auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX + getComputedStyle(e).overflowY);
  let texts = 0;
  for (const e of element.querySelectorAll("*")) {
    if (e.closest(".outline, .status, svg") || !e.checkVisibility() || !e.getClientRects().length) continue;
    if (![...e.childNodes].some((c) => c.nodeType === Node.TEXT_NODE && c.textContent.trim())) continue;
    texts++;
    const size = parseFloat(getComputedStyle(e).fontSize);
    if (size < smallest) wrong.push(`${size} px: "${e.textContent}"`);
    let inside = e;
    while (inside !== element && !clips(inside)) inside = inside.parentElement;
    if (inside === element && e.localName !== "option" && !holds(e.getBoundingClientRect())) {
      wrong.push(`outside: "${e.textContent}"`);
    }
  }
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) wrong.push(`the page is ${page.scrollWidth - page.clientWidth} px too wide`);
  for (const e of [element, ...element.querySelectorAll(".head, .main, .middle, .transport, .tools, .body")]) {
    if (e.scrollWidth > e.clientWidth + 1) wrong.push(`${e.className} is ${e.scrollWidth - e.clientWidth} px too wide`);
  }
  if (element.scrollHeight > element.clientHeight + 1) wrong.push("the stage is too high");
  for (const e of element.querySelectorAll(".picture, .curves, .track, .transport, .inspector")) {
    if (e.checkVisibility() && !holds(e.getBoundingClientRect())) wrong.push(`${e.className} leaves the stage`);
  }
  return { wrong: wrong.slice(0, 20), labels: shown.length, texts };
}"""


def audit(page, situation, least_labels=1):
    """Assert that the text on the screen has no faults."""
    driver.rest(page)
    found = page.evaluate(AUDIT, SMALLEST)
    assert found["wrong"] == [], situation
    assert found["labels"] >= least_labels, situation
    assert found["texts"] > 20


def zoom_on(page, node, factor):
    """Zoom in on a node of the tree."""
    page.evaluate(
        """([node, factor]) => {
          const { view } = stage;
          const place = view.places.get(node) ?? view.places.get(view.visible.root);
          view.camera.fit();
          view.camera.centre(place.x, place.y, factor, view.width, view.height);
          stage.requestDraw();
        }""",
        [node, factor],
    )


@pytest.mark.nightly
@pytest.mark.parametrize(("kind", "n_nodes"), SIZES)
def test_labels_keep_off_each_other_and_are_large_enough(open_stage, kind, n_nodes):
    page = open_stage(f"{kind} {n_nodes}")
    driver.step(page, 0)
    readable = kind == "table" or n_nodes < 100
    situations = (
        (1440, 900, "light", ("keep", "compact"), ((0, 2.5), (n_nodes - 1, 30))),
        (1024, 768, "dark", ("compact",), ((n_nodes // 3, 8),)),
    )
    for width, height, theme, layouts, zooms in situations:
        page.set_viewport_size({"width": width, "height": height})
        for layout in layouts:
            driver.set_state(page, theme=theme, layout=layout, support="auto", levels="auto")
            audit(page, f"{width} {theme} {layout}", least_labels=10 if readable else 0)
        if n_nodes > 200:
            driver.show_everything(page)
            audit(page, f"{width} {theme}, everything", least_labels=0)
        for node, factor in zooms:
            zoom_on(page, node, factor)
            audit(page, f"{width} {theme}, node {node}, zoomed {factor} times", least_labels=0)
        page.evaluate("() => stage.fit()")
    driver.step(page, 2)
    audit(page, "another tree")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["images 51", "table 51", "hostile", *budget((), ("table 1001", "plane"))])
def test_larger_type(open_stage, name):
    page = open_stage(name)
    driver.step(page, 0)
    before = page.evaluate(TYPE)
    page.get_by_test_id("stage-view").click()
    page.get_by_label("Larger type").check()
    for width, height in ((1440, 900), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        audit(page, f"{width}, menu open", least_labels=0)
    assert page.evaluate(TYPE) >= 1.4 * before
    page.keyboard.press("Escape")
    audit(page, "menu closed", least_labels=int("images" not in name))  # images have text only if there is room
    zoom_on(page, 0, 3)
    audit(page, "zoomed", least_labels=int("images" not in name))


@pytest.mark.nightly
@pytest.mark.parametrize("name", budget(["digits", "hostile"], ["digits", "wine", "hostile", "sixty classes"]))
def test_every_panel_and_mode(open_stage, name):
    page = open_stage(name, width=1280, height=800)
    driver.step(page, 0)
    origin = int(made(name).trees[0].origin[1])
    states = (
        {"node": origin}, {"edges": "class", "tab": "row"}, {"tab": "features"}, {"tab": "changes"},
        {"pinned": len(made(name).trees) - 1}, {"table": True}, {"table": False, "overview": "icicle"},
        {"overview": "sunburst"},
    )  # fmt: skip
    for state in states:
        driver.set_state(page, **state)
        audit(page, str(state), least_labels=0)
    page.evaluate("() => stage.follow(stage.path.sample.n - 1)")
    audit(page, "a row is followed", least_labels=0)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "width"), budget(SELECTED[:2], SELECTED))
def test_with_rows_selected(open_stage, name, width):
    page = open_stage(name, width=width, height=800)
    driver.step(page, 0)
    page.get_by_test_id("stage-select-all").click()
    audit(page, "all rows are selected", least_labels=0)
    driver.select(page, int(made(name).trees[0].origin[-1]))
    page.get_by_test_id("stage-select-all").click()
    audit(page, "the rows of a leaf are selected", least_labels=0)
    driver.set_state(page, theme="dark", projector=True, panel=True)
    audit(page, "with larger type", least_labels=0)


def test_labels_name_leaves_and_edges_that_have_room(open_stage):
    page = open_stage("table 11")
    driver.step(page, 0)
    driver.rest(page)
    tree = made("table 11").trees[0]
    leaves = driver.texts(page.locator(".label[data-kind=leaf]:visible"))
    for node in np.flatnonzero(tree.left < 0):
        assert str(tree.classes[tree.labels[node]]) in leaves
    edges = driver.texts(page.locator(".label[data-kind=edge]:visible"))
    assert len(edges) == 2 * tree.n_decision
    assert all(text[0] in "<≥>≤" for text in edges)


def test_the_audit_sees_faults(open_stage):
    page = open_stage("table 11")
    driver.step(page, 0)
    driver.rest(page)
    page.evaluate("""() => {
      const [a, b, c] = stage.element.querySelectorAll(".label");
      b.style.transform = a.style.transform;
      c.style.fontSize = "8px";
      stage.element.querySelector(".curves").style.minWidth = "3000px";
    }""")
    faults = " ".join(page.evaluate(AUDIT, SMALLEST)["wrong"])
    for fault in ("overlap of", "8 px", "curves leaves the stage", "px too wide"):
        assert fault in faults


def test_small_windows_keep_everything_inside(open_stage):
    page = open_stage("digits", width=700, height=640)
    driver.step(page, 0)
    audit(page, "700 pixels wide", least_labels=0)
    driver.set_state(page, panel=True)
    audit(page, "with the inspector over it", least_labels=0)
