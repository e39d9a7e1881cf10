"""Test the Rules page as a visitor uses it: the list and the stage share the selection, and hostile names stay text."""

import pytest

from tests.browser import stage_driver as driver

pytestmark = pytest.mark.browser

RULES = "/rules?data_set=wine&split=univariate&init=cart&n_lambdas=6&tree=0"
SAME = """([node, number]) => {
  const found = (root, selector) => {
    const here = [...root.querySelectorAll(selector)];
    for (const e of root.querySelectorAll("*")) if (e.shadowRoot) here.push(...found(e.shadowRoot, selector));
    return here;
  };
  const stage = found(document, "[data-testid=stage]")[0];
  const chosen = found(document, "[data-testid=rule-list] [aria-selected=true]");
  const heading = [...document.querySelectorAll("h2")].map((e) => e.textContent);
  return stage.dataset.selected === node && chosen.length === 1 && chosen[0].dataset.node === node
    && heading.some((text) => text.startsWith(`Rule ${number}`));
}"""


def rules_of(page):
    """Wait until the stage exists, and return the rows of the list."""
    driver.stage(page).and_(page.locator("[data-painted]")).wait_for()
    rows = page.get_by_test_id("rule-list").locator(".body .row")
    rows.first.wait_for()
    return rows


def agree(page, row):
    """Wait until the stage, the list and the text show the rule of this row."""
    node, number = row.get_attribute("data-node"), row.locator(".number").inner_text()
    page.wait_for_function(SAME, arg=[node, number])


def test_the_list_and_the_stage_select_for_each_other(open_page):
    page = open_page(RULES)
    rows = rules_of(page)
    assert rows.count() == 5
    rows.nth(2).click()
    agree(page, rows.nth(2))
    outline = driver.stage(page).get_by_role("tree")
    outline.focus()
    for key in ("Home", *["ArrowDown"] * 5):
        outline.press(key)
    agree(page, rows.nth(0))  # the leftmost leaf
    for row in (2, 3, 1, 4):  # faster than the server answers
        rows.nth(row).click()
    agree(page, rows.nth(4))
    page.wait_for_timeout(800)  # no earlier selection comes back
    agree(page, rows.nth(4))
    rows.nth(4).press("ArrowUp")
    agree(page, rows.nth(3))
    page.get_by_role("columnheader", name="Rows").get_by_role("button").click()
    page.get_by_role("columnheader", name="Rows ↓").wait_for()
    sizes = [int(text) for text in rows.locator(".rows").all_inner_texts()]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) > 2


def test_the_path_to_the_selected_node_is_lit_on_request(open_stage):
    page = open_stage("wine")
    lit = """origin => {
      stage.select(origin);
      const lit = stage.store.litNodes;
      return [lit && [...lit].sort((a, b) => a - b), stage.tree.ancestry(stage.tree.nodeOf.get(origin))];
    }"""
    origin = page.evaluate("() => stage.tree.origin[stage.tree.n - 1]")
    assert page.evaluate(lit, origin)[0] is None
    page.evaluate("() => { stage.set({ lightsPath: true }); }")
    nodes, way = page.evaluate(lit, origin)
    assert nodes == way
    assert len(way) > 1
    page.evaluate("origin => { stage.view.camera.zoomAt(0, 0, 20, 500, 500); stage.showNode(origin); }", origin)
    inside = page.evaluate(
        """way => way.every((node) => {
      const { x, y } = stage.view.onScreen(node);
      return x > 0 && y > 0 && x < stage.view.width && y < stage.view.height;
    })""",
        way,
    )
    assert inside


def test_the_page_opens_with_the_first_rule_and_its_first_tab_stop_leads_to_the_tree(open_page):
    page = open_page(RULES)
    rows = rules_of(page)
    agree(page, rows.nth(0))
    assert page.title() == "Rules · TAO tree explorer"
    assert page.get_by_role("heading", level=1).inner_text() == "Rules"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("""() => {
        let one = document.activeElement;
        while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
        return one.getAttribute("role") === "tree" || one.type === "range";
    }""")
