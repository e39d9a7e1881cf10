"""`class_address`: under which address others on the network reach this machine; `make class` asks for it."""

import os
import socket
import sys
from urllib.parse import urlsplit, urlunsplit

from pages.serving.http_guard import LOOPBACK

ADDRESS = "TAO_ADDRESS"  # scheme, name and port that others see, such as http://192.168.1.7:8501
_ELSEWHERE = ("192.0.2.1", 9)  # an address of documentation: nothing is sent there


def class_address(port: int | str) -> str:
    """Address of a server at a port, by the way that leads out of this machine; its own where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(_ELSEWHERE)  # of datagrams: only the way is looked up
            return f"http://{way.getsockname()[0]}:{port}"
        except OSError:
            return f"http://{LOOPBACK[1]}:{port}"


def outward(page: str) -> str:
    """Address of a page as others open it: where it names this machine itself, $TAO_ADDRESS stands for that."""
    parts, seen = urlsplit(page), urlsplit(os.environ.get(ADDRESS, ""))
    if not seen.netloc or not is_inward(page):
        return page
    return urlunsplit((seen.scheme, seen.netloc, *parts[2:]))


def is_inward(page: str) -> bool:
    """Whether an address leads nowhere on other devices."""
    return urlsplit(page).hostname in LOOPBACK


def main() -> None:
    """Write the address of a class, for the port of the environment."""
    sys.stdout.write(class_address(os.environ.get("STREAMLIT_SERVER_PORT") or 8501) + "\n")


if __name__ == "__main__":
    main()
