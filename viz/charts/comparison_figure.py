"""Pictures of a comparison as figures: error against size, errors by class, a confusion; as SVG, PDF or PNG."""

import numpy as np
import pandas

from treecore.errors import ParameterError
from treecore.parameter_checks import check_choice
from treecore.tree.number_text import number
from viz.charts.comparison_pictures import (
    COLORS,
    DEEP,
    ERROR_RAMP,
    MOST_NUMBERS,
    PLACES,
    SHAPES,
    all_settings,
    chosen_models,
    front_of,
    log_domain,
    ordered_classes,
    top_error,
)
from viz.charts.heat_map import draw_scale, ramp
from viz.palette import THEMES
from viz.tree.canvas import PIXELS_PER_INCH, Box, Canvas
from viz.tree.tree_figure import check_output
from viz.words import text_fit

KINDS = ("size", "classes", "confusion")
MARGIN, TITLE, TEXT = 14, 28, 11
LEGEND = 210  # width
CELL, NAMES, FOOT = 30, 150, 46
MARKERS = {
    "circle": 0, "square": (4, np.pi / 4), "diamond": (4, 0.0), "triangle-up": (3, np.pi / 2),
    "triangle-down": (3, -np.pi / 2), "triangle-left": (3, np.pi), "triangle-right": (3, 0.0), "cross": None,
}  # fmt: skip


def comparison_figure(
    found, format="svg", *, kind="size", method=None, order=None, size=(9.0, None), dpi=200, theme="light", title=None
):
    """Picture of a Comparison as bytes.

    kind : "size" (test error against leaves: all settings, their fronts, the chosen models), "classes" (share of each
    class that each method gets wrong) or "confusion" of the `method` (its key); order : names of the classes, in the
    order to show them, or None; the others are as in `figure`. Raises ParameterError for other values.
    """
    check_output(format, size, dpi, theme)
    check_choice(kind, "kind", KINDS)
    working = [name for name in found.methods if found.of(name)]
    if not working:
        raise ParameterError("found has no result yet: wait until a method is done.")
    if kind == "confusion":
        check_choice(method, "method", tuple(working))
    rows = {"size": 0, "classes": len(working), "confusion": len(found.classes)}[kind]
    head = MARGIN + (TITLE if title else 0)
    high = 430 if kind == "size" else NAMES * 0.8 + CELL * rows + FOOT
    width = size[0] * PIXELS_PER_INCH
    height = min(head + high, 10_000) if size[1] is None else size[1] * PIXELS_PER_INCH
    canvas = Canvas(width, height, THEMES[theme], format)
    if title:
        text = canvas.theme.text
        canvas.text(MARGIN, MARGIN + 10, str(title), 15, width - 2 * MARGIN, text, align="left", bold=True)
    box = Box(MARGIN, head, width - 2 * MARGIN, height - head - MARGIN)
    if kind == "size":
        _sizes(canvas, found, box, theme)
    else:
        _heat_map(canvas, *_cells(found, kind, working, method, order), box, theme)
    return canvas.save(dpi / PIXELS_PER_INCH)


