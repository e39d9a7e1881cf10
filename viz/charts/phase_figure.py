"""A phase diagram as a figure: its three maps side by side, as SVG, PDF or PNG."""

import numpy as np

from treecore.errors import ParameterError
from viz.charts.heat_map import draw_scale, ramp
from viz.charts.phase_pictures import BORDER, ERROR_TITLES, FRAME, MAPS, ROOM, cells, outline
from viz.palette import THEMES
from viz.tree.canvas import PIXELS_PER_INCH, Canvas
from viz.tree.path_points import number_text
from viz.tree.tree_figure import check_output
from viz.words.text_fit import width as text_width

MARGIN, GAP, TITLE, HEAD, FOOT, AXIS = 14, 22, 28, 62, 40, 44
ROW, LEAST = 34, 150  # height of a row of a map, and of a map
TEXT = 10


def phase_figure(
    points, lams, costs, format="svg", *, good=None, best=None, shown=None, size=(11.0, None), dpi=200, theme="light",
    title=None,
):  # fmt: skip
    """Maps over lambda and C as bytes: share of decisions on two features, decision nodes, error.

    points : dicts of a PhasePoint's figures (see `phase_pictures.cells`), in the order of the grid, maybe not all;
    lams, costs : its columns and rows; good : bool[costs, lams] to outline, or None; best, shown : cells to mark with a
    star and with a frame, or None; the others are as in `figure`. Raises ParameterError for other values.
    """
    check_output(format, size, dpi, theme)
    if not points:
        raise ParameterError("points is empty: a phase diagram needs at least one cell.")
    frame = cells(points, lams, good)
    head = MARGIN + (TITLE if title else 0)
    width, n_rows = size[0] * PIXELS_PER_INCH, len(costs)
    height = head + HEAD + max(ROW * n_rows, LEAST) + FOOT if size[1] is None else size[1] * PIXELS_PER_INCH
    canvas = Canvas(width, height, THEMES[theme], format)
    if title:
        text = canvas.theme.text
        canvas.text(MARGIN, MARGIN + 10, str(title), 15, width - 2 * MARGIN, text, align="left", bold=True)
    each = (width - 2 * MARGIN - 2 * GAP) / 3
    for place, name in enumerate(MAPS):
        left = MARGIN + place * (each + GAP)
        area = (left + AXIS, head + HEAD, max(each - AXIS, 20.0), max(height - head - HEAD - FOOT, 20.0))
        _map(canvas, MAPS[name], frame, lams, costs, area, left, head)
        _marks(canvas, frame, len(lams), n_rows, area, good, best, shown)
    return canvas.save(dpi / PIXELS_PER_INCH)


def _map(canvas, what, frame, lams, costs, area, left, top):
    theme = canvas.theme
    x, y, w, h = area
    name = ERROR_TITLES[frame["error_name"].iloc[0]] if what.column == "error" else what.title
    canvas.text(left, top + 10, name, 13, w + AXIS, theme.text, align="left", bold=True)
    split = frame[frame["n_decision"] > 0]
    low, high = _domain(what, split[what.column])

    def share_of(value):
        return np.log(value / low) / np.log(high / low) if what.log else (value - low) / (high - low)

    _scale(canvas, what, low, high, share_of, left, top + 24, min(150.0, w))
    wide, high_cell = w / len(lams), h / len(costs)
    for cell in frame.itertuples():
        row, column = divmod(int(cell.cell), len(lams))
        corner = x + column * wide, y + h - (row + 1) * high_cell
        if cell.n_decision:
            color = ramp(what.scheme, share_of(getattr(cell, what.column)))
            canvas.rectangle(*corner, wide + 0.3, high_cell + 0.3, color, layer=2.0)
        else:
            canvas.rectangle(*corner, wide + 0.3, high_cell + 0.3, theme.surface, layer=2.0)
            middle = np.array([[corner[0] + wide / 2, corner[1] + high_cell / 2]])
            canvas.dots(middle, 2.4, theme.muted, layer=2.2)
    _single_leaf(canvas, frame[frame["n_decision"] == 0], len(lams), area, wide, high_cell)
    _axes(canvas, lams, costs, area, wide, high_cell)


def _domain(what, values):
    low, high = what.domain or ((float(values.min()), float(values.max())) if len(values) else (0.0, 1.0))
    if what.log:
        return 1.0, max(high, 2.0)
    return (low, high) if high > low else (max(low - 0.01, 0.0), low + 0.01)


