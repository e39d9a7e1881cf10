"""Drawing tools that all node plots use: dots, marks, bars and text (viz/stage/draw/picture.js)."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from treecore.tree.number_text import count
from viz.drawing.canvas import Canvas
from viz.drawing.labels import Label, Labels
from viz.looks import LOOKS
from viz.nodes.figures import Figures
from viz.nodes.node_box import NodeBox
from viz.nodes.tree_contents import TreeContents
from viz.palette import diverging, named, rgb, rgba, signs, theme_name
from viz.words import text_fit

SMALL, NORMAL = LOOKS.text.small, LOOKS.text.normal
DETAIL, LEAF, WORDS, EDGES = LOOKS.detail, LOOKS.leaf, LOOKS.words, LOOKS.edges


class Drawn(Protocol):
    """Interface that a painter needs from a node content (see `viz.nodes.node_content.NodeContent`)."""

    @property
    def group(self) -> int | None: ...
    def draw(self, painter: "NodePainter", box: NodeBox, w: float) -> None: ...
    def lines_below(self, box: NodeBox, w: float, fits: int) -> tuple[int, int]: ...


class NodePainter:
    """Draw the nodes of `TreeContents` on a Canvas and collect their text in `Labels`.

    axes : whether every plot has its axes and no text below it, as in the inspector
    """

    def __init__(self, canvas: Canvas, labels: Labels, contents: TreeContents, axes: bool = False) -> None:
        self.canvas, self.labels, self.contents, self.axes = canvas, labels, contents, axes
        self.theme, self.colors = canvas.theme, contents.colors[theme_name(canvas.theme)]
        self.signs = signs(canvas.theme)
        self.tint, self.outline = rgba(named(canvas.theme, "tint")), rgba(named(canvas.theme, "outline"))
        self.split_color = named(canvas.theme, LOOKS.split.color)

    def draw(self, content: Drawn, box: NodeBox) -> None:
        """Draw the content of a node into a `NodeBox`."""
        if box.detail >= DETAIL.glyph:
            content.draw(self, box, box.detail)
            return
        size = max(2 * LOOKS.dot, min(box.w, box.h))
        self.canvas.dots(np.array([[box.x, box.y]]), size, self.color(content.group) or self.theme.muted)

    def color(self, group: int | None) -> str | None:
        """Return the colour of a group, or None."""
        return None if group is None else self.colors[group]

    def lines_below(self, content: Drawn, box: NodeBox) -> tuple[int, int]:
        """Return (number of lines for axis names, number of lines for the condition below) for a node."""
        fits = int((box.below - WORDS.free) // WORDS.each)
        return (0, 0) if self.axes or fits < 1 else content.lines_below(box, box.detail, fits)

    def foot(self, content: Drawn, box: NodeBox) -> float:
        """Return where the edges below a node start: under the plot and its text."""
        lines = sum(self.lines_below(content, box))
        return box.bottom + (WORDS.edge + WORDS.line * lines if lines else 0)

    def captions(self, lines: Sequence[str], box: NodeBox, lines_above: int = 0) -> None:
        """Draw the lines of a text below the plot of a node, all or none: a part would state another condition."""
        self.labels.add_lines([
            Label(box.x, box.words_y(lines_above + i), line, SMALL, self.theme.text, box.words_room, whole=True)
            for i, line in enumerate(lines)
        ])  # fmt: skip

    def rectangle(
        self, box: NodeBox, color: str = "none", edge: str = "none", line: float = 1.0, layer: float = 2.0
    ) -> None:
        """Draw the box of a node."""
        self.canvas.rectangle(box.left, box.top, box.w, box.h, color, edge, line, layer)

    def wrong(self, figures: Figures) -> str:
        """Return a short text about the errors on the rows of a node."""
        target = self.contents.target
        return target.format_losses(target.wrong_words, figures.loss, figures.n)

    def rows_text(self, figures: Figures, is_bare: bool, room: float | None, least: int = 2) -> str:
        """Return as many statistics of a leaf as fit, at least `least`: its rows, its errors, and others."""
        rows, *others = self.contents.phrases("leaf", figures, is_bare)
        parts = [rows, self.wrong(figures), *others]
        while len(parts) > least and (room is None or text_fit.width(", ".join(parts), SMALL) > room):
            parts.pop()
        return ", ".join(parts)

    def class_bar(
        self, figures: Figures, left: float, top: float, width: float, height: float, layer: float = 3.2
    ) -> None:
        """Draw the class shares of a node as a stacked bar."""
        if not figures.n:
            return
        for code in np.flatnonzero(figures.counts):
            wide = figures.counts[code] / figures.n * width
            self.canvas.rectangle(left, top, wide, height, self.colors[code], layer=layer)
            left += wide

    def stub(self, words: tuple, figures: Figures, box: NodeBox) -> None:
        """Draw a collapsed subtree with two lines of text and its class bar."""
        self.rectangle(box, self.theme.surface, self.theme.line, layer=2.0)
        strip = min(LEAF.strip, box.h * LEAF.share)
        self.class_bar(figures, box.left, box.bottom - strip, box.w, strip)
        if box.detail >= DETAIL.thumbnail:
            first, second = words
            second = f"n = {count(figures.n)}" if second is None else second
            self.two_lines(first, second, box, box.y - strip / 2, box.h - strip, self.theme.text)
        self.goes_on(box.x, box.bottom)

    def goes_on(self, x: float, y: float) -> None:
        """Draw three dots below a node whose children are not drawn."""
        for i in (-1, 0, 1):
            left = x + i * EDGES.dots - EDGES.dot / 2
            self.canvas.rectangle(left, y + EDGES.below, EDGES.dot, EDGES.dot, self.theme.muted)

    def glyph(self, lines: tuple, box: NodeBox) -> None:
        """Draw the mark for the kind of split: | for one feature, / for two, # for more."""
        self.rectangle(box, self.theme.surface, self.theme.line)
        s = min(box.w, box.h) * LOOKS.glyph.size
        for a, b, c, d in lines:
            places = np.array([[box.x + a * s, box.y + b * s], [box.x + c * s, box.y + d * s]])
            self.canvas.line(places, self.theme.muted, LOOKS.glyph.width)

    def weights(self, values: np.ndarray, box: NodeBox, mean: np.ndarray | None = None) -> None:
        """Draw negative and positive numbers as an image, on a faint `mean` image in [0, 1]."""
        largest = float(np.abs(values).max()) or 1.0
        pixels = diverging(values, largest, self.theme.surface, self.signs)
        if mean is not None:
            pixels = np.where((values == 0)[..., None], self.ink(LOOKS.faint * mean), pixels)
        self.canvas.image(pixels, box.left, box.top, box.w, box.h)

    def ink(self, image: np.ndarray) -> np.ndarray:
        """Convert ink values, float64[h, w] in [0, 1], to colours, uint8[h, w, 3]."""
        low, high = rgb(self.theme.surface), rgb(self.theme.text)
        return np.rint(low + np.clip(image, 0, 1)[..., None] * (high - low)).astype(np.uint8)

    def two_lines(self, first: str, second: str, box: NodeBox, y: float, height: float, ink: str) -> None:
        """Draw one bold line of text in a node, and a second line if it fits."""
        lines, room = int(height // (NORMAL * LOOKS.text.height)), box.w - WORDS.margin
        two = height >= LEAF.both * NORMAL and box.w >= LEAF.two
        if height >= SMALL:
            size = NORMAL if lines else SMALL
            self.labels.add(box.x, y - (NORMAL * LEAF.first if two else 0), first, size, ink, room, bold=True)
        if two:
            self.labels.add(box.x, y + NORMAL * LEAF.second, second, SMALL, ink, room, whole=True)
