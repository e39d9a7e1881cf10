"""What is shown in each node, as plain data: every renderer draws from this."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from treecore.statistics.declared import STATISTICS
from treecore.statistics.node_statistic import NodeStatistic, in_face
from treecore.tree.category_columns import Cases, Category, branch_texts, decision_text
from treecore.tree.conditions import condition_of, threshold
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.decision_digits import decision_digits
from treecore.tree.feature_statistics import feature_deviation, missing_features
from treecore.tree.number_text import count
from treecore.tree.target import Target
from treecore.tree.tree import Tree, target_of
from viz.looks import LOOKS
from viz.palette import THEMES, group_colors
from viz.tree.category_columns import category_columns
from viz.tree.category_content import CategoryContent, category_fields

MAX_BARS = 8


class Figures(NamedTuple):
    """Rows of a node. n : int; n_all : rows of the tree; counts, right : int64[groups of the target], rows that
    reach it and that go right; loss : sum of their losses in the leaves below; leading : group that at least half of
    them have, of numbers that of their mean, or None; statistics : {name: float} of those of `treecore.statistics` that
    the node has, NaN if there are no rows."""

    n: int
    n_all: int
    counts: np.ndarray
    right: np.ndarray
    loss: float
    leading: int | None
    statistics: Mapping[str, float]

    @property
    def share(self) -> float:
        """Share of all rows, in [0, 1]."""
        return self.n / max(self.n_all, 1)


class WeightImage(NamedTuple):
    """Weights of a decision node on image data. values : float64[h, w], 0 where the pixel is not used; means : mean
    images (float64[h, w] in [0, 1]) of the rows that go left and right."""

    figures: Figures
    words: str
    values: np.ndarray
    n_nonzero: int
    means: tuple


class Ends(NamedTuple):
    """Axes of a picture, float64[axes] each, or one axis, float each. low, high : of the drawing, with room; first,
    last : smallest and largest value that has its place there, which the labels show."""

    low: Any
    high: Any
    first: Any
    last: Any


class Projection(NamedTuple):
    """Rows along the one feature of a decision node, or along its weighted sum.

    words : the condition; name : of the axis; values : float64[k], NaN where one is missing; codes : int[k], groups;
    low, high : ends of the axis; split : the bound; yes_right : whether larger values go right; names, bars : its
    largest coefficients times the feature's deviation (none of one feature); n_more : coefficients left out;
    has_gutter : whether some value of these features is missing; missing_right : whether such rows go right; heights :
    float64[k], where the numbers of the rows are between the ends of all, and means : those of the rows that go left
    and right; None for classes. first, last : ends that the labels of the axis show.
    """

    figures: Figures
    words: str
    name: str
    values: np.ndarray
    codes: np.ndarray
    low: float
    high: float
    split: float
    yes_right: bool
    names: tuple
    bars: np.ndarray
    n_more: int
    has_gutter: bool
    missing_right: bool
    first: float
    last: float
    heights: np.ndarray | None = None
    means: np.ndarray | None = None


class SplitScatter(NamedTuple):
    """Rows that reach a decision node with two features (or on data with two), and its split.

    words : the condition; names : of both features; points : float64[k, 2], NaN where a value is missing; codes :
    int[k], groups; ends : `Ends` of the two axes; right : float64[c, 2], corners of the part of the unit
    square (from low to high) that goes right; line : float64[2, 2] in the unit square, or None; gutters : for each axis
    whether some value is missing; missing_right : for each axis whether rows go right that miss it.
    """

    figures: Figures
    words: str
    names: tuple
    points: np.ndarray
    codes: np.ndarray
    ends: Ends
    right: np.ndarray
    line: np.ndarray | None
    gutters: tuple
    missing_right: tuple


class LeafContent(NamedTuple):
    """label : what is predicted, in words; code : its group; image : mean image
    float64[h, w] in [0, 1], or None; place : of a number between the ends of all, None for classes."""

    figures: Figures
    label: str
    code: int
    image: np.ndarray | None
    place: float | None = None


class LinearLeaf(NamedTuple):
    """Leaf with a linear model. label : what it is, in words; names, bars, n_more : its largest weights, as of
    `Projection`, with the class that a weight speaks for where there are more than two; values : float64[h, w], on
    images the weights for the group that most rows have against the mean of the others, or None."""

    figures: Figures
    label: str
    names: tuple
    bars: np.ndarray
    n_more: int
    values: np.ndarray | None


Decision = WeightImage | Projection | SplitScatter | CategoryContent


class TreeContents(NamedTuple):
    """nodes : list with the content of every node of `tree`, None where it was not asked for; target : `Target`;
    is_image : whether the rows are pictures; colors : {name of the theme: hex of each group}; branches : {decision:
    words of its left and its right branch}; statistics : {face: its `NodeStatistic`}."""

    tree: Tree
    nodes: list
    target: Target
    is_image: bool
    colors: dict
    branches: dict[int, tuple[str, str]]
    statistics: dict[str, list[NodeStatistic]]

    def phrases(self, face: str, figures: Figures, is_bare: bool = False) -> list[str]:
        """List of each statistic of a node in the words of a face; is_bare : the first one is its value alone."""
        words = {"set": "the rows", "n_rows": count(figures.n), "n_all_rows": count(figures.n_all)}
        found = [(one, figures.statistics[one.name]) for one in self.statistics[face] if one.name in figures.statistics]
        told = [one.phrase(face, value, self.target, **words) for one, value in found]
        return [found[0][0].text(found[0][1], self.target), *told[1:]] if is_bare and told else told


def node_contents(
    tree: Tree, data: DataSetLike, rows: np.ndarray | None = None, nodes: Iterable[int] | None = None
) -> TreeContents:
    """`TreeContents` of `tree`, or of some of its `nodes`.

    data : DataSet that it was trained on; rows : int[k], rows that are shown (None: all), the axes leave room for all.
    """
    maker = _Contents(tree, data, rows)
    wanted = range(tree.n_nodes) if nodes is None else {int(node) for node in nodes}
    found = [maker.content(node) if node in wanted else None for node in range(tree.n_nodes)]
    return TreeContents(
        tree,
        found,
        maker.target,
        data.image_shape is not None,
        {theme: group_colors(maker.target, data.y, theme) for theme in THEMES},
        {
            node: branch_texts(content.words, maker.told(node))
            for node, content in enumerate(found)
            if isinstance(content, Decision)
        },
        {face: in_face(STATISTICS.values(), face, maker.target, maker.statistics) for face in ("inspector", "leaf")},
    )


class _Contents:
    def __init__(self, tree, data, rows):
        self.tree, self.data = tree, data
        self.target = target_of(tree, data)
        self.outputs, self.groups = self.target.usual_outputs(tree), self.target.group_of(data.y)
        self.digits = decision_digits(tree, data.X, columns=self.columns)
        self.top = float(data.X.max(initial=0)) or 1.0 if data.image_shape else None
        self.shown = np.ones(len(data.y), bool)
        if rows is not None:
            self.shown[:] = False
            self.shown[rows] = True
        leaf = tree.apply(data.X)
        self.order, self.start, self.stop = _ranges(tree, leaf)
        k = len(self.target.groups)
        used = leaf[self.shown]
        self.counts = np.bincount(used * np.int64(k) + self.groups[self.shown], minlength=tree.n_nodes * k)
        self.counts = self.counts.reshape(tree.n_nodes, k)
        told = self.target.row_outputs(tree, data.X[self.shown], used)
        self.losses = np.bincount(
            used, self.target.losses(told, np.asarray(data.y)[self.shown]), minlength=tree.n_nodes
        )
        if len(data.y) == 0:  # `viz.tree.bare_data.BareData`: what the tree stores
            self.counts[tree.left < 0], self.losses[tree.left < 0] = self.target.stored(replace(tree, linear=None))
            if tree.linear is not None:
                self.losses[tree.left < 0] = tree.linear.losses[tree.left < 0]
        for node in range(tree.n_nodes - 1, 0, -1):
            self.counts[tree.parents[node]] += self.counts[node]
            self.losses[tree.parents[node]] += self.losses[node]
        self.statistics = self._statistics()
        self.names = tuple(str(name) for name in data.feature_names)
        self.is_missed = missing_features(data.X)
        self.plane = self._ends(np.empty(0, np.int64), np.arange(2)) if data.X.shape[1] == 2 else None

    def _statistics(self):
        """{name: float64[m]}, of decisions NaN where only leaves have one."""
        rows, tree = self.counts.sum(axis=1), self.tree
        means = np.divide(self.losses, rows, out=np.full(tree.n_nodes, np.nan), where=rows > 0)
        quantities = {
            "rows": rows,
            "all_rows": max(int(rows[0]), 1),
            "loss": self.losses,
            "error": np.array([self.target.error(mean) for mean in means]),
            "training_rows": tree.n_samples,
            "all_training_rows": tree.n_samples[0],
            "depth": tree.depths,
        }
        known = [one for one in STATISTICS.values() if one.quantities <= quantities.keys()]
        return {
            one.name: np.where((tree.left < 0) | (one.per == "node"), one.values(quantities), np.nan) for one in known
        }

    @cached_property
    def deviation(self):
        return feature_deviation(self.data.X)

    @cached_property
    def columns(self):
        return category_columns(self.data)

    def content(self, node):
        n = int(self.counts[node].sum())
        right = self.counts[self.tree.right[node]] if self.tree.left[node] >= 0 else self.counts[node]
        figures = Figures(
            n, int(self.counts[0].sum()), self.counts[node], right, float(self.losses[node]), self._leading(node, n),
            {
                name: float(values[node])
                for name, values in self.statistics.items()
                if self.tree.left[node] < 0 or STATISTICS[name].per == "node"
            },
        )  # fmt: skip
        if self.tree.left[node] < 0:
            value = self.outputs[node]
            if self.tree.linear is not None:
                model = self.tree.linear.model(node)
                if model.features.size:
                    return self._linear(model, node, figures)
            image = self._mean(node) if self.data.image_shape else None
            place = self.target.places(value)
            place = None if place is None else float(place)
            return LeafContent(figures, self.target.answer(value), int(self.target.group_of(value)), image, place)
        if self.data.image_shape:
            return self._weights(node, figures)
        told = self.told(node)
        if isinstance(told, Category | Cases):
            return self._categories(node, figures, told)
        if self.data.X.shape[1] == 2 or np.diff(self.tree.indptr)[node] == 2:
            return self._scatter(node, figures)
        return self._projection(node, figures)

    def _linear(self, model, node, figures):
        many = model.bias.size > 2
        sizes = model.weights * self.deviation[model.features][:, None]
        order = [place for place in np.argsort(-np.abs(sizes), axis=None, kind="stable") if sizes.flat[place]]
        shown = [np.unravel_index(place, sizes.shape) for place in order[:MAX_BARS]]
        groups = self.target.parts(self.tree)
        names = tuple(self.names[model.features[i]] + f" → {groups[c]}" * many for i, c in shown)
        label, values = f"weights for {groups[1]}" if model.bias.size == 2 else "linear model", None
        if self.data.image_shape:
            code = int(self.tree.values[node].argmax()) if many else model.bias.size - 1
            others = (model.weights.sum(axis=1) - model.weights[:, code]) / max(model.bias.size - 1, 1)
            values = np.zeros(self.tree.n_features)
            values[model.features] = model.weights[:, code] - others
            label, values = f"weights for {groups[code]}", values.reshape(self.data.image_shape)
        bars = np.array([sizes[place] for place in shown])
        return LinearLeaf(figures, label, names, bars, len(order) - len(shown), values)

    def _leading(self, node, n):
        if not self.target.values_are_groups:
            return int(self.target.group_of(self.outputs[node]))
        largest = int(self.counts[node].argmax())
        return largest if n and 2 * self.counts[node, largest] >= n else None

    def _rows(self, node):
        """(all rows that reach a node, those of them that are shown), in the order of the groups."""
        rows = self.order[self.start[node] : self.stop[node]]
        rows = rows[np.lexsort((rows, self.groups[rows]))]
        return rows, rows[self.shown[rows]]

    def _mean(self, node):
        rows = self._rows(node)[1]
        if rows.size == 0:
            return np.zeros(self.data.image_shape)
        return self.data.X[rows].mean(axis=0, dtype=np.float64).reshape(self.data.image_shape) / self.top

    def _words(self, node, terms=4):
        split = self.tree.split(node)
        names = [self.names[feature] for feature in split[0]]
        is_image = self.data.image_shape is not None
        return decision_text(
            split,
            names,
            int(self.digits[node]),
            self.deviation,
            terms,
            is_image,
            self.columns,
            None if self.tree.missing_right is None else self._missing_right(node),
        )

    def _weights(self, node, figures):
        features, weights, _ = self.tree.split(node)
        image = np.zeros(self.tree.n_features)
        image[features] = weights
        means = tuple(self._mean(child) for child in (self.tree.left[node], self.tree.right[node]))
        return WeightImage(figures, self._words(node), image.reshape(self.data.image_shape), features.size, means)

    def _missing_right(self, node):
        return self.tree.missing_right is not None and bool(self.tree.missing_right[node])

    def _ends(self, rows, features):
        """Ends of the axes of a node with these rows; those of all where it has too few."""
        known = getattr(self.data, "ends", None)
        if known is not None and not np.isnan(known[features]).any():  # of `BareData`
            return _padded(*known[features].T)
        return _ends(self.data.X[rows if rows.size > 1 else slice(None)][:, features])

    def told(self, node):
        """The decision of a node as its words tell it."""
        split = self.tree.split(node)
        return self.columns.told(condition_of(split, [self.names[feature] for feature in split[0]]))

    def _categories(self, node, figures, told):
        split, n_features = self.tree.split(node), self.tree.n_features
        whole, rows = self._rows(node)
        used = np.unique(self.tree.features) if n_features > 2 else np.arange(n_features)

        def ends(feature):
            place = feature if self.plane else 0
            return tuple(float(end[place]) for end in self.plane or self._ends(whole, [feature]))

        fields = category_fields(told, split, self.data, used, rows, ends)
        n_weights = split[0].size
        return CategoryContent(
            figures, self._words(node), n_weights=n_weights, is_square=n_features == 2 or n_weights == 2,
            codes=self.groups[rows], has_gutter=bool(self.is_missed[split[0]].any()),
            missing_right=self._missing_right(node), heights=self.target.places(np.asarray(self.data.y)[rows]),
            means=self.target.places(self.outputs[[self.tree.left[node], self.tree.right[node]]]), **fields,
        )  # fmt: skip

    def _projection(self, node, figures):
        features, weights, bias = self.tree.split(node)
        whole, rows = self._rows(node)
        gutter, right = bool(self.is_missed[features].any()), self._missing_right(node)
        if features.size == 1:
            values = self.data.X[rows, features[0]].astype(float)
            low, high, first, last = (float(end[0]) for end in self._ends(whole, features))
            split, name, yes_right = threshold(float(weights[0]), bias), self.names[features[0]], bool(weights[0] > 0)
            bars, names, more = np.zeros(0), (), 0
        else:
            values = self.tree.margins(self.data.X[rows], node)
            low, high = first, last = _inner_range(values)
            split, name, yes_right = 0.0, "w·x + b", True
            sizes = weights * self.deviation[features]
            order = np.argsort(-np.abs(sizes), kind="stable")[:MAX_BARS]
            bars, names = sizes[order], tuple(self.names[features[i]] for i in order)
            more = features.size - order.size
        return Projection(
            figures, self._words(node), name, values, self.groups[rows],
            min(low, split), max(high, split), split, yes_right, names, bars, more, gutter, right,
            min(first, split), max(last, split),
            self.target.places(np.asarray(self.data.y)[rows]),
            self.target.places(self.outputs[[self.tree.left[node], self.tree.right[node]]]),
        )  # fmt: skip

    def _scatter(self, node, figures):
        features, weights, bias = self.tree.split(node)
        axes = np.arange(2) if self.data.X.shape[1] == 2 else features
        whole, rows = self._rows(node)
        ends = self.plane or self._ends(whole, axes)
        low, high = ends.low, ends.high
        direction = np.zeros(2)
        direction[np.searchsorted(axes, features)] = weights
        # the same half-plane in the coordinates of the unit square
        right, line = clip_unit_square(direction * (high - low), bias + float(direction @ low))
        drawn = evenly(rows, LOOKS.points.full.most)
        goes_right = self._missing_right(node)
        return SplitScatter(
            figures, self._words(node, 2), tuple(self.names[j] for j in axes),
            self.data.X[drawn][:, axes].astype(float), self.groups[drawn], ends, right, line,
            tuple(bool(self.is_missed[j]) for j in axes), tuple(goes_right and j in features for j in axes),
        )  # fmt: skip


def evenly(items: np.ndarray, most: int) -> np.ndarray:
    """At most `most` of the items, evenly spaced."""
    n = len(items)
    return items if n <= most else items[(np.arange(most) * n) // most]


def _ranges(tree, leaf):
    """(row numbers so that those of every node are next to each other, where they start, where they stop)."""
    rank, place, stack = np.zeros(tree.n_nodes, np.int64), 0, [0]
    while stack:
        node = stack.pop()
        if tree.left[node] < 0:
            rank[node], place = place, place + 1
        else:
            stack += [tree.right[node], tree.left[node]]
    order = np.argsort(rank[leaf], kind="stable")
    edges = np.concatenate([[0], np.cumsum(np.bincount(rank[leaf], minlength=place))])
    start, stop = edges[rank], edges[rank + 1]
    for node in np.flatnonzero(tree.left >= 0)[::-1]:
        start[node], stop[node] = start[tree.left[node]], stop[tree.right[node]]
    return order, start, stop


def _ends(values):
    """`Ends` of the axes for these rows. values : float[rows, axes]."""
    look = LOOKS.limits
    tail = look.tail if len(values) >= look.many else 0.0
    ends = Ends(*(np.full(values.shape[1], float(end)) for end in (0, 1, 0, 1)))
    for j, column in enumerate(values.T.astype(np.float64)):
        column = np.sort(column[~np.isnan(column)])
        if column.size:
            first = column[int(np.floor(tail * (column.size - 1)))]
            last = column[int(np.ceil((1 - tail) * (column.size - 1)))]
            for end, own in zip(ends, _padded(first, last), strict=True):
                end[j] = own
    return ends


def _padded(first, last):
    """`Ends` with room beyond the values at either end."""
    look = LOOKS.limits
    spread, alone = (last - first) * look.room, np.abs(last) * look.alone
    room = np.where(spread > 0, spread, np.where(alone > 0, alone, look.unit))
    return Ends(first - room, last + room, first, last)


def _inner_range(values):
    """(low, high) of all but a share of the values on both sides."""
    known = np.sort(values[~np.isnan(values)])
    if known.size == 0:
        return -1.0, 1.0
    last, share = known.size - 1, LOOKS.limits.inside
    return float(known[int(np.floor(share * last))]), float(known[int(np.ceil((1 - share) * last))])


def clip_unit_square(normal: np.ndarray, offset: float) -> tuple:
    """(corners of the part of the unit square where ``normal . x + offset >= 0``, both ends of its border or None)."""
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    side = square @ normal + offset
    corners, ends = [], []
    for i in range(4):
        j = (i + 1) % 4
        if side[i] >= 0:
            corners.append(square[i])
        if (side[i] >= 0) != (side[j] >= 0):
            crossing = square[i] + side[i] / (side[i] - side[j]) * (square[j] - square[i])
            corners.append(crossing)
            ends.append(crossing)
    return np.array(corners).reshape(-1, 2), np.array(ends) if len(ends) == 2 else None
