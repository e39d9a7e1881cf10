"""`client_address`: the network address that a request comes from, as limits count it."""

import hashlib
import secrets
from functools import cache
from ipaddress import ip_address, ip_network

HERE = "127.0.0.1"
NETWORK = 64  # bits of an IPv6 address that name one customer: they may use all addresses below


def network(host: str | None) -> str:
    """Text that limits count by: an IPv4 address, the /64 network of an IPv6 address; None is this machine."""
    try:
        address = ip_address(host or HERE)
    except ValueError:  # a socket of Unix, or what a proxy wrote
        return str(host)[:64]
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return HERE
    return str(address) if address.version == 4 else str(ip_network((address, NETWORK), strict=False))


def label(host: str | None) -> str:
    """16 hex digits that stand for an address in files, until this process ends: nobody can find the address from them
    afterwards."""
    return hashlib.sha256(_key() + network(host).encode()).hexdigest()[:16]


@cache
def _key() -> bytes:
    return secrets.token_bytes(32)
