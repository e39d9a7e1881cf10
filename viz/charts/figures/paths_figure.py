"""Paths over lambda next to each other, as in figure 9 of Kairgeldin and Carreira-Perpiñán (2024)."""

from collections.abc import Mapping

from treecore.errors import ParameterError
from treecore.training.path import RegularizationPath
from viz.charts.figures.path_figure import GAP, HEIGHT, MARGIN, TITLE
from viz.charts.figures.path_panel import path_panel
from viz.charts.values.path_curves import Panel, error_panel, size_panel
from viz.charts.values.path_points import path_places, path_points
from viz.drawing.canvas import PIXELS_PER_INCH, Box, Canvas
from viz.drawing.check_output import check_output
from viz.palette import THEMES


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
