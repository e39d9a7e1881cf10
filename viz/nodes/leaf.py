"""Leaf that predicts a class or a number, or shows the mean of its images."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viz.looks import LOOKS
from viz.nodes.figures import Figures
from viz.nodes.node_box import NodeBox
from viz.nodes.node_content import NodeContent, image_figure_size, image_size, leaf_size
from viz.nodes.node_maker import NodeMaker
from viz.nodes.node_painter import NodePainter
from viz.palette import pale, text_on
from viz.words import text_fit

DETAIL, LEAF = LOOKS.detail, LOOKS.leaf
SMALL, NORMAL = LOOKS.text.small, LOOKS.text.normal


@dataclass(frozen=True, eq=False)
class LeafContent(NodeContent):
    """Leaf that predicts a class.

    label : the prediction as text
    code : group of the prediction
    named : the prediction with the name of the target, if it needs one
    short : the prediction without the words that all classes share
    """

    label: str
    code: int
    named: str
    short: str

    @classmethod
    def of(cls, maker: NodeMaker, node: int, figures: Figures) -> LeafContent:
        """Return the content of a leaf."""
        return cls(maker.kind(node), figures, *_prediction(maker, node))

    @property
    def group(self) -> int:
        return self.code

    @property
    def answer(self) -> str:
        """Return the prediction as text."""
        return self.label

    def size(self, room: float, most: float) -> tuple[float, float]:
        return leaf_size(room, most)

    def figure_size(self, room: float) -> tuple[float, float, float, float]:
        return 200.0, 50.0, 12, 66

    def draw(self, painter: NodePainter, box: NodeBox, w: float) -> None:
        color = pale(painter.colors[self.code], LEAF.pale, painter.theme.background)
        painter.rectangle(box, color)
        strip = self.rows(painter, box)
        if w >= LEAF.hairline:
            painter.canvas.rectangle(
                box.left, box.bottom - strip - 0.5, box.w, LOOKS.frame, painter.theme.background, layer=3.4
            )
        room = box.w - LOOKS.words.margin if box.w >= LEAF.wrong else None
        second = painter.rows_text(self.figures, box.w < LEAF.n, room, 1)
        free = box.w - LOOKS.words.margin
        label = self.label if text_fit.width(self.label, LOOKS.text.smallest, bold=True) <= 0.98 * free else self.short
        label = self.named if text_fit.width(self.named, NORMAL, bold=True) <= free else label
        painter.two_lines(label, second, box, box.y - strip / 2, box.h - strip, text_on(color))

    def rows(self, painter: NodePainter, box: NodeBox) -> float:
        """Draw the rows along the lower edge of the leaf; return the height that they take."""
        strip = min(LEAF.strip, box.h * LEAF.share)
        painter.class_bar(self.figures, box.left, box.bottom - strip, box.w, strip)
        return strip


@dataclass(frozen=True, eq=False)
class NumberLeaf(LeafContent):
    """Leaf that predicts a number.

    place : position of the number on the range of all predicted numbers
    """

    place: float

    @classmethod
    def of(cls, maker: NodeMaker, node: int, figures: Figures) -> NumberLeaf:
        places = np.asarray(maker.target.places(maker.outputs[node]))
        return cls(maker.kind(node), figures, *_prediction(maker, node), float(places))

    def rows(self, painter: NodePainter, box: NodeBox) -> float:
        """Draw the rows by range on the common axis of all leaves, and mark the prediction."""
        height, bar, counts = min(LEAF.spread, box.h * LEAF.spread_share), LOOKS.split.bar, self.figures.counts
        top, step, add = box.bottom - height, box.w / counts.size, painter.canvas.rectangle
        add(box.left, top, box.w, height, painter.theme.surface, layer=3.1)
        for group in np.flatnonzero(counts):
            high = max(counts[group] / counts.max() * (height - 2), 1)
            left = box.left + group * step
            add(left, box.bottom - high, max(step - 0.5, 0.5), high, painter.colors[group], layer=3.2)
        if box.w >= LEAF.two:
            add(box.left + self.place * box.w - bar / 2, top, bar, height, painter.theme.text, layer=3.3)
        return height


@dataclass(frozen=True, eq=False)
class ImageLeaf(LeafContent):
    """Leaf with images.

    image : float64[h, w] in [0, 1], the mean image
    """

    image: np.ndarray

    @classmethod
    def of(cls, maker: NodeMaker, node: int, figures: Figures) -> ImageLeaf:
        return cls(maker.kind(node), figures, *_prediction(maker, node), maker.mean(node))

    def size(self, room: float, most: float) -> tuple[float, float]:
        return image_size(self.image, room, most * LOOKS.places.leaf_image)

    def figure_size(self, room: float) -> tuple[float, float, float, float]:
        return image_figure_size(self.image)

    def draw(self, painter: NodePainter, box: NodeBox, w: float) -> None:
        color = painter.colors[self.code]
        if w < DETAIL.image:
            painter.rectangle(box, color)
            return
        painter.canvas.image(painter.ink(self.image), box.left, box.top, box.w, box.h)
        painter.rectangle(box, edge=painter.theme.line, layer=3.1)
        high = min(LOOKS.bar, box.h * LEAF.share)
        painter.canvas.rectangle(box.left, box.bottom - high, box.w, high, color, layer=3.2)
        if w >= LEAF.badge:
            self._badge(painter, box, color)

    def _badge(self, painter, box, color):
        """Draw the class name below the mean image or, if there is no room, on its colour on the lower edge."""
        outside = box.below >= NORMAL * LEAF.room
        if not outside and box.h < LEAF.high * NORMAL:
            return
        y = box.bottom + NORMAL * (LEAF.below if outside else -LEAF.above)
        ink = painter.theme.text if outside else text_on(color)
        patch = {} if outside else {"background": color, "least": box.w}
        painter.labels.add(box.x, y, self.label, NORMAL, ink, box.room, bold=True, **patch)
        if box.w >= LEAF.counts and box.below >= LEAF.counts_room * NORMAL:
            text = painter.rows_text(self.figures, True, box.room)
            y = box.bottom + NORMAL * LEAF.counts_below
            painter.labels.add(box.x, y, text, SMALL, painter.theme.muted, box.room, whole=True)


def _prediction(maker, node):
    """Return the `LeafContent.label`, `code`, `named` and `short` of a leaf."""
    value, target = maker.outputs[node], maker.target
    label, code = maker.tree.leaf_model.worded(target.answer(value)), int(target.group_of(value))
    named = f"{target.leaf_name} = {label}" if target.leaf_name else label
    return label, code, named, maker.short_groups[code] if target.values_are_groups else label
