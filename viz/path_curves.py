"""Errors and sizes along a regularisation path, as linked Altair charts over the same lambda axis."""

import altair
import pandas

from viz.palette import THEMES

ERRORS = {"train_error": "train", "validation_error": "validation", "test_error": "test"}
SIZES = {"n_leaves": "leaves", "features_per_node": "features per node", "mean_path_length": "decisions"}
ERROR_COLORS = ("#94a4a2", "#3f90da", "#e76300")
SIZE_COLORS = ("#832db6", "#a96b59", "#ffa90e")
SIZE_TICKS = [0, 1, 3, 10, 30, 100, 300, 1000]
DASHES = ([4, 3], [1, 0], [8, 3])


def path_frame(points):
    """Long pandas DataFrame (lam, index, curve, value, group) of the figures of some points."""
    rows = []
    for figures in points:
        figures = dict(figures)
        figures["features_per_node"] = figures["n_nonzero"] / figures["n_decision"] if figures["n_decision"] else 0.0
        for group, names in (("error", ERRORS), ("size", SIZES)):
            for key, label in names.items():
                if figures.get(key) is not None:
                    value = figures[key] * 100 if group == "error" else figures[key]
                    rows.append((figures["lam"], figures["index"], label, value, group))
    return pandas.DataFrame(rows, columns=["lam", "index", "curve", "value", "group"])


def path_curves(points, chosen, recommended=None, theme="light", height=210):
    """Two charts side by side: errors in percent, and sizes, against lambda (logarithmic).

    points : list of dicts of figures; chosen : lambda of the tree on screen; recommended : dict of label to lambda.
    """
    frame = path_frame(points)
    colors = THEMES[theme]
    lams = [figures["lam"] for figures in points]
    scale = altair.Scale(type="log", domain=[min(lams) or 1e-6, max(lams)], nice=False)
    x = altair.X(
        "lam:Q",
        scale=scale,
        title="λ (strength of the penalty)",
        axis=altair.Axis(format="~g", tickCount=5, grid=False),
    )

    def panel(group, title, names, palette, y_scale, **ticks):
        part = frame[frame["group"] == group]
        shown = list(dict.fromkeys(part["curve"]))
        order = [label for label in names.values() if label in shown]
        picked = [list(names.values()).index(label) for label in order]
        legend = altair.Legend(
            title=None, orient="top", symbolType="stroke", symbolSize=220, labelLimit=160, columns=2, columnPadding=12
        )
        curve = altair.Color(
            "curve:N", sort=order, legend=legend, scale=altair.Scale(domain=order, range=[palette[i] for i in picked])
        )
        dash = altair.StrokeDash(
            "curve:N", sort=order, legend=legend, scale=altair.Scale(domain=order, range=[DASHES[i] for i in picked])
        )
        lines = (
            altair.Chart(part)
            .mark_line(strokeWidth=2.2, point=altair.OverlayMarkDef(size=16, filled=True))
            .encode(
                x=x,
                y=altair.Y("value:Q", title=title, scale=y_scale, axis=altair.Axis(**ticks)),
                color=curve,
                strokeDash=dash,
                tooltip=[
                    altair.Tooltip("curve:N", title="curve"),
                    altair.Tooltip("lam:Q", title="λ", format=".3g"),
                    altair.Tooltip("value:Q", title=title, format=".3g"),
                ],
            )
        )
        marker = (
            altair.Chart(pandas.DataFrame({"lam": [chosen]})).mark_rule(color=colors.text, strokeWidth=2).encode(x=x)
        )
        layers = [lines, marker]
        if recommended:
            marks = pandas.DataFrame({"lam": list(recommended.values()), "name": list(recommended)})
            layers.insert(
                0, altair.Chart(marks).mark_rule(color=colors.muted, strokeDash=[2, 4], strokeWidth=1.5)
                .encode(x=x, tooltip=["name:N", altair.Tooltip("lam:Q", title="λ", format=".3g")]),
            )  # fmt: skip
        return altair.layer(*layers).properties(height=height)

    errors = panel("error", "error (%)", ERRORS, ERROR_COLORS, altair.Scale(zero=True), tickCount=5)
    sizes = panel("size", "size", SIZES, SIZE_COLORS, altair.Scale(type="symlog"), values=SIZE_TICKS)
    return errors, sizes
