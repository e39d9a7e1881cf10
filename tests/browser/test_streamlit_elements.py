"""Test that each selector of `streamlit.css` finds an element on some page.

The test fails if a new version of Streamlit builds its elements differently. tests/pages/ui/styles/ only looks up the
names.
"""

import pytest

from pages.ui.styles.sheet import FOLDER
from tests.browser.conftest import PATIENCE, save_button

pytestmark = pytest.mark.browser
# Parts that no visited page has: a class room, stages side by side, a dialog, the sidebar of a wide window.
ELSEWHERE = (
    "st-key-own_button",
    "st-key-explain-rows-wish",
    "st-key-lesson-room",
    "st-key-board-side",
    "st-key-stages",
    "st-key-lesson-leave",
    "stDialog",
    "no-start",  # only if Streamlit cannot start
    "stAppSkeleton",  # only until Streamlit draws the page
)
# Return every selector of the sheet, also nested ones, without states that an element has only temporarily.
SELECTORS = """text => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const found = new Set();
    const visit = (rules, outer) => {
        for (const rule of rules) {
            let own = outer;
            if (rule.selectorText !== undefined) {
                own = outer === null ? rule.selectorText : rule.selectorText.replaceAll("&", `:is(${outer})`);
                found.add(own.replace(/:focus-visible|::after|:is\\(\\*, :hover\\)/g, ""));
            }
            visit(rule.cssRules ?? [], own);
        }
    };
    visit(sheet.cssRules, null);
    return [...found];
}"""
MATCHED = "selectors => selectors.filter((one) => document.querySelector(one))"


@pytest.fixture
def page(browser):
    """Return a phone page, whose browser has most of Streamlit's own elements."""
    context = browser.new_context(viewport={"width": 700, "height": 900}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


@pytest.mark.long
def test_each_selector_finds_something(server, page):
    def opened(path, *waits):
        page.goto(f"{server}{path}")
        for wait in waits:
            page.locator(wait).first.wait_for()
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()

    def look():
        missing.difference_update(page.evaluate(MATCHED, sorted(missing)))

    opened("", "[data-testid=stage][data-painted]")
    selectors = page.evaluate(SELECTORS, (FOLDER / "streamlit.css").read_text(encoding="utf-8"))
    assert len(selectors) > 40
    missing = {one for one in selectors if not any(name in one for name in ELSEWHERE)}
    look()
    save_button(page).click()
    page.locator(".st-key-save-list [data-testid=stExpanderDetails]").first.wait_for(state="attached")
    look()
    opened("/rules", "[data-testid=stage][data-painted]")
    look()
    opened("/explain", "[data-testid=stage][data-painted]", ".js-plotly-plot")
    page.locator(".modebar-container").first.wait_for(state="attached")
    look()
    opened("/data?from=file", "[class*=st-key-own_upload] [data-testid=stFileUploaderDropzone]")
    look()
    opened("/data?data_set=wine", ".stDataFrame", "[data-testid^=stBaseButton-primary]")
    look()
    opened("/learn?present=1", ".st-key-leave")
    look()
    page.set_viewport_size({"width": 1440, "height": 900})  # shows navigation bar and sidebar
    for path in ("/rules", "/about", "/learn"):
        opened(path, "[data-testid=stTopNavSection]")
        look()
    assert sorted(missing) == []
