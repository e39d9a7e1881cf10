"""Test that all pieces of the stage are joined into one module."""

import re

from viz.page.stage_source import FOLDER, lean, lean_style, stage_module, stage_style

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


def test_a_lean_stylesheet_says_the_same():
    style, short = stage_style(), lean_style(stage_style())
    assert not any(set(text) & set("{};,") for text in re.findall(r'"([^"]*)"', short))
    words = " ".join(re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL).split())
    assert [" ".join(part.split()) for part in re.split("[{};,]", short)] == [
        part.strip() for part in re.split("[{};,]", words)
    ]


def test_lean_sources_keep_everything_but_comments_and_the_room_around_signs():
    text, kept = stage_module(), []
    for line in re.sub(r"/\*\* @type [^*]*\*/ ", "", text).splitlines():
        is_remark = line.strip().startswith(("//", "/**", "* ", "*/")) or line.strip() == "*"
        if is_remark and not re.search(r"\*/ *\S", line):  # otherwise the line also contains an expression
            continue
        code, _, remark = line.rpartition(" // ")
        kept.append(code if code and not set(remark) & set('`"') else line)
    before, after = "\n".join(kept), lean(text)
    for part in (r"`[^`]*`", r"[\w$]+", r"\S"):
        assert re.findall(part, before) == re.findall(part, after), part
    texts = {text for line in kept if not set(line) & set("`/") for text in re.findall(r'"(?:[^"\\]|\\.)*"', line)}
    assert not [text for text in texts if text not in after]
    for name, source in FILES.items():
        literals = re.findall(r"`[^`]*`", re.sub(r"//.*", "", source))
        assert not [text for text in literals if "\n" in text], name