def _sizes(canvas, found, box, theme):
    chosen, settings = chosen_models(found), all_settings(found)
    top = top_error(chosen["error"] + chosen["spread"].fillna(0), settings["error"])
    sized = pandas.concat([chosen["leaves"], settings["leaves"]]).dropna()
    low, high = log_domain(sized)
    settings = settings[settings["error"] <= top]
    legend = min(LEGEND, box.width / 3)
    left, right = box.left + 48, box.left + box.width - legend - 16
    floor, ceiling = box.top + box.height - 40, box.top + 6

    def x_of(leaves):
        return left + (right - left) * np.log(np.asarray(leaves, float) / low) / np.log(high / low)

    def y_of(error):
        return floor - (floor - ceiling) * np.asarray(error, float) / top

    _axes(canvas, (left, right, ceiling, floor), (low, high, top), x_of, y_of)
    clip = Box(left, ceiling, right - left, floor - ceiling)
    everything = front_of(pandas.concat([chosen, settings]).dropna(subset=["leaves"]))
    _steps(canvas, x_of(everything["leaves"]), y_of(everything["error"]), canvas.theme.muted, 5, clip, faint=True)
    for place, (name, method) in enumerate(found.methods.items()):
        look = PLACES.get(name, len(PLACES) + place)
        color, shape = COLORS[theme][look % len(COLORS[theme])], SHAPES[look % len(SHAPES)]
        own = settings[settings["method"] == method]
        front = front_of(own)
        if len(front) > 1:
            _steps(canvas, x_of(front["leaves"]), y_of(front["error"]), color, 1.6, clip)
        for x, y in zip(x_of(own["leaves"]), y_of(own["error"]), strict=True):
            _marker(canvas, x, y, 2.6, shape, (*_rgb(color), 0.5), layer=3.0)
        y = box.top + 12 + 20 * place
        if y < floor:
            _marker(canvas, right + 24, y, 5.5, shape, color)
            ink = canvas.theme.text if found.of(name) else canvas.theme.muted
            canvas.text(right + 38, y, method, TEXT, legend - 24, ink, align="left")
        for model in chosen[chosen["method"] == method].itertuples():
            y = float(y_of(model.error))
            if np.isnan(model.leaves):
                canvas.curve([left, right], [y, y], color, 2.0, (6, 4), layer=2.5)
                continue
            x = float(x_of(model.leaves))
            if np.isfinite(model.spread):
                ends = y_of(np.clip([model.error - model.spread, model.error + model.spread], 0, top))
                canvas.line(np.column_stack([[x, x], ends]), color, 1.6, layer=3.2)
            _marker(canvas, x, y, 8.5, shape, canvas.theme.background, layer=3.3)
            _marker(canvas, x, y, 7.0, shape, color, layer=3.4)


def _axes(canvas, box, limits, x_of, y_of):
    left, right, ceiling, floor = box
    low, high, top = limits
    muted, grid = canvas.theme.muted, canvas.theme.surface
    step = next(s for s in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if top / s <= 8)
    for tick in np.arange(0, top * 1.0001, step):
        y = float(y_of(tick))
        canvas.rectangle(left, y - 0.5, right - left, 1, canvas.theme.line if tick == 0 else grid, layer=1.0)
        canvas.text(left - 6, y, number(tick), 10, 40, muted, align="right", whole=True)
    ticks = [factor * 10.0**power for power in range(6) for factor in (1, 2, 5)]
    reached = -np.inf
    for tick in (tick for tick in ticks if low <= tick <= high):
        x, text = float(x_of(tick)), f"{tick:,.0f}"
        half = text_fit.width(text, 10) / 2
        if x - half > reached + 8:
            canvas.rectangle(x - 0.5, floor, 1, 4, canvas.theme.line, layer=1.0)
            canvas.text(x, floor + 12, text, 10, 60, muted, whole=True)
            reached = x + half
    canvas.text((left + right) / 2, floor + 30, "leaves", TEXT, right - left, muted)
    canvas.text(left - 36, (ceiling + floor) / 2, "test error %", TEXT, floor - ceiling, muted, angle=90)


def _steps(canvas, x, y, color, width, clip, faint=False):
    """A front: across to the next one, then down to it."""
    if len(x) > 1:
        ink = (*_rgb(color), 0.25 if faint else 0.8)
        canvas.curve(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1], ink, width, layer=2.0 if faint else 2.4, clip=clip)


