"""Node with one feature, or more than two: its rows along a line, its coefficients (viz/stage/draw/projection.js)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treecore.tree.date_text import is_date
from viz.drawing.canvas import Box
from viz.looks import LOOKS
from viz.tree.axis_drawing import draw_axis
from viz.tree.node_content import Ends, LinearLeaf, Projection, evenly
from viz.tree.tree_places import NodeBox

if TYPE_CHECKING:
    from viz.tree.node_drawing import NodePainter


SMALL = LOOKS.text.small
LOOK, BARS = LOOKS.histogram, LOOKS.bars
ROW = SMALL * BARS.row
MANY, DENSE = 300, 0.65  # rows from which points are smaller, and by how much
NAME_LINE = 1.25  # from the years of an axis to its name, in sizes of text


def draw_projection(painter: NodePainter, content: Projection, box: NodeBox, w: float, named: bool) -> None:
    """One feature: its histogram and the threshold. More: bars of the coefficients and the histogram of w·x + b.

    painter : NodePainter; content : Projection; box : NodeBox; w : width for detail; named : whether there is room for
    the coefficients.
    """
    painter.rectangle(box, painter.theme.surface, painter.theme.line, LOOKS.frame)
    n_weights = content.bars.size + content.n_more
    rows = bar_rows(n_weights, box.h) if n_weights and named else 0
    if rows:
        draw_bars(painter, content, box, rows)
    top = BARS.above + rows * ROW + BARS.below if rows else LOOK.margin
    left, width, height = box.left + LOOK.margin, box.w - 2 * LOOK.margin, box.h - top - LOOK.margin
    if height > LOOK.least:
        _histogram(painter, content, left, box.top + top, width, height)
        if painter.axes or painter.lines_below(content, box)[0]:
            _axes(painter, content, box, left, box.top + top, width, height)
    painter.condition(content, box)


def bar_rows(n_weights: int, height: float) -> int:
    """Rows for the bars of so many coefficients in a node of this height."""
    fits = int((height * BARS.share - BARS.spare) // ROW)
    return max(0, min(fits, n_weights)) if height >= BARS.least else 0


def linear_rows(content: LinearLeaf, height: float) -> int:
    """Rows for the bars of a linear leaf, which fill it."""
    return max(0, min(int((height - BARS.spare) // ROW), content.bars.size + (content.n_more > 0)))


def draw_bars(painter: NodePainter, content: Projection | LinearLeaf, box: NodeBox, rows: int) -> None:
    """Coefficients times the standard deviation of the feature, longest first."""
    n_weights = content.bars.size + content.n_more
    shown = min(rows - 1 if n_weights > rows else rows, content.bars.size)
    largest = abs(content.bars[0]) if content.bars.size else 1.0
    named = box.w >= BARS.named
    middle, reach = (BARS.middle, BARS.reach) if named else (0, BARS.reach_alone)
    middle, reach = box.x + box.w * middle, box.w * reach
    left, top, theme = box.left + BARS.indent, box.top + BARS.above, painter.theme
    for i in range(max(shown, 0)):
        length, y = content.bars[i] / largest * reach, top + (i + 0.5) * ROW
        color = painter.signs[0 if length < 0 else 1]
        painter.canvas.rectangle(
            min(middle, middle + length), y - ROW * BARS.thick, abs(length), 2 * ROW * BARS.thick, color
        )
        if named:
            painter.labels.add(left, y, content.names[i], SMALL, theme.text, box.w * BARS.name, align="left")
    painter.canvas.rectangle(middle - 0.5, top, 1, max(shown, 0) * ROW, theme.muted)
    if n_weights > shown:
        text = f"+ {n_weights - shown} more" if named else f"+{n_weights - shown}"
        y = top + (max(shown, 0) + 0.5) * ROW
        painter.labels.add(left, y, text, SMALL, theme.muted, box.w - 2 * BARS.indent, align="left", whole=True)


def _histogram(painter, content, left, top, width, height):
    free = gutter(content.has_gutter, width)
    area, wide = left + free, width - free
    n_bins, before, low, unit = bins_of(content, wide)
    at = area + before / n_bins * wide
    start, stop = (at, area + wide) if content.yes_right else (area, at)
    _tint(painter, start, top, stop - start, height)
    if free and content.missing_right:
        _tint(painter, left, top, free, height)
    if content.heights is None:
        counts = counts_of(content, n_bins, before, unit, len(painter.colors))
        _stacks(painter, counts, (left, free), (area, wide), top + height, height)
    else:
        _strip(painter, content, (left, free), (area, wide), (low, low + n_bins * unit), (top, height), at)
    split, wide = LOOKS.split, LOOKS.split.bar
    painter.canvas.rectangle(
        at - wide / 2, top - split.over, wide, height + 2 * split.over, painter.split_color, layer=2.6
    )
    if free:
        painter.canvas.rectangle(area - 0.5, top, 1, height, painter.theme.line, layer=2.5)


def _stacks(painter, counts, gutter_at, area, floor, height):
    """Bars of the groups on each other; gutter_at, area : (left, width) of each; floor : where they stand."""
    (left, free), (start, wide) = gutter_at, area
    n_bins, totals = len(counts) - 1, counts.sum(axis=1)
    # many missing values must not squeeze the others: a gutter that is too full ends at the top
    most = max(totals[1:].max(), 1)
    scale = np.full(n_bins + 1, height / most)
    scale[0] = height / max(most, totals[0])
    step = wide / n_bins
    bottom = np.full(n_bins + 1, floor)
    for bin, code in zip(*np.nonzero(counts), strict=True):
        high_bar = counts[bin, code] * scale[bin]
        bottom[bin] -= high_bar
        x, w = (left + 1, max(free - 2, 1)) if bin == 0 else (start + (bin - 1) * step, max(step - LOOK.gap, LOOK.gap))
        painter.canvas.rectangle(x, bottom[bin], w, high_bar, painter.colors[code], layer=2.4)


def _strip(painter, content, gutter_at, area, ends, room, at):
    """Rows by their value and their number, and as a step what both sides would predict; ends : of the axis; room :
    (top, height); at : place of the split."""
    (left, free), (start, wide), (low, high), (top, height) = gutter_at, area, ends, room
    levels, levels_at = LOOKS.points, LOOKS.detail
    look = levels.thumbnail if wide < levels_at.line else levels.line if wide < levels_at.full else levels.full
    some = evenly(np.arange(content.values.size), look.most)
    x = start + (content.values[some] - low) / (high - low) * wide
    x = np.where(np.isnan(x), left + free / 2, np.clip(x, start + 1, start + wide - 1))
    y = top + 1 + (1 - content.heights[some]) * (height - 2)
    colors = [painter.colors[code] for code in content.codes[some]]
    size = 2 * look.radius * (DENSE if content.values.size > MANY else 1)
    painter.canvas.dots(np.column_stack([x, y]), size, colors, layer=2.4)
    means = content.means if content.yes_right else content.means[::-1]
    line = LOOKS.split.width if wide >= levels_at.line else LOOKS.split.small
    for mean, one, other in zip(means, (start, at), (at, start + wide), strict=True):
        level = top + 1 + (1 - mean) * (height - 2)
        for color, thick in ((painter.theme.background, line + 2), (painter.theme.text, line)):
            painter.canvas.rectangle(one, level - thick / 2, max(other - one, 0), thick, color, layer=2.5)


def gutter(has: bool, length: float) -> float:
    """Width of the gutter of an axis of this length, 0 where no value is missing."""
    look = LOOKS.gutter
    return max(look.least, min(look.most, length * look.share)) if has else 0.0


def _tint(painter, left, top, width, height):
    corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    painter.canvas.polygon(corners, painter.tint, layer=2.2)


def bins_of(content: Projection, width: float) -> tuple:
    """(bins, those before the split, low, width of a bin) of a histogram `width` pixels wide; the split is a border."""
    low, high = content.low, content.high
    if not high > low:
        high = low + 1.0
    unit = (high - low) / max(LOOK.fewest, min(round(width / LOOK.bin), LOOK.most))
    before = int(np.ceil((content.split - low) / unit))
    n_bins = before + max(1, int(np.ceil((high - content.split) / unit)))
    return n_bins, before, content.split - before * unit, unit


def counts_of(content: Projection, n_bins: int, before: int, unit: float, n_codes: int) -> np.ndarray:
    """int64[n_bins + 1, n_codes]: rows per bin and class, those without a value first; every row is counted on the side
    to which it goes."""
    steps = (content.values - content.split) / unit
    known = ~np.isnan(steps)
    steps = np.floor(steps) if content.yes_right else np.ceil(steps) - 1
    bins = np.zeros(steps.size, np.int64)
    bins[known] = np.clip(before + steps[known], 0, n_bins - 1).astype(np.int64) + 1
    return np.bincount(bins * n_codes + content.codes, minlength=(n_bins + 1) * n_codes).reshape(-1, n_codes)


def _axes(painter, content, box, left, top, width, height):
    free = gutter(content.has_gutter, width)
    area = Box(left + free, top, width - free, height)
    n_bins, _, low, unit = bins_of(content, area.width)
    y = box.bottom + SMALL * LOOKS.words.axis
    name_y = y + SMALL * NAME_LINE if painter.axes and is_date(content.name) else None
    ends = Ends(low, low + n_bins * unit, content.first, content.last)
    draw_axis(painter, box.x, width, area, content.name, ends, y, name_y)
