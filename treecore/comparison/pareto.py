"""Pareto front of models in size and error."""

import numpy as np


def pareto_front(sizes: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Return the points that no other point dominates in size and error.

    Parameters
    ----------
    sizes : float array of shape (n,)
        Sizes. Points with NaN are ignored.
    errors : float array of shape (n,)
        Errors.

    Returns
    -------
    int64 array
        Indices of the points, sorted by size. Among equal points, the first is kept.

    See Also
    --------
    compare : Computes errors and sizes.

    Examples
    --------
    >>> from treecore.comparison import pareto_front
    >>> pareto_front([1, 2, 3], [0.3, 0.1, 0.2]).tolist()
    [0, 1]
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
