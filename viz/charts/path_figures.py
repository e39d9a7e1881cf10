"""Figures of paths: errors and sizes of the trees over lambda."""

from collections.abc import Mapping, Sequence

import numpy as np

from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.messages import counted, literal
from treecore.training.path import RegularizationPath
from viz.charts.path_points import (
    RECOMMENDED,
    Panel,
    error_panel,
    number_text,
    path_places,
    path_points,
    place_of,
    recommended,
    size_panel,
)
from viz.charts.themed_axes import LABEL, TEXT, named_ticks, themed_axes
from viz.drawing.canvas import PIXELS_PER_INCH, Box, Canvas, points
from viz.drawing.check_output import check_output
from viz.drawing.figure_entries import FIGURE
from viz.palette import THEMES, theme_name
from viz.words.text_fit import width as text_width

LEFT, RIGHT, HEAD, FOOT = 44, 18, 24, 18  # margins around the curves, in pixels
Y_TICK, X_TICK = 1.5 * TEXT, 84  # minimum distances between tick labels, in pixels
X_AXIS = (-0.01, 1.01)  # ends of the horizontal axis, as shares of the curves

BAND = 0.16  # opacity


def path_panel(
    canvas: Canvas,
    panel: Panel,
    lams: np.ndarray,
    box: Box,
    chosen: int | None = None,
    marks: Sequence = (),
    level: tuple | None = None,
) -> None:
    """Draw a Panel of curves into a Box on a Canvas.

    lams : float64[n], increasing, as returned by `path_places`
    chosen : index of the marked tree, or None
    marks : (index, text) of each dotted line
    level : (value, text) of a dashed horizontal line, or None
    """
    theme = canvas.theme
    inner = _inner(box)
    axes = themed_axes(canvas, inner, grid="y")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    x = _x_shares(lams)
    axes.set_xlim(*X_AXIS)
    if panel.is_log:
        axes.set_yscale("function", functions=(np.log1p, np.expm1))
    axes.set_ylim(0, panel.top)
    axes.set_yticks(*_y_ticks(panel, inner.height))
    named_ticks(canvas, axes.xaxis, *_x_ticks(lams, x, inner.width))
    for layer, curve in zip((3.6, 3.4, 3.2, 3.0), panel.curves, strict=False):
        color = curve.colors[theme_name(theme)]
        style = "-" if curve.dashes is None else (0, tuple(length / 2.2 for length in curve.dashes))
        axes.plot(x, curve.values, color=color, linewidth=points(2.2), linestyle=style, zorder=layer,
                  label=curve.label, dash_capstyle="butt")  # fmt: skip
        if curve.spreads is not None:
            band = curve.values - curve.spreads, curve.values + curve.spreads
            axes.fill_between(x, *band, color=color, alpha=BAND, linewidth=0, zorder=2.5)
        size = points(4)
        axes.plot(x, curve.values, "o", color=color, markersize=size, markeredgewidth=0, zorder=layer)
        if chosen is not None:
            here = x[chosen], curve.values[chosen]
            axes.plot(*here, "o", color=color, markersize=2.2 * size, markeredgewidth=0, zorder=layer + 0.1)
    if chosen is not None:
        axes.axvline(x[chosen], color=theme.text, linewidth=points(2), zorder=2)
    for place, (index, text) in enumerate(marks):
        axes.axvline(x[index], color=theme.muted, linewidth=points(1.2), linestyle=(0, (1.5, 2.5)), zorder=2)
        sides = (inner.width * x[index] - 8, -6, "right"), (inner.width * (1 - x[index]) - 8, 6, "left")
        room, shift, align = max(sides)
        canvas.text(inner.left + inner.width * x[index] + shift, inner.top + 10 + 16 * place, text, TEXT, room,
                    theme.muted, align=align, backed=True)  # fmt: skip
    if level is not None:
        _level(canvas, axes, panel, inner, level)
    _names(canvas, axes, panel, box)


def panel_places(panel: Panel, lams: np.ndarray, box: Box) -> tuple:
    """Return the points of the curves in pixels: (x as float64[n], list of y as float64[n] for each curve)."""
    inner = _inner(box)
    x = inner.left + inner.width * (_x_shares(lams) - X_AXIS[0]) / (X_AXIS[1] - X_AXIS[0])
    scale = np.log1p if panel.is_log else np.asarray
    shares = [np.minimum(scale(curve.values) / scale(panel.top), 1) for curve in panel.curves]
    return x, [inner.top + inner.height * (1 - share) for share in shares]


