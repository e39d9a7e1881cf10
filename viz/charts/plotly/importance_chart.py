"""Plotly chart of permutation importance."""

from viz.charts.plotly.chart import Chart, chart, literal, named
from viz.charts.values.feature_importance import FeatureImportance
from viz.palette import ERROR_COLORS, STAGE_THEMES, THEMES

MOST = 25
LINE, FOOT, NAMES = 26, 74, 150


def importance_chart(importance: FeatureImportance, theme: str = "light") -> Chart:
    """Return a `Chart` of the first 25 features of a `FeatureImportance`.

    The chart shows the increase in error with one standard deviation, next to the number of decision nodes that use
    the feature.
    """
    colors = THEMES[theme]
    names, n = importance.names[:MOST], min(len(importance.names), MOST)
    rises, deviations = (part[:n].round(4).tolist() for part in (importance.rises, importance.deviations))
    whole = [literal(name) for name in names]
    shared = {"type": "bar", "orientation": "h", "y": list(range(n)), "customdata": whole, "showlegend": False}
    traces = [
        shared
        | {
            "x": rises,
            "marker": {"color": STAGE_THEMES[theme]["accent"]},
            "error_x": {"array": deviations, "color": colors.muted, "thickness": 2, "width": 0},
            "hovertemplate": "<b>%{customdata}</b><br>%{x:.2f}<extra></extra>",
        },
        shared
        | {
            "x": importance.n_nodes[:n].tolist(),
            "xaxis": "x2",
            "marker": {"color": ERROR_COLORS[theme][0]},
            "hovertemplate": "<b>%{customdata}</b><br>nodes %{x}<extra></extra>",
        },
    ]
    return chart(
        traces,
        importance.description,
        theme,
        LINE * n + FOOT,
        x={"title": importance.title.replace(" (", "<br>("), "domain": [0, 0.62], "showgrid": True, "nticks": 7},
        x2={"title": "nodes that<br>use it", "domain": [0.67, 1], "tickformat": "d", "rangemode": "tozero"}
        | ({"dtick": 1} if max(importance.n_nodes[:n], default=0) <= 5 else {"nticks": 5}),
        y=named(names, NAMES) | {"range": [n - 0.5, -0.5]},
        bargap=0.25,
    )
