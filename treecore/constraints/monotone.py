"""`Monotone`: leaf predictions that never fall, or never rise, along some features.

With its leaf predictions fixed, a tree is monotone if, at every node that splits on a constrained feature, no leaf on
one side predicts more than any leaf on the other side. The predictions of the leaves and the splits of the nodes are
optimised in turn under this condition.
"""

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.tree.split import Split, constant_split
from treecore.tree.working_tree import WorkingTree

SAME = 1e-12  # relative decrease of the loss below which labels are kept


class Monotone:
    """Constraints on the leaf labels of a working tree: class codes 0 and 1, or numbers.

    signs : int8[d], 1 for a feature along which predictions must not fall, -1 if they must not rise, otherwise 0.
    """

    def __init__(self, signs: np.ndarray) -> None:
        self.signs = signs

    def order(self, split: Split | None) -> int:
        """Return 1 if no leaf on the left may exceed one on the right, -1 for the reverse, 2 for both, otherwise 0."""
        if split is None:
            return 0
        found = np.unique(np.sign(split.weights) * self.signs[split.features])
        found = found[found != 0]
        return 0 if found.size == 0 else int(found[0]) if found.size == 1 else 2

    def holds(self, tree: WorkingTree) -> bool:
        """Return whether the labels of a tree satisfy the constraints."""
        low, high = self._ranges(tree)
        return not self._broken(tree, low, high)

    def broken(self, tree: WorkingTree) -> list[int]:
        """Return the decision nodes at which labels violate the constraints."""
        return self._broken(tree, *self._ranges(tree))

    def directions(self, tree: WorkingTree, nodes: np.ndarray) -> list:
        """Return (rises bool[d], falls bool[d]) of `Permitted` for each decision node, given the labels."""
        low, high = self._ranges(tree)
        found = []
        for node in nodes:
            left, right = tree.left[node], tree.right[node]
            rises, falls = np.ones((2, self.signs.size), np.bool_)
            if high[left] > low[right]:
                rises[self.signs > 0] = falls[self.signs < 0] = False
            if high[right] > low[left]:
                rises[self.signs < 0] = falls[self.signs > 0] = False
            found.append((rises, falls))
        return found

    def resolve(self, tree: WorkingTree, frozen: np.ndarray) -> None:
        """Replace every split whose weights contradict the constraints by a constant. frozen : bool[m], unchanged."""
        for node in tree.decisions:
            if self.order(tree.splits[node]) == 2 and not frozen[node]:
                tree.set_split(node, constant_split(False))

    def fit(self, tree: WorkingTree, data: TrainingData, leaf: np.ndarray, frozen: np.ndarray) -> None:
        """Set the labels of the leaves with the smallest loss under the constraints.

        leaf : int64[n], leaf of each row; frozen : bool[m], nodes whose labels are unchanged. If no labels have a
        smaller loss, the present ones are kept.
        """
        values = data.loss.leaf_values(leaf, data.y, data.weights, tree.n_nodes)
        leaves = np.flatnonzero(tree.left < 0)
        leaves = leaves[np.argsort(tree.rank[leaves])]
        if data.n_classes is None:
            problem = _Numbers(values[leaves], tree.labels[leaves])
        else:
            problem = _Codes(data.loss.label_losses(values[leaves]), tree.labels[leaves])
        if frozen[leaves].any():
            self._clip(tree, problem, frozen[leaves])
        else:
            self._fit_jointly(tree, problem)
        is_better = problem.loss(problem.labels) < problem.loss(tree.labels[leaves]) * (1 - SAME)
        if is_better or not self.holds(tree):
            tree.labels[leaves] = problem.labels

    def _fit_jointly(self, tree, problem):
        """Isotonic regression on the order of the leaves, from the bottom up.

        Under a bound, the best labels of a subtree are its best labels without the bound, clipped. So at each node, the
        labels of both sides are clipped at the level with the smallest loss.
        """
        for node in tree.decisions[::-1]:
            order = self.order(tree.splits[node])
            if order:
                left, right = self._sides(tree, node)
                low, high = (left, right) if order > 0 else (right, left)
                if problem.labels[low].max() > problem.labels[high].min():
                    problem.separate(low, high)

    def _clip(self, tree, problem, frozen):
        """Move each label as far towards its best value as the other labels allow."""
        best, problem.labels = problem.labels, problem.given.copy()
        bounds = []
        for node in tree.decisions:
            order = self.order(tree.splits[node])
            left, right = self._sides(tree, node)
            if order:
                bounds.append((left, right) if order > 0 else (right, left))
        for place in np.flatnonzero(~frozen):
            above = [problem.labels[high].min() for low, high in bounds if low.start <= place < low.stop]
            below = [problem.labels[low].max() for low, high in bounds if high.start <= place < high.stop]
            least, most = max(below, default=-np.inf), min(above, default=np.inf)
            problem.labels[place] = min(max(best[place], least), most) if least <= most else problem.labels[place]

    def _sides(self, tree, node):
        left, right = tree.left[node], tree.right[node]
        return slice(tree.first[left], tree.last[left]), slice(tree.first[right], tree.last[right])

    def _ranges(self, tree):
        """Return the smallest and the largest label of a leaf below each node."""
        low, high = tree.labels.astype(np.float64), tree.labels.astype(np.float64)
        for node in tree.decisions[::-1]:
            left, right = tree.left[node], tree.right[node]
            low[node], high[node] = min(low[left], low[right]), max(high[left], high[right])
        return low, high

    def _broken(self, tree, low, high):
        found = []
        for node in tree.decisions:
            order = self.order(tree.splits[node])
            left, right = tree.left[node], tree.right[node]
            if (order in (1, 2) and high[left] > low[right]) or (order in (-1, 2) and high[right] > low[left]):
                found.append(int(node))
        return found


