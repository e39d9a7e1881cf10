"""Charts of a comparison: error against size, errors by class, confusion."""

import altair
import numpy as np
import pandas

from treecore.comparison import METHODS, pareto_front
from viz.palette import CLASS_COLORS, THEMES

# a method has the same colour and shape in every comparison
PLACES = {name: place for place, name in enumerate(METHODS)}
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left", "triangle-right")
HEIGHT = 430
# those of the classes, the greys last; what is too near to the background is darker, or lit up
TURNED = {
    "light": {"#92dadd": "#1f9aa0", "#b9ac70": "#8f7f35"},
    "dark": {"#bd1f01": "#ff6a4d", "#832db6": "#c08bf0", "#a96b59": "#cf9583", "#717581": "#a3a8b5"},
}
COLORS = {
    theme: tuple(turned.get(CLASS_COLORS[i], CLASS_COLORS[i]) for i in (0, 1, 2, 4, 9, 5, 7, 6, 8, 3))
    for theme, turned in TURNED.items()
}
DEEP = {"light": 0.65, "dark": 0.4}  # share of a ramp from which a number on it has the other colour
CELL, AROUND = 36, 170  # pixels of a row of a heat map, and of its axes and legend
MOST_LABELS = 60  # classes
MOST_NUMBERS = 12  # classes of a confusion whose counts have room
ERROR_RAMP = {"light": ("#f3f5f8", "#e76300", "#7a1a00"), "dark": ("#1e242d", "#c65400", "#ffd0a3")}


def size_chart(found, theme="light"):
    """Altair chart of test error against leaves, of a Comparison: all settings, their fronts, the chosen models."""
    colors = THEMES[theme]
    titles = list(found.methods.values())
    places = [PLACES.get(name, len(PLACES) + i) for i, name in enumerate(found.methods)]
    color = altair.Color(
        "method:N",
        sort=titles,
        title=None,
        scale=altair.Scale(domain=titles, range=[COLORS[theme][i % len(COLORS[theme])] for i in places]),
        legend=altair.Legend(orient="right", labelLimit=220, symbolSize=130, labelFontSize=13, symbolStrokeWidth=0),
    )
    shape = altair.Shape(
        "method:N",
        sort=titles,
        title=None,
        scale=altair.Scale(domain=titles, range=[SHAPES[i % len(SHAPES)] for i in places]),
    )
    chosen, settings = chosen_models(found), all_settings(found)
    sized = pandas.concat([chosen[["leaves", "error"]], settings[["leaves", "error"]]]).dropna()
    x = altair.X("leaves:Q", title="leaves", scale=altair.Scale(type="log", domain=log_domain(sized["leaves"])),
                 axis=altair.Axis(format=",~r", tickCount=6, grid=False))  # fmt: skip
    top = top_error(chosen["error"] + chosen["spread"].fillna(0), settings["error"])
    y = altair.Y("error:Q", title="test error %", scale=altair.Scale(domain=[0, top]),
                 axis=altair.Axis(tickCount=6, gridColor=colors.line, gridOpacity=0.5))  # fmt: skip
    tooltip = [
        altair.Tooltip("method:N"),
        altair.Tooltip("setting:N"),
        altair.Tooltip("leaves:Q", format=".1f"),
        altair.Tooltip("error:Q", title="test error %", format=".2f"),
    ]
    settings = settings[settings["error"] <= top]
    fronts = [front_of(settings[settings["method"] == title]) for title in titles]
    fronts = pandas.concat([front for front in fronts if len(front) > 1] or [settings.head(0)])
    everything = front_of(pandas.concat([chosen, settings]).dropna(subset=["leaves"]))
    layers = [
        altair.Chart(everything).mark_line(interpolate="step-after", color=colors.muted, strokeWidth=5, opacity=0.25,
                                           clip=True).encode(x=x, y=y),
        altair.Chart(fronts).mark_line(interpolate="step-after", strokeWidth=1.6, opacity=0.8, clip=True).encode(
            x=x, y=y, color=color),
        altair.Chart(settings).mark_point(filled=True, size=22, opacity=0.45).encode(
            x=x, y=y, color=color, shape=shape, tooltip=tooltip),
        altair.Chart(chosen.dropna(subset=["leaves", "spread"])).mark_rule(strokeWidth=1.6).transform_calculate(
            low="datum.error - datum.spread", high="datum.error + datum.spread"
        ).encode(x=x, y=altair.Y("low:Q", title="test error %"), y2="high:Q", color=color),
        altair.Chart(chosen.dropna(subset=["leaves"])).mark_point(
            filled=True, size=190, opacity=1, stroke=colors.background, strokeWidth=1.5
        ).encode(x=x, y=y, color=color, shape=shape, tooltip=tooltip),
        *_without_size(chosen[chosen["leaves"].isna()], y, color, tooltip),
    ]  # fmt: skip
    words = "; ".join(
        f"{row.method} {row.error:.1f} %" + ("" if np.isnan(row.leaves) else f" with {row.leaves:.0f} leaves")
        for row in chosen.itertuples()
    )
    return altair.layer(*layers).properties(height=HEIGHT, description=f"Test error against leaves: {words}")


