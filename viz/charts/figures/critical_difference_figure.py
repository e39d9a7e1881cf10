"""Critical-difference diagram: mean ranks of methods over data sets, and groups without a significant difference.

The diagram follows Demšar (2006).
"""

from collections.abc import Sequence

import numpy as np

from treecore.comparison.significance import RankTest
from treecore.docstrings import filled
from treecore.errors import ParameterError
from viz.drawing.canvas import Canvas
from viz.drawing.check_output import check_theme
from viz.drawing.figure_entries import FIGURE
from viz.figure_format import FIGURE_FORMATS
from viz.palette import STAGE_THEMES, THEMES
from viz.words.text_fit import width

WIDTH, SIDE = 1060, 300  # in pixels; the side contains the names
BAR_TOP, AXIS_TOP, FIRST_CLIQUE, CLIQUE, ROW, FOOT = 46, 104, 18, 14, 36, 40
NAMES, NUMBER, RANK_ROOM = (14, 19), 16, 50
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
    height = first_row + ROW * ((ranks.size + 1) // 2) + FOOT
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
    canvas.text(WIDTH / 2, height - FOOT / 2, text, NUMBER, WIDTH - 40, canvas.theme.muted)
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
    pixels = np.clip(NAME_ROOM / max(max(width(name, 1.0, bold=True) for name in names), 1.0), *NAMES)
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
