"""Return the network address of a request, which quotas use to count requests."""

import hashlib
import secrets
from functools import cache
from ipaddress import ip_address, ip_network

HERE = "127.0.0.1"
NETWORK = 64  # prefix length in bits of the IPv6 network that belongs to one customer


def network(host: str | None) -> str:
    """Return the address that quotas use: an IPv4 address or an IPv6 /64 network.

    host : None means this machine.
    """
    try:
        address = ip_address(host or HERE)
    except ValueError:  # a Unix socket, or invalid text from a proxy
        return str(host)[:64]
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return HERE
    return str(address) if address.version == 4 else str(ip_network((address, NETWORK), strict=False))


def label(host: str | None) -> str:
    """Return 16 hexadecimal digits that represent an address in files.

    The key lasts as long as this process. Afterwards, the digits cannot be traced to the address.
    """
    return hashlib.sha256(_key() + network(host).encode()).hexdigest()[:16]


@cache
def _key() -> bytes:
    return secrets.token_bytes(32)
