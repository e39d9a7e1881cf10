"""Decision node that shows its rows along one feature, a difference or a weighted sum, and coefficients as bars.

viz/stage/draw/projection.js does the same in the browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from treecore.ordered_levels import without_levels
from treecore.tree.conditions import Linear, threshold
from treecore.tree.date_text import column_name, is_date
from viz.drawing.canvas import Box
from viz.looks import LOOKS
from viz.nodes.axis_drawing import NAME_LINE, draw_axis
from viz.nodes.bars import BARS, MAX_BARS, ROW, draw_bars
from viz.nodes.figures import Figures
from viz.nodes.node_box import NodeBox
from viz.nodes.node_content import Decision, Ends, evenly, flat_size, missing_strip, most_bins, tint
from viz.nodes.node_maker import NodeMaker
from viz.nodes.node_painter import NodePainter

SMALL = LOOKS.text.small
DETAIL, LOOK = LOOKS.detail, LOOKS.histogram
LEAST_WITH_WORDS = 40  # minimum height of a histogram with its condition
MANY, DENSE = 300, 0.65  # number of rows from which points are smaller, and the factor


@dataclass(frozen=True, eq=False)
class Projection(Decision):
    """Rows along the feature of a univariate split, or the difference or weighted sum of other splits.

    words : condition
    name : name of the axis
    values : float64[k], NaN if missing
    codes : int[k], groups
    low, high : ends of the axis
    split : threshold
    yes_right : whether larger values go right
    names, bars : largest coefficients times the standard deviation of their feature; empty for one feature
    n_more : number of coefficients left out
    has_missing_strip : whether one of these features has a missing value
    missing_right : whether rows with a missing value go right
    heights : float64[k], target values on the range of all target values; None for classification
    means : mean heights of the rows that go left and right; None for classification
    first, last : ends that the axis labels show
    is_whole : whether all values of the feature are whole numbers
    """

    name: str
    values: np.ndarray
    codes: np.ndarray
    low: float
    high: float
    split: float
    yes_right: bool
    names: tuple
    bars: np.ndarray
    n_more: int
    has_missing_strip: bool
    missing_right: bool
    first: float
    last: float
    heights: np.ndarray | None = None
    means: np.ndarray | None = None
    is_whole: bool = False

    @classmethod
    def of(cls, maker: NodeMaker, node: int, figures: Figures) -> Self:
        """Return the content of a node."""
        features, weights, bias = maker.tree.split(node)
        whole, rows = maker.rows(node)
        is_whole = features.size == 1 and bool(maker.is_whole[features[0]])
        missing_strip, right = bool(maker.is_missed[features].any()), maker.missing_right(node)
        if features.size == 1:
            values = maker.data.X[rows, features[0]].astype(float)
            low, high, first, last = (float(end[0]) for end in maker.ends(whole, features))
            split, name, yes_right = threshold(float(weights[0]), bias), maker.names[features[0]], bool(weights[0] > 0)
            bars, names, more = np.zeros(0), (), 0
        elif maker.kind(node).name == "difference":
            told = maker.difference(node)
            values = maker.data.X[rows][:, told.features].astype(float) @ np.array(told.weights)
            low, high, first, last = (float(end[0]) for end in maker.ends_of_sum(whole, told.features, told.weights))
            name, yes_right, is_whole = difference_name(told), told.relation == ">=", told.near.are_whole
            split = told.bound + is_whole * (-0.5 if yes_right else 0.5)  # between two whole numbers
            bars, names, more = np.zeros(0), (), 0
        else:
            values = maker.tree.margins(maker.data.X[rows], node)
            low, high = first, last = _inner_range(values)
            split, name, yes_right = 0.0, "w·x + b", True
            sizes = weights * maker.deviation[features]
            order = np.argsort(-np.abs(sizes), kind="stable")[:MAX_BARS]
            bars, names = sizes[order], tuple(maker.names[features[i]] for i in order)
            more = features.size - order.size
        return cls(
            maker.kind(node), figures, maker.words(node).text, name, values, maker.groups[rows],
            min(low, split), max(high, split), split, yes_right, names, bars, more, missing_strip, right,
            min(first, split), max(last, split),
            maker.target.places(np.asarray(maker.data.y)[rows]),
            maker.target.places(maker.outputs[[maker.tree.left[node], maker.tree.right[node]]]),
            is_whole,
        )  # fmt: skip

    @property
    def glyph(self) -> Any:
        return LOOKS.glyph.more if self.bars.size else LOOKS.glyph.one

    @property
    def signs(self) -> str | None:
        return "coefficient × deviation:" if self.bars.size else None

    @property
    def note(self) -> str:
        return " Bars: coefficient × deviation." if self.bars.size else ""

    @property
    def least_with_words(self) -> float | None:
        return None if self.bars.size else LEAST_WITH_WORDS

    @property
    def n_weights(self) -> int:
        """Return the number of coefficients in the weighted sum."""
        return self.bars.size + self.n_more

    def has_words(self, w: float) -> bool:
        return not self.bars.size and w >= LOOKS.words.one

    def size(self, room: float, most: float) -> tuple[float, float]:
        return flat_size(room, most)

    def figure_size(self, room: float) -> tuple[float, float, float, float]:
        n_bars = min(self.n_weights, MAX_BARS)
        return room, 150.0 + (2.1 * 13 * n_bars if n_bars else 0), 38 if is_date(self.name) else 24, 66

    def picture(self, painter: NodePainter, box: NodeBox, w: float) -> None:
        """Draw the histogram and the threshold.

        For several features, draw the coefficients as bars above a histogram of w·x + b.
        """
        painter.rectangle(box, painter.theme.surface, painter.theme.line, LOOKS.frame)
        rows = _bar_rows(self.n_weights, box.h) if self.n_weights and w >= DETAIL.line else 0
        if rows:
            draw_bars(painter, self, box, rows)
        top = BARS.above + rows * ROW + BARS.below if rows else LOOK.margin
        left, width, height = box.left + LOOK.margin, box.w - 2 * LOOK.margin, box.h - top - LOOK.margin
        if height > LOOK.least:
            _histogram(painter, self, left, box.top + top, width, height)
            if painter.axes or painter.lines_below(self, box)[0]:
                _axes(painter, self, box, left, box.top + top, width, height)
        self.condition(painter, box)


def difference_name(told: Linear) -> str:
    """Return the name of an axis with the difference of two features."""
    first, second = told.names if told.weights[0] > 0 else told.names[::-1]
    if is_date(first):
        return f"days from {column_name(second)} to {column_name(first)}"
    return f"{without_levels(first)} − {without_levels(second)}"


def _bar_rows(n_weights, height):
    """Return how many bars of coefficients fit in a node of this height."""
    fits = int((height * BARS.share - BARS.spare) // ROW)
    return max(0, min(fits, n_weights, MAX_BARS + 1)) if height >= BARS.least else 0


def _inner_range(values):
    """Return the range (low, high) of the values, without a share of the values at each end."""
    known = np.sort(values[~np.isnan(values)])
    if known.size == 0:
        return -1.0, 1.0
    last, share = known.size - 1, LOOKS.limits.inside
    return float(known[int(np.floor(share * last))]), float(known[int(np.ceil((1 - share) * last))])


def _histogram(painter, content, left, top, width, height):
    free = missing_strip(content.has_missing_strip, width)
    area, wide = left + free, width - free
    n_bins, before, low, unit = bins_of(content, wide)
    at = area + before / n_bins * wide
    start, stop = (at, area + wide) if content.yes_right else (area, at)
    tint(painter, start, top, stop - start, height)
    if free and content.missing_right:
        tint(painter, left, top, free, height)
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


def _stacks(painter, counts, strip_at, area, floor, height):
    """Draw the groups as stacked bars.

    strip_at : (left, width) of the strip for missing values
    area : (left, width) of the bars
    floor : lower edge of the bars
    """
    (left, free), (start, wide) = strip_at, area
    n_bins, totals = len(counts) - 1, counts.sum(axis=1)
    # If the strip for missing values is too full, cut it at the top, so that it does not compress the other bars.
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


def _strip(painter, content, strip_at, area, ends, room, at):
    """Draw the rows by feature value and target value, and the predictions on both sides as a step.

    ends : ends of the axis
    room : (top, height)
    at : position of the split
    """
    (left, free), (start, wide), (low, high), (top, height) = strip_at, area, ends, room
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


def bins_of(content: Projection, width: float) -> tuple:
    """Return (number of bins, number of bins before the split, low, width of a bin) for a histogram.

    The histogram is `width` pixels wide. The split is an edge between two bins.
    """
    low, high = content.low, content.high
    if not high > low:
        high = low + 1.0
    unit = (high - low) / most_bins(width, content.values.size)
    if content.is_whole:
        unit = np.ceil(unit)
    before = int(np.ceil((content.split - low) / unit))
    n_bins = before + max(1, int(np.ceil((high - content.split) / unit)))
    return n_bins, before, content.split - before * unit, unit


def counts_of(content: Projection, n_bins: int, before: int, unit: float, n_codes: int) -> np.ndarray:
    """Return int64[n_bins + 1, n_codes]: the number of rows per bin and class.

    The first bin has the rows with a missing value. Every row is counted on the side to which it goes.
    """
    steps = (content.values - content.split) / unit
    known = ~np.isnan(steps)
    steps = np.floor(steps) if content.yes_right else np.ceil(steps) - 1
    bins = np.zeros(steps.size, np.int64)
    bins[known] = np.clip(before + steps[known], 0, n_bins - 1).astype(np.int64) + 1
    return np.bincount(bins * n_codes + content.codes, minlength=(n_bins + 1) * n_codes).reshape(-1, n_codes)


def _axes(painter, content, box, left, top, width, height):
    free = missing_strip(content.has_missing_strip, width)
    area = Box(left + free, top, width - free, height)
    n_bins, _, low, unit = bins_of(content, area.width)
    y = box.bottom + SMALL * LOOKS.words.axis
    name_y = y + SMALL * NAME_LINE if painter.axes and is_date(content.name) else None
    ends = Ends(low, low + n_bins * unit, content.first, content.last)
    draw_axis(painter, box.x, width, area, content.name, ends, y, name_y, free, not content.yes_right)
