"""matplotlib axes on a part of a canvas, in the colours of the theme."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from viz.charts.chart import ColorScale
from viz.drawing.canvas import Box, Canvas, points
from viz.words import text_fit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colors import LinearSegmentedColormap

TEXT = 12  # size of tick labels in pixels
LABEL = 12  # size of names and titles in pixels
BAR = 8  # height of a colour bar in pixels


def themed_axes(canvas: Canvas, box: Box, grid: Literal["both", "x", "y"] | None = None) -> Axes:
    """Return axes that cover a Box on a Canvas.

    grid : "x", "y", "both" or None
    """
    theme, width, height = canvas.theme, canvas.width, canvas.height
    place = box.left / width, 1 - (box.top + box.height) / height, box.width / width, box.height / height
    axes = canvas.figure.add_axes(place, facecolor="none", zorder=-1)  # below the text on the canvas
    axes.tick_params(colors=theme.line, labelcolor=theme.muted, labelsize=points(TEXT), length=points(4), width=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[:].set(color=theme.line, linewidth=points(1))
    axes.set_axisbelow(True)
    if grid:
        axes.grid(axis=grid, color=theme.surface, linewidth=points(1))
    return axes


def named_ticks(
    canvas: Canvas, axis: Axis, places: Sequence, names: Iterable, *, room: float | None = None, **settings
) -> None:
    """Set category labels on an axis.

    room : maximum width of a label in pixels, None for no limit
    """
    shown = [canvas.clean(str(name)) for name in names]
    if room is not None:
        shown = [text_fit.fit(name, LABEL, room)[0] if text_fit.width(name, LABEL) > room else name for name in shown]
    # Names come from files, so a dollar sign must not start a formula.
    axis.set_ticks(places, shown, parse_math=False, fontfamily=canvas.families("".join(shown)), **settings)


def titled(axis: Axis, text: str, canvas: Canvas) -> None:
    """Set the title of an axis."""
    text = canvas.clean(text)
    fonts = canvas.families(text)
    axis.set_label_text(text, color=canvas.theme.muted, fontsize=points(LABEL), parse_math=False, fontfamily=fonts)


def color_bar(canvas: Canvas, scale: ColorScale, box: Box) -> None:
    """Draw the colour bar of a `ColorScale` into a Box, with its ticks below the Box."""
    from matplotlib.cm import ScalarMappable

    axes = themed_axes(canvas, box)
    bar = canvas.figure.colorbar(ScalarMappable(cmap=color_map(scale)), cax=axes, orientation="horizontal")
    bar.outline.set_visible(False)
    bar.solids.set_rasterized(False)
    named_ticks(canvas, axes.xaxis, *zip(*_apart(scale.ticks, box.width), strict=True))
    axes.tick_params(length=points(3), pad=points(2))


def _apart(ticks, width):
    """Return the ticks (share, text) that do not overlap."""
    kept, reached = [], -np.inf
    for share, text in ticks:
        half = text_fit.width(text, TEXT) / 2
        if share * width - half > reached + 4:
            kept.append((share, text))
            reached = share * width + half
    return kept


def color_map(scale: ColorScale) -> LinearSegmentedColormap:
    """Return the matplotlib colour map of a `ColorScale`."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("scale", scale.stops)
