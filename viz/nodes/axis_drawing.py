"""Draw the axis below a plot: its name, its ends and, for dates, the years or months (viz/stage/draw/axis.js)."""

from __future__ import annotations

import math

import numpy as np

from treecore.ordered_levels import levels_of
from treecore.tree.date_text import column_name, date_text, end_text, is_date
from treecore.tree.number_text import number, significant
from viz.drawing.canvas import Box
from viz.looks import LOOKS
from viz.nodes.node_content import Ends
from viz.nodes.node_painter import NodePainter
from viz.words import text_fit

SMALL = LOOKS.text.small
NAME_LINE = 1.25  # distance from the year labels of an axis to its name, in text sizes
MISSING = "missing"  # name of the strip left of an axis
CHARACTER, GAP = 7, 12  # width of a digit in pixels, and the space between two labels
MOST_TICKS = 8
TICK = 44  # minimum width of a date label in pixels
MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)  # months between two ticks


def draw_axis(
    painter: NodePainter,
    x: float,
    room: float,
    area: Box,
    name: str,
    ends: Ends,
    y: float,
    name_y: float | None = None,
    strip: float = 0.0,
    is_turned: bool = False,
) -> None:
    """Draw the name and the ticks or the ends of the axis below an area, on one line or on two.

    x, room : centre and width of the name
    ends : `Ends` of one axis, as numbers
    y, name_y : centres of the lines with the ends and with the name
    strip : width of the strip for missing values left of the area
    is_turned : whether small values go right, so that arrows at the ends show it
    """
    muted, add = painter.theme.muted, painter.labels.add
    low, high, first, last = ends
    start, has_strip = area.left - strip, strip > 0
    found = []
    if name_y is not None and is_date(name):
        found = [(day, text, TICK) for day, text in date_ticks(low, high, int(area.width // TICK))]
    elif name_y is not None and not levels_of(name):
        found = number_ticks(first, last, area.width)
    if len(found) < 2:
        wide = area.width / (4 if name_y is None else 3)
        right = area.left + area.width
        end, other = end_text(name, first), end_text(name, last)
        end, other = (f"{end} →", f"← {other}") if is_turned else (end, other)
        whole = area.left + area.width - start
        both = f"{MISSING} │ {end}"
        needed = 2 * text_fit.width(both, SMALL) + text_fit.width(column_name(name), SMALL) + GAP
        if has_strip and name_y is None and needed < whole:
            add(start, y, both, SMALL, muted, whole / 2, align="left", whole=True)
        else:
            add(area.left, y, end, SMALL, muted, wide, align="left", whole=True)
        add(right, y, other, SMALL, muted, wide, align="right", whole=True)
    else:
        for value, text, wide in found:
            at = area.left + (value - low) / (high - low) * area.width
            painter.canvas.rectangle(at - 0.5, area.top + area.height, 1, 3, muted)
            edge = (wide - GAP) / 3
            if edge < at - area.left < area.width - edge:
                add(at, y, text, SMALL, muted, wide, whole=True)
    if has_strip and name_y is not None:
        free = (area.left + area.width - start - text_fit.width(column_name(name), SMALL) - GAP) / 2
        add(start, name_y, MISSING, SMALL, muted, free, align="left", whole=True)  # the strip above this text
    add(x, y if name_y is None else name_y, column_name(name), SMALL, muted, room / 2 if name_y is None else room)


def number_ticks(first: float, last: float, room: float) -> list[tuple[float, str, float]]:
    """Return [(value, text, room of the text)] for round values in a range, as many as fit into `room` pixels.

    They are whole if both ends are.
    """
    if not last > first:
        return []
    is_whole = float(first).is_integer() and float(last).is_integer()
    start = math.floor(math.log10((last - first) / MOST_TICKS)) - 1
    for place in range(12):
        step = (1, 2, 5)[place % 3] * significant(10.0 ** (start + place // 3), 1)
        lowest, highest = math.ceil(first / step), math.floor(last / step)
        if highest <= lowest:
            break
        if highest - lowest >= MOST_TICKS or (is_whole and step < 1):
            continue
        values = [significant(i * step, 12) for i in range(lowest, highest + 1)]
        texts = [number(value, None) for value in values]
        own = CHARACTER * max(map(len, texts)) + GAP
        if own * len(values) <= room:
            return [(value, text, own) for value, text in zip(values, texts, strict=True)]
    return []


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
