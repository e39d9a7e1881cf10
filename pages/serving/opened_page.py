"""`routes`: the document that opens a page: the address of the server that it talks to, and the frontend in one file.

A browser that opens `/compare` gets from Streamlit a document whose script looks for the server below `/compare` first:
two requests that fail, and two errors in the console. The document here names the folder of its address, against which
it resolves its files as well. Behind a proxy that adds a prefix, only the browser knows that folder.
"""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from starlette.responses import HTMLResponse
from starlette.routing import Route

from pages.serving import frontend
from pages.serving.below_base import below_base

PAGES = Path(__file__).parents[1]
NONCE = "nonce"  # key, in the scope of a request, of what its policy allows a script of the document by
_HEAD = "<head>"
_SCRIPT = '<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href }</script>'


@cache
def document():
    """Text of the document that opens a page."""
    return frontend.document().replace(_HEAD, f"{_HEAD}\n    {_SCRIPT}", 1)


def inline_scripts():
    """Sources, for the policy, of the scripts in the document; Streamlit's own document has all but one of them."""
    texts = re.findall(r"<script>(.*?)</script>", _SCRIPT + frontend.streamlit_document(), re.S)
    hashes = [hashlib.sha256(text.encode()).digest() for text in texts]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes]


def routes():
    """One for the app itself, one for each page that has a file."""
    names = ["", *(file.stem for file in sorted(PAGES.glob("[!_]*.py")))]
    return [Route(below_base(f"/{name}"), _answer) for name in names]


def _answer(request):
    text = document().replace("<script defer ", f'<script defer nonce="{request.scope[NONCE]}" ', 1)
    return HTMLResponse(text, headers={"cache-control": "no-cache"})
