"""Plotly chart of test error against model size for a comparison."""

import numpy as np

from viz.charts.plotly.chart import Chart, chart, literal
from viz.charts.values.error_by_size import FAINT, ErrorBySize
from viz.palette import THEMES

HEIGHT, NAME_ROOM = 460, 190
SIZE = "%{xaxis.title.text} %{x:.1f}"
SPOTS = 60  # number of positions along a horizontal line that respond to the pointer


def error_by_size_chart(sizes: ErrorBySize, theme: str = "light") -> Chart:
    """Return a `Chart` of an `ErrorBySize`. A click on a method in the legend hides the method."""
    colors = THEMES[theme]
    front = _line(sizes.front, colors.muted, 3, 0.9)
    traces = [front | {"name": "best of all methods"}]
    for one in sizes.methods:
        traces += _method(one, sizes, one.color(theme), colors.background)
    return chart(
        traces, sizes.description, theme, HEIGHT,
        x={"type": "log", "range": np.log10([sizes.low, sizes.high]).tolist(), "title": sizes.size_words,
           "tickvals": list(sizes.ticks), "ticktext": [f"{tick:,}" for tick in sizes.ticks], "ticks": "outside"},
        y={"range": [0, sizes.top], "title": literal(sizes.axis, 200)},
        margin={"l": 56, "r": 8, "t": 12, "b": 48}, legend={"font": {"color": colors.text}, "tracegroupgap": 4},
    )  # fmt: skip


def _method(one, sizes, color, background):
    """Return the traces of a method.

    The selected model is prominent, and the rest is faint and named by the pointer. The legend shows the name once,
    pale before the first result.
    """
    shared = {"legendgroup": str(one.place), "name": literal(one.title, NAME_ROOM)}
    quiet = shared | {"showlegend": False}
    traces = []
    if len(one.front) > 1 and not one.paths:
        traces.append(quiet | _line(one.front, color, 1.2, FAINT))
    for path in one.paths:
        line = _line(path, color, 1.2, FAINT)
        traces.append(quiet | line | {"line": line["line"] | {"shape": "linear"}})
    if len(one.settings):
        traces.append(quiet | _points(one.settings, color, one.shape, 6, sizes.target) | {"opacity": FAINT})
    if len(one.starts):
        traces.append(
            quiet | _points(one.starts, color, f"{one.shape}-open", 11, sizes.target) | {"opacity": 2 * FAINT}
        )
    if one.error is None:
        look = {"symbol": one.shape, "color": color, "size": 12}
        return [*traces, shared | {"type": "scatter", "x": [1], "y": [0], "mode": "markers", "marker": look,
                                   "visible": "legendonly"}]  # fmt: skip
    if np.isnan(one.size):
        across = np.geomspace(sizes.low, sizes.high, SPOTS).round(4).tolist()
        return [*traces, shared | {"type": "scatter", "mode": "lines", "x": across, "y": [one.error] * SPOTS,
                                   "line": {"color": color, "width": 2, "dash": "6px,4px"},
                                   "hovertemplate": _tip(sizes.target, "selected by validation")}]  # fmt: skip
    marker = {"symbol": one.shape, "color": color, "size": 14, "line": {"color": background, "width": 1.5}}
    chosen = shared | {"type": "scatter", "mode": "markers", "x": [one.size], "y": [one.error], "marker": marker,
                       "hovertemplate": _tip(sizes.target, f"selected by validation<br>{SIZE}")}  # fmt: skip
    if np.isfinite(one.half_width):
        chosen["error_y"] = {"array": [one.half_width], "color": color, "thickness": 1.8, "width": 0}
    return [*traces, chosen]


def _line(front, color, width, opacity):
    return {
        "type": "scatter", "mode": "lines", "x": front["size"].tolist(), "y": front["error"].tolist(),
        "line": {"color": color, "width": width, "shape": "hv"}, "opacity": opacity, "hoverinfo": "skip",
    }  # fmt: skip


def _tip(target, words):
    """Return the template for the text at the pointer."""
    form = ".4~g" if target.error_digits is None else f".{target.error_digits + 1}f"
    error = f"test {target.error_label} %{{y:{form}}} {literal(target.unit, 90)}"
    return f"<b>%{{fullData.name}}</b><br>{words}<br>{error}<extra></extra>"


def _points(settings, color, shape, size, target):
    return {
        "type": "scatter", "mode": "markers", "x": settings["size"].tolist(), "y": settings["error"].tolist(),
        "customdata": [literal(text) for text in settings["setting"]],
        "hovertemplate": _tip(target, f"%{{customdata}}<br>{SIZE}"),
        "marker": {"symbol": shape, "color": color, "size": size},
    }  # fmt: skip
