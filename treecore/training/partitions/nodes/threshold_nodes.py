"""`ThresholdNodes`: the best threshold or group of categories of each node, from histograms."""

import numpy as np

from treecore.node_solvers.thresholds import ROUNDING
from treecore.training.partitions.coding import CodeTree, Coding, Layout
from treecore.training.partitions.histogram_search import best_signed_cut, best_signed_group, cut_split
from treecore.training.partitions.nodes.level import Best, Level
from treecore.training.partitions.shard import batches
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree


class ThresholdNodes:
    """Node solver of univariate splits on rows in parts. layout : Layout."""

    monotone = True
    uses_codes, keeps_values = True, False

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def penalty(self, features: np.ndarray, weights: np.ndarray) -> float:
        """Return the penalty of a split: its number of columns."""
        return float(self.layout.groups.count(features))

    def router(self, coding: Coding, tree: WorkingTree) -> CodeTree:
        """Return the object whose method `nodes` converts the tree for the kernels."""
        return CodeTree(coding, tree)

    def solve(self, level: Level) -> dict[int, Split]:
        """Return the new splits of the nodes of a level that change, by place."""
        best = Best(level)
        offer_thresholds(level, best, best.worth(np.arange(level.nodes.size), 1.0))
        return best.changed


def offer_thresholds(level: Level, best: Best, places: np.ndarray) -> None:
    """Offer the best threshold and the best group of categories of some nodes."""
    problem = level.problem
    usable, nothing = problem.layout.features >= 0, np.zeros(problem.n_columns)
    for batch in batches(places, problem.n_columns, 2):
        histograms = level.call("histograms", level.nodes[batch])
        for i, histogram in zip(batch, histograms, strict=True):
            rounding = ROUNDING * best.size[i]
            score, column, *cut = best_signed_cut(histogram, usable, nothing, rounding)
            if column >= 0:
                best.offer(i, cut_split(level.coding, column, *cut), score)
            group = best_signed_group(histogram, problem.layout, rounding)
            if group is not None:
                best.offer(i, group.split, group.score, in_tie=False)
