"""Plotly chart of predicted against true numbers, as points or as a histogram of the residuals."""

from itertools import pairwise

import numpy as np

from treecore.tree.number_text import number
from viz.charts.plotly.chart import Chart, chart, literal
from viz.charts.values.residuals import Residuals
from viz.palette import STAGE_THEMES, THEMES, group_colors

HEIGHT, MOST_POINTS, BINS = 320, 2000, 30
KINDS = ("points", "histogram")


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
            traces, residuals.description, theme, HEIGHT, x={"title": f"prediction too high by: {title}"},
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
        traces, residuals.description, theme, HEIGHT, x={"title": f"predicted {title}", "showgrid": True},
        y={"title": f"true {title}", "showgrid": True},
    )  # fmt: skip


def _line(colors):
    return {"line": {"color": colors.muted, "width": 1.5, "dash": "4px,4px"}}
