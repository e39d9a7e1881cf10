"""A phase diagram as heatmaps over lambda and C, with the region of the best trees outlined.

Kairgeldin and Carreira-Perpiñán 2024, figure 1.
"""

from typing import NamedTuple

import altair
import numpy as np
import pandas

from viz.palette import THEMES

PICK, SHOWN, CELLS = "pick", "shown", "cells"
HEIGHT = 270
ROOM = 0.3  # share of a map's width that the words "single leaf" need


class Map(NamedTuple):
    """One heatmap: the column that it shows, its title, and how its colours run."""

    column: str
    title: str
    format: str
    scheme: tuple[str, ...]
    log: bool = False
    domain: tuple[float, float] | None = None


TWO_HUES = ("#1f5fbf", "#8fb4dd", "#f3e3c3", "#f0a04b", "#b34700")  # from one feature to two
VIRIDIS = ("#fde725", "#5ec962", "#21918c", "#3b528b", "#440154")
CIVIDIS = ("#00224e", "#4a5469", "#7d7c78", "#b5a96b", "#fee838")
MAPS = {
    "share": Map("line_share", "Decisions on two features", ".0%", TWO_HUES, domain=(0.0, 1.0)),
    "size": Map("n_decision", "Decision nodes", "~s", VIRIDIS, log=True),
    "error": Map("error", "Error", ".0%", CIVIDIS),
}
FIGURES = (
    ("C", "cost", "g"), ("λ", "lam", ".3g"), ("test error", "test_error", ".1%"),
    ("validation error", "validation_error", ".1%"), ("training error", "train_error", ".1%"),
    ("decisions", "n_decision", "d"), ("… on one feature", "n_univariate", "d"),
    ("… on two features", "n_bivariate", "d"), ("leaves", "n_leaves", "d"), ("depth", "depth", "d"),
    ("objective", "objective", ".2f"), ("within one standard error", "good", ""),
)  # fmt: skip
# (colour, width, dashes) of a line that is seen on every colour: its halo first
BORDER = (("#ffffff", 4, [1, 0]), ("#14181f", 2, [5, 3]))
FRAME = (("#ffffff", 6), ("#d6168b", 3.5))
ERROR_TITLES = {"test_error": "Test error", "validation_error": "Validation error", "train_error": "Training error"}


def lambda_edges(lams):
    """float64[n + 1]: borders between the columns of a map, half way on the logarithmic axis. lams : rising, > 0."""
    logs = np.log(np.asarray(lams, np.float64))
    steps = np.diff(logs) if logs.size > 1 else np.array([1.0])
    middles = logs[:-1] + np.diff(logs) / 2
    return np.exp(np.concatenate([[logs[0] - steps[0] / 2], middles, [logs[-1] + steps[-1] / 2]]))


def outline(mask):
    """int64[s, 4]: border of the true cells of bool[rows, columns] as segments (x1, y1, x2, y2) of grid lines.

    Cell (row, column) covers x in [column, column + 1] and y in [row, row + 1]; straight runs are one segment.
    """
    padded = np.pad(np.asarray(mask, bool), 1)
    across = padded[1:, 1:-1] != padded[:-1, 1:-1]  # [rows + 1, columns]: on the line below row y
    upright = padded[1:-1, 1:] != padded[1:-1, :-1]  # [rows, columns + 1]
    segments = [(a, y, b, y) for y, line in enumerate(across) for a, b in _runs(line)]
    segments += [(x, a, x, b) for x, line in enumerate(upright.T) for a, b in _runs(line)]
    return np.array(segments, np.int64).reshape(-1, 4)


def _runs(line):
    ends = np.flatnonzero(np.diff(np.concatenate([[0], line, [0]])))
    return zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True)


def cells(points, lams, good):
    """pandas DataFrame of the cells that are there, with their borders on the axes.

    points : dicts of a PhasePoint's figures, maybe with "test_error", in the order of the grid; lams : all columns;
    good : bool[n_costs, n_lams] or None, the cells within one standard error.
    """
    frame = pandas.DataFrame(points).drop(columns=["tree"], errors="ignore")
    edges, n = lambda_edges(lams), len(lams)
    column, row = frame["index"] % n, frame["index"] // n
    frame["cell"], frame["x1"], frame["x2"] = frame["index"], edges[column], edges[column + 1]
    frame["y1"], frame["y2"], frame["x"], frame["y"] = row - 0.5, row + 0.5, np.asarray(lams)[column], row
    frame["line_share"] = frame["n_bivariate"] / frame["n_decision"].where(frame["n_decision"] > 0)
    for name in ERROR_TITLES:
        if name in frame:
            frame[name] = frame[name].astype(float)
    frame["good"] = "unknown" if good is None else np.where(good.ravel()[frame["index"]], "yes", "no")
    known = next(name for name in ERROR_TITLES if name in frame and frame[name].notna().any())
    frame["error"] = frame[known]
    frame["error_name"] = known
    return frame


