"""Canvas in pixel coordinates, with y downwards, drawn by matplotlib.

Boxes are collected and drawn together, which is faster.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import FontWarning
from treecore.messages import counted
from viz.palette import Theme
from viz.words import text_fit
from viz.words.text_fit import FONTS_LOCK, fit

if TYPE_CHECKING:
    from matplotlib.figure import Figure


PIXELS_PER_INCH = 100
# All threads share the matplotlib settings, so they change only under FONTS_LOCK. Without a date or a random id, equal
# figures give equal files. The fonts are TrueType because journals reject the Type 3 fonts that matplotlib embeds by
# default.
_SETTINGS: Any = {"svg.hashsalt": "tree", "svg.fonttype": "none", "pdf.fonttype": 42}
_NO_DATE = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
PDF_ZOOM = 4  # factor by which images are magnified, because PDF viewers blur the edges of their pixels


class Picture(bytes):
    """Bytes of a picture file, which a notebook shows as a picture.

    format : "svg", "png" or "pdf"
    """

    format: str

    def __new__(cls, content: bytes, format: str) -> Self:
        """Return the picture."""
        picture = super().__new__(cls, content)
        picture.format = format
        return picture

    def __getnewargs__(self):
        return bytes(self), self.format

    def __repr__(self):
        return f"<{self.format.upper()} picture of {len(self):,} bytes>"

    def _repr_svg_(self):
        return self.decode() if self.format == "svg" else None

    def _repr_png_(self):
        return bytes(self) if self.format == "png" else None

    def _repr_pdf_(self):
        return bytes(self) if self.format == "pdf" else None


class Box(NamedTuple):
    """Rectangle on a canvas, in pixels."""

    left: float
    top: float
    width: float
    height: float


class Canvas:
    """Canvas of `width` x `height` pixels on the background of a Theme, saved as `format`.

    Objects on higher layers cover those on lower layers.
    """

    def __init__(self, width: float, height: float, theme: Theme, format: str = "png") -> None:
        from matplotlib.figure import Figure  # slow import

        self.width, self.height, self.theme, self.format = width, height, theme, format
        self.figure = Figure((width / PIXELS_PER_INCH, height / PIXELS_PER_INCH), dpi=PIXELS_PER_INCH)
        self.figure.patch.set_facecolor(theme.background)
        # Without this setting, matplotlib merges the images, which takes 15 s for 500 nodes.
        self.figure.suppressComposite = True
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_xlim(0, width)
        self.axes.set_ylim(height, 0)
        self.axes.axis("off")
        self.texts: set[str] = set()
        self._clear()

    def _clear(self):
        self._boxes, self._lines, self._bends, self._dots = {}, {}, {}, {}

    def rectangle(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        color: str = "none",
        edge: str = "none",
        line: float = 1.0,
        layer: float = 3.0,
    ) -> None:
        """Draw a filled or framed rectangle.

        color, edge : hex or "none"
        line : width of the frame in pixels
        """
        corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
        self._boxes.setdefault(layer, []).append((corners, color, edge, 0.0 if edge == "none" else points(line)))

    def polygon(self, corners: ArrayLike, color: str | tuple, layer: float = 3.0) -> None:
        """Draw a filled polygon.

        corners : float64[k, 2]
        color : any matplotlib colour
        """
        self._boxes.setdefault(layer, []).append((corners, color, "none", 0.0))

    def line(self, places: np.ndarray, color: str, width: float = 1.0, layer: float = 3.0, cap: str = "butt") -> None:
        """Draw a line through `places`, float64[k, 2]. Thousands of lines take as long as one."""
        self._lines.setdefault((layer, cap), []).append((places, color, points(width)))

    def bend(self, start: tuple, stop: tuple, width: float, color: str, layer: float = 1.0, cap: str = "round") -> None:
        """Draw a curve that is vertical at `start` and at `stop`, like the edges on the stage."""
        middle = (start[1] + stop[1]) / 2
        places = [start, (start[0], middle), (stop[0], middle), stop]
        self._bends.setdefault((layer, cap), []).append((places, color, points(width)))

    def curve(
        self, x: ArrayLike, y: ArrayLike, color: str, width: float = 1, dashes: tuple | None = None, layer: float = 3
    ) -> None:
        """Draw a line through points.

        dashes : lengths on and off in pixels, or None for a solid line
        """
        from matplotlib.lines import Line2D

        style = "-" if dashes is None else (0, tuple(points(length) / points(width) for length in dashes))
        line = Line2D(x, y, color=color, linewidth=points(width), linestyle=style, solid_capstyle="butt", zorder=layer)
        self.axes.add_line(line)

    def dots(
        self,
        places: np.ndarray,
        diameter: float,
        colors: Sequence | str,
        layer: float = 3.0,
        edge: str | tuple = "none",
        line: float = 0.5,
    ) -> None:
        """Draw round points.

        places : float64[k, 2]
        colors : one hex colour, or one for each point
        edge : colour of the outline
        """
        if len(places):
            many = colors if not isinstance(colors, str) else [colors] * len(places)
            kept = self._dots.setdefault((layer, edge, line), ([], [], []))
            kept[0].append(places)
            kept[1].append(np.full(len(places), points(diameter) ** 2))
            kept[2].extend(many)

    def image(
        self, pixels: np.ndarray, left: float, top: float, width: float, height: float, layer: float = 2.0
    ) -> None:
        """Draw an image without smoothing.

        pixels : uint8[h, w, 3]
        """
        from matplotlib.image import AxesImage

        extent = (left, left + width, top + height, top)
        image = AxesImage(self.axes, extent=extent, interpolation="none", zorder=layer)
        image.set_data(np.repeat(np.repeat(pixels, PDF_ZOOM, 0), PDF_ZOOM, 1) if self.format == "pdf" else pixels)
        self.axes.add_image(image)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        pixels: float,
        room: float,
        color: str,
        align: str = "center",
        bold: bool = False,
        backed: bool = False,
        whole: bool = False,
        angle: int = 0,
    ) -> None:
        """Draw text of height `pixels`, centred at y and cut to `room` (see `text_fit.fit`).

        backed : whether the text is on a patch of the background colour
        angle : counter-clockwise rotation around the centre of the text, in degrees
        """
        text, pixels = fit(self.clean(text), pixels, room, bold, whole)
        if not text:
            return
        # Names come from files, so a dollar sign must not start a formula.
        drawn = self.axes.text(
            x, y, text, fontsize=points(pixels), color=color, ha=align, va="center", zorder=5, parse_math=False,
            fontweight="bold" if bold else "normal", rotation=angle, rotation_mode="anchor",
            fontfamily=self.families(text),
        )  # fmt: skip
        if backed:
            drawn.set_bbox({"facecolor": self.theme.background, "edgecolor": "none", "pad": 0.6, "alpha": 0.85})

    def clean(self, text: str) -> str:
        """Replace the characters that the format cannot show, as `text_fit.clean` does, and note them for a warning."""
        if self.format == "svg":
            return text_fit.clean(text, any_glyph=True)
        self.texts.add(text)
        return text_fit.clean(text)

    def families(self, text: str) -> list[str] | None:
        """Return the fonts for a text, or None for the usual one. The viewer of an SVG has its own fonts."""
        return None if self.format == "svg" else text_fit.families(text)

    def warn(self) -> None:
        """Warn about characters that the file shows wrongly."""
        if words := font_words(self.texts):
            warnings.warn(words, FontWarning, stacklevel=3)

    def finished(self) -> Figure:
        """Draw everything that was collected and return the matplotlib Figure."""
        from matplotlib.collections import LineCollection, PathCollection, PolyCollection
        from matplotlib.path import Path

        for layer, boxes in self._boxes.items():
            corners, colors, edges, lines = zip(*boxes, strict=True)
            self._add(
                PolyCollection(
                    corners, facecolors=colors, edgecolors=edges, linewidths=lines, zorder=layer, joinstyle="miter"
                )
            )
        for (layer, cap), lines in self._lines.items():
            places, colors, widths = zip(*lines, strict=True)
            self._add(LineCollection(places, colors=colors, linewidths=widths, capstyle=cap, zorder=layer))
        for (layer, cap), bends in self._bends.items():
            places, colors, widths = zip(*bends, strict=True)
            codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
            self._add(PathCollection(
                [Path(four, codes) for four in places], facecolors="none", edgecolors=colors, linewidths=widths,
                capstyle=cap, zorder=layer,
            ))  # fmt: skip
        for (layer, edge, line), (places, sizes, colors) in self._dots.items():
            self.axes.scatter(
                *np.concatenate(places).T, s=np.concatenate(sizes), c=colors, zorder=layer,
                edgecolors="none" if edge == "none" else [edge], linewidths=0 if edge == "none" else points(line),
            )  # fmt: skip
        self._clear()
        self.axes.set_xlim(0, self.width)
        self.axes.set_ylim(self.height, 0)
        return self.figure

    def _add(self, collection):
        self.axes.add_collection(collection, autolim=False)

    def save(self, scale: float = 1.0) -> Picture:
        """Return the figure.

        scale : pixels of a PNG per pixel of the canvas
        """
        import matplotlib

        figure, out = self.finished(), io.BytesIO()
        self.warn()
        with FONTS_LOCK, matplotlib.rc_context(_SETTINGS), warnings.catch_warnings():
            # An SVG viewer provides its own fonts.
            warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
            figure.savefig(out, format=self.format, dpi=PIXELS_PER_INCH * scale, metadata=_NO_DATE.get(self.format))
        return Picture(out.getvalue(), self.format)

    def pixels(self, scale: float = 1.0) -> np.ndarray:
        """Return the canvas as uint8[height, width, 3].

        scale : pixels of the result per pixel of the canvas
        """
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        figure = self.finished()
        self.warn()
        figure.set_dpi(PIXELS_PER_INCH * scale * (1 + 1e-9))  # so that rounding does not lose a pixel
        agg = FigureCanvasAgg(figure)
        with FONTS_LOCK:
            agg.draw()
        return np.asarray(agg.buffer_rgba())[..., :3].copy()


def font_words(texts: Iterable[str]) -> str:
    """Return which characters a PNG or PDF with these texts shows wrongly, and what to do, or ""."""
    texts = list(texts)
    if missing := text_fit.lacking(texts):
        return (
            f"No installed font contains {counted(len(missing), 'character')} of this figure ({missing[:8]}), so "
            "PNG and PDF show replacement characters. Install a font such as Noto Sans CJK, or save the figure "
            "as SVG."
        )
    return (
        "PNG and PDF show Arabic and Hebrew letters separately and from left to right. Save the figure as SVG."
        if text_fit.right_to_left(texts)
        else ""
    )


def points(pixels: float) -> float:
    """Convert pixels to points."""
    return pixels * 72 / PIXELS_PER_INCH


def pdf_of(pages: Sequence[Canvas], title: str | None) -> Picture:
    """Return a PDF with one canvas per page."""
    import matplotlib
    from matplotlib.backends.backend_pdf import PdfPages

    out, metadata = io.BytesIO(), {"CreationDate": None, "Title": title}
    if words := font_words(text for page in pages for text in page.texts):
        warnings.warn(words, FontWarning, stacklevel=2)
    with FONTS_LOCK, matplotlib.rc_context(_SETTINGS), PdfPages(out, metadata=metadata) as pdf:
        for page in pages:
            pdf.savefig(page.finished())
    return Picture(out.getvalue(), "pdf")
