"""A picture in pixel coordinates, y downwards, drawn by matplotlib. Boxes are gathered, which is much faster."""

import io
import threading
from typing import NamedTuple

import numpy as np

from viz.text_fit import clean, fit

PIXELS_PER_INCH = 100
# matplotlib's settings belong to the process; a date or a random id would change equal pictures
_SETTINGS = {"svg.hashsalt": "tree", "svg.fonttype": "none"}
_SETTINGS_LOCK = threading.Lock()
_NO_DATE = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
PDF_ZOOM = 4  # readers of PDF blur the borders of an image's pixels


class Box(NamedTuple):
    """A part of a picture, in pixels."""

    left: float
    top: float
    width: float
    height: float


class Canvas:
    """Picture of `width` x `height` pixels on the background of a Theme, to be saved as `format`.

    Things of higher layers hide those of lower ones.
    """

    def __init__(self, width, height, theme, format="png"):
        from matplotlib.figure import Figure  # slow import

        self.width, self.height, self.theme, self.format = width, height, theme, format
        self.figure = Figure((width / PIXELS_PER_INCH, height / PIXELS_PER_INCH), dpi=PIXELS_PER_INCH)
        self.figure.patch.set_facecolor(theme.background)
        # compositing many images into one takes 15 s for 500 nodes
        self.figure.suppressComposite = True
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_xlim(0, width)
        self.axes.set_ylim(height, 0)
        self.axes.axis("off")
        self._boxes = {}

    def rectangle(self, left, top, width, height, color="none", edge="none", line=1.0, layer=3.0):
        """Filled or framed rectangle; color, edge : hex or "none"; line : width of the frame in pixels."""
        corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
        self._boxes.setdefault(layer, []).append((corners, color, edge, 0.0 if edge == "none" else points(line)))

    def polygon(self, corners, color, opacity=1.0, layer=3.0):
        """Filled polygon; corners : float64[k, 2]."""
        from matplotlib.patches import Polygon

        self.axes.add_patch(Polygon(corners, facecolor=color, alpha=opacity, edgecolor="none", zorder=layer))

    def segments(self, starts, stops, widths, color, layer=1.0):
        """Straight lines; starts, stops : float64[k, 2]; widths : float64[k], pixels."""
        from matplotlib.collections import LineCollection

        lines = np.stack([starts, stops], axis=1)
        self.axes.add_collection(
            LineCollection(lines, linewidths=points(widths), colors=color, capstyle="round", zorder=layer),
            autolim=False,
        )

    def curve(self, x, y, color, width=1.0, dashes=None, layer=3.0):
        """Line through some places; dashes : lengths on and off in pixels, or None."""
        from matplotlib.lines import Line2D

        style = "-" if dashes is None else (0, tuple(points(length) / points(width) for length in dashes))
        self.axes.add_line(
            Line2D(x, y, color=color, linewidth=points(width), linestyle=style, solid_capstyle="butt", zorder=layer)
        )

    def dots(self, places, diameter, colors, layer=3.0):
        """Round points; places : float64[k, 2]; colors : one hex colour or k of them."""
        if len(places):
            size = points(diameter) ** 2
            self.axes.scatter(places[:, 0], places[:, 1], s=size, c=colors, linewidths=0, zorder=layer)

    def image(self, pixels, left, top, width, height, layer=2.0):
        """Picture without smoothing; pixels : uint8[h, w, 3]."""
        from matplotlib.image import AxesImage

        extent = (left, left + width, top + height, top)
        image = AxesImage(self.axes, extent=extent, interpolation="none", zorder=layer)
        image.set_data(np.repeat(np.repeat(pixels, PDF_ZOOM, 0), PDF_ZOOM, 1) if self.format == "pdf" else pixels)
        self.axes.add_image(image)

    def text(self, x, y, text, pixels, room, color, align="center", bold=False, backed=False, whole=False):
        """Text of height `pixels` around y, cut to `room` (see `text_fit.fit`); backed : on a patch of background."""
        text, pixels = fit(clean(text, any_glyph=self.format == "svg"), pixels, room, bold, whole)
        if not text:
            return
        # names come from files: a dollar sign must not start a formula
        drawn = self.axes.text(
            x, y, text, fontsize=points(pixels), color=color, ha=align, va="center", zorder=5, parse_math=False,
            fontweight="bold" if bold else "normal",
        )  # fmt: skip
        if backed:
            drawn.set_bbox({"facecolor": self.theme.background, "edgecolor": "none", "pad": 0.6, "alpha": 0.85})

    def finished(self):
        """The matplotlib Figure with everything on it."""
        from matplotlib.collections import PolyCollection

        for layer, boxes in self._boxes.items():
            corners, colors, edges, lines = zip(*boxes, strict=True)
            self.axes.add_collection(
                PolyCollection(
                    corners, facecolors=colors, edgecolors=edges, linewidths=lines, zorder=layer, joinstyle="miter"
                ),
                autolim=False,
            )
        self._boxes = {}
        self.axes.set_xlim(0, self.width)
        self.axes.set_ylim(self.height, 0)
        return self.figure

    def save(self, scale=1.0):
        """Bytes of the picture; scale : pixels of a PNG per pixel of the picture."""
        import matplotlib

        figure, out = self.finished(), io.BytesIO()
        with _SETTINGS_LOCK, matplotlib.rc_context(_SETTINGS):
            figure.savefig(out, format=self.format, dpi=PIXELS_PER_INCH * scale, metadata=_NO_DATE.get(self.format))
        return out.getvalue()

    def pixels(self):
        """uint8[height, width, 3]."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        agg = FigureCanvasAgg(self.finished())
        agg.draw()
        return np.asarray(agg.buffer_rgba())[..., :3].copy()


def points(pixels):
    """Pixels in printer's points."""
    return pixels * 72 / PIXELS_PER_INCH


def pdf_of(pages, title):
    """Bytes of a PDF with these canvases as its pages."""
    from matplotlib.backends.backend_pdf import PdfPages

    out = io.BytesIO()
    with PdfPages(out, metadata={"CreationDate": None, "Title": title}) as pdf:
        for page in pages:
            pdf.savefig(page.finished())
    return out.getvalue()
