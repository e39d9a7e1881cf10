"""Figures of a comparison, and critical-difference diagrams after Demšar (2006)."""

from collections.abc import Sequence
from itertools import cycle

import numpy as np

from treecore.comparison.comparison import Comparison
from treecore.comparison.significance import RankTest
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.parameter_checks import check_choice
from viz.charts.comparison_charts import FAINT, class_error_map, confusion_map, error_by_size, parameter_curves
from viz.charts.themed_axes import BAR, LABEL, color_bar, color_map, named_ticks, themed_axes, titled
from viz.drawing.canvas import PIXELS_PER_INCH, Box, Canvas, points
from viz.drawing.check_output import check_output, check_theme
from viz.drawing.figure_entries import FIGURE
from viz.figure_format import FIGURE_FORMATS
from viz.palette import STAGE_THEMES, THEMES
from viz.words import text_fit
from viz.words.text_fit import width

KINDS = ("size", "parameter", "classes", "confusion")
MARGIN, TITLE, SIZES = 14, 28, 430
LEGEND = 210  # width in pixels
CELL, NAMES, FOOT = 34, 110, 46
DASHES = ("-", "--", ":", "-.")  # line styles of the paths of a method
MARKERS = {
    "circle": "o", "square": "s", "diamond": "D", "triangle-up": "^", "triangle-down": "v", "triangle-left": "<",
    "triangle-right": ">", "cross": "P",
}  # fmt: skip


@filled(FIGURE)
def comparison_figure(
    found: Comparison,
    format: str = "svg",
    *,
    kind: str = "size",
    method: str | None = None,
    order: Sequence[str] | None = None,
    by: str | None = None,
    size: tuple = (9.0, None),
    dpi: float = 200,
    theme: str = "light",
    title: str | None = None,
) -> bytes | None:
    """Draw a comparison of methods.

    Parameters
    ----------
    found : Comparison
        Comparison to draw.
    {format}
    kind : {'size', 'parameter', 'classes', 'confusion'}, default='size'
        'size': test error against a size, with all settings, their fronts and the selected models. 'parameter': a
        metric for each value of a comparison of `variants`, with the standard deviation over the folds. 'classes':
        error of each method on each class or range of the target. 'confusion': confusion matrix of one method.
    method : str or None, default=None
        Key of the method of 'confusion'.
    order : sequence of str or None, default=None
        Class names in display order.
    by : str or None, default=None
        The size (a key of `SIZE_WORDS`, None for leaves) or the metric (a key of `MEASURES`, None for the test error).
    {size, dpi, theme, title}

    Returns
    -------
    bytes or None
        The figure, None if there is nothing to draw.

    Raises
    ------
    ParameterError
        If a parameter is invalid.

    See Also
    --------
    critical_difference_figure : Draws the mean ranks of methods.

    Examples
    --------
    >>> import viz
    >>> from sklearn.datasets import load_iris
    >>> from treecore.comparison import compare
    >>> X, y = load_iris(return_X_y=True)
    >>> found = compare(X, y, ["cart"], cv=2, inner=2, n_jobs=1)
    >>> viz.comparison_figure(found)[:5]
    b'<?xml'
    """
    check_output(format, size, dpi, theme)
    check_choice(kind, "kind", KINDS)
    working = [name for name in found.methods if found.of(name)]
    if not working:
        raise ParameterError("The comparison has no result yet. Wait until a method has finished.")
    if kind == "confusion":
        check_choice(method, "method", tuple(working))
    rows = {"size": 0, "parameter": 0, "classes": len(working), "confusion": len(found.target.groups)}[kind]
    head = MARGIN + (TITLE if title else 0)
    high = NAMES + CELL * rows + FOOT if rows else SIZES
    width = size[0] * PIXELS_PER_INCH
    height = min(head + high, 10_000) if size[1] is None else size[1] * PIXELS_PER_INCH
    canvas = Canvas(width, height, THEMES[theme], format)
    if title:
        text = canvas.theme.text
        canvas.text(MARGIN, MARGIN + 10, str(title), 15, width - 2 * MARGIN, text, align="left", bold=True)
    box = Box(MARGIN, head, width - 2 * MARGIN, height - head - MARGIN)
    if kind == "size":
        _sizes(canvas, error_by_size(found, by or "n_leaves"), box, theme)
    elif kind == "parameter":
        _parameter(canvas, parameter_curves(found, by or "test_error"), box, theme)
    elif kind == "classes":
        _heat_map(canvas, class_error_map(found, working, order), box, theme)
    else:
        _heat_map(canvas, confusion_map(found, str(method), order), box, theme)
    return canvas.save(dpi / PIXELS_PER_INCH)


