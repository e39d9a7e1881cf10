"""Curves of methods over one parameter: error, size or time, with their spread over the folds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas

from treecore.comparison.comparison import Comparison
from treecore.comparison.one_parameter import MEASURES, PARAMETERS, parameter_of, parameter_table
from treecore.errors import ParameterError
from treecore.parameter_checks import check_choice
from treecore.tree.target import Target
from viz.charts.values.error_by_size import COLORS, PLACES, SHAPES

ERRORS = ("test_error", "train_error")


class ParameterCurve(NamedTuple):
    """Curve of one method.

    points : DataFrame of value, height and deviation (0 if unknown), by ascending value
    """

    title: str
    place: int
    points: pandas.DataFrame

    def color(self, theme: str) -> str:
        """Return the hex colour, the same as in every comparison."""
        return COLORS[theme][self.place % len(COLORS[theme])]

    @property
    def shape(self) -> str:
        """Return one of `SHAPES`."""
        return SHAPES[self.place % len(SHAPES)]


class ParameterCurves(NamedTuple):
    """Curves of all methods.

    words, is_log : label and scale of the parameter axis
    values : ticks of the parameter axis
    axis : label of the heights, with their unit
    low, high : ends of the axis of heights
    is_power : whether this axis is logarithmic
    description : text for screen readers
    """

    curves: tuple[ParameterCurve, ...]
    words: str
    is_log: bool
    values: tuple[float, ...]
    axis: str
    low: float
    high: float
    is_power: bool
    description: str

    @property
    def ends(self) -> tuple[float, float]:
        """Return the ends of the parameter axis."""
        least, most = self.values[0], self.values[-1]
        if self.is_log:
            room = (most / least) ** 0.06 if most > least else 2.0
            return least / room, most * room
        room = 0.06 * (most - least) or 1.0
        return least - room, most + room


def measure_axis(by: str, target: Target) -> str:
    """Return the label of one of `MEASURES`, with its unit."""
    title = MEASURES[by]
    return f"{title.removesuffix(' error')} {target.short_axis_title}" if by in ERRORS else title


def parameter_curves(found: Comparison, by: str = "test_error") -> ParameterCurves:
    """Return the `ParameterCurves` of a possibly incomplete Comparison of `variants`.

    Raise ParameterError for an unknown measure, or without results.

    by : one of `MEASURES`
    """
    check_choice(by, "by", tuple(MEASURES))
    parameter, table, target = PARAMETERS[parameter_of(found)], parameter_table(found), found.target
    table = table[np.isfinite(table[by])]
    if not len(table):
        raise ParameterError(
            f"The comparison has no values of {MEASURES[by]} yet. Wait until a method has finished, or choose "
            "another measure."
        )
    is_error = by in ERRORS
    scale = target.error_scale if is_error else 1.0
    points = pandas.DataFrame(
        {"method": table["method"], "title": table["title"], "value": table["value"], "height": scale * table[by],
         "deviation": scale * table[f"{by}_deviation"].fillna(0.0)}
    )  # fmt: skip
    points = points.sort_values(["value"], kind="stable")
    highest, lowest = float((points["height"] + points["deviation"]).max()), float(points["height"].min())
    if is_error:
        low, high = 0.0, target.top_of_axis(max(1.08 * highest, target.least_error * scale))
    else:
        low, high = 0.8 * max(lowest, 1e-4), max(1.25 * highest, 3 * max(lowest, 1e-4))
    curves = tuple(
        ParameterCurve(
            own["title"].iloc[0], PLACES.get(name, len(PLACES) + number), own[["value", "height", "deviation"]]
        )
        for number, (name, own) in enumerate(points.groupby("method", sort=False))
    )
    ends = "; ".join(
        f"{one.title} {one.points['height'].iloc[0]:.4g} to {one.points['height'].iloc[-1]:.4g}" for one in curves
    )
    return ParameterCurves(
        curves, parameter.words, parameter.is_log, tuple(np.unique(points["value"]).tolist()),
        measure_axis(by, target), low, high, not is_error,
        f"{MEASURES[by].capitalize()} over {parameter.words}: {ends}",
    )  # fmt: skip
