"""Colours: one map from class to colour for every view, a diverging one for weights, light and dark surroundings."""

from typing import NamedTuple

import numpy as np

# Petroff (2021), ten colours told apart under all common colour vision deficiencies.
CLASS_COLORS = (
    "#3f90da",
    "#ffa90e",
    "#bd1f01",
    "#94a4a2",
    "#832db6",
    "#a96b59",
    "#e76300",
    "#b9ac70",
    "#717581",
    "#92dadd",
)
OTHER_CLASS = "#8b93a1"  # classes beyond the tenth, told apart by their name

NEGATIVE, POSITIVE = "#1f6fd6", "#e8710a"


class Theme(NamedTuple):
    """Surroundings of a picture."""

    background: str
    surface: str
    text: str
    muted: str
    line: str


THEMES = {
    "light": Theme("#ffffff", "#f3f5f8", "#1d2530", "#5b6675", "#b9c1cc"),
    "dark": Theme("#14181f", "#1e242d", "#e8ecf2", "#9aa6b6", "#4a5563"),
}


def class_color(index):
    """Hex colour of the class with this position in the data set's class names."""
    return CLASS_COLORS[index] if 0 <= index < len(CLASS_COLORS) else OTHER_CLASS


def text_on(color):
    """Black or white, whichever has more contrast on `color` (WCAG relative luminance)."""
    channels = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ [0.2126, 0.7152, 0.0722])
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#ffffff"


def diverging(values, largest, background):
    """uint8[..., 3]: blue for negative, orange for positive, `background` for zero; colours saturate at +-`largest`."""
    share = np.clip(np.asarray(values, np.float64) / (largest or 1.0), -1.0, 1.0)[..., None]
    zero, low, high = (np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]) for c in (background, NEGATIVE, POSITIVE))
    # the square root lifts small weights off the background
    strength = np.sqrt(np.abs(share))
    return np.rint(zero + strength * (np.where(share < 0, low, high) - zero)).astype(np.uint8)
