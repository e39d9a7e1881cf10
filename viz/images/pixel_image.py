"""Images of a row, of the difference between two rows, and of one value per pixel."""

import numpy as np

from viz.images.magnified_png import magnified_png
from viz.palette import THEMES, diverging, rgb

SIDE = 220  # minimum length in pixels of the longer side


def ink_image(values: np.ndarray, shape: tuple[int, ...], theme: str = "light", top: float | None = None) -> bytes:
    """Return PNG bytes that show values >= 0 as ink.

    top : value drawn darkest, by default the largest value
    """
    low, high = rgb(THEMES[theme].surface), rgb(THEMES[theme].text)
    share = np.clip(np.asarray(values, np.float64) / (top or values.max() or 1.0), 0.0, 1.0)[:, None]
    return _png(np.rint(low + share * (high - low)).astype(np.uint8), shape)


def signed_image(values: np.ndarray, shape: tuple[int, ...], theme: str = "light") -> bytes:
    """Return PNG bytes that show negative and positive values in two colours, and 0 as the background."""
    return _png(diverging(values, float(np.abs(values).max()), THEMES[theme].surface), shape)


def _png(pixels, shape):
    return magnified_png(pixels.reshape(*shape, 3), max(1, -(-SIDE // max(shape))))
