"""Charts of predictions: ROC and precision-recall curves of a class, and residuals of numbers."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treecore.tables.class_figures import ClassFigures
from treecore.tables.threshold_curve import ThresholdCurve
from treecore.tree.number_text import count, number
from treecore.tree.target import Target
from viz.charts.chart import Chart, chart, literal
from viz.palette import STAGE_THEMES, THEMES, group_colors

CURVE_KINDS = ("roc", "precision")


class ClassCurve(NamedTuple):
    """ROC or precision-recall curve.

    x, y : float64[k], in percent
    texts : text of each point
    now : (x, y) of the current predictions, or None
    chance : ((x, x), (y, y)), ends of the line of random guessing
    steps : whether y is constant from the previous point up to its own point
    """

    title: str
    x_title: str
    y_title: str
    x: np.ndarray
    y: np.ndarray
    texts: tuple[str, ...]
    now: tuple | None
    chance: tuple
    steps: bool

    @property
    def description(self) -> str:
        """Describe the curve."""
        now = "" if self.now is None else f"; current threshold: {self.now[0]:.1f} and {self.now[1]:.1f}"
        return f"{self.title}: {self.y_title} against {self.x_title}{now}"


def class_curve(curve: ThresholdCurve, figures: ClassFigures, kind: str) -> ClassCurve:
    """Return a `ClassCurve` of a `ThresholdCurve`.

    kind : one of `KINDS`
    figures : metrics of the current predictions for the class
    """
    recall, precision, alarms = (100 * part for part in (curve.recall, curve.precision, curve.false_alarms))
    texts = tuple(map(_text, curve.thresholds, curve.n_flagged, curve.n_found))
    wrong, others = figures.n_predicted - figures.recall * figures.n, curve.n - curve.n_positive
    if kind == "roc":
        now = (100 * wrong / others, 100 * figures.recall) if others and figures.n else None
        return ClassCurve(
            f"ROC, AUC {curve.auc:.3f}", "false positive rate (%)", "recall (%)", alarms, recall, texts, now,
            ((0, 100), (0, 100)), False,
        )  # fmt: skip
    now = None if np.isnan(figures.precision) else (100 * figures.recall, 100 * figures.precision)
    base = 100 * curve.n_positive / max(curve.n, 1)
    known = curve.n_flagged > 0
    return ClassCurve(
        f"Precision–recall, average precision {curve.average_precision:.3f}", "recall (%)", "precision (%)",
        recall[known], precision[known], tuple(np.array(texts)[known]), now, ((0, 100), (base, base)), True,
    )  # fmt: skip


def _text(share, flagged, found):
    if np.isinf(share):
        return "no row is flagged"
    return f"threshold {number(100 * share)} %: {count(flagged)} flagged, {count(found)} of them correct"


class Residuals(NamedTuple):
    """Predicted and true numbers.

    predicted, true : float64[n], n >= 1
    target : their `Target`
    """

    predicted: np.ndarray
    true: np.ndarray
    target: Target

    @property
    def rest(self) -> np.ndarray:
        """Return float64[n], predicted minus true numbers."""
        return self.predicted - self.true

    @property
    def axis(self) -> str:
        """Return the label of the numbers, with their unit."""
        name, unit = self.target.name or self.target.value_noun, self.target.unit
        return f"{name} ({unit})" if unit and unit != name else name

    @property
    def description(self) -> str:
        """Describe the residuals."""
        low, high = np.quantile(self.rest, (0.05, 0.95))
        return (
            f"Predicted against true {self.axis} of {self.rest.size:,} rows: 90 % of the predictions are between "
            f"{self.target.short_error(abs(low))} too {'low' if low < 0 else 'high'} and "
            f"{self.target.short_error(abs(high))} too {'low' if high < 0 else 'high'}"
        )


CURVE_HEIGHT = 300
POINTS = 2  # index of the trace whose points are the thresholds
AXIS = {"range": [-2, 102], "dtick": 25, "showgrid": True}


def class_curve_chart(curve: ClassCurve, theme: str = "light") -> Chart:
    """Return a `Chart` of a `ClassCurve` with a point for each threshold.

    A large point marks the current predictions.
    """
    colors, accent = THEMES[theme], STAGE_THEMES[theme]["accent"]
    x, y = curve.x.round(4).tolist(), curve.y.round(4).tolist()
    start = {"x": [0, *x], "y": [y[0], *y]} if curve.steps and y else {"x": x, "y": y}
    quiet = {"type": "scatter", "mode": "lines", "hoverinfo": "skip", "showlegend": False}
    traces = [
        quiet | {"x": list(curve.chance[0]), "y": list(curve.chance[1]),
                 "line": {"color": colors.muted, "width": 1, "dash": "4px,4px"}},
        quiet | start | {"line": {"color": accent, "width": 2.2, "shape": "vh" if curve.steps else "linear"}},
        {"type": "scatter", "mode": "markers", "x": x, "y": y, "customdata": list(curve.texts), "showlegend": False,
         "cliponaxis": False, "marker": {"color": accent, "size": 7}, "hovertemplate": "%{customdata}<extra></extra>"},
    ]  # fmt: skip
    if curve.now is not None:
        traces.append(
            {"type": "scatter", "mode": "markers", "x": [round(curve.now[0], 4)], "y": [round(curve.now[1], 4)],
             "marker": {"color": colors.background, "size": 13, "line": {"color": colors.text, "width": 2.5}},
             "hovertemplate": "the predictions<extra></extra>", "showlegend": False, "cliponaxis": False}
        )  # fmt: skip
    return chart(
        traces, curve.description, theme, CURVE_HEIGHT,
        x=AXIS | {"title": curve.x_title}, y=AXIS | {"title": curve.y_title},
        title={"text": curve.title, "font": {"size": 13, "color": colors.text}, "x": 0, "xref": "paper", "y": 0.99},
        margin={"l": 48, "r": 8, "t": 30, "b": 44},
    )  # fmt: skip


RESIDUAL_HEIGHT, MOST_POINTS, BINS = 320, 2000, 30
RESIDUAL_KINDS = ("points", "histogram")


def residual_chart(residuals: Residuals, kind: str, theme: str = "light") -> Chart:
    """Return a `Chart` of `Residuals`.

    kind : one of `KINDS`: true against predicted numbers with the diagonal, or a histogram of the residuals
    """
    colors, title = THEMES[theme], literal(residuals.axis, 200)
    predicted, true, rest = residuals.predicted, residuals.true, residuals.rest
    if kind == "histogram":
        counts, edges = np.histogram(rest, BINS)
        between = [f"{number(low, 4)} to {number(high, 4)}" for low, high in pairwise(edges)]
        traces = [
            {
                "type": "bar", "x": (0.5 * (edges[1:] + edges[:-1])).tolist(), "y": counts.tolist(),
                "width": np.diff(edges).tolist(), "text": between, "textposition": "none", "showlegend": False,
                "marker": {"color": STAGE_THEMES[theme]["accent"]},
                "hovertemplate": "%{y} rows: too high by %{text}<extra></extra>",
            }
        ]  # fmt: skip
        zero = {"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1}
        return chart(
            traces, residuals.description, theme, RESIDUAL_HEIGHT, x={"title": f"prediction too high by: {title}"},
            y={"title": "rows", "showgrid": True}, bargap=0.04, shapes=[zero | _line(colors)],
        )  # fmt: skip
    some = slice(None, None, -(-rest.size // MOST_POINTS))
    target = residuals.target
    of_group = np.array(group_colors(target, theme=theme))
    ends = [float(min(predicted.min(), true.min())), float(max(predicted.max(), true.max()))]
    traces = [
        {"type": "scatter", "mode": "lines", "x": ends, "y": ends, "hoverinfo": "skip", "showlegend": False,
         "line": _line(colors)["line"]},
        {
            "type": "scatter", "mode": "markers", "x": predicted[some].tolist(),
            "y": true[some].tolist(), "showlegend": False,
            "marker": {"color": of_group[target.group_of(true[some])].tolist(), "size": 7, "opacity": 0.85,
                       "line": {"color": colors.background, "width": 0.5}},
            "hovertemplate": "predicted %{x:.6~g}, true %{y:.6~g}<extra></extra>",
        },
    ]  # fmt: skip
    return chart(
        traces, residuals.description, theme, RESIDUAL_HEIGHT, x={"title": f"predicted {title}", "showgrid": True},
        y={"title": f"true {title}", "showgrid": True},
    )  # fmt: skip


def _line(colors):
    return {"line": {"color": colors.muted, "width": 1.5, "dash": "4px,4px"}}
