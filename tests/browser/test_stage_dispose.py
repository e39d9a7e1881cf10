"""Test that a disposed stage leaves nothing behind: no listener, no timer, no frame, no element."""

import pytest

pytestmark = pytest.mark.browser

# Count running timers and frames by wrapping the functions that start and end them.
WATCH = """() => {
  const under = (window.underWay = new Set());
  const wrap = (begin, end, isRepeated) => {
    const { [begin]: begins, [end]: ends } = window;
    window[begin] = (act, wait) => {
      const id = begins.call(window, (...of) => {
        if (!isRepeated) under.delete(`${begin} ${id}`);
        act(...of);
      }, wait);
      under.add(`${begin} ${id}`);
      return id;
    };
    window[end] = (id) => {
      under.delete(`${begin} ${id}`);
      if (end === "clearTimeout") under.delete(`setInterval ${id}`); // it ends both
      ends.call(window, id);
    };
  };
  wrap("setTimeout", "clearTimeout", false);
  wrap("setInterval", "clearInterval", true);
  wrap("requestAnimationFrame", "cancelAnimationFrame", false);
}"""
# Mount, use and remove several stages.
LIVES = """async (n) => {
  for (let i = 0; i < n; i++) {
    const host = document.body.appendChild(document.createElement("div"));
    const one = new modules.stage_js.Stage(host);
    modules.presentation_js.present(one, { link: "all", match: "size" });
    await one.load(bytes("trees"));
    one.select(one.tree.origin[0]);
    one.follow(0);
    one.tools.toggleMenu(true);
    one.player.play(true);
    one.go(1);
    one.soon();
    one.dispose();
    host.remove();
  }
}"""


def test_many_stages_come_and_go_and_leave_nothing(open_stage):
    page = open_stage("table 11")
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")

    def living():
        for _ in range(2):
            client.send("HeapProfiler.collectGarbage")
        found = {one["name"]: one["value"] for one in client.send("Performance.getMetrics")["metrics"]}
        return {name: found[name] for name in ("JSEventListeners", "Nodes", "Documents")}

    page.evaluate(WATCH)
    page.evaluate(LIVES, 2)  # creates objects that exist once per page
    page.wait_for_function("() => underWay.size === 0")
    before = living()
    page.evaluate(LIVES, 8)
    page.wait_for_function("() => underWay.size === 0")
    after = living()
    # A stage has hundreds of both. The last call may still hold the last stage.
    assert after["JSEventListeners"] - before["JSEventListeners"] < 50
    assert after["Nodes"] - before["Nodes"] < 200
    assert after["Documents"] == before["Documents"]
    assert page.get_by_test_id("stage").count() == 1
