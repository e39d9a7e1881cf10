"""Test that colours differ for every kind of colour vision (CIEDE2000), and that text on them is readable (WCAG)."""

import tomllib
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

import viz
from treecore.tree.classes import Classes
from treecore.tree.quantity import Quantity
from viz.palette import (
    CLASS_COLORS,
    DIVERGING,
    ERROR_COLORS,
    MAP_RAMPS,
    OTHER_CLASS,
    RAMP,
    SIZE_COLORS,
    STAGE_DIVERGING,
    STAGE_THEMES,
    THEMES,
    class_color,
    colors_on,
    diverging,
    group_colors,
    text_on,
)

# Machado, Oliveira and Fernandes (2009), severity 1.0, for linear RGB.
VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
LINEAR_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
# Sharma, Wu and Dalal (2005), table 1: two Lab colours and their difference.
SHARMA = [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, 3.1571, -77.2803), (50.0, 0.0, -82.7485), 2.8615),
    ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0009), 7.1792),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0011), 7.2195),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((50.0, 2.5, 0.0), (58.0, 24.0, 15.0), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]


def linear_rgb(color):
    """Return float64[3] in [0, 1] from "#rrggbb" (sRGB)."""
    channels = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(linear):
    """Return the CIE Lab (D65) of linear RGB."""
    share = LINEAR_TO_XYZ @ linear / LINEAR_TO_XYZ.sum(axis=1)
    x, y, z = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(first, second):
    """Return the CIEDE2000 difference between two Lab colours."""
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean_chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    middle = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    wave = (
        1 - 0.17 * np.cos(np.radians(middle - 30)) + 0.24 * np.cos(np.radians(2 * middle))
        + 0.32 * np.cos(np.radians(3 * middle + 6)) - 0.20 * np.cos(np.radians(4 * middle - 63))
    )  # fmt: skip
    for_lightness = 1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2)
    for_chroma, for_hue = 1 + 0.045 * chroma, 1 + 0.015 * chroma * wave
    rotation = np.sin(np.radians(60 * np.exp(-(((middle - 275) / 25) ** 2)))) * 2
    rotation *= -np.sqrt(chroma**7 / (chroma**7 + 25**7))
    parts = (l2 - l1) / for_lightness, (c2 - c1) / for_chroma, hue / for_hue
    return float(np.sqrt(sum(part**2 for part in parts) + rotation * parts[1] * parts[2]))


def apart(first, second, vision):
    """Return the CIEDE2000 difference between two hex colours for this kind of colour vision."""
    seen = (np.clip(VISION[vision] @ linear_rgb(color), 0, 1) for color in (first, second))
    return ciede2000(*(lab(color) for color in seen))


