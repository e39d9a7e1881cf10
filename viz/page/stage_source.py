"""Browser module and stylesheet of the stage as two strings.

The source consists of small ES modules in ``viz/stage/``. Streamlit and a standalone file both need a single module.
Therefore each source module becomes a function scope of one module, in the order of imports.
"""

import json
import re
import zlib
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

FOLDER = Path(__file__).parents[1] / "stage"
ENTRY = "host/component.js"  # entry module of a page
WIDGET = "host/widget.js"  # entry module of a notebook cell
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[a-z_./]+\.js)";\n', re.MULTILINE)
# comments on their own line; types inside expressions stay
_COMMENT = re.compile(r"^\s*(?://|/\*\*(?!.*\*/ *\S)|\*(?: |/|$)).*\n", re.MULTILINE)
_REMARK = re.compile(r"(?<=[\],;{})(]) // .*$", re.MULTILINE)
_TYPE = re.compile(r"/\*\* @type .*?\*/ ?")  # types inside expressions
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_AROUND = re.compile(r"\s*([{};,])\s*")
_INDENT = re.compile(r"^\s+", re.MULTILINE)
_CONTINUED = re.compile(r"(?<=[;,{(])\n")
_TEXT = re.compile(r'("(?:[^"\\]|\\.)*")')
_APART = re.compile(r" ?([=?:,;{}()\[\]|&<>]+) ?")
_EXPORT = re.compile(r"^export (?:async )?(?:class|function|const) (\w+)", re.MULTILINE)


@cache
def stage_style() -> str:
    """Return the stylesheet: stage.css, then the other stylesheets."""
    parts = sorted((FOLDER / "styles").glob("*.css"), key=lambda path: (path.name != "stage.css", path.name))
    return "\n".join(path.read_text(encoding="utf-8") for path in parts)


@cache
def stage_module() -> str:
    """Return the ES module, which exports `standalone`, `modules` (by name) and, as its default, the component."""
    done = {}
    for name in (ENTRY, WIDGET):
        _add(name, done, ())
    return "\n".join(done.values()) + (
        f"export const {{ standalone }} = {_scope(ENTRY)};\nexport const modules = {{ "
        f"{', '.join(_scope(name) for name in done)} }};\nexport default {_scope(ENTRY)}.component;\n"
    )


@cache
def packed_code() -> bytes:
    """Return the module and the stylesheet, shortened by `lean`, as deflated JSON for saved files and notebooks."""
    text = json.dumps({"style": lean_style(stage_style()), "module": lean(stage_module())}, ensure_ascii=False)
    return zlib.compress(text.encode(), 9)


def lean(source: str) -> str:
    """Return `source` without comments, types and insignificant whitespace, so that saved files are smaller.

    The sources contain no string of several lines, so nothing else changes.
    """
    bare = _INDENT.sub("", _TYPE.sub("", _REMARK.sub("", _COMMENT.sub("", source))))
    return _CONTINUED.sub("", "\n".join(map(_closed_up, bare.split("\n"))))


def lean_style(source: str) -> str:
    """Return a stylesheet without comments and insignificant whitespace.

    The strings in the stylesheets contain none of the affected characters.
    """
    return _AROUND.sub(r"\1", _STYLE_COMMENT.sub("", source))


def _closed_up(line):
    """Return a line without the spaces around its operators.

    A line that may contain a template, a regular expression or a URL stays unchanged.
    """
    if "`" in line or "/" in line:
        return line
    return "".join(part if i % 2 else _APART.sub(r"\1", part) for i, part in enumerate(_TEXT.split(line)))


def _add(name, done, importing):
    """Append the scope of one file to `done`, after the scopes of the files that it imports."""
    if name in done:
        return
    if name in importing:
        raise ImportError(f"viz/stage: {' -> '.join([*importing, name])} import each other.")
    text = (FOLDER / name).read_text(encoding="utf-8")
    for _, other in _IMPORT.findall(text):
        _add(_path(name, other), done, (*importing, name))
    names = _EXPORT.findall(text)
    if "export default function" in text:
        names.append("component")
        text = text.replace("export default function", "const component = function")
    text = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = {_scope(_path(name, found[2]))};\n", text)
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    done[name] = f"const {_scope(name)} = (() => {{\n{text}\nreturn {{ {', '.join(names)} }};\n}})();\n"


def _path(importer, imported):
    """Return the path of an imported module in the source folder.

    imported : path relative to the importer
    """
    return normpath(join(dirname(importer), imported))


def _scope(name):
    """Return the name of the scope of a module, from its unique file name."""
    return name.rpartition("/")[2].replace(".", "_")
