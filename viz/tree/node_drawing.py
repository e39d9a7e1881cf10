"""One node drawn into its box; what it shows depends on the room (viz/stage/draw/picture.js and scatter.js)."""

import numpy as np

from viz.palette import STAGE_THEMES, diverging, group_colors, rgb, rgba, signs, text_on, theme_name
from viz.tree.node_content import LeafContent, SplitScatter, WeightImage, evenly
from viz.tree.projection_drawing import draw_projection
from viz.tree.tree_places import ABOVE, words_of
from viz.words import text_fit
from viz.words.number_words import count, number

GLYPH, THUMBNAIL, LINE, FULL = 8, 24, 64, 160  # widths from which a node shows more
SMALL, NORMAL = 10, 11  # sizes of text
BESIDE_EDGE = 9  # pixels between the middle of an edge and words beside it


class NodePainter:
    """Draws nodes of `TreeContents` on a Canvas, their texts into `Labels`.

    axes : whether every picture has its axes and no words below, as in the inspector.
    """

    def __init__(self, canvas, labels, contents, axes=False):
        self.canvas, self.labels, self.contents, self.axes = canvas, labels, contents, axes
        self.theme, self.colors = canvas.theme, group_colors(contents.target)
        self.signs = signs(canvas.theme)
        extras = STAGE_THEMES[theme_name(canvas.theme)]
        self.tint, self.outline = rgba(extras["tint"]), extras["outline"]

    def draw(self, content, box):
        """Draw the content of a node into a `NodeBox`."""
        w = width_for_detail(box)
        if w < GLYPH:
            leaf = isinstance(content, LeafContent)
            color = self.colors[content.code] if leaf else self.theme.muted
            self.canvas.dots(np.array([[box.x, box.y]]), max(2.6, min(box.w, box.h)), color)
        elif isinstance(content, LeafContent):
            self._leaf(content, box, w)
        elif isinstance(content, WeightImage) and w >= 11:
            self._weights(content, box, w)
        elif w < THUMBNAIL:
            self._glyph(content, box)
        elif isinstance(content, SplitScatter):
            self._scatter(content, box, w)
        else:
            draw_projection(self, content, box, w, named=w >= LINE)

    def lines_below(self, content, box):
        """(lines of axis names, lines of the condition below them) of a decision node."""
        if self.axes or isinstance(content, LeafContent):
            return 0, 0
        w = width_for_detail(box)
        fits = int((box.below - 12) // 14)
        if fits < 1:
            return 0, 0
        if isinstance(content, WeightImage):
            return 0, int(w >= 40)
        scatter = isinstance(content, SplitScatter)
        shown = w >= LINE if scatter else not content.bars.size and w >= 44
        caption = len(words_of(content, words_room(box), min(fits, 3))) if shown else 0
        axes = int(box.above > 0 if scatter else w >= FULL)
        return (axes if axes + caption <= fits else 0), caption

    def foot(self, content, box):
        """Where the edges of a node begin: below its picture and words."""
        lines = sum(self.lines_below(content, box))
        return box.bottom + (5 + 13 * lines if lines else 0)

    def caption(self, text, box, lines_above=0, whole=False, muted=False):
        """Words below the picture of a node."""
        color, y = self.theme.muted if muted else self.theme.text, box.bottom + 4 + SMALL * 0.62 + 13 * lines_above
        self.labels.add(box.x, y, text, SMALL, color, words_room(box), whole=whole)

    def condition(self, content, box):
        """The condition of a node, below its picture and the names of its axes."""
        axes, lines = self.lines_below(content, box)
        if lines:
            for i, line in enumerate(words_of(content, words_room(box), lines)):
                self.caption(line, box, axes + i, whole=True)

    def rectangle(self, box, color="none", edge="none", line=1.0, layer=2.0):
        """The box of a node."""
        self.canvas.rectangle(box.left, box.top, box.w, box.h, color, edge, line, layer)

    def wrong(self, figures):
        """How good the leaves below are for the rows of a node, in a few words."""
        target = self.contents.target
        return target.told(target.wrong_words, figures.loss, figures.n)

    def class_bar(self, figures, left, top, width, height, layer=3.2):
        """Shares of the groups of a node as a stacked bar."""
        if not figures.n:
            return
        for code in np.flatnonzero(figures.counts):
            wide = figures.counts[code] / figures.n * width
            self.canvas.rectangle(left, top, wide, height, self.colors[code], layer=layer)
            left += wide

    def stub(self, words, figures, box):
        """A subtree that is not drawn: two lines of words, its classes."""
        w = width_for_detail(box)
        self.rectangle(box, self.theme.surface, self.theme.line, layer=2.0)
        strip = min(7.0, box.h / 4)
        self.class_bar(figures, box.left, box.bottom - strip, box.w, strip)
        if w >= THUMBNAIL:
            first, second = words
            second = f"n = {count(figures.n)}" if second is None else second
            self._two_lines(first, second, box, box.y - strip / 2, box.h - strip, self.theme.text)
        self.goes_on(box.x, box.bottom)

    def goes_on(self, x, y):
        """Three dots below a node whose children are not drawn."""
        for dx in (-4, 0, 4):
            self.canvas.rectangle(x + dx - 1, y + 3, 2, 2, self.theme.muted)

    def _glyph(self, content, box):
        """Mark of the kind of a decision: | one feature, / two, # more."""
        self.rectangle(box, self.theme.surface, self.theme.line)
        if isinstance(content, SplitScatter):
            lines = [(-1, 1, 1, -1)]
        elif isinstance(content, WeightImage) or content.bars.size:
            lines = [(-0.4, -1, -0.4, 1), (0.4, -1, 0.4, 1), (-1, -0.4, 1, -0.4), (-1, 0.4, 1, 0.4)]
        else:
            lines = [(0, -1, 0, 1)]
        s = min(box.w, box.h) * 0.28
        for a, b, c, d in lines:
            places = np.array([[box.x + a * s, box.y + b * s], [box.x + c * s, box.y + d * s]])
            self.canvas.line(places, self.theme.muted, 1.3)

    def _weights(self, content, box, w):
        largest = float(np.abs(content.values).max()) or 1.0
        pixels = diverging(content.values, largest, self.theme.surface, self.signs)
        self.canvas.image(pixels, box.left, box.top, box.w, box.h)
        self.rectangle(box, edge=self.theme.line, layer=3.1)
        if w >= LINE:
            self.class_bar(content.figures, box.left, box.bottom - 5, box.w, 5)
        if self.lines_below(content, box)[1]:
            self.caption(f"{content.n_nonzero} px", box, whole=True, muted=True)

    def ink(self, image):
        """uint8[h, w, 3] from shares of ink, float64[h, w]."""
        low, high = rgb(self.theme.surface), rgb(self.theme.text)
        return np.rint(low + np.clip(image, 0, 1)[..., None] * (high - low)).astype(np.uint8)

    def _leaf(self, content, box, w):
        color = self.colors[content.code]
        if content.image is not None and w >= 11:
            self.canvas.image(self.ink(content.image), box.left, box.top, box.w, box.h)
            self.rectangle(box, edge=color, line=3 if w >= 28 else 2, layer=3.1)
            if w >= 20:
                self._badge(content, box, color)
            return
        self.rectangle(box, color)
        if content.image is not None:
            return
        strip = min(7.0, box.h / 4)
        self.class_bar(content.figures, box.left, box.bottom - strip, box.w, strip)
        if w >= 10:
            self.canvas.rectangle(box.left, box.bottom - strip - 0.5, box.w, 1, self.theme.background, layer=3.4)
        wrong = f", {self.wrong(content.figures)}" if box.w >= 96 else ""
        second = f"{'n = ' if box.w >= 60 else ''}{count(content.figures.n)}{wrong}"
        self._two_lines(content.label, second, box, box.y - strip / 2, box.h - strip, text_on(color))

    def _two_lines(self, first, second, box, y, height, ink):
        lines = int(height // (NORMAL * 1.22))
        two = lines >= 2 and box.w >= 44
        if lines >= 1:
            shift = NORMAL * 0.62 if two else 0
            self.labels.add(box.x, y - shift, first, NORMAL, ink, box.w - 4, bold=True)
        if two:
            self.labels.add(box.x, y + NORMAL * 0.66, second, SMALL, ink, box.w - 4, whole=True)

    def _badge(self, content, box, color):
        """Class name on its colour below the mean image of a leaf, or on its lower edge without room below."""
        outside = box.below >= NORMAL * 1.5
        if not outside and box.h < 2.2 * NORMAL:
            return
        y = box.bottom + NORMAL * (0.72 if outside else -0.6)
        self.labels.add(
            box.x, y, content.label, NORMAL, text_on(color), box.room, bold=True, background=color, least=box.w
        )
        if box.w >= 52 and box.below >= 3 * NORMAL:
            text = f"{count(content.figures.n)}, {self.wrong(content.figures)}"
            y = box.bottom + NORMAL * 1.95
            self.labels.add(box.x, y, text, SMALL, self.theme.muted, box.room, whole=True)

    def _scatter(self, content, box, w):
        """The rows in the plane, the side that goes right tinted, and the line."""
        wide = [
            max(3.0, min(18.0, side * 0.08)) if has else 0.0
            for side, has in zip((box.w, box.h), content.gutters, strict=True)
        ]
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
        if content.line is not None:
            self.canvas.line(at(content.line), self.theme.text, 2.0 if w >= LINE else 1.2, layer=2.6)
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
        most, radius = (90, 0.9) if w < LINE else (220, 1.4) if w < FULL else (1500, 2.6)
        chosen = evenly(np.arange(len(content.points)), most)
        unit = (content.points[chosen] - content.low) / (content.high - content.low)
        missing = np.isnan(unit)
        # a far value must not end up in the gutter, where it would seem to be missing
        inside = ((unit >= 0) & (unit <= 1) | missing).all(axis=1)
        places = at(unit)
        places[missing[:, 0], 0] = box.left + wide[0] / 2
        places[missing[:, 1], 1] = box.bottom - wide[1] / 2
        colors = [self.colors[code] for code in content.codes[chosen[inside]]]
        outline = rgba(self.outline) if radius > 2 else "none"
        self.canvas.dots(places[inside], 2 * radius, colors, layer=2.4, edge=outline)

    def _axes(self, content, box, left):
        """Names and ends of both axes."""
        low, high, muted, labels = content.low, content.high, self.theme.muted, self.labels
        y, room = box.bottom + SMALL, (box.left + box.w - left) / 3
        labels.add(left, y, number(low[0]), SMALL, muted, room, align="left", whole=True)
        labels.add(box.left + box.w, y, number(high[0]), SMALL, muted, room, align="right", whole=True)
        labels.add(box.x, box.bottom + SMALL * 2.2, content.names[0], SMALL, muted, box.w)
        text = f"↑ {content.names[1]}: {number(low[1])} to {number(high[1])}"
        labels.add(box.left, box.top - SMALL * 0.8, text, SMALL, muted, box.w, align="left")

    def _short_axes(self, content, box, left):
        """Names of both axes, and their ends where there is room; that above keeps off the edge to the node."""
        ends = [[number(end[axis]) for end in (content.low, content.high)] for axis in (0, 1)]
        right, y, muted, add = box.left + box.w, box.bottom + 4 + SMALL * 0.62, self.theme.muted, self.labels.add
        add(box.x, y, content.names[0], SMALL, muted, words_room(box))
        sides = right - left - text_fit.width(content.names[0], SMALL) - 16
        if sides >= 2 * max(text_fit.width(end, SMALL) for end in ends[0]):
            add(left, y, ends[0][0], SMALL, muted, sides / 2, align="left", whole=True)
            add(right, y, ends[0][1], SMALL, muted, sides / 2, align="right", whole=True)
        name, y, room = f"↑ {content.names[1]}", box.top - ABOVE / 2, box.room / 2 - BESIDE_EDGE
        if text_fit.width(name, SMALL) <= box.w / 2 - BESIDE_EDGE:
            add(box.left, y, name, SMALL, muted, room, align="left")
        else:
            add(box.x - BESIDE_EDGE, y, name, SMALL, muted, room, align="right")
        add(box.x + BESIDE_EDGE, y, " to ".join(ends[1]), SMALL, muted, room, align="left", whole=True)


def words_room(box):
    """Width that the words below a node may take."""
    return max(box.room - 4, box.w)


def width_for_detail(box):
    """Width that decides what a node shows."""
    return max(box.w, box.h * 0.6)


def _corners(left, top, width, height):
    return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