def _marker(canvas, x, y, radius, shape, color, layer=4.0):
    kind = MARKERS[shape]
    if kind == 0:
        angles = np.linspace(0, 2 * np.pi, 25)[:-1]
        canvas.polygon(np.column_stack([x + radius * np.cos(angles), y + radius * np.sin(angles)]), color, layer)
    elif kind is None:
        thin = radius / 3
        arm = [(-thin, -radius), (thin, -radius), (thin, -thin), (radius, -thin), (radius, thin), (thin, thin)]
        corners = np.array([*arm, *[(-a, -b) for a, b in arm]])
        canvas.polygon(corners + [x, y], color, layer)
    else:
        corners, turn = kind
        angles = turn + 2 * np.pi * np.arange(corners) / corners
        canvas.polygon(
            np.column_stack([x + 1.25 * radius * np.cos(angles), y - 1.25 * radius * np.sin(angles)]), color, layer
        )


def _rgb(color):
    return tuple(int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))


def _cells(found, kind, working, method, order):
    """(values in %, float64[rows, columns], NaN without rows; words in the cells; names of both; two titles)."""
    names = ordered_classes(found, order)
    position = {str(label): i for i, label in enumerate(found.classes)}
    turn = [position[name] for name in names]
    if kind == "confusion":
        counts = found.confusion(method)[np.ix_(turn, turn)]
        values = 100 * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        return values, counts.astype(str), names, names, "predicted", "% of the true class"
    counts = np.array([found.confusion(name) for name in working])
    totals = counts.sum(axis=2)
    wrong = totals - np.diagonal(counts, axis1=1, axis2=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(totals > 0, 100 * wrong / totals, np.nan)[:, turn]
    words = np.array([["" if np.isnan(value) else f"{value:.1f}" for value in row] for row in values])
    return values, words, [found.methods[name] for name in working], names, "class", "error %"


def _heat_map(canvas, values, words, row_names, column_names, x_title, scale_title, box, theme):
    colors = THEMES[theme]
    longest = max(text_fit.width(text_fit.clean(name), TEXT) for name in row_names)
    left = box.left + min(longest + 12, box.width / 3)
    longest = max(text_fit.width(text_fit.clean(name), TEXT) for name in column_names)
    wide = (box.left + box.width - left) / len(column_names)
    upright = longest > wide - 4
    names = min(longest + 10, NAMES * 0.8 - 24) if upright else 18
    top = box.top + 20 + names
    high = (box.top + box.height - FOOT - top) / len(row_names)
    high = min(high, CELL * 1.4)
    largest = max(float(np.nanmax(values)) if np.isfinite(values).any() else 0.0, 1.0)
    canvas.text(left, box.top + 8, x_title, TEXT, box.width, colors.muted, align="left")
    for column, name in enumerate(column_names):
        x = left + (column + 0.5) * wide
        if not upright:
            canvas.text(x, top - 10, name, TEXT, wide - 4, colors.text)
        elif wide >= 11:
            shown, pixels = text_fit.fit(text_fit.clean(name), TEXT, names - 8)
            middle = top - 6 - text_fit.width(shown, pixels or TEXT) / 2
            canvas.text(x, middle, shown, pixels, 1e9, colors.text, angle=90)
    deep = THEMES["dark" if theme == "light" else "light"].text
    for row, name in enumerate(row_names):
        y = top + row * high
        if high >= 11:
            canvas.text(left - 6, y + high / 2, name, TEXT, left - box.left - 6, colors.text, align="right")
        for column in range(len(column_names)):
            value, x = values[row, column], left + column * wide
            color = colors.background if np.isnan(value) else ramp(ERROR_RAMP[theme], value / largest)
            canvas.rectangle(x, y, wide - 0.5, high - 0.5, color, layer=2.0)
            if len(column_names) <= MOST_NUMBERS and high >= 13:
                ink = deep if value > DEEP[theme] * largest else colors.text
                canvas.text(x + wide / 2, y + high / 2, words[row, column], TEXT, wide - 4, ink, whole=True)
    ticks = [(share, number(share * largest, 2)) for share in (0.0, 0.5, 1.0)]
    y = top + high * len(row_names) + 14
    canvas.text(left, y + 4, scale_title, 10, 160, colors.muted, align="left")
    draw_scale(canvas, ERROR_RAMP[theme], ticks, left + text_fit.width(scale_title, 10) + 14, y, 160)
