"""Plotly waterfall chart of the class probability or mean along the decision path of a row."""

from viz.charts.plotly.chart import Chart, chart, literal, named
from viz.charts.values.row_way import RowWay
from viz.palette import STAGE_THEMES, THEMES

LINE, FOOT, NAMES = 30, 56, 170


def row_way_chart(way: RowWay, theme: str = "light") -> Chart:
    """Return a `Chart` of a `RowWay`, with the root at the top."""
    # Colours would be taken for those of classes: full bars are towards the class, hollow bars against it.
    look = THEMES[theme]
    towards = {"marker": {"color": look.muted}}
    against = {"marker": {"color": look.background, "line": {"color": look.muted, "width": 1.5}}}
    names = ("all rows", *way.conditions, "leaf")
    n = len(names)
    values = way.values
    ends = [*way.texts, way.texts[-1]]
    texts = [f"{'' if text.startswith('−') else '+'}{text}" for text in way.change_texts]
    span = max(values) - min(values) or 1.0
    axis = (
        {"range": [min(values) - 0.15 * span, max(values) + 0.6 * span]}
        if way.unit is not None
        else {"range": [0, 145], "tickvals": [0, 25, 50, 75, 100]}
    )
    whole = {"marker": {"color": look.text}}
    trace = {
        "type": "waterfall", "orientation": "h", "y": list(range(n)), "showlegend": False,
        "measure": ["absolute", *["relative"] * (n - 2), "total"],
        "x": [values[0], *way.changes, values[-1]],
        "customdata": [[literal(name), literal(text)] for name, text in zip(names, ends, strict=True)],
        "hovertemplate": "<b>%{customdata[0]}</b><br>then %{customdata[1]}<extra></extra>",
        "increasing": towards, "decreasing": against, "totals": whole,
        "connector": {"line": {"color": STAGE_THEMES[theme]["ghost"], "width": 1}},
    }  # fmt: skip
    # The text is on the right of every bar, because on the left of a falling bar it would cover the names.
    words = {
        "type": "scatter", "mode": "text", "y": list(range(n)), "showlegend": False, "hoverinfo": "skip",
        "x": [values[0], *map(max, values[:-1], values[1:]), values[-1]],
        "text": [f"\u2002{text}" for text in (ends[0], *texts, ends[-1])],
        "textposition": "middle right", "cliponaxis": False,
    }  # fmt: skip
    return chart(
        [trace, words],
        way.description,
        theme,
        LINE * n + FOOT,
        x={"title": "share (%)" if way.unit is None else "mean", "showgrid": True} | axis,
        y=named(names, NAMES) | {"range": [n - 0.5, -0.5]},
        bargap=0.35,
    )
