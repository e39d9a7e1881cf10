"""A regularisation path as an animation: one tree after another, up to the recommended one."""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.training.path import RegularizationPath
from treecore.tree.data_set_like import DataSetLike
from viz.charts.path_points import path_points, place_of, recommended
from viz.drawing.check_output import check_theme
from viz.drawing.figure_entries import FIGURE
from viz.looks import LOOKS
from viz.palette import CLASS_COLORS, OTHER_CLASS, THEMES, Theme, pale, rgb, signs, theme_name
from viz.tree.path_film import PathFilm
from viz.tree.tree_figure import check_data

WIDTHS = (960, 1280, 1920)  # widths that the app offers, in pixels
STEPS, STEP = 4, 60  # number and duration in milliseconds of the frames between two trees
PALETTE_FRAMES = 6
N_COLORS = 255  # one of the 256 colours marks pixels that do not change
LAST_FRAME = 8  # duration of the last frame, as a multiple of that of a tree
# Lossless files are smaller than lossy ones, because frames consist of uniform areas and repeat most of their pixels.
WEBP: dict[str, Any] = {"lossless": True, "quality": 50, "method": 4}


@filled(FIGURE)
def path_animation(
    path: RegularizationPath | Sequence,
    data: DataSetLike,
    format: str = "gif",
    *,
    width: float = 960,
    theme: str = "light",
    milliseconds: int = 500,
    end: int | None = None,
    reference: Mapping | None = None,
    on_frame: Callable | None = None,
) -> bytes | None:
    """Draw the trees of a path as an animation, from the smallest lambda to the recommended tree.

    Parameters
    ----------
    path : RegularizationPath or list
        Path, or objects with `lam`, `tree` and optional errors.
    {data}
    format : {{"gif", "webp"}}, default="gif"
        Animated GIF or lossless WebP.
    width : float, default=960
        Width in pixels. Frames wider than 1280 pixels are magnified.
    {theme}
    milliseconds : int, default=500
        Duration of a tree, including the frames between it and the next tree.
    end : int or None, default=None
        Index of the last tree that is shown. The default is the recommended tree. If it is the first tree or unknown,
        the animation shows the whole path.
    reference : dict or None, default=None
        Another method to compare with, such as ``{{"method": "CART", "leaves": 59, "errors": {{"test": 0.164}}}}``.
        With "sizes", a list of such dicts without a method, trees of `size_path` are compared at their size.
    on_frame : callable or None, default=None
        Function of (trees done, trees in total). If it returns a true value, drawing stops.

    Returns
    -------
    bytes or None
        The file, or None if drawing was stopped.

    Raises
    ------
    ParameterError
        If the path, a parameter or the data set is invalid.

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
    >>> viz.path_animation(path, data, "webp", width=400)[8:12]
    b'WEBP'
    """
    points = path_points(path)
    check_theme(theme)
    if format not in _ENCODERS:
        raise ParameterError(f"format={format!r}: expected 'gif' or 'webp'.")
    if not 200 <= width <= 4000:
        raise ParameterError(f"width={literal(width)}: expected 200 to 4000 pixels.")
    if not milliseconds >= 20:
        raise ParameterError(f"milliseconds={literal(milliseconds)}: expected at least 20.")
    if end is not None and end not in range(len(points)):
        raise ParameterError(f"end={literal(end)}: expected None or an index from 0 to {len(points) - 1}.")
    for point in points:
        check_data(point.tree, data)
    if end is None:
        known = recommended(path)
        end = known.get("one_se", known.get("min")) or len(points) - 1
    else:
        end = place_of(path, end)
    film = _Film(PathFilm(points, data, int(width), THEMES[theme], reference), end, int(milliseconds), on_frame)
    try:
        return _ENCODERS[format](film)
    except _Stopped:
        return None


