"""Plotly bar charts of counts."""

from viz.charts.plotly.chart import Chart, chart, literal, named
from viz.charts.values.bars import Bars

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
