"""Test the style sheets of the pages: their names exist in Streamlit, and each occurs in one place."""

import re
from pathlib import Path

import pytest

from pages.serving.opened_page import STREAMLIT as STATIC
from pages.ui import frame
from pages.ui.components import component
from pages.ui.pages import PAGES as PAGES_OF_APP
from pages.ui.styles import sheet

PAGES = Path(sheet.__file__).parents[2]
STREAMLIT = sheet.FOLDER / "streamlit.css"
LISTENERS = component.FOLDER / "page_listeners.js"
# Names of elements and classes of Streamlit and its libraries. Classes of our keys begin with st-key-.
NAMES = re.compile(
    r"""data-testid[\^$]?=\\?"?(\w+)|\.((?:st(?=[A-Z])|block-container|react-aria|modebar|js-plotly)[\w-]*)"""
)


def _names(text):
    return {one or other for one, other in NAMES.findall(text)}


@pytest.fixture(scope="module")
def scripts():
    """Return all scripts of Streamlit's frontend in one text."""
    return "\n".join(path.read_text(encoding="utf-8") for path in (STATIC / "static" / "js").glob("*.js"))


@pytest.mark.parametrize("path", [STREAMLIT, LISTENERS], ids=lambda path: path.name)
def test_this_streamlit_has_every_element_that_is_named(path, scripts):
    names = _names(path.read_text(encoding="utf-8"))
    assert len(names) > 4
    assert [name for name in sorted(names) if name not in scripts] == []


def test_no_other_file_names_an_element_of_streamlit():
    files = (path for path in PAGES.rglob("*") if path.suffix in (".py", ".js", ".css"))
    named = {path.name for path in files if _names(path.read_text(encoding="utf-8"))}
    assert named == {STREAMLIT.name, LISTENERS.name}


@pytest.mark.parametrize("path", sorted(sheet.FOLDER.glob("*.css")), ids=lambda path: path.stem)
def test_a_page_asks_for_every_sheet(path):
    call = f'sheet("{path.stem}")'
    is_drawn = any(call in file.read_text(encoding="utf-8") for file in PAGES.rglob("*.py"))
    assert is_drawn != (path.stem in sheet.COMMON)
    assert "</" not in sheet.sheet(path.stem)[:-8]


def test_menus_show_the_titles_of_their_pages():
    rule = re.compile(r""":root:has\(\.st-key-(address-\S+)\) \{\s*--page-name: ": (.+)";""")
    names = dict(rule.findall(STREAMLIT.read_text(encoding="utf-8")))
    assert names == {frame._key(page.path, page.title): page.title for page in PAGES_OF_APP if page.group}
