"""The frames of an animated path: trees in which every node keeps its position, above the error curve."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from treecore.tree.data_set_like import DataSetLike
from treecore.tree.target import Target
from viz.charts.path_figures import panel_places, path_panel
from viz.charts.path_points import (
    DASHES,
    ERROR_CURVES,
    Curve,
    Panel,
    PathTree,
    error_panel,
    path_places,
    size_panel,
    title_of,
)
from viz.drawing.canvas import Box, Canvas
from viz.nodes.node_contents import node_contents
from viz.palette import THEMES, Theme, rgb, theme_name
from viz.tree.layout import Layout, PathLayout, free_room, layout, layout_in_path, path_layout
from viz.tree.tree_drawing import LINE, draw_legend, draw_tree, legend_lines
from viz.tree.tree_figure import MARGIN
from viz.tree.tree_part import part_places, subtree
from viz.tree.tree_places import level_rooms, natural_height
from viz.words.error_names import error_name
from viz.words.text_fit import fit
from viz.words.text_fit import width as text_width

WIDEST = 1280  # width of the layout in pixels; wider frames are magnified
HEAD, STRIP = 64, 112  # heights in pixels
TITLE, SMALL = 18, 13  # text sizes in pixels
LEAD = "This decision tree: "
FAINT = 0.3  # opacity of the curve after the displayed tree
SMALL_SHARE = 0.7  # share of the width of the path below which the last tree is drawn again, as large as possible
DOT = 5.5  # radius in pixels


def tree_box(whole: PathLayout, width: float) -> tuple:
    """Return the positions that all frames share, for a PathLayout.

    Return (Box of the tree, `level_rooms` that divide its height).
    """
    room = free_room(whole.x, whole.depth, whole.n_slots)
    rooms = level_rooms(Layout(whole.x, whole.depth, room, whole.n_slots))
    height = natural_height(rooms, whole.n_slots, width - 2 * MARGIN)
    least = 16 * rooms.size
    return Box(MARGIN, HEAD, width - 2 * MARGIN, float(np.clip(height, least, max(620, least)))), rooms


class PathFilm:
    """Draw the frames of a path, and keep their common parts.

    points : `PathTree` of each tree, in order of lambda
    width : in pixels
    reference : another method as `reference_facts` returns it, or None
    """

    def __init__(
        self, points: Sequence[PathTree], data: DataSetLike, width: int, theme: Theme, reference: Mapping | None = None
    ) -> None:
        self.points, self.data, self.theme = points, data, theme
        self.scale = max(1.0, width / WIDEST)
        self.width = width / self.scale
        self.whole = path_layout([point.tree for point in points])
        self.box, self.rooms = tree_box(self.whole, self.width)
        largest = max((point.tree for point in points), key=lambda tree: tree.n_nodes)
        self.largest = node_contents(largest, data)
        below = HEAD + self.box.height + legend_lines(self.largest, self.box.width) * LINE
        self.height = int(np.ceil(below + STRIP + MARGIN))
        self.error = shown_error(points)
        self.reference = None
        self.beside = [None] * len(points)  # the tree of the other method that a tree is compared with
        if reference is not None and self.error is not None:
            part = self.error.removesuffix("_error")
            error = reference["errors"].get(part)
            self.reference = None if error is None else (reference["method"], reference["leaves"], error)
            self.beside = [_of_size(reference, part, point) or self.reference for point in points]
        self._make_strip()

    def tree(self, index: int, is_alone: bool = False) -> np.ndarray:
        """Return the frame of a tree without the strip. `is_alone`: whether the tree fills the room of the path."""
        point = self.points[index]
        canvas = Canvas(self.width, self.height, self.theme)
        self._headline(canvas, point, self.beside[index])
        part = subtree(point.tree)
        places = layout(point.tree) if is_alone else layout_in_path(point.tree, self.whole)
        rooms = level_rooms(places) if is_alone else self.rooms
        draw_tree(canvas, node_contents(point.tree, self.data), self.box, part, part_places(part, places), rooms)
        draw_legend(canvas, self.largest, MARGIN, HEAD + self.box.height, self.box.width)
        return canvas.pixels(self.scale)

    def is_small(self, index: int) -> bool:
        """Return whether a tree takes a small share of the room of the path."""
        return layout(self.points[index].tree).n_slots <= SMALL_SHARE * self.whole.n_slots

    def between(self, first: np.ndarray, second: np.ndarray, start: int, stop: int, steps: int) -> Iterator[np.ndarray]:
        """Yield the frames between two trees, which fade into each other while the dot moves.

        first, second : frames of the trees without the strip
        start, stop : indices of the trees
        """
        head = round(HEAD * self.scale)
        changed = np.flatnonzero((first[head : self.top] != second[head : self.top]).any(axis=(1, 2))) + head
        rows = slice(changed[0], changed[-1] + 1) if changed.size else slice(0)
        before = first[rows].astype(np.float32)
        change = second[rows] - before
        for step in range(1, steps + 1):
            share = step / (steps + 1)
            # Two headlines on top of each other would be unreadable.
            made = (first if share < 0.5 else second).copy()
            made[rows] = np.rint(before + share * change)
            yield self.frame_of(made, start + share * (stop - start))

    def _headline(self, canvas, point, beside):
        room = canvas.width - 2 * MARGIN
        first = f"{_size_and_error(point.tree.target, point, self.error, point.tree.n_leaves)}."
        texts = [(LEAD, False, self.theme.text), (first, True, self.theme.text)]
        if beside is not None:
            method, leaves, error = beside
            size = _size_and_error(point.tree.target, point, self.error, leaves, error)
            texts.append((f" {method}: {size}.", False, self.theme.muted))
        needed = sum(text_width(text, TITLE, bold) for text, bold, _ in texts)
        pixels, x = TITLE * min(1.0, room / needed), float(MARGIN)
        for text, bold, color in texts:
            canvas.text(x, HEAD * 0.36, text, pixels, canvas.width - MARGIN - x, color, align="left", bold=bold)
            x += text_width(text, pixels, bold)
        rows = "" if self.error is None else f"measured on the {dict(ERROR_CURVES)[self.error]} rows"
        basis = " · ".join(filter(None, [title_of(self.data), point.place, rows]))
        canvas.text(MARGIN, HEAD * 0.75, fit(basis, SMALL, room)[0], SMALL, room, self.theme.muted, align="left")

    def _make_strip(self):
        """Draw the curves twice, strong and faint: each frame takes the left part of one and the right of the other."""
        box = Box(MARGIN, 0, self.width - 2 * MARGIN, STRIP)
        lams = path_places(self.points)
        panel = error_panel(self.points, n_ticks=2)
        level = None
        if panel is None:
            panel = size_panel(self.points)
        elif self.error is not None:
            target = self.points[0].tree.target
            label = dict(ERROR_CURVES)[self.error]
            curves = (curve._replace(dashes=None) for curve in panel.curves if curve.label == label)
            panel = panel._replace(curves=tuple(curves))
            if self.reference is not None and self.points[0].size is not None:
                panel = _with_method(
                    panel, self.reference[0], [one[2] * target.error_scale for one in self.beside if one]
                )
            elif self.reference is not None:
                method, leaves, error = self.reference
                value = error * target.error_scale
                panel = panel._replace(top=max(panel.top, 1.2 * value))
                level = value, f"{method}: {target.error_text(error)}, {_leaves(leaves)}"
        drawn = []
        for shown in (panel, _faint(panel, self.theme)):
            canvas = Canvas(self.width, STRIP + MARGIN / 2, self.theme)
            path_panel(canvas, shown, lams, box, level=level)
            drawn.append(canvas.pixels(self.scale))
        self.strong, self.faint = drawn
        self.top = round(self.height * self.scale) - self.strong.shape[0]
        self.x, self.y = panel_places(panel, lams, box)
        self.colors = [rgb(curve.colors[theme_name(self.theme)]) for curve in panel.curves]

    def frame_of(self, frame: np.ndarray, index: float) -> np.ndarray:
        """Draw the strip into a frame and return it. `index`: of a tree, or a number between two."""
        at = np.arange(len(self.points))
        x = np.interp(index, at, self.x) * self.scale
        strip = np.where((np.arange(frame.shape[1]) <= x)[None, :, None], self.strong, self.faint)
        for y, color in zip(self.y, self.colors, strict=True):
            if np.isfinite(height := np.interp(index, at, y)):
                _draw_dot(strip, x, height * self.scale, DOT * self.scale, color)
        frame[self.top : self.top + strip.shape[0]] = strip
        return frame


def shown_error(points: Sequence[PathTree]) -> str | None:
    """Return the name of the error in the frames: of the test rows if all trees have it, or None without errors."""
    names = ("test_error", "validation_error", "train_error")
    return next((name for name in names if all(getattr(point, name) is not None for point in points)), None)


def _size_and_error(target: Target, point, name, leaves, error=None):
    """Return the size and the error of a tree as on the Tree page, such as "24 leaves, 7.0 % wrong"."""
    if name is None:
        return _leaves(leaves)
    text = target.error_text(getattr(point, name) if error is None else error)
    is_share = target.values_are_groups and not point.is_weighted
    return f"{_leaves(leaves)}, " + (f"{text} wrong" if is_share else f"{error_name(name, point.is_weighted)} {text}")


def _of_size(reference, part, point):
    """Return (method, leaves, error) of the largest tree of another method with at most as many leaves, or None.

    Only trees that were trained for a size are compared with trees of their size.
    """
    fitting = [one for one in reference.get("sizes", ()) if one["leaves"] <= point.tree.n_leaves]
    if point.size is None or not fitting:
        return None
    found = max(fitting, key=lambda one: one["leaves"])
    error = found["errors"].get(part)
    return None if error is None else (reference["method"], found["leaves"], error)


def _with_method(panel, method, errors):
    """Return a panel with the errors of another method as a dashed curve."""
    colors = {name: theme.muted for name, theme in THEMES.items()}
    curve = Curve(method, np.array(errors, float), colors, DASHES[2])
    return panel._replace(curves=(*panel.curves, curve), top=max(panel.top, 1.1 * max(errors)))


def _leaves(count):
    return f"{count} {'leaf' if count == 1 else 'leaves'}"


def _faint(panel: Panel, theme: Theme) -> Panel:
    """Return a panel with its colours mixed with the background."""
    name = theme_name(theme)
    back = rgb(THEMES[name].background).astype(float)

    def mixed(color):
        values = np.rint(back + FAINT * (rgb(color) - back)).astype(int)
        return "#" + "".join(f"{value:02x}" for value in values)

    return panel._replace(
        curves=tuple(curve._replace(colors={name: mixed(curve.colors[name])}) for curve in panel.curves)
    )


def _draw_dot(pixels, x, y, radius, color):
    """Draw a disc with a smooth edge into uint8[h, w, 3]."""
    left, top = max(int(x - radius) - 1, 0), max(int(y - radius) - 1, 0)
    part = pixels[top : int(y + radius) + 3, left : int(x + radius) + 3]
    rows, columns = np.ogrid[: part.shape[0], : part.shape[1]]
    # The centre of a pixel is half a pixel from its corner.
    distance = np.hypot(columns + left + 0.5 - x, rows + top + 0.5 - y)
    share = np.clip(radius + 0.5 - distance, 0, 1)[..., None]
    part[:] = np.rint(part + share * (color.astype(float) - part))
