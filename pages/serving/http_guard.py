"""Accept only known host names, and set security headers."""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from http.cookies import CookieError, SimpleCookie
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

import streamlit as st
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime

from pages.serving import metrics, opened_page, page_messages
from pages.serving.browser import browser, set_cookie
from pages.serving.client_address import network
from pages.serving.metrics import Network
from pages.serving.places import Places
from pages.serving.quotas import Quotas
from pages.serving.sessions import Sessions
from pages.serving.upload_limits import UploadLimits, is_upload
from treecore.messages import literal

LOOPBACK = ("localhost", "127.0.0.1", "::1")
HEALTH = "/_stcore/health"
FRAMES = "TAO_FRAMES"  # origins that may embed the app, separated by spaces


class HttpGuard:
    """ASGI middleware around the app.

    The guard refuses requests and websockets with an unknown host name. Otherwise DNS rebinding would let a foreign
    page act as a page of this server. It accepts the names in `server.allowedHosts`. Without this setting, it accepts
    the names of this machine and the IP address at which the request arrived. The health check answers under any name,
    even if all sessions are in use. The guard also refuses websockets of other origins, and adds security headers to
    every response.

    places : `Places`, which limits sessions; uploads : `UploadLimits`, or None; readers : networks that may read the
    server metrics, see `metrics`; sessions : `Sessions`, which closes the sessions of tabs that have gone;
    cookie_hours : hours for which a browser is known.
    """

    def __init__(
        self,
        app: ASGIApp,
        places: Places | None = None,
        uploads: UploadLimits | None = None,
        readers: Sequence[Network] = (),
        sessions: Sessions | None = None,
        cookie_hours: float = Quotas.kept_hours,
    ) -> None:
        self.app, self._places, self._uploads, self._readers = app, places or Places(), uploads, readers
        self._sessions = sessions or Sessions(lambda name: None, 0.0)
        self._cookie_hours = cookie_hours
        self._inline = opened_page.inline_scripts()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; see the ASGI specification."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        host, client = _header(scope, b"host"), scope["client"][0] if scope.get("client") else None
        if scope["type"] == "http" and scope["path"].endswith(HEALTH):
            await self.app(scope, receive, self._with_headers(host, scope, send))
        elif not is_allowed(host, scope.get("server"), st.get_option("server.allowedHosts")):
            await _refuse(scope, send, 421, _foreign(host))
        elif scope["type"] == "websocket" and _is_of_another_page(scope, host):
            await _refuse(scope, send, 403, "")
        elif metrics.is_of_metrics(scope["path"]) and not metrics.may_read(scope, self._readers):
            await _refuse(
                scope,
                send,
                403,
                f"{metrics.READERS} does not include your address (see docs/reference/server_settings.md).",
            )
        elif _is_arrival(scope) and (words := self._places.refusal(client)) is not None:
            await _refuse(scope, send, 503, f"{words} Try again later.")
        elif scope["type"] == "websocket":
            self._places.take(client)
            try:
                await page_messages.connect(self.app, scope, receive, send, self._sessions, self._places)
            finally:
                self._places.leave(client)
        else:
            with self._upload(scope, client) as words:
                if words is None:
                    await self.app(scope, receive, self._with_headers(host, scope, send))
                else:
                    await _refuse(scope, send, 413, words)

    def _upload(self, scope: Scope, client: str | None) -> AbstractContextManager[str | None]:
        """Return a context manager for an upload, which yields the reason for a refusal, or None."""
        if self._uploads is None or not is_upload(scope):
            return nullcontext()
        length = _header(scope, b"content-length")
        announced = int(length) if length.isascii() and length.isdigit() and len(length) < 20 else None
        kept = runtime.get_instance().uploaded_file_mgr.file_storage
        return self._uploads.room(scope["path"], browser(_cookies(scope)), network(client), announced, kept)

    def _with_headers(self, host: str, scope: Scope, send: Send) -> Send:
        is_secure = scope.get("scheme") == "https"  # also behind a trusted proxy with TLS, see `FORWARDED_ALLOW_IPS`

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"]]
                if _is_page(headers):
                    headers.append((b"set-cookie", set_cookie(_cookies(scope), self._cookie_hours).encode()))
                headers = [(name, _secure(name, value) if is_secure else value) for name, value in headers]
                message["headers"] = [*headers, *security_headers(host, self._inline)]
            await send(message)

        return send_with_headers