def _sizes(canvas, sizes, box, theme):
    legend = min(LEGEND, box.width / 3)
    axes = themed_axes(canvas, Box(box.left + 48, box.top + 6, box.width - legend - 64, box.height - 46), grid="y")
    axes.set_xscale("log")
    axes.set(xlim=(sizes.low, sizes.high), ylim=(0, sizes.top))
    axes.minorticks_off()
    named_ticks(canvas, axes.xaxis, sizes.ticks, [f"{tick:,}" for tick in sizes.ticks])
    titled(axes.xaxis, sizes.size_words, canvas)
    titled(axes.yaxis, sizes.axis, canvas)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    _steps(axes, sizes.front, canvas.theme.muted, 3, 0.9)
    for one in sizes.methods:
        _method(axes, one, one.color(theme), canvas.theme.background)
    _legend(canvas, axes, box, legend)


def _parameter(canvas, found, box, theme):
    legend = min(LEGEND, box.width / 3)
    axes = themed_axes(canvas, Box(box.left + 48, box.top + 6, box.width - legend - 64, box.height - 46), grid="y")
    axes.set(xscale="log" if found.is_log else "linear", yscale="log" if found.is_power else "linear")
    axes.set(xlim=found.ends, ylim=(found.low, found.high))
    axes.minorticks_off()
    named_ticks(canvas, axes.xaxis, found.values, [f"{value:,g}" for value in found.values])
    titled(axes.xaxis, found.words, canvas)
    titled(axes.yaxis, found.axis, canvas)
    for one in found.curves:
        axes.errorbar(
            one.points["value"], one.points["height"], one.points["deviation"], label=one.title,
            color=one.color(theme), marker=MARKERS[one.shape], markersize=points(9), linewidth=points(2),
            elinewidth=points(1.5), markeredgecolor=canvas.theme.background, markeredgewidth=points(1),
        )  # fmt: skip
    _legend(canvas, axes, box, legend)


def _legend(canvas, axes, box, legend):
    """Draw the method names next to the axes, `legend` pixels wide."""
    handles, names = axes.get_legend_handles_labels()
    # Draw as many names as fit.
    n = max(int((box.height - 46) / 20), 1)
    axes.legend(
        handles[:n], names[:n], loc="upper left", bbox_to_anchor=(1.02, 1.02), frameon=False, handlelength=1.6,
        fontsize=points(LABEL), labelcolor=canvas.theme.text, borderpad=0, labelspacing=0.75,
    )  # fmt: skip
    for text in axes.get_legend().get_texts():
        name = canvas.clean(text.get_text())
        text.set(parse_math=False, text=text_fit.fit(name, LABEL, legend - 28)[0], fontfamily=canvas.families(name))


def _method(axes, one, color, background):
    mark = {"marker": MARKERS[one.shape], "color": color, "linestyle": "none"}
    if len(one.front) > 1 and not one.paths:
        _steps(axes, one.front, color, 1.2, FAINT)
    for path, dash in zip(one.paths, cycle(DASHES)):
        axes.plot(path["size"], path["error"], color=color, linewidth=points(1.2), alpha=2 * FAINT, linestyle=dash)
    axes.plot(one.starts["size"], one.starts["error"], markersize=points(13), markerfacecolor="none",
              markeredgewidth=points(1.5), alpha=2 * FAINT, **mark)  # fmt: skip
    axes.plot(one.settings["size"], one.settings["error"], alpha=FAINT, markersize=points(6), markeredgewidth=0, **mark)
    if one.error is None:
        axes.plot([], [], label=one.title, markersize=points(11), alpha=0.4, **mark)
    elif np.isnan(one.size):
        axes.axhline(one.error, color=color, linewidth=points(2), linestyle=(0, (3, 2)), label=one.title)
    else:
        if np.isfinite(one.half_width):
            axes.errorbar(one.size, one.error, one.half_width, color=color, elinewidth=points(1.8), zorder=3)
        axes.plot(one.size, one.error, label=one.title, markersize=points(13), markeredgecolor=background,
                  markeredgewidth=points(1.5), zorder=4, **mark)  # fmt: skip
    for words, dash in zip(filter(None, one.path_words), cycle(DASHES)):  # legend entries below the name of the method
        axes.plot([], [], label=words, color=color, linewidth=points(1.2), alpha=0.6, linestyle=dash)


def _steps(axes, front, color, width, opacity):
    """Draw a front as steps: across to the next point, then down to it."""
    axes.plot(front["size"], front["error"], color=color, linewidth=points(width), alpha=opacity, zorder=2.4,
              drawstyle="steps-post")  # fmt: skip