def _inner(box):
    return Box(box.left + LEFT, box.top + HEAD, box.width - LEFT - RIGHT, box.height - HEAD - FOOT)


def _level(canvas, axes, panel, inner, level):
    """Draw a dashed line, and its text at the end that is farther from the curves."""
    value, text = level
    axes.axhline(value, color=canvas.theme.text, linewidth=points(1.5), linestyle=(0, (6 / 1.5, 4 / 1.5)), zorder=2.8)
    ends = np.array([[curve.values[end] - value for curve in panel.curves] for end in (0, -1)])
    is_right = np.abs(ends[1]).min() >= np.abs(ends[0]).min()
    y = inner.top + inner.height * (1 - value / panel.top)
    is_below = y - inner.top <= 1.6 * LABEL or (
        inner.height - (y - inner.top) > 1.6 * LABEL and ends[int(is_right)].min() >= 0
    )
    shift = (0.85 if is_below else -0.75) * LABEL
    x = inner.left + (inner.width - 4 if is_right else 4)
    align = "right" if is_right else "left"
    canvas.text(x, y + shift, text, LABEL, inner.width - 8, canvas.theme.text, align=align, bold=True)


def _names(canvas, axes, panel, box):
    """Draw the title of the panel and the names of its curves, inside the plot if they do not fit above."""
    theme, most = canvas.theme, max(float(np.nanmax(curve.values)) for curve in panel.curves)
    title = panel.title + (f", up to {most:.0f}" if most > panel.top else "")
    canvas.text(box.left, box.top + HEAD / 2 - 3, title, LABEL, box.width, theme.text, align="left", bold=True)
    start = text_width(title, LABEL, bold=True) + 16
    needed = start + sum(text_width(curve.label, TEXT) + 38 for curve in panel.curves)
    look = {"fontsize": points(TEXT), "labelcolor": theme.muted, "handlelength": 2.2, "borderpad": 0.2}
    if needed <= box.width:
        axes.legend(
            loc="center left", bbox_to_anchor=((start - LEFT) / (box.width - LEFT - RIGHT),
                                               1 + (HEAD / 2 + 3) / (box.height - HEAD - FOOT)),
            ncols=len(panel.curves), frameon=False, columnspacing=1.2, handletextpad=0.6, **look,
        )  # fmt: skip
    else:
        axes.legend(loc="best", facecolor=theme.background, edgecolor="none", framealpha=0.85, **look)


def _y_ticks(panel, height):
    """Return (positions, texts) of the ticks. Ticks without space for a label have empty texts."""
    shares = np.log1p(panel.ticks) / np.log1p(panel.top) if panel.is_log else np.array(panel.ticks) / panel.top
    texts, reached = [], -np.inf
    for tick, place in zip(panel.ticks, shares * height, strict=True):
        fits = place - reached >= Y_TICK
        texts.append(f"{tick:g}" if fits else "")
        reached = place if fits else reached
    return panel.ticks, texts


def _x_shares(lams):
    """Return float64[n] in [0, 1]: logarithmic positions, or evenly spaced ones if a lambda is 0 or all are equal."""
    if len(lams) == 1:
        return np.array([0.5])
    if lams[0] <= 0 or lams[0] == lams[-1]:
        return np.linspace(0, 1, len(lams))
    return np.log(lams / lams[0]) / np.log(lams[-1] / lams[0])


def _x_ticks(lams, x, width):
    """Return (positions, texts) for the first and the last lambda, and for the powers of ten that fit between them."""
    if lams[0] < 0:  # minus the numbers of leaves
        return x[[0, -1]], [counted(int(-lams[place]), "leaf") for place in (0, -1)]
    places, texts, room = [x[0]], [f"λ = {number_text(lams[0])}"], X_TICK / width
    if lams[0] > 0 and lams[-1] > lams[0]:
        for power in range(int(np.ceil(np.log10(lams[0]))), int(np.floor(np.log10(lams[-1]))) + 1):
            place = np.log(10.0**power / lams[0]) / np.log(lams[-1] / lams[0])
            if place - places[-1] >= room and 1 - place >= room:
                places.append(place)
                texts.append(number_text(10.0**power))
    if x[-1] - places[-1] >= room:
        places.append(x[-1])
        texts.append(number_text(lams[-1]))
    return places, texts


MARGIN, TITLE, GAP = 14, 28, 14
HEIGHT = 190  # height of a panel in pixels


