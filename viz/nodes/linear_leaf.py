"""Linear leaf that shows its weights as bars, or as an image for image data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from viz.looks import LOOKS
from viz.nodes.bars import BARS, MAX_BARS, ROW, draw_bars
from viz.nodes.figures import Figures
from viz.nodes.node_box import NodeBox
from viz.nodes.node_content import NodeContent, flat_size, image_figure_size, image_size
from viz.nodes.node_maker import NodeMaker
from viz.nodes.node_painter import NodePainter
from viz.words import text_fit

DETAIL, LEAF = LOOKS.detail, LOOKS.leaf
SMALL = LOOKS.text.small


@dataclass(frozen=True, eq=False)
class LinearLeaf(NodeContent):
    """Leaf with a linear model.

    label : kind of model
    names, bars, n_more : largest weights, as in `Projection`. With more than two classes, a name includes the class
        that its weight favours.
    values : float64[h, w] or None. For images, the weights of the majority group minus the mean of the other groups.
    """

    label: str
    names: tuple
    bars: np.ndarray
    n_more: int
    values: np.ndarray | None = None

    @classmethod
    def of(cls, maker: NodeMaker, node: int, figures: Figures) -> Self:
        """Return the content of a leaf."""
        model = maker.tree.leaf_model.model(node)
        many = model.bias.size > 2
        sizes = model.weights * maker.deviation[model.features][:, None]
        order = [place for place in np.argsort(-np.abs(sizes), axis=None, kind="stable") if sizes.flat[place]]
        shown = [np.unravel_index(place, sizes.shape) for place in order[:MAX_BARS]]
        groups = maker.target.parts(maker.tree)
        names = tuple(maker.names[model.features[i]] + f" → {groups[c]}" * many for i, c in shown)
        label, values = cls._weights(maker, node, model, groups)
        bars = np.array([sizes[place] for place in shown])
        return cls(maker.kind(node), figures, label, names, bars, len(order) - len(shown), values)

    @staticmethod
    def _weights(maker, node, model, groups):
        """Return (label, weights as an image or None)."""
        return (f"weights for {groups[1]}" if model.bias.size == 2 else "linear model"), None

    @property
    def answer(self) -> str:
        """Return the kind of prediction as text."""
        return f"by a linear model: {self.label}" if self.label != "linear model" else "by a linear model"

    @property
    def signs(self) -> str | None:
        return "coefficient × deviation:" if self.bars.size else None

    def size(self, room: float, most: float) -> tuple[float, float]:
        return flat_size(room, most)

    def figure_size(self, room: float) -> tuple[float, float, float, float]:
        return room, 20.0 + ROW * min(self.bars.size + (self.n_more > 0), MAX_BARS), 24, 66

    def draw(self, painter: NodePainter, box: NodeBox, w: float) -> None:
        """Draw the weights on the background of decision nodes, with the counts of rows and errors below."""
        strip = min(LEAF.strip, box.h * LEAF.share)
        self._picture(painter, box, w, strip)
        painter.class_bar(self.figures, box.left, box.bottom - strip, box.w, strip)
        if w >= DETAIL.thumbnail and box.below >= SMALL:
            room = box.words_room - text_fit.width(f"{self.label}, ", SMALL)
            painter.captions([f"{self.label}, {painter.rows_text(self.figures, False, room)}"], box)

    def _picture(self, painter, box, w, strip):
        painter.rectangle(box, painter.theme.surface, painter.theme.text, LEAF.frame)
        if w >= DETAIL.line:
            fits = int((box.h - strip - BARS.spare) // ROW)
            draw_bars(painter, self, box, max(0, min(fits, self.bars.size + (self.n_more > 0))))


@dataclass(frozen=True, eq=False)
class ImageModel(LinearLeaf):
    """Linear leaf for images, drawn from its `values`."""

    @staticmethod
    def _weights(maker, node, model, groups):
        tree = maker.tree
        code = int(tree.values[node].argmax()) if model.bias.size > 2 else model.bias.size - 1
        others = (model.weights.sum(axis=1) - model.weights[:, code]) / max(model.bias.size - 1, 1)
        values = np.zeros(tree.n_features)
        values[model.features] = model.weights[:, code] - others
        return f"weights for {groups[code]}", values.reshape(maker.data.image_shape)

    def size(self, room: float, most: float) -> tuple[float, float]:
        return image_size(np.asarray(self.values), room, most * LOOKS.places.leaf_image)

    def figure_size(self, room: float) -> tuple[float, float, float, float]:
        return image_figure_size(np.asarray(self.values))

    def _picture(self, painter, box, w, strip):
        painter.weights(self.values, box)
        painter.rectangle(box, edge=painter.theme.text, line=LEAF.frame, layer=3.1)