def _heat_map(canvas, found, box, theme):
    colors = THEMES[theme]
    longest = [
        max(text_fit.width(text_fit.clean(name), LABEL) for name in names)
        for names in (found.row_names, found.column_names)
    ]
    n_rows, n_columns = found.values.shape
    left = box.left + 24 + min(longest[0] + 12, box.width / 3)
    wide = (box.left + box.width - left) / n_columns
    upright = longest[1] > wide - 6
    head = 30 + (min(longest[1], NAMES - 36) if upright else 14)
    high = min((box.height - head - FOOT) / n_rows, 1.4 * CELL)
    area = Box(left, box.top + head, wide * n_columns, high * n_rows)
    axes = themed_axes(canvas, area)
    axes.spines[:].set_visible(False)
    axes.pcolormesh(np.arange(n_columns + 1) - 0.5, np.arange(n_rows + 1) - 0.5, np.ma.masked_invalid(found.values),
                    cmap=color_map(found.scale(theme)), vmin=0, vmax=found.largest, edgecolors=colors.background,
                    linewidth=points(1))  # fmt: skip
    axes.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_rows - 0.5, -0.5))
    axes.xaxis.set_label_position("top")
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelcolor=colors.text, labelsize=points(LABEL), pad=points(5))
    every = [max(1, int(np.ceil(12 / room))) for room in (high, wide if upright else 12)]
    named_ticks(canvas, axes.yaxis, range(0, n_rows, every[0]), found.row_names[:: every[0]], room=box.width / 3)
    named_ticks(canvas, axes.xaxis, range(0, n_columns, every[1]), found.column_names[:: every[1]],
                room=NAMES - 36 if upright else wide, rotation=90 * upright)  # fmt: skip
    titled(axes.xaxis, found.column_title, canvas)
    titled(axes.yaxis, found.row_title, canvas)
    if found.has_numbers and high >= 13:
        for (row, column), ink in np.ndenumerate(found.inks(theme)):
            text, pixels = text_fit.fit(str(found.texts[row, column]), LABEL, wide - 4, whole=True)
            axes.text(column, row, text, color=ink, ha="center", va="center", fontsize=points(pixels or LABEL))
    top = area.top + area.height + 16
    canvas.text(left, top + 4, found.value_title, LABEL, 160, colors.muted, align="left")
    wide = min(text_fit.width(found.value_title, LABEL), 160)
    color_bar(canvas, found.scale(theme), Box(left + wide + 14, top, 160, BAR))


WIDTH, SIDE = 1060, 300  # in pixels; the side contains the names
BAR_TOP, AXIS_TOP, FIRST_CLIQUE, CLIQUE, ROW, RANKS_FOOT = 46, 104, 18, 14, 36, 40
RANKS_NAMES, NUMBER, RANK_ROOM = (14, 19), 16, 50
NAME_ROOM = SIDE - 24 - RANK_ROOM - 20


@filled(FIGURE)
def critical_difference_figure(
    names: Sequence[str], rank_test: RankTest, format: str = "svg", theme: str = "light", scale: float = 2.0
) -> bytes:
    """Draw the mean ranks of methods, the best one to the right.

    A thick bar joins methods whose ranks differ by less than Nemenyi's critical difference.

    Parameters
    ----------
    names : sequence of str
        Names of the methods.
    rank_test : RankTest
        Result of `treecore.comparison.rank_test` for the same methods.
    {format, theme}
    scale : float, default=2.0
        Pixels of a PNG per pixel of the drawing.

    Returns
    -------
    bytes
        The figure.

    Raises
    ------
    ParameterError
        If the format or theme is invalid, or the number of names is wrong.

    See Also
    --------
    comparison_figure : Draws the errors of the methods.

    Examples
    --------
    >>> import numpy as np
    >>> import viz
    >>> from treecore.comparison import rank_test
    >>> errors = np.random.default_rng(0).random((10, 3))
    >>> viz.critical_difference_figure(["CART", "TAO", "OC1"], rank_test(errors))[:5]
    b'<?xml'
    """
    if format not in FIGURE_FORMATS:
        raise ParameterError(f"format={format!r}: expected one of {', '.join(FIGURE_FORMATS)}.")
    check_theme(theme)
    return critical_difference_canvas(names, rank_test, format, theme).save(scale)


