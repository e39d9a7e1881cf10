"""Actions of the stage's tests in its page."""

STEP = """k => new Promise((resolve) => {
  const stage = document.querySelector("[data-testid=stage]");
  const slider = document.querySelector("[data-testid=stage-slider]");
  const done = () => stage.dataset.painted === String(k) && (observer.disconnect(), resolve());
  const observer = new MutationObserver(done);
  observer.observe(stage, { attributes: true });
  slider.value = k;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  slider.dispatchEvent(new Event("change", { bubbles: true }));
  done();
})"""
# Updates that follow in the next frames are awaited; updates that wait for the slider to rest are done at once.
REST = """() => new Promise((resolve) => {
  let hurried = false;
  const frame = () => {
    const { stage } = window;
    if (stage.later && !hurried) {
      hurried = true;
      stage.followed = -Infinity;
      stage.soon();
    }
    const moving = stage.view.before && !stage.state.table; // behind the table nothing is drawn on
    if (stage.busy || stage.pending || stage.later || moving) return requestAnimationFrame(frame);
    clearTimeout(stage.resting);
    stage.rest();
    return resolve();
  };
  requestAnimationFrame(frame);
})"""
# Middle of a node on the screen, by its origin id.
MIDDLE = """origin => {
  const { view, tree } = window.stage;
  const box = view.boxes.get(tree.nodeOf.get(origin));
  const canvas = view.canvas.getBoundingClientRect();
  return [canvas.left + box.x, canvas.top + box.y];
}"""


def step(page, k):
    """Move the slider to tree `k` and wait until it is painted."""
    page.evaluate(STEP, k)


def rest(page):
    """Wait until tweens are over and everything around the picture has followed."""
    page.evaluate(REST)


def stage(page):
    """The element that carries the hooks."""
    return page.get_by_test_id("stage")


def painted(page):
    """Index of the painted tree."""
    return int(stage(page).get_attribute("data-painted"))


def selected(page):
    """Origin id of the selected node, or None."""
    text = stage(page).get_attribute("data-selected")
    return int(text) if text else None


def select(page, origin):
    """Select a node without the pointer."""
    page.evaluate("origin => stage.select(origin)", origin)
    rest(page)


def set_state(page, **state):
    """Change settings of the View menu."""
    page.evaluate("state => stage.set(state, true)", state)
    rest(page)


def show_everything(page):
    """Every node of a large tree."""
    set_state(page, support=0, levels="all")


def open_tab(page, name):
    """Open a tab of the inspector; returns its body."""
    page.get_by_test_id(f"stage-tab-{name}").click()
    rest(page)
    return page.locator(".inspector .body")


def texts(locator):
    """Texts of all elements of a locator."""
    return [text.strip() for text in locator.all_inner_texts()]


def as_number(text):
    """Number of a text of the stage: true minus signs, commas between thousands."""
    return float(text.replace("−", "-").replace(",", "").replace("+", ""))
