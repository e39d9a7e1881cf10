"""Pictures of a data set: sample images, class counts, a scatterplot."""

import io

import altair
import numpy as np
import pandas

from viz.palette import THEMES, class_color, rgb

IMAGES_PER_CLASS = 12
MAX_POINTS = 2000
MAX_CLASSES = 40
LARGE_IMAGE = 48  # pixels wide; larger ones are not magnified


def image_sheet(data, theme="light", zoom=2):
    """PNG bytes: one line per class, its mean image first, then its first rows. data : DataSet with image_shape.

    At most `MAX_CLASSES` classes; images wider than `LARGE_IMAGE` pixels are not magnified.
    """
    height, width = data.image_shape
    top = float(data.X.max()) or 1.0
    gap = 2
    zoom = zoom if width <= LARGE_IMAGE else 1
    n_classes = min(data.n_classes, MAX_CLASSES)
    sheet = np.zeros((n_classes * (height + gap), (IMAGES_PER_CLASS + 1) * (width + gap) + 3 * gap))
    for code in range(n_classes):
        rows = np.flatnonzero(data.y == code)
        if rows.size == 0:
            continue
        images = [data.X[rows].mean(axis=0), *data.X[rows[:IMAGES_PER_CLASS]]]
        for i, image in enumerate(images):
            y, x = code * (height + gap), i * (width + gap) + (3 * gap if i else 0)
            sheet[y : y + height, x : x + width] = image.reshape(height, width) / top
    return _png(sheet, theme, zoom)


def row_sheet(data, rows, theme="light", columns=10, side=36):
    """PNG bytes: the images of some rows, in reading order.

    data : DataSet with image_shape; rows : row numbers, at least one; columns : images on a line; side : pixels that an
    image has at least.
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
    """PNG bytes of float[h, w] in [0, 1], from the background's colour to that of text."""
    from PIL import Image  # slow import

    low, high = rgb(THEMES[theme].background), rgb(THEMES[theme].text)
    pixels = np.rint(low + sheet[..., None] * (high - low)).astype(np.uint8)
    picture = Image.fromarray(pixels).resize((pixels.shape[1] * zoom, pixels.shape[0] * zoom), Image.Resampling.NEAREST)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _color(names):
    colors = [class_color(i) for i in range(len(names))]
    return altair.Color("class:N", scale=altair.Scale(domain=list(names), range=colors), sort=list(names), legend=None)


def class_chart(names, counts):
    """Bar chart of the number of rows of each class."""
    frame = pandas.DataFrame({"class": list(names), "rows": counts})
    bars = altair.Chart(frame).encode(
        y=altair.Y("class:N", sort=None, title=None, axis=altair.Axis(labelLimit=140, labelOverlap=False))
    )
    return (
        bars.mark_bar().encode(x=altair.X("rows:Q", title="rows", axis=altair.Axis(tickCount=4)), color=_color(names))
    ).properties(height=max(120, min(26 * len(names), 700)))


def scatter_chart(data):
    """Scatterplot of a data set with two features, at most 2000 points."""
    step = max(1, -(-data.n_rows // MAX_POINTS))
    frame = pandas.DataFrame(
        {"x": data.X[::step, 0], "y": data.X[::step, 1], "class": [data.class_names[c] for c in data.y[::step]]}
    )
    first, second = data.feature_names
    shapes = altair.Shape("class:N", sort=list(data.class_names), legend=altair.Legend(title=None, orient="top"))
    return (
        altair.Chart(frame)
        .mark_point(filled=True, size=28, opacity=0.85)
        .encode(
            x=altair.X("x:Q", title=first, scale=altair.Scale(zero=False)),
            y=altair.Y("y:Q", title=second, scale=altair.Scale(zero=False)),
            color=_color(data.class_names),
            shape=shapes,
            tooltip=["class:N", altair.Tooltip("x:Q", title=first), altair.Tooltip("y:Q", title=second)],
        )
        .properties(height=480)
    )
