"""Kernels of non-greedy trees: loss-augmented inference and stochastic gradient steps.

They implement sections 5 and 6 of Norouzi et al. 2015a.

A tree has decision nodes 0 .. m - 1 (0 is the root) and leaves 0 .. m. A child >= 0 is a decision node, and a child < 0
is the leaf ``~child``. `parent` and `side` (+1: right child) list the decision nodes first, then the leaves. A sign
vector affects the loss only through its leaf. Off the path to that leaf, the best signs are those of the margins
(section 6), so each leaf represents the best sign vector that leads to it. Scores are relative to the score of the
signs of the margins.
"""

from typing import NamedTuple

import numpy as np

from treecore._jit import kernel, sum_kernel
from treecore.baselines.leaf_loss_kernels import leaf_loss, normaliser_of


class Shape(NamedTuple):
    """Structure of a tree in flat arrays."""

    children: np.ndarray  # int32[m, 2], left and right
    parent: np.ndarray  # int32[2 m + 1], -1 for the root
    side: np.ndarray  # int8[2 m + 1]
    depth: int  # number of decision nodes on the longest path


class Parameters(NamedTuple):
    """Trained parameters: W and Theta in Norouzi et al. 2015a, their velocities, and values derived from Theta."""

    weights: np.ndarray  # float64[m, p], the offset last
    theta: np.ndarray  # float64[m + 1, k], see `leaf_loss_kernels`
    weight_velocity: np.ndarray
    theta_velocity: np.ndarray
    normaliser: np.ndarray  # float64[m + 1]
    squared: bool  # whether the loss is squared


@sum_kernel
def margin(weights, row, x):
    """Return the inner product of one row of `weights` (float64[m, p]) and `x` (float64[p])."""
    total = 0.0
    for j in range(x.size):
        total += weights[row, j] * x[j]
    return total


@kernel
def normalise(theta, normaliser, leaf):
    """Update the normaliser of one leaf."""
    normaliser[leaf] = normaliser_of(theta[leaf])


@kernel
def loss_in(parameters, leaf, target):
    """Return the loss of a target in a leaf."""
    return leaf_loss(parameters.theta[leaf], parameters.normaliser[leaf], target, parameters.squared)


@kernel
def reached_leaves(shape, weights, rows, out):
    """Write the leaf of each row (float64[n, p]) into `out` int32[n]."""
    for i in range(rows.shape[0]):
        child = 0
        while child >= 0:
            child = shape.children[child, int(margin(weights, child, rows[i]) >= 0)]
        out[i] = ~child


@kernel
def fast_inference(shape, parameters, x, target, path, margins):
    """Return (value, leaf, leaf of the margins) for the best sign vector that flips at most one sign (Eq. 13).

    value : largest score + loss; path, margins : int64 and float64[depth], written. The cost is depth**2 inner
    products. All paths descend one level at a time, so that the processor loads the rows of W for several paths at
    once. In deep trees, hardly any row is in the processor cache.
    """
    child, length = 0, 0
    while child >= 0:
        at = margin(parameters.weights, child, x)
        right = int(at >= 0)
        path[length], margins[length] = shape.children[child, 1 - right], at
        child = shape.children[child, right]
        length += 1
    moves = True
    while moves:
        moves = False
        for i in range(length):
            if path[i] >= 0:
                moves = True
                path[i] = shape.children[path[i], int(margin(parameters.weights, path[i], x) >= 0)]
    own = ~child
    best, best_leaf = loss_in(parameters, own, target), own
    for i in range(length):
        leaf = ~path[i]
        value = loss_in(parameters, leaf, target) - 2.0 * abs(margins[i])
        if value > best:
            best, best_leaf = value, leaf
    return best, best_leaf, own


@kernel
def exact_inference(shape, parameters, x, target, stack, scores):
    """Return the result of `fast_inference` over all sign vectors (Eq. 10), by one depth-first search of the tree.

    stack, scores : int64 and float64[depth + 1], written.
    """
    best, best_leaf, own = -np.inf, -1, -1
    stack[0], scores[0], size = 0, 0.0, 1
    while size > 0:
        size -= 1
        child, score = stack[size], scores[size]
        if child < 0:
            leaf = ~child
            if own < 0:  # the first leaf follows the signs of the margins
                own = leaf
            value = score + loss_in(parameters, leaf, target)
            if value > best:
                best, best_leaf = value, leaf
            continue
        at = margin(parameters.weights, child, x)
        right = int(at >= 0)
        agrees, other = shape.children[child, right], shape.children[child, 1 - right]
        stack[size], scores[size] = other, score - 2.0 * abs(at)
        stack[size + 1], scores[size + 1] = agrees, score
        size += 2
    return best, best_leaf, own


@kernel
def path_score(shape, weights, leaf, x):
    """Return the largest score of a sign vector that leads to `leaf`.

    The score is 0 for the leaf of the margins, and negative for other leaves.
    """
    node, score = shape.children.shape[0] + leaf, 0.0
    while shape.parent[node] >= 0:
        at = margin(weights, shape.parent[node], x)
        if (at >= 0) != (shape.side[node] > 0):
            score -= 2.0 * abs(at)
        node = shape.parent[node]
    return score


@kernel
def _touch(velocity, row, momentum, stamps, stamp, touched, count):
    """Apply the momentum to a row, once per batch, and return the number of rows moved in this batch."""
    if stamps[row] != stamp:
        stamps[row] = stamp
        velocity[row] *= momentum
        touched[count] = row
        count += 1
    return count


