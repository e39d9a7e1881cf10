"""A regularisation path as an animated GIF: one tree per frame, in which every node keeps its position."""

import io
from collections.abc import Callable, Sequence

import numpy as np

from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.training.path import RegularizationPath
from treecore.tree.data_set_like import DataSetLike
from viz.charts.figures.path_panel import path_panel
from viz.charts.values.path_curves import error_panel, size_panel
from viz.charts.values.path_points import number_text, path_points, summary, title_of
from viz.drawing.canvas import Box, Canvas
from viz.drawing.check_output import check_theme
from viz.drawing.figure_entries import FIGURE
from viz.messages import MESSAGES
from viz.nodes.node_contents import node_contents
from viz.palette import CLASS_COLORS, OTHER_CLASS, THEMES, Theme, rgb, signs, theme_name
from viz.tree.layout import Layout, PathLayout, free_room, layout_in_path, path_layout
from viz.tree.tree_drawing import LINE, draw_legend, draw_tree, legend_lines
from viz.tree.tree_figure import MARGIN, check_data
from viz.tree.tree_part import part_places, subtree
from viz.tree.tree_places import level_rooms, natural_height
from viz.words.text_fit import width as text_width

HEAD = 40  # in pixels
STRIP = 104  # in pixels
PALETTE_FRAMES = 6
N_COLORS = 255  # one of the 256 colours marks pixels that do not change
LAST_FRAME = 4  # duration of the last frame, as a multiple of that of other frames


@filled(FIGURE)
def path_gif(
    path: RegularizationPath | Sequence,
    data: DataSetLike,
    width: float = 960,
    theme: str = "light",
    milliseconds: int = 500,
    on_frame: Callable | None = None,
) -> bytes | None:
    """Draw the trees of a path as an animated GIF, in order of lambda.

    Parameters
    ----------
    path : RegularizationPath or list
        Path, or objects with `lam`, `tree` and optional errors.
    {data}
    width : float, default=960
        Width in pixels.
    {theme}
    milliseconds : int, default=500
        Duration of a frame.
    on_frame : callable or None, default=None
        Function of (frames done, frames in total). If it returns a true value, drawing stops.

    Returns
    -------
    bytes or None
        The GIF, or None if drawing was stopped.

    Raises
    ------
    ParameterError
        If the path, theme, width or data set is invalid.

    See Also
    --------
    contact_sheet : Draws the path on pages.

    Examples
    --------
    >>> import sample_data, viz
    >>> from treecore import TAOClassifier, regularization_path
    >>> data = sample_data.load("iris")
    >>> estimator = TAOClassifier(split="univariate", init="cart", max_depth=1)
    >>> path = regularization_path(estimator, data.X, data.labels(), lams=[9.0])
    >>> viz.path_gif(path, data, width=400)[:6]
    b'GIF89a'
    """
    points = path_points(path)
    check_theme(theme)
    if not 200 <= width <= 4000:
        raise ParameterError(MESSAGES("animation.width", width=width))
    if not milliseconds >= 20:
        raise ParameterError(MESSAGES("animation.milliseconds", milliseconds=milliseconds))
    for point in points:
        check_data(point.tree, data)
    film = _Film(points, data, int(width), THEMES[theme])
    frames, palette = {}, None
    first = np.unique(np.linspace(0, len(points) - 1, PALETTE_FRAMES).astype(int)).tolist()
    for index in first + sorted(set(range(len(points))) - set(first)):
        frame = film.frame(index)
        frames[index] = frame if palette is None else palette.indexed(frame)
        if on_frame is not None and on_frame(len(frames), len(points)):
            return None
        if index == first[-1]:
            palette = _Palette(shared_palette(list(frames.values()), THEMES[theme]))
            frames = {index: palette.indexed(frame) for index, frame in frames.items()}
    return _encode([frames[index] for index in range(len(points))], palette.colors, milliseconds)


def tree_box(whole: PathLayout, width: float) -> tuple:
    """Return the positions that all frames share, for a PathLayout.

    Return (Box of the tree, `level_rooms` that divide its height).
    """
    room = free_room(whole.x, whole.depth, whole.n_slots)
    rooms = level_rooms(Layout(whole.x, whole.depth, room, whole.n_slots))
    height = natural_height(rooms, whole.n_slots, width - 2 * MARGIN)
    least = 16 * rooms.size
    return Box(MARGIN, HEAD, width - 2 * MARGIN, float(np.clip(height, least, max(620, least)))), rooms


