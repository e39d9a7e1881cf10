"""The formats of figures, for the pages, the command line and everything that draws for files."""

from typing import NamedTuple


class FigureFormat(NamedTuple):
    """words : for people; mime : of its files; has_pixels : how many to the inch is a choice."""

    words: str
    mime: str
    has_pixels: bool = False


FIGURE_FORMATS = {
    "svg": FigureFormat("SVG", "image/svg+xml"),
    "pdf": FigureFormat("PDF", "application/pdf"),
    "png": FigureFormat("PNG", "image/png", has_pixels=True),
}
