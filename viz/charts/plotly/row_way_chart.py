"""How the share of one class, or the mean, changes on the way of a row, on the screen: a waterfall."""

from treecore.tree.number_text import signed
from viz.charts.plotly.chart import Chart, chart, literal, named
from viz.charts.values.row_way import RowWay
from viz.palette import STAGE_DIVERGING, STAGE_THEMES

LINE, FOOT, NAMES = 30, 56, 210


def row_way_chart(way: RowWay, theme: str = "light") -> Chart:
    """`Chart` of a `RowWay`, the root on top."""
    down, up = STAGE_DIVERGING[theme]["orange-blue"]
    names = ("all rows", *way.conditions, "its leaf")
    n = len(names)
    values, told = way.values, [*way.texts, way.texts[-1]]
    changes = [after - before for before, after in zip(values, values[1:], strict=False)]
    reached = [*values, values[-1]]
    texts = [signed(change) if way.told else f"{change:+.0f}".replace("-", "−") for change in changes]
    room = 0.35 * (max(values) - min(values)) or 1.0
    axis = {"range": [min(values) - room, max(values) + room]} if way.told else {
        "range": [0, 120], "tickvals": [0, 25, 50, 75, 100]
    }  # fmt: skip
    whole = {"marker": {"color": STAGE_THEMES[theme]["accent"]}}
    trace = {
        "type": "waterfall", "orientation": "h", "y": list(range(n)), "showlegend": False,
        "measure": ["absolute", *["relative"] * (n - 2), "total"],
        "x": [round(value, 4) for value in (reached[0], *changes, reached[-1])],
        "text": [told[0], *texts, told[-1]],
        "textposition": "outside", "cliponaxis": False,
        "customdata": [[literal(name), literal(text)] for name, text in zip(names, told, strict=True)],
        "hovertemplate": "<b>%{customdata[0]}</b><br>then %{customdata[1]}<extra></extra>",
        "increasing": {"marker": {"color": up}}, "decreasing": {"marker": {"color": down}}, "totals": whole,
        "connector": {"line": {"color": STAGE_THEMES[theme]["ghost"], "width": 1}},
    }  # fmt: skip
    return chart(
        [trace],
        way.description,
        theme,
        LINE * n + FOOT,
        x={"title": literal(way.title, 170), "showgrid": True} | axis,
        y=named(names, NAMES) | {"range": [n - 0.5, -0.5]},
        bargap=0.35,
    )  # fmt: skip
