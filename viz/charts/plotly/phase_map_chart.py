"""A map of a phase diagram on the screen: its cells can be picked."""

from collections.abc import Sequence

import numpy as np

from viz.charts.plotly.chart import CLEAR, Chart, chart, color_bar, listed, stops
from viz.charts.values.phase_maps import BORDER, DASHES, DETAILS, FRAME, PhaseMap, PhaseMaps
from viz.palette import THEMES

HEIGHT, LEFT = 290, 44
DASH = f"{DASHES[0]}px,{DASHES[1]}px"
SAME = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}  # a pick changes no colours


def phase_map_chart(maps: PhaseMaps, shown: PhaseMap, theme: str = "light") -> Chart:
    """`Chart` of `shown`, one of the maps of `PhaseMaps`.

    Its last trace is one clear bar for each cell that is there, to be pointed at and picked: Plotly's point index is
    the number of the cell. The cell that is looked at is framed by `frame_style`, so that the chart stays the same.
    """
    colors = THEMES[theme]
    traces = [_cells(shown.shares, stops(shown.scale))
              | {"colorbar": color_bar(shown.scale, theme, x=0, xanchor="left", y=1, yanchor="bottom", ypad=4,
                                       xpad=0, lenmode="pixels", len=150)}]  # fmt: skip
    if maps.leaves.size:
        is_leaf = np.full((maps.n_costs, maps.n_lams), np.nan)
        is_leaf.flat[maps.leaves] = 0.0
        traces.append(_cells(is_leaf, [[0, colors.surface], [1, colors.surface]]) | {"showscale": False})
        traces.append(_marks(*maps.place(maps.leaves), {"size": 3, "color": colors.muted}))
    if len(maps.outline):
        traces += [_border(maps.outline, *BORDER[0], "solid"), _border(maps.outline, *BORDER[1], DASH)]
    if maps.best is not None:
        star = {"symbol": "star", "size": 14, "color": BORDER[0][0], "line": {"color": BORDER[1][0], "width": 1.4}}
        traces.append(_marks(*maps.place([maps.best]), star))
    traces.append(_answers(maps))
    return chart(
        traces, _description(maps, shown), theme, HEIGHT,
        x={"range": [-0.5, maps.n_lams - 0.5], "ticks": "outside", "ticklen": 3,
           "tickvals": [place for place, _ in maps.lam_ticks], "ticktext": [text for _, text in maps.lam_ticks],
           "tickangle": 0},
        y={"range": [-0.5, maps.n_costs - 0.5], "title": "C", "ticks": "", "showgrid": False,
           "tickvals": [place for place, _ in maps.cost_ticks], "ticktext": [text for _, text in maps.cost_ticks],
           "automargin": False},
        margin={"l": LEFT, "r": 14, "t": 62, "b": 48}, barmode="overlay", dragmode="zoom",
        annotations=[
            _outside(shown.title, (0, 1), (-LEFT, 34), {"size": 15, "weight": 600, "color": colors.text}),
            _outside("λ", (0.5, 0), (0, -44), {"color": colors.muted}), *_words(maps, colors),
        ],
        # the bars on axes of their own: what frames a cell is above all lines
        yaxis2={"overlaying": "y", "matches": "y", "visible": False},
        showlegend=False,
    )  # fmt: skip


def frame_style(keys: Sequence[str], cell: int) -> str:
    """CSS that frames a cell on the charts in elements of these classes: a chart that changed would lose its zoom."""
    where = ", ".join(f".{key} .barlayer .point:nth-child({cell + 1}) path" for key in keys)
    (halo, _), (color, width) = FRAME
    return (
        f"{where} {{ stroke: {color} !important; stroke-width: {width}px !important; stroke-opacity: 1 !important; "
        f"filter: drop-shadow(0 0 1px {halo}) drop-shadow(0 0 1px {halo}); }}"
    )


def _cells(shares, colors):
    return {
        "type": "heatmap", "z": listed(shares), "zmin": 0, "zmax": 1, "colorscale": colors, "hoverinfo": "skip",
        "zsmooth": False,
    }  # fmt: skip


def _marks(x, y, marker):
    return {
        "type": "scatter", "mode": "markers", "x": x.tolist(), "y": y.tolist(), "marker": marker, "hoverinfo": "skip",
    } | SAME  # fmt: skip


def _border(segments, color, width, dash):
    """Lines between the cells that are good and those that are not."""
    ends = segments - 0.5
    x, y = ([value for a, b in ends[:, part].tolist() for value in (a, b, None)] for part in ([0, 2], [1, 3]))
    return {
        "type": "scatter", "mode": "lines", "x": x, "y": y, "line": {"color": color, "width": width, "dash": dash},
        "hoverinfo": "skip",
    }  # fmt: skip


def _answers(maps):
    columns, rows = maps.place(np.arange(len(maps.figures)))
    known = [place for place in range(len(DETAILS)) if maps.figures[0][place] is not None]
    tip = [
        f"{DETAILS[k][0]} %{{customdata[{i}]{':' * bool(DETAILS[k][2])}{DETAILS[k][2]}}}" for i, k in enumerate(known)
    ]
    return {
        "type": "bar", "x": columns.tolist(), "base": (rows - 0.5).tolist(), "y": [1] * len(columns), "width": 1,
        "yaxis": "y2",
        "customdata": [[figures[k] for k in known] for figures in maps.figures], "marker": {"color": CLEAR},
        "hovertemplate": "<br>".join(tip) + "<extra></extra>",
    } | SAME  # fmt: skip


def _outside(text, place, shift, font):
    """Words in the margin. place, shift : from the lower left corner of the map, as shares of it and in pixels."""
    return {"x": place[0], "y": place[1], "xref": "paper", "yref": "paper", "text": text, "xshift": shift[0],
            "yshift": shift[1], "yanchor": "bottom", "showarrow": False, "font": font,
            "xanchor": "center" if place[0] else "left"}  # fmt: skip


def _words(maps, colors):
    if maps.leaf_words is None:
        return []
    x, y, upright = maps.leaf_words
    return [{"x": float(x), "y": float(y), "text": "single leaf", "showarrow": False, "textangle": -90 * upright,
             "font": {"size": 12, "color": colors.text}, "bgcolor": colors.surface}]  # fmt: skip


def _description(maps, shown):
    lams, costs = maps.lam_ticks, maps.cost_ticks
    text = f"{shown.title} of {len(maps.figures)} trees, λ from {lams[0][1]} to {lams[-1][1]}, C from {costs[0][1]} to "
    text += f"{costs[-1][1]}; colours from {shown.scale.ticks[0][1]} to {shown.scale.ticks[-1][1]}"
    if maps.best is not None:
        best = dict(zip((name for _, name, _ in DETAILS), maps.figures[maps.best], strict=True))
        text += f"; smallest validation error at C {best['cost']:g}, λ {best['lam']:.3g}"
    return text
