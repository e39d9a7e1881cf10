"""Slow, obvious reference implementations of the engine's fast code: plain loops over plain numbers.

routing : a Tree, or its Routing.
"""

import numpy as np
import scipy.optimize


def span(routing, node):
    """Return the (first, last) positions of a node's weights."""
    if hasattr(routing, "indptr"):
        return routing.indptr[node], routing.indptr[node + 1]
    return routing.first[node], routing.last[node]


def margin(routing, node, x):
    """Return ``w . x + b`` of one point at one node."""
    total = float(routing.bias[node])
    for k in range(*span(routing, node)):
        total += float(routing.weights[k]) * float(x[routing.features[k]])
    return total


def path(routing, x, node=0):
    """Return the nodes that one point visits, starting at `node`."""
    visited = [int(node)]
    while routing.left[node] >= 0:
        value = margin(routing, node, x)
        missing = value != value and routing.missing_right is not None and routing.missing_right[node]
        node = routing.right[node] if value >= 0 or missing else routing.left[node]
        visited.append(int(node))
    return visited


def leaves(routing, X, node=0):
    """Return the leaf below `node` that each row reaches."""
    return np.array([path(routing, x, node)[-1] for x in X])


def visits(routing, X):
    """Return the rows that visit each node, as a list of lists."""
    rows = [[] for _ in range(len(routing.left))]
    for i, x in enumerate(X):
        for node in path(routing, x):
            rows[node].append(i)
    return rows


def reduced_problem(routing, labels, X, y, node, rows):
    """Return {row: -1 or +1} for the care points of `node`: the side whose subtree alone predicts the row's label."""
    targets = {}
    for i in rows:
        left = labels[path(routing, X[i], routing.left[node])[-1]] == y[i]
        right = labels[path(routing, X[i], routing.right[node])[-1]] == y[i]
        if left != right:
            targets[i] = 1 if right else -1
    return targets


def l1_penalty(scale):
    """Return the penalty of an oblique node: l1 norm of the weights on features divided by `scale`."""
    return lambda features, weights: sum(abs(w) * scale[j] for j, w in zip(features, weights, strict=True))


def count_penalty(features, weights):
    """Return the penalty of a univariate node: its number of features."""
    return len(features)


def objective(routing, labels, X, y, weights, lam, penalty):
    """Return the weighted 0/1 loss plus λ times the penalties of all decision nodes."""
    loss = sum(w for leaf, t, w in zip(leaves(routing, X), y, weights, strict=True) if labels[leaf] != t)
    cost = 0.0
    for node in range(len(routing.left)):
        if routing.left[node] >= 0:
            use = slice(*span(routing, node))
            cost += penalty(routing.features[use], routing.weights[use])
    return loss + lam * cost


def best_univariate(X, targets, weights, lam):
    """Return the smallest ``weighted 0/1 loss + lam * penalty`` over both constants and all midpoints, both directions.

    Midpoints lie between distinct values of the care points (targets != 0).
    """
    care = targets != 0
    X, targets, weights = X[care].astype(float), targets[care], weights[care]
    best = min(weights[targets < 0].sum(), weights[targets > 0].sum())
    for column in X.T:
        values = np.unique(column)
        for threshold in (values[:-1] + values[1:]) / 2:
            for right in (column >= threshold, column < threshold):
                best = min(best, weights[right & (targets < 0)].sum() + weights[~right & (targets > 0)].sum() + lam)
    return best


def univariate_value(split, X, targets, weights, lam):
    """Return ``weighted 0/1 loss + lam * penalty`` of one split."""
    return split_loss(split, X, targets, weights) + lam * len(split.features)


def split_loss(split, X, targets, weights):
    """Return the weighted 0/1 loss of one split."""
    right = np.array([split.bias + sum(split.weights * x[split.features]) >= 0 for x in X.astype(float)])
    wrong = (right & (targets < 0)) | (~right & (targets > 0))
    return weights[wrong].sum()


