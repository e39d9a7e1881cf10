"""Curves along a path over lambda, drawn on a canvas."""

from typing import NamedTuple

import numpy as np

from viz.palette import ERROR_COLORS, SIZE_COLORS
from viz.tree.canvas import Box
from viz.tree.path_points import errors_of, number_text, recommended
from viz.words.text_fit import width as text_width

ERROR_CURVES = (("train_error", "training"), ("validation_error", "validation"), ("test_error", "test"))
SIZE_CURVES = ("leaves", "features per node", "decisions per row")
DASHES = ((4, 3), None, (8, 3))
SIZE_TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000)
TEXT = 10  # pixels
AXIS = 44  # pixels, to the left of the curves
HEAD, FOOT = 24, 16  # pixels, above and below the curves
ROOM_FOR_CLIPPED = 480
X_TICK = 84  # pixels between the figures of two ticks, at least


class Curve(NamedTuple):
    """values : float64[n], NaN where there is none; dashes : pixels on and off, or None."""

    label: str
    values: np.ndarray
    color: str
    dashes: tuple | None = None


class Panel(NamedTuple):
    """Curves over one axis. top : end of the axis, lines may go on above it; is_log : whether it grows like
    log(1 + value)."""

    title: str
    curves: tuple
    ticks: tuple
    top: float
    is_log: bool = False


def error_panel(points, n_ticks=5):
    """`Panel` of the errors in percent, or None when the points have none."""
    curves = [
        Curve(label, values, color, dashes)
        for (name, label), color, dashes in zip(ERROR_CURVES, ERROR_COLORS, DASHES, strict=True)
        if (values := errors_of(points, name)) is not None
    ]
    if not curves:
        return None
    top = _highest_error(points, np.concatenate([curve.values for curve in curves]))
    ticks = tuple(tick for tick in _even_ticks(top, n_ticks) if tick <= max(top, 1.0) * 1.001)
    return Panel("error (%)", tuple(curves), ticks, max(top, ticks[-1]))


def _highest_error(points, errors):
    """Top of the error axis: what most of the path needs, for the smallest trees at the end are often far worse than
    all that matters; never below the recommended trees, and everything when that is not much more."""
    errors = np.sort(errors[np.isfinite(errors)])
    most = max(float(errors[-1]), 1.0)
    needed = [
        1.2 * float(values[index])
        for index in recommended(points).values()
        for name, _ in ERROR_CURVES
        if (values := errors_of(points, name)) is not None and np.isfinite(values[index])
    ]
    top = max(1.0, 1.6 * float(errors[int(0.65 * (errors.size - 1))]), *needed)
    return most * 1.05 if top > 0.6 * most else top


def size_panel(points):
    """`Panel` of the sizes of the trees."""
    trees = [point.tree for point in points]
    sizes = (
        [tree.n_leaves for tree in trees],
        [tree.features_per_node for tree in trees],
        [tree.n_samples[tree.left >= 0].sum() / max(tree.n_samples[0], 1) for tree in trees],
    )
    curves = tuple(
        Curve(label, np.array(values, float), color, dashes)
        for label, values, color, dashes in zip(SIZE_CURVES, sizes, SIZE_COLORS, DASHES, strict=True)
    )
    top = 1.15 * max(2.0, *(float(curve.values.max()) for curve in curves))
    return Panel("size", curves, tuple(tick for tick in SIZE_TICKS if tick <= top), top, is_log=True)


def _even_ticks(top, count):
    """Round numbers from 0 to at least `top`."""
    step = max(top, 1e-9) / count
    power = 10.0 ** np.floor(np.log10(step))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= step * (1 - 1e-9))
    return tuple(float(tick) for tick in step * np.arange(np.ceil(top / step - 1e-9) + 1)) if top > 0 else (0.0, 1.0)