def critical_difference_canvas(
    names: Sequence[str], rank_test: RankTest, format: str = "png", theme: str = "light"
) -> Canvas:
    """Draw the diagram on a `Canvas`. Raise ParameterError if the number of names is wrong."""
    ranks = np.asarray(rank_test.mean_ranks, np.float64)
    if len(names) != ranks.size or ranks.size < 2:
        raise ParameterError(
            f"{len(names)} names for {ranks.size} mean ranks: expected one name for each of at least two ranks."
        )
    groups = cliques(ranks, rank_test.critical_difference)
    first_row = AXIS_TOP + FIRST_CLIQUE + CLIQUE * len(groups) + ROW / 2
    height = first_row + ROW * ((ranks.size + 1) // 2) + RANKS_FOOT
    canvas = Canvas(WIDTH, height, THEMES[theme], format)
    axis = _Axis(ranks.size)
    _draw_axis(canvas, axis, rank_test.critical_difference)
    accent = STAGE_THEMES[theme]["accent"]
    order = np.argsort(ranks, kind="stable")
    for number, (first, last) in enumerate(groups):
        y = AXIS_TOP + FIRST_CLIQUE + CLIQUE * number
        ends = axis.x(ranks[order[[last, first]]]) + [-5, 5]
        canvas.curve(ends, [y, y], accent, 6.0, layer=4.0)
    _draw_names(canvas, axis, names, ranks, order, first_row)
    canvas.dots(np.column_stack([axis.x(ranks), np.full(ranks.size, AXIS_TOP)]), 10.0, accent, layer=4.5)
    p = _p_text(rank_test.p)
    text = f"Friedman test (Iman and Davenport): {p}. Bars connect methods without a significant difference (Nemenyi)."
    canvas.text(WIDTH / 2, height - RANKS_FOOT / 2, text, NUMBER, WIDTH - 40, canvas.theme.muted)
    return canvas


def cliques(ranks: np.ndarray, critical_difference: float) -> list:
    """Return the longest runs of ranks that differ by less than the critical difference.

    Each run is (first, last), two positions in the order of `ranks`, float64[k].
    """
    ranks, found = np.sort(ranks), []
    for first in range(ranks.size):
        last = int(np.flatnonzero(ranks - ranks[first] < critical_difference)[-1])
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


class _Axis:
    """Axis of ranks from `most` (left) to 1."""

    def __init__(self, most):
        self.most = most

    def x(self, rank):
        """Return the pixel position of a rank."""
        return SIDE + (WIDTH - 2 * SIDE) * (self.most - np.asarray(rank)) / (self.most - 1)


def _draw_axis(canvas, axis, critical_difference):
    theme, ticks = canvas.theme, np.arange(1, axis.most + 1)
    canvas.curve([SIDE, WIDTH - SIDE], [AXIS_TOP, AXIS_TOP], theme.text, 2.0)
    for tick in ticks:
        x = float(axis.x(tick))
        canvas.curve([x, x], [AXIS_TOP - 8, AXIS_TOP], theme.text, 2.0)
        canvas.text(x, AXIS_TOP - 20, str(tick), NUMBER, 40, theme.text)
    canvas.text(SIDE - 16, AXIS_TOP - 20, "mean rank", NUMBER, SIDE - 40, theme.muted, align="right")
    start, stop = SIDE, float(axis.x(axis.most - critical_difference))
    canvas.curve([start, stop], [BAR_TOP, BAR_TOP], theme.text, 3.0)
    for x in (start, stop):
        canvas.curve([x, x], [BAR_TOP - 7, BAR_TOP + 7], theme.text, 3.0)
    label = f"critical difference {critical_difference:.2f}"
    canvas.text(start, BAR_TOP - 22, label, NUMBER, WIDTH - SIDE - 20, theme.text, align="left", bold=True)


def _draw_names(canvas, axis, names, ranks, order, first_row):
    """Draw the names of the better half on the right and the other names on the left, one per row."""
    theme, n_right = canvas.theme, ranks.size // 2
    names = [str(name) for name in names]
    pixels = np.clip(NAME_ROOM / max(max(width(name, 1.0, bold=True) for name in names), 1.0), *RANKS_NAMES)
    for place, method in enumerate(order):
        right = place < n_right
        y = first_row + ROW * (place if right else ranks.size - 1 - place)
        x, edge = float(axis.x(ranks[method])), WIDTH - SIDE + 24 if right else SIDE - 24
        canvas.curve([x, x, edge], [AXIS_TOP, y, y], theme.muted, 1.5)
        align, outwards = ("left", 1) if right else ("right", -1)
        canvas.text(edge + outwards * 8, y, f"{ranks[method]:.2f}", NUMBER, RANK_ROOM, theme.muted, align)
        start = edge + outwards * (8 + RANK_ROOM)
        canvas.text(start, y, names[method], pixels, NAME_ROOM, theme.text, align, bold=True)


def _p_text(p):
    return f"p = {p:.3f}" if p >= 0.001 else "p < 0.001"
