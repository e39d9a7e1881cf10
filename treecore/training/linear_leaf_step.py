"""`LinearLeafStep`: the leaf step of trees with sparse linear models in the leaves.

See Carreira-Perpiñán and Tavallali 2018, section 3, and Zharmagambetov and Carreira-Perpiñán 2020.
"""

from collections.abc import Callable

import numpy as np

from treecore.data.losses import LOSSES
from treecore.data.softmax import MOST_STEPS
from treecore.data.training_data import TrainingData
from treecore.fixed_order import dot, times, transposed_times
from treecore.tree.linear_leaves import LinearLeaves, LinearModel, constant_model
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

LEAST_GAIN = 1e-9  # smallest improvement of a model, as a share of its objective
# solver steps that learn shared weights, and that improve them in each pass; leaves are solved again afterwards
LEARNING_STEPS, SHARED_STEPS = 60, 20


class LinearLeafStep:
    """Leaf step for linear leaves, with the members of `ConstantLeafStep`.

    Decision nodes have shared weights, and each leaf has its own. The penalty of a node is lambda times the l1 norm of
    the difference between its weights and those of its parent, on scaled features and, in regression, in standard
    deviations of the target. The parent of the root has weights 0, and a leaf without weights has penalty 0. Thus
    leaves with few rows need not learn effects that hold for all rows.

    A leaf minimises the loss on its rows (log loss or squared error) plus its penalty, and keeps its model unless the
    new one is better. A decision node updates its shared weights in the same way, so the objective never increases. The
    current values of the rows are float64[2, n]: the training losses, and the losses from which errors are computed
    (0/1 or squared error).
    """

    def __init__(self, data: TrainingData, tree: WorkingTree, frozen: np.ndarray) -> None:
        self.data, self.tree, self.frozen = data, tree, frozen
        tree.leaf_kind = LinearLeaves
        self._unit = (
            data.task.unit(data.y, data.weights) ** 0.5
        ) or 1.0  # of the weights, so that the penalty has none
        self._is_new = tree.models is None
        self._parent = np.full(tree.n_nodes, -1)
        for side in (tree.left, tree.right):
            self._parent[side[tree.decisions]] = tree.decisions
        is_fixed = np.zeros(tree.n_leaves + 1, np.int64)
        leaves = np.flatnonzero(tree.left < 0)
        is_fixed[tree.rank[leaves] + 1] = frozen[leaves]
        fixed = np.cumsum(is_fixed)
        self._is_free = fixed[tree.last] == fixed[tree.first]  # whether no leaf below is frozen

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
        self._settle()

    def arrange(self, leaf: np.ndarray, lam: float, run: Callable) -> None:
        if self._is_new:
            self._is_new = False
            if self._is_free[0]:
                self._learn_shared(leaf, lam, run)

    def at(self, leaf: np.ndarray, run: Callable) -> np.ndarray:
        found = np.zeros((2, leaf.size))

        def one(piece):
            node, points = piece
            found[:, points] = self._losses(self.tree.models[node], points)

        run(one, _pieces(leaf))
        return found

    def solve(
        self, leaves: np.ndarray, starts: np.ndarray, stops: np.ndarray, current: np.ndarray, lam: float, run: Callable
    ) -> None:
        models = self.tree.models

        def one(node):
            start, stop = starts[node], stops[node]
            model, losses = self._better(node, start, stop, current[:, start:stop], lam)
            if model is models[node]:
                return False
            models[node], current[:, start:stop] = model, losses
            return True

        if any(run(one, leaves)):
            self._settle()

    def share(
        self, nodes: np.ndarray, starts: np.ndarray, stops: np.ndarray, current: np.ndarray, lam: float, run: Callable
    ) -> None:
        moved = run(
            lambda node: self._move_shared(node, starts[node], stops[node], current, lam),
            [node for node in nodes if self._is_free[node] and self.tree.models[node].features.size],
        )
        if any(moved):
            self._settle()

    def compared(self, current: np.ndarray) -> tuple[np.ndarray, int]:
        return current[0], LOSSES

    def loss(self, current: np.ndarray) -> float:
        return dot(self.data.weights, current[0])

    def error_loss(self, current: np.ndarray) -> float:
        return dot(self.data.weights, current[1])

    def keep_losses(self, leaf: np.ndarray, current: np.ndarray) -> None:
        self.tree.losses = np.bincount(leaf, self.data.weights * current[1], self.tree.n_nodes)

    def _settle(self):
        """Set the weights of the decision nodes to those with the smallest penalty, and update all penalties."""
        tree, models = self.tree, self.tree.models
        is_linear = np.array([model.features.size > 0 for model in models]) & (tree.left < 0)
        used = [models[leaf].features for leaf in np.flatnonzero(is_linear)]
        used = np.unique(np.concatenate(used)) if used else np.empty(0, np.int32)
        weights = np.zeros((tree.n_nodes, used.size, models[0].bias.size))
        for leaf in np.flatnonzero(is_linear):
            weights[leaf, np.searchsorted(used, models[leaf].features)] = models[leaf].weights
        weights = shared_weights(tree.left, tree.right, is_linear, weights)
        inverse = self.data.inverse_scale[used]
        counted = np.divide(1.0, inverse, out=np.zeros_like(inverse), where=inverse > 0)
        for node, model in enumerate(models):
            above = weights[self._parent[node]] if node else 0.0
            penalty = dot(counted, np.abs(weights[node] - above).sum(axis=1)) / self._unit
            if tree.left[node] >= 0:
                rows = weights[node].any(axis=1)
                new = LinearModel(used[rows], weights[node, rows], model.bias, penalty)
                if not (np.array_equal(new.features, model.features) and np.array_equal(new.weights, model.weights)):
                    models[node] = new
                    continue
            elif not is_linear[node]:
                penalty = 0.0
            if penalty != model.penalty:
                models[node] = model._replace(penalty=penalty)

    def _learn_shared(self, leaf, lam, run):
        """Train models from the root to the leaves, each starting from its parent's model.

        The models are kept unless they increase the objective.
        """
        data, tree = self.data, self.tree
        before = list(tree.models)
        constant = self.loss(self.at(leaf, run)) + lam * sum(model.penalty for model in before)
        ranks = np.concatenate([[0], np.cumsum(np.bincount(tree.rank[leaf], minlength=tree.n_leaves))])
        starts, stops = ranks[tree.first], ranks[tree.last]

        def one(node):
            start, stop = starts[node], stops[node]
            above = tree.models[self._parent[node]] if node else tree.models[0]
            y = data.y[start:stop]
            if y.size and y.min() < y.max():
                tree.models[node] = self._fitted(above, self._above(node), start, stop, lam, LEARNING_STEPS)
            elif tree.left[node] >= 0:
                tree.models[node] = above

        for depth in range(int(tree.depth.max()) + 1):
            run(one, np.flatnonzero(tree.depth == depth))
        self._settle()
        if self.loss(self.at(leaf, run)) + lam * sum(model.penalty for model in tree.models) > constant:
            tree.models = before

    def _move_shared(self, node, start, stop, current, lam):
        """Change the weights of a node and all its descendants by the same amount if that lowers the objective."""
        data, tree = self.data, self.tree
        leaf = np.empty(data.n_rows, np.int64)
        data.columns.leaves(tree.routing(), node, start, stop, leaf)
        leaf = leaf[start:stop]
        linear = np.array([model.features.size > 0 for model in tree.models])
        moved = linear[leaf]
        X, middle, use = data.scaled_rows(start, stop)
        if use.size == 0 or not moved.any():
            return False
        inverse, y, weights = data.inverse_scale[use, None], data.y[start:stop], data.weights[start:stop]
        scores = np.zeros((leaf.size, tree.models[node].bias.size))
        for one, points in _pieces(leaf):
            scores[points] = self._scores(tree.models[one], start + points)
        raw, above = _dense(tree.models[node], use), _dense(self._above(node), use)
        own, reference = raw / inverse, above / inverse
        X = X[moved]
        found, _ = data.loss.linear_fit(
            X, y[moved], weights[moved], lam / self._unit, own.copy(), np.zeros(own.shape[1]), reference,
            scores[moved] - times(X, own), SHARED_STEPS,
        )  # fmt: skip
        scores[moved] += times(X, found - own)
        losses = data.loss.linear_losses(scores, y)
        losses[:, ~moved] = current[:, start:stop][:, ~moved]
        cost = float(np.abs(found - reference).sum() - np.abs(own - reference).sum()) / self._unit
        before = dot(weights, current[0, start:stop])
        if dot(weights, losses[0]) + lam * cost >= before - LEAST_GAIN * before:
            return False
        new = np.where(found == reference, above, np.where(found == own, raw, found * inverse))
        below = [node]
        while below:
            one = below.pop()
            if tree.left[one] >= 0:
                below += [tree.left[one], tree.right[one]]
            elif not linear[one]:
                continue
            model = tree.models[one]
            dense = _dense(model, use)
            changed = np.where(dense == raw, new, dense + (new - raw))  # keeps equal weights exactly equal
            model = _with(model, use, changed, model.bias - transposed_times(new - raw, middle[use]))
            tree.models[one] = model._replace(penalty=model.penalty + cost) if one == node else model
        current[:, start:stop] = losses
        return True

    def _better(self, node, start, stop, losses, lam):
        """Return the best model of a leaf (current, constant or new), with the values of its rows."""
        data, points, model = self.data, np.arange(start, stop), self.tree.models[node]
        y, weights = data.y[start:stop], data.weights[start:stop]
        values = data.loss.leaf_values(np.zeros(y.size, np.int64), y, weights, 1)[0]
        candidates = [constant_model(data.task.target.scores(values))]
        if y.min() < y.max():
            candidates.append(self._fitted(model, self._above(node), start, stop, lam))
        best = dot(weights, losses[0]) + lam * model.penalty
        for candidate in candidates:
            found = self._losses(candidate, points)
            value = dot(weights, found[0]) + lam * candidate.penalty
            if value < best - LEAST_GAIN * abs(best):
                model, losses, best = candidate, found, value
        return model, losses

    def _above(self, node):
        """Return the model of a node's parent, which has no weights for the root."""
        return self.tree.models[self._parent[node]] if node else constant_model(self.tree.models[0].bias)

    def _fitted(self, model, above, start, stop, lam, steps=MOST_STEPS):
        """Fit a model to rows, starting from `model`. above : parent model in the penalty."""
        data = self.data
        X, middle, use = data.scaled_rows(start, stop)
        if use.size == 0:
            return model
        inverse, shared = data.inverse_scale[use, None], _dense(above, use)
        reference = shared / inverse
        found, bias = data.loss.linear_fit(
            X, data.y[start:stop], data.weights[start:stop], lam / self._unit, _dense(model, use) / inverse,
            model.bias + transposed_times(model.weights, middle[model.features]), reference, steps=steps,
        )  # fmt: skip
        fitted = _with(above, use, np.where(found == reference, shared, found * inverse), bias)
        return fitted._replace(
            bias=bias - transposed_times(fitted.weights, middle[fitted.features]),
            penalty=float(np.abs(found - reference).sum()) / self._unit,
        )

    def _scores(self, model, points):
        scores = np.empty((points.size, model.bias.size))
        scores[:] = model.bias
        if model.features.size:
            for c in range(model.bias.size):
                weights = np.ascontiguousarray(model.weights[:, c])
                scores[:, c] = self.data.columns.margins_at(points, Split(model.features, weights, model.bias[c], 0.0))
        return scores

    def _losses(self, model, points):
        return self.data.loss.linear_losses(self._scores(model, points), self.data.y[points])


