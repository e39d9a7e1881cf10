"""TAO over blocks of two levels: a decision node and its two children are optimised at once.

The subtrees below the children are fixed, and leaves below them get the best prediction for their points. A block
contains the step of a single node, so that fewer trees are local optima (Carreira-Perpiñán and Tavallali 2018, section
3, where a step optimises the nodes of one level).

A split on a group of categories is exact in the children. At the upper node, all groups of a few categories are tried,
else those that are a prefix of an order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from treecore.constraints.constraints import Constraints
from treecore.data.columns import DenseColumns
from treecore.data.training_data import TrainingData
from treecore.initial.best_group import category_keys
from treecore.node_solvers.block_kernels import FIXED, LEAF, SPLIT, best_block, block_amounts, encode
from treecore.node_solvers.group_kernels import best_sides
from treecore.node_solvers.thresholds import OUTSIDE, tie_width
from treecore.tree.split import Split, constant_split
from treecore.tree.working_tree import WorkingTree

# Maximum number of codes of a feature in a block. Passes over single nodes then try all thresholds.
CODES = 64
# Maximum number of steps of a block, about (number of features)² (rows + codes²). More features are screened.
STEPS = 2e8
# Maximum number of categories in a block of which all groups are tried at the upper node (32 groups).
MOST_CATEGORIES = 6
# Maximum number of codes of a column of categories, which are stored in one byte.
MOST_CODES = 256


class _Columns(NamedTuple):
    """Features, lines and columns of categories that the splits of a block may use.

    splits : list of Split with bias 0; values : list of [n], value of each point; codes : uint8[d, n]; n_codes :
    int64[d]; missing_first : bool[d], whether missing values have the first code instead of the last; groups : list of
    the numbers of the columns of categories, which are the last columns; sequences : int64[d, l], see `best_block`.
    """

    splits: list
    values: list
    codes: np.ndarray
    n_codes: np.ndarray
    missing_first: np.ndarray
    groups: list
    sequences: np.ndarray


def optimise_blocks(
    tree: WorkingTree,
    data: TrainingData,
    penalty: Callable,
    lam: float,
    frozen: Collection[int],
    min_samples_leaf: int,
    run: Callable,
    constraints: Constraints,
) -> float:
    """Optimise every block of two levels, level by level from below, and return the decrease of the objective.

    tree : WorkingTree, changed in place; data : TrainingData with dense columns; penalty : penalty of a split, function
    of its features and weights; lam : lambda; frozen : origin ids of unchanged nodes; min_samples_leaf : smallest
    number of rows in a leaf; run : maps a function over a list (threads); constraints : a block that would
    violate them is unchanged.
    """
    is_frozen = np.isin(tree.origin, np.asarray(list(frozen), np.int64))
    leaf = np.empty(data.n_rows, np.int64)
    data.columns.leaves(tree.routing(), 0, 0, data.n_rows, leaf)
    gained = 0.0
    for depth in range(int(tree.depth.max()) - 1, -1, -1):
        nodes = np.flatnonzero((tree.depth == depth) & (tree.left >= 0) & ~is_frozen)
        order = np.argsort(tree.rank[leaf], kind="stable")
        edges = np.concatenate([[0], np.cumsum(np.bincount(tree.rank[leaf], minlength=tree.n_leaves))])
        points = [np.sort(order[edges[tree.first[node]] : edges[tree.last[node]]]) for node in nodes]

        def improve(i, nodes=nodes, points=points):
            if points[i].size == 0 or np.all(data.y[points[i]] == data.y[points[i][0]]):
                return None
            return _Block(tree, data, penalty, lam, is_frozen, int(nodes[i]), points[i]).improved(min_samples_leaf)

        for i, found in enumerate(run(improve, range(nodes.size))):
            if found is not None:
                gain, splits, labels = found
                before = {node: tree.splits[node] for node in splits}, {node: tree.labels[node] for node in labels}
                _set(tree, splits, labels)
                below = DenseColumns(data.columns.gather(points[i]))
                reached, present = np.empty(points[i].size, np.int64), leaf[points[i]]
                below.leaves(tree.routing(), int(nodes[i]), 0, points[i].size, reached)
                leaf[points[i]] = reached
                if constraints.holds(tree, np.unique(leaf).size):
                    gained += gain
                else:
                    _set(tree, *before)
                    leaf[points[i]] = present
    return gained


def _set(tree, splits, labels):
    for node, split in splits.items():
        tree.set_split(node, split)
    for node, label in labels.items():
        tree.labels[node] = label


class _Block:
    """Points and subtrees of a node and its two children."""

    def __init__(self, tree, data, penalty, lam, frozen, node, points):
        self.tree, self.data, self.penalty, self.lam, self.frozen, self.node = tree, data, penalty, lam, frozen, node
        self.columns = DenseColumns(data.columns.gather(points))
        self.y, self.weights, self.importances = data.y[points], data.weights[points], data.importances[points]
        self.n = points.size
        self.categories = data.groups.codes[:, points]
        self.children = int(tree.left[node]), int(tree.right[node])

    def improved(self, least):
        """Return (decrease of the objective, splits, labels of leaves), or None if the block is optimal."""
        kinds, leaves, losses = self._below()
        present = self._present(kinds)
        limit = present - max(tie_width(present, present), 1e-9 * present)
        if limit <= 0:
            return None
        columns = self._columns()
        if not columns.splits:
            return None
        contributions, form = self.data.loss.leaf_sums(self.y, self.weights)
        contributions = contributions if leaves.any() or LEAF in kinds else contributions[:, :0].copy()
        penalties = self.lam * np.array([split.penalty for split in columns.splits])
        self.problem = contributions, self.weights, losses, form
        self.are_leaves = leaves
        objective, *chosen = best_block(
            columns.codes, columns.n_codes, columns.sequences, penalties, *self.problem[:3], kinds, leaves, form, limit
        )
        return self._adopted(chosen, columns, present, least) if objective < limit else None

    def _below(self):
        """Return the kinds of the children, which subtrees below them are leaves, and the losses of the points."""
        tree, kinds = self.tree, np.full(2, FIXED)
        leaves, losses = np.zeros((2, 2), np.bool_), np.zeros((2, 2, self.n))
        for side, child in enumerate(self.children):
            if tree.left[child] < 0 and not self.frozen[child]:
                kinds[side] = LEAF
            elif tree.left[child] < 0 or self.frozen[child]:
                losses[side, 0] = self._losses(child)
            else:
                kinds[side] = SPLIT
                for place, below in enumerate((tree.left[child], tree.right[child])):
                    leaves[side, place] = tree.left[below] < 0 and not self.frozen[below]
                    if not leaves[side, place]:
                        losses[side, place] = self._losses(below)
        return kinds, leaves, losses

    def _losses(self, root):
        """Return the weighted loss of each point in the subtree of `root`, float64[n]."""
        return self.data.loss.row_losses(self.tree.labels[self._leaves(root)], self.y, self.weights)

    def _leaves(self, root):
        reached = np.empty(self.n, np.int64)
        self.columns.leaves(self.tree.routing(), int(root), 0, self.n, reached)
        return reached

    def _present(self, kinds):
        """Return the current loss of the points plus the penalty of the block."""
        nodes = [self.node, *(child for side, child in enumerate(self.children) if kinds[side] == SPLIT)]
        return float(self._losses(self.node).sum()) + self.lam * float(self.tree.penalties[nodes].sum())

    def _columns(self):
        """Return the features that splits may use, and the lines of the current splits."""
        values, data = self.columns.values, self.data
        own = [split for split in map(self.tree.splits.__getitem__, (self.node, *self.children)) if split is not None]
        features = np.flatnonzero(data.groups.is_single)
        codes, n_codes = np.zeros((data.n_features, self.n), np.uint8), np.zeros(data.n_features, np.int64)
        for j in features:
            n_codes[j] = encode(values[j], CODES, codes[j])
        features = features[n_codes[features] > 1]
        most = int(np.sqrt(STEPS / (self.n + n_codes.max(initial=0) ** 2)))
        if features.size > most:
            gains = np.array([self._gain(codes[j], n_codes[j]) for j in features])
            gains[np.isin(features, np.concatenate([split.features for split in own]))] = np.inf
            features = np.sort(features[np.argsort(-gains, kind="stable")[:most]])
        one = np.ones(1)
        splits = [Split(np.array([j], np.int32), one, 0.0, self.penalty(np.array([j]), one)) for j in features]
        columns = [values[j] for j in features]
        codes, n_codes = codes[features], n_codes[features]
        for line in (split._replace(bias=0.0) for split in own if split.features.size > 1):
            margins = self.columns.margins(0, self.n, line)
            line_codes = np.zeros((1, self.n), np.uint8)
            n_codes = np.append(n_codes, encode(margins, CODES, line_codes[0]))
            codes = np.concatenate([codes, line_codes])
            splits.append(line)
            columns.append(margins)
        missing = np.flatnonzero([column.dtype.kind == "f" and np.isnan(column).any() for column in columns])
        last = np.where(codes[missing] == 0, n_codes[missing, None] - 1, codes[missing] - 1).astype(np.uint8)
        groups, sequences = self._groups()
        of_groups = [Split(data.groups.members[g][:1], one, 0.0, 0.0) for g in groups]
        of_groups = [split._replace(penalty=self.penalty(split.features, one)) for split in of_groups]
        n_single = len(splits) + missing.size
        tried = np.zeros((n_single + len(groups), max(map(len, sequences), default=1)), np.int64)
        for row, sequence in zip(tried[n_single:], sequences, strict=True):
            row[: len(sequence)] = sequence
        return _Columns(
            splits + [splits[j] for j in missing] + of_groups,
            columns + [columns[j] for j in missing],
            np.concatenate([codes, last, self.categories[groups].astype(np.uint8)]),
            np.concatenate([n_codes, n_codes[missing], data.groups.n_codes[groups]]),
            np.arange(n_single) < len(splits),
            groups,
            tried,
        )

    def _groups(self):
        """Return the columns of categories that vary, and the sequence of groups that the upper split tries in each."""
        groups, sequences = [], []
        for group, size in enumerate(self.data.groups.n_codes.tolist()):
            present = np.flatnonzero(np.bincount(self.categories[group], minlength=size))
            if present.size > 1 and size <= MOST_CODES:
                groups.append(group)
                sequences.append(self._sequence(self.categories[group], size, present))
        return groups, sequences

    def _sequence(self, codes, size, present):
        """Return the groups that the upper split tries as steps that add or remove a category.

        All groups of a few categories are tried in the order of a Gray code. Of many categories, those are tried that
        start an order: by the loss in the present children, which contains the solution of a single node, and by the
        class shares or means.
        """
        if present.size <= MOST_CATEGORIES:
            places = [(step & -step).bit_length() - 1 for step in range(1, 2 ** (present.size - 1))]
            inside: set[int] = set()
            steps = []
            for code in present[places].tolist():
                inside ^= {code}
                steps.append(code + 1 if code in inside else -code - 1)
            return steps
        left, right = (np.bincount(codes, self._losses(child), size)[present] for child in self.children)
        channels, amounts, n_channels, *_ = self.data.task.greedy(self.y, self.importances)
        sums = np.bincount(codes * np.int64(n_channels) + channels, amounts, size * n_channels).reshape(size, -1)
        keys = category_keys(sums[present], np.bincount(codes, self.importances, size)[present])
        first, second = (present[np.argsort(key, kind="stable")] for key in (left - right, keys))
        return [*(first + 1).tolist(), *(-second[:-1] - 1).tolist()]

    def _gain(self, codes, n_codes):
        """Return the largest decrease of the squared loss (Gini index) by a threshold."""
        channels, amounts, size, *_ = self.data.task.greedy(self.y, self.importances)
        sums = np.bincount(codes * np.int64(size) + channels, amounts, n_codes * size).reshape(n_codes, size)
        sizes = np.bincount(codes, self.importances, n_codes).cumsum()[:-1]
        below = sums.cumsum(axis=0)
        above = below[-1] - below[:-1]
        whole = self.importances.sum()
        return float(((below[:-1] ** 2).sum(1) / sizes + (above**2).sum(1) / (whole - sizes)).max())

    def _adopted(self, chosen, columns, present, least):
        """Return the new splits and labels if they are permitted and the objective decreases, otherwise None."""
        tree, (upper, *lower) = self.tree, chosen
        split, goes_right = self._split(upper, columns, np.ones(self.n, np.bool_), None)
        splits, labels, total = {self.node: split}, {}, 0.0
        for side, child in enumerate(self.children):
            own = goes_right == (side == 1)
            ends = [(child, own)]
            if tree.left[child] >= 0 and not self.frozen[child]:
                splits[child], right = self._split(lower[side], columns, own, side)
                ends = [(tree.left[child], own & ~right), (tree.right[child], own & right)]
            for end, reached in ends:
                sizes = np.bincount(self._leaves(end)[reached])
                if ((sizes > 0) & (sizes < least)).any():
                    return None
                if tree.left[end] < 0 and not self.frozen[end]:
                    labels[int(end)], loss = self._best_label(end, reached)
                else:
                    loss = float(self._losses(end)[reached].sum())
                total += loss
        objective = total + self.lam * sum(split.penalty for split in splits.values())
        return (present - objective, splits, labels) if objective < present else None

    def _best_label(self, leaf, reached):
        y, weights = self.y[reached], self.weights[reached]
        if y.size == 0:
            return self.tree.labels[leaf], 0.0
        loss = self.data.loss
        values = loss.leaf_values(np.zeros(y.size, np.int64), y, weights, 1)
        return loss.labels_of(values, self.tree.labels[[leaf]])[0], float(loss.losses_of(values)[0])

    def _split(self, choice, columns, own, side):
        """Return the split of a choice of the kernel and whether each point goes right.

        The threshold is in the middle between the points of the node, own : bool[n]. side : side of a child, None for
        the upper node.
        """
        column, code, flipped = choice
        if column < 0:
            return constant_split(flipped), np.full(self.n, flipped)
        if column >= len(columns.values):
            split = self._group_split(choice, columns, own, side)
            return split, split.goes_right(self.columns.margins(0, self.n, split))
        values, below = columns.values[column].astype(np.float64), columns.codes[column] < code
        low = float(np.nanmax(values[own & below], initial=-np.inf))
        high = float(np.nanmin(values[own & ~below], initial=np.inf))
        if low == -np.inf:  # all points below are missing
            low = -OUTSIDE
        if high == np.inf:
            high = OUTSIDE
        middle = low + (high - low) / 2
        if middle in (low, high):  # as in `threshold_split`
            middle = low if flipped else high
        direction, sign = columns.splits[column], -1.0 if flipped else 1.0
        missing_right = bool(columns.missing_first[column]) == flipped
        if not np.isnan(values[own]).any():  # missing values go to the majority side
            missing_right = (np.count_nonzero(own & ~below) > np.count_nonzero(own & below)) != flipped
        split = direction._replace(
            weights=sign * direction.weights, bias=-sign * middle, missing_right=missing_right, converged=True
        )
        return split, split.goes_right(self.columns.margins(0, self.n, split))

    def _group_split(self, choice, columns, own, side):
        """Return the split on a group of categories. Categories without points go with the majority."""
        column, code, flipped = choice
        codes, size = columns.codes[column], int(columns.n_codes[column])
        goes_right = np.full(size, not flipped)
        if side is None:
            for move in columns.sequences[column, :code].tolist():
                goes_right[abs(move) - 1] = (move > 0) == flipped
        else:
            amounts = block_amounts(*self.problem)[0]
            n_sums, form = self.problem[0].shape[1], self.problem[-1]
            sums = np.stack([np.bincount(codes[own], amount[own], size) for amount in amounts.T], axis=1)
            best_sides(sums, n_sums, form, self.are_leaves[side], n_sums + 2 * side, goes_right)
        counts, outside = np.bincount(codes[own], minlength=size), size - 2
        default = counts[goes_right].sum() > counts[~goes_right].sum()
        default = bool(goes_right[outside] if counts[outside] else default)
        goes_right[counts == 0] = default
        groups = self.data.groups
        split = groups.split(columns.groups[column - len(columns.values)], goes_right, default, bool(goes_right[-1]))
        if split is None:
            return constant_split(default)
        return split._replace(penalty=self.penalty(split.features, split.weights))


def extended(tree: WorkingTree, max_depth: int | None, frozen: Collection[int], first_origin: int) -> WorkingTree:
    """Return a tree in which each leaf has up to two more levels of constant splits, which blocks can replace.

    max_depth : maximum depth, None for the depth of the tree; frozen : origin ids of leaves that remain leaves;
    first_origin : id of the first new node.
    """
    left, right, splits, labels = (list(part) for part in (tree.left, tree.right, tree.splits, tree.labels))
    origins = list(tree.origin)
    limit = int(tree.depth.max()) if max_depth is None else max_depth
    free = (tree.left < 0) & ~np.isin(tree.origin, np.asarray(list(frozen), np.int64))
    level = [(int(leaf), int(tree.depth[leaf])) for leaf in np.flatnonzero(free)]
    for _ in range(2):
        below = []
        for node, depth in level:
            if depth >= limit:
                continue
            splits[node] = constant_split(False)
            left[node], right[node] = len(left), len(left) + 1
            for child in (left[node], right[node]):
                left.append(-1)
                right.append(-1)
                splits.append(None)
                labels.append(labels[node])
                origins.append(first_origin)
                first_origin += 1
                below.append((child, depth + 1))
        level = below
    return WorkingTree(left, right, splits, np.array(labels, tree.labels.dtype), origins)
