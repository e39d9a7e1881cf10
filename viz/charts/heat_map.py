"""A map of coloured cells with its scale, drawn on a canvas."""

import numpy as np

from viz.palette import rgb
from viz.words.text_fit import width as text_width

TEXT = 10


def ramp(stops, share):
    """Hex colour at a share in [0, 1] of the way through some hex colours."""
    colors = np.array([rgb(color) for color in stops], float)
    places = np.linspace(0, 1, len(stops))
    mixed = [np.interp(min(max(share, 0.0), 1.0), places, colors[:, channel]) for channel in range(3)]
    return "#" + bytes(np.rint(mixed).astype(np.uint8).tolist()).hex()


def draw_scale(canvas, stops, ticks, left, top, length):
    """A bar of the colours with (share, text) ticks below it."""
    n = 48
    for i in range(n):
        canvas.rectangle(left + i * length / n, top, length / n + 0.4, 8, ramp(stops, (i + 0.5) / n), layer=2.0)
    reached = -np.inf
    for share, text in ticks:
        x, half = left + share * length, text_width(text, TEXT) / 2
        if x - half > reached + 4:
            canvas.text(x, top + 18, text, TEXT, 80, canvas.theme.muted, whole=True)
            reached = x + half
