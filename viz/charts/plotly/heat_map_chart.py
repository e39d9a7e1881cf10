"""Plotly chart of errors by class, or of a confusion matrix."""

import numpy as np

from viz.charts.plotly.chart import Chart, chart, color_bar, listed, literal, named, stops
from viz.charts.values.heat_map import HeatMap
from viz.palette import THEMES
from viz.words.text_fit import clean, width

CELL, FOOT = 36, 56  # height of a row, and space below all rows, in pixels
MOST_HIGH, WIDE = 700, 320  # maximum height, and width of all columns together on half a page, in pixels
ROW_NAMES, COLUMN_NAMES, TITLE = 170, 96, 200  # in pixels
MOST_LARGE = 20  # maximum number of columns with names in the usual text size


def heat_map_chart(found: HeatMap, theme: str = "light") -> Chart:
    """Return a `Chart` of a `HeatMap`. The text at the pointer contains the full names."""
    n_rows, n_columns = found.values.shape
    longest = max(width(clean(name), 12) for name in found.column_names)
    head = 34 + int(min(longest, COLUMN_NAMES) if longest * n_columns > WIDE else 18)
    row_title, column_title, value_title = (
        literal(title, TITLE) for title in (found.row_title, found.column_title, found.value_title)
    )
    tip = [row_title + ": %{customdata[0]}", column_title + ": %{customdata[1]}"]
    tip += [f"{name} %{{customdata[{place}]}}" for place, name in enumerate(found.details, 2)]
    tip.append(value_title + " %{text}<extra></extra>")
    row_names, column_names = ([literal(name) for name in names] for names in (found.row_names, found.column_names))
    customdata = [
        [
            [row, column, *(int(values[i, j]) for values in found.details.values())]
            for j, column in enumerate(column_names)
        ]
        for i, row in enumerate(row_names)
    ]
    scale, ink = found.scale(theme), {"color": THEMES[theme].text}
    small = ink | {"size": 13 if n_columns <= MOST_LARGE else 12}
    cells = {
        "type": "heatmap", "z": listed(found.values / found.largest), "zmin": 0, "zmax": 1, "xgap": 1, "ygap": 1,
        "colorscale": stops(scale), "customdata": customdata, "hovertemplate": "<br>".join(tip), "hoverongaps": False,
        "text": found.value_texts.tolist(),
        "colorbar": color_bar(scale, theme, x=0, xanchor="left", y=0, yanchor="top", ypad=10, len=0.5,
                              title={"text": value_title, "side": "top", "font": {"size": 12}}),
    }  # fmt: skip
    return chart(
        [cells, _numbers(found, theme)] if found.has_numbers else [cells], found.description, theme,
        head + min(max(CELL * n_rows, 2 * CELL), MOST_HIGH) + FOOT,
        x=named(found.column_names, COLUMN_NAMES) | {"side": "top", "autotickangles": [0, -90], "tickfont": small,
                                                     "title": column_title, "range": [-0.5, n_columns - 0.5]},
        y=named(found.row_names, ROW_NAMES) | {"range": [n_rows - 0.5, -0.5], "tickfont": ink},
        margin={"l": 8, "r": 12, "t": head, "b": FOOT},
    )  # fmt: skip


def _numbers(found, theme):
    """Return the texts of the cells, in colours with enough contrast."""
    rows, columns = np.indices(found.values.shape)
    return {
        "type": "scatter", "mode": "text", "x": columns.ravel().tolist(), "y": rows.ravel().tolist(),
        "text": found.texts.ravel().tolist(), "textfont": {"size": 13, "color": found.inks(theme).ravel().tolist()},
        "hoverinfo": "skip", "showlegend": False,
    }  # fmt: skip
