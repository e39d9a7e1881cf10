"""Plotly chart of the rows of a data set with two features."""

import numpy as np

from treecore.tree.data_set_like import DataSetLike
from viz.charts.plotly.chart import Chart, chart, literal
from viz.charts.values.error_by_size import SHAPES
from viz.palette import group_colors

MOST_POINTS = 2000


def plane_chart(data: DataSetLike, theme: str = "light") -> Chart:
    """Return a `Chart` of at most 2000 rows of a DataSet with two features. A click in the legend hides a group."""
    step = max(1, -(-data.n_rows // MOST_POINTS))
    target = data.target
    X, y = np.round(data.X[::step], 6), target.group_of(data.y[::step])
    first, second = (literal(name, 300) for name in data.feature_names)
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": literal(name, 160),
            "x": X[y == code, 0].tolist(),
            "y": X[y == code, 1].tolist(),
            "opacity": 0.85,
            "marker": {"symbol": SHAPES[0 if target.is_ordered else code % len(SHAPES)], "color": color, "size": 7},
            "hovertemplate": f"<b>{literal(name)}</b><br>{first} %{{x}}<br>{second} %{{y}}<extra></extra>",
        }
        for code, (name, color) in enumerate(zip(target.groups, group_colors(target, data.y, theme), strict=True))
    ]
    description = (
        f"Scatter plot of {len(y):,} rows: {data.feature_names[1]} against {data.feature_names[0]}, by {target.noun}"
    )
    return chart(
        traces, description, theme, 500, x={"title": first, "showgrid": True}, y={"title": second},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}, showlegend=True,
        margin={"l": 52, "r": 8, "t": 8, "b": 44},
    )  # fmt: skip
