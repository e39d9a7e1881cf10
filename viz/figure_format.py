"""Figure formats, shared by the app, the command line and the drawing functions."""

from typing import NamedTuple


class FigureFormat(NamedTuple):
    """File format of a figure.

    words : label
    mime : MIME type of the file
    has_pixels : whether a resolution can be chosen
    """

    words: str
    mime: str
    has_pixels: bool = False


FIGURE_FORMATS = {
    "svg": FigureFormat("SVG", "image/svg+xml"),
    "pdf": FigureFormat("PDF", "application/pdf"),
    "png": FigureFormat("PNG", "image/png", has_pixels=True),
}
