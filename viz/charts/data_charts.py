"""Charts of a data set: counts of rows as bars, and the rows of two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.tree.data_set_like import DataSetLike
from treecore.tree.number_text import number
from viz.charts.chart import Chart, chart, literal, named
from viz.charts.comparison_charts import SHAPES
from viz.palette import CLASS_COLORS, group_colors


class Bars(NamedTuple):
    """Bars of counts.

    names : full text of each bar
    counts : int each
    colors : hex each
    title : label of the counted rows
    ends : texts of the edges if the bars are ranges of numbers, otherwise empty
    """

    names: tuple[str, ...]
    counts: tuple[int, ...]
    colors: tuple[str, ...]
    title: str
    ends: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        """Describe the largest bar."""
        if not self.counts:
            return f"{self.title}: none"
        most = max(range(len(self.counts)), key=self.counts.__getitem__)
        return f"{self.title} as {len(self.counts)} bars; most: {self.counts[most]:,} at {self.names[most]}"


def column_bars(counts: Sequence, edges: Sequence, top: Sequence, is_date: bool) -> Bars:
    """Return `Bars` of a column of a table: its histogram if it has edges, otherwise its most frequent values.

    counts, edges : int[k] and k + 1 edges (for dates in days since 1970), or both empty
    top : (value, count) pairs
    """
    ends = ()
    if counts and not is_date and all(edge % 1 == 0.5 for edge in edges) and edges[-1] - edges[0] == len(counts):
        names = tuple(number(edge + 0.5) for edge in edges[:-1])  # one bar for each whole number
    elif counts:
        ends = tuple(str(np.datetime64(round(edge), "D")) if is_date else number(edge, 4) for edge in edges)
        names = tuple(f"{low} to {high}" for low, high in zip(ends[:-1], ends[1:], strict=True))
    else:
        names, counts = tuple(value for value, _ in top), tuple(count for _, count in top)
    return Bars(names, tuple(counts), (CLASS_COLORS["light"][0],) * len(names), "rows", ends)


LINE, MOST_HIGH, NAMES = 26, 700, 140
TIP = "<b>%{customdata}</b><br>%{fullData.name} %{COUNT:,}<extra></extra>"


def bar_chart(bars: Bars, theme: str = "light") -> Chart:
    """Return a `Chart` of horizontal `Bars`, the first at the top."""
    n = len(bars.names)
    trace = _bars(bars) | {"orientation": "h", "x": list(bars.counts), "y": list(range(n)),
                           "hovertemplate": TIP.replace("COUNT", "x")}  # fmt: skip
    return chart(
        [trace],
        bars.description,
        theme,
        max(120, min(LINE * n, MOST_HIGH)) + 48,
        x={"title": bars.title, "showgrid": True, "nticks": 5, "tickformat": ",d", "rangemode": "tozero"},
        y=named(bars.names, NAMES) | {"range": [n - 0.5, -0.5]},
        bargap=0.2,
    )


def histogram_chart(bars: Bars, theme: str = "light", height: int = 220) -> Chart:
    """Return a `Chart` of vertical `Bars`. If there are many, only some have labels."""
    n = len(bars.names)
    places = named(bars.ends or bars.names, 90, most=7)
    if bars.ends:
        places["tickvals"] = [place - 0.5 for place in places["tickvals"]]
    trace = _bars(bars) | {"x": list(range(n)), "y": list(bars.counts), "hovertemplate": TIP.replace("COUNT", "y")}
    return chart(
        [trace],
        bars.description,
        theme,
        height,
        x=places | {"range": [-0.5, n - 0.5], "autotickangles": [0, -90]},
        y={"nticks": 6, "tickformat": ",d", "rangemode": "tozero", "title": bars.title},
        bargap=0.06,
    )


def _bars(bars):
    return {
        "type": "bar", "name": literal(bars.title), "customdata": [literal(name) for name in bars.names],
        "marker": {"color": list(bars.colors)}, "showlegend": False,
    }  # fmt: skip


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
