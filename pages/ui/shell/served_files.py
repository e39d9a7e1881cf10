"""What is the same for many visitors goes by reference: the browser asks for it once, by a name made of its content."""

import gzip
import hashlib
import threading
from collections import OrderedDict

import streamlit as st
from starlette.responses import Response
from starlette.routing import Route

ROUTE = "stage-files"
DATA = "application/octet-stream"  # as against code and looks
MOST_BYTES = 400_000_000  # kept, of which most are in other caches as well; those not asked for the longest go first
HEADERS = {"cache-control": "private, max-age=31536000, immutable", "x-content-type-options": "nosniff"}


class ServedFiles:
    """Contents by name; all methods may be called from any thread."""

    def __init__(self):
        self._lock = threading.Lock()
        self._files, self._bytes = OrderedDict(), 0

    def put(self, content, kind):
        """Name of a content (bytes) from now on; kind : its media type. Nobody finds the name without the content."""
        name = hashlib.sha256(content).hexdigest()[:40]
        with self._lock:
            if name not in self._files:
                packed = gzip.compress(content, 6) if kind.startswith("text/") else None
                self._files[name] = content, kind, packed
                self._bytes += len(content)
            self._files.move_to_end(name)
            while self._bytes > MOST_BYTES and len(self._files) > 1:
                self._bytes -= len(self._files.popitem(last=False)[1][0])
        return name

    def forget_data(self):
        """Let go of all data; a page that still needs its own puts them here again when it is drawn."""
        with self._lock:
            for name in [name for name, (_, kind, _) in self._files.items() if kind == DATA]:
                self._bytes -= len(self._files.pop(name)[0])

    def answer(self, name, accepted=""):
        """Response for a name; accepted : header of the encodings that the browser knows."""
        with self._lock:
            if name not in self._files:
                return Response("Not here any more.", 404, {"cache-control": "no-store"})
            self._files.move_to_end(name)
            content, kind, packed = self._files[name]
        if packed is not None and "gzip" in accepted:
            return Response(packed, 200, HEADERS | {"content-encoding": "gzip", "vary": "accept-encoding"}, kind)
        # said to be encoded, so that nobody on the way packs it again: it is packed as far as it can be
        return Response(content, 200, HEADERS | {"content-encoding": "identity"}, kind)


@st.cache_resource(show_spinner=False)
def served_files():
    """The one `ServedFiles` of the server."""
    return ServedFiles()


def route():
    """Where they are served, below the server's base path."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return Route(f"{f'/{base}' * bool(base)}/{ROUTE}/{{name}}", _answer)


async def _answer(request):
    return served_files().answer(request.path_params["name"], request.headers.get("accept-encoding", ""))