@filled(FIGURE)
def path_gif(
    path: RegularizationPath | Sequence,
    data: DataSetLike,
    width: float = 960,
    theme: str = "light",
    milliseconds: int = 500,
    on_frame: Callable | None = None,
) -> bytes | None:
    """Draw the trees of a path as an animated GIF, as `path_animation` does.

    Parameters
    ----------
    path : RegularizationPath or list
        Path, or objects with `lam`, `tree` and optional errors.
    {data}
    width : float, default=960
        Width in pixels.
    {theme}
    milliseconds : int, default=500
        Duration of a tree.
    on_frame : callable or None, default=None
        Function of (trees done, trees in total). If it returns a true value, drawing stops.

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
    path_animation : Also writes WebP, and shows another method for comparison.

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
    return path_animation(path, data, width=width, theme=theme, milliseconds=milliseconds, on_frame=on_frame)


class _Stopped(Exception):
    """Drawing was stopped by `on_frame`."""


class _Film:
    """Frames of an animation in order, each drawn when the encoder needs it, because frames are large."""

    def __init__(self, film, last, milliseconds, on_frame):
        self.film, self.last, self.on_frame = film, last, on_frame
        self.grows = bool(last) and film.is_small(last)  # whether the last tree fills the room at the end
        self.steps = min(STEPS, milliseconds // (2 * STEP))
        hold = milliseconds - self.steps * STEP
        self.durations = ([hold] + [STEP] * self.steps) * (last + self.grows) + [LAST_FRAME * milliseconds]
        self.kept = {}

    def samples(self):
        """Return the frames of some trees, from the first to the last."""
        indices = np.unique(np.linspace(0, self.last, PALETTE_FRAMES).astype(int)).tolist()
        self.kept = {index: self.film.tree(index) for index in indices}
        return [self.film.frame_of(tree.copy(), index) for index, tree in self.kept.items()]

    def __iter__(self) -> Iterator[np.ndarray]:
        """Yield uint8[height, width, 3]."""
        before = None
        for index in range(self.last + 1):
            tree = self.kept.pop(index) if index in self.kept else self.film.tree(index)
            if before is not None:
                yield from self.film.between(before, tree, index - 1, index, self.steps)
            yield self.film.frame_of(tree.copy(), index)
            before = tree
            if self.on_frame is not None and self.on_frame(index + 1, self.last + 1):
                raise _Stopped
        if self.grows:
            tree = self.film.tree(self.last, is_alone=True)
            yield from self.film.between(before, tree, self.last, self.last, self.steps)
            yield self.film.frame_of(tree, self.last)


def shared_palette(frames: Sequence, theme: Theme) -> np.ndarray:
    """Return a palette uint8[k, 3], k <= 255: theme and class colours, then those that best fit the frames.

    frames : uint8[h, w, 3] each
    """
    from PIL import Image  # slow import

    classes = [*CLASS_COLORS[theme_name(theme)], OTHER_CLASS]
    fills = [pale(color, LOOKS.leaf.pale, theme.background) for color in classes]
    exact = list(dict.fromkeys([*theme, *classes, *fills, *signs(theme)]))
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


def _gif(film):
    palette = _Palette(shared_palette(film.samples(), film.film.theme))
    first, *others = map(palette.indexed, film)
    out = io.BytesIO()
    # The colour table has 256 entries, the last for unchanged pixels.
    table = palette.colors.tobytes().ljust(3 * (N_COLORS + 1), b"\0")
    first.save(
        out, "GIF", save_all=True, append_images=others, duration=film.durations, loop=0, disposal=1,
        palette=table, optimize=True, transparency=N_COLORS,
    )  # fmt: skip
    return out.getvalue()


def _webp(film):
    from PIL import Image  # slow import

    class Frames(Image.Image):
        """Image whose frames are drawn when Pillow selects them, because it would keep all images of a list."""

        n_frames = len(film.durations)

        def __init__(self):
            super().__init__()
            self.frames, self.place = iter(film), -1
            self.seek(0)

        def seek(self, frame):
            if frame == self.place + 1:
                shown = Image.fromarray(next(self.frames))
                self.im, self._mode, self._size, self.place = shown.im, shown.mode, shown.size, frame

        def tell(self):
            return self.place

    out = io.BytesIO()
    Frames().save(out, "WEBP", save_all=True, duration=film.durations, loop=0, **WEBP)
    return out.getvalue()


_ENCODERS = {"gif": _gif, "webp": _webp}
