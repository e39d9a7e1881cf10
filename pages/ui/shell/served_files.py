"""Serve content that many visitors share. Each browser requests it once, by a name derived from the content."""

import asyncio
import gzip
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.serving.below_base import below_base
from pages.serving.daemon_pool import DaemonPool
from pages.ui.shell.computed import once
from treecore.errors import TreecoreError

ROUTE = "stage-files"
DATA = "application/octet-stream"  # media type of data, as opposed to code and styles
MOST_BYTES = 400_000_000  # total size beyond which the longest unused contents are dropped; most are in other caches
MOST_PROMISES = 2000
HEADERS = {"cache-control": "private, max-age=31536000, immutable", "x-content-type-options": "nosniff"}


class ServedFiles:
    """Stored contents by name. All methods are thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._first: tuple[str, ...] = ()
        self._files, self._bytes = OrderedDict(), 0
        self._names: dict[bytes, str] = {}  # of the stored contents, so that each content is hashed once
        self._promised = OrderedDict()
        self._making = DaemonPool(1, "contents")  # makes one content at a time, because pages have priority

    def put(self, content: bytes, kind: str) -> str:
        """Store bytes with a media type and return their name, which cannot be guessed."""
        with self._lock:
            name = self._names.get(content)
        return self._keep(name or hashlib.sha256(content).hexdigest()[:40], content, kind)

    @property
    def first(self) -> tuple[str, ...]:
        """Return the names of the module, style sheet and data of the stage without a link, or ()."""
        with self._lock:
            return self._first

    def set_first(self, *names: str) -> None:
        """Set the names that `first` returns."""
        with self._lock:
            self._first = names

    def promise(self, name: str, make: Callable[[], bytes]) -> None:
        """Register a function that makes the data of a unique name when a browser requests it."""
        with self._lock:
            self._promised[name] = make
            self._promised.move_to_end(name)
            while len(self._promised) > MOST_PROMISES:
                self._promised.popitem(last=False)

    async def wait_for(self, name: str) -> None:
        """Wait until a registered content has been made or has failed."""
        with self._lock:
            is_wanted = name in self._promised and name not in self._files
        if is_wanted:
            await asyncio.get_running_loop().run_in_executor(self._making, self._make, name)

    def _make(self, name: str) -> None:
        with self._lock:
            make = None if name in self._files else self._promised.get(name)
        try:
            content = None if make is None else make()
        except TreecoreError:
            return
        with self._lock:
            is_wanted = name in self._promised  # content that was not forgotten meanwhile, or was registered again
        if content is not None and is_wanted:
            self._keep(name, content, DATA)

    def _keep(self, name: str, content: bytes, kind: str) -> str:
        with self._lock:
            if name not in self._files:
                packed = gzip.compress(content, 6) if kind.startswith("text/") else None
                self._files[name] = content, kind, packed
                self._names[content] = name
                self._bytes += len(content)
            self._files.move_to_end(name)
            while self._bytes > MOST_BYTES and len(self._files) > 1:
                self._drop(next(iter(self._files)))
        return name

    def _drop(self, name: str) -> None:
        content = self._files.pop(name)[0]
        self._names.pop(content, None)
        self._bytes -= len(content)

    def forget_data(self) -> None:
        """Drop all data. A page that needs its data stores them again when it is drawn."""
        with self._lock:
            self._promised.clear()
            for name in [name for name, (_, kind, _) in self._files.items() if kind == DATA]:
                self._drop(name)

    def answer(self, name: str, accepted: str = "") -> Response:
        """Return the response for a name.

        accepted : value of the Accept-Encoding header.
        """
        with self._lock:
            if name not in self._files:
                return Response("No longer available.", 404, {"cache-control": "no-store"})
            self._files.move_to_end(name)
            content, kind, packed = self._files[name]
        if packed is not None and "gzip" in accepted:
            return Response(packed, 200, HEADERS | {"content-encoding": "gzip", "vary": "accept-encoding"}, kind)
        # Declare an encoding, so that no proxy compresses the packed content again.
        return Response(content, 200, HEADERS | {"content-encoding": "identity"}, kind)


@once
def served_files() -> ServedFiles:
    """Return the `ServedFiles` of the server."""
    return ServedFiles()


def early_links(has_query: bool) -> str:
    """Return link elements that load the files of the first stage while the page connects to the server.

    has_query : whether the page has parameters, which may request other data. Training may then come first, and
    browsers warn of preloaded styles that are not used within seconds, but not of modules.
    """
    kinds = ('"modulepreload"', '"preload" as="style"', '"preload" as="fetch" crossorigin')
    found = [*zip(kinds, served_files().first, strict=False)]
    return "".join(
        f'<link rel={kind} href="./{ROUTE}/{name}" fetchpriority="low">'
        for kind, name in (found[:1] if has_query else found)
    )


def route() -> Route:
    """Return the route of the files, below the server's base path."""
    return Route(below_base(f"/{ROUTE}/{{name}}"), _answer)


async def _answer(request: Request) -> Response:
    files, name = served_files(), request.path_params["name"]
    await files.wait_for(name)
    return files.answer(name, request.headers.get("accept-encoding", ""))
