"""ROC and precision-recall curves side by side in a figure (SVG, PDF or PNG)."""

from collections.abc import Sequence

import numpy as np

from viz.charts.prediction_charts import ClassCurve
from viz.charts.themed_axes import themed_axes, titled
from viz.drawing.canvas import PIXELS_PER_INCH, Box, Canvas, points
from viz.drawing.check_output import check_output
from viz.palette import STAGE_THEMES, THEMES

MARGIN, TITLE, LEFT, FOOT, HEAD = 14, 28, 52, 40, 22


def class_curves_figure(
    curves: Sequence[ClassCurve],
    format: str = "svg",
    *,
    size: tuple = (9.0, None),
    dpi: float = 200,
    theme: str = "light",
    title: str | None = None,
) -> bytes | None:
    """Return a figure of some `ClassCurve` as bytes.

    The other parameters are as in `figure`. Raise ParameterError for invalid values.
    """
    check_output(format, size, dpi, theme)
    head, width = MARGIN + (TITLE if title else 0), size[0] * PIXELS_PER_INCH
    each = (width - 2 * MARGIN) / len(curves)
    height = head + each * 0.85 if size[1] is None else size[1] * PIXELS_PER_INCH
    canvas = Canvas(width, height, THEMES[theme], format)
    if title:
        text = canvas.theme.text
        canvas.text(MARGIN, MARGIN + 10, str(title), 15, width - 2 * MARGIN, text, align="left", bold=True)
    for place, curve in enumerate(curves):
        _curve(canvas, curve, Box(MARGIN + place * each, head, each - MARGIN, height - head - MARGIN), theme)
    return canvas.save(dpi / PIXELS_PER_INCH)


def _curve(canvas, curve, box, theme):
    accent, ink = STAGE_THEMES[theme]["accent"], canvas.theme
    canvas.text(box.left, box.top + 6, curve.title, 12, box.width, ink.text, align="left", bold=True)
    inner = Box(box.left + LEFT, box.top + HEAD, box.width - LEFT, box.height - HEAD - FOOT)
    axes = themed_axes(canvas, inner, grid="both")
    axes.set(xlim=(-2, 102), ylim=(-2, 102), xticks=range(0, 101, 25), yticks=range(0, 101, 25))
    titled(axes.xaxis, curve.x_title, canvas)
    titled(axes.yaxis, curve.y_title, canvas)
    axes.plot(*curve.chance, color=ink.muted, linewidth=points(1), linestyle=(0, (4, 4)))
    first = [[0], curve.y[:1]] if curve.steps and len(curve.y) else [[], []]
    x, y = (np.concatenate([start, rest]) for start, rest in zip(first, (curve.x, curve.y), strict=True))
    axes.plot(x, y, color=accent, linewidth=points(2.2), drawstyle="steps-pre" if curve.steps else "default")
    axes.plot(curve.x, curve.y, "o", color=accent, markersize=points(5), markeredgewidth=0, clip_on=False)
    if curve.now is not None:
        axes.plot(*curve.now, "o", color=ink.background, markersize=points(12), markeredgecolor=ink.text,
                  markeredgewidth=points(2.5), zorder=4, clip_on=False)  # fmt: skip
