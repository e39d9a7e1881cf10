"""Streamlit's frontend in one file.

Streamlit's document asks for some 60 modules, and these ask for 40 more before the first tree is drawn. Here they come
in one compressed file, of which `frontend.js` makes modules again. What another page needs is loaded then, as ever.
"""

import gzip
import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.serving.below_base import below_base

STATIC = Path(st.__file__).parent / "static"
MODULES = STATIC / "static" / "js"
# elements of the opening page, which Streamlit loads as they are drawn
ELEMENTS = ("BidiComponent", "Button", "FileUploader", "Html", "NumberInput", "PageLink", "Selectbox", "Slider")
HEADERS = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
_ENTRY = re.compile(r'<script type="module"[^>]* src="\./static/js/([\w.-]+\.js)"></script>')
_PRELOAD = re.compile(r'\s*<link rel="modulepreload"[^>]*>')
_IMPORT = re.compile(r"""(?:from|import)\s*(["'`])\./([\w.-]+\.js)\1""")


class Frontend(NamedTuple):
    """The file: its name, made of its content, and the content, compressed."""

    name: str
    packed: bytes


@cache
def streamlit_document() -> str:
    """Text of the document as Streamlit serves it."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


def document() -> str:
    """The same with one script in place of the entry and its modules; as it is if another Streamlit names no entry."""
    own = frontend()
    if own is None:
        return streamlit_document()
    script = f'<script defer src="./frontend/{own.name}"></script>'
    return _PRELOAD.sub("", _ENTRY.sub(script, streamlit_document()))


@cache
def frontend() -> Frontend | None:
    """The file of this Streamlit, None if its document names no entry."""
    found = _ENTRY.search(streamlit_document())
    if found is None:
        return None
    texts: dict[str, str] = {}
    for name in (found[1], *_elements()):
        _add(name, texts)
    loader = Path(__file__).with_name("frontend.js").read_text(encoding="utf-8")
    call = f"openFrontend({json.dumps(texts, ensure_ascii=False)}, {json.dumps(found[1])});"
    content = f"{{\n{loader}\n{call}\n}}\n".encode()
    return Frontend(f"{hashlib.sha256(content).hexdigest()[:20]}.js", gzip.compress(content, 6, mtime=0))


def _elements() -> list[str]:
    """Names of the files of `ELEMENTS`, which have a hash of their own."""
    named = {path.name.partition(".")[0]: path.name for path in MODULES.glob("*.js")}
    return [named[element] for element in ELEMENTS if element in named]


def _add(name: str, texts: dict[str, str]) -> None:
    """Add a module and all that it imports at once."""
    if name not in texts:
        texts[name] = (MODULES / name).read_text(encoding="utf-8")
        for _, other in _IMPORT.findall(texts[name]):
            _add(other, texts)


def route() -> Route:
    """Where it is served, below the server's base path."""
    return Route(below_base("/frontend/{name}"), _answer)


def _answer(request: Request) -> Response:
    own = frontend()
    if own is None or request.path_params["name"] != own.name:
        return Response("No longer available.", 404, {"cache-control": "no-store"})
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(own.packed, 200, HEADERS | {"content-encoding": "gzip"}, "text/javascript")
    return Response(gzip.decompress(own.packed), 200, HEADERS, "text/javascript")