@filled(FIGURE)
def path_figure(
    path: RegularizationPath | Sequence,
    format: str = "svg",
    *,
    chosen: int | None = None,
    size: tuple = (9.0, None),
    dpi: float = 200,
    theme: str = "light",
    title: str | None = None,
) -> bytes | None:
    """Draw the errors and sizes of a path over lambda, with dotted lines at the recommended trees.

    Parameters
    ----------
    path : RegularizationPath or list
        Path, or objects with `lam`, `tree` and optional errors.
    {format}
    chosen : int or None, default=None
        Index of a tree of the path to mark.
    {size, dpi, theme, title}

    Returns
    -------
    bytes
        The figure.

    Raises
    ------
    ParameterError
        If a parameter is invalid.
    ValueError
        If the path is empty.

    See Also
    --------
    phase_figure : Draws metrics over lambda and C.

    Examples
    --------
    >>> import viz
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, regularization_path
    >>> X, y = load_iris(return_X_y=True)
    >>> path = regularization_path(TAOClassifier(split="univariate", init="cart"), X, y, lams=[1, 9])
    >>> viz.path_figure(path)[:5]
    b'<?xml'
    """
    check_output(format, size, dpi, theme)
    points = path_points(path)
    if chosen is not None and chosen not in range(len(points)):
        raise ParameterError(
            f"chosen={literal(chosen)}: expected the index of a tree, 0 to {len(points) - 1}, or None."
        )
    chosen = None if chosen is None else place_of(path, chosen)
    panels = [panel for panel in (error_panel(points), size_panel(points)) if panel]
    head = MARGIN + (TITLE if title else 0)
    width = size[0] * PIXELS_PER_INCH
    height = head + len(panels) * (HEIGHT + GAP) if size[1] is None else size[1] * PIXELS_PER_INCH
    canvas = Canvas(width, height, THEMES[theme], format)
    inner = width - 2 * MARGIN
    if title:
        canvas.text(MARGIN, MARGIN + 10, str(title), 15, inner, canvas.theme.text, align="left", bold=True)
    names = {}
    for rule, index in recommended(path).items():
        names[index] = f"{names[index]} and {RECOMMENDED[rule]}" if index in names else RECOMMENDED[rule]
    lams, each = path_places(points), (height - head) / len(panels)
    for place, panel in enumerate(panels):
        marks = [(index, "" if place else name) for index, name in sorted(names.items())]
        path_panel(canvas, panel, lams, Box(MARGIN, head + place * each, inner, each - GAP), chosen, marks)
    return canvas.save(dpi / PIXELS_PER_INCH)


def paths_figure(
    paths: Mapping[str, RegularizationPath],
    format: str = "svg",
    *,
    width: float = 12.0,
    dpi: float = 200,
    theme: str = "light",
) -> bytes | None:
    """Return a figure as bytes: errors above and sizes below, with one column for each path, on shared axes.

    The other parameters are as in `figure`. Raise ParameterError for invalid values.

    paths : {title: RegularizationPath}
    width : in inches
    """
    if not paths:
        raise ParameterError("paths is empty: expected at least one pair (title, path).")
    rows = HEIGHT, HEIGHT
    height = MARGIN + TITLE + sum(rows) + len(rows) * GAP
    check_output(format, (width, height / PIXELS_PER_INCH), dpi, theme)
    canvas = Canvas(width * PIXELS_PER_INCH, height, THEMES[theme], format)
    each = (width * PIXELS_PER_INCH - 2 * MARGIN + GAP) / len(paths)
    points = [path_points(path) for path in paths.values()]
    # A path has at least training errors.
    errors = [panel for one in points if (panel := error_panel(one)) is not None]
    levels = [_alike(errors), _alike([size_panel(one) for one in points])]
    for column, title in enumerate(paths):
        left = MARGIN + column * each
        canvas.text(left, MARGIN + 10, title, 15, each - GAP, canvas.theme.text, align="left", bold=True)
        lams = path_places(points[column])
        for row, panels in enumerate(levels):
            top = MARGIN + TITLE + row * (HEIGHT + GAP)
            path_panel(canvas, panels[column], lams, Box(left, top, each - GAP, HEIGHT))
    return canvas.save(dpi / PIXELS_PER_INCH)


def _alike(panels: list[Panel]) -> list[Panel]:
    """Return the panels with the axis of the panel that reaches highest."""
    highest = max(panels, key=lambda panel: panel.top)
    return [panel._replace(top=highest.top, ticks=highest.ticks) for panel in panels]