class _Film:
    """Draw the frames, and keep their common parts."""

    def __init__(self, points, data, width, theme):
        self.points, self.data, self.width, self.theme = points, data, width, theme
        self.lams = np.array([point.lam for point in points])
        self.whole = path_layout([point.tree for point in points])
        self.box, self.rooms = tree_box(self.whole, width)
        self.panel = error_panel(points, n_ticks=2) or size_panel(points)
        largest = max((point.tree for point in points), key=lambda tree: tree.n_nodes)
        self.largest = node_contents(largest, data)
        self.legend = legend_lines(self.largest, self.box.width)
        self.height = int(np.ceil(HEAD + self.box.height + self.legend * LINE + STRIP + MARGIN))

    def frame(self, index):
        """Return a frame as uint8[height, width, 3]."""
        point, inner = self.points[index], self.width - 2 * MARGIN
        canvas = Canvas(self.width, self.height, self.theme)
        self._headline(canvas, point)
        places = layout_in_path(point.tree, self.whole)
        contents = node_contents(point.tree, self.data)
        part = subtree(point.tree)
        draw_tree(canvas, contents, self.box, part, part_places(part, places), self.rooms)
        draw_legend(canvas, self.largest, MARGIN, HEAD + self.box.height, inner)
        strip = Box(MARGIN, self.height - STRIP - MARGIN / 2, inner, STRIP)
        path_panel(canvas, self.panel, self.lams, strip, chosen=index)
        return canvas.pixels()

    def _headline(self, canvas, point):
        text = " · ".join([f"λ = {number_text(point.lam)}", *summary(point)])
        right = self.width - MARGIN
        canvas.text(MARGIN, HEAD / 2, text, 17, right - MARGIN, self.theme.text, align="left", bold=True)
        room = right - MARGIN - text_width(text, 17, bold=True) - 24
        canvas.text(right, HEAD / 2, title_of(self.data), 13, room, self.theme.muted, align="right")


def shared_palette(frames: Sequence, theme: Theme) -> np.ndarray:
    """Return a palette uint8[k, 3], k <= 255: theme and class colours, then those that best fit the frames.

    frames : uint8[h, w, 3] each
    """
    from PIL import Image  # slow import

    exact = list(dict.fromkeys([*theme, *CLASS_COLORS[theme_name(theme)], OTHER_CLASS, *signs(theme)]))
    # Each shade counts once, because otherwise large uniform areas would take all colours.
    shades = np.unique(np.concatenate([np.unique(_pack(frame)) for frame in frames]))
    reduced = Image.fromarray(_unpack(shades).astype(np.uint8)[None]).quantize(N_COLORS - len(exact))
    others = set(map(tuple, np.reshape(reduced.getpalette("RGB") or [], (-1, 3)).tolist()))
    known = [tuple(rgb(color).tolist()) for color in exact]
    return np.array([*known, *sorted(others.difference(known))], np.uint8)


class _Palette:
    """Convert frames to colour indices.

    The array `_number`, uint8[2 ** 24], caches the nearest colour of each shade marked in `_met`.
    """

    def __init__(self, colors):
        self.colors = colors
        self._met, self._number = np.zeros(2**24, bool), np.zeros(2**24, np.uint8)

    def indexed(self, frame):
        """Convert uint8[h, w, 3] to a Pillow image in mode P."""
        from PIL import Image  # slow import

        packed = _pack(frame)
        new = np.unique(packed[~self._met[packed]])
        self._number[new] = _nearest(_unpack(new), self.colors.astype(np.int64))
        self._met[new] = True
        image = Image.fromarray(self._number[packed])
        image.putpalette(self.colors.ravel().tolist())
        return image


def _nearest(shades, colors):
    """Return int64[n], the index of the nearest colour of each shade.

    shades : int64[n, 3]
    colors : int64[k, 3]
    """
    # |shade|^2 is the same for all colours, so the distance can leave it out.
    return (np.square(colors).sum(axis=1) - 2 * shades @ colors.T).argmin(axis=1)


def _pack(frame):
    """Return colours as int64[h, w] in the form 0xRRGGBB."""
    return frame.astype(np.int64) @ [1 << 16, 1 << 8, 1]


def _unpack(shades):
    """Convert 0xRRGGBB to int64[n, 3]."""
    return np.column_stack([shades >> 16, shades >> 8 & 255, shades & 255])


def _encode(frames, colors, milliseconds):
    out = io.BytesIO()
    # The colour table has 256 entries, the last for unchanged pixels.
    table = colors.tobytes().ljust(3 * (N_COLORS + 1), b"\0")
    durations = [milliseconds] * (len(frames) - 1) + [LAST_FRAME * milliseconds]
    frames[0].save(
        out, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0, disposal=1,
        palette=table, optimize=True, transparency=N_COLORS,
    )  # fmt: skip
    return out.getvalue()
