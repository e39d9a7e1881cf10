"""Draw the axis below a plot: its name, its ends and, for dates, the years or months (viz/stage/draw/axis.js)."""

from __future__ import annotations

import math

import numpy as np

from treecore.tree.date_text import column_name, date_text, end_text, is_date
from viz.drawing.canvas import Box
from viz.looks import LOOKS
from viz.nodes.node_content import Ends
from viz.nodes.node_painter import NodePainter

SMALL = LOOKS.text.small
NAME_LINE = 1.25  # distance from the year labels of an axis to its name, in text sizes
TICK = 44  # minimum width of a date label in pixels
MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)  # months between two ticks


def draw_axis(
    painter: NodePainter, x: float, room: float, area: Box, name: str, ends: Ends, y: float, name_y: float | None = None
) -> None:
    """Draw the name and the ends of the axis below an area, on one line or on two.

    x, room : centre and width of the name
    ends : `Ends` of one axis, as numbers
    y, name_y : centres of the lines with the ends and with the name
    """
    muted, add = painter.theme.muted, painter.labels.add
    low, high, first, last = ends
    found = date_ticks(low, high, int(area.width // TICK)) if name_y is not None and is_date(name) else []
    if len(found) < 2:
        wide = area.width / (4 if name_y is None else 3)
        right = area.left + area.width
        add(area.left, y, end_text(name, first), SMALL, muted, wide, align="left", whole=True)
        add(right, y, end_text(name, last), SMALL, muted, wide, align="right", whole=True)
    else:
        for day, text in found:
            at = area.left + (day - low) / (high - low) * area.width
            painter.canvas.rectangle(at - 0.5, area.top + area.height, 1, 3, muted)
            if TICK / 3 < at - area.left < area.width - TICK / 3:
                add(at, y, text, SMALL, muted, TICK, whole=True)
    add(x, y if name_y is None else name_y, column_name(name), SMALL, muted, room / 2 if name_y is None else room)


def date_ticks(low: float, high: float, most: int) -> list[tuple[int, str]]:
    """Return [(day, text)] for at most `most` first days of years or months in a range of days since 1970."""
    months = (high - low) / 30.44
    step = next((one for one in MONTHS if months / one <= most), None)
    if step is None or date_text(math.ceil(low)) is None or date_text(math.floor(high)) is None:
        return []
    year_0 = 1970 * 12
    first = int(np.datetime64(math.floor(low), "D").astype("datetime64[M]").astype(int)) + year_0
    starts = range(math.ceil(first / step) * step, year_0 * 10, step)
    found = []
    for month in starts:
        day = int(np.datetime64(month - year_0, "M").astype("datetime64[D]").astype(int))
        if day > high:
            break
        if day >= low:
            found.append((day, (date_text(day) or "")[: 7 if step % 12 else 4]))
    return found