def class_error_chart(found, methods, theme="light", order=None):
    """Altair heat map: share of each class (columns, in this order) that each of the methods (rows) gets wrong."""
    records = []
    for method in methods:
        counts = found.confusion(method)
        total = counts.sum(axis=1)
        wrong = total - np.diag(counts)
        records += [
            {"method": found.methods[method], "class": str(label), "wrong": int(w), "rows": int(n),
             "error": 100 * w / n if n else None}
            for label, w, n in zip(found.classes, wrong, total, strict=True)
        ]  # fmt: skip
    frame = pandas.DataFrame(records)
    names = ordered_classes(found, order)
    x = altair.X("class:N", sort=names, title="class", axis=_class_axis(len(names), orient="top"))
    y = altair.Y(
        "method:N", sort=[found.methods[name] for name in methods], title=None, axis=altair.Axis(labelLimit=170)
    )
    tooltip = ["method:N", "class:N", "wrong:Q", "rows:Q", altair.Tooltip("error:Q", title="error %", format=".1f")]
    numbers = altair.Text("error:Q", format=".1f") if len(names) <= MOST_NUMBERS else None
    return _heat_map(frame, x, y, "error", "error %", numbers, tooltip, len(methods), theme)


def confusion_chart(found, method, theme="light", order=None):
    """Altair heat map: test rows by true class (rows) and predicted class (columns), in this order; colours are shares
    of a row."""
    counts = found.confusion(method)
    total = np.maximum(counts.sum(axis=1), 1)
    names = [str(label) for label in found.classes]
    shown = [(i, j) for i in range(len(names)) for j in range(len(names)) if counts[i, j] or len(names) <= MOST_NUMBERS]
    frame = pandas.DataFrame(
        {"true": names[i], "predicted": names[j], "rows": int(counts[i, j]), "share": 100 * counts[i, j] / total[i]}
        for i, j in shown
    )
    order = ordered_classes(found, order)
    x = altair.X("predicted:N", sort=order, axis=_class_axis(len(names), orient="top"))
    y = altair.Y("true:N", sort=order, axis=_class_axis(len(names), labelLimit=160))
    tooltip = ["true:N", "predicted:N", "rows:Q", altair.Tooltip("share:Q", title="% of the true class", format=".1f")]
    numbers = altair.Text("rows:Q") if len(names) <= MOST_NUMBERS else None
    return _heat_map(frame, x, y, "share", "% of the true class", numbers, tooltip, len(names), theme)


def ordered_classes(found, order):
    """Names of the classes: those of `order` that are there, then the others."""
    known = [str(label) for label in found.classes]
    return [name for name in order or () if name in known] + [name for name in known if name not in (order or ())]