def _pieces(leaf):
    """Return the positions of each node in `leaf`, [(node, positions)], without node -1."""
    order = np.argsort(leaf, kind="stable")
    nodes, first = np.unique(leaf[order], return_index=True)
    return [(node, points) for node, points in zip(nodes, np.split(order, first[1:]), strict=True) if node >= 0]


def _dense(model, use):
    """Return the weights of the features `use` (sorted), float64[use.size, q]."""
    found = np.zeros((use.size, model.bias.size))
    at = np.searchsorted(use, model.features)
    known = at < use.size
    known[known] = use[at[known]] == model.features[known]
    found[at[known]] = model.weights[known]
    return found


def _with(model, use, weights, bias):
    """Return the model with new weights of the features `use` and a new bias."""
    others = ~np.isin(model.features, use)
    features = np.concatenate([model.features[others], use])
    weights = np.concatenate([model.weights[others], weights])
    order = np.argsort(features)
    order = order[weights[order].any(axis=1)]
    return model._replace(features=features[order].astype(np.int32), weights=weights[order], bias=bias)


def shared_weights(left: np.ndarray, right: np.ndarray, is_linear: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the weights of all nodes, float64[m, ...], that minimise the sum of ``|weights - weights of the parent|``.

    The parent of the root has weights 0 (Farris 1970). left, right : int[m], children, -1 for leaves; parents precede
    their children; is_linear : bool[m], leaves with fixed `weights` (float64[m, ...]). Other leaves have the weights of
    their parent.
    """
    low, high, counts = weights.copy(), weights.copy(), is_linear & (left < 0)
    for node in np.flatnonzero(left >= 0)[::-1]:
        a, b = left[node], right[node]
        if counts[a] and counts[b]:  # the overlap of the two ranges, or the gap between them
            one, other = np.maximum(low[a], low[b]), np.minimum(high[a], high[b])
            low[node], high[node] = np.minimum(one, other), np.maximum(one, other)
        elif counts[a] or counts[b]:
            one = a if counts[a] else b
            low[node], high[node] = low[one], high[one]
        counts[node] = counts[a] or counts[b]
    found = np.zeros_like(weights)
    if counts[0]:
        found[0] = np.clip(0.0, low[0], high[0])
    for node in np.flatnonzero(left >= 0):
        for child in (left[node], right[node]):
            found[child] = np.clip(found[node], low[child], high[child]) if counts[child] else found[node]
    return found
