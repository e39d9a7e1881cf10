"""Show a link to copy, and its QR code for phones."""

import base64
from functools import lru_cache
from typing import Any

import streamlit as st

from pages.serving.class_address import is_inward

MOST = 300  # maximum length in bytes; phones cannot read larger codes reliably
_MARGIN = 4  # width in modules of the margin that readers need
INWARD = (
    "Other devices cannot open this address, because it refers to this computer. Start the app "
    "with `make class` to serve the network."
)


def shared_link(link: str, place: Any = st) -> None:
    """Draw the link, and its QR code if phones can open and read it."""
    place.code(link, language=None, wrap_lines=True)
    if not is_inward(link) and len(link.encode()) <= MOST:
        place.html(f'<img alt="QR code of the link" src="{qr_image(link)}" style="width:11rem;border-radius:4px">')


@lru_cache(maxsize=64)
def qr_image(text: str) -> str:
    """Return the data URL of an SVG image of the QR code, dark on white on every page."""
    import segno  # needed only for links that other devices can open

    code = segno.make_qr(text, error="m", boost_error=False, encoding="utf-8")
    size = len(code.matrix) + 2 * _MARGIN
    places = ((x + _MARGIN, y + _MARGIN) for y, row in enumerate(code.matrix) for x, dark in enumerate(row) if dark)
    path = "".join(f"M{x} {y}h1v1h-1z" for x, y in places)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{path}"/></svg>'
    )
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