def _class_axis(count, orient="left", labelLimit=90):
    """Every class has its label as long as there is room for one."""
    upright = orient == "top" and count > MOST_NUMBERS
    return altair.Axis(
        orient=orient, labelLimit=labelLimit, labelOverlap=False if count <= MOST_LABELS else "parity",
        labelAngle=(-90 if upright else -30) if orient == "top" else 0, labelFontSize=11 if count <= 26 else 9,
    )  # fmt: skip


def _heat_map(frame, x, y, column, title, numbers, tooltip, n_rows, theme):
    """Cells coloured by `column`, from 0 up; numbers : what is written on them, or None."""
    largest = max(float(frame[column].max() or 0), 1.0)
    scale = altair.Scale(domain=[0, largest], range=list(ERROR_RAMP[theme]), interpolate="lab")
    legend = altair.Legend(title=title, orient="bottom", direction="horizontal", gradientLength=180, tickCount=4)
    color = altair.Color(f"{column}:Q", scale=scale, legend=legend)
    base = altair.Chart(frame).encode(x=x, y=y)
    layers = [base.mark_rect().encode(color=color, tooltip=tooltip)]
    if numbers is not None:
        ink = THEMES["dark" if theme == "light" else "light"].text, THEMES[theme].text
        is_deep = f"datum.{column} > {DEEP[theme] * largest}"
        ink = altair.condition(is_deep, *map(altair.value, ink))
        layers.append(base.mark_text(fontSize=13).encode(text=numbers, color=ink))
    height = AROUND + max(2 * CELL, min(CELL * n_rows, 700))
    return altair.layer(*layers).properties(height=height, description=f"Heat map: {title}")


def chosen_models(found):
    """pandas DataFrame: method, leaves, error and its spread (%) of the models that were chosen."""
    table = found.summary()
    table = table[table["n_folds"] > 0]
    frame = pandas.DataFrame({
        "method": table["title"], "setting": "chosen by validation", "leaves": table["n_leaves"],
        "error": table["test_error"] * 100, "spread": table["standard_error"] * 100,
    })  # fmt: skip
    return frame.astype({"leaves": float, "error": float, "spread": float})


def all_settings(found):
    """pandas DataFrame: method, setting, leaves and error (%) of every setting."""
    frames = []
    for name, title in found.methods.items():
        curve = found.curve(name)
        frames.append(pandas.DataFrame({
            "method": title, "setting": curve["setting"], "leaves": curve["n_leaves"],
            "error": curve["test_error"] * 100,
        }))  # fmt: skip
    whole = pandas.concat(frames) if frames else pandas.DataFrame(columns=["method", "setting", "leaves", "error"])
    return whole.astype({"leaves": float, "error": float})


def front_of(frame):
    """The rows that no other one beats in both leaves and error, by rising leaves."""
    return frame.iloc[pareto_front(frame["leaves"].to_numpy(float), frame["error"].to_numpy(float))]


def _without_size(chosen, y, color, tooltip):
    """Lines across the picture for methods that have no leaves."""
    if chosen.empty:
        return []
    return [altair.Chart(chosen).mark_rule(strokeDash=[6, 4], strokeWidth=2).encode(y=y, color=color, tooltip=tooltip)]


def log_domain(leaves):
    """[low, high] of the axis of leaves."""
    low, high = (float(leaves.min()), float(leaves.max())) if len(leaves) else (1.0, 10.0)
    return [max(low * 0.8, 0.9), max(high * 1.25, 3.0)]


def top_error(chosen, settings):
    """Upper end of the error axis: the chosen models, and most of the settings; single leaves are far above."""
    high = max(float(chosen.max()) if len(chosen) else 1.0, 0.5)
    if len(settings):
        high = max(high, min(float(settings.max()), 1.6 * high))
    return high * 1.08
