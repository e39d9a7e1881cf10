"""`metrics`: figures of the server in Prometheus' text form, for the administrator's address."""

import os
from ipaddress import ip_address, ip_network

from starlette.responses import PlainTextResponse
from starlette.routing import Route

from pages.serving.below_base import below_base
from pages.serving.client_address import HERE
from pages.serving.messages import MESSAGES
from treecore.errors import TreecoreError

PATH = "/metrics"
READERS = "TAO_METRICS"  # addresses and networks that may read them, between blanks; by default this machine
FORWARDED = (b"x-forwarded-for", b"forwarded", b"x-real-ip")
_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def readers(environment=None):
    """List of networks of the environment variable. Raises TreecoreError."""
    text = (os.environ if environment is None else environment).get(READERS, "").replace(",", " ")
    try:
        return [ip_network(one, strict=False) for one in text.split() or ("127.0.0.0/8", "::1")]
    except ValueError:
        raise TreecoreError(MESSAGES("metrics.readers", name=READERS, text=text[:60])) from None


def may_read(scope, networks):
    """Whether a request comes from one of some networks.

    A proxy on this machine whose word for addresses is not trusted looks like this machine, and all its visitors do.
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


def is_of_metrics(path):
    """Whether a path is ours or that of Streamlit's own figures."""
    return path.rstrip("/").endswith(PATH)


def route(read):
    """Where they are served, below the server's base path; read : coroutine function of {(name, words): number}."""

    async def answer(_):
        return PlainTextResponse(text(await read()), media_type=_TYPE)

    return Route(below_base(PATH), answer)


def text(figures):
    """Figures in Prometheus' text form; a name that ends with _total is that of a counter."""
    lines = []
    for (name, words), value in figures.items():
        kind = "counter" if name.endswith("_total") else "gauge"
        lines += [f"# HELP {name} {words}", f"# TYPE {name} {kind}", f"{name} {value}"]
    return "\n".join([*lines, ""])
