"""One node drawn into its box; what it shows depends on the room (viz/stage/draw/picture.js and scatter.js)."""

import numpy as np

from treecore.tree.date_text import column_name, end_text
from treecore.tree.number_text import count
from viz.drawing.canvas import Box, Canvas
from viz.drawing.labels import Labels
from viz.looks import LOOKS
from viz.palette import diverging, named, rgb, rgba, signs, text_on, theme_name
from viz.tree.axis_drawing import draw_axis
from viz.tree.category_content import CategoryContent
from viz.tree.category_drawing import draw_categories
from viz.tree.node_content import (
    Decision,
    Ends,
    Figures,
    LeafContent,
    LinearLeaf,
    Projection,
    SplitScatter,
    TreeContents,
    WeightImage,
    evenly,
)
from viz.tree.projection_drawing import draw_bars, draw_projection, gutter, linear_rows
from viz.tree.tree_places import ABOVE, NodeBox, words_of
from viz.words import text_fit

SMALL, NORMAL = LOOKS.text.small, LOOKS.text.normal
DETAIL, LEAF, WORDS, EDGES = LOOKS.detail, LOOKS.leaf, LOOKS.words, LOOKS.edges
BESIDE_EDGE = 9  # pixels between the middle of an edge and words beside it


class NodePainter:
    """Draws nodes of `TreeContents` on a Canvas, their texts into `Labels`.

    axes : whether every picture has its axes and no words below, as in the inspector.
    """

    def __init__(self, canvas: Canvas, labels: Labels, contents: TreeContents, axes: bool = False) -> None:
        self.canvas, self.labels, self.contents, self.axes = canvas, labels, contents, axes
        self.theme, self.colors = canvas.theme, contents.colors[theme_name(canvas.theme)]
        self.signs = signs(canvas.theme)
        self.tint, self.outline = rgba(named(canvas.theme, "tint")), rgba(named(canvas.theme, "outline"))
        self.split_color = named(canvas.theme, LOOKS.split.color)

    def draw(self, content: Decision | LeafContent, box: NodeBox) -> None:
        """Draw the content of a node into a `NodeBox`."""
        w = width_for_detail(box)
        if w < DETAIL.glyph:
            self.canvas.dots(
                np.array([[box.x, box.y]]),
                max(2 * LOOKS.dot, min(box.w, box.h)),
                self._color(content) or self.theme.muted,
            )
            return
        if isinstance(content, LeafContent):
            self._leaf(content, box, w)
            return
        if isinstance(content, LinearLeaf):
            self._linear_leaf(content, box, w)
            return
        if not self.axes and self._color(content):
            high = min(LOOKS.head, LOOKS.head_share * box.h)
            self.canvas.rectangle(box.left, box.top - high, box.w, high, self._color(content), layer=2.0)
        if isinstance(content, WeightImage) and w >= DETAIL.image:
            self._weights(content, box, w)
        elif w < DETAIL.thumbnail:
            self._glyph(content, box)
        elif isinstance(content, SplitScatter):
            self._scatter(content, box, w)
        elif isinstance(content, CategoryContent):
            draw_categories(self, content, box, w)
        elif isinstance(content, Projection):
            draw_projection(self, content, box, w, named=w >= DETAIL.line)

    def _color(self, content):
        """Colour of a leaf, and of the strip on a decision: of the group that half of its rows have, or None."""
        if isinstance(content, LeafContent):
            return self.colors[content.code]
        group = content.figures.leading
        return None if group is None else self.colors[group]

    def lines_below(self, content: Decision, box: NodeBox) -> tuple:
        """(lines of axis names, lines of the condition below them) of a decision node."""
        if self.axes or isinstance(content, LeafContent | LinearLeaf):
            return 0, 0
        w = width_for_detail(box)
        fits = int((box.below - WORDS.free) // WORDS.each)
        if fits < 1:
            return 0, 0
        if isinstance(content, WeightImage):
            return 0, int(w >= WORDS.image)
        scatter = isinstance(content, SplitScatter)
        is_two = scatter or isinstance(content, CategoryContent)
        shown = w >= DETAIL.line if is_two else not content.bars.size and w >= WORDS.one
        caption = len(words_of(content, words_room(box), min(fits, 3))) if shown else 0
        axes = int(box.above > 0 if scatter else w >= DETAIL.full)
        return (axes if axes + caption <= fits else 0), caption

    def foot(self, content: Decision, box: NodeBox) -> float:
        """Where the edges of a node begin: below its picture and words."""
        lines = sum(self.lines_below(content, box))
        return box.bottom + (WORDS.edge + WORDS.line * lines if lines else 0)

    def caption(self, text: str, box: NodeBox, lines_above: int = 0, whole: bool = False, muted: bool = False) -> None:
        """Words below the picture of a node."""
        color = self.theme.muted if muted else self.theme.text
        self.labels.add(box.x, words_y(box, lines_above), text, SMALL, color, words_room(box), whole=whole)

    def condition(self, content: Decision, box: NodeBox) -> None:
        """The condition of a node, below its picture and the names of its axes."""
        axes, lines = self.lines_below(content, box)
        if lines:
            for i, line in enumerate(words_of(content, words_room(box), lines)):
                self.caption(line, box, axes + i, whole=True)

    def rectangle(
        self, box: NodeBox, color: str = "none", edge: str = "none", line: float = 1.0, layer: float = 2.0
    ) -> None:
        """The box of a node."""
        self.canvas.rectangle(box.left, box.top, box.w, box.h, color, edge, line, layer)

    def wrong(self, figures: Figures) -> str:
        """How good the leaves below are for the rows of a node, in a few words."""
        target = self.contents.target
        return target.told(target.wrong_words, figures.loss, figures.n)

    def class_bar(
        self, figures: Figures, left: float, top: float, width: float, height: float, layer: float = 3.2
    ) -> None:
        """Shares of the groups of a node as a stacked bar."""
        if not figures.n:
            return
        for code in np.flatnonzero(figures.counts):
            wide = figures.counts[code] / figures.n * width
            self.canvas.rectangle(left, top, wide, height, self.colors[code], layer=layer)
            left += wide

    def stub(self, words: tuple, figures: Figures, box: NodeBox) -> None:
        """A subtree that is not drawn: two lines of words, its classes."""
        w = width_for_detail(box)
        self.rectangle(box, self.theme.surface, self.theme.line, layer=2.0)
        strip = min(LEAF.strip, box.h * LEAF.share)
        self.class_bar(figures, box.left, box.bottom - strip, box.w, strip)
        if w >= DETAIL.thumbnail:
            first, second = words
            second = f"n = {count(figures.n)}" if second is None else second
            self._two_lines(first, second, box, box.y - strip / 2, box.h - strip, self.theme.text)
        self.goes_on(box.x, box.bottom)

    def goes_on(self, x: float, y: float) -> None:
        """Three dots below a node whose children are not drawn."""
        for i in (-1, 0, 1):
            left = x + i * EDGES.dots - EDGES.dot / 2
            self.canvas.rectangle(left, y + EDGES.below, EDGES.dot, EDGES.dot, self.theme.muted)

    def _glyph(self, content, box):
        """Mark of the kind of a decision: | one feature, / two, # more."""
        self.rectangle(box, self.theme.surface, self.theme.line)
        look = LOOKS.glyph
        if isinstance(content, CategoryContent):
            lines = {1: look.one, 2: look.two}.get(content.n_weights, look.more)
        elif isinstance(content, SplitScatter):
            lines = look.two
        else:
            lines = look.more if isinstance(content, WeightImage) or content.bars.size else look.one
        s = min(box.w, box.h) * look.size
        for a, b, c, d in lines:
            places = np.array([[box.x + a * s, box.y + b * s], [box.x + c * s, box.y + d * s]])
            self.canvas.line(places, self.theme.muted, look.width)

    def _weights(self, content, box, w):
        largest = float(np.abs(content.values).max()) or 1.0
        pixels = diverging(content.values, largest, self.theme.surface, self.signs)
        self.canvas.image(pixels, box.left, box.top, box.w, box.h)
        self.rectangle(box, edge=self.theme.line, layer=3.1)
        if w >= DETAIL.line:
            self.class_bar(content.figures, box.left, box.bottom - LOOKS.bar, box.w, LOOKS.bar)
        if self.lines_below(content, box)[1]:
            self.caption(f"{content.n_nonzero} px", box, whole=True, muted=True)

    def ink(self, image: np.ndarray) -> np.ndarray:
        """uint8[h, w, 3] from shares of ink, float64[h, w]."""
        low, high = rgb(self.theme.surface), rgb(self.theme.text)
        return np.rint(low + np.clip(image, 0, 1)[..., None] * (high - low)).astype(np.uint8)

    def _leaf(self, content, box, w):
        color = self._color(content)
        if content.image is not None and w >= DETAIL.image:
            self.canvas.image(self.ink(content.image), box.left, box.top, box.w, box.h)
            self.rectangle(box, edge=color, line=LEAF.wide_frame if w >= LEAF.wide else LEAF.frame, layer=3.1)
            if w >= LEAF.badge:
                self._badge(content, box, color)
            return
        self.rectangle(box, color)
        if content.image is not None:
            return
        strip = min(LEAF.strip, box.h * LEAF.share)
        if content.place is not None:
            strip = min(LEAF.spread, box.h * LEAF.spread_share)
            self._distribution(content, box, strip)
        else:
            self.class_bar(content.figures, box.left, box.bottom - strip, box.w, strip)
        if w >= LEAF.hairline:
            self.canvas.rectangle(
                box.left, box.bottom - strip - 0.5, box.w, LOOKS.frame, self.theme.background, layer=3.4
            )
        wrong = f", {self.wrong(content.figures)}" if box.w >= LEAF.wrong else ""
        second = f"{'n = ' if box.w >= LEAF.n else ''}{count(content.figures.n)}{wrong}"
        self._two_lines(content.label, second, box, box.y - strip / 2, box.h - strip, text_on(color))

    def _linear_leaf(self, content, box, w):
        """Its weights as bars, or as an image; its rows and how it does below, on the surface that decisions have."""
        strip = min(LEAF.strip, box.h * LEAF.share)
        if content.values is not None:
            largest = float(np.abs(content.values).max()) or 1.0
            pixels = diverging(content.values, largest, self.theme.surface, self.signs)
            self.canvas.image(pixels, box.left, box.top, box.w, box.h)
            self.rectangle(box, edge=self.theme.text, line=LEAF.frame, layer=3.1)
        else:
            self.rectangle(box, self.theme.surface, self.theme.text, LEAF.frame)
            if w >= DETAIL.line:
                draw_bars(self, content, box, linear_rows(content, box.h - strip))
        self.class_bar(content.figures, box.left, box.bottom - strip, box.w, strip)
        if w >= DETAIL.thumbnail and box.below >= SMALL:
            self.caption(
                f"{content.label}, n = {count(content.figures.n)}, {self.wrong(content.figures)}", box, whole=True
            )

    def _distribution(self, content, box, height):
        """Rows of a leaf by their ranges, on the axis that all leaves have; the mark is what it predicts."""
        counts, top = content.figures.counts, box.bottom - height
        step, bar = box.w / counts.size, LOOKS.split.bar
        self.canvas.rectangle(box.left, top, box.w, height, self.theme.surface, layer=3.1)
        for group in np.flatnonzero(counts):
            high = max(counts[group] / counts.max() * (height - 2), 1)
            left = box.left + group * step
            self.canvas.rectangle(left, box.bottom - high, max(step - 0.5, 0.5), high, self.colors[group], layer=3.2)
        if box.w >= LEAF.two:
            left = box.left + content.place * box.w - bar / 2
            self.canvas.rectangle(left, top, bar, height, self.theme.text, layer=3.3)

    def _two_lines(self, first, second, box, y, height, ink):
        lines, room = int(height // (NORMAL * LOOKS.text.height)), box.w - WORDS.margin
        two = lines >= 2 and box.w >= LEAF.two
        if lines >= 1:
            self.labels.add(box.x, y - (NORMAL * LEAF.first if two else 0), first, NORMAL, ink, room, bold=True)
        if two:
            self.labels.add(box.x, y + NORMAL * LEAF.second, second, SMALL, ink, room, whole=True)

    def _badge(self, content, box, color):
        """Class name on its colour below the mean image of a leaf, or on its lower edge without room below."""
        outside = box.below >= NORMAL * LEAF.room
        if not outside and box.h < LEAF.high * NORMAL:
            return
        y = box.bottom + NORMAL * (LEAF.below if outside else -LEAF.above)
        self.labels.add(
            box.x, y, content.label, NORMAL, text_on(color), box.room, bold=True, background=color, least=box.w
        )
        if box.w >= LEAF.counts and box.below >= LEAF.counts_room * NORMAL:
            text = f"{count(content.figures.n)}, {self.wrong(content.figures)}"
            y = box.bottom + NORMAL * LEAF.counts_below
            self.labels.add(box.x, y, text, SMALL, self.theme.muted, box.room, whole=True)

    def _scatter(self, content, box, w):
        """The rows in the plane, the side that goes right tinted, and the line."""
        wide = [gutter(has, side) for side, has in zip((box.w, box.h), content.gutters, strict=True)]
        left, floor = box.left + wide[0], box.bottom - wide[1]
        size = np.array([box.w - wide[0], box.h - wide[1]])

        def at(unit):
            return np.column_stack([left + unit[:, 0] * size[0], floor - unit[:, 1] * size[1]])

        self.rectangle(box, self.theme.background)
        if len(content.right) > 2:
            self.canvas.polygon(at(content.right), self.tint, layer=2.2)
        if wide[0] and content.missing_right[0]:
            self.canvas.polygon(_corners(box.left, box.top, wide[0], box.h), self.tint, layer=2.2)
        if wide[1] and content.missing_right[1]:
            self.canvas.polygon(_corners(left, floor, size[0], wide[1]), self.tint, layer=2.2)
        self._points(content, box, w, wide, at)
        split = LOOKS.split
        if content.line is not None:
            self.canvas.line(
                at(content.line), self.split_color, split.width if w >= DETAIL.line else split.small, layer=2.6
            )
        if wide[0]:
            self.canvas.rectangle(left - 0.5, box.top, 1, box.h, self.theme.line, layer=2.7)
        if wide[1]:
            self.canvas.rectangle(box.left, floor - 0.5, box.w, 1, self.theme.line, layer=2.7)
        self.rectangle(box, edge=self.theme.line, layer=2.8)
        self.condition(content, box)
        if self.axes:
            self._axes(content, box, left)
        elif self.lines_below(content, box)[0]:
            self._short_axes(content, box, left)

    def _points(self, content, box, w, wide, at):
        levels = LOOKS.points
        look = levels.thumbnail if w < DETAIL.line else levels.line if w < DETAIL.full else levels.full
        chosen = evenly(np.arange(len(content.points)), look.most)
        unit = (content.points[chosen] - content.ends.low) / (content.ends.high - content.ends.low)
        missing = np.isnan(unit)
        places = at(unit)
        # a far value must not end up in the gutter, where it would seem to be missing
        off = LOOKS.gutter.off
        if wide[0]:
            places[:, 0] = np.maximum(places[:, 0], box.left + wide[0] + off)
        if wide[1]:
            places[:, 1] = np.minimum(places[:, 1], box.bottom - wide[1] - off)
        places[missing[:, 0], 0] = box.left + wide[0] / 2
        places[missing[:, 1], 1] = box.bottom - wide[1] / 2
        inside = (np.abs(places - (box.x, box.y)) <= (box.w / 2, box.h / 2)).all(axis=1)
        colors = [self.colors[code] for code in content.codes[chosen[inside]]]
        outline = self.outline if look.outline else "none"
        self.canvas.dots(places[inside], 2 * look.radius, colors, layer=2.4, edge=outline, line=look.outline)

    def _axes(self, content, box, left):
        """Names and ends of both axes."""
        area = Box(left, box.top, box.left + box.w - left, box.h)
        y, name_y = box.bottom + SMALL * WORDS.axis, box.bottom + SMALL * WORDS.name
        draw_axis(self, box.x, box.w, area, content.names[0], Ends(*(end[0] for end in content.ends)), y, name_y)
        ends = [end_text(content.names[1], end[1]) for end in (content.ends.first, content.ends.last)]
        text = f"↑ {column_name(content.names[1])}: {ends[0]} to {ends[1]}"
        self.labels.add(box.left, box.top - SMALL * WORDS.up, text, SMALL, self.theme.muted, box.w, align="left")

    def _short_axes(self, content, box, left):
        """Names of both axes, and their ends where there is room; that above keeps off the edge to the node."""
        ends = [[end_text(content.names[axis], end[axis]) for end in content.ends[2:]] for axis in (0, 1)]
        right, y, muted, add = box.left + box.w, words_y(box), self.theme.muted, self.labels.add
        add(box.x, y, column_name(content.names[0]), SMALL, muted, words_room(box))
        sides = right - left - text_fit.width(column_name(content.names[0]), SMALL) - 16
        if sides >= 2 * max(text_fit.width(end, SMALL) for end in ends[0]):
            add(left, y, ends[0][0], SMALL, muted, sides / 2, align="left", whole=True)
            add(right, y, ends[0][1], SMALL, muted, sides / 2, align="right", whole=True)
        name, y, room = (
            f"↑ {column_name(content.names[1])}",
            box.top - (ABOVE + LOOKS.head) / 2,
            box.room / 2 - BESIDE_EDGE,
        )
        if text_fit.width(name, SMALL) <= box.w / 2 - BESIDE_EDGE:
            add(box.left, y, name, SMALL, muted, room, align="left")
        else:
            add(box.x - BESIDE_EDGE, y, name, SMALL, muted, room, align="right")
        add(box.x + BESIDE_EDGE, y, " to ".join(ends[1]), SMALL, muted, room, align="left", whole=True)


def words_room(box: NodeBox) -> float:
    """Width that the words below a node may take."""
    return max(box.room - WORDS.margin, box.w)


def words_y(box: NodeBox, line: int = 0) -> float:
    """Middle of a line of words below a node."""
    return box.bottom + WORDS.gap + SMALL * WORDS.middle + WORDS.line * line


def width_for_detail(box: NodeBox) -> float:
    """Width that decides what a node shows."""
    return max(box.w, box.h * DETAIL.tall)


def _corners(left, top, width, height):
    return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