def is_allowed(host: str, server: Sequence | None, names: Sequence[str] = ()) -> bool:
    """Test whether a Host header is accepted.

    server : (address, port) at which the request arrived, or None; names : accepted names, with `*.` for all subdomains
    and `*` for any name; without names, this machine and the address of the request are accepted.
    """
    name = _host_name(host)
    if name is None:
        return False
    if not names:
        here = [*LOOPBACK, *([server[0]] if server else [])]
        return name in here or _is_same_address(name, here)
    patterns = [pattern.strip().lower().rstrip(".") for pattern in names]
    return any(pattern in ("*", name) or (pattern[:2] == "*." and name.endswith(pattern[1:])) for pattern in patterns)


def security_headers(host: str, inline: Iterable[str] = ()) -> list[tuple[bytes, bytes]]:
    """Return the security headers for an accepted Host as (name, value) in bytes.

    inline : sources of the page's own scripts. The policy permits inline styles, because Streamlit sets them; blob
    modules, because components are such modules; and WebAssembly, because charts compile it. It permits no request to
    another server.
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


def _secure(name: bytes, value: bytes) -> bytes:
    """Return the value of a header. Browsers send a cookie of an encrypted page over encrypted connections only."""
    has_flag = b"secure" in (part.strip().lower() for part in value.split(b";"))
    return value if name.lower() != b"set-cookie" or has_flag else value + b"; Secure"


def _is_page(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers)


def _cookies(scope: Scope) -> dict[str, str]:
    try:
        return {name: one.value for name, one in SimpleCookie(_header(scope, b"cookie")).items()}
    except CookieError:
        return {}


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for other, value in scope["headers"] if other == name), "")


def _is_of_another_page(scope: Scope, host: str) -> bool:
    """Test whether a page of another origin opens a websocket.

    Streamlit's own test accepts any port of this machine, and looks up the public address of the server.
    """
    origin = _header(scope, b"origin")
    if not origin or not st.get_option("server.enableCORS"):
        return False
    return urlsplit(origin).netloc.lower() != host.lower() and origin not in st.get_option("server.corsAllowedOrigins")


def _is_arrival(scope: Scope) -> bool:
    """Test whether a request starts a session. Requests of an open page are never refused."""
    if scope["type"] == "websocket":
        return True
    return "text/html" in _header(scope, b"accept")


async def _refuse(scope: Scope, send: Send, status: int, words: str) -> None:
    """Refuse a request with a reason. A refused websocket closes with 403 and no text."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = f"{words}\n".encode()
    headers = {"content-type": "text/plain; charset=utf-8", "content-length": f"{len(body)}", "retry-after": "60",
               "x-content-type-options": "nosniff"}  # fmt: skip
    headers = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _foreign(host: str) -> str:
    names = ", ".join(st.get_option("server.allowedHosts")) or "localhost and the IP address of this machine"
    return (
        f"This server does not accept the host name {literal(host[:100])}. Accepted: {names}. The administrator "
        "can add names with STREAMLIT_SERVER_ALLOWED_HOSTS (see docs/how_to/deploy.md)."
    )


def _host_name(host: str) -> str | None:
    """Return the name or address of a Host header, or None if the header is invalid."""
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?", host)
    return (found[1] or found[2]).lower().rstrip(".") if found else None


def _is_same_address(name: str, others: Iterable[str]) -> bool:
    """Test whether `name` is an IP address that equals one of `others` in any notation."""
    return (address := _address(name)) is not None and address in map(_address, others)


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(name)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
