"""Collect the rows, groups and condition texts from which the contents of nodes are made."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from treecore.statistics.declared import STATISTICS
from treecore.tree.category_columns import CategoryColumns, decision_words
from treecore.tree.condition_text import Words
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.decision_digits import decision_digits
from treecore.tree.feature_statistics import feature_deviation, feature_steps, missing_features, whole_features
from treecore.tree.tree import Tree, target_of
from viz.looks import LOOKS
from viz.nodes.category_columns import category_columns
from viz.nodes.figures import Figures
from viz.nodes.node_content import Ends
from viz.nodes.node_kinds import KINDS, NodeKind, as_difference, kinds_of, readable_decision
from viz.words.text_fit import without_shared


class NodeMaker:
    """Data from which the contents of all nodes in a tree are made.

    tree : Tree
    data : DataSet of the training
    rows : int[k], the displayed rows, None for all
    """

    def __init__(self, tree: Tree, data: DataSetLike, rows: np.ndarray | None) -> None:
        self.tree, self.data = tree, data
        self.target = target_of(tree, data)
        self.outputs, self.groups = self.target.usual_outputs(tree), self.target.group_of(data.y)
        self.short_groups = without_shared(self.target.groups)
        self.digits = decision_digits(tree, data.X, columns=self.columns)
        self.top = float(data.X.max(initial=0)) or 1.0 if data.image_shape else None
        self.kinds = kinds_of(tree, bool(data.image_shape), self.columns, digits=self.digits)
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
        outputs = self.target.row_outputs(tree, data.X[self.shown], used)
        self.losses = np.bincount(
            used, self.target.losses(outputs, np.asarray(data.y)[self.shown]), minlength=tree.n_nodes
        )
        if len(data.y) == 0:  # `viz.tree.bare_data.BareData` has no rows, so the counts come from the tree.
            of_leaves = tree.leaf_model.leaf_counts(tree, self.target)
            self.counts[tree.left < 0], self.losses[tree.left < 0] = of_leaves
        for node in range(tree.n_nodes - 1, 0, -1):
            self.counts[tree.parents[node]] += self.counts[node]
            self.losses[tree.parents[node]] += self.losses[node]
        self.statistics = self._statistics()
        self.names = tuple(str(name) for name in data.feature_names)
        self.is_missed, self.is_whole = missing_features(data.X), whole_features(data.X)
        self.plane = self.ends(np.empty(0, np.int64), np.arange(2)) if data.X.shape[1] == 2 else None

    def _statistics(self):
        """Return {name: float64[m]}. Decision nodes have NaN if only leaves have the statistic."""
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
    def deviation(self) -> np.ndarray:
        """Return float64[d], the standard deviation of each feature."""
        return feature_deviation(self.data.X)

    @cached_property
    def steps(self) -> np.ndarray:
        """Return float64[d], the step of each feature with few values, else 0."""
        return feature_steps(self.data.X)

    @cached_property
    def columns(self) -> CategoryColumns:
        """Return the columns of the data."""
        return category_columns(self.data)

    def kind(self, node: int) -> NodeKind:
        """Return the kind of a node."""
        return KINDS[self.kinds[node]]

    def figures(self, node: int) -> Figures:
        """Return the counts and statistics of a node."""
        n = int(self.counts[node].sum())
        right = self.counts[self.tree.right[node]] if self.tree.left[node] >= 0 else self.counts[node]
        return Figures(
            n, int(self.counts[0].sum()), self.counts[node], right, float(self.losses[node]), self._leading(node, n),
            {
                name: float(values[node])
                for name, values in self.statistics.items()
                if self.tree.left[node] < 0 or STATISTICS[name].per == "node"
            },
        )  # fmt: skip

    def _leading(self, node, n):
        if not self.target.values_are_groups:
            return int(self.target.group_of(self.outputs[node]))
        largest = int(self.counts[node].argmax())
        return largest if n and 2 * self.counts[node, largest] >= n else None

    def rows(self, node: int) -> tuple[np.ndarray, np.ndarray]:
        """Return (all rows that reach a node, the displayed rows among them), sorted by group."""
        rows = self.order[self.start[node] : self.stop[node]]
        rows = rows[np.lexsort((rows, self.groups[rows]))]
        return rows, rows[self.shown[rows]]

    def mean(self, node: int) -> np.ndarray:
        """Return the mean image of the rows of a node, float64[h, w] in [0, 1]."""
        rows = self.rows(node)[1]
        shape = self.data.image_shape or (1, -1)
        if rows.size == 0:
            return np.zeros(shape)
        return self.data.X[rows].mean(axis=0, dtype=np.float64).reshape(shape) / self.top

    def words(self, node: int, terms: int = 4) -> Words:
        """Return the condition of a node and its branches in words, with at most `terms` terms."""
        split = self.tree.split(node)
        names = [self.names[feature] for feature in split[0]]
        is_image = self.data.image_shape is not None
        return decision_words(
            split,
            names,
            int(self.digits[node]),
            self.deviation,
            terms,
            is_image,
            self.columns,
            None if self.tree.missing_right is None else self.missing_right(node),
        )

    def missing_right(self, node: int) -> bool:
        """Return whether rows with a missing value go right."""
        return self.tree.missing_right is not None and bool(self.tree.missing_right[node])

    def ends(self, rows: np.ndarray, features: Any) -> Ends:
        """Return the ends of the axes for these rows, or for all rows if there are too few."""
        known = getattr(self.data, "ends", None)
        if known is not None and not np.isnan(known[features]).any():  # `BareData` contains the ends.
            return _pad(*known[features].T)
        return _ends(self.data.X[rows if rows.size > 1 else slice(None)][:, features])

    def ends_of_sum(self, rows: np.ndarray, features: Any, weights: Any) -> Ends:
        """Return the ends of an axis with a weighted sum of features, as `ends`."""
        X = self.data.X[rows if rows.size > 1 else slice(None)][:, features]
        return _ends((X.astype(float) @ np.array(weights))[:, None])

    def difference(self, node: int) -> Any:
        """Return the condition of a node as a difference of two features, or None if it is not one."""
        return as_difference(self.tree, node, self.columns, int(self.digits[node]))

    def readable_decision(self, node: int) -> Any:
        """Return the parsed condition of a decision node."""
        return readable_decision(self.tree, node, self.columns)


def _ranges(tree, leaf):
    """Return the row numbers grouped by leaf, and the start and the stop of the rows of each node."""
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
    """Return the `Ends` of the axes for these rows.

    values : float[rows, axes]
    """
    look = LOOKS.limits
    tail = look.tail if len(values) >= look.many else 0.0
    ends = Ends(*(np.full(values.shape[1], float(end)) for end in (0, 1, 0, 1)))
    for j, column in enumerate(values.T.astype(np.float64)):
        column = np.sort(column[~np.isnan(column)])
        if column.size:
            first = column[int(np.floor(tail * (column.size - 1)))]
            last = column[int(np.ceil((1 - tail) * (column.size - 1)))]
            for end, own in zip(ends, _pad(first, last), strict=True):
                end[j] = own
    return ends


def _pad(first, last):
    """Return `Ends` with margins on both sides of the values."""
    look = LOOKS.limits
    spread, alone = (last - first) * look.room, np.abs(last) * look.alone
    room = np.where(spread > 0, spread, np.where(alone > 0, alone, look.unit))
    return Ends(first - room, last + room, first, last)
