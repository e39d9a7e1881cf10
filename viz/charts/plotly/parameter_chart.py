"""Plotly chart of the error, size or time of methods over one parameter."""

import numpy as np

from viz.charts.plotly.chart import Chart, chart, literal
from viz.charts.values.parameter_curves import ParameterCurves
from viz.palette import THEMES

HEIGHT, NAME_ROOM = 460, 190


def parameter_chart(found: ParameterCurves, theme: str = "light") -> Chart:
    """Return a `Chart` of `ParameterCurves`. A click on a method in the legend hides the method."""
    colors = THEMES[theme]
    traces = [
        {
            "type": "scatter", "mode": "lines+markers", "name": literal(one.title, NAME_ROOM),
            "x": one.points["value"].tolist(), "y": one.points["height"].tolist(),
            "error_y": {"array": one.points["deviation"].tolist(), "thickness": 1.5, "width": 0},
            "line": {"color": one.color(theme), "width": 2},
            "marker": {"symbol": one.shape, "size": 9, "line": {"color": colors.background, "width": 1}},
            "hovertemplate": f"<b>%{{fullData.name}}</b><br>{literal(found.words)} %{{x:.4~g}}<br>"
                             f"{literal(found.axis)} %{{y:.4~g}} ± %{{error_y.array:.2~g}}<extra></extra>",
        }
        for one in found.curves
    ]  # fmt: skip
    ends = np.log10(found.ends) if found.is_log else np.array(found.ends)
    heights = np.log10([found.low, found.high]) if found.is_power else np.array([found.low, found.high])
    return chart(
        traces, found.description, theme, HEIGHT,
        x={"type": "log" if found.is_log else "linear", "range": ends.tolist(), "title": literal(found.words),
           "tickvals": list(found.values), "ticktext": [f"{value:,g}" for value in found.values], "ticks": "outside"},
        y={"type": "log" if found.is_power else "linear", "range": heights.tolist(), "title": literal(found.axis, 200)},
        margin={"l": 56, "r": 8, "t": 12, "b": 48}, legend={"font": {"color": colors.text}},
    )  # fmt: skip
