"""Colours of the cells of a map, with the figures that stand beside them."""

from typing import NamedTuple


class ColorScale(NamedTuple):
    """stops : hex colours from low to high, evenly spaced; ticks : (share in [0, 1] of the way, text)."""

    stops: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
