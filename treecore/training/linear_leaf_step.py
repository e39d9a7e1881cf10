"""`LinearLeafStep`: the leaf step of trees whose leaves are sparse linear models.

Carreira-Perpiñán and Tavallali 2018, section 3 ("some other model"); Zharmagambetov and Carreira-Perpiñán 2020.
"""

from collections.abc import Callable

import numpy as np

from treecore.data.losses import LOSSES
from treecore.data.training_data import TrainingData
from treecore.tree.linear_leaves import LeafModel, constant_model
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

LEAST_GAIN = 1e-9  # share of its objective by which a leaf must better itself


class LinearLeafStep:
    """Members as of `ConstantLeaves`.

    A leaf minimises the loss of its rows (log loss, or squared errors) plus lambda times the l1 norm of its weights on
    scaled features. It keeps its model where the new one is not better, so that the objective never rises.
    What the rows get is float64[2, n]: their losses, and what errors are told by (wrong or not, or squared errors).
    """

    def __init__(self, data: TrainingData, tree: WorkingTree) -> None:
        self.data, self.tree = data, tree

    def begin(self, leaf: np.ndarray) -> None:
        data, tree = self.data, self.tree
        if tree.models is None:
            values = data.loss.leaf_values(leaf, data.y, data.weights, tree.n_nodes)
            everything = data.loss.leaf_values(np.zeros_like(leaf), data.y, data.weights, 1)[0]
            reached = np.bincount(leaf, minlength=tree.n_nodes) > 0
            tree.models = [
                constant_model(data.task.target.scores(one if used else everything))
                for one, used in zip(values, reached, strict=True)
            ]
        tree.models = [model._replace(penalty=self._penalty(model)) for model in tree.models]

    def arrange(self, leaf: np.ndarray) -> None:
        pass

    def at(self, leaf: np.ndarray, run: Callable) -> np.ndarray:
        found = np.zeros((2, leaf.size))
        order = np.argsort(leaf, kind="stable")
        nodes, first = np.unique(leaf[order], return_index=True)
        pieces = [(node, points) for node, points in zip(nodes, np.split(order, first[1:]), strict=True) if node >= 0]

        def one(piece):
            node, points = piece
            found[:, points] = self._losses(self.tree.models[node], points)

        run(one, pieces)
        return found

    def solve(
        self, leaves: np.ndarray, starts: np.ndarray, stops: np.ndarray, current: np.ndarray, lam: float, run: Callable
    ) -> None:
        def one(node):
            start, stop = starts[node], stops[node]
            model, losses = self._better(self.tree.models[node], start, stop, current[:, start:stop], lam)
            self.tree.models[node], current[:, start:stop] = model, losses

        run(one, leaves)

    def compared(self, current: np.ndarray) -> tuple[np.ndarray, int]:
        return current[0], LOSSES

    def loss(self, current: np.ndarray) -> float:
        return float(self.data.weights @ current[0])

    def error_loss(self, current: np.ndarray) -> float:
        return float(self.data.weights @ current[1])

    def keep_losses(self, leaf: np.ndarray, current: np.ndarray) -> None:
        self.tree.losses = np.bincount(leaf, self.data.weights * current[1], self.tree.n_nodes)

    def _better(self, model, start, stop, losses, lam):
        """The best of a leaf's own model, the one without weights and a new one, with what its rows get."""
        data, points = self.data, np.arange(start, stop)
        y, weights = data.y[start:stop], data.weights[start:stop]
        values = data.loss.leaf_values(np.zeros(y.size, np.int64), y, weights, 1)[0]
        constant = constant_model(data.task.target.scores(values))
        candidates = [constant]
        X, middle, use = data.scaled_rows(start, stop)
        if y.min() < y.max() and use.size:
            candidates.append(self._fitted(model, X, middle, use, y, weights, lam))
        best = float(weights @ losses[0]) + lam * model.penalty
        for candidate in candidates:
            found = self._losses(candidate, points)
            value = float(weights @ found[0]) + lam * candidate.penalty
            if value < best - LEAST_GAIN * abs(best):
                model, losses, best = candidate, found, value
        return model, losses

    def _fitted(self, model, X, middle, use, y, weights, lam):
        data = self.data
        place = np.full(data.n_features, -1)
        place[use] = np.arange(use.size)
        q = model.bias.size
        start = np.zeros((use.size, q))
        kept = place[model.features] >= 0
        start[place[model.features[kept]]] = model.weights[kept] / data.inverse_scale[model.features[kept], None]
        at_middle = model.bias + middle[model.features] @ model.weights
        found, bias = data.loss.linear_fit(X, y, weights, lam, start, at_middle)
        features = use[np.flatnonzero(found.any(axis=1))].astype(np.int32)
        raw = found[found.any(axis=1)] * data.inverse_scale[features, None]
        fitted = LeafModel(features, raw, bias - middle[features] @ raw)
        return fitted._replace(penalty=self._penalty(fitted))

    def _penalty(self, model):
        inverse = self.data.inverse_scale[model.features]
        usable = inverse > 0
        return float(np.abs(model.weights[usable] / inverse[usable, None]).sum())

    def _losses(self, model, points):
        scores = np.empty((points.size, model.bias.size))
        scores[:] = model.bias
        if model.features.size:
            for c in range(model.bias.size):
                weights = np.ascontiguousarray(model.weights[:, c])
                scores[:, c] = self.data.columns.margins_at(points, Split(model.features, weights, model.bias[c], 0.0))
        return self.data.loss.linear_losses(scores, self.data.y[points])
