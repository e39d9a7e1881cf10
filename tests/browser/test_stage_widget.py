"""Test the stage in a notebook cell, with the model that anywidget passes to its code."""

import base64

import pytest

import viz
from benchmarks.grown_trees import grown_path, noisy_table
from viz.page import notebook, stage_widget
from viz.page.stage_widget import StageWidget

pytestmark = pytest.mark.browser

# A model as documented by anywidget: `receive` takes messages from Python; `sent` and `asked` are messages to Python.
MODELS = """async ([source, states]) => {
  const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  class Model {
    constructor(state) {
      this.state = { ...state, code: bytes(state.code), payload: bytes(state.payload) };
      Object.assign(this, { heard: new Map(), changed: {}, sent: [], asked: [] });
    }
    get(name) { return this.state[name]; }
    set(name, value) { this.state[name] = this.changed[name] = value; }
    save_changes() { this.sent.push(this.changed); this.changed = {}; }
    send(content) { this.asked.push(content); }
    on(name, act) { this.heard.set(name, [...(this.heard.get(name) ?? []), act]); }
    off(name, act) { this.heard.set(name, this.heard.get(name).filter((one) => one !== act)); }
    receive(state) {
      for (const [name, value] of Object.entries(state)) {
        this.state[name] = name === "code" ? bytes(value) : value;
        for (const act of this.heard.get(`change:${name}`) ?? []) act();
      }
    }
  }
  window.keys = [];
  document.addEventListener("keydown", ({ key }) => keys.push(key));
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  window.models = states.map((state) => new Model(state));
  window.ends = await Promise.all(models.map(async (model, i) => {
    const { default: cell } = await import(`${address}#${i}`); // each widget has a module of its own
    cell.initialize({ model });
    return cell.render({ model, el: document.getElementById(`cell-${i}`) });
  }));
}"""


def state(widget, **others):
    plain = ("version", "height", "still", "tree", "lam", "node", "selected_rows")
    packed = {name: base64.b64encode(getattr(widget, name)).decode() for name in ("code", "payload")}
    return {name: getattr(widget, name) for name in plain} | packed | others


def test_cells_share_the_code_and_answer_python(browser, monkeypatch):
    monkeypatch.setattr(notebook, "_widget_class", lambda: StageWidget)
    monkeypatch.setattr(stage_widget, "_given", set())
    data = noisy_table(300, 2)
    path = grown_path(data, 21, 2, 5)
    first, second, third = viz.show(path, data, height=450), viz.show(path, data), viz.show(path[0].tree)
    page = browser.new_context(viewport={"width": 1200, "height": 900}, offline=True).new_page()
    faults = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    shown = (second, first, third)
    cells = "".join(f'<p class="{one.still}">a picture</p><div id="cell-{i}"></div>' for i, one in enumerate(shown))
    page.set_content(f'<!doctype html><body style="color: #ddd">{cells}')
    states = [state(second), state(first), state(third, version="of another release")]
    page.evaluate(MODELS, [str(StageWidget._esm), states])
    stages = page.get_by_test_id("stage")
    stage = page.locator("#cell-1").get_by_test_id("stage")
    for i in (0, 1):
        page.locator(f"#cell-{i}").locator("[data-testid=stage][data-painted]").wait_for()
    assert page.evaluate("models.map((model) => model.sent.length)") == [0, 0, 0]
    assert stages.first.get_attribute("data-theme") == "dark"
    assert stage.bounding_box()["height"] == 450
    page.wait_for_function("models[2].asked.length === 1")
    assert page.evaluate("models.map(({ asked }) => asked)") == [[], [], ["code"]]
    assert page.get_by_text("a picture").nth(2).is_visible()
    page.evaluate("code => models[2].receive({ code })", base64.b64encode(first.code).decode())
    page.locator("#cell-2").locator("[data-testid=stage][data-painted]").wait_for()
    assert stages.count() == 3
    assert page.get_by_text("a picture").filter(visible=True).count() == 0
    assert page.locator("#cell-2").get_by_test_id("stage-slider").is_hidden()

    node = int(path[3].tree.origin[2])
    page.evaluate("news => models[1].receive(news)", {"tree": 3, "node": node, "selected_rows": [5, 17, 40]})
    page.locator(f'#cell-1 [data-painted="3"][data-selected="{node}"]').wait_for()
    stage.get_by_text("3 rows selected").first.wait_for()
    assert page.evaluate("models[1].sent") == []  # a change from Python is not sent back

    page.locator("#cell-1").get_by_test_id("stage-slider").press("ArrowRight")
    page.wait_for_function("models[1].state.tree === 4")
    stage.get_by_role("button", name="Select all").first.click()
    page.wait_for_function("models[1].state.selected_rows.length > 3")
    assert page.evaluate("models[1].sent[0]") == {"tree": 4}
    assert set(page.evaluate("models[1].state.selected_rows")) <= set(range(300))
    assert page.evaluate("models[0].sent.length + models[0].state.selected_rows.length") == 0
    assert page.evaluate("keys") == []
    assert page.locator("#cell-1 [data-lm-suppress-shortcuts]").count() == 1

    page.evaluate("document.body.style.color = '#222'")
    page.locator('#cell-1 [data-theme="light"]').wait_for()
    page.evaluate("ends.forEach((end) => end())")
    assert stages.count() == 0
    assert page.evaluate("models.map(({ heard }) => [...heard.values()].flat().length)") == [1, 1, 1]
    assert not faults
