"""Colour scale of a map, with its ticks."""

from typing import NamedTuple


class ColorScale(NamedTuple):
    """Colour scale.

    stops : hex colours from low to high, evenly spaced
    ticks : (position in [0, 1], text) each
    """

    stops: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
