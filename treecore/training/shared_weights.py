"""Shared weights of the linear leaves in a tree."""

import numpy as np


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
