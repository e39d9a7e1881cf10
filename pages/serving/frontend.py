"""Bundle Streamlit's frontend in one file.

Streamlit's document requests about 60 modules, which request 40 more before the page shows its first tree. This module
serves them in one compressed file, from which `frontend.js` restores them. The modules of other pages load as usual.

The patterns match the files of Streamlit 1.67. If another version does not match, its files are served as they are, or
its elements are drawn after a placeholder, and the log contains a warning.
"""

import gzip
import hashlib
import json
import logging
import re
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.serving.below_base import below_base

log = logging.getLogger(__name__)
STATIC = Path(st.__file__).parent / "static"
MODULES = STATIC / "static" / "js"
# elements of the first page, whose modules Streamlit would load only when it draws them
ELEMENTS = (
    "BidiComponent", "Button", "ButtonGroup", "FileUploader", "Html", "NumberInput", "PageLink", "Selectbox", "Slider"
)  # fmt: skip
HEADERS = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
LAZY_ELEMENT = "window.lazyElement"  # defined by frontend.js
_ENTRY = re.compile(r'<script type="module"[^>]* src="\./static/js/([\w.-]+\.js)"></script>')
_PRELOAD = re.compile(r'\s*<link rel="modulepreload"[^>]*>')
# An element that Streamlit loads when it draws it: `lazy)(() => preload(() => import("./Name.hash.js"), [...], ...))`.
# While such a module loads, React shows a placeholder, and it keeps placeholders for 0.5 s.
_LAZY = re.compile(
    r"\.lazy\)\(\(\)=>[\w$]+\(\(\)=>import\(`\./([\w.-]+\.js)`\),__vite__mapDeps\(\[[\d,]*\]\),import\.meta\.url\)\)"
)
_IMPORT = re.compile(r"""(?:from|import)\s*(["'`])\./([\w.-]+\.js)\1""")


class Frontend(NamedTuple):
    """The bundle: a file name derived from the content, and the compressed content."""

    name: str
    packed: bytes


@cache
def streamlit_document() -> str:
    """Return Streamlit's own HTML document."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


def document() -> str:
    """Return the document with one script instead of its modules, or Streamlit's document if the entry is unknown."""
    own = frontend()
    if own is None:
        return streamlit_document()
    script = f'<script defer src="./frontend/{own.name}"></script>'
    return _PRELOAD.sub("", _ENTRY.sub(script, streamlit_document()))


@cache
def frontend() -> Frontend | None:
    """Return the bundle of the installed Streamlit, or None if the entry of its document is unknown."""
    found = _ENTRY.search(streamlit_document())
    if found is None:
        log.warning(
            "Streamlit %s: the document has no known entry. Its modules are served as they are.", st.__version__
        )
        return None
    texts: dict[str, str] = {}
    entries = [found[1], *_elements()]
    for name in entries:
        _add(name, texts)
    for name, text in texts.items():
        texts[name] = _LAZY.sub(partial(_lazy_element, set(entries)), text)
    if not any(LAZY_ELEMENT in text for text in texts.values()):
        log.warning("Streamlit %s: no lazy element is known. Elements are drawn after a placeholder.", st.__version__)
    loader = Path(__file__).with_name("frontend.js").read_text(encoding="utf-8")
    call = f"openFrontend({json.dumps(texts, ensure_ascii=False)}, {json.dumps(entries)});"
    content = f"{{\n{loader}\n{call}\n}}\n".encode()
    return Frontend(f"{hashlib.sha256(content).hexdigest()[:20]}.js", gzip.compress(content, 6, mtime=0))


def _elements() -> list[str]:
    """Return the file names of `ELEMENTS`; Streamlit puts hashes in them."""
    named = {path.name.partition(".")[0]: path.name for path in MODULES.glob("*.js")}
    return [named[element] for element in ELEMENTS if element in named]


def _lazy_element(names: set[str], lazy: re.Match) -> str:
    """Return a lazy element that is drawn at once if the bundle contains it and it is loaded."""
    return f".lazy)(()=>{LAZY_ELEMENT}({json.dumps(lazy[1])}))" if lazy[1] in names else lazy[0]


def _add(name: str, texts: dict[str, str]) -> None:
    """Add a module and the modules that it imports statically."""
    if name not in texts:
        texts[name] = (MODULES / name).read_text(encoding="utf-8")
        for _, other in _IMPORT.findall(texts[name]):
            _add(other, texts)


def route() -> Route:
    """Return the route of the bundle, below the server's base path."""
    return Route(below_base("/frontend/{name}"), _answer)


def _answer(request: Request) -> Response:
    own = frontend()
    if own is None or request.path_params["name"] != own.name:
        return Response("No longer available.", 404, {"cache-control": "no-store"})
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(own.packed, 200, HEADERS | {"content-encoding": "gzip"}, "text/javascript")
    return Response(gzip.decompress(own.packed), 200, HEADERS, "text/javascript")
