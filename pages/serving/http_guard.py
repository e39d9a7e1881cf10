"""`HttpGuard`: the server answers under its own names only, and tells browsers what its pages may do."""

import os
import re
import secrets
from contextlib import nullcontext
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import urlsplit

import streamlit as st
from streamlit import runtime

from pages.serving import metrics, opened_page, page_messages
from pages.serving.browser import browser
from pages.serving.client_address import network
from pages.serving.messages import MESSAGES
from pages.serving.places import Places
from pages.serving.upload_limits import is_upload

LOOPBACK = ("localhost", "127.0.0.1", "::1")
HEALTH = "/_stcore/health"
FRAMES = "TAO_FRAMES"  # origins whose pages may show this one inside of them, between spaces


class HttpGuard:
    """ASGI middleware around the whole app.

    A request or a websocket under a foreign name is refused: a page of elsewhere whose name was made to point here (DNS
    rebinding) has no other way to be taken for a page of this server. Allowed are the names of `server.allowedHosts`;
    when there are none, those of this machine itself and the address, in digits, at which the request came in. The
    health check answers under any name, also when all places are taken. Pages of other servers open no websocket. Each
    answer has security headers.

    places : `Places`, by whose words visitors are refused; uploads : `UploadLimits`, or None; readers : networks that
    may read the figures of the server, see `metrics`.
    """

    def __init__(self, app, places=None, uploads=None, readers=()):
        self.app, self._places, self._uploads, self._readers = app, places or Places(), uploads, readers
        self._inline = opened_page.inline_scripts()

    async def __call__(self, scope, receive, send):
        """See the ASGI specification."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        host, client = _header(scope, b"host"), scope["client"][0] if scope.get("client") else None
        scope = {**scope, opened_page.NONCE: secrets.token_urlsafe(16)}
        if scope["type"] == "http" and scope["path"].endswith(HEALTH):
            await self.app(scope, receive, self._guarded(host, scope, send))
        elif not is_allowed(host, scope.get("server"), st.get_option("server.allowedHosts")):
            await _refuse(scope, send, 421, _foreign(host))
        elif scope["type"] == "websocket" and _is_of_another_page(scope, host):
            await _refuse(scope, send, 403, "")
        elif metrics.is_of_metrics(scope["path"]) and not metrics.may_read(scope, self._readers):
            await _refuse(scope, send, 403, MESSAGES("metrics.not_yours", readers=metrics.READERS))
        elif _is_arrival(scope) and (words := self._places.refusal(client)) is not None:
            await _refuse(scope, send, 503, MESSAGES("come_back", why=words))
        elif scope["type"] == "websocket":
            self._places.take(client)
            try:
                await self.app(scope, *page_messages.checked_messages(receive, send))
            finally:
                self._places.leave(client)
        else:
            with self._upload(scope, client) as words:
                if words is None:
                    await self.app(scope, receive, self._guarded(host, scope, send))
                else:
                    await _refuse(scope, send, 413, words)

    def _upload(self, scope, client):
        """Context of a request, which gives why it is refused, or None."""
        if self._uploads is None or not is_upload(scope):
            return nullcontext()
        try:
            cookies = {name: one.value for name, one in SimpleCookie(_header(scope, b"cookie")).items()}
        except CookieError:
            cookies = {}
        length = _header(scope, b"content-length")
        announced = int(length) if length.isascii() and length.isdigit() and len(length) < 20 else None
        kept = runtime.get_instance().uploaded_file_mgr.file_storage
        return self._uploads.room(scope["path"], browser(cookies), network(client), announced, kept)

    def _guarded(self, host, scope, send):
        inline = [*self._inline, f"'nonce-{scope[opened_page.NONCE]}'"]

        async def guarded(message):
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *security_headers(host, inline)]
            await send(message)

        return guarded


def is_allowed(host, server, names=()):
    """Whether a Host header is one of ours.

    server : (address, port) at which the request came in, or None; names : those that are allowed, `*.` before one for
    all below it, `*` alone for all; empty for this machine itself and the address asked.
    """
    name = _host_name(host)
    if name is None:
        return False
    if not names:
        here = [*LOOPBACK, *([server[0]] if server else [])]
        return name in here or _is_same_address(name, here)
    patterns = [pattern.strip().lower().rstrip(".") for pattern in names]
    return any(pattern in ("*", name) or (pattern[:2] == "*." and name.endswith(pattern[1:])) for pattern in patterns)


def security_headers(host, inline=()):
    """List of (name, value), bytes, for the answers under an allowed Host; inline : sources of the page's own scripts.

    'unsafe-inline' is for styles alone: what Streamlit draws is styled in place. A component's module comes as a blob,
    charts compile WebAssembly; nothing of another server is loaded, and nothing is sent to one.
    """
    policy = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "blob:", "'wasm-unsafe-eval'", *inline]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' data: blob:",
        "worker-src": "'self' blob:",
        "connect-src": f"'self' ws://{host} wss://{host} blob: data:",
        "frame-src": "'self' blob: data:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(["'self'", *os.environ.get(FRAMES, "").replace(";", " ").split()]),
    }
    return [
        (b"content-security-policy", "; ".join(f"{name} {value}" for name, value in policy.items()).encode("latin-1")),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
    ]


def _header(scope, name):
    return next((value.decode("latin-1") for other, value in scope["headers"] if other == name), "")


def _is_of_another_page(scope, host):
    """Whether a page of another server opens a websocket here.

    Streamlit itself lets pages of any port of this machine, and looks its public address up elsewhere to compare.
    """
    origin = _header(scope, b"origin")
    if not origin or not st.get_option("server.enableCORS"):
        return False
    return urlsplit(origin).netloc.lower() != host.lower() and origin not in st.get_option("server.corsAllowedOrigins")


def _is_arrival(scope):
    """Whether somebody new comes: what belongs to a page that is open already goes on."""
    if scope["type"] == "websocket":
        return True
    return "text/html" in _header(scope, b"accept")


async def _refuse(scope, send, status, words):
    """Say why; a websocket ends with 403, of which no page can read more."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = f"{words}\n".encode()
    headers = {"content-type": "text/plain; charset=utf-8", "content-length": f"{len(body)}", "retry-after": "60",
               "x-content-type-options": "nosniff"}  # fmt: skip
    headers = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _foreign(host):
    names = ", ".join(st.get_option("server.allowedHosts")) or MESSAGES("host.local")
    return MESSAGES("host.unknown", host=host[:100], names=names)


def _host_name(host):
    """Name or address in a Host header, None for what is none."""
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?", host)
    return (found[1] or found[2]).lower().rstrip(".") if found else None


def _is_same_address(name, others):
    """Whether `name` is an address in digits that is one of `others`, however it is written."""
    return (address := _address(name)) is not None and address in map(_address, others)


def _address(name):
    try:
        address = ip_address(name)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