def draw_panel(canvas, panel, lams, box, chosen=None, marks=()):
    """Draw a Panel into a Box.

    lams : float64[n], rising; chosen : index of the marked tree, or None; marks : (index, text) of dotted lines.
    """
    theme = canvas.theme
    left, right = box.left + AXIS, box.left + box.width - 6
    top, bottom = box.top + HEAD, box.top + box.height - FOOT
    x = left + (right - left) * _x_shares(lams)

    def y_of(values):
        scale = np.log1p if panel.is_log else np.asarray
        return bottom - (bottom - top) * scale(values) / scale(panel.top)

    y_tick = np.inf
    for tick in panel.ticks:
        y = float(y_of(tick))
        canvas.rectangle(left, y - 0.5, right - left, 1, theme.line if tick == 0 else theme.surface, layer=1.0)
        if y_tick - y >= 1.3 * TEXT:
            canvas.text(left - 6, y, f"{tick:g}", TEXT, AXIS, theme.muted, align="right", whole=True)
            y_tick = y
    _x_ticks(canvas, lams, x, bottom + FOOT / 2 + 2)
    for i, (index, text) in enumerate(marks):
        canvas.curve([x[index]] * 2, [top, bottom], theme.muted, 1.2, (2, 3), layer=2.0)
        sides = (x[index] - 6, x[index] - left - 6, "right"), (x[index] + 6, right - x[index] - 6, "left")
        place, room, align = max(sides, key=lambda side: side[1])
        canvas.text(place, top + 10 + 16 * i, text, TEXT, room, theme.muted, align=align, backed=True)
    if chosen is not None:
        canvas.rectangle(x[chosen] - 1, top, 2, bottom - top, theme.text, layer=2.0)
    for layer, curve in zip((3.6, 3.4, 3.2), panel.curves, strict=False):
        y = y_of(curve.values)
        clip = Box(left - 4, top - 2, right - left + 8, bottom - top + 4)
        canvas.curve(x, y, curve.color, 2.2, curve.dashes, layer, clip)
        drawn = np.isfinite(y) & (np.nan_to_num(y) >= top - 2)
        canvas.dots(np.column_stack([x, y])[drawn], 4.0, curve.color, layer=layer)
        if chosen is not None and drawn[chosen]:
            canvas.dots(np.array([[x[chosen], y[chosen]]]), 9.0, curve.color, layer=layer + 0.1)
    _names(canvas, panel, box.left, right, box.top + HEAD / 2 - 5)
    most = max(float(np.nanmax(curve.values)) for curve in panel.curves)
    if most > panel.top and box.width >= ROOM_FOR_CLIPPED:
        canvas.text(right, box.top + HEAD / 2 - 5, f"↑ up to {most:.0f} %", TEXT, 90, theme.muted, align="right")


def _names(canvas, panel, left, right, y):
    """Title of the panel and names of its curves."""
    canvas.text(left, y, panel.title, TEXT + 1, right - left, canvas.theme.text, align="left", bold=True)
    left += text_width(panel.title, TEXT + 1, bold=True) + 18
    for curve in panel.curves:
        canvas.curve([left, left + 18], [y, y], curve.color, 2.2, curve.dashes)
        canvas.text(left + 24, y, curve.label, TEXT, right - left - 24, canvas.theme.muted, align="left")
        left += text_width(curve.label, TEXT) + 40


def _x_shares(lams):
    """float64[n] in [0, 1]: places on a logarithmic axis; evenly spaced when a lambda is 0 or all are equal."""
    if len(lams) == 1:
        return np.array([0.5])
    if lams[0] <= 0 or lams[0] == lams[-1]:
        return np.linspace(0, 1, len(lams))
    return np.log(lams / lams[0]) / np.log(lams[-1] / lams[0])


def _x_ticks(canvas, lams, x, y):
    """The first and the last lambda, and powers of ten between them where there is room."""
    texts = [(x[0], f"λ = {number_text(lams[0])}")]
    if lams[0] > 0 and lams[-1] > lams[0]:
        for power in range(int(np.ceil(np.log10(lams[0]))), int(np.floor(np.log10(lams[-1]))) + 1):
            place = x[0] + (x[-1] - x[0]) * np.log(10.0**power / lams[0]) / np.log(lams[-1] / lams[0])
            if place - texts[-1][0] >= X_TICK and x[-1] - place >= X_TICK:
                texts.append((place, number_text(10.0**power)))
    if x[-1] - texts[-1][0] >= X_TICK:
        texts.append((x[-1], number_text(lams[-1])))
    for i, (place, text) in enumerate(texts):
        align = "left" if i == 0 and len(x) > 1 else "right" if place == x[-1] and len(x) > 1 else "center"
        canvas.text(place, y, text, TEXT, 2 * X_TICK, canvas.theme.muted, align=align, whole=True)
