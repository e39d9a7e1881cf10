"""The stage as one HTML file that works without a server or a network.

The source consists of small ES modules in ``viz/stage/``. Streamlit and a standalone file both need a single module.
Therefore each source module becomes a function scope of one module, in the order of imports.
"""

import base64
import html
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from numpy.typing import ArrayLike

from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.tree.data_set_like import DataSetLike
from viz.payload.stage_payload import shared_sample, stage_payload
from viz.tree.given_data import given_data

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


MATCHES = ("none", "size", "error", "steps")
# Base 85 adds 25 % to the size, base 64 adds 33 %. The digits "<" and "&" are replaced, because they have a meaning in
# HTML.
_SAFE = str.maketrans("<&", ":.")
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~".translate(_SAFE)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' blob:; \
style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<noscript>This file shows an interactive decision tree and needs JavaScript.</noscript>
{body}
<script type="text/plain" id="parts">{parts}</script>
<script type="module">
{script}
</script>
</body>
</html>
"""


def stage_html(
    path_or_tree: Any,
    data: Any,
    y: ArrayLike | None = None,
    rows: Sequence | None = None,
    recommended: dict | None = None,
    reference: dict | None = None,
) -> str:
    """Return a standalone HTML page with the interactive tree or path.

    The file works without a network.

    Parameters
    ----------
    path_or_tree : RegularizationPath, Tree or fitted model
        Path or tree, or a fitted estimator or pipeline (`treecore.foreign.fitted_tree`).
    data : DataSet or table
        Data set of the trees, or a table X (DataFrame or array).
    y : array-like or None, default=None
        Class labels or numbers of a table.
    rows : tuple of int array or None, default=None
        Row numbers (training, validation, test). None if the data are not divided.
    recommended : dict or None, default=None
        Recommended trees of the path, as in `viz.payload.stage_payload.stage_payload`.
    reference : dict or None, default=None
        Errors of another method, such as CART, as in `viz.payload.reference_facts.reference_facts`.

    Returns
    -------
    str
        HTML text of the page.

    Raises
    ------
    ParameterError
        If the data do not fit the trees.
    DataError
        If a table does not fit the trees.

    See Also
    --------
    show : Shows the stage in a notebook.

    Examples
    --------
    >>> import sample_data, viz
    >>> from treecore import CARTClassifier
    >>> data = sample_data.load("iris")
    >>> viz.stage_html(CARTClassifier(random_state=0).fit(data.X, data.labels()), data)[:15]
    '<!doctype html>'
    """
    path_or_tree, data, rows = given_data(path_or_tree, data, y, rows)
    payload = stage_payload(path_or_tree, data, rows, recommended=recommended)
    return stage_page(payload, data.title, options={"reference": reference} if reference else None)


def stage_page(payload: bytes, title: str | None, fills: bool = False, options: dict | None = None) -> str:
    """Return standalone HTML text around the bytes of `stage_payload`.

    fills : whether the stage fills the height of its frame
    options : how the stage is presented (viz/stage/host/presentation.js), such as the index of the tree that opens
    """
    body = f'<main id="stage"></main>\n{data_block("trees", payload)}'
    if options:
        body += "\n" + block_of("presented", json.dumps(options).replace("<", "\\u003c"))
    return page(title, body, "frame" if fills else "page")


def linked_stages_html(named: Sequence, data: DataSetLike, rows: Sequence | None = None, match: str = "size") -> str:
    """Return a standalone HTML page of several trees or paths side by side.

    The stages share selected, hovered and followed rows.

    Parameters
    ----------
    named : sequence of tuple
        At least two pairs (title, path or tree).
    data : DataSet
        Data set of all trees.
    rows : tuple of int array or None, default=None
        Row numbers (training, validation, test). None if the data are not divided.
    match : {'size', 'error', 'steps', 'none'}, default='size'
        How the other stages follow when one stage moves along its path. They move to the tree with the nearest number
        of leaves ('size') or validation or test error ('error'), or to the same step of a recorded run ('steps').
        With 'none', they stay.

    Returns
    -------
    str
        HTML text of the page.

    Raises
    ------
    ParameterError
        If `match` is invalid, or there are fewer than two stages.

    See Also
    --------
    stage_html : Returns the page of one tree or path.

    Examples
    --------
    >>> import sample_data, viz
    >>> from treecore import C50Classifier, CARTClassifier
    >>> data = sample_data.load("iris")
    >>> X, y = data.X, data.labels()
    >>> models = {"CART": CARTClassifier(max_depth=1, random_state=0), "C5.0": C50Classifier(max_depth=1)}
    >>> named = [(name, model.fit(X, y).tree_) for name, model in models.items()]
    >>> viz.linked_stages_html(named, data)[:15]
    '<!doctype html>'
    """
    if match not in MATCHES:
        raise ParameterError(f"match={literal(match)}: expected one of {MATCHES}.")
    named = list(named)
    sample = shared_sample(data, rows, [path for _, path in named])
    options = [{"title": title, "link": "all", "match": match, "compact": True} for title, _ in named]
    # A script element must not contain its own end tag.
    blocks = [block_of("options", json.dumps(options).replace("<", "\\u003c"))]
    for i, (_, path) in enumerate(named):
        blocks.append(data_block(f"trees-{i}", stage_payload(path, data, rows, sample=sample)))
    hosts = "".join(f'<div id="place-{i}"></div>' for i in range(len(named)))
    return page(data.title, "\n".join([f"<main>{hosts}</main>", *blocks]), "pair")


def page(title: str | None, body: str, kind: str = "page") -> str:
    """Return HTML text around `body`.

    kind : style of the page: "page", "frame" (any height) or "pair" (stages side by side)
    """
    return _PAGE.format(
        title=html.escape(f"{title} – tree explorer"),
        style=_asset(f"{kind}.css"),
        body=body,
        parts=_base85(packed_code()),
        script=_asset("page.js"),
    )


@cache
def _asset(name):
    return Path(__file__).with_name(f"saved_{name}").read_text(encoding="utf-8").rstrip()


def data_block(name: str, content: bytes) -> str:
    """Return a script element that contains bytes, which the page reads with `bytes(name)`."""
    return block_of(name, _base85(content))


def block_of(name: str, text: str) -> str:
    """Return a script element that contains text without "<"."""
    return f'<script type="text/plain" id="{name}">{text}</script>'


def _base85(block):
    return base64.b85encode(block).decode().translate(_SAFE)


def lesson_html(document: dict, contents: Iterable[bytes], title: str | None) -> str:
    """Return a lesson, as in the app, as standalone HTML text.

    The file opens from disk without a network. On screens as wide as a projector's, its text is larger.

    document : dict for JSON with the contents of the lesson (its scenes, with the "length" of their bytes, and moments)
    contents : bytes of each scene
    title : title of the window
    """
    # A script element must not contain its own end tag.
    text = json.dumps(document, ensure_ascii=False).replace("<", "\\u003c")
    body = "\n".join(['<main id="stage"></main>', data_block("trees", b"".join(contents)), block_of("lesson", text)])
    return page(title, body)
