"""How the share of one class changes on the way of a row, on the screen: a waterfall."""

from viz.charts.plotly.chart import Chart, chart, literal, named
from viz.charts.values.row_way import RowWay
from viz.palette import STAGE_DIVERGING, STAGE_THEMES

LINE, FOOT, NAMES = 30, 56, 210


def row_way_chart(way: RowWay, theme: str = "light") -> Chart:
    """`Chart` of a `RowWay`, the root on top."""
    down, up = STAGE_DIVERGING[theme]["orange-blue"]
    names = ("all rows", *way.conditions, "its leaf")
    n = len(names)
    changes = [100 * (after - before) for before, after in zip(way.shares, way.shares[1:], strict=False)]
    reached = [100 * share for share in (*way.shares, way.shares[-1])]
    texts = [f"{change:+.0f}".replace("-", "−") for change in changes]
    whole = {"marker": {"color": STAGE_THEMES[theme]["accent"]}}
    trace = {
        "type": "waterfall", "orientation": "h", "y": list(range(n)), "showlegend": False,
        "measure": ["absolute", *["relative"] * (n - 2), "total"],
        "x": [round(value, 4) for value in (reached[0], *changes, reached[-1])],
        "text": [f"{reached[0]:.0f} %", *texts, f"{reached[-1]:.0f} %"],
        "textposition": "outside", "cliponaxis": False,
        "customdata": [[literal(name), f"{value:.1f}"] for name, value in zip(names, reached, strict=True)],
        "hovertemplate": "<b>%{customdata[0]}</b><br>then %{customdata[1]} %<extra></extra>",
        "increasing": {"marker": {"color": up}}, "decreasing": {"marker": {"color": down}}, "totals": whole,
        "connector": {"line": {"color": STAGE_THEMES[theme]["ghost"], "width": 1}},
    }  # fmt: skip
    return chart(
        [trace],
        way.description,
        theme,
        LINE * n + FOOT,
        x={"title": f"share of {literal(way.group, 160)} (%)", "showgrid": True, "range": [0, 120],
           "tickvals": [0, 25, 50, 75, 100]},
        y=named(names, NAMES) | {"range": [n - 0.5, -0.5]},
        bargap=0.35,
    )  # fmt: skip
