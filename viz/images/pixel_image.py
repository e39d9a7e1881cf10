"""Images of one row, of the difference of two rows, and of one value for each pixel."""

import numpy as np

from viz.images.magnified_png import magnified_png
from viz.palette import THEMES, diverging, rgb

SIDE = 220  # pixels of the longer side on the screen, at least


def ink_image(values: np.ndarray, shape: tuple[int, ...], theme: str = "light", top: float | None = None) -> bytes:
    """Return PNG bytes of values >= 0 as ink; `top` (default: the largest value) is the darkest."""
    low, high = rgb(THEMES[theme].surface), rgb(THEMES[theme].text)
    share = np.clip(np.asarray(values, np.float64) / (top or values.max() or 1.0), 0.0, 1.0)[:, None]
    return _png(np.rint(low + share * (high - low)).astype(np.uint8), shape)


def signed_image(values: np.ndarray, shape: tuple[int, ...], theme: str = "light") -> bytes:
    """Return PNG bytes of signed values in two colours; 0 has no colour."""
    return _png(diverging(values, float(np.abs(values).max()), THEMES[theme].surface), shape)


def _png(pixels, shape):
    return magnified_png(pixels.reshape(*shape, 3), max(1, -(-SIDE // max(shape))))
