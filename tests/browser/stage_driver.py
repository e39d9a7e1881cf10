"""Act on the stage that a test shows in a page."""

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
# Wait for updates in the next frames. Updates that wait until the slider is at rest run at once.
REST = """() => new Promise((resolve) => {
  let hurried = false;
  const frame = () => {
    const { stage } = window;
    if (stage.later && !hurried) {
      hurried = true;
      stage.followed = -Infinity;
      stage.soon();
    }
    const moving = stage.view.before && !stage.state.table; // nothing is drawn behind the table
    if (stage.busy || stage.pending || stage.later || moving) return requestAnimationFrame(frame);
    clearTimeout(stage.resting);
    stage.rest();
    return resolve();
  };
  requestAnimationFrame(frame);
})"""
# Return the middle of a node on the screen, given its origin id.
MIDDLE = """origin => {
  const { view, tree } = window.stage;
  const box = view.boxes.get(tree.nodeOf.get(origin));
  const canvas = view.canvas.getBoundingClientRect();
  return [canvas.left + box.x, canvas.top + box.y];
}"""


def step(page, k):
    """Move the slider to tree `k`, and wait until the tree is painted."""
    page.evaluate(STEP, k)


def rest(page):
    """Wait until animations are over and everything around the tree has been updated."""
    page.evaluate(REST)


def stage(page):
    """Return the element with the test hooks."""
    return page.get_by_test_id("stage")


def painted(page):
    """Return the index of the painted tree."""
    return int(stage(page).get_attribute("data-painted"))


def selected(page):
    """Return the origin id of the selected node, or None."""
    text = stage(page).get_attribute("data-selected")
    return int(text) if text else None


def select(page, origin):
    """Select a node without the mouse pointer."""
    page.evaluate("origin => stage.select(origin)", origin)
    rest(page)


def set_state(page, **state):
    """Change settings of the View menu."""
    page.evaluate("state => stage.set(state, true)", state)
    rest(page)


def show_everything(page):
    """Show every node of a large tree."""
    set_state(page, support=0, levels="all")


def open_tab(page, name):
    """Open a tab of the inspector and return its body."""
    page.get_by_test_id(f"stage-tab-{name}").click()
    rest(page)
    return page.locator(".inspector .body")


def texts(locator):
    """Return the texts of all elements of a locator."""
    return [text.strip() for text in locator.all_inner_texts()]


def as_number(text):
    """Convert a number on the stage, with typographic minus signs and commas between thousands, to a float."""
    return float(text.replace("−", "-").replace(",", "").replace("+", ""))
