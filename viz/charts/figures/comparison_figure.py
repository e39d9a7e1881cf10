"""Figures of a comparison: error against size or over a parameter, errors by class, and the confusion matrix."""

from collections.abc import Sequence
from itertools import cycle

import numpy as np

from treecore.comparison.comparison import Comparison
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.parameter_checks import check_choice
from viz.charts.figures.themed_axes import BAR, LABEL, color_bar, color_map, named_ticks, themed_axes, titled
from viz.charts.values.error_by_size import FAINT, error_by_size
from viz.charts.values.heat_map import class_error_map, confusion_map
from viz.charts.values.parameter_curves import parameter_curves
from viz.drawing.canvas import PIXELS_PER_INCH, Box, Canvas, points
from viz.drawing.check_output import check_output
from viz.drawing.figure_entries import FIGURE
from viz.palette import THEMES
from viz.words import text_fit

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