def best_line(x, y, targets, weights):
    """Return the smallest weighted 0/1 loss over all lines in the plane, both sides, and over both constants.

    Consider the directions at right angles to pairs of points. Between two of them, the order of the projections does
    not change. So one direction from each interval, with every threshold, gives every separation of the points by a
    line.
    """
    care = targets != 0
    x, y, targets, weights = x[care].astype(float), y[care].astype(float), targets[care], weights[care]
    best = min(weights[targets < 0].sum(), weights[targets > 0].sum())
    for projected in projections(x, y):
        for threshold in projected:
            for right in (projected >= threshold - 1e-12, projected < threshold - 1e-12):
                best = min(best, weights[right & (targets < 0)].sum() + weights[~right & (targets > 0)].sum())
    return best


def best_gini_line(x, y, classes, weights):
    """Return the largest ``sum of squared class weights / weight`` over both sides of all lines in the plane."""
    best = -np.inf
    for projected in projections(x, y):
        for least in projected - 1e-12 * max(1.0, np.ptp(projected)):
            right = projected >= least
            if right.all():
                continue
            counts = [np.bincount(classes[side], weights[side]) for side in (right, ~right)]
            best = max(best, sum(side @ side / side.sum() for side in counts))
    return best


def projections(x, y):
    """Return the projections of the points on one direction from each interval in which their order is the same."""
    angles = {0.0}
    for i in range(x.size):
        for j in range(i):
            if (x[i], y[i]) != (x[j], y[j]):
                angles.add(float((np.arctan2(y[i] - y[j], x[i] - x[j]) + np.pi / 2) % np.pi))
    angles = sorted(angles)
    for low, high in zip(angles, [*angles[1:], angles[0] + np.pi], strict=True):
        if high - low >= 1e-9:
            direction = (low + high) / 2
            yield np.cos(direction) * x + np.sin(direction) * y


def best_bivariate(X, targets, weights, lam, cost):
    """Return the smallest ``weighted 0/1 loss + lam * penalty`` over constants, thresholds, and lines for all pairs."""
    best = best_univariate(X, targets, weights, lam)
    for j in range(X.shape[1]):
        for k in range(j):
            best = min(best, best_line(X[:, k], X[:, j], targets, weights) + lam * cost)
    return best


def surrogate(name, z):
    """Return (loss, derivative) at the signed margins z."""
    if name == "logistic":
        return np.logaddexp(0, -z), -1 / (1 + np.exp(np.minimum(z, 500)))
    slack = np.maximum(1 - z, 0)
    return slack**2, -2 * slack


def l1_objective(name, Z, signs, weights, lam, v, bias):
    """Return ``sum_i c_i loss(s_i (v . z_i + b)) + lam |v|_1`` in float64."""
    return weights @ surrogate(name, signs * (Z @ v + bias))[0] + lam * np.abs(v).sum()


def l1_optimum(name, Z, signs, weights, lam):
    """Return (v, bias) of the l1 problem, by L-BFGS-B on the split variables (v+, v-) >= 0 and a free bias."""
    d = Z.shape[1]

    def value(x):
        v = x[:d] - x[d : 2 * d]
        loss, slope = surrogate(name, signs * (Z @ v + x[-1]))
        gradient = Z.T @ (weights * signs * slope)
        total = weights @ loss + lam * x[:-1].sum()
        return total, np.concatenate([gradient + lam, -gradient + lam, [(weights * signs) @ slope]])

    x = np.zeros(2 * d + 1)
    bounds = [(0, None)] * (2 * d) + [(None, None)]
    options = {"maxiter": 20000, "maxfun": 200000, "maxcor": 30, "ftol": 1e-16, "gtol": 1e-12}
    for _ in range(2):  # a restart discards an outdated curvature model
        x = scipy.optimize.minimize(value, x, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    return x[:d] - x[d : 2 * d], x[-1]
