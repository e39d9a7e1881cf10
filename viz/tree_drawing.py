"""A tree drawn into a part of a canvas; what a node shows depends on the room it has."""

import numpy as np

from viz import text_fit
from viz.node_content import LeafContent, SplitScatter, WeightImage
from viz.palette import NEGATIVE, POSITIVE, class_color, diverging, rgb, text_on

LARGEST_NODE = 132  # pixels
LINE = 16  # pixels, height of a line of the legend
BADGE = 14
SMALLEST_NAMED = 44  # width of a decision node of a table in which names can be read
NAMED_BAR = 26


def draw_tree(canvas, tree, contents, box, places, levels):
    """Draw `tree` into a Box of a Canvas.

    contents : what is in each node, from `node_contents`; places : Layout of the tree; levels : number of levels that
    share the height of the box.
    """
    _TreeDrawing(canvas, tree, contents, box, places, levels).draw()


class _TreeDrawing:
    """Places and sizes of the nodes in pixels, and how each kind of node is drawn."""

    def __init__(self, canvas, tree, contents, box, places, levels):
        self.canvas, self.tree, self.contents, self.theme = canvas, tree, contents, canvas.theme
        self.level_height = box.height / levels
        slot = box.width / places.n_slots
        self.x = box.left + places.x * slot
        self.y = box.top + places.depth * self.level_height + self.level_height * 0.33
        self.room = np.minimum(places.room * slot * 0.94, LARGEST_NODE * 2.2)
        self.size = np.minimum(np.minimum(self.room, self.level_height * 0.66), LARGEST_NODE)

    def draw(self):
        self._edges()
        for node, content in enumerate(self.contents):
            if isinstance(content, LeafContent):
                self._leaf(node, content)
            elif isinstance(content, WeightImage):
                self._weights(node, content)
            elif isinstance(content, SplitScatter):
                self._scatter(node, content)
            else:
                self._bars(node, content)

    def _edges(self):
        children = np.flatnonzero(self.tree.parents >= 0)
        if children.size == 0:
            return
        parents = self.tree.parents[children]
        places = np.column_stack([self.x, self.y])
        share = self.tree.n_samples[children] / max(int(self.tree.n_samples[0]), 1)
        # no line is wider than the boxes that it joins
        widths = np.minimum(1 + 9 * np.sqrt(share), 0.5 + 0.5 * self.size[children])
        self.canvas.segments(places[parents], places[children], widths, self.theme.line)

    def _weights(self, node, content):
        largest = float(np.abs(content.values).max()) if content.n_nonzero else 1.0
        self._image(node, diverging(content.values, largest, self.theme.surface), self.theme.line)
        if self.size[node] >= 40:
            y = self.y[node] + self.size[node] / 2 + 8
            text = f"{content.n_nonzero} px"
            self.canvas.text(
                self.x[node], y, text, 10, self.room[node], self.theme.muted, backed=True, whole=True
            )  # fmt: skip

    def _scatter(self, node, content):
        """Rows that reach the node, the split line, and a tint on the side that goes right."""
        size = self.size[node]
        left, top = self.x[node] - size / 2, self.y[node] - size / 2
        corner, stretch = np.array([left, top + size]), np.array([size, -size])
        self.canvas.rectangle(left, top, size, size, self.theme.background, self.theme.line, layer=2.0)
        if len(content.right) > 2:
            self.canvas.polygon(corner + content.right * stretch, self.theme.line, opacity=0.35, layer=2.2)
        colors = [class_color(index) for index in content.colors]
        diameter = 1.6 * float(np.clip(size / 45, 0.8, 3.0))
        self.canvas.dots(corner + content.points * stretch, diameter, colors, layer=2.4)
        if content.line is not None:
            ends = corner + content.line * stretch
            self.canvas.curve(*ends.T, self.theme.text, 2.0 if size > 40 else 1.2, layer=2.6)

    def _leaf(self, node, content):
        color = class_color(content.color)
        if content.image is None:
            self._class_box(node, content, color)
            return
        low, high = rgb(self.theme.surface), rgb(self.theme.text)
        shade = low + content.image[..., None] * (high - low)
        self._image(node, np.rint(shade).astype(np.uint8), color, border=3 if self.size[node] > 20 else 2)
        self._badge(node, content.label, color, self.y[node] + self.size[node] / 2)

    def _class_box(self, node, content, color):
        """Leaf of a table: class name, class shares as a bar, number of points."""
        width, height = min(self.room[node], 120), min(self.size[node], 52)
        left, top = self.x[node] - width / 2, self.y[node] - height / 2
        self.canvas.rectangle(left, top, width, height, color, layer=2.0)
        strip = min(7.0, height / 4)
        position = left
        for share, index in zip(content.shares, content.share_colors, strict=True):
            if share > 0:
                self.canvas.rectangle(position, top + height - strip, share * width, strip, class_color(index))
                position += share * width
        if width > 4:
            y = top + height - strip
            self.canvas.rectangle(left, y - 0.5, width, 1, self.theme.background, layer=4.0)
        center = top + (height - strip) / 2
        ink = text_on(color)
        self._two_lines(node, center, content.label, f"n = {content.n}", min(12, height - strip), width - 8, ink, True)

    def _two_lines(self, node, y, first, second, pixels, room, ink, first_is_bold):
        """A name and a number below it, which is left out when it does not fit whole."""
        small = min(pixels, 11 if not first_is_bold else 10)
        both = self.size[node] >= 36 and text_fit.fit(second, small, room, not first_is_bold, whole=True)[0]
        shift = 8 if both else 0
        self.canvas.text(self.x[node], y - shift, first, pixels, room, ink, bold=first_is_bold)
        if both:
            self.canvas.text(self.x[node], y + shift, second, small, room, ink, bold=not first_is_bold, whole=True)

    def _bars(self, node, content):
        """Decision node of a table: signed coefficients, longest first."""
        width = min(self.room[node], 210)
        height = min(self.size[node], 20 * (content.values.size + bool(content.n_more)) + 6)
        if content.condition:
            height = min(self.size[node], 42)
        left, top = self.x[node] - width / 2, self.y[node] - height / 2
        self.canvas.rectangle(left, top, width, height, self.theme.surface, self.theme.line, layer=2.0)
        if content.condition:
            self._condition(node, content, width, height)
            return
        if SMALLEST_NAMED <= width < 90 and height >= NAMED_BAR:
            self._names_over_bars(content, left, top, width, height)
            return
        shown, more = _lines(content.values.size, content.n_more, max(1, int((height - 4) // 12.5)))
        if not shown:
            return
        step = (height - 4) / (shown + bool(more))
        largest = np.abs(content.values).max() or 1.0
        named = width >= 90 and step >= 11
        middle = left + width * (0.78 if named else 0.5)
        reach = width * (0.2 if named else 0.45)
        thickness = min(step * 0.72, 10)
        for i in range(shown):
            y = top + 2 + (i + 0.5) * step
            length = content.values[i] / largest * reach
            color = POSITIVE if length > 0 else NEGATIVE
            self.canvas.rectangle(min(middle, middle + length), y - thickness / 2, abs(length), thickness, color)
            if named:
                self.canvas.text(left + 5, y, content.names[i], 10, width * 0.54, self.theme.text, align="left")
        if more and named:
            y = top + 2 + (shown + 0.5) * step
            self.canvas.text(left + 5, y, f"+ {more} more", 10, width - 10, self.theme.muted, align="left")
        axis = min(1.0, height / 8)
        self.canvas.rectangle(middle - axis / 2, top + 2, axis, shown * step, self.theme.muted, layer=3.5)

    def _names_over_bars(self, content, left, top, width, height):
        """As many of the largest coefficients as fit into a narrow node, each below its name."""
        shown = min(content.values.size, int(height // NAMED_BAR))
        middle, largest = left + width / 2, np.abs(content.values).max() or 1.0
        top += (height - shown * NAMED_BAR) / 2
        for name, value in zip(content.names[:shown], content.values[:shown], strict=True):
            self.canvas.text(middle, top + 9, name, 10, width - 6, self.theme.text)
            length = value / largest * width * 0.45
            color = POSITIVE if length > 0 else NEGATIVE
            self.canvas.rectangle(min(middle, middle + length), top + 16, abs(length), 7, color)
            self.canvas.rectangle(middle - 0.5, top + 15, 1, 9, self.theme.muted, layer=3.5)
            top += NAMED_BAR

    def _condition(self, node, content, width, height):
        """Decision on a single feature: its name and threshold."""
        if height >= 36:
            self._two_lines(
                node, self.y[node], content.names[0], content.condition, 11, width - 6, self.theme.text, False
            )
            return
        pixels = min(11, height - 3)
        text = content.condition
        room = width - 6 - text_fit.width(f" {text}", pixels)
        name, _ = text_fit.fit(text_fit.clean(content.names[0], self.canvas.format == "svg"), pixels, room)
        if name:
            text = f"{name} {text}"
        self.canvas.text(self.x[node], self.y[node], text, pixels, width - 2, self.theme.text, whole=True)

    def _image(self, node, pixels, color, border=1):
        height = self.size[node]
        width = min(height * pixels.shape[1] / pixels.shape[0], self.room[node])
        left, top = self.x[node] - width / 2, self.y[node] - height / 2
        self.canvas.image(pixels, left, top, width, height)
        self.canvas.rectangle(left, top, width, height, edge=color, line=min(border, height / 5))

    def _badge(self, node, label, color, y):
        """Class name on a patch of its colour, at the lower edge of the picture of a leaf."""
        if self.size[node] < 24 or self.level_height < self.size[node] + BADGE:
            return
        needed = text_fit.width(label, 11, bold=True) + 6
        width = min(self.room[node], max(self.size[node], needed))
        self.canvas.rectangle(self.x[node] - width / 2, y, width, BADGE, color, color, line=2)
        self.canvas.text(self.x[node], y + BADGE / 2, label, 11, width, text_on(color), bold=True)


def _lines(n_values, n_more, fits):
    """(coefficients to show, coefficients to count in a last line); 0 in the second when there is no such line."""
    if n_values + bool(n_more) <= fits:
        return n_values, n_more
    if fits == 1:
        return min(n_values, 1), 0
    return min(n_values, fits - 1), n_more + n_values - min(n_values, fits - 1)


def draw_legend(canvas, contents, data, left, top, width):
    """What the colours and lines mean, on `legend_lines` lines of `LINE` pixels below `top`."""
    signs, rule = _legend_texts(contents, data)
    muted, below = canvas.theme.muted, top + LINE / 2
    if not signs and rule:
        canvas.text(left, below, rule, 11, width, muted, align="left")
        return
    x = left
    for text in signs:
        if text in (NEGATIVE, POSITIVE):
            canvas.rectangle(x, below - 4, 8, 8, text)
            x += 14
        else:
            canvas.text(x, below, text, 11, left + width - x, muted, align="left")
            x += text_fit.width(text, 11) + 16
    if rule and legend_lines(contents, data, width) == 1:
        canvas.text(left + width, below, rule, 11, width, muted, align="right")
    elif rule:
        canvas.text(left, below + LINE, rule, 11, width, muted, align="left")


def legend_lines(contents, data, width):
    """Number of lines of the legend in `width` pixels: 0, 1 or 2."""
    signs, rule = _legend_texts(contents, data)
    if not signs:
        return int(bool(rule))
    wide = sum(14 if text in (NEGATIVE, POSITIVE) else text_fit.width(text, 11) + 16 for text in signs)
    return 1 if wide + text_fit.width(rule, 11) <= width else 2


def _legend_texts(contents, data):
    """(colours and what they mean in turn, one sentence); both empty when the nodes speak for themselves."""
    decisions = [content for content in contents if not isinstance(content, LeafContent)]
    if all(getattr(content, "condition", "") for content in decisions):
        return (), ""
    if isinstance(decisions[0], SplitScatter):
        return (), "rows that reach the node; those in the tinted part go right; line width shows the share of rows"
    what = "weight of a pixel" if data.image_shape else "coefficient × standard deviation"
    rule = "goes right when the weighted sum plus bias is ≥ 0; line width shows the share of points"
    return (NEGATIVE, "negative", POSITIVE, f"positive {what}"), rule
