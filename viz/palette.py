"""Colours: one colour for each class in every view, diverging colours for weights, light and dark themes."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.tree.target import Target

# Class colours by theme, from a search that starts at those of Petroff (2021). People with common colour vision
# deficiencies can distinguish all twelve. Contrast to the background is at least 3:1 (WCAG 2.1, 1.4.11). The first four
# differ in lightness, so that a grey print shows them, with a contrast of at least 1.5:1.
CLASS_COLORS = {
    "light": (
        "#1162b3", "#ca7b1d", "#8c1502", "#391361", "#a153fa", "#8b6357",
        "#7a397b", "#9a8d60", "#637180", "#295251", "#318b76", "#c50134",
    ),
    "dark": (
        "#6996b5", "#fcba61", "#cb3c0e", "#e8f8fc", "#9148d6", "#bc938f",
        "#ec8fee", "#89a300", "#717580", "#90d0c8", "#90945b", "#ffc1fc",
    ),
}  # fmt: skip
# Colours of ordered groups: viridis (Smith and van der Walt 2015) in equal steps in CIELAB, without the colours that
# lack contrast to the background of the theme.
RAMP = {
    "light": ("#440154", "#44337d", "#3a5389", "#2a768c", "#248c77", "#3b8e44", "#6e8a10"),
    "dark": ("#2a788e", "#21918c", "#22a884", "#44bf70", "#7ad151", "#bddf26", "#fde725"),
}
OTHER_CLASS = "#808896"  # all classes after the twelfth, which are distinguished only by their names

NEGATIVE, POSITIVE = "#1b60bd", "#e0690a"  # of different lightness, for grey prints
# (negative, positive); red-blue as in the figures in the TAO papers
DIVERGING = {"orange-blue": (NEGATIVE, POSITIVE), "red-blue": ("#b2182b", "#2166ac")}
# Colours of maps. "sequential": from a pale to a deep blue on a light page, in the other direction on a dark one, with
# growing contrast to the page. "diverging": from the blue to the orange of weights, over grey.
MAP_RAMPS = {
    "light": {"sequential": ("#e3ecf9", "#a9c7ee", "#5f93dc", "#2b5cb8", "#12306e"),
              "diverging": (NEGATIVE, "#d5dbe4", POSITIVE)},
    "dark": {"sequential": ("#20304a", "#2c4f8a", "#4a7dd0", "#84b0f5", "#dbe9ff"),
             "diverging": ("#4d9bff", "#4a5463", "#ff9838")},
}  # fmt: skip


class Theme(NamedTuple):
    """Colours of a theme."""

    background: str
    surface: str
    text: str
    muted: str
    line: str


THEMES = {
    "light": Theme("#ffffff", "#f3f5f8", "#1d2530", "#5b6675", "#b9c1cc"),
    "dark": Theme("#14181f", "#1e242d", "#e8ecf2", "#9aa6b6", "#4a5563"),
}

UNCHOSEN_CLASS = ("#dfe3e9", "#343c48")  # (light, dark) colour of all other classes while one class is highlighted
# Curves along a path: training, validation and test errors; leaves, features per node, splits per row.
ERROR_COLORS = {"light": ("#849090", "#3f90da", "#e76300"), "dark": ("#94a4a2", "#609cd8", "#e76300")}
SIZE_COLORS = {"light": ("#832db6", "#a96b59", "#cc7800"), "dark": ("#9048d8", "#a96b59", "#ffa90e")}
# The colours for the dark theme are brighter, because thin lines in the other colours lack contrast.
STAGE_DIVERGING = {
    "light": DIVERGING,
    "dark": {"orange-blue": ("#4d9bff", "#ff9838"), "red-blue": ("#ff6b6b", "#5aa5f0")},
}
# Colours of the interactive stage that `Theme` does not have.
STAGE_THEMES = {
    "light": {
        "grid": "#e6eaf0", "ghost": "#cfd6e0", "tint": "rgba(90, 102, 117, 0.15)", "outline": "rgba(20, 24, 31, 0.45)",
        "accent": "#3f6fd1", "accentText": "#2b55ad", "onAccent": "#ffffff", "alarm": "#d6168b", "alarmText": "#b00f72",
        "found": "#0a7f5c", "toLeft": "#007a68", "toRight": "#c4157f",
    },
    "dark": {
        "grid": "#2a313c", "ghost": "#3a4350", "tint": "rgba(154, 166, 182, 0.17)",
        "outline": "rgba(232, 236, 242, 0.4)", "accent": "#6f9bff", "accentText": "#a8c3ff", "onAccent": "#0d1117",
        "alarm": "#ff5fb4", "alarmText": "#ff8ecb",
        "found": "#3ddbab", "toLeft": "#35d9b5", "toRight": "#ff6dbb",
    },
}  # fmt: skip
CSS_ACCENT = f"light-dark({STAGE_THEMES['light']['accent']}, {STAGE_THEMES['dark']['accent']})"


def class_color(index: int, theme: str = "light") -> str:
    """Return the hex colour of the class with this index among the class names of the data set."""
    colors = CLASS_COLORS[theme]
    return colors[index] if 0 <= index < len(colors) else OTHER_CLASS


def group_colors(target: Target, y: np.ndarray | None = None, theme: str = "light") -> tuple:
    """Return hex colours, one for each group of a `treecore.tree.target.Target`.

    theme : theme whose background the colours suit
    y : values of the data. If there are more classes than colours, the largest classes get the colours. Without `y`,
        the first classes get them.
    """
    count = len(target.groups)
    if not target.is_ordered:
        places = np.arange(count)
        n_colors = len(CLASS_COLORS[theme])
        if y is not None and len(y) and count > n_colors:
            sizes = np.bincount(target.group_of(y), minlength=count)
            largest = np.sort(np.argsort(-sizes, kind="stable")[:n_colors])
            places[:] = count
            places[largest] = np.arange(largest.size)
        return tuple(class_color(int(place), theme) for place in places)
    return tuple(colors_on(RAMP[theme], np.linspace(0, 1, count)))


def colors_on(ramp: Sequence[str], shares: np.ndarray) -> list[str]:
    """Return the hex colour of each share in [0, 1] on a ramp of evenly spaced colours."""
    stops, places = np.array([rgb(color) for color in ramp], float), np.linspace(0, 1, len(ramp))
    channels = [np.interp(shares, places, stops[:, c]) for c in range(3)]
    return ["#" + bytes(np.rint(color).astype(np.uint8).tolist()).hex() for color in np.transpose(channels)]


def pale(color: str, share: float, background: str) -> str:
    """Return a mixture of a colour, by its share, with a background."""
    mixed = rgb(background) + share * (rgb(color) - rgb(background))
    return "#" + "".join(f"{int(channel + 0.5):02x}" for channel in mixed.tolist())


def text_on(color: str) -> str:
    """Return black or white, whichever has more contrast to `color` (WCAG relative luminance)."""
    channels = rgb(color) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ [0.2126, 0.7152, 0.0722])
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#ffffff"


def diverging(
    values: np.ndarray, largest: float, background: str, colors: str | Sequence[str] = "orange-blue"
) -> np.ndarray:
    """Return uint8[..., 3] with a colour for each weight: `background` for zero, saturated at +-`largest`.

    values : float[...]
    background : hex colour
    colors : name in `DIVERGING`, or (negative, positive) in hex
    """
    share = np.clip(np.asarray(values, np.float64) / (largest or 1.0), -1.0, 1.0)[..., None]
    zero, low, high = (rgb(color) for color in (background, *DIVERGING.get(colors, colors)))
    # The smallest weight must still look different from zero.
    strength = np.where(share == 0, 0.0, 0.25 + 0.75 * np.sqrt(np.abs(share)))
    return np.rint(zero + strength * (np.where(share < 0, low, high) - zero)).astype(np.uint8)


def theme_name(theme: Theme) -> str:
    """Return the name, "light" or "dark", of a Theme in `THEMES`."""
    return next(name for name, known in THEMES.items() if known == theme)


def named(theme: Theme, color: str) -> str:
    """Return the colour of this name, as hex or "rgba(...)", from a Theme or its `STAGE_THEMES`.

    Other text is returned unchanged.
    """
    return (theme._asdict() | STAGE_THEMES[theme_name(theme)]).get(color, color)


def signs(theme: Theme) -> tuple:
    """Return the colours (negative, positive) of weights on the stage for this Theme."""
    return STAGE_DIVERGING[theme_name(theme)]["orange-blue"]


def rgba(color: str) -> tuple:
    """Convert "#rrggbb" or "rgba(r, g, b, opacity)" to (r, g, b, opacity), each in [0, 1]."""
    if color.startswith("#"):
        return (*(rgb(color) / 255).tolist(), 1.0)
    *channels, opacity = (float(part) for part in color[5:-1].split(","))
    return (*(channel / 255 for channel in channels), opacity)


def rgb(color: str) -> np.ndarray:
    """Convert "#rrggbb" to int64[3] in [0, 255]."""
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])
