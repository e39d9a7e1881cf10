"""Errors and sizes of a path over lambda as a figure (SVG, PDF or PNG)."""

from collections.abc import Sequence

from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.training.path import RegularizationPath
from viz.charts.figures.path_panel import path_panel
from viz.charts.values.path_curves import error_panel, size_panel
from viz.charts.values.path_points import RECOMMENDED, path_places, path_points, place_of, recommended
from viz.drawing.canvas import PIXELS_PER_INCH, Box, Canvas
from viz.drawing.check_output import check_output
from viz.drawing.figure_entries import FIGURE
from viz.palette import THEMES

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
