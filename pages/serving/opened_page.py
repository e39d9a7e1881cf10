"""Serve the HTML document of each page, with the address of its server.

For `/compare`, Streamlit's own document first looks for the server below `/compare`. This causes two failing requests
and two console errors. Our document sets the folder of its own URL as the address of the server (BACKEND_BASE_URL), and
loads its files from this folder. Behind a proxy that adds a prefix, only the browser can determine that folder.
"""

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from pages.serving.below_base import below_base

PAGES = Path(__file__).parents[1]
STREAMLIT = Path(st.__file__).parent / "static"  # files of Streamlit's frontend
_HEAD = "<head>"
_BODY = re.compile(r'<body>.*?<div id="root"></div>', re.S)
_NO_START = """<div class="no-start"><h1>This page could not start</h1>
<p>It needs JavaScript modules. Allow JavaScript for this site, or use Firefox, Chrome, Edge or Safari from 2024
or later. If this does not help, reload the page: the server may not have been reachable.</p></div>"""
_START = f"""<body>
    <noscript><style>.no-start {{ animation: none }}</style></noscript>
    <a class="skip-link" href="#root">Skip to content</a>
    <div id="root">{_NO_START}</div>"""
_SCRIPT = '<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href }</script>'


@cache
def streamlit_document() -> str:
    """Return Streamlit's own HTML document."""
    return (STREAMLIT / "index.html").read_text(encoding="utf-8")


@cache
def document(styles: str = "") -> str:
    """Return the HTML document of a page.

    styles : style elements that apply before Streamlit draws the page, so that its elements keep their places. They
    come after Streamlit's own, which are in the head, and before those of the page.
    """
    with_head = streamlit_document().replace(_HEAD, f"{_HEAD}\n    {_SCRIPT}", 1)
    return _BODY.sub(lambda _: _START.replace("<body>", f"<body>{styles}", 1), with_head, count=1)


def inline_scripts() -> list[str]:
    """Return the policy sources that permit the inline scripts. All but one are Streamlit's."""
    texts = re.findall(r"<script>(.*?)</script>", _SCRIPT + streamlit_document(), re.S)
    hashes = [hashlib.sha256(text.encode()).digest() for text in texts]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes]


def routes(styles: str = "", links: Callable[..., str] = lambda has_query: "") -> list[Route]:
    """Return the routes of the app and of each page with its own file.

    styles : as in `document`; links : function of `has_query` that returns further elements of the home page's
    head, see `served_files.early_links`.
    """
    names = [file.stem for file in sorted(PAGES.glob("[!_]*.py"))]
    others = [Route(below_base(f"/{name}"), partial(_answer, styles, lambda has_query: "")) for name in names]
    return [Route(below_base("/"), partial(_answer, styles, links)), *others]


def _answer(styles: str, links: Callable[..., str], request: Request) -> HTMLResponse:
    more = links(has_query=bool(request.url.query))
    text = document(styles).replace("</head>", f"{more}</head>", 1)
    return HTMLResponse(text, headers={"cache-control": "no-cache"})
