"""Formats of figures, for the pages, the command line and the functions that draw to files."""

from typing import NamedTuple


class FigureFormat(NamedTuple):
    """words : label; mime : type of the files; has_pixels : whether a resolution can be chosen."""

    words: str
    mime: str
    has_pixels: bool = False


FIGURE_FORMATS = {
    "svg": FigureFormat("SVG", "image/svg+xml"),
    "pdf": FigureFormat("PDF", "application/pdf"),
    "png": FigureFormat("PNG", "image/png", has_pixels=True),
}
