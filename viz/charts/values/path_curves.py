"""Curves along a path over lambda: errors and sizes of the trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from viz.charts.values.path_points import PathTree, errors_of, recommended
from viz.palette import ERROR_COLORS, SIZE_COLORS, THEMES
from viz.words.error_names import weighted

ERROR_CURVES = (("train_error", "training"), ("validation_error", "validation"), ("test_error", "test"))
SIZE_CURVES = ("leaves", "features per node", "splits per row")
DASHES = ((4, 3), None, (8, 3))
CROSSED = "cross_validated_error", "cross_validated_spread"
SIZE_TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000)


class Curve(NamedTuple):
    """One curve.

    values : float64[n], NaN if unknown
    colors : {theme name: hex}
    dashes : pixels on and off, or None
    spreads : float64[n], half the height of the band around the curve, or None
    """

    label: str
    values: np.ndarray
    colors: dict
    dashes: tuple | None = None
    spreads: np.ndarray | None = None


class Panel(NamedTuple):
    """Curves on one axis.

    top : end of the axis; curves may exceed it
    is_log : whether the axis is scaled like log(1 + value)
    """

    title: str
    curves: tuple
    ticks: tuple
    top: float
    is_log: bool = False


def error_panel(points: Sequence[PathTree], n_ticks: int = 5) -> Panel | None:
    """Return the `Panel` of the errors, or None if the points have no errors.

    The errors are in percent for classification, else in the unit of the target.
    """
    curves = [
        Curve(label, values, _by_theme(ERROR_COLORS, place), DASHES[place])
        for place, (name, label) in enumerate(ERROR_CURVES)
        if (values := errors_of(points, name)) is not None
    ]
    if not curves:
        return None
    if (crossed := errors_of(points, CROSSED[0])) is not None:
        colors = {name: theme.text for name, theme in THEMES.items()}
        curves.append(Curve("cross-validated", crossed, colors, (2, 2), errors_of(points, CROSSED[1])))
    target = points[0].tree.target
    least = target.error_scale * target.least_error
    top = target.top_of_axis(_highest_error(points, np.concatenate([curve.values for curve in curves]), least))
    even = _even_ticks(top, n_ticks)
    ticks = tuple(tick for place, tick in enumerate(even) if place < 2 or tick <= max(top, least) * 1.001)
    return Panel(weighted(target.axis_title, points[0].is_weighted), tuple(curves), ticks, max(top, ticks[-1]))


def _highest_error(points, errors, least):
    """Return the top of the error axis, which the smallest trees may exceed because they are often far worse.

    The axis covers `least`, the recommended trees and most cross-validated errors. From the largest tree to the
    simplest recommended tree, it covers all cross-validated errors with their band. It covers all errors if that is
    not much higher.
    """
    errors = np.sort(errors[np.isfinite(errors)])
    most = max(float(errors[-1]), least)
    needed = [
        float(values[index])
        for index in recommended(points).values()
        for name, _ in ERROR_CURVES
        if (values := errors_of(points, name)) is not None and np.isfinite(values[index])
    ]
    if (crossed := errors_of(points, CROSSED[0])) is not None:
        spreads = errors_of(points, CROSSED[1])
        band = crossed if spreads is None else crossed + np.nan_to_num(spreads)
        needed.append(float(np.nanmax(band[: max(recommended(points).values()) + 1], initial=0.0)))
        known = np.sort(crossed[np.isfinite(crossed)])
        needed.append(float(known[int(0.65 * (known.size - 1))]) if known.size else 0.0)
    top = max(least, 1.6 * float(errors[int(0.65 * (errors.size - 1))]), *(1.2 * value for value in needed))
    return most * 1.05 if top > 0.6 * most else top


def size_panel(points: Sequence[PathTree]) -> Panel:
    """Return the `Panel` of the sizes of the trees."""
    trees = [point.tree for point in points]
    sizes = (
        [tree.n_leaves for tree in trees],
        [tree.features_per_node for tree in trees],
        [tree.n_samples[tree.left >= 0].sum() / max(tree.n_samples[0], 1) for tree in trees],
    )
    curves = tuple(
        Curve(label, np.array(values, float), _by_theme(SIZE_COLORS, place), DASHES[place])
        for place, (label, values) in enumerate(zip(SIZE_CURVES, sizes, strict=True))
    )
    top = 1.15 * max(2.0, *(float(curve.values.max()) for curve in curves))
    return Panel("size", curves, tuple(tick for tick in SIZE_TICKS if tick <= top), top, is_log=True)


def _by_theme(colors, place):
    return {theme: own[place] for theme, own in colors.items()}


def _even_ticks(top, count):
    """Return round numbers from 0 to at least `top`."""
    step = max(top, 1e-9) / count
    power = 10.0 ** np.floor(np.log10(step))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= step * (1 - 1e-9))
    return tuple(float(tick) for tick in step * np.arange(np.ceil(top / step - 1e-9) + 1)) if top > 0 else (0.0, 1.0)
