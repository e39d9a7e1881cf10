"""Plotly chart of the effect of one column on the predictions."""

from viz.charts.plotly.chart import Chart, chart, literal, named
from viz.charts.values.feature_effects import FeatureEffects
from viz.palette import STAGE_THEMES, THEMES

HEIGHT = 320


def feature_effect_chart(effects: FeatureEffects, theme: str = "light") -> Chart:
    """Return a `Chart` of `FeatureEffects`.

    The mean is a thick line or bars, single rows are thin lines, and each row has one tick.
    """
    accent, muted = STAGE_THEMES[theme]["accent"], THEMES[theme].muted
    texts = [literal(text) for text in effects.texts]
    is_category = effects.kind == "category"
    is_date = effects.kind == "date"  # Plotly parses the texts of dates.
    x = list(range(len(texts))) if is_category else list(effects.texts) if is_date else effects.values.tolist()
    tip = f"%{{customdata}}<br>{literal(effects.predicted)} %{{y:.3g}}<extra></extra>"
    mean = {"x": x, "y": effects.mean.round(6).tolist(), "customdata": texts, "hovertemplate": tip, "name": "all rows"}
    low, high = float(effects.rows.min()), float(effects.rows.max())
    base = 0.0 if 0 <= low <= high / 2 else low  # The axis starts near the numbers if they are far from 0.
    gap = [None]
    rows = {
        "x": [place for _ in effects.rows.T for place in x + gap],
        "y": [value for row in effects.rows.T for value in row.round(4).tolist() + gap],
        "name": "single rows",
        "hoverinfo": "skip",
        "type": "scatter",
    }
    if is_category:
        data = [
            mean | {"type": "bar", "marker": {"color": accent}},
            rows | {"mode": "markers", "marker": {"color": muted, "size": 5, "opacity": 0.5}},
        ]
        axis = named(effects.texts, 160) | {"range": [-0.5, len(texts) - 0.5]}
    else:
        data = [
            rows | {"mode": "lines", "line": {"color": muted, "width": 1, "shape": "hv"}, "opacity": 0.35},
            mean | {"type": "scatter", "mode": "lines", "line": {"color": accent, "width": 4, "shape": "hv"}},
            {
                "type": "scatter", "mode": "markers", "x": effects.places, "y": [base] * len(effects.places),
                "hoverinfo": "skip", "name": "values of rows", "cliponaxis": False,
                "marker": {"symbol": "line-ns-open", "size": 8, "color": muted},
            },
        ]  # fmt: skip
        axis = {"type": "date"} if is_date else {"nticks": 8}
    return chart(
        data,
        effects.description,
        theme,
        HEIGHT,
        x={"title": literal(effects.column, 600), "showgrid": not is_category} | axis,
        y={"title": literal(effects.predicted, 240), "showgrid": True, "nticks": 6},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        bargap=0.3,
    )
