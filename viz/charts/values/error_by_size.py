"""Test error against size in a comparison: all settings, the fronts and the selected models."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas

from treecore.comparison.comparison import Comparison
from treecore.comparison.method_titles import METHOD_TITLES
from treecore.comparison.pareto import pareto_front
from treecore.parameter_checks import check_choice
from treecore.tree.target import Target
from viz.palette import CLASS_COLORS

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
    for number, (name, title) in enumerate(found.methods.items()):
        own = settings[name][settings[name]["error"] <= top]
        figures = chosen.loc[name] if name in chosen.index else (None,) * 3
        own, starts = own[~own["is_start"]], own[own["is_start"]]
        place = PLACES.get(name, len(PLACES) + number)
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