def phase_chart(name, frame, lams, costs, good=None, best=None, theme="light"):
    """Altair chart of one of `MAPS`; its data, `frame` (see `cells`), are to be given it as the data set `CELLS`.

    A click selects a "cell" in the selection `PICK`; the cell that the variable `SHOWN` holds is framed.
    good : bool[n_costs, n_lams] to outline; best : cell to mark, or None.
    """
    shown, colors, edges = MAPS[name], THEMES[theme], lambda_edges(lams)
    x = altair.X(
        "x1:Q",
        title="λ",
        scale=altair.Scale(type="log", domain=[edges[0], edges[-1]], nice=False),
        axis=altair.Axis(format="~g", tickCount=5, grid=False, labelOverlap=True, titlePadding=0),
    )
    labels = ", ".join(f"'{cost:g}'" for cost in costs)
    y = altair.Y(
        "y1:Q", title="C", scale=altair.Scale(domain=[-0.5, len(costs) - 0.5], nice=False, zero=False),
        axis=altair.Axis(values=list(range(len(costs))), labelExpr=f"[{labels}][datum.value]", grid=False, tickSize=0,
                         labelOverlap=len(costs) > 9, titlePadding=2),
    )  # fmt: skip
    place = {"x": x, "x2": "x2:Q", "y": y, "y2": "y2:Q"}
    # layers share their axes only when they share the encoding: a middle goes by the name of a border
    middle = {"x1": "datum.x", "y1": "datum.y"}
    whole = altair.Chart()
    leaves = whole.transform_filter("datum.n_decision == 0")
    layers = [
        whole.transform_filter("datum.n_decision > 0")
        .mark_rect(stroke=None)
        .encode(color=_color(shown, frame[frame["n_decision"] > 0]), **place),
        leaves.mark_rect(fill=colors.surface, stroke=None).encode(**place),
        leaves.transform_calculate(**middle)
        .mark_point(filled=True, size=7, color=colors.muted, opacity=0.8)
        .encode(x=x, y=y),
        *_single_leaf(frame[frame["n_decision"] == 0], len(lams), colors, x, y),
        *_border(good, edges, place),
        *(
            whole.transform_filter(f"datum.cell == {SHOWN}")
            .mark_rect(fillOpacity=0, stroke=color, strokeWidth=width)
            .encode(**place)
            for color, width in FRAME
        ),
        whole.transform_filter(f"datum.cell == {-1 if best is None else best}")
        .transform_calculate(**middle)
        .mark_text(text="★", fontSize=17, fill="#ffffff", stroke="#14181f", strokeWidth=1.1, baseline="middle")
        .encode(x=x, y=y),
    ]
    tooltip = [
        altair.Tooltip(f"{column}:{'N' if column == 'good' else 'Q'}", title=word, format=form)
        for word, column, form in FIGURES
        if column in frame
    ]
    # let go when the pointer leaves: a cell that is still selected could not be picked again
    pick = altair.selection_point(name=PICK, fields=["cell"], on="click", clear="mouseout", toggle=False)
    # on top of all marks, so that every pixel of a cell answers
    layers.append(whole.mark_rect(opacity=0, cursor="pointer").encode(tooltip=tooltip, **place).add_params(pick))
    title = ERROR_TITLES[frame["error_name"].iloc[0]] if name == "error" else shown.title
    return (
        altair.layer(*layers, data=altair.NamedData(name=CELLS))
        .add_params(altair.param(name=SHOWN, value=-1))
        .properties(
            height=HEIGHT,
            padding={"left": 0, "right": 4, "top": 4, "bottom": 0},
            title=altair.Title(title, fontSize=13, anchor="start", offset=4, color=colors.text),
        )
        .resolve_scale(color="independent")
    )


def _color(shown, frame):
    values = frame[shown.column]
    low, high = shown.domain or (float(values.min()), float(values.max())) if len(frame) else (0.0, 1.0)
    if shown.log:
        low, high = 1.0, max(high, 2.0)
    elif high <= low:
        low, high = max(low - 0.01, 0.0), low + 0.01
    scale = altair.Scale(
        type="log" if shown.log else "linear", domain=[low, high], range=list(shown.scheme), interpolate="lab"
    )
    legend = altair.Legend(title=None, orient="top", direction="horizontal", gradientLength=150, gradientThickness=8,
                           format=shown.format, tickCount=3, labelOverlap=True, offset=4, padding=0)  # fmt: skip
    return altair.Color(f"{shown.column}:Q", scale=scale, legend=legend)


def _border(good, edges, place):
    """Layers that outline the true cells."""
    if good is None or not good.any():
        return []
    lines = [
        {"x1": edges[x1], "y1": y1 - 0.5, "x2": edges[x2], "y2": y2 - 0.5} for x1, y1, x2, y2 in outline(good).tolist()
    ]
    data = altair.InlineData(values=lines)
    return [
        altair.Chart(data).mark_rule(color=color, strokeWidth=width, strokeDash=dash).encode(**place)
        for color, width, dash in BORDER
    ]


def _single_leaf(leaves, n_columns, colors, x, y):
    """The words in the region of zero-variate trees: across its middle row where they have room, else upright."""
    if leaves.empty:
        return []
    row = leaves[leaves["y"] == np.sort(leaves["y"])[len(leaves) // 2]]
    middle = {"x1": float(np.sqrt(row["x1"].min() * row["x2"].max())), "y1": float(row["y"].iloc[0])}
    angle = 0 if len(row) / n_columns > ROOM else 270
    words = altair.Chart(altair.InlineData(values=[middle]))
    return [words.mark_text(text="single leaf", angle=angle, color=colors.text, fontSize=11).encode(x=x, y=y)]
