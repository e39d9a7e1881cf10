"""Shift points with few distinct values, so that they do not cover each other (viz/stage/draw/scatter.js)."""

import numpy as np

SHARE = 0.3  # largest shift as a share of the step between two values
NEAR = 0.8  # largest share of the distance to the split line by which a point approaches it
_RATIOS = np.array([0.7548776662466927, 0.5698402909980532])  # multiples modulo 1 fill the unit square evenly


def jittered(points: np.ndarray, rows: np.ndarray, steps: np.ndarray, direction: np.ndarray, bias: float) -> np.ndarray:
    """Return the shifted points, float64[n, 2]. Every point stays on its side of ``direction . x + bias >= 0``.

    rows : int[n], row numbers, which determine the shifts
    steps : float64[2], see `feature_steps`
    """
    if not np.any(steps):
        return points
    shift = 2 * SHARE * (np.outer(rows, _RATIOS) % 1 - 0.5) * steps
    margin, change = bias + points @ direction, shift @ direction
    is_toward = (margin * change <= 0) & (np.abs(change) > NEAR * np.abs(margin))
    share = np.divide(NEAR * np.abs(margin), np.abs(change), out=np.ones(len(points)), where=is_toward)
    return points + share[:, None] * shift
