"""Draw the Save menu in the upper right corner of a page: files in groups, and a link with its QR code."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.serving.class_address import is_inward
from pages.ui.shell import address
from pages.ui.shell.save_button import save_button
from treecore.artifact import Artifact


class SavedFile(NamedTuple):
    """One file to save, with its button.

    label : label of the button, unique on a page; make : function that returns str or bytes, called when the visitor
    requests the file; name, mime : name and media type of the file; icon, help : icon and help text of the button, or
    None.
    """

    label: str
    make: Callable
    name: str
    mime: str
    icon: str | None = None
    help: str | None = None

    @classmethod
    def of(
        cls, artifact: Artifact, known: Callable[[], dict[str, Any]], stem: str, icon: str | None = None
    ) -> SavedFile:
        """Return the file of an `Artifact`.

        known : function that returns the inputs of the artifact by name, called when the visitor requests the file;
        stem : file name without suffix.
        """
        about = f"{artifact.about[:1].upper()}{artifact.about[1:]}." if artifact.about else None
        return cls(
            artifact.label, lambda: artifact.of(known()), f"{stem}.{artifact.suffix}", artifact.mime, icon, about
        )

    def button(self) -> None:
        """Draw the button as an entry of the menu."""
        save_button(
            self.label, self.make, self.name, self.mime, key=f"save-{self.label}", type="tertiary", width="stretch",
            icon=f":material/{self.icon or 'download'}:", help=self.help,
        )  # fmt: skip


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


KEY = "save-open"


def place() -> DeltaGenerator:
    """Return the container of the menu, which is at the top of the page and filled later."""
    return st.container(key="save-menu")


def save_menu(draw_top: Callable[[], Any], groups: dict[str, Callable[[], Any]], linked: bool = True) -> None:
    """Draw the menu in a container from `place`. The content is made only when the menu is open.

    draw_top : function that draws the top entries; groups : {title: function that draws the group when the visitor
    opens it}; linked : whether the address of the page leads back to its content.
    """
    st.fragment(_menu)(draw_top, groups, linked)


def lines(files: Iterable[SavedFile]) -> Callable[[], None]:
    """Return a function that draws the menu entries of some `SavedFile` objects."""

    def draw() -> None:
        for one in files:
            one.button()

    return draw


def _menu(draw_top: Callable[[], Any], groups: dict[str, Callable[[], Any]], linked: bool) -> None:
    menu = st.popover("Save", icon=":material/download:", key=KEY, on_change="rerun")
    if not menu.open:
        return
    with menu, st.container(key="save-list"):
        draw_top()
        if linked and (link := address.link()):
            st.caption("Link to this view")
            shared_link(link)
        if groups:
            st.divider()
        for title, draw in groups.items():
            group = st.expander(title, key=f"{KEY}-{title}", on_change="rerun")
            if group.open:
                with group:
                    draw()
