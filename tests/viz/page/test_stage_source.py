"""Test that all pieces of the stage are joined into one module."""

import re

from tests.in_node import in_node
from viz.page.stage_html import FOLDER, lean, stage_module, stage_style

FILES = {
    path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.js"), key=lambda path: path.name)
}


def test_every_piece_is_joined_once():
    text = stage_module()
    found = re.findall(r"^const (\w+)_js = \(\(\) => \{$", text, re.MULTILINE)
    assert sorted(f"{name}.js" for name in found) == list(FILES)
    assert "stage.js" in FILES


def test_no_import_is_left_and_exports_are_outside_the_pieces():
    text = stage_module()
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert not re.search(r"\bimport\s*\(", lean(text))  # types in comments may import
    exports = re.findall(r"^\s*export\b.*$", text, re.MULTILINE)
    assert len(exports) == 3
    assert text.rstrip().splitlines()[-3:] == exports


def test_pieces_come_behind_what_they_use():
    text = stage_module()
    defined = {name: at.start() for at in re.finditer(r"^const (\w+_js) = ", text, re.MULTILINE) for name in [at[1]]}
    for use in re.finditer(r"^const \{[^}]*\} = (\w+_js);$", text, re.MULTILINE):
        assert defined[use[1]] < use.start()


def test_each_piece_returns_what_it_exports():
    text = stage_module()
    for name, source in FILES.items():
        exported = re.findall(r"^export (?:async )?(?:class|function|const|let) (\w+)", source, re.MULTILINE)
        scope = text.split(f"const {name.replace('.', '_')} = (() => {{")[1].split("\n})();")[0]
        returned = re.findall(r"\w+", scope.rsplit("return {", 1)[1])
        assert set(exported) <= set(returned), name


def test_the_sources_ask_the_network_for_nothing():
    text = stage_module() + stage_style()
    assert not re.search(r"https?://(?!www\.w3\.org/(?:2000/svg|1998/Math/MathML))", text)
    assert "@import" not in text
    assert not re.search(r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval)\b", text)


def test_lean_code_has_the_syntax_tree_of_its_source():
    """The tree differs if a text, a template or a regular expression loses a sign (rjsmin 1.3 cuts templates)."""
    same = """
      const { parse } = await import("acorn"); // the parser of ESLint
      const options = { ecmaVersion: "latest", sourceType: "module" };
      const text = (value) => (typeof value === "bigint" ? `${value}n` : value);
      const part = (name, value) => (name === "start" || name === "end" ? undefined : text(value));
      const tree = (text) => JSON.stringify(parse(text, options), part);
      return value.map(tree).every((text, _, [first]) => text.length > 1e6 && text === first);
    """
    assert in_node(same, [stage_module(), lean(stage_module())])
