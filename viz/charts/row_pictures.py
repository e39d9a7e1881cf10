"""Pictures of one row of image data, of the difference of two, of a figure for every pixel; bars for features."""

import io

import altair
import numpy as np
import pandas

from viz.palette import THEMES, diverging, rgb

SIDE = 220  # pixels of the longer side on the screen, at least
MOST_BARS = 25
COLOR, SECOND_COLOR = "#4f86e8", "#94a4a2"


def ink_image(values, shape, theme="light", top=None):
    """PNG bytes of values >= 0 as ink; `top` (the largest when None) is the strongest."""
    low, high = rgb(THEMES[theme].surface), rgb(THEMES[theme].text)
    share = np.clip(np.asarray(values, np.float64) / (top or values.max() or 1.0), 0.0, 1.0)[:, None]
    return _png(np.rint(low + share * (high - low)).astype(np.uint8), shape)


def signed_image(values, shape, theme="light"):
    """PNG bytes of signed values in two colours, no colour for 0."""
    return _png(diverging(values, float(np.abs(values).max()), THEMES[theme].surface), shape)


def _png(pixels, shape):
    from PIL import Image  # slow import

    height, width = shape
    zoom = max(1, -(-SIDE // max(shape)))
    picture = Image.fromarray(pixels.reshape(height, width, 3))
    out = io.BytesIO()
    picture.resize((width * zoom, height * zoom), Image.Resampling.NEAREST).save(out, "PNG")
    return out.getvalue()


def importance_charts(names, mean, deviation, n_nodes):
    """Two charts with the same lines: bars of the loss increase of features, with one standard deviation to each side,
    and the number of decision nodes. names : list of str, different, in the order to draw; the others one figure each;
    the first 25 are drawn."""
    frame = pandas.DataFrame(
        {
            "feature": names, "rise": 100 * mean, "low": 100 * (mean - deviation), "high": 100 * (mean + deviation),
            "nodes": n_nodes,
        }
    )[:MOST_BARS]  # fmt: skip
    tips = [
        altair.Tooltip("feature:N"),
        altair.Tooltip("rise:Q", title="error rises by points", format=".2f"),
        altair.Tooltip("nodes:Q", title="decision nodes"),
    ]
    lines = altair.Y("feature:N", sort=None, title=None, axis=altair.Axis(labelLimit=190, labelOverlap=False))
    base = altair.Chart(frame).encode(y=lines, tooltip=tips)
    bars = base.mark_bar(color=COLOR).encode(
        x=altair.X("rise:Q", title="error rises by (percentage points)", axis=altair.Axis(tickCount=6))
    )
    spread = base.mark_rule(strokeWidth=2, color=SECOND_COLOR).encode(x="low:Q", x2="high:Q")
    nodes = base.mark_bar(color=SECOND_COLOR).encode(
        y=altair.Y("feature:N", sort=None, title=None, axis=altair.Axis(labels=False, ticks=False)),
        x=altair.X("nodes:Q", title="decision nodes that use it", axis=altair.Axis(tickMinStep=1, format="d")),
    )
    height = 24 * len(frame) + 60
    return altair.layer(bars, spread).properties(height=height), nodes.properties(height=height)
