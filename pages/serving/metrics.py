"""Serve the metrics of the server in Prometheus text format, to the administrator's address only."""

import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Scope

from pages.serving.below_base import below_base
from pages.serving.client_address import HERE
from treecore.errors import TreecoreError

PATH = "/metrics"
# variable with the addresses and networks that may read the metrics, separated by spaces; default: this machine
READERS = "TAO_METRICS"
FORWARDED = (b"x-forwarded-for", b"forwarded", b"x-real-ip")
Network = IPv4Network | IPv6Network
Figures = Mapping[tuple[str, str], float]  # value by name and description
_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def readers(environment: Mapping[str, str] | None = None) -> list[Network]:
    """Return the networks listed in the environment variable. Raises TreecoreError for an invalid one."""
    text = (os.environ if environment is None else environment).get(READERS, "").replace(",", " ")
    try:
        return [ip_network(one, strict=False) for one in text.split() or ("127.0.0.0/8", "::1")]
    except ValueError:
        raise TreecoreError(
            f"{READERS}={text[:60]!r}: expected addresses or networks separated by spaces, such as 10.1.2.0/24."
        ) from None


def may_read(scope: Scope, networks: Iterable[Network]) -> bool:
    """Test whether a request comes from one of the networks.

    If a local proxy forwards requests and its header is not trusted, every visitor would look local, so these requests
    are refused.
    """
    host = scope["client"][0] if scope.get("client") else HERE
    try:
        address = ip_address(host)
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback and any(name in FORWARDED for name, _ in scope["headers"]):
        return False
    return any(address in one for one in networks)


def is_of_metrics(path: str) -> bool:
    """Test whether a path belongs to these metrics or to Streamlit's own."""
    return path.rstrip("/").endswith(PATH)


def route(read: Callable[[], Awaitable[Figures]]) -> Route:
    """Return the route of the metrics, below the server's base path.

    read : coroutine function that returns {(name, description): number}.
    """

    async def answer(_: Request) -> PlainTextResponse:
        return PlainTextResponse(text(await read()), media_type=_TYPE)

    return Route(below_base(PATH), answer)


def text(figures: Figures) -> str:
    """Return metrics in Prometheus text format. A name that ends with _total is a counter."""
    lines = []
    for (name, words), value in figures.items():
        kind = "counter" if name.endswith("_total") else "gauge"
        lines += [f"# HELP {name} {words}", f"# TYPE {name} {kind}", f"{name} {value}"]
    return "\n".join([*lines, ""])
