"""Decision node that shows its weights as an image, for image data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from viz.looks import LOOKS
from viz.nodes.figures import Figures
from viz.nodes.node_box import NodeBox
from viz.nodes.node_content import Decision, image_figure_size, image_size
from viz.nodes.node_maker import NodeMaker
from viz.nodes.node_painter import NodePainter

DETAIL = LOOKS.detail


@dataclass(frozen=True, eq=False)
class WeightImage(Decision):
    """Weights of a split on pixels.

    values : float64[h, w], the weights, 0 for unused pixels
    means : float64[h, w] in [0, 1] each, mean images of the rows that go left and right
    mean : float64[h, w] in [0, 1], mean image of all rows of the node
    """

    values: np.ndarray
    n_nonzero: int
    means: tuple
    mean: np.ndarray

    least: ClassVar[float] = DETAIL.image
    has_branch_words = False  # people cannot interpret a threshold on pixel values
    glyph = LOOKS.glyph.more
    signs = "weights:"

    @classmethod
    def of(cls, maker: NodeMaker, node: int, figures: Figures) -> Self:
        """Return the content of a node."""
        tree = maker.tree
        features, weights, _ = tree.split(node)
        image = np.zeros(tree.n_features)
        image[features] = weights
        means = tuple(maker.mean(child) for child in (tree.left[node], tree.right[node]))
        shape = maker.data.image_shape
        return cls(
            maker.kind(node),
            figures,
            maker.words(node).text,
            image.reshape(shape),
            features.size,
            means,
            maker.mean(node),
        )

    def size(self, room: float, most: float) -> tuple[float, float]:
        return image_size(self.values, room, most)

    def figure_size(self, room: float) -> tuple[float, float, float, float]:
        return image_figure_size(self.values)

    def lines_below(self, box: NodeBox, w: float, fits: int) -> tuple[int, int]:
        return 0, 0

    def picture(self, painter: NodePainter, box: NodeBox, w: float) -> None:
        painter.weights(self.values, box, self.mean)
        painter.rectangle(box, edge=painter.theme.line, layer=3.1)
        if w >= DETAIL.line:
            painter.class_bar(self.figures, box.left, box.bottom - LOOKS.bar, box.w, LOOKS.bar)
