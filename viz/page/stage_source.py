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
# indentation, and comments on their own lines
_ROOM = re.compile(r"^\s*(?:(?://|/\*\*(?!.*\*/ *\S)|\*(?: |/|$)).*\n\s*)*", re.MULTILINE)
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
    """Return the module without comments, and the stylesheet, as deflated JSON for saved files and notebooks."""
    text = json.dumps({"style": stage_style(), "module": lean(stage_module())}, ensure_ascii=False)
    return zlib.compress(text.encode(), 9)


def lean(source: str) -> str:
    """Return a browser module without its indentation and the comments on their own lines."""
    return _ROOM.sub("", source)


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
