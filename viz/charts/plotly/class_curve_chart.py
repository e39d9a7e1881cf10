"""ROC or precision-recall curve as a Plotly chart."""

from viz.charts.plotly.chart import Chart, chart
from viz.charts.values.class_curves import ClassCurve
from viz.palette import STAGE_THEMES, THEMES

HEIGHT = 300
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
        traces, curve.description, theme, HEIGHT, x=AXIS | {"title": curve.x_title}, y=AXIS | {"title": curve.y_title},
        title={"text": curve.title, "font": {"size": 13, "color": colors.text}, "x": 0, "xref": "paper", "y": 0.99},
        margin={"l": 48, "r": 8, "t": 30, "b": 44},
    )  # fmt: skip
