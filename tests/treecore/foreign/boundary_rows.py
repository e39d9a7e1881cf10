"""Make rows on the thresholds of a tree and one step next to them, in both precisions, and rows with unusual values."""

import numpy as np

ODD = (0.0, -0.0, 1e-35, -1e-35, 1e-40, 5e-324, -5e-324, 1e30, -1e30, float(np.float32(1e-35)))


def boundary_rows(limits, features, n_features, n=10_000, seed=0, missing=True, scale=1.0):
    """Return rows with each limit (float[k]) of a feature (int[k]) and random numbers, float64[n or more, n_features].

    The rows contain the exact limits, the limits rounded to float32, and one step (of each precision) to both sides.
    One value in ten is NaN.
    """
    rng = np.random.default_rng(seed)
    near = []
    for limit in np.asarray(limits, np.float64):
        single = np.float32(limit)
        half = (float(single) + float(np.nextafter(single, np.float32(np.inf)))) / 2
        below = (float(single) + float(np.nextafter(single, np.float32(-np.inf)))) / 2
        steps = [single, np.nextafter(single, np.float32(np.inf)), np.nextafter(single, np.float32(-np.inf))]
        for value in (limit, half, below, *map(float, steps)):
            near += [value, np.nextafter(value, np.inf), np.nextafter(value, -np.inf)]
    near = np.array(near)
    near = near[np.isfinite(near) & (np.abs(near) < 1e38)]
    of = np.repeat(np.asarray(features), 18)[: near.size]
    X = rng.normal(scale=scale, size=(max(n, 2 * near.size), n_features))
    X[rng.random(X.shape) < 0.05] = 0.0
    rows = np.arange(near.size)
    odd = rng.random(X.shape) < 0.02
    X[odd] = rng.choice(ODD, int(odd.sum()))
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    X[rows, of] = near
    return X
