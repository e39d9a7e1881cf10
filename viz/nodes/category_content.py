"""Decision node that separates the categories of a column (viz/stage/draw/category_picture.js)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from treecore.tree.category_columns import Cases, Category
from treecore.tree.condition_text import visible
from treecore.tree.conditions import Interval
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.date_text import column_name
from viz.drawing.canvas import Box
from viz.looks import LOOKS
from viz.nodes.axis_drawing import NAME_LINE, draw_axis
from viz.nodes.category_columns import only_other
from viz.nodes.figures import Figures
from viz.nodes.node_box import NodeBox
from viz.nodes.node_content import Decision, Ends, evenly, flat_size, missing_strip, most_bins, named_lines, tint
from viz.nodes.node_maker import NodeMaker
from viz.nodes.node_painter import NodePainter

SMALL = LOOKS.text.small
LOOK = LOOKS.histogram
NAME_WIDTH, NAME_HEIGHT = 24, 30  # minimum width of a bar, and minimum height of a strip that shows its name
GAP = 3  # pixels between strips, and between bars
HEAD = 1.3 * SMALL  # height of a name
GOLDEN = 0.6180339887
STRIP = 64  # height in pixels of a strip in a figure of a single node


@dataclass(frozen=True, eq=False)
class CategoryContent(Decision):
    """Rows by the category of a column, in bars, or in strips along the values of a second column.

    columns : names of the one or two columns
    n_weights : number of weights of the split
    names : names of the bars or strips
    places : int[k], strip of each row, -1 for none
    sides : rows of each strip that go right: True (all), False (none), (threshold, whether larger values go right), or
        a tuple of bool with one value for each of `others`
    axis : name of the feature along the strips, None without numbers
    values : float64[k], positions of the rows along the strips, or of their category among `others`; NaN if missing
    others : names of the categories of the second column
    low, high, first, last : ends of the axis, as in `Projection`
    codes : int[k], groups
    has_missing_strip, missing_right, heights, means : as in `Projection`
    """

    columns: tuple
    n_weights: int
    names: tuple
    places: np.ndarray
    sides: tuple
    axis: str | None
    values: np.ndarray
    others: tuple
    low: float
    high: float
    first: float
    last: float
    codes: np.ndarray
    has_missing_strip: bool
    missing_right: bool
    heights: np.ndarray | None = None
    means: np.ndarray | None = None

    @property
    def is_bars(self) -> bool:
        """Return whether there is only one column."""
        return len(self.columns) == 1

    least_with_words = LOOKS.detail.line

    @classmethod
    def of(cls, maker: NodeMaker, node: int, figures: Figures) -> Self:
        """Return the content of a node."""
        tree, data = maker.tree, maker.data
        split = tree.split(node)
        whole, rows = maker.rows(node)
        used = np.unique(tree.features) if tree.n_features > 2 else np.arange(tree.n_features)

        def ends(feature):
            place = feature if maker.plane else 0
            return tuple(float(end[place]) for end in maker.plane or maker.ends(whole, [feature]))

        return cls(
            maker.kind(node), figures, maker.words(node).text, n_weights=split[0].size, codes=maker.groups[rows],
            has_missing_strip=bool(maker.is_missed[split[0]].any()), missing_right=maker.missing_right(node),
            heights=maker.target.places(np.asarray(data.y)[rows]),
            means=maker.target.places(maker.outputs[[tree.left[node], tree.right[node]]]),
            **category_fields(maker.readable_decision(node), split, data, used, rows, ends),
        )  # fmt: skip

    @property
    def glyph(self) -> Any:
        look = LOOKS.glyph
        return {1: look.one, 2: look.two}.get(self.n_weights, look.more)

    def size(self, room: float, most: float) -> tuple[float, float]:
        if self.kind.shape == "flat":
            return flat_size(room, most)
        side = min(room, most)
        return side, side

    def figure_size(self, room: float) -> tuple[float, float, float, float]:
        high = 150.0 if self.is_bars else min(max(150.0, STRIP * len(self.names)), 340.0)
        return room, high, 24 if self.axis is None else 38, 66

    def lines(self, room: float, most_lines: int) -> tuple:
        """Return the condition, or, if that does not fit, the names of the columns."""
        return super().lines(room, most_lines) or named_lines(self.columns, room, most_lines)

    def picture(self, painter: NodePainter, box: NodeBox, w: float) -> None:
        """Draw a bar for each category, or a strip in which the rows are placed by the other column."""
        painter.rectangle(box, painter.theme.surface, painter.theme.line, LOOKS.frame)
        free = missing_strip(self.has_missing_strip, box.w)
        names = HEAD if self.is_bars and box.w >= LOOKS.detail.line and box.h > 4 * SMALL else 0.0
        area = Box(box.left + LOOK.margin + free, box.top + LOOK.margin + names,
                   box.w - 2 * LOOK.margin - free, box.h - 2 * LOOK.margin - names)  # fmt: skip
        strips = _strips(self, area, names)
        bins, cells = _cells(self, area, strips, box)
        _sides(painter, self, area, strips, cells, bins)
        if free and self.missing_right:
            tint(painter, area.left - free, area.top, free - 2, area.height)
        gap = area._replace(left=area.left - free, width=free - 2) if free else None
        if self.heights is None:
            _bars(painter, self, gap, cells, bins)
        else:
            _numbers(painter, self, gap, cells, bins)
            _means(painter, self, area, strips, cells, bins)
        look = LOOKS.split
        for side, strip in zip(self.sides, strips, strict=True):
            if self.axis is not None and isinstance(side, tuple):
                at = _at(self, area, side[0])
                painter.canvas.rectangle(
                    at - look.bar / 2, strip.top, look.bar, strip.height, painter.split_color, layer=2.6
                )
        if free:
            painter.canvas.rectangle(area.left - 1.5, area.top, 1, area.height, painter.theme.line, layer=2.5)
        if w >= LOOKS.detail.line:
            _names(painter, self, strips, names > 0)
            if painter.axes or painter.lines_below(self, box)[0]:
                _axis(painter, self, box, area)
        self.condition(painter, box)


def _part(place, count, start, size):
    """Return (start, length) of one of `count` equal parts."""
    return start + place * size / count, max(size / count - (GAP if place < count - 1 else 0), 1.0)


def _strips(content, area, names):
    """Return the Box of each category."""
    n = len(content.names)
    if content.is_bars:
        parts = [_part(i, n, area.left, area.width) for i in range(n)]
        return [Box(left, area.top - names, width, area.height + names) for left, width in parts]
    return [
        area._replace(top=top, height=height) for top, height in (_part(i, n, area.top, area.height) for i in range(n))
    ]


def _cells(content, area, strips, box):
    """Return (number of bins per strip, Box of the bars in each strip)."""
    if content.is_bars:
        return 1, [strip._replace(top=area.top, height=area.height) for strip in strips]
    bins = len(content.others) or most_bins(area.width, content.values.size)
    head = HEAD if box.w >= LOOKS.detail.line and strips[0].height >= NAME_HEIGHT else 0.0
    step = area.width / bins
    across = [
        _part(b, bins, area.left, area.width) if content.others else (area.left + b * step, step - LOOK.gap)
        for b in range(bins)
    ]
    return bins, [
        Box(left, strip.top + head, max(width, LOOK.gap), strip.height - head)
        for strip in strips
        for left, width in across
    ]


def _at(content, area, bound):
    return area.left + (bound - content.low) / (content.high - content.low) * area.width


def _sides(painter, content, area, strips, cells, bins):
    """Tint the part of each strip whose rows go right."""
    for i, (side, strip) in enumerate(zip(content.sides, strips, strict=True)):
        if side is True:
            tint(painter, *strip)
        elif side and content.axis is not None:
            bound, is_right = side
            at, end = _at(content, area, bound), strip.left + strip.width
            tint(painter, at if is_right else strip.left, strip.top, end - at if is_right else at - strip.left,
                  strip.height)  # fmt: skip
        elif side:
            for cell, goes_right in zip(cells[i * bins :], side, strict=False):
                if goes_right:
                    tint(painter, cell.left, strip.top, cell.width, strip.height)


def cells_of(content: CategoryContent, bins: int) -> np.ndarray:
    """Return int64[k], the bar of each row, or -1 if a value is missing."""
    if content.is_bars:
        return content.places.astype(np.int64)
    unit = 1.0 if content.others else (content.high - content.low) / bins or 1.0
    known = (content.places >= 0) & ~np.isnan(content.values)
    at = np.full(content.places.size, -1, np.int64)
    steps = np.clip(np.floor((content.values[known] - content.low) / unit), 0, bins - 1)
    at[known] = content.places[known] * bins + steps.astype(np.int64)
    return at


def _numbers(painter, content, gap, cells, bins):
    """Draw the rows in each bar at the height of their target value."""
    at = cells_of(content, bins)
    levels, detail = LOOKS.points, LOOKS.detail
    for place in np.unique(at).tolist():
        cell = gap if place < 0 else cells[place]
        if cell is None:
            continue
        look = levels.thumbnail if cell.width < detail.line else levels.line
        rows = evenly(np.flatnonzero(at == place), look.most)
        spread = 2 * (rows * GOLDEN % 1) - 1  # Looks random, but a row always gets the same position.
        x = cell.left + cell.width * (0.5 + 0.42 * spread)
        y = cell.top + 1 + (1 - content.heights[rows]) * (cell.height - 2)
        colors = [painter.colors[code] for code in content.codes[rows]]
        painter.canvas.dots(np.column_stack([x, y]), 2 * look.radius, colors, layer=2.4)


def _means(painter, content, area, strips, cells, bins):
    """Draw the predictions on both sides as horizontal lines."""
    for i, (side, strip) in enumerate(zip(content.sides, strips, strict=True)):
        own, end = cells[i * bins : (i + 1) * bins], strip.left + strip.width
        if isinstance(side, bool):
            parts = [(side, strip.left, end)]
        elif content.axis is not None:
            at, is_right = _at(content, area, side[0]), side[1]
            parts = [(not is_right, strip.left, at), (is_right, at, end)]
        else:
            parts = [
                (goes_right, cell.left, cell.left + cell.width) for goes_right, cell in zip(side, own, strict=False)
            ]
        line = LOOKS.split.width if strip.width >= LOOKS.detail.line else LOOKS.split.small
        for goes_right, start, stop in parts:
            level = own[0].top + 1 + (1 - content.means[int(goes_right)]) * (own[0].height - 2)
            for color, thick in ((painter.theme.background, line + 2), (painter.theme.text, line)):
                painter.canvas.rectangle(start, level - thick / 2, max(stop - start, 0), thick, color, layer=2.5)


def _bars(painter, content, gap, cells, bins):
    """Draw the groups as stacked bars on one scale."""
    k = len(painter.colors)
    at = (cells_of(content, bins) + 1) * k + content.codes
    counts = np.bincount(at, minlength=(len(cells) + 1) * k).reshape(-1, k)
    totals = counts.sum(axis=1)
    most = max(int(totals[1:].max()), 1)
    for i, cell in enumerate([gap, *cells]):
        if cell is None:
            continue
        scale, bottom = (cell.height - 1) / (most if i else max(most, totals[0])), cell.top + cell.height
        for code in np.flatnonzero(counts[i]):
            high = counts[i, code] * scale
            bottom -= high
            painter.canvas.rectangle(cell.left, bottom, cell.width, high, painter.colors[code], layer=2.4)


def _names(painter, content, strips, has_room):
    muted = painter.theme.muted
    for name, strip in zip(content.names, strips, strict=True):
        if content.is_bars and has_room and strip.width >= NAME_WIDTH:
            painter.labels.add(strip.left + strip.width / 2, strip.top + SMALL * 0.65, name, SMALL, muted, strip.width)
        elif not content.is_bars and strip.height >= NAME_HEIGHT:
            painter.labels.add(
                strip.left + 4, strip.top + SMALL * 0.7, name, SMALL, muted, strip.width - 8, align="left"
            )


def _axis(painter, content, box, area):
    y = box.bottom + SMALL * LOOKS.words.axis
    if content.axis is None:
        painter.labels.add(box.x, y, content.columns[-1], SMALL, painter.theme.muted, box.w)
        return
    name_y = y + SMALL * NAME_LINE if painter.axes else None
    ends = Ends(content.low, content.high, content.first, content.last)
    draw_axis(painter, box.x, box.w, area, content.axis, ends, y, name_y)


OTHERS = "others"
_UNIT = {"low": 0.0, "high": 1.0, "first": 0.0, "last": 1.0}  # ends of an axis that has no numbers


def category_fields(
    condition: Category | Cases, split: tuple, data: DataSetLike, used: np.ndarray, rows: np.ndarray, ends: Callable
) -> dict:
    """Return the fields of `CategoryContent` from `columns` to `high`, without `n_weights`.

    condition : condition of the split
    split : (features, weights, bias)
    used : int64[u], ascending, all features in the plot
    rows : int[k], the displayed rows
    ends : function that returns the `Ends` of the axis of a feature, as numbers
    """
    features, weights, bias = split
    weight_of = dict(zip(features.tolist(), weights.tolist(), strict=True))
    if isinstance(condition, Category):
        first = _same_column(data, used, features[0])
        names, places = _by_category(data, used, first, rows)
        sides = [bool(bias + weight_of.get(j, 0.0) >= 0) for j in first] + [bool(bias >= 0)]
        order = np.argsort(sides[: len(names)], kind="stable")  # the categories of a side are together
        places = np.where(places < 0, -1, np.argsort(order)[places])
        names = tuple(names[place] for place in order)
        found = {
            "columns": (condition.name,),
            "sides": tuple(sides[place] for place in order),
            "axis": None,
            "values": np.zeros(rows.size),
        }
        return found | {"names": names, "places": places, "others": (), **_UNIT}
    first, (j, *_) = list(condition.features), [j for j in features.tolist() if j not in condition.features]
    names, places = _by_category(data, used, first, rows)
    second = str(data.feature_names[j])
    if any(isinstance(part, Category) for part in condition.parts):
        features = _same_column(data, used, j)
        others, values = _by_category(data, used, features, rows)
        of_others = [weight_of.get(feature, 0.0) for feature in features] + [0.0]
        sums = [bias + weight_of[feature] for feature in first] + [bias]
        sides = tuple(
            _side(part, tuple(bool(total + own >= 0) for own in of_others[: len(others)]))
            for part, total in zip(condition.parts, sums, strict=True)
        )
        found = {"columns": (condition.name, _column(second)), "axis": None, "others": others, **_UNIT}
        return found | {"names": names, "places": places, "sides": sides[: len(names)],
                        "values": np.where(values < 0, np.nan, values)}  # fmt: skip
    sides = tuple(_side(part) for part in condition.parts)
    bounds = [side[0] for side in sides if isinstance(side, tuple)]
    low, high, first_value, last_value = ends(j)
    return {
        "columns": (condition.name, column_name(second)), "names": names,
        "places": places, "sides": sides[: len(names)],
        "axis": second, "values": data.X[rows, j].astype(np.float64), "others": (),
        "low": min([low, *bounds]), "high": max([high, *bounds]),
        "first": min([first_value, *bounds]), "last": max([last_value, *bounds]),
    }  # fmt: skip


def _side(part, of_others=()):
    if part is None:
        return True
    if isinstance(part, Interval):
        return (part.low, True) if np.isfinite(part.low) else (part.high, False)
    return of_others if isinstance(part, Category) else False


def _column(name):
    return visible(name.rpartition(" = ")[0])


def _same_column(data, used, feature):
    """Return the features in the plot that belong to the same column as `feature`."""
    column = str(data.feature_names[feature]).rpartition(" = ")[0]
    return [j for j in used.tolist() if str(data.feature_names[j]).rpartition(" = ")[0] == column]


def _by_category(data, used, features, rows):
    """Return (names of the categories, int64[rows] with the index of each row's category, -1 if missing)."""
    X = data.X[np.ix_(rows, features)]
    places = np.where((X == 1).any(axis=1), (X == 1).argmax(axis=1), len(features))
    places[np.isnan(X[:, 0].astype(np.float64))] = -1
    names = tuple(visible(str(data.feature_names[j]).rpartition(" = ")[2]) for j in features)
    if not (places == len(features)).any():
        return names, places
    same = _same_column(data, used, features[0])
    return (*names, (only_other(data, same) if len(same) == len(features) else None) or OTHERS), places