class _Codes:
    """Labels 0 and 1 of the leaves from left to right, with the losses of both labels: float64[k, 2]."""

    def __init__(self, losses, given):
        self.losses, self.given = losses, given
        self.labels = np.where(losses[:, 0] == losses[:, 1], given, losses[:, 1] < losses[:, 0]).astype(given.dtype)

    def loss(self, labels):
        return float(self.losses[np.arange(labels.size), labels].sum())

    def separate(self, low, high):
        all_low, all_high = self.labels.copy(), self.labels.copy()
        all_low[low], all_high[high] = 0, 1
        self.labels = all_low if self.loss(all_low) <= self.loss(all_high) else all_high


class _Numbers:
    """Means of the leaves from left to right, with the weights and means of their rows: float64[k, 3]."""

    def __init__(self, values, given):
        self.weights, self.given = values[:, 0], given
        self.means = np.where(self.weights > 0, values[:, 1], given)
        self.labels = self.means.copy()

    def loss(self, labels):
        return float(self.weights @ (labels - self.means) ** 2)

    def separate(self, low, high):
        x, means, weights = self.labels, self.means, self.weights
        levels = np.unique(np.concatenate([x[low], x[high]]))
        levels = levels[(levels >= x[high].min()) & (levels <= x[low].max())]
        candidates = list(levels)
        for a, b in zip(levels[:-1], levels[1:], strict=True):
            active = np.concatenate(
                [np.flatnonzero(x[low] >= b) + low.start, np.flatnonzero(x[high] <= a) + high.start]
            )
            weight = weights[active].sum()
            if weight > 0:
                candidates.append(min(max(float(weights[active] @ means[active] / weight), a), b))
        losses = []
        for level in candidates:
            clipped = x.copy()
            clipped[low], clipped[high] = np.minimum(x[low], level), np.maximum(x[high], level)
            losses.append(self.loss(clipped))
        level = candidates[int(np.argmin(losses))]
        x[low], x[high] = np.minimum(x[low], level), np.maximum(x[high], level)
