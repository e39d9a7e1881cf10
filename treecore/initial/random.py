"""Complete random tree: each node has a random direction and a threshold at the median of its points."""

import numpy as np

from treecore.constraints.constraints import NO_CONSTRAINTS, Constraints
from treecore.data.training_data import TrainingData
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

# maximum number of features in a random direction; more features cost more and do not separate better
MAX_FEATURES = 30
DEFAULT_DEPTH = 8


def random_tree(
    data: TrainingData,
    max_depth: int | None,
    rng: np.random.Generator,
    max_features: int = MAX_FEATURES,
    constraints: Constraints = NO_CONSTRAINTS,
) -> WorkingTree:
    """Return a WorkingTree of depth `max_depth` (None: 8). A node whose points cannot be halved is a leaf.

    data : TrainingData; rng : numpy.random.RandomState; max_features : maximum number of features in a direction;
    constraints : if nodes are restricted, splits have one feature.
    """
    max_features = 1 if constraints.restrict_nodes else max_features
    max_depth = DEFAULT_DEPTH if max_depth is None else max_depth
    usable = np.flatnonzero(data.inverse_scale > 0)
    left, right, splits, labels, origin = [], [], [], [], []
    level = [(0, np.arange(data.n_rows), -1, 0, frozenset())]  # heap id, points, parent, side, features above
    depth = 0
    while level:
        following = []
        for heap, points, parent, side, above in level:
            node = len(left)
            if parent >= 0:
                (left, right)[side][parent] = node
            left.append(-1)
            right.append(-1)
            labels.append(_label(data, points))
            origin.append(heap)
            own = constraints.following(usable, above)
            halves = _halve(data, points, own, rng, max_features) if depth < max_depth else None
            splits.append(halves[0] if halves else None)
            if halves:
                path = above.union(halves[0].features.tolist())
                following.append((2 * heap + 1, halves[1], node, 0, path))
                following.append((2 * heap + 2, halves[2], node, 1, path))
        level = following
        depth += 1
    if max(origin) >= 2**62:  # heap ids of a very deep tree would overflow, and any unique ids suffice
        origin = list(range(len(origin)))
    return WorkingTree(left, right, splits, labels, origin)


def _label(data, points):
    values = data.loss.leaf_values(np.zeros(points.size, np.int64), data.y[points], data.weights[points], 1)
    return data.loss.labels_of(values)[0]


def _halve(data, points, usable, rng, max_features):
    if points.size < 2 or usable.size == 0:
        return None
    if max_features == 1:
        # Some features may be constant for these points, so use the first varying feature in random order.
        attempts = (_cut(data, points, feature, rng) for feature in rng.permutation(usable)[:, None])
        return next((halves for halves in attempts if halves), None)
    features = usable
    if usable.size > max_features:
        features = np.sort(rng.choice(usable, max_features, replace=False))
    return _cut(data, points, features, rng)


def _cut(data, points, features, rng):
    direction = rng.standard_normal(features.size)
    direction /= np.abs(direction).sum()
    weights = direction * data.inverse_scale[features]
    features = features.astype(np.int32)
    margins = data.columns.margins_at(points, Split(features, weights, 0.0, 1.0))
    present = ~np.isnan(margins)  # points with a missing value go left
    middle = _middle(margins[present], data.importances[points[present]])
    if middle is None:
        return None
    split = Split(features, weights, -middle, 1.0)
    goes_right = data.columns.margins_at(points, split) >= 0
    if goes_right.all() or not goes_right.any():
        return None
    return split, points[~goes_right], points[goes_right]


def _middle(values, weights):
    """Return the midpoint of the gap between adjacent distinct values that best halves the weight.

    Return None if all values are equal. A point on the threshold would go to a side decided by rounding, so the median
    itself is not used.

    """
    order = np.argsort(values, kind="stable")
    values, below = values[order], np.cumsum(weights[order])
    gaps = np.flatnonzero(values[:-1] < values[1:])
    if gaps.size == 0:
        return None
    # Rounding makes ties the same for weights and for repeated points.
    gap = gaps[np.argmin(np.round(np.abs(below[gaps] / below[-1] - 0.5), 9))]
    return float(values[gap] + (values[gap + 1] - values[gap]) / 2)