@kernel
def _add_path(shape, parameters, leaf, x, factor, momentum, stamps, stamp, touched, count):
    """Add the gradient of ``factor * path_score`` to the velocities along the path.

    Return the number of moved rows.
    """
    node = shape.children.shape[0] + leaf
    while shape.parent[node] >= 0:
        row = shape.parent[node]
        at = margin(parameters.weights, row, x)
        if (at >= 0) != (shape.side[node] > 0):
            count = _touch(parameters.weight_velocity, row, momentum, stamps, stamp, touched, count)
            change = 2.0 * factor * shape.side[node]
            velocity = parameters.weight_velocity[row]
            for j in range(x.size):
                velocity[j] += change * x[j]
        node = row
    return count


@kernel
def _add_leaf(parameters, leaf, target, factor, momentum, stamps, stamp, touched, count):
    """Add the gradient of ``factor * loss`` to the velocity of a leaf and return the number of moved leaves."""
    count = _touch(parameters.theta_velocity, leaf, momentum, stamps, stamp, touched, count)
    if parameters.squared:
        parameters.theta_velocity[leaf, 0] += 2.0 * factor * (parameters.theta[leaf, 0] - target)
        return count
    for c in range(parameters.theta.shape[1]):
        share = np.exp(parameters.theta[leaf, c] - parameters.normaliser[leaf])
        parameters.theta_velocity[leaf, c] += factor * (share - (c == target))
    return count


@kernel
def _move(parameters, rows, leaves, learning_rate, nu):
    """Take the step of one batch and project the rows of W onto the ball of radius sqrt(nu)."""
    weights, velocity = parameters.weights, parameters.weight_velocity
    for row in rows:
        squares = 0.0
        for j in range(weights.shape[1]):
            weights[row, j] -= learning_rate * velocity[row, j]
            squares += weights[row, j] * weights[row, j]
        if squares > nu:
            weights[row] *= np.sqrt(nu / squares)
    for leaf in leaves:
        for c in range(parameters.theta.shape[1]):
            parameters.theta[leaf, c] -= learning_rate * parameters.theta_velocity[leaf, c]
        normalise(parameters.theta, parameters.normaliser, leaf)


@kernel
def epoch(
    shape, parameters, rows, targets, row_weights, order, assigned, exact, stable, batch_size, learning_rate, momentum,
    nu, active,
):  # fmt: skip
    """Run one pass of stochastic gradient descent over the rows in `order` (algorithm 1, or Eq. 14 if `stable`).

    rows : float64[n, p], ones last; targets, row_weights : float64[n]; assigned : int32[n], fixed leaf of each row if
    `stable`; active : bool[m + 1], written, leaves that a row reached. A batch changes only the rows of W and the
    leaves that its points affect, so a step costs nothing for the rest of the tree. Return the weighted sums of the
    bound and the loss, where each row is evaluated before its own step.
    """
    m = shape.children.shape[0]
    path, margins = np.empty(shape.depth + 1, np.int64), np.empty(shape.depth + 1)
    row_stamps, leaf_stamps = np.full(m, -1, np.int64), np.full(m + 1, -1, np.int64)
    moved_rows = np.empty(min(m, 2 * batch_size * shape.depth), np.int64)
    moved_leaves = np.empty(min(m + 1, batch_size), np.int64)
    active[:] = False
    bounds, losses = 0.0, 0.0
    for start in range(0, order.size, batch_size):
        stop = min(start + batch_size, order.size)
        n_rows, n_leaves = 0, 0
        for i in order[start:stop]:
            x, target = rows[i], targets[i]
            if exact:
                value, leaf, own = exact_inference(shape, parameters, x, target, path, margins)
            else:
                value, leaf, own = fast_inference(shape, parameters, x, target, path, margins)
            held = assigned[i] if stable else own
            active[own] = True
            bounds += row_weights[i] * (value - path_score(shape, parameters.weights, held, x))
            losses += row_weights[i] * loss_in(parameters, own, target)
            share = row_weights[i] / (stop - start)
            if leaf != held:  # if the leaves are equal, the two scores cancel
                n_rows = _add_path(shape, parameters, leaf, x, share, momentum, row_stamps, start, moved_rows, n_rows)
                n_rows = _add_path(shape, parameters, held, x, -share, momentum, row_stamps, start, moved_rows, n_rows)
            n_leaves = _add_leaf(parameters, leaf, target, share, momentum, leaf_stamps, start, moved_leaves, n_leaves)
        _move(parameters, moved_rows[:n_rows], moved_leaves[:n_leaves], learning_rate, nu)
    return bounds, losses


@kernel
def surrogate(shape, parameters, rows, targets, row_weights, assigned, exact, stable):
    """Return the weighted sums of the bound (Eqs. 7, 13 and 14) and the loss (Eq. 4) over all rows."""
    path, margins = np.empty(shape.depth + 1, np.int64), np.empty(shape.depth + 1)
    bounds, losses = 0.0, 0.0
    for i in range(rows.shape[0]):
        x, target = rows[i], targets[i]
        if exact:
            value, _, own = exact_inference(shape, parameters, x, target, path, margins)
        else:
            value, _, own = fast_inference(shape, parameters, x, target, path, margins)
        held = assigned[i] if stable else own
        bounds += row_weights[i] * (value - path_score(shape, parameters.weights, held, x))
        losses += row_weights[i] * loss_in(parameters, own, target)
    return bounds, losses
