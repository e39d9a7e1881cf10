"""Static picture of a tree (SVG, PDF or PNG) drawn by matplotlib; what a node shows depends on the room it has."""

import io

import numpy as np

from viz.layout import layout
from viz.node_content import LeafContent, SplitScatter, WeightImage, node_contents
from viz.palette import NEGATIVE, POSITIVE, THEMES, class_color, diverging, text_on

FORMATS = ("svg", "pdf", "png")
PIXELS_PER_INCH = 100
MARGIN = 14
LEGEND = 30
SMALLEST_TEXT = 9  # pixels; smaller labels are left out
LARGEST_NODE = 132


def figure(tree, data, format="svg", width=1100, theme="light", scale=2.0):
    """Picture of `tree` as bytes.

    tree : Tree; data : DataSet that it was trained on; format : "svg", "pdf" or "png"; width : pixels at 100 %;
    theme : "light" or "dark"; scale : pixels of a PNG per pixel of the drawing. Raises ValueError for another format.
    """
    if format not in FORMATS:
        raise ValueError(f"format={format!r}: use one of {', '.join(FORMATS)}.")
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r}: use one of {', '.join(THEMES)}.")
    if not width >= 100:
        raise ValueError(f"width={width!r}: use at least 100 pixels.")
    if getattr(data, "X", np.empty((0, 0))).shape[1:] != (tree.n_features,):
        raise ValueError(f"data must be the data set of the tree, with X of {tree.n_features} features.")
    import matplotlib  # slow import

    drawing = _Drawing(tree, data, width, THEMES[theme])
    drawing.draw()
    out = io.BytesIO()
    # compositing many images into one takes 15 s for 500 nodes; a date or a random id would change equal pictures
    with matplotlib.rc_context({"image.composite_image": False, "svg.hashsalt": "tree", "svg.fonttype": "none"}):
        metadata = {"Date": None} if format == "svg" else {"CreationDate": None} if format == "pdf" else None
        drawing.figure.savefig(out, format=format, dpi=PIXELS_PER_INCH * scale, metadata=metadata)
    return out.getvalue()


