"""l1-regularised softmax regression by accelerated proximal gradients."""

from typing import Any

import numpy as np

from treecore._jit import kernel
from treecore.fixed_order import dot, exp_minus, log, times, transposed_times

MOST_STEPS = 300
TOLERANCE = 1e-5  # relative decrease of the objective; training stops after PATIENCE smaller decreases in a row
PATIENCE = 3


def log_losses(scores: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the log losses, float64[n], and probabilities, float64[n, q], of scores [n, q] for classes y [n]."""
    shares, losses = np.array(scores.T, np.float64, order="C"), np.empty(y.size)
    _log_losses(shares, y, losses)
    return losses, shares.T


@kernel
def _log_losses(scores, y, losses):
    """Write the losses, and replace the scores (float64[q, n]) by the probabilities."""
    largest, totals = np.full(y.size, -np.inf), np.zeros(y.size)
    for c in range(scores.shape[0]):
        for i in range(y.size):
            largest[i] = max(largest[i], scores[c, i])
    for i in range(y.size):
        losses[i] = largest[i] - scores[y[i], i]
    for c in range(scores.shape[0]):
        for i in range(y.size):
            scores[c, i] = exp_minus(largest[i] - scores[c, i], np.float64)
            totals[i] += scores[c, i]
    for i in range(y.size):
        losses[i] += log(totals[i])
    for c in range(scores.shape[0]):
        for i in range(y.size):
            scores[c, i] /= totals[i]


def softmax_regression(
    X: Any,
    y: np.ndarray,
    weights: np.ndarray,
    lam: float,
    coefficients: np.ndarray,
    bias: np.ndarray,
    cap: float,
    reference: np.ndarray | float = 0.0,
    offset: np.ndarray | None = None,
    steps: int = MOST_STEPS,
) -> tuple[np.ndarray, np.ndarray]:
    """Train l1-regularised softmax regression and return (coefficients float64[d, q], bias float64[q]).

    FISTA with restarts (Beck and Teboulle 2009; O'Donoghue and Candès 2015) minimises ``sum_n weights_n log loss_n +
    lam |coefficients - reference|_1``, starting from `coefficients` and `bias`.
    X : float64[n, d], array or CSR; y : int[n], classes; cap : limit of the biases, which stay in [-cap / 2, cap / 2]
    (a start outside this range may stay or come nearer); offset : float64[n, q], scores that are added; the bias is
    then not trained; steps : maximum number of steps. With two classes, this is logistic regression: the coefficients
    and bias of the first class stay 0, and the bias of the second is in [-cap, cap].
    """
    free = np.ones(bias.size)
    low, high = -cap / 2, cap / 2
    if bias.size == 2:
        free[0], low, high = 0.0, -cap, cap
    free_bias = free if offset is None else np.zeros(bias.size)
    low, high = np.minimum(low, bias), np.maximum(high, bias)
    reference = reference + np.zeros_like(coefficients)
    rest = 0.0 if offset is None else offset
    hot = np.zeros((y.size, bias.size))
    hot[np.arange(y.size), y] = 1.0

    def objective(scores, coefficients):
        losses, shares = log_losses(scores, y)
        smooth = dot(weights, losses)
        return smooth, smooth + lam * float(np.abs(coefficients - reference).sum()), shares

    is_sparse = hasattr(X, "multiply")
    X = X if is_sparse else np.asfortranarray(X)
    W, b = coefficients, bias
    scores = times(X, W) + b + rest
    _, best, _ = objective(scores, W)
    ahead = W, b, scores  # point where the next step starts
    momentum, stalled = 1.0, 0
    squares = X.multiply(X) if is_sparse else X * X
    step = 4.0 / float(transposed_times(squares, weights).sum() + weights.sum())  # halved while the step is too long
    step *= max(1.0, X.shape[1] / 4)
    for _ in range(steps):
        smooth, _, shares = objective(ahead[2], ahead[0])
        gap = (shares - hot) * weights[:, None] * free
        slope, bias_slope = transposed_times(X, gap), gap.sum(axis=0)
        while True:
            moved = ahead[0] - step * slope - reference
            new = reference + np.sign(moved) * np.maximum(np.abs(moved) - step * lam * free, 0.0)
            new_bias = np.where(free_bias > 0, np.clip(ahead[1] - step * bias_slope, low, high), ahead[1])
            by, bias_by = new - ahead[0], new_bias - ahead[1]
            new_scores = times(X, new) + new_bias + rest
            reached, value, _ = objective(new_scores, new)
            bound = smooth + float((slope * by).sum() + dot(bias_slope, bias_by))
            bound += float((by * by).sum() + dot(bias_by, bias_by)) / (2 * step)
            if reached <= bound + 1e-12 * abs(bound) or step < 1e-300:
                break
            step /= 2
        if value > best:
            if momentum == 1.0:
                break
            ahead, momentum = (W, b, scores), 1.0
            continue
        stalled = stalled + 1 if best - value <= TOLERANCE * best else 0
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        pull = (momentum - 1) / following
        ahead = new + pull * (new - W), new_bias + pull * (new_bias - b), new_scores + pull * (new_scores - scores)
        W, b, scores, best, momentum = new, new_bias, new_scores, value, following
        if stalled >= PATIENCE:
            break
        step *= 1.05
    return W, b
