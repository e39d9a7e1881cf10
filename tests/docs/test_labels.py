"""Test that labels of the app in the documentation (such as *Split type*) exist in the code of the app."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.each import each

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "CHANGELOG.md"]
GENERATED = ("errors.md", "settings.md", "command_line.md")
# A label begins with a capital letter; emphasis that ends with a punctuation mark is a heading or a title.
LABEL = re.compile(r"(?<![*\w])\*{1,2}([A-Z][^*]*[^*.:!])\*{1,2}(?![*\w])")
JS_STRING = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`")
ICON = re.compile(r":material/\w+:")


@cache
def strings():
    """Return all strings in the code of the app, each between line breaks."""
    found = []
    for folder in ("pages", "viz", "treecore", "sample_data"):
        for path in (ROOT / folder).rglob("*.py"):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            found += [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        for path in (ROOT / folder).rglob("*.js"):
            found += ["".join(groups) for groups in JS_STRING.findall(path.read_text(encoding="utf-8"))]
    return {ICON.sub("", text).strip() for text in found}


def labels(path):
    """Return the labels that a page quotes."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {" ".join(label.split()) for label in LABEL.findall(text)}


@each("page", [page for page in PAGES if page.name not in GENERATED], ids=lambda page: page.name)
def test_labels_that_a_page_quotes_exist_in_the_app(page):
    assert sorted(label for label in labels(page) if label not in strings()) == []
