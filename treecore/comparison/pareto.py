"""The models that no other beats in both size and error."""

import numpy as np


def pareto_front(sizes: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """int64[k]: places of the points such that no other is at most as large and as wrong and better in one, by size.

    sizes, errors : float64[n], points with a NaN are left out; of equal points the first is taken.
    """
    sizes, errors = np.asarray(sizes, np.float64), np.asarray(errors, np.float64)
    order = np.lexsort((errors, sizes))
    order = order[~np.isnan(sizes[order] + errors[order])]
    best, front = np.inf, []
    for place in order:
        if errors[place] < best:
            best = errors[place]
            front.append(place)
    return np.array(front, np.int64)
