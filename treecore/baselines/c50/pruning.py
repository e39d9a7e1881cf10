"""Pruning in C5.0: local pruning by pessimistic errors, then a global pass by cost-complexity.

The estimated number of errors of a leaf is the upper limit of its binomial confidence interval (Quinlan, C4.5: Programs
for Machine Learning, 1993, chapter 4).
"""

import math

import numpy as np

from treecore.baselines.c50 import kernels as kernels
from treecore.baselines.c50.growth import Cases, GrownTree, divide, grow_below

TIE = 1e-6
SMALLEST_BRANCH = 0.1  # smallest share of its node's cases that a raised branch needs
KNOWN = 0.95  # a raised branch with a smaller share of its node's cases is grown again
SLACK = 0.1  # number of estimated errors by which a simpler tree may be worse
# upper tail of the normal distribution, interpolated as in C4.5
TAILS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def extra_errors(cases: float, errors: float, confidence: float) -> float:
    """Return how many more errors a leaf is expected to make than it makes on its training cases.

    cases : float >= 0, weight of the cases; errors : float in [0, cases]; confidence : float in (0, 1].
    """
    if cases <= 0.0:
        return 0.0
    if errors < 1.0 - 1e-4:
        none = -cases * math.expm1(math.log(confidence) / cases)
        return none if errors < 1e-6 else none + errors * (extra_errors(cases, 1.0, confidence) - none)
    if errors + 0.5 >= cases:
        return 0.67 * (cases - errors)
    squared = float(np.interp(confidence, TAILS, DEVIATIONS)) ** 2
    middle = errors + 0.5
    root = math.sqrt(squared * (middle * (1.0 - middle / cases) + squared / 4.0))
    return cases * (middle + squared / 2.0 + root) / (cases + squared) - errors


def prune_locally(tree: GrownTree, cases: Cases, confidence: float, min_cases: float | None) -> None:
    """Replace subtrees of a `GrownTree`, bottom-up, by a leaf or their larger branch if the estimated error falls.

    cases : Cases; confidence : float in (0, 1]; min_cases : as in `grow`, None if the depth is limited. A raised branch
    receives more cases and is pruned again. If these cases are many and the depth is not limited, its subtree is first
    grown again.
    """
    _Pruning(tree, cases, confidence, min_cases).settle(0, np.arange(cases.y.size), cases.weights)


def prune_globally(tree: GrownTree) -> None:
    """Prune a `GrownTree` by cost-complexity while the increase in training errors is below one standard error.

    Each step prunes either all subtrees with the smallest increase in errors per removed leaf, or none of them. It
    ignores a subtree whose errors would exceed the limit.
    """
    errors = [float(counts.sum() - counts.max()) for counts in tree.counts]
    total = float(tree.counts[0].sum())
    base = sum(errors[node] for node in tree.below(0) if tree.left[node] < 0)
    allowed, added = math.sqrt(base * (1.0 - base / total)), 0.0
    while tree.left[0] >= 0:
        below, leaves = dict.fromkeys(order := tree.below(0), 0.0), dict.fromkeys(order, 1)
        link = {}
        for node in reversed(order):
            below[node] = errors[node]
            if tree.left[node] >= 0:
                left, right = tree.left[node], tree.right[node]
                below[node], leaves[node] = below[left] + below[right], leaves[left] + leaves[right]
                link[node] = (errors[node] - below[node]) / (leaves[node] - 1)
        link = {node: rise for node, rise in link.items() if errors[node] - below[node] <= allowed - added}
        if not link or added >= allowed:
            return
        weakest = min(link.values()) + TIE
        ends, inside = [], set()
        for node in order:
            if node in inside or (node in link and link[node] <= weakest):
                if node not in inside:
                    ends.append(node)
                inside |= {tree.left[node], tree.right[node]}
        added += sum(errors[node] - below[node] for node in ends)
        if added > allowed:
            return
        for node in ends:
            tree.end(node)


class _Pruning:
    def __init__(self, tree, cases, confidence, min_cases):
        self.tree, self.cases, self.confidence, self.min_cases = tree, cases, confidence, min_cases

    def settle(self, root, rows, weights, grows=True):
        """Prune the subtree of `root` for these cases and return its estimated number of errors.

        grows : whether raised branches may be grown again.
        """
        tree, order, estimates = self.tree, [], {}
        stack = [(root, rows, weights)]
        while stack:
            node, rows, weights = stack.pop()
            tree.counts[node] = self._counts(rows, weights)
            if tree.left[node] < 0:
                estimates[node] = self._leaf(tree.counts[node])
                continue
            parts = self._divide(node, rows, weights)
            order.append((node, rows, weights))
            stack += [(tree.left[node], parts[0], parts[1]), (tree.right[node], parts[2], parts[3])]
        while order:
            node, rows, weights = order.pop()
            leaf = self._leaf(tree.counts[node])
            kept = estimates[tree.left[node]] + estimates[tree.right[node]]
            branch = self._may_rise(node)
            raised = math.inf if branch is None else self._estimate(branch, rows, weights)
            if leaf <= min(raised, kept) + SLACK:
                tree.end(node)
                estimates[node] = leaf
            elif raised <= kept + SLACK:
                is_known = tree.counts[branch].sum() >= KNOWN * weights.sum()
                tree.raise_branch(node, branch)
                if grows and not is_known and self.min_cases is not None:
                    self._grow_below(node, rows, weights)
                estimates[node] = self.settle(node, rows, weights, False)
            else:
                estimates[node] = kept
        return estimates[root]

    def _may_rise(self, node):
        """Return the child with more cases if it may replace the node, or None.

        This child must not be a leaf, be small, or split on the same number as the node.
        """
        tree = self.tree
        sizes = {branch: tree.counts[branch].sum() for branch in (tree.left[node], tree.right[node])}
        able = [
            branch
            for branch, size in sizes.items()
            if tree.left[branch] >= 0
            and size >= SMALLEST_BRANCH * sum(sizes.values())
            and (tree.group[node] is not None or tree.feature[branch] != tree.feature[node])
        ]
        return max(able, key=lambda branch: sizes[branch], default=None)

    def _grow_below(self, node, rows, weights):
        tree, parts = self.tree, self._divide(node, rows, weights)
        tree.left[node], tree.right[node] = (
            grow_below(tree, self.cases, side, self.min_cases) for side in (parts[:2], parts[2:4])
        )

    def _estimate(self, root, rows, weights):
        """Return the estimated errors of the current subtree of `root` for other cases."""
        total, stack = 0.0, [(root, rows, weights)]
        while stack:
            node, rows, weights = stack.pop()
            if self.tree.left[node] < 0 or rows.size == 0:
                total += self._leaf(self._counts(rows, weights))
                continue
            parts = self._divide(node, rows, weights)
            stack += [(self.tree.left[node], parts[0], parts[1]), (self.tree.right[node], parts[2], parts[3])]
        return total

    def _leaf(self, counts):
        total = float(counts.sum())
        errors = total - float(counts.max())
        return errors + extra_errors(total, errors, self.confidence)

    def _counts(self, rows, weights):
        return kernels.class_weights(rows, weights, self.cases.y, self.cases.n_classes)

    def _divide(self, node, rows, weights):
        return divide(self.cases, self.tree, node, rows, weights)