def contrast(first, second):
    """Return the WCAG contrast between two hex colours."""
    light, dark = sorted((float(linear_rgb(c) @ [0.2126, 0.7152, 0.0722]) for c in (first, second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("first", "second", "difference"), SHARMA)
def test_ciede2000_agrees_with_the_published_pairs(first, second, difference):
    assert ciede2000(first, second) == pytest.approx(difference, abs=5e-5)
    assert ciede2000(second, first) == pytest.approx(difference, abs=5e-5)


def test_vision_keeps_greys_and_white_is_the_white_of_lab():
    for matrix in VISION.values():
        np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=2e-6)
    np.testing.assert_allclose(lab(linear_rgb("#ffffff")), (100, 0, 0), atol=1e-9)
    assert contrast("#ffffff", "#000000") == pytest.approx(21)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", THEMES)
def test_class_colours_are_distinct(theme, vision):
    colors = CLASS_COLORS[theme]
    assert len(colors) == 12
    assert min(apart(*pair, vision) for pair in combinations(colors, 2)) >= 10
    assert min(apart(*pair, vision) for pair in combinations(colors[:4], 2)) >= 15


@pytest.mark.parametrize("theme", THEMES)
def test_a_grey_print_shows_up_to_four_classes_and_both_signs(theme):
    assert min(contrast(*pair) for pair in combinations(CLASS_COLORS[theme][:4], 2)) >= 1.5
    assert contrast(*STAGE_DIVERGING["light"]["orange-blue"]) >= 1.5


@pytest.mark.parametrize("theme", THEMES)
def test_drawn_shapes_and_text_have_enough_contrast(theme):
    grounds = THEMES[theme].background, THEMES[theme].surface
    stage = STAGE_THEMES[theme]
    ramp = group_colors(Quantity(0.0, 50.0), theme=theme)
    drawn = [*CLASS_COLORS[theme], OTHER_CLASS, *RAMP[theme], *ramp, *ERROR_COLORS[theme], *SIZE_COLORS[theme]]
    drawn += [stage[name] for name in ("accent", "alarm", "found", "toLeft", "toRight")]
    drawn += STAGE_DIVERGING[theme]["orange-blue"]
    for ground in grounds:
        assert {color for color in drawn if contrast(color, ground) < 3} == set()
        written = (THEMES[theme].text, THEMES[theme].muted, stage["accentText"], stage["alarmText"])
        assert {color for color in written if contrast(color, ground) < 4.5} == set()
    assert contrast(stage["onAccent"], stage["accent"]) >= 4.5


def test_the_app_has_the_colours_of_the_stage():
    with (Path(viz.__file__).parents[1] / ".streamlit" / "config.toml").open("rb") as file:
        found = tomllib.load(file)["theme"]
    for theme, (background, surface, text, *_) in THEMES.items():
        own = found[theme]
        assert own["primaryColor"] == STAGE_THEMES[theme]["accent"]
        assert own["linkColor"] == STAGE_THEMES[theme]["accentText"]
        assert tuple(own["chartCategoricalColors"]) == CLASS_COLORS[theme]
        assert (own["backgroundColor"], own["secondaryBackgroundColor"], own["textColor"]) == (
            background,
            surface,
            text,
        )


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("name", DIVERGING)
def test_ends_of_the_diverging_maps_are_far_apart(name, vision):
    assert apart(*DIVERGING[name], vision) >= 30


@pytest.mark.parametrize("name", DIVERGING)
def test_diverging_maps_run_from_one_end_over_the_background_to_the_other(name):
    for theme in THEMES.values():
        colors = diverging(np.array([-2.0, -1.0, 0.0, 1.0, 2.0]), 1.0, theme.background, name)
        ends = ["#" + bytes(color.tolist()).hex() for color in colors]
        negative, positive = DIVERGING[name]
        assert ends == [negative, negative, theme.background, positive, positive]


def test_orange_blue_is_the_default():
    values = np.linspace(-1, 1, 7)
    np.testing.assert_array_equal(diverging(values, 1.0, "#ffffff"), diverging(values, 1.0, "#ffffff", "orange-blue"))


def test_text_on_every_class_colour_has_enough_contrast():
    colors = [class_color(index, theme) for theme in THEMES for index in range(14)]
    assert set(colors) == {*CLASS_COLORS["light"], *CLASS_COLORS["dark"], OTHER_CLASS}
    assert min(contrast(color, text_on(color)) for color in colors) >= 4.5


def test_the_largest_of_many_classes_have_the_colours():
    target = Classes(tuple(f"class {i}" for i in range(72)))
    y = np.repeat(np.arange(72), np.where(np.arange(72) % 6 == 5, 30, 2))
    colors = group_colors(target, y)
    assert [colors[i] for i in range(5, 72, 6)] == list(CLASS_COLORS["light"])
    assert {color for i, color in enumerate(colors) if i % 6 != 5} == {OTHER_CLASS}
    assert group_colors(Classes(("a", "b")), np.array([1, 1, 0])) == CLASS_COLORS["light"][:2]


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", THEMES)
def test_colours_of_maps_are_ordered_and_distinct(theme, vision):
    ramp = MAP_RAMPS[theme]["sequential"]
    against = [contrast(color, THEMES[theme].background) for color in ramp]
    assert against == sorted(against)
    assert against[-1] > 7
    assert min(apart(*pair, vision) for pair in pairwise(ramp)) >= 10
    assert min(apart(*pair, vision) for pair in combinations(MAP_RAMPS[theme]["diverging"], 2)) >= 15


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_on_maps_have_enough_contrast(theme):
    colors = colors_on(MAP_RAMPS[theme]["sequential"], np.linspace(0, 1, 60))
    assert (colors[0], colors[-1]) == (MAP_RAMPS[theme]["sequential"][0], MAP_RAMPS[theme]["sequential"][-1])
    assert min(contrast(color, text_on(color)) for color in colors) >= 4.5
