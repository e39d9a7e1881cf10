"""Decision node with a scatterplot, for splits on two features and for data with two features.

viz/stage/draw/scatter.js does the same in the browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from treecore.tree.date_text import column_name, end_text
from viz.drawing.canvas import Box
from viz.looks import LOOKS
from viz.nodes.axis_drawing import draw_axis
from viz.nodes.figures import Figures
from viz.nodes.node_box import ABOVE, NodeBox
from viz.nodes.node_content import Decision, Ends, evenly, missing_strip, named_lines, tint
from viz.nodes.node_maker import NodeMaker
from viz.nodes.node_painter import NodePainter
from viz.words import text_fit

SMALL = LOOKS.text.small
DETAIL, WORDS = LOOKS.detail, LOOKS.words
BESIDE_EDGE = 9  # pixels between the centre of an edge and its label


@dataclass(frozen=True, eq=False)
class SplitScatter(Decision):
    """Rows that reach a decision node, in the plane of two features, and the split.

    words : condition
    names : names of both features
    points : float64[k, 2], shifted if their features have few values, NaN if a value is missing
    codes : int[k], groups
    ends : `Ends` of the two axes
    right : float64[c, 2], corners of the part of the unit square (from low to high) whose rows go right
    line : float64[2, 2] in the unit square, or None
    missing_strips : for each axis, whether a value is missing
    missing_right : for each axis, whether rows with a missing value go right
    """

    names: tuple
    points: np.ndarray
    codes: np.ndarray
    ends: Ends
    right: np.ndarray
    line: np.ndarray | None
    missing_strips: tuple
    missing_right: tuple

    glyph = LOOKS.glyph.two
    least_with_words = DETAIL.line
    has_upward_name = True

    @classmethod
    def of(cls, maker: NodeMaker, node: int, figures: Figures) -> Self:
        """Return the content of a node."""
        features, weights, bias = maker.tree.split(node)
        axes = np.arange(2) if maker.data.X.shape[1] == 2 else features
        whole, rows = maker.rows(node)
        ends, steps = maker.plane or maker.ends(whole, axes), maker.steps[axes]
        room = SHARE * steps * 1.25  # for shifted points at both ends
        low, high = np.minimum(ends.low, ends.first - room), np.maximum(ends.high, ends.last + room)
        ends = ends._replace(low=low, high=high)
        direction = np.zeros(2)
        direction[np.searchsorted(axes, features)] = weights
        # Convert the half-plane to coordinates of the unit square.
        right, line = clip_unit_square(direction * (high - low), bias + float(direction @ low))
        drawn = evenly(rows, LOOKS.points.full.most)
        points = jittered(maker.data.X[drawn][:, axes].astype(float), drawn, steps, direction, bias)
        goes_right = maker.missing_right(node)
        return cls(
            maker.kind(node), figures, maker.words(node, 2).text, tuple(maker.names[j] for j in axes),
            points, maker.groups[drawn], ends, right, line,
            tuple(bool(maker.is_missed[j]) for j in axes), tuple(goes_right and j in features for j in axes),
        )  # fmt: skip

    def size(self, room: float, most: float) -> tuple[float, float]:
        side = min(room, most)
        return side, side

    def figure_size(self, room: float) -> tuple[float, float, float, float]:
        return 340.0, 340.0, 36, 80

    def has_axes(self, box: NodeBox, w: float) -> bool:
        return box.above > 0

    def lines(self, room: float, most_lines: int) -> tuple:
        """Return the condition, or, if that does not fit, the feature names with → and ↑."""
        names = (f"{arrow} {column_name(name)}" for arrow, name in zip("→↑", self.names, strict=True))
        return super().lines(room, most_lines) or named_lines(names, room, most_lines)

    def picture(self, painter: NodePainter, box: NodeBox, w: float) -> None:
        """Draw the rows, the split line, and a tint on the side whose rows go right."""
        wide = [missing_strip(has, side) for side, has in zip((box.w, box.h), self.missing_strips, strict=True)]
        left, floor = box.left + wide[0], box.bottom - wide[1]
        size = np.array([box.w - wide[0], box.h - wide[1]])

        def at(unit):
            return np.column_stack([left + unit[:, 0] * size[0], floor - unit[:, 1] * size[1]])

        painter.rectangle(box, painter.theme.background)
        if len(self.right) > 2:
            painter.canvas.polygon(at(self.right), painter.tint, layer=2.2)
        if wide[0] and self.missing_right[0]:
            tint(painter, box.left, box.top, wide[0], box.h)
        if wide[1] and self.missing_right[1]:
            tint(painter, left, floor, size[0], wide[1])
        self._points(painter, box, w, wide, at)
        split = LOOKS.split
        if self.line is not None:
            painter.canvas.line(
                at(self.line), painter.split_color, split.width if w >= DETAIL.line else split.small, layer=2.6
            )
        if wide[0]:
            painter.canvas.rectangle(left - 0.5, box.top, 1, box.h, painter.theme.line, layer=2.7)
        if wide[1]:
            painter.canvas.rectangle(box.left, floor - 0.5, box.w, 1, painter.theme.line, layer=2.7)
        painter.rectangle(box, edge=painter.theme.line, layer=2.8)
        self.condition(painter, box)
        if painter.axes:
            self._axes(painter, box, left)
        elif painter.lines_below(self, box)[0]:
            self._short_axes(painter, box, left)

    def _points(self, painter, box, w, wide, at):
        levels = LOOKS.points
        look = levels.thumbnail if w < DETAIL.line else levels.line if w < DETAIL.full else levels.full
        chosen = evenly(np.arange(len(self.points)), look.most)
        unit = (self.points[chosen] - self.ends.low) / (self.ends.high - self.ends.low)
        missing = np.isnan(unit)
        places = at(unit)
        # An outlier in the strip for missing values would look like a missing value.
        off = LOOKS.missing_strip.off
        if wide[0]:
            places[:, 0] = np.maximum(places[:, 0], box.left + wide[0] + off)
        if wide[1]:
            places[:, 1] = np.minimum(places[:, 1], box.bottom - wide[1] - off)
        places[missing[:, 0], 0] = box.left + wide[0] / 2
        places[missing[:, 1], 1] = box.bottom - wide[1] / 2
        inside = (np.abs(places - (box.x, box.y)) <= (box.w / 2, box.h / 2)).all(axis=1)
        colors = [painter.colors[code] for code in self.codes[chosen[inside]]]
        outline = painter.outline if look.outline else "none"
        painter.canvas.dots(places[inside], 2 * look.radius, colors, layer=2.4, edge=outline, line=look.outline)

    def _axes(self, painter, box, left):
        """Draw the names and ends of both axes."""
        area = Box(left, box.top, box.left + box.w - left, box.h)
        y, name_y = box.bottom + SMALL * WORDS.axis, box.bottom + SMALL * WORDS.name
        draw_axis(
            painter, box.x, box.w, area, self.names[0], Ends(*(end[0] for end in self.ends)), y, name_y, left - box.left
        )
        ends = [end_text(self.names[1], end[1]) for end in (self.ends.first, self.ends.last)]
        text = f"↑ {column_name(self.names[1])}: {ends[0]} to {ends[1]}"
        painter.labels.add(box.left, box.top - SMALL * WORDS.up, text, SMALL, painter.theme.muted, box.w, align="left")

    def _short_axes(self, painter, box, left):
        """Draw the axis names, and the ends if they fit. The upper name avoids the edge to the node."""
        ends = [[end_text(self.names[axis], end[axis]) for end in self.ends[2:]] for axis in (0, 1)]
        right, y, muted, add = box.left + box.w, box.words_y(), painter.theme.muted, painter.labels.add
        add(box.x, y, column_name(self.names[0]), SMALL, muted, box.words_room)
        sides = right - left - text_fit.width(column_name(self.names[0]), SMALL) - 16
        if sides >= 2 * max(text_fit.width(end, SMALL) for end in ends[0]):
            add(left, y, ends[0][0], SMALL, muted, sides / 2, align="left", whole=True)
            add(right, y, ends[0][1], SMALL, muted, sides / 2, align="right", whole=True)
        name, y = f"↑ {column_name(self.names[1])}", box.top - (ABOVE + LOOKS.head) / 2
        room, wide = box.room / 2 - BESIDE_EDGE, text_fit.width(name, SMALL)
        if wide > room:  # The condition contains the name, and a short part of it would be unclear.
            return
        if wide <= box.w / 2 - BESIDE_EDGE:
            add(box.left, y, name, SMALL, muted, room, align="left")
        else:
            add(box.x - BESIDE_EDGE, y, name, SMALL, muted, room, align="right")
        add(box.x + BESIDE_EDGE, y, " to ".join(ends[1]), SMALL, muted, room, align="left", whole=True)


def clip_unit_square(normal: np.ndarray, offset: float) -> tuple:
    """Clip the half-plane ``normal . x + offset >= 0`` to the unit square.

    Return (corners of the clipped part, both ends of its border or None).
    """
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    side = square @ normal + offset
    corners, ends = [], []
    for i in range(4):
        j = (i + 1) % 4
        if side[i] >= 0:
            corners.append(square[i])
        if (side[i] >= 0) != (side[j] >= 0):
            crossing = square[i] + side[i] / (side[i] - side[j]) * (square[j] - square[i])
            corners.append(crossing)
            ends.append(crossing)
    return np.array(corners).reshape(-1, 2), np.array(ends) if len(ends) == 2 else None


SHARE = 0.3  # largest shift as a share of the step between two values
NEAR = 0.8  # largest share of the distance to the split line by which a point approaches it
_RATIOS = np.array([0.7548776662466927, 0.5698402909980532])  # multiples modulo 1 fill the unit square evenly


def jittered(points: np.ndarray, rows: np.ndarray, steps: np.ndarray, direction: np.ndarray, bias: float) -> np.ndarray:
    """Return the shifted points, float64[n, 2]. Every point stays on its side of ``direction . x + bias >= 0``.

    rows : int[n], row numbers, which determine the shifts
    steps : float64[2], see `feature_steps`
    """
    if not np.any(steps):
        return points
    shift = 2 * SHARE * (np.outer(rows, _RATIOS) % 1 - 0.5) * steps
    margin, change = bias + points @ direction, shift @ direction
    is_toward = (margin * change <= 0) & (np.abs(change) > NEAR * np.abs(margin))
    share = np.divide(NEAR * np.abs(margin), np.abs(change), out=np.ones(len(points)), where=is_toward)
    return points + share[:, None] * shift
