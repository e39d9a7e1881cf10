"""Phase diagram as a figure: three maps side by side (SVG, PDF or PNG)."""

from collections.abc import Sequence

import numpy as np

from treecore.docstrings import filled
from treecore.errors import ParameterError
from viz.charts.chart import ColorScale
from viz.charts.phase_maps import BORDER, DASHES, FRAME, phase_maps
from viz.charts.themed_axes import BAR, color_bar, color_map, named_ticks, themed_axes, titled
from viz.drawing.canvas import PIXELS_PER_INCH, Box, Canvas, points
from viz.drawing.check_output import check_output
from viz.drawing.figure_entries import FIGURE
from viz.palette import THEMES, theme_name

MARGIN, GAP, TITLE, HEAD, FOOT, AXIS = 14, 22, 28, 62, 40, 54
ROW, LEAST = 34, 150  # height of a map row, and minimum height of a map, in pixels
SCALE = 150  # length in pixels


@filled(FIGURE)
def phase_figure(
    points: Sequence,
    lams: Sequence[float],
    costs: Sequence[float],
    format: str = "svg",
    *,
    good: np.ndarray | None = None,
    best: int | None = None,
    shown: int | None = None,
    size: tuple = (11.0, None),
    dpi: float = 200,
    theme: str = "light",
    title: str | None = None,
) -> bytes | None:
    """Draw three maps over lambda and C: share of bivariate splits, number of decision nodes, and error.

    Parameters
    ----------
    points : sequence of dict
        Metrics of the points in the order of the grid (see `phase_maps`). The last points may be missing.
    lams : sequence of float
        Values of lambda, one for each column.
    costs : sequence of float
        Values of C, one for each row.
    {format}
    good : bool array of shape (n_costs, n_lams) or None, default=None
        Cells to outline.
    best : int or None, default=None
        Cell to mark with a star.
    shown : int or None, default=None
        Cell to mark with a frame.
    {size, dpi, theme, title}

    Returns
    -------
    bytes
        The figure.

    Raises
    ------
    ParameterError
        If a parameter is invalid.

    See Also
    --------
    path_figure : Draws the metrics of one path.

    Examples
    --------
    >>> import viz
    >>> from sklearn.datasets import load_iris
    >>> from treecore import TAOClassifier, phase_diagram
    >>> X, y = load_iris(return_X_y=True)
    >>> estimator = TAOClassifier(split="bivariate", init="cart", random_state=0)
    >>> diagram = phase_diagram(estimator, X, y, lams=[1.0, 10.0], costs=[1.0, 3.0])
    >>> viz.phase_figure([vars(point) for point in diagram], diagram.lams, diagram.costs)[:5]
    b'<?xml'
    """
    check_output(format, size, dpi, theme)
    if not points:
        raise ParameterError("points is empty: expected at least one cell in the phase diagram.")
    maps = phase_maps(points, lams, costs, good, best)
    head = MARGIN + (TITLE if title else 0)
    width = size[0] * PIXELS_PER_INCH
    height = head + HEAD + max(ROW * len(costs), LEAST) + FOOT if size[1] is None else size[1] * PIXELS_PER_INCH
    canvas = Canvas(width, height, THEMES[theme], format)
    if title:
        text = canvas.theme.text
        canvas.text(MARGIN, MARGIN + 10, str(title), 15, width - 2 * MARGIN, text, align="left", bold=True)
    each = (width - 2 * MARGIN - 2 * GAP) / 3
    for place, one in enumerate(maps.maps):
        left = MARGIN + place * (each + GAP)
        box = Box(left + AXIS, head + HEAD, max(each - AXIS, 20.0), max(height - head - HEAD - FOOT, 20.0))
        canvas.text(left, head + 10, one.title, 13, each, canvas.theme.text, align="left", bold=True)
        color_bar(canvas, one.scale(theme), Box(left + 12, head + 24, min(SCALE, each - 30), BAR))
        axes = _map(canvas, maps, one, box)
        _marks(axes, maps, shown)
    return canvas.save(dpi / PIXELS_PER_INCH)


def _map(canvas, maps, one, box):
    theme = canvas.theme
    axes = themed_axes(canvas, box)
    axes.spines[:].set_visible(False)
    edges = np.arange(maps.n_lams + 1) - 0.5, np.arange(maps.n_costs + 1) - 0.5
    if maps.leaves.size:
        is_leaf = np.full((maps.n_costs, maps.n_lams), np.nan)
        is_leaf.flat[maps.leaves] = 0.0
        axes.pcolormesh(*edges, is_leaf, cmap=color_map(ColorScale((theme.surface,) * 2, ())), zorder=1)
        axes.plot(*maps.place(maps.leaves), ".", color=theme.muted, markersize=points(2.6), markeredgewidth=0, zorder=2)
    # Edges in the same colour hide the seams between the cells.
    colors = color_map(one.scale(theme_name(theme)))
    axes.pcolormesh(*edges, one.shares, cmap=colors, vmin=0, vmax=1, edgecolors="face", linewidth=0.2, zorder=1)
    axes.set(xlim=(-0.5, maps.n_lams - 0.5), ylim=(-0.5, maps.n_costs - 0.5))
    step = -(-maps.n_costs * 15 // int(box.height))
    named_ticks(canvas, axes.yaxis, *zip(*maps.cost_ticks[::step], strict=True))
    ticks = maps.lam_ticks if box.width > 240 else maps.lam_ticks[::2]
    named_ticks(canvas, axes.xaxis, *zip(*ticks, strict=True))
    axes.tick_params(length=points(3))
    titled(axes.xaxis, "λ", canvas)
    canvas.text(box.left - AXIS + 8, box.top + box.height / 2, "C", 12, 20, theme.muted)
    if maps.leaf_words is not None:
        x, y, upright = maps.leaf_words
        half = 36 / box.height * maps.n_costs if upright else 0  # Vertical text must stay inside the map.
        y = min(max(y, half - 0.5), maps.n_costs - 0.5 - half) if upright and 2 * half < maps.n_costs else y
        axes.text(x, y, "single leaf", rotation=90 * upright, ha="center", va="center", color=theme.text,
                  fontsize=points(12), zorder=2.5)  # fmt: skip
    return axes


def _marks(axes, maps, shown):
    """Draw the outline of the good cells, a frame around the selected cell and a star on the best cell."""
    for (color, width), dash in zip(BORDER, ("-", (0, tuple(d / BORDER[1][1] for d in DASHES))), strict=True):
        for x1, y1, x2, y2 in (maps.outline - 0.5).tolist():
            axes.plot([x1, x2], [y1, y2], color=color, linewidth=points(width), linestyle=dash, zorder=3)
    if shown is not None:
        column, row = maps.place(shown)
        x, y = np.array([-0.5, 0.5, 0.5, -0.5, -0.5]), np.array([-0.5, -0.5, 0.5, 0.5, -0.5])
        for color, width in FRAME:
            axes.plot(column + x, row + y, color=color, linewidth=points(width), solid_joinstyle="miter", zorder=3.4,
                      clip_on=False)  # fmt: skip
    if maps.best is not None:
        axes.plot(*maps.place(maps.best), "*", color=BORDER[0][0], markeredgecolor=BORDER[1][0], markersize=points(15),
                  markeredgewidth=points(1.3), zorder=3.6)  # fmt: skip
