"""Test every page with axe-core, in light and dark."""

import os
from pathlib import Path

import pytest

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
IRIS = "?data_set=iris&n_lambdas=5&split=bivariate"
STAGES = ["", "rules", "explain", "predict", "edit"]
PAGES = [
    *(f"/{name}{IRIS}" for name in (*STAGES, "compare", "data", "learn")),
    *(f"/explain{IRIS}&part={part}" for part in ("change", "features")),
    *(f"/data?from={way}" for way in ("file", "paste", "tree", "project")),
    "/lessons",
    "/about",
]
# Streamlit's own upload field has a role that it ignores itself.
OF_STREAMLIT = {"presentation-role-conflict"}
# Only these rules depend on the theme, so the others run in one of them.
OF_COLOURS = ["color-contrast", "link-in-text-block"]
RUN = "(rules) => axe.run(document, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) })"
IN_THEME = """(theme) => {
  const app = document.querySelector("[data-testid=stApp]");
  return app && getComputedStyle(app).colorScheme === theme && document.querySelector("h1");
}"""
SETTLED = "() => document.querySelector('h1') && !document.querySelector('[data-testid=stStatusWidget]')"


@pytest.fixture
def findings(open_page):
    """Return a function that opens an address and returns what axe-core finds, one text for each rule and element."""
    if not AXE.exists():
        if os.environ.get("CI"):
            pytest.fail("axe-core is not installed: npm ci")
        pytest.skip("axe-core is not installed: npm ci")

    def findings(address):
        page = open_page(address)
        page.wait_for_function(SETTLED)
        if address.split("?")[0].strip("/") in STAGES and "part=features" not in address:
            page.locator("[data-testid=stage][data-painted]").first.wait_for()
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = []
        for theme, rules in (("light", None), ("dark", OF_COLOURS)):
            page.emulate_media(color_scheme=theme)
            page.wait_for_function(IN_THEME, arg=theme)
            found += [(theme, one) for one in page.evaluate(RUN, rules)["violations"]]
        return [
            f"{theme}, {one['impact']} {one['id']}: {node['html'][:200]} {node['failureSummary']}"
            for theme, one in found
            if one["id"] not in OF_STREAMLIT
            for node in one["nodes"]
        ]

    return findings


@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_nothing(findings, address):
    assert findings(address) == []
