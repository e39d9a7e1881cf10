"""Plotly charts in the colours of a theme."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from viz.palette import STAGE_THEMES, THEMES
from viz.words import text_fit


class ColorScale(NamedTuple):
    """Colour scale.

    stops : hex colours from low to high, evenly spaced
    ticks : (position in [0, 1], text) each
    """

    stops: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]


FONT = '"Source Sans", sans-serif'
TEXT = 13  # in pixels
CLEAR = "rgba(0,0,0,0)"


class Chart(NamedTuple):
    """Plotly chart with a description.

    Equal values give equal JSON, because otherwise the browser would lose the zoom.

    data, layout : Plotly JSON
    description : text for screen readers
    """

    data: list
    layout: dict
    description: str


def chart(
    data: list, description: str, theme: str, height: int, x: dict, y: dict, x2: dict | None = None, **layout
) -> Chart:
    """Return a `Chart` of some traces.

    theme : "light" or "dark"
    height : in pixels
    x, y, x2 : settings of the axes, with their title as text
    layout : other settings of the layout
    """
    colors, accent = THEMES[theme], STAGE_THEMES[theme]["accent"]
    axis = {
        "gridcolor": STAGE_THEMES[theme]["grid"], "linecolor": colors.line, "tickcolor": colors.line, "zeroline": False,
        "tickfont": {"color": colors.muted}, "automargin": True,
    }  # fmt: skip
    whole = {
        "template": "none", "height": height, "paper_bgcolor": CLEAR, "plot_bgcolor": CLEAR, "hovermode": "closest",
        "uirevision": "kept", "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "font": {"family": FONT, "size": TEXT, "color": colors.text},
        "hoverlabel": {"bgcolor": colors.surface, "bordercolor": colors.line, "align": "left",
                       "font": {"family": FONT, "size": TEXT, "color": colors.text}},
        "legend": {"font": {"color": colors.text}, "itemwidth": 30},
        "modebar": {"bgcolor": colors.background, "color": colors.muted, "activecolor": accent},
        "xaxis": axis | {"showgrid": False} | _with_title(x, colors), "yaxis": axis | _with_title(y, colors),
    }  # fmt: skip
    if x2 is not None:
        whole["xaxis2"] = axis | _with_title(x2, colors)
    return Chart(data, whole | layout, description)


def _with_title(axis, colors):
    title = {"text": axis.get("title", ""), "font": {"size": TEXT, "color": colors.muted}, "standoff": 8}
    return axis | {"title": title}


def literal(text: str, room: int | None = None) -> str:
    """Escape `text`, because Plotly interprets tags and templates.

    room : maximum width in pixels, or None
    """
    text = text_fit.clean(str(text), any_glyph=True)
    if room is not None:
        text = text_fit.fit(text, TEXT, room)[0] if text_fit.width(text, TEXT) > room else text
    # Plotly interprets some tags and %{...}, and decodes entities.
    return escape(text, quote=False).replace("%{", "%\u2060{")


def named(names: Sequence[str], room: int, most: int = 40) -> dict:
    """Return the settings of an axis with a name at each whole number.

    Each name is cut to `room` pixels. If there are more than `most` names, only every second, third, ... name is shown.
    """
    step = max(1, -(-len(names) // most))  # A column with too many distinct texts has no names.
    texts = [literal(name, room) for name in names[::step]]
    return {"tickvals": list(range(0, len(names), step)), "ticktext": texts, "ticks": "", "showgrid": False}


def color_bar(scale: ColorScale, theme: str, **place) -> dict:
    """Return the settings of the colour bar for a `ColorScale`."""
    return {
        "tickvals": [share for share, _ in scale.ticks], "ticktext": [text for _, text in scale.ticks], "thickness": 8,
        "outlinewidth": 0, "orientation": "h", "ticklen": 3, "tickcolor": THEMES[theme].line,
        "tickfont": {"size": 12, "color": THEMES[theme].muted},
    } | place  # fmt: skip


def stops(scale: ColorScale) -> list:
    """Return the Plotly colour scale of a `ColorScale`."""
    return [[place / (len(scale.stops) - 1), color] for place, color in enumerate(scale.stops)]


def listed(array: np.ndarray) -> list:
    """Convert float[rows, columns] to lists, with None for NaN."""
    return [[None if value != value else round(float(value), 6) for value in row] for row in array]