def _scale(canvas, what, low, high, share_of, left, top, length):
    if what.log:
        values = [value for value in (1, 3, 10, 30, 100, 300, 1000, 3000) if value <= high]
        ticks = [(float(share_of(value)), f"{value:,}") for value in values]
    else:
        digits = 0 if high - low >= 0.04 else 1
        ticks = [(share, f"{100 * (low + share * (high - low)):.{digits}f} %") for share in (0.0, 0.5, 1.0)]
    inset = 12 if not what.log else 6
    draw_scale(canvas, what.scheme, ticks, left + inset, top, length - inset)


def _single_leaf(canvas, leaves, n_columns, area, wide, high):
    """The words in the region of zero-variate trees: across its middle row where they have room, else upright."""
    if leaves.empty:
        return
    x, y, _, h = area
    rows = leaves["cell"].to_numpy() // n_columns
    row = np.sort(rows)[len(rows) // 2]
    columns = leaves["cell"].to_numpy()[rows == row] % n_columns
    middle = x + wide * (columns.min() + columns.max() + 1) / 2
    center = y + h - (row + 0.5) * high
    flat = columns.size / n_columns > ROOM and text_width("single leaf", 11) < columns.size * wide
    if flat:
        canvas.text(middle, center, "single leaf", 11, columns.size * wide, canvas.theme.text)
    else:
        room = 0.7 * h
        half = text_width("single leaf", 11) / 2
        center = min(max(center, y + half), y + h - half)
        if columns.size * wide >= 12:
            canvas.text(middle, center, "single leaf", 11, room, canvas.theme.text, angle=90)


def _axes(canvas, lams, costs, area, wide, high):
    x, y, w, h = area
    muted, reached = canvas.theme.muted, np.inf
    for row, cost in enumerate(costs):
        middle = y + h - (row + 0.5) * high
        if reached - middle >= 12:
            canvas.text(x - 6, middle, f"{cost:g}", TEXT, AXIS - 18, muted, align="right", whole=True)
            reached = middle
    canvas.text(x - AXIS + 6, y + h / 2, "C", TEXT + 1, 20, muted)
    reached = -np.inf
    for column in np.unique(np.linspace(0, len(lams) - 1, 5).astype(int)):
        text, middle = number_text(float(lams[column])), x + (column + 0.5) * wide
        half = text_width(text, TEXT) / 2
        if middle - half > reached + 6 and middle + half <= canvas.width:
            canvas.text(middle, y + h + 10, text, TEXT, 90, muted, whole=True)
            reached = middle + half
    canvas.text(x + w / 2, y + h + 26, "λ", TEXT + 1, 20, muted)


def _marks(canvas, frame, n_columns, n_rows, area, good, best, shown):
    """Outline of the good cells, frame of the shown one, star on the best."""
    x, y, w, h = area
    wide, high = w / n_columns, h / n_rows
    if good is not None:
        for layer, (color, line, dashes) in zip((3.0, 3.1), BORDER, strict=True):
            for x1, y1, x2, y2 in outline(good).tolist():
                style = None if dashes[1] == 0 else tuple(dashes)
                ends = [x + x1 * wide, x + x2 * wide], [y + h - y1 * high, y + h - y2 * high]
                canvas.curve(*ends, color, line, style, layer=layer)
    for cell, is_star in ((shown, False), (best, True)):
        if cell is None:
            continue
        row, column = divmod(int(cell), n_columns)
        left, top = x + column * wide, y + h - (row + 1) * high
        if is_star:
            _star(canvas, left + wide / 2, top + high / 2)
        else:
            for layer, (color, line) in zip((3.3, 3.4), FRAME, strict=True):
                canvas.rectangle(left, top, wide, high, edge=color, line=line, layer=layer)


def _star(canvas, x, y):
    angles = np.pi / 2 + np.arange(10) * np.pi / 5
    for radius, color, layer in ((9.5, "#14181f", 3.5), (8.0, "#ffffff", 3.6)):
        size = np.where(np.arange(10) % 2 == 0, radius, 0.42 * radius)
        canvas.polygon(np.column_stack([x + size * np.cos(angles), y - size * np.sin(angles)]), color, layer=layer)