class _Drawing:
    """One axes in pixel coordinates, y downwards."""

    def __init__(self, tree, data, width, theme):
        from matplotlib.figure import Figure

        self.tree, self.theme, self.width = tree, theme, width
        self.places = layout(tree)
        self.contents = node_contents(tree, data)
        self.is_image = bool(data.image_shape)
        self.is_plane = data.X.shape[1] == 2
        levels = tree.depth + 1
        self.level_height = float(np.clip(620 / levels, 64, 150))
        self.height = MARGIN + levels * self.level_height + (LEGEND if tree.n_decision else 4)
        self.slot = (width - 2 * MARGIN) / self.places.n_slots
        self.x = MARGIN + self.places.x * self.slot
        self.room = np.minimum(self.places.width * self.slot * 0.94, LARGEST_NODE * 2.2)
        self.size = np.minimum(np.minimum(self.room, self.level_height * 0.66), LARGEST_NODE)
        self.y = MARGIN + self.places.depth * self.level_height + self.level_height * 0.33
        self.figure = Figure((width / PIXELS_PER_INCH, self.height / PIXELS_PER_INCH), dpi=PIXELS_PER_INCH)
        self.figure.patch.set_facecolor(theme.background)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_xlim(0, width)
        self.axes.set_ylim(self.height, 0)
        self.axes.axis("off")

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
        decisions = [content for content in self.contents if not isinstance(content, LeafContent)]
        if not all(getattr(content, "condition", "") for content in decisions):
            self._legend()

    def _edges(self):
        from matplotlib.collections import LineCollection

        children = np.flatnonzero(self.tree.parents >= 0)
        if children.size == 0:
            return
        parents = self.tree.parents[children]
        start = np.column_stack([self.x[parents], self.y[parents]])
        stop = np.column_stack([self.x[children], self.y[children]])
        share = self.tree.n_samples[children] / max(int(self.tree.n_samples[0]), 1)
        lines = LineCollection(
            np.stack([start, stop], axis=1), linewidths=_points(1 + 9 * np.sqrt(share)), colors=self.theme.line,
            capstyle="round", zorder=1,
        )  # fmt: skip
        self.axes.add_collection(lines)

    def _weights(self, node, content):
        largest = float(np.abs(content.values).max()) if content.n_nonzero else 1.0
        self._image(node, diverging(content.values, largest, self.theme.surface), self.theme.line)
        self._caption(node, f"{content.n_nonzero} px", self.theme.muted)

    def _scatter(self, node, content):
        """Rows that reach the node, the split line, and a tint on the side that goes right."""
        from matplotlib.patches import Polygon, Rectangle

        size = self.size[node]
        corner = np.array([self.x[node] - size / 2, self.y[node] + size / 2])
        stretch = np.array([size, -size])
        box = Rectangle(
            corner - [0, size], size, size, facecolor=self.theme.background, edgecolor=self.theme.line, zorder=2
        )
        self.axes.add_patch(box)
        if len(content.right) > 2:
            self.axes.add_patch(
                Polygon(
                    corner + content.right * stretch,
                    facecolor=self.theme.line,
                    alpha=0.35,
                    edgecolor="none",
                    zorder=2.2,
                )
            )
        places = corner + content.points * stretch
        colors = [class_color(index) for index in content.colors]
        dot = float(np.clip(size / 45, 0.8, 3.0))
        self.axes.scatter(places[:, 0], places[:, 1], s=_points(dot * 1.6) ** 2, c=colors, linewidths=0, zorder=2.4)
        if content.line is not None:
            ends = corner + content.line * stretch
            self.axes.plot(
                ends[:, 0], ends[:, 1], color=self.theme.text, lw=_points(2 if size > 40 else 1.2), zorder=2.6
            )

    def _leaf(self, node, content):
        color = class_color(content.color)
        if content.image is not None:
            low, high = (
                np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]) for c in (self.theme.surface, self.theme.text)
            )
            shade = low + content.image[..., None] * (high - low)
            self._image(node, np.rint(shade).astype(np.uint8), color, border=3 if self.size[node] > 20 else 2)
            self._badge(node, content.label, color, self.y[node] + self.size[node] / 2)
            return
        self._class_box(node, content, color)

    def _class_box(self, node, content, color):
        """Leaf of a table: class name, class shares as a bar, number of points."""
        from matplotlib.patches import Rectangle

        width = min(self.room[node], 120)
        height = min(self.size[node], 52)
        left, top = self.x[node] - width / 2, self.y[node] - height / 2
        self.axes.add_patch(Rectangle((left, top), width, height, facecolor=color, edgecolor="none", zorder=2))
        shares = content.shares
        strip = min(7.0, height / 4)
        position = left
        for share, index in zip(shares, content.share_colors, strict=True):
            patch = Rectangle(
                (position, top + height - strip), share * width, strip,
                facecolor=class_color(index), edgecolor="none", zorder=3,
            )  # fmt: skip
            self.axes.add_patch(patch)
            position += share * width
        if width > 4:
            self.axes.plot(
                [left, left + width], [top + height - strip] * 2, color=self.theme.background, lw=0.8, zorder=4
            )
        center = top + (height - strip) / 2
        ink = text_on(color)
        if height >= 36:
            self._text(self.x[node], center - 7, content.label, 12, width - 6, ink, weight="bold")
            self._text(self.x[node], center + 8, f"n = {content.n}", 10, width - 6, ink)
        else:
            self._text(self.x[node], center, content.label, min(11, height - strip), width - 4, ink, weight="bold")

    def _bars(self, node, content):
        """Decision node of a table: signed coefficients, longest first."""
        from matplotlib.patches import Rectangle

        width = min(self.room[node], 210)
        height = min(self.size[node], 20 * (content.values.size + bool(content.n_more)) + 6)
        if content.condition:
            height = min(self.size[node], 42)
        left, top = self.x[node] - width / 2, self.y[node] - height / 2
        frame = Rectangle(
            (left, top), width, height, facecolor=self.theme.surface, edgecolor=self.theme.line, lw=0.8, zorder=2
        )
        self.axes.add_patch(frame)
        if content.condition:
            self._condition(node, content, width, height)
            return
        lines_that_fit = max(1, int((height - 4) // 12.5))
        shown = min(content.values.size, lines_that_fit)
        more = content.n_more + content.values.size - shown
        if more and shown > 1:
            shown, more = shown - 1, more + 1
        rows = shown + (1 if more else 0)
        step = (height - 4) / rows
        largest = np.abs(content.values).max() or 1.0
        named = width >= 90 and step >= 11
        middle = left + width * (0.78 if named else 0.5)
        reach = width * (0.2 if named else 0.45)
        for i in range(shown):
            y = top + 2 + (i + 0.5) * step
            length = content.values[i] / largest * reach
            bar = Rectangle(
                (min(middle, middle + length), y - min(step * 0.36, 5)), abs(length), 2 * min(step * 0.36, 5),
                facecolor=POSITIVE if length > 0 else NEGATIVE, edgecolor="none", zorder=3,
            )  # fmt: skip
            self.axes.add_patch(bar)
            if named:
                self._text(left + 5, y, content.names[i], 10, width * 0.54, self.theme.text, align="left")
        if more and named:
            y = top + 2 + (shown + 0.5) * step
            self._text(left + 5, y, f"+ {more} more", 10, width - 10, self.theme.muted, align="left")
        self.axes.plot([middle] * 2, [top + 2, top + 2 + shown * step], color=self.theme.muted, lw=0.7, zorder=3)

    def _condition(self, node, content, width, height):
        """Decision on a single feature: its name and threshold."""
        if height >= 36:
            self._text(self.x[node], self.y[node] - 8, content.names[0], 11, width - 8, self.theme.text)
            self._text(self.x[node], self.y[node] + 8, content.condition, 11, width - 8, self.theme.text, weight="bold")
        elif width >= 6 * len(content.condition):  # half a number would mislead
            self._text(self.x[node], self.y[node], content.condition, min(11, height - 3), width - 2, self.theme.text)

    def _image(self, node, pixels, color, border=1):
        from matplotlib.patches import Rectangle

        half_height = self.size[node] / 2
        half_width = min(half_height * pixels.shape[1] / pixels.shape[0], self.room[node] / 2)
        x, y = self.x[node], self.y[node]
        box = (x - half_width, x + half_width, y + half_height, y - half_height)
        self.axes.imshow(pixels, extent=box, aspect="auto", interpolation="nearest", zorder=2)
        frame = Rectangle(
            (box[0], box[3]), 2 * half_width, 2 * half_height, fill=False, edgecolor=color, lw=_points(border), zorder=3
        )
        self.axes.add_patch(frame)
        # imshow moves the limits
        self.axes.set_xlim(0, self.width)
        self.axes.set_ylim(self.height, 0)

    def _badge(self, node, label, color, y):
        """Class name on a patch of its colour, at the lower edge of the picture of a leaf."""
        from matplotlib.patches import Rectangle

        height = 14 if self.size[node] >= 24 else 0
        if not height or self.level_height < self.size[node] + height:
            return
        width = min(self.room[node], max(self.size[node], 7.5 * len(label) + 6))
        self.axes.add_patch(
            Rectangle(
                (self.x[node] - width / 2, y), width, height, facecolor=color, edgecolor=color, lw=_points(2), zorder=3
            )
        )
        self._text(self.x[node], y + height / 2, label, 11, width, text_on(color), weight="bold")

    def _caption(self, node, text, color):
        y = self.y[node] + self.size[node] / 2
        if self.size[node] >= 40:
            self._text(self.x[node], y + 8, text, 10, self.room[node], color, background=True)

    def _text(self, x, y, text, pixels, room, color, align="center", weight="normal", background=False):
        """Text cut to `room`; none at all when it would be too small to read."""
        if pixels < SMALLEST_TEXT:
            return
        # what XML cannot hold: control characters and halves of surrogate pairs
        text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
        pixels = max(SMALLEST_TEXT, min(pixels, room / (0.62 * len(text)))) if text else pixels
        fits = int(room / (0.6 * pixels))
        if fits < min(len(text), 2):
            return
        if len(text) > fits:
            text = text[: max(1, fits - 1)] + "…" if fits < 8 else text[: fits // 2] + "…" + text[-(fits // 2 - 1) :]
        # names come from files: a dollar sign must not start a formula
        text = text.replace("$", r"\$")
        drawn = self.axes.text(
            x, y, text, fontsize=_points(pixels), color=color, ha=align, va="center", fontweight=weight, zorder=5
        )
        if background:
            drawn.set_bbox({"facecolor": self.theme.background, "edgecolor": "none", "pad": 0.6, "alpha": 0.85})

    def _legend(self):
        what = "weight of a pixel" if self.is_image else "coefficient × standard deviation"
        y = self.height - LEGEND / 2
        if self.is_plane:
            text = "rows that reach the node; those in the tinted part go right; line width shows the share of rows"
            self._text(MARGIN, y, text, 11, self.width * 0.8, self.theme.muted, align="left")
            return
        pieces = [
            ("■", NEGATIVE),
            ("negative", self.theme.muted),
            ("■", POSITIVE),
            (f"positive {what}", self.theme.muted),
        ]
        x = MARGIN
        for text, color in pieces:
            self._text(x, y, text, 11, 400, color, align="left")
            x += 14 if text == "■" else 7 * len(text) + 12
        rule = "goes right when the weighted sum plus bias is ≥ 0; line width shows the share of points"
        self._text(self.width - MARGIN, y, rule, 11, self.width * 0.6, self.theme.muted, align="right")


def _points(pixels):
    """Pixels at 100 % in printer's points."""
    return pixels * 72 / PIXELS_PER_INCH
