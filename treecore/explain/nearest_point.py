"""Nearest point of a polyhedron to the origin, in the l1 or l2 norm.

The l1 norm gives a linear program (HiGHS). The l2 problem has few rows besides its bounds, so its dual is small.
Projected Newton steps reach the optimum, which the duality gap verifies. If they fail, the problem is solved by least
distance programming, as non-negative least squares (Lawson and Hanson, Solving least squares problems, 1974, chapter
23).
"""

import numpy as np
import scipy.optimize

from treecore.errors import DataError

_TOLERANCE = 1e-10  # tolerance of constraints with sums of about 1; HiGHS supports no smaller one
_GAP = 1e-10  # largest relative gap between a point and the bound from its multipliers
_NEWTON_STEPS, _HALVINGS = 200, 10
_DIVERGED = 1e9  # size of multipliers above which the constraints are probably inconsistent
_OPTIONS = {"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE}


def nearest(norm: str, A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray | None:
    """Return the shortest v (float64[d]) with ``A v >= b`` and ``low <= v <= high``, or None if there is none.

    norm : "l1" | "l2"; A : float64[m, d]; b : float64[m]; low, high : float64[d], may be infinite. Rows of A and the
    solution should have a length of about 1. Raise DataError if the solver fails.
    """
    if (low > high).any():
        return None
    start = np.clip(0.0, low, high)
    if (A @ start >= b).all():
        return start
    if norm == "l1":
        return _linear_program(A, b, low, high)
    found = dual_newton(A, b, low, high)
    if found is not None or not _is_feasible(A, b, low, high):
        return found
    try:
        return least_distance(A, b, low, high)
    except RuntimeError as error:
        raise DataError(f"The quadratic program of a leaf is badly scaled ({error}). Use norm='l1'.") from None


def dual_newton(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray | None:
    """Solve `nearest` in the l2 norm by Newton steps on the dual. Return None if they do not reach the optimum."""
    multipliers = np.zeros(b.size)
    v, value = _dual(multipliers, A, b, low, high)
    safe = 1.0 / np.linalg.norm(A, 2) ** 2
    for _ in range(_NEWTON_STEPS):
        ascent = b - A @ v
        if (ascent <= 0.1 * _TOLERANCE).all() and 0.5 * (v @ v) - value <= _GAP * (0.5 * (v @ v)):
            return v
        use = np.flatnonzero((multipliers > 0.0) | (ascent > 0.0))
        inside = A[use] * ((v > low) & (v < high))
        curvature = inside @ inside.T
        curvature[np.diag_indices(use.size)] += 1e-14 * (1.0 + np.trace(curvature))
        newton = np.zeros(b.size)
        newton[use] = np.linalg.solve(curvature, ascent[use])
        # If the projected Newton step does not ascend, a short gradient step still does.
        for step in (*(newton * 0.5**halvings for halvings in range(_HALVINGS)), safe * ascent):
            trial = np.maximum(multipliers + step, 0.0)
            moved, moved_value = _dual(trial, A, b, low, high)
            if moved_value > value:
                break
        multipliers, v, value = trial, moved, moved_value
        if multipliers.max() > _DIVERGED:
            return None
    return None


def least_distance(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Solve `nearest` in the l2 norm by least distance programming. The constraints must be consistent.

    Only bounds that the solution violates become constraints, because few of them are active.
    """
    use_low, use_high = low > 0.0, high < 0.0
    while True:
        at_low, at_high = np.flatnonzero(use_low), np.flatnonzero(use_high)
        rows = np.zeros((at_low.size + at_high.size, low.size))
        rows[np.arange(at_low.size), at_low] = 1.0
        rows[at_low.size + np.arange(at_high.size), at_high] = -1.0
        v = _least_distance_rows(np.vstack([A, rows]), np.concatenate([b, low[at_low], -high[at_high]]))
        below, above = (v < low) & ~use_low, (v > high) & ~use_high
        if not (below.any() or above.any()):
            return np.clip(v, low, high)
        use_low |= below
        use_high |= above


def _linear_program(A, b, low, high):
    d = low.size
    up = np.stack([np.maximum(low, 0.0), np.maximum(high, 0.0)], axis=1)
    down = np.stack([np.maximum(-high, 0.0), np.maximum(-low, 0.0)], axis=1)
    v = _solved(np.ones(2 * d), np.hstack([A, -A]), b, np.concatenate([up, down]))
    return None if v is None else v[:d] - v[d:]


def _is_feasible(A, b, low, high):
    return _solved(np.zeros(low.size), A, b, np.stack([low, high], axis=1)) is not None


def _solved(costs, A, b, limits):
    """Return the solution of a linear program with ``A v >= b``, or None if there is none."""
    found = scipy.optimize.linprog(costs, -A, -b, bounds=limits, method="highs-ds", options=_OPTIONS)
    if found.status not in (0, 2):
        raise DataError(f"The linear program of a leaf cannot be solved ({found.message}). Use another scale.")
    return found.x if found.status == 0 else None


def _dual(multipliers, A, b, low, high):
    """Return the minimiser v of the Lagrangian for these multipliers, and its value, which is a lower bound."""
    v = np.clip(multipliers @ A, low, high)
    return v, 0.5 * (v @ v) + multipliers @ (b - A @ v)


def _least_distance_rows(G, h):
    """Return the shortest v with ``G v >= h``."""
    scale = float(h.max())
    E, target = np.vstack([G.T, h / scale]), np.zeros(G.shape[1] + 1)
    target[-1] = 1.0
    multipliers = scipy.optimize.nnls(E, target, maxiter=100 * h.size + 1000)[0]
    residual = E @ multipliers - target
    v = -residual[:-1] / residual[-1] * scale
    active = multipliers > 0.0
    polished = np.linalg.lstsq(G[active], h[active])[0]
    is_inside = (G @ polished >= h - _TOLERANCE * max(1.0, float(np.abs(h).max()))).all()
    return polished if is_inside and polished @ polished <= (v @ v) * (1.0 + 1e-6) else v
