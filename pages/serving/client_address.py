"""`client_address`: the network address of a request, as used by quotas."""

import hashlib
import secrets
from functools import cache
from ipaddress import ip_address, ip_network

HERE = "127.0.0.1"
NETWORK = 64  # prefix of an IPv6 address that belongs to one customer, in bits


def network(host: str | None) -> str:
    """Return the address that quotas count by: an IPv4 address or an IPv6 /64 network; None means this machine."""
    try:
        address = ip_address(host or HERE)
    except ValueError:  # a Unix socket, or text written by a proxy
        return str(host)[:64]
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return HERE
    return str(address) if address.version == 4 else str(ip_network((address, NETWORK), strict=False))


def label(host: str | None) -> str:
    """Return 16 hexadecimal digits that represent an address in files.

    The key changes when this process ends, after which the address cannot be recovered.
    """
    return hashlib.sha256(_key() + network(host).encode()).hexdigest()[:16]


@cache
def _key() -> bytes:
    return secrets.token_bytes(32)
