"""Find the address at which other devices reach this machine, for `make class`."""

import os
import socket
import sys
from urllib.parse import urlsplit, urlunsplit

from pages.serving.http_guard import LOOPBACK

ADDRESS = "TAO_ADDRESS"  # scheme, host and port that other devices use, such as http://192.168.1.7:8501
_ELSEWHERE = ("192.0.2.1", 9)  # reserved for documentation; the app sends it no packet


def class_address(port: int | str) -> str:
    """Return the address of a server at a port, on the outgoing network interface or on localhost."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(_ELSEWHERE)  # connecting a datagram socket only looks up the route
            return f"http://{way.getsockname()[0]}:{port}"
        except OSError:
            return f"http://{LOOPBACK[1]}:{port}"


def outward(page: str) -> str:
    """Return the address of a page for other devices, with $TAO_ADDRESS instead of a local host name."""
    parts, seen = urlsplit(page), urlsplit(os.environ.get(ADDRESS, ""))
    if not seen.netloc or not is_inward(page):
        return page
    return urlunsplit((seen.scheme, seen.netloc, *parts[2:]))


def is_inward(page: str) -> bool:
    """Test whether other devices cannot open an address."""
    return urlsplit(page).hostname in LOOPBACK


def main() -> None:
    """Print the address for a class, with the port from the environment."""
    sys.stdout.write(class_address(os.environ.get("STREAMLIT_SERVER_PORT") or 8501) + "\n")


if __name__ == "__main__":
    main()
