"""`routes`: Streamlit's document for links to a page, with the address of the server that it talks to.

A browser that opens `/compare` gets a document whose script looks for the server below `/compare` first: two requests
that fail, and two errors in the console. The document of a page names the folder of its address, against which it
resolves its files as well. Behind a proxy that adds a prefix, only the browser knows that folder.
"""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.responses import HTMLResponse
from starlette.routing import Route

from pages.serving.below_base import below_base

PAGES = Path(__file__).parents[1]
_HEAD = "<head>"
_SCRIPT = '<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href }</script>'


@cache
def document():
    """Text of the document that opens a page."""
    own = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    return own.replace(_HEAD, f"{_HEAD}\n    {_SCRIPT}", 1)


def inline_scripts():
    """Sources, for the policy, of the scripts in the document; Streamlit's own document has all but one of them."""
    texts = re.findall(r"<script>(.*?)</script>", document(), re.S)
    hashes = [hashlib.sha256(text.encode()).digest() for text in texts]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes]


def routes():
    """One for each page that has a file."""
    return [Route(below_base(f"/{file.stem}"), _answer) for file in sorted(PAGES.glob("[!_]*.py"))]


def _answer(_):
    return HTMLResponse(document(), headers={"cache-control": "no-cache"})
