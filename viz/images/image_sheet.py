"""Sheets with the images of a data set."""

from collections.abc import Sequence

import numpy as np

from treecore.tree.data_set_like import DataSetLike
from viz.images.magnified_png import magnified_png
from viz.palette import THEMES, rgb

IMAGES_PER_CLASS = 12
MAX_CLASSES = 40
LARGE_IMAGE = 48  # in pixels; wider images are not magnified


def image_sheet(data: DataSetLike, theme: str = "light", zoom: int = 2) -> bytes:
    """Return PNG bytes with one line of images for each group of the target: the mean image, then the first rows.

    The sheet shows at most `MAX_CLASSES` groups. Images wider than `LARGE_IMAGE` pixels are not magnified.

    data : DataSet with image_shape
    """
    height, width = data.image_shape
    top = float(data.X.max()) or 1.0
    gap = 2
    zoom = zoom if width <= LARGE_IMAGE else 1
    n_lines, groups = min(len(data.target.groups), MAX_CLASSES), data.target.group_of(data.y)
    sheet = np.zeros((n_lines * (height + gap), (IMAGES_PER_CLASS + 1) * (width + gap) + 3 * gap))
    for code in range(n_lines):
        rows = np.flatnonzero(groups == code)
        if rows.size == 0:
            continue
        images = [data.X[rows].mean(axis=0), *data.X[rows[:IMAGES_PER_CLASS]]]
        for i, image in enumerate(images):
            y, x = code * (height + gap), i * (width + gap) + (3 * gap if i else 0)
            sheet[y : y + height, x : x + width] = image.reshape(height, width) / top
    return _png(sheet, theme, zoom)


def row_sheet(data: DataSetLike, rows: Sequence[int], theme: str = "light", columns: int = 10, side: int = 36) -> bytes:
    """Return PNG bytes with the images of these rows, in reading order.

    data : DataSet with image_shape
    rows : row numbers, at least one
    columns : images on a line
    side : minimum side of an image in pixels
    """
    height, width = data.image_shape
    top = float(data.X.max()) or 1.0
    gap = 2
    lines = -(-len(rows) // columns)
    sheet = np.zeros((lines * (height + gap), columns * (width + gap)))
    for i, row in enumerate(rows):
        y, x = (i // columns) * (height + gap), (i % columns) * (width + gap)
        sheet[y : y + height, x : x + width] = data.X[row].reshape(height, width) / top
    return _png(sheet, theme, max(1, -(-side // max(height, width))))


def _png(sheet, theme, zoom):
    """Convert float[h, w] in [0, 1] to PNG bytes, from the background colour (0) to the text colour (1)."""
    low, high = rgb(THEMES[theme].background), rgb(THEMES[theme].text)
    return magnified_png(np.rint(low + sheet[..., None] * (high - low)).astype(np.uint8), zoom)
