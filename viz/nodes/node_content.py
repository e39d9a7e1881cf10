"""Base classes of node contents: plain data with methods that draw the data."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from viz.looks import LOOKS
from viz.nodes.figures import Figures
from viz.nodes.node_box import NodeBox
from viz.nodes.node_kinds import NodeKind
from viz.nodes.node_painter import NodePainter
from viz.words import text_fit
from viz.words.text_fit import condition_lines

DETAIL, WORDS = LOOKS.detail, LOOKS.words


class Ends(NamedTuple):
    """Ends of the axes of a plot: float64[axes] each, or floats for one axis.

    low, high : ends of the drawing, with margins
    first, last : smallest and largest displayed value, shown as labels
    """

    low: Any
    high: Any
    first: Any
    last: Any


@dataclass(frozen=True, eq=False)
class NodeContent:
    """Content of any node.

    kind : `NodeKind` of the node
    figures : counts and statistics of the node
    """

    kind: NodeKind
    figures: Figures

    @property
    def group(self) -> int | None:
        """Return the group whose colour the node has."""
        return self.figures.leading

    @property
    def signs(self) -> str | None:
        """Return the meaning of the colours of negative and positive values, or None without them."""
        return None

    @property
    def least_with_words(self) -> float | None:
        """Return the height from which the condition may take several lines, or None if it takes at most one."""
        return None

    @property
    def has_upward_name(self) -> bool:
        """Return whether the name of the vertical axis goes above the plot if there is room."""
        return False

    @property
    def has_branch_words(self) -> bool:
        """Whether the condition is below the node and on its edges."""
        return True

    def size(self, room: float, most: float) -> tuple[float, float]:
        """Return (width, height) in pixels.

        room : maximum width
        most : maximum height
        """
        raise NotImplementedError

    def draw(self, painter: NodePainter, box: NodeBox, w: float) -> None:
        """Draw the node into a box.

        w : width that determines the level of detail, at least that of a glyph
        """
        raise NotImplementedError

    def lines_below(self, box: NodeBox, w: float, fits: int) -> tuple[int, int]:
        """Return (number of lines for axis names, number of lines for the condition below), at most `fits` in total."""
        return 0, 0

    def figure_size(self, room: float) -> tuple[float, float, float, float]:
        """Return (width, height, height of the axes below, height of the axes above) for a figure of this node alone.

        room : width of the figure
        """
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Decision(NodeContent):
    """Content of a decision node.

    words : condition
    """

    words: str

    least: ClassVar[float] = DETAIL.thumbnail  # minimum width in pixels; narrower nodes show only the glyph

    @property
    def note(self) -> str:
        """Return a sentence that explains the figure of the node."""
        return ""

    @property
    def glyph(self) -> Any:
        """Return the lines of the mark for its kind of split."""
        raise NotImplementedError

    def picture(self, painter: NodePainter, box: NodeBox, w: float) -> None:
        """Draw the plot."""
        raise NotImplementedError

    def draw(self, painter: NodePainter, box: NodeBox, w: float) -> None:
        color = painter.color(self.group)
        if color and self.has_branch_words and not painter.axes:
            high = min(LOOKS.head, LOOKS.head_share * box.h)
            painter.canvas.rectangle(box.left, box.top - high, box.w, high, color, layer=2.0)
        if w >= self.least:
            self.picture(painter, box, w)
        else:
            painter.glyph(self.glyph, box)

    def has_words(self, w: float) -> bool:
        """Return whether the condition is below the node at this width."""
        return w >= DETAIL.line

    def has_axes(self, box: NodeBox, w: float) -> bool:
        """Return whether the axis names are below the node."""
        return w >= DETAIL.full

    def lines_below(self, box: NodeBox, w: float, fits: int) -> tuple[int, int]:
        caption = len(self.lines(box.words_room, min(fits, 3))) if self.has_words(w) else 0
        axes = int(self.has_axes(box, w))
        return (axes if axes + caption <= fits else 0), caption

    def condition(self, painter: NodePainter, box: NodeBox) -> None:
        """Draw the condition below the plot and the axis names."""
        axes, lines = painter.lines_below(self, box)
        painter.captions(self.lines(box.words_room, lines) if lines else (), box, axes)

    def lines(self, room: float, most_lines: int) -> tuple:
        """Return the lines of the condition below the plot as a tuple, () if they do not fit in `room` pixels."""
        return condition_lines(self.words, LOOKS.text.small, room, most_lines)


def named_lines(names: Iterable[str], room: float, most_lines: int) -> tuple:
    """Return two lines with the feature names of a plot, () if they do not fit."""
    if most_lines < 2:
        return ()
    small = LOOKS.text.small
    lines = tuple(text_fit.fit(text_fit.clean(name, any_glyph=True), small, room)[0] for name in names)
    return lines if all(lines) else ()


def flat_size(room: float, most: float) -> tuple[float, float]:
    """Return (width, height) in pixels of a plot that is wider than high, for `NodeContent.size`."""
    look = LOOKS.places
    h = min(most, room / look.flat)
    return min(room, h * look.long), h


def leaf_size(room: float, most: float) -> tuple[float, float]:
    """Return (width, height) in pixels of a leaf or a collapsed subtree, for `NodeContent.size`."""
    look = LOOKS.places
    h = min(most, max(room * look.leaf, look.least_leaf), look.most_leaf)
    return min(room, look.longest_leaf, h * look.leaf_long), h


def image_size(image: np.ndarray, room: float, most: float) -> tuple[float, float]:
    """Return (width, height) in pixels of an image, for `NodeContent.size`."""
    unit = min(room / image.shape[1], most / image.shape[0])
    return unit * image.shape[1], unit * image.shape[0]


def image_figure_size(image: np.ndarray) -> tuple[float, float, float, float]:
    """Return the `figure_size` of an image."""
    return *image_size(image, 300, 300), 28, 66


def most_bins(width: float, n: int) -> int:
    """Return the number of bins of a histogram of n rows that is `width` pixels wide."""
    room = math.floor(width / LOOKS.histogram.bin + 0.5)
    return max(
        LOOKS.histogram.fewest, min(room, LOOKS.histogram.most, math.ceil(LOOKS.histogram.per_root * math.sqrt(n)))
    )


def missing_strip(has: bool, length: float) -> float:
    """Return the width of the strip for missing values on an axis of this length, 0 if no value is missing."""
    look = LOOKS.missing_strip
    return max(look.least, min(look.most, length * look.share)) if has else 0.0


def tint(painter: NodePainter, left: float, top: float, width: float, height: float) -> None:
    """Tint a rectangle to mark the side whose rows go right."""
    corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    painter.canvas.polygon(corners, painter.tint, layer=2.2)


def evenly(items: np.ndarray, most: int) -> np.ndarray:
    """Return at most `most` items, evenly spaced."""
    n = len(items)
    return items if n <= most else items[(np.arange(most) * n) // most]
