"""Find equal nodes in the trees of a path, so that their content is computed and stored once."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from treecore.tree.target import Target
from treecore.tree.tree import Tree

SEED = 0  # of the random codes of the rows
MANY = 0.2  # share of the rows from which it is faster to route all of them than to copy those that moved
ROUTED = 1 << 13  # maximum number of rows that are copied and routed together
BATCH = 1 << 20  # maximum number of visits that are counted together, if no tree has more rows


class SharedNodes:
    """Nodes of several trees, their different contents, and the leaf of each row in every tree.

    The content of a node is everything that a payload contains about it except its children: id, prediction, split, and
    the rows that reach it. The nodes of all different trees are numbered in sequence. Splits and sets of rows are
    compared by codes of 64 bits. Equal codes of different nodes are as good as impossible.

    trees : list of the different Tree objects
    which : int64[given trees], index in `trees` of each given tree
    start : int64[trees + 1], number of the first node of each tree
    is_leaf : bool[nodes]
    left, right : int64[nodes], numbers of the children
    origin, bias : [nodes], joined arrays of the trees, and features, weights : joined weights of their splits
    outputs : [nodes], predictions, as values of the target; n_weights : int64[nodes], number of weights of each split
    splits, rows : uint64[nodes], codes of the split of each node, and of the set of rows that reaches it
    leaves : list of int32[rows], leaf of each row in every tree, as in `Tree.apply`
    content : int64[nodes], content of each node, numbered from 0 in order of appearance
    first : int64[contents], first node with each content
    """

    def __init__(self, trees: Sequence[Tree], X: Any, target: Target, whole: bool = False) -> None:
        """Compare the nodes.

        trees : may contain the same Tree object several times
        X : array or CSR [n, d], rows; target : `Target` of the data
        whole : whether the counts are those in the trees. Contents are then shared by equal Tree objects only, as well
            as without rows and with linear leaves.
        """
        distinct = {id(tree): tree for tree in trees}
        index = {key: i for i, key in enumerate(distinct)}
        self.trees, self.which = list(distinct.values()), np.array([index[id(tree)] for tree in trees])
        self.start = np.cumsum([0, *(tree.n_nodes for tree in self.trees)])
        self.outputs = self.joined(target.usual_outputs)
        self.origin, self.bias = self.joined(lambda tree: tree.origin), self.joined(lambda tree: tree.bias)
        self.features, self.weights = self.joined(lambda tree: tree.features), self.joined(lambda tree: tree.weights)
        self.n_weights = self.joined(lambda tree: np.diff(tree.indptr))
        left = self.joined(lambda tree: tree.left)
        self.is_leaf = left < 0
        offset = np.repeat(self.start[:-1], np.diff(self.start))
        self.left, self.right = left + offset, self.joined(lambda tree: tree.right) + offset
        self.splits = self._split_codes()
        self.leaves = self._routed(X)
        self.rows = self._row_codes(X.shape[0])
        if whole or X.shape[0] == 0 or any(not tree.leaf_model.is_constant for tree in self.trees):
            self.first = self.content = np.arange(self.start[-1])
        else:
            self.first, self.content = numbered(self._content_codes())

    def joined(self, part) -> np.ndarray:
        """Return the arrays that `part` returns for each tree, joined."""
        return np.concatenate([part(tree) for tree in self.trees])

    def per_tree(self, values: np.ndarray) -> np.ndarray:
        """Return values of the nodes, joined over the given trees."""
        parts = np.split(values, self.start[1:-1])
        return np.concatenate([parts[i] for i in self.which])

    def tree_of(self, node: int) -> tuple[Tree, int]:
        """Return (tree, its node) of a node."""
        index = int(np.searchsorted(self.start, node, "right")) - 1
        return self.trees[index], int(node - self.start[index])

    def visits(self, part: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (positions in `part`, contents) of the rows in the leaves. Each content is in one batch.

        part : int64[k], row numbers
        """
        is_first = np.zeros(self.start[-1], bool)
        is_first[self.first] = True
        is_first &= self.is_leaf
        found, size = [], 0
        for leaf, low, high in zip(self.leaves, self.start[:-1], self.start[1:], strict=True):
            reached, own = leaf[part], is_first[low:high]
            if not own.any():
                continue
            places = np.flatnonzero(own[reached])
            found.append((places, self.content[low:high][reached[places]]))
            size += places.size
            if size > BATCH:
                yield tuple(map(np.concatenate, zip(*found, strict=True)))
                found, size = [], 0
        if found:
            yield tuple(map(np.concatenate, zip(*found, strict=True)))

    @cached_property
    def _levels(self):
        """Decision nodes of each depth level of all trees."""
        levels, nodes = [], self.start[:-1]
        while (nodes := nodes[~self.is_leaf[nodes]]).size:
            levels.append(nodes)
            nodes = np.concatenate([self.left[nodes], self.right[nodes]])
        return levels

    @cached_property
    def leaf_ranges(self) -> tuple[np.ndarray, np.ndarray]:
        """Ranges of the leaves below each node, int64[nodes] each, where leaves count from left to right."""
        low, count = np.zeros((2, self.start[-1]), np.int64)
        count[self.is_leaf] = 1
        for nodes in reversed(self._levels):
            count[nodes] = count[self.left[nodes]] + count[self.right[nodes]]
        for nodes in self._levels:
            low[self.left[nodes]] = low[nodes]
            low[self.right[nodes]] = low[nodes] + count[self.left[nodes]]
        return low, low + count

    def _routed(self, X):
        """Return `leaves`. Rows whose decision path is that of the previous tree are not routed again."""
        paths = np.zeros(self.start[-1], np.uint64)
        for nodes in self._levels:
            paths[self.left[nodes]] = below = _mixed(paths[nodes] ^ self.splits[nodes])
            paths[self.right[nodes]] = ~below
        leaf_nodes = np.flatnonzero(self.is_leaf)
        first, numbers = numbered(paths[leaf_nodes])
        ends = np.searchsorted(leaf_nodes, self.start)
        path = np.empty(self.start[-1], np.int64)  # number of the decision path of each leaf
        path[leaf_nodes] = numbers
        place = np.full(first.size, -1, np.int32)  # leaf of the current tree at the end of each decision path
        leaves, taken = [], None
        for tree, low, own in zip(self.trees, self.start, map(slice, ends[:-1], ends[1:]), strict=False):
            if taken is None:
                leaf = tree.apply(X)
            else:
                place[numbers[own]] = leaf_nodes[own] - low
                leaf = place[taken]
                place[numbers[own]] = -1
                moved = np.flatnonzero(leaf < 0)
                if moved.size > MANY * leaf.size:
                    leaf, moved = tree.apply(X), moved[:0]
                for begin in range(0, moved.size, ROUTED):
                    some = moved[begin : begin + ROUTED]
                    leaf[some] = tree.apply(X[some])
            taken = path[low : low + tree.n_nodes][leaf]
            leaves.append(leaf)
        return leaves

    def _row_codes(self, n_rows):
        """Return `rows`: the sum of random codes of the rows that reach each node."""
        codes = np.zeros(self.start[-1], np.uint64)
        of_rows = np.random.default_rng(SEED).integers(np.iinfo(np.uint64).max, size=n_rows, dtype=np.uint64)
        for leaf, low, high in zip(self.leaves, self.start[:-1], self.start[1:], strict=True):
            np.add.at(codes[low:high], leaf, of_rows)
        for nodes in reversed(self._levels):
            codes[nodes] = codes[self.left[nodes]] + codes[self.right[nodes]]
        return codes

    def _split_codes(self):
        terms = _mixed(_mixed(self.weights.view(np.uint64)) + self.features.astype(np.uint64))
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])
        ends = np.concatenate([[0], np.cumsum(self.n_weights)])
        codes = _mixed(sums[ends[1:]] - sums[ends[:-1]]) ^ self.bias.view(np.uint64)
        return _mixed(codes ^ self.missing_right.astype(np.uint64))

    @cached_property
    def missing_right(self) -> np.ndarray:
        """Whether rows with a missing value go right at each node, bool[nodes]. Without support, they go left."""
        none = np.zeros(max(tree.n_nodes for tree in self.trees), bool)
        return self.joined(lambda tree: none[: tree.n_nodes] if tree.missing_right is None else tree.missing_right)

    def _content_codes(self):
        codes = self.splits ^ _mixed(self.rows)
        outputs = self.outputs.view(np.uint64) if self.outputs.dtype.itemsize == 8 else self.outputs.astype(np.uint64)
        for part in (outputs, self.origin.view(np.uint64), self.is_leaf.astype(np.uint64)):
            codes = _mixed(codes ^ part)
        return codes


def numbered(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (first, numbers): the first index of each different code, ascending, and the number of each code.

    codes : uint64[n], n >= 1; they are numbered in order of appearance
    """
    order = np.argsort(codes)
    ordered = codes[order]
    begins = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    first = np.minimum.reduceat(order, np.flatnonzero(begins))
    rank = np.argsort(first)
    number = np.empty(first.size, np.int64)
    number[rank] = np.arange(first.size)
    numbers = np.empty(codes.size, np.int64)
    numbers[order] = number[np.cumsum(begins) - 1]
    return first[rank], numbers


def _mixed(codes):
    """Return well mixed codes, uint64[n] (finaliser of SplitMix64)."""
    codes = codes + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        codes = (codes ^ (codes >> np.uint64(shift))) * np.uint64(factor)
    return codes ^ (codes >> np.uint64(31))
