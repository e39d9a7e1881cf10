"""Test that the stage survives Streamlit's repeated calls: one stage exists, in any order of finished calls."""

import pytest

from pages.ui.components.component import FOLDER
from tests.browser.conftest import PATIENCE

pytestmark = pytest.mark.browser

# A stage that reports its news, and a mock of the server.
STAGE = """
const living = new WeakMap();
export default function ({ data, parentElement }) {
  let stage = living.get(parentElement);
  if (!stage) {
    stage = parentElement.appendChild(document.createElement("p"));
    living.set(parentElement, stage);
  }
  stage.textContent = data.key;
  return () => { stage.remove(); living.delete(parentElement); };
}"""
PAGE = '<script src="/static/js/index.js"></script><div id="place"></div>'
# Streamlit 1.67 calls a component in this way: each call waits for the module. The function that a call returns is kept
# for the end of the component. It runs at once if newer data have arrived in the meantime.
CALLS = """async ([source, headers, waits]) => {
  const url = (window.url ??= URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const place = document.getElementById("place");
  let newest = -1;
  await Promise.all(headers.map(async (key, i) => {
    const call = (newest = i);
    await new Promise((done) => setTimeout(done, waits[i]));
    const module = await import(url);
    const data = { header: JSON.stringify({ key }), module: "stage.js", style: "style.css", content: "content" };
    const leave = module.default({ data, parentElement: place, setStateValue() {} });
    if (call !== newest) leave();
    else window.leave = leave;
  }));
}"""


@pytest.fixture
def place(app_pages):
    """Return a page in which the loader can call a stage."""
    page = app_pages.new()
    kinds = {"stage.js": (STAGE, "text/javascript"), "style.css": ("p { color: green }", "text/css")}

    def answer(route):
        file = route.request.url.rpartition("/")[2].partition("?")[0]
        body, kind = kinds.get(file, (PAGE, "text/html"))
        route.fulfill(body=body if "index.js" not in route.request.url else "", content_type=kind)

    page.route("**/*", answer)
    page.goto(app_pages.server)
    yield page
    page.context.close()
    app_pages.complaints.clear()


@pytest.mark.parametrize("waits", [[0, 0, 0], [0, 30, 60], [0, 30, 300]])
def test_calls_that_are_overtaken_leave_the_stage_that_is_there(place, waits):
    source = (FOLDER / "stage_loader.js").read_text(encoding="utf-8")
    place.evaluate(CALLS, [source, ["first", "second", "third"], waits])
    place.get_by_text("third").wait_for(timeout=PATIENCE)
    stages = place.locator("#place p")
    assert stages.count() == 1
    stages.evaluate("stage => { stage.mine = true; }")
    place.evaluate(CALLS, [source, ["fourth", "fifth"], [0, 0]])
    place.get_by_text("fifth").wait_for(timeout=PATIENCE)
    assert stages.count() == 1
    assert stages.evaluate("stage => stage.mine === true")  # the same stage, with its camera and open panels
    assert place.locator("#place link").count() == 1


def test_files_lost_with_a_connection_are_requested_again(place):
    failed = set()

    def cut_once(route):
        file = route.request.url.rpartition("/")[2].partition("?")[0]
        if file in failed:
            route.fallback()
        else:
            failed.add(file)
            route.abort()

    place.route("**/stage-files/*", cut_once)
    place.evaluate(CALLS, [(FOLDER / "stage_loader.js").read_text(encoding="utf-8"), ["only"], [0]])
    place.get_by_text("only").wait_for(timeout=PATIENCE)
    assert failed == {"stage.js", "style.css", "content"}
    assert place.locator("#place link").count() == 1


def test_a_component_that_goes_takes_its_stage_along(place):
    place.evaluate(CALLS, [(FOLDER / "stage_loader.js").read_text(encoding="utf-8"), ["only"], [0]])
    place.get_by_text("only").wait_for(timeout=PATIENCE)
    left = place.evaluate("""() => {
      const place = document.getElementById("place");
      place.remove();
      window.leave();
      return place.querySelectorAll("p").length;
    }""")
    assert left == 0
