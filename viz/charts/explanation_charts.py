"""Charts that explain predictions: effect of a column, importance of features, and the decision path of a row."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treecore.explain.explanation import Explanation
from treecore.explain.feature_effect import effect_grid, feature_effect
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.number_text import decimals
from treecore.tree.target import Target
from treecore.tree.tree import Tree
from viz.charts.chart import Chart, chart, literal, named
from viz.palette import ERROR_COLORS, STAGE_THEMES, THEMES
from viz.words.row_words import column_texts, open_category

MOST_ROWS, SINGLE_ROWS = 400, 40


class FeatureEffects(NamedTuple):
    """Predictions for some rows as the value of one column varies.

    column, predicted : labels of the column and of the prediction
    kind : kind of the column, one of `treecore.tables.table_columns.KINDS`
    texts : g values of the column as texts
    values : float64[g], positions of these values
    rows : float64[g, n], predictions for single rows
    mean : float64[g], means over all rows
    places : values of the rows, as texts of dates or as numbers
    """

    column: str
    predicted: str
    kind: str
    texts: tuple[str, ...]
    values: np.ndarray
    rows: np.ndarray
    mean: np.ndarray
    places: list

    @property
    def description(self) -> str:
        """Describe the lowest and the highest mean."""
        low, high = int(self.mean.argmin()), int(self.mean.argmax())
        return (
            f"{self.predicted} when only {self.column} changes: from {self.mean[low]:.3g} at "
            f"{self.texts[low]} to {self.mean[high]:.3g} at {self.texts[high]}"
        )


def feature_effects(
    tree: Tree, data: DataSetLike, rows: np.ndarray, column: str, features: Sequence[int], place: int, predicted: str
) -> FeatureEffects | None:
    """Return the `FeatureEffects` of a column on the probability of one class, or None if no row has a value.

    place : index of the class of the tree
    rows : int[n], row numbers of the data. At most 400 of them are used, evenly spaced.
    """
    X = np.asarray(data.X[rows[:: -(-len(rows) // MOST_ROWS)]], np.float64)
    if (is_open := open_category(data, features)) is None:
        values = effect_grid(tree, X, features[0])[:, None]
    else:
        # A row without any of these categories has another category.
        values = np.eye(len(features) + is_open, len(features))
    if not values.size:
        return None
    kind, texts = column_texts(data, features, values)
    curves = feature_effect(tree, X, features, values)[:, :, place]
    single = slice(None, None, max(1, len(X) // SINGLE_ROWS))
    there = X[single][:, list(features)]
    there = there[np.isfinite(there[:, 0])]
    places = column_texts(data, features, there)[1] if kind == "date" else there[:, 0].tolist()
    mean, rows = curves.mean(axis=1), curves[:, single]
    return FeatureEffects(column, predicted, kind, tuple(texts), values[:, 0], rows, mean, places)


class FeatureImportance(NamedTuple):
    """Permutation importance of the features.

    names : unique names, in display order
    rises, deviations : float64[k], mean and standard deviation over the permutations, in percentage points
    n_nodes : int64[k]
    title : label of the increases
    """

    names: tuple[str, ...]
    rises: np.ndarray
    deviations: np.ndarray
    n_nodes: np.ndarray
    title: str = "increase in error (percentage points)"

    @property
    def description(self) -> str:
        """Describe the three largest increases."""
        largest = "; ".join(f"{name} {rise:.2f}" for name, rise in zip(self.names[:3], self.rises, strict=False))
        return f"Permutation importance: {self.title}, largest first: {largest}"


MODEL = "linear model of the leaf"


class RowWay(NamedTuple):
    """Values along the decision path of a row.

    group : name of the class
    conditions : conditions along the decision path, as the row meets them
    shares : class probability in [0, 1] at the root and after each split, or mean of the numbers
    unit : unit of the numbers, None for class probabilities
    place : power of ten of the last digit, or None to derive it from the values
    """

    group: str
    conditions: tuple[str, ...]
    shares: tuple[float, ...]
    unit: str | None = None
    place: int | None = None

    @property
    def title(self) -> str:
        """Return the label of the values."""
        return f"share of {self.group} (%)" if self.unit is None else f"mean {self.group}"

    @property
    def digits(self) -> int:
        """Return the number of decimals.

        Shares have one decimal. Means have enough decimals for four digits in the largest mean and two significant
        digits in the range, unless `place` is set.
        """
        if self.unit is None:
            return 1
        if self.place is not None:
            return -self.place
        largest, range_ = max(map(abs, self.shares)), max(self.shares) - min(self.shares)
        needed = [most - math.floor(math.log10(size)) for most, size in ((3, largest), (1, range_)) if size > 0]
        return max([0, *needed])

    @property
    def values(self) -> list[float]:
        """Return the displayed means or percentages."""
        return [round(share if self.unit is not None else 100 * share, self.digits) + 0.0 for share in self.shares]

    @property
    def changes(self) -> list[float]:
        """Return the contribution of each split, rounded so that the displayed contributions add up."""
        return [round(after - before, self.digits) + 0.0 for before, after in pairwise(self.values)]

    @property
    def texts(self) -> list[str]:
        """Return `values` as texts."""
        unit = "%" if self.unit is None else self.unit
        return [f"{self._text(value)} {unit}".rstrip() for value in self.values]

    @property
    def change_texts(self) -> list[str]:
        """Return `changes` as texts."""
        return [self._text(change) for change in self.changes]

    @property
    def description(self) -> str:
        """Describe the decision path."""
        first, *texts = self.texts
        steps = (f"{condition}: {text}" for condition, text in zip(self.conditions, texts, strict=True))
        what = f"Share of {self.group}" if self.unit is None else f"Mean {self.group}"
        return f"{what}: {first} of all rows; " + "; ".join(steps)

    def _text(self, value):
        return decimals(value, max(self.digits, 0)).replace("-", "−")


def row_way(
    explanation: Explanation, place: int, target: Target, group: str, nodes: Sequence[str] | None = None
) -> RowWay:
    """Return the `RowWay` of an `Explanation`.

    place : index of the group in a summary of the target
    group : name of the group
    nodes : names of all nodes, used instead of conditions that are too long
    """
    steps = explanation.steps
    shares = [step.before[place] for step in steps] + [explanation.shares[place]]
    conditions = [step.condition if nodes is None else nodes[step.node] for step in steps]
    if explanation.reason:
        shares.insert(-1, steps[-1].after[place])
        conditions.append(MODEL)
    return RowWay(
        group,
        tuple(conditions),
        tuple(float(share) for share in shares),
        *(() if target.values_are_groups else (target.unit, target.place if 0 < target.deviation < np.inf else None)),
    )


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


MOST = 25
LINE, FOOT, NAMES = 26, 74, 150


def importance_chart(importance: FeatureImportance, theme: str = "light") -> Chart:
    """Return a `Chart` of the first 25 features of a `FeatureImportance`.

    The chart shows the increase in error with one standard deviation, next to the number of decision nodes that use
    the feature.
    """
    colors = THEMES[theme]
    names, n = importance.names[:MOST], min(len(importance.names), MOST)
    rises, deviations = (part[:n].round(4).tolist() for part in (importance.rises, importance.deviations))
    whole = [literal(name) for name in names]
    shared = {"type": "bar", "orientation": "h", "y": list(range(n)), "customdata": whole, "showlegend": False}
    traces = [
        shared
        | {
            "x": rises,
            "marker": {"color": STAGE_THEMES[theme]["accent"]},
            "error_x": {"array": deviations, "color": colors.muted, "thickness": 2, "width": 0},
            "hovertemplate": "<b>%{customdata}</b><br>%{x:.2f}<extra></extra>",
        },
        shared
        | {
            "x": importance.n_nodes[:n].tolist(),
            "xaxis": "x2",
            "marker": {"color": ERROR_COLORS[theme][0]},
            "hovertemplate": "<b>%{customdata}</b><br>nodes %{x}<extra></extra>",
        },
    ]
    return chart(
        traces,
        importance.description,
        theme,
        LINE * n + FOOT,
        x={"title": importance.title.replace(" (", "<br>("), "domain": [0, 0.62], "showgrid": True, "nticks": 7},
        x2={"title": "nodes that<br>use it", "domain": [0.67, 1], "tickformat": "d", "rangemode": "tozero"}
        | ({"dtick": 1} if max(importance.n_nodes[:n], default=0) <= 5 else {"nticks": 5}),
        y=named(names, NAMES) | {"range": [n - 0.5, -0.5]},
        bargap=0.25,
    )


WAY_LINE, WAY_FOOT, WAY_NAMES = 30, 56, 170


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
        WAY_LINE * n + WAY_FOOT,
        x={"title": "share (%)" if way.unit is None else "mean", "showgrid": True} | axis,
        y=named(names, WAY_NAMES) | {"range": [n - 0.5, -0.5]},
        bargap=0.35,
    )
