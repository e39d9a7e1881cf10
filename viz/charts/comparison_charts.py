"""Charts of a comparison: test error against size, curves over one parameter, and maps of errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas

from treecore.comparison.comparison import Comparison
from treecore.comparison.method_titles import METHOD_TITLES
from treecore.comparison.one_parameter import MEASURES, PARAMETERS, parameter_of, parameter_table
from treecore.comparison.pareto import pareto_front
from treecore.errors import ParameterError
from treecore.parameter_checks import check_choice
from treecore.tree.number_text import number
from treecore.tree.target import Target
from viz.charts.chart import Chart, ColorScale, chart, color_bar, listed, literal, named, stops
from viz.palette import CLASS_COLORS, MAP_RAMPS, THEMES, colors_on, text_on
from viz.words.text_fit import clean, width

# {metric of model size: label}
SIZE_WORDS = {
    "n_leaves": "leaves", "n_nonzero": "non-zero weights", "inference_cost": "multiplications per row", "depth": "depth"
}  # fmt: skip
FAINT = 0.22  # opacity of everything except the selected models and the front of all methods
SMALLEST = 1.0  # lower end of the logarithmic axis; a single leaf, which has no weights, is drawn there
# A method has the same colour and shape in every comparison.
PLACES = {name: place for place, name in enumerate(METHOD_TITLES)}
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left", "triangle-right")
# class colours, with the greys last
COLORS = {theme: tuple(colors[i] for i in (0, 1, 2, 4, 9, 5, 7, 6, 8, 3)) for theme, colors in CLASS_COLORS.items()}


class MethodSizes(NamedTuple):
    """Sizes and errors of one method.

    size, error, half_width : size and error of the selected model, and half the width of its corrected 95 % interval
    (NaN if unknown), times `error_scale`. They are None before the first result. Without trees, the size is NaN.
    settings : DataFrame of all settings with setting, size and error front : settings that no other setting beats in
    both size and error, by ascending size paths : one DataFrame by descending penalty for each group of settings that
    differ only in their penalty, if there
        are several groups
    starts : DataFrame of the initial trees
    """

    title: str
    place: int
    size: float | None
    error: float | None
    half_width: float | None
    settings: pandas.DataFrame
    front: pandas.DataFrame
    paths: tuple[pandas.DataFrame, ...]
    starts: pandas.DataFrame

    def color(self, theme: str) -> str:
        """Return the hex colour."""
        return COLORS[theme][self.place % len(COLORS[theme])]

    @property
    def shape(self) -> str:
        """Return one of `SHAPES`."""
        return SHAPES[self.place % len(SHAPES)]

    @property
    def path_words(self) -> tuple[str, ...]:
        """Return, for each of `paths`, the settings in which it differs from the other paths."""
        settings = [path["setting"].iloc[0].split(", ") for path in self.paths]
        shared = set.intersection(*map(set, settings)) if settings else set()
        own = [[part for part in parts if part not in shared and not part.startswith("lam ")] for parts in settings]
        return tuple(", ".join(parts).replace("_", " ") for parts in own)


class ErrorBySize(NamedTuple):
    """Test errors of all methods against one measure of size.

    front : DataFrame (size, error) of all methods together
    low, high : ends of the logarithmic axis of sizes
    top : end of the axis of errors, which starts at 0; settings above it are left out
    ticks : ticks of the sizes
    target : `Target`
    by : one of `SIZE_WORDS`
    """

    methods: tuple[MethodSizes, ...]
    front: pandas.DataFrame
    low: float
    high: float
    top: float
    ticks: tuple[int, ...]
    target: Target
    by: str = "n_leaves"

    @property
    def size_words(self) -> str:
        """Return the label of the sizes."""
        return SIZE_WORDS[self.by]

    @property
    def axis(self) -> str:
        """Return the title of the axis of errors, with its unit."""
        return f"test {self.target.short_axis_title}"

    @property
    def description(self) -> str:
        """Describe the selected models."""
        words = [
            f"{one.title} {self.target.error_text(one.error / self.target.error_scale)}"
            + ("" if np.isnan(one.size) else f" with {one.size:.0f} {self.size_words}")
            for one in self.methods
            if one.error is not None
        ]
        return f"Test error against {self.size_words}: {'; '.join(words)}"


def error_by_size(found: Comparison, by: str = "n_leaves") -> ErrorBySize:
    """Return the `ErrorBySize` of a possibly incomplete Comparison.

    by : one of `SIZE_WORDS`; other values raise ParameterError
    """
    check_choice(by, "by", tuple(SIZE_WORDS))
    table = found.summary().set_index("method")
    table = table[table["n_folds"] > 0]
    scale = found.target.error_scale
    chosen = table[[by, "test_error", "half_width"]].astype(float) * [1.0, scale, scale]
    chosen.columns = ["size", "error", "half_width"]
    chosen["size"] = chosen["size"].clip(lower=SMALLEST)
    settings = {name: _settings(found, name, by) for name in found.methods}
    everything = pandas.concat([chosen[["size", "error"]], *settings.values()]).astype({"size": float})
    sized = everything[everything["is_start"].ne(True)].dropna(subset=["size", "error"])
    low, high = (everything["size"].min(), everything["size"].max()) if len(sized) else (1.0, 10.0)
    low, high = max(0.8 * float(low), 0.9), max(1.25 * float(high), 3.0)
    top = found.target.top_of_axis(
        _top_error(
            chosen["error"] + chosen["half_width"].fillna(0),
            pandas.concat(settings.values()).query("not is_start")["error"],
            scale * found.target.least_error,
        )
    )
    methods = []
    for place, (name, title) in enumerate(found.methods.items()):
        own = settings[name][settings[name]["error"] <= top]
        figures = chosen.loc[name] if name in chosen.index else (None,) * 3
        own, starts = own[~own["is_start"]], own[own["is_start"]]
        place = PLACES.get(name, len(PLACES) + place)
        methods.append(MethodSizes(title, place, *figures, own, _front(own), _paths(own), starts))
    ticks = [factor * 10**power for power in range(7) for factor in (1, 2, 5)]
    return ErrorBySize(
        tuple(methods), _front(sized[sized["error"] <= top]), low, high, top,
        tuple(tick for tick in ticks if low <= tick <= high), found.target, by,
    )  # fmt: skip


def _settings(found, name, by):
    curve = found.curve(name)
    frame = pandas.DataFrame(
        {"setting": curve["setting"], "size": curve[by], "error": found.target.error_scale * curve["test_error"],
         "lam": curve["lam"], "group": curve["group"], "is_start": curve["is_start"]}
    )  # fmt: skip
    frame = frame.astype({"size": float, "error": float, "lam": float, "is_start": bool})
    return frame.assign(size=frame["size"].clip(lower=SMALLEST))


def _paths(settings):
    groups = [one.sort_values("lam", ascending=False) for _, one in settings.dropna(subset=["lam"]).groupby("group")]
    return tuple(groups) if len(groups) > 1 else ()


def _front(frame):
    return frame.iloc[pareto_front(frame["size"].to_numpy(float), frame["error"].to_numpy(float))]


def _top_error(chosen, settings, least):
    """Return the top of the axis: above the selected models and most settings.

    Errors of single leaves are ignored, because they are far higher.
    """
    high = max(float(chosen.max()) if len(chosen) else least, least / 2)
    if len(settings):
        high = max(high, min(float(settings.max()), 1.6 * high))
    return high * 1.08


MOST_NUMBERS = 12  # maximum number of columns with numbers in the cells


class HeatMap(NamedTuple):
    """Cells coloured from 0 up.

    values : float64[rows, columns], NaN for empty cells
    texts : str[rows, columns], texts in the cells
    details : more values of the cells, as {name: array[rows, columns]}
    row_title, column_title, value_title : labels of the axes and of the values
    value_texts : str[rows, columns], the values as texts
    unit : unit of the values
    least : minimum for the value of the deepest colour
    """

    values: np.ndarray
    texts: np.ndarray
    details: dict
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    row_title: str
    column_title: str
    value_title: str
    value_texts: np.ndarray
    unit: str = "%"
    least: float = 1.0

    @property
    def largest(self) -> float:
        """Return the value of the deepest colour."""
        return max(float(np.nanmax(self.values)) if np.isfinite(self.values).any() else 0.0, self.least)

    @property
    def has_numbers(self) -> bool:
        """Return whether the texts fit in the cells."""
        return len(self.column_names) <= MOST_NUMBERS

    def scale(self, theme: str) -> ColorScale:
        """Return the `ColorScale` of the values."""
        ticks = tuple((share, number(share * self.largest)) for share in (0.0, 0.5, 1.0))
        return ColorScale(MAP_RAMPS[theme]["sequential"], ticks)

    def inks(self, theme: str) -> np.ndarray:
        """Return str[rows, columns]: hex colours of the texts in the cells. The text of an empty cell is empty."""
        shares = np.nan_to_num(self.values).ravel() / self.largest
        inks = [text_on(color) for color in colors_on(MAP_RAMPS[theme]["sequential"], shares)]
        return np.array(inks).reshape(self.values.shape)

    @property
    def description(self) -> str:
        """Describe the map and its largest value."""
        text = f"Heat map of {self.value_title} by {self.row_title} and {self.column_title}"
        if not np.isfinite(self.values).any():
            return text
        row, column = np.unravel_index(np.nanargmax(self.values), self.values.shape)
        largest = f"{self.value_texts[row, column]} {self.unit}".rstrip()
        return f"{text}; largest: {largest} at {self.row_names[row]}, {self.column_names[column]}"


def class_error_map(found: Comparison, methods: Sequence[str], order: Sequence[str] | None = None) -> HeatMap | None:
    """Return a `HeatMap` of the error of each method (row) on each class or range of numbers (column).

    found : Comparison
    methods : keys of the methods
    order : names of the classes in display order, or None
    """
    names, turn = _ordered_groups(found, order)
    target, titles = found.target, tuple(found.methods[name] for name in methods)
    errors = np.array([found.group_errors(name)[turn] for name in methods])
    counts = np.array([found.confusion(name) for name in methods])
    rows, right = counts.sum(axis=2)[:, turn], np.diagonal(counts, axis1=1, axis2=2)[:, turn]
    details = {f"predicted as another {target.noun}": rows - right, "rows": rows}
    texts = np.array([["" if np.isnan(error) else target.bare_error_text(error) for error in row] for row in errors])
    return HeatMap(
        target.error_scale * errors, texts, details, titles, names, "method", target.title, target.short_axis_title,
        texts, target.unit, target.error_scale * target.least_error,
    )  # fmt: skip


def confusion_map(found: Comparison, method: str, order: Sequence[str] | None = None) -> HeatMap:
    """Return a `HeatMap` of the test rows by true class or range (row) and predicted class or range (column).

    The colours show shares of a row.
    """
    names, turn = _ordered_groups(found, order)
    counts = found.confusion(method)[np.ix_(turn, turn)]
    values = 100 * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    title = found.target.title
    return HeatMap(
        values, counts.astype(str), {"rows": counts}, names, names, f"true {title}", f"predicted {title}",
        f"% of the true {title}", np.char.mod("%.1f", values),
    )  # fmt: skip


def _ordered_groups(found, order):
    """Return (names, their positions), in the order of `order` and then all other names."""
    position = {name: place for place, name in enumerate(found.target.groups)}
    names = [name for name in order or () if name in position]
    names += [name for name in position if name not in names]
    return tuple(names), [position[name] for name in names]


ERRORS = ("test_error", "train_error")


class ParameterCurve(NamedTuple):
    """Curve of one method.

    points : DataFrame of value, height and deviation (0 if unknown), by ascending value
    """

    title: str
    place: int
    points: pandas.DataFrame

    def color(self, theme: str) -> str:
        """Return the hex colour, the same as in every comparison."""
        return COLORS[theme][self.place % len(COLORS[theme])]

    @property
    def shape(self) -> str:
        """Return one of `SHAPES`."""
        return SHAPES[self.place % len(SHAPES)]


class ParameterCurves(NamedTuple):
    """Curves of all methods.

    words, is_log : label and scale of the parameter axis
    values : ticks of the parameter axis
    axis : label of the heights, with their unit
    low, high : ends of the axis of heights
    is_power : whether this axis is logarithmic
    description : text for screen readers
    """

    curves: tuple[ParameterCurve, ...]
    words: str
    is_log: bool
    values: tuple[float, ...]
    axis: str
    low: float
    high: float
    is_power: bool
    description: str

    @property
    def ends(self) -> tuple[float, float]:
        """Return the ends of the parameter axis."""
        least, most = self.values[0], self.values[-1]
        if self.is_log:
            room = (most / least) ** 0.06 if most > least else 2.0
            return least / room, most * room
        room = 0.06 * (most - least) or 1.0
        return least - room, most + room


def measure_axis(by: str, target: Target) -> str:
    """Return the label of one of `MEASURES`, with its unit."""
    title = MEASURES[by]
    return f"{title.removesuffix(' error')} {target.short_axis_title}" if by in ERRORS else title


def parameter_curves(found: Comparison, by: str = "test_error") -> ParameterCurves:
    """Return the `ParameterCurves` of a possibly incomplete Comparison of `variants`.

    Raise ParameterError for an unknown measure, or without results.

    by : one of `MEASURES`
    """
    check_choice(by, "by", tuple(MEASURES))
    parameter, table, target = PARAMETERS[parameter_of(found)], parameter_table(found), found.target
    table = table[np.isfinite(table[by])]
    if not len(table):
        raise ParameterError(
            f"The comparison has no values of {MEASURES[by]} yet. Wait until a method has finished, or choose "
            "another measure."
        )
    is_error = by in ERRORS
    scale = target.error_scale if is_error else 1.0
    points = pandas.DataFrame(
        {"method": table["method"], "title": table["title"], "value": table["value"], "height": scale * table[by],
         "deviation": scale * table[f"{by}_deviation"].fillna(0.0)}
    )  # fmt: skip
    points = points.sort_values(["value"], kind="stable")
    highest, lowest = float((points["height"] + points["deviation"]).max()), float(points["height"].min())
    if is_error:
        low, high = 0.0, target.top_of_axis(max(1.08 * highest, target.least_error * scale))
    else:
        low, high = 0.8 * max(lowest, 1e-4), max(1.25 * highest, 3 * max(lowest, 1e-4))
    curves = tuple(
        ParameterCurve(
            own["title"].iloc[0], PLACES.get(name, len(PLACES) + number), own[["value", "height", "deviation"]]
        )
        for number, (name, own) in enumerate(points.groupby("method", sort=False))
    )
    ends = "; ".join(
        f"{one.title} {one.points['height'].iloc[0]:.4g} to {one.points['height'].iloc[-1]:.4g}" for one in curves
    )
    return ParameterCurves(
        curves, parameter.words, parameter.is_log, tuple(np.unique(points["value"]).tolist()),
        measure_axis(by, target), low, high, not is_error,
        f"{MEASURES[by].capitalize()} over {parameter.words}: {ends}",
    )  # fmt: skip


HEIGHT, NAME_ROOM = 460, 190  # in pixels
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


def parameter_chart(found: ParameterCurves, theme: str = "light") -> Chart:
    """Return a `Chart` of `ParameterCurves`. A click on a method in the legend hides the method."""
    colors = THEMES[theme]
    traces = [
        {
            "type": "scatter", "mode": "lines+markers", "name": literal(one.title, NAME_ROOM),
            "x": one.points["value"].tolist(), "y": one.points["height"].tolist(),
            "error_y": {"array": one.points["deviation"].tolist(), "thickness": 1.5, "width": 0},
            "line": {"color": one.color(theme), "width": 2},
            "marker": {"symbol": one.shape, "size": 9, "line": {"color": colors.background, "width": 1}},
            "hovertemplate": f"<b>%{{fullData.name}}</b><br>{literal(found.words)} %{{x:.4~g}}<br>"
                             f"{literal(found.axis)} %{{y:.4~g}} ± %{{error_y.array:.2~g}}<extra></extra>",
        }
        for one in found.curves
    ]  # fmt: skip
    ends = np.log10(found.ends) if found.is_log else np.array(found.ends)
    heights = np.log10([found.low, found.high]) if found.is_power else np.array([found.low, found.high])
    return chart(
        traces, found.description, theme, HEIGHT,
        x={"type": "log" if found.is_log else "linear", "range": ends.tolist(), "title": literal(found.words),
           "tickvals": list(found.values), "ticktext": [f"{value:,g}" for value in found.values], "ticks": "outside"},
        y={"type": "log" if found.is_power else "linear", "range": heights.tolist(), "title": literal(found.axis, 200)},
        margin={"l": 56, "r": 8, "t": 12, "b": 48}, legend={"font": {"color": colors.text}},
    )  # fmt: skip
