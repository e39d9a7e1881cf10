"""`shared_link`: a link to copy, and its QR code for phones."""

from typing import Any

import streamlit as st

from pages.serving.class_address import is_inward
from viz.images.qr_code import qr_image

MOST = 300  # bytes; phones cannot read larger codes reliably
INWARD = (
    "Other devices cannot open this address, because it is local to this computer. Start the app "
    "with `make class` to serve the network."
)


def shared_link(link: str, place: Any = st) -> None:
    """Draw the link into `place`, and its QR code if phones can open and read it."""
    place.code(link, language=None, wrap_lines=True)
    if not is_inward(link) and len(link.encode()) <= MOST:
        place.html(f'<img alt="QR code of the link" src="{qr_image(link)}" style="width:11rem;border-radius:4px">')
