"""Generate two-dimensional problems.

Each function returns (X, y): X float32[n, 2] and y int64[n] class codes; for `hill`, y float64[n] numbers. The same
arguments give the same values. `noise` is the standard deviation of the Gaussian jitter that is added to the points
after their class is known. Most sets span about [-1, 1] on both axes, so 0.02 is little noise and 0.3 is a lot.
"""

import math

import numpy as np

from treecore.errors import ParameterError


def checkerboard(n: int = 2000, noise: float = 0.02, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return squares of alternating classes on a board rotated by 30 degrees."""
    rng = _generator(n, noise, seed)
    points = rng.uniform(-1.0, 1.0, (n, 2))
    cells = np.floor(2.0 * _rotate(points, 30.0)).astype(np.int64)
    return _finish(points, cells.sum(axis=1) % 2, noise, rng)


def spirals(n: int = 1500, noise: float = 0.02, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return two interleaved spiral arms of one and a half turns."""
    rng = _generator(n, noise, seed)
    y = _balanced(n, 2, rng)
    radius = np.sqrt(rng.uniform(0.01, 1.0, n))
    angle = 3.0 * np.pi * radius + np.pi * y
    points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    return _finish(points, y, noise, rng)


def moons(n: int = 1000, noise: float = 0.12, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return two interlocking half circles."""
    rng = _generator(n, noise, seed)
    y = _balanced(n, 2, rng)
    angle = rng.uniform(0.0, np.pi, n)
    upper = np.column_stack([np.cos(angle) - 0.5, np.sin(angle) - 0.25])
    return _finish(np.where(y[:, None] == 0, upper, -upper), y, noise, rng)


def stripes(n: int = 1500, noise: float = 0.02, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return parallel stripes of three alternating classes, at 35 degrees to the axes."""
    rng = _generator(n, noise, seed)
    points = rng.uniform(-1.0, 1.0, (n, 2))
    y = np.floor(_rotate(points, 35.0)[:, 0] / 0.3).astype(np.int64) % 3
    return _finish(points, y, noise, rng)


def xor(n: int = 1000, noise: float = 0.1, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return points whose class depends on the signs of both coordinates, with noise at the boundaries."""
    rng = _generator(n, noise, seed)
    points = rng.uniform(-1.0, 1.0, (n, 2))
    y = ((points[:, 0] > 0) ^ (points[:, 1] > 0)).astype(np.int64)
    return _finish(points, y, noise, rng)


def fields(n: int = 1000, noise: float = 0.08, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return two classes in opposite fields. Two slanted lines separate the fields."""
    rng = _generator(n, noise, seed)
    points = rng.uniform(-1.0, 1.0, (n, 2))
    sides = _rotate(points - 0.1, 30.0) > 0
    return _finish(points, sides[:, 0] ^ sides[:, 1], noise, rng)


def clouds(n: int = 1500, noise: float = 0.16, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return five Gaussian clusters, scaled and rotated.

    noise : standard deviation of a cluster before scaling.
    """
    rng = _generator(n, noise, seed)
    centres = np.array([[-0.75, 0.55], [0.1, 0.75], [0.8, 0.1], [-0.55, -0.6], [0.3, -0.35]])
    stretch = np.array([[1.6, 0.7], [1.4, 0.6], [0.7, 1.7], [1.0, 1.0], [1.8, 0.8]])
    tilt = np.deg2rad([40.0, -15.0, 10.0, 0.0, 60.0])
    y = _balanced(n, 5, rng)
    along = rng.normal(0.0, noise, (n, 2)) * stretch[y]
    cos, sin = np.cos(tilt)[y], np.sin(tilt)[y]
    spread = np.column_stack([cos * along[:, 0] - sin * along[:, 1], sin * along[:, 0] + cos * along[:, 1]])
    return _finish(centres[y] + spread, y, 0.0, rng)


def hill(n: int = 1500, noise: float = 3.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return the heights in metres of a round hill and a diagonal cliff.

    noise : standard deviation of the heights.
    """
    rng = _generator(n, noise, seed)
    points = rng.uniform(-1.0, 1.0, (n, 2)).astype(np.float32)
    x, y = points.T.astype(np.float64)
    # np.exp rounds differently on other processors, and one bit of a height can change the trees
    round_hill = np.array([math.exp(power) for power in (-((x - 0.35) ** 2 + (y + 0.35) ** 2) / 0.12).tolist()])
    height = 60.0 * round_hill + 40.0 * (0.6 * x - y < -0.35)
    return points, height + rng.normal(0.0, noise, n)


def _generator(n: int, noise: float, seed: int) -> np.random.Generator:
    """Check the arguments and return the random generator of `seed`."""
    if n < 10:
        raise ParameterError(f"n={n}: expected at least 10 rows.")
    if not 0.0 <= noise < np.inf:
        raise ParameterError(f"noise={noise}: expected a finite number >= 0.")
    return np.random.default_rng(seed)


def _balanced(n: int, n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """Return class codes in random order whose counts differ by at most one, int64[n]."""
    return rng.permutation(np.arange(n) % n_classes)


def _rotate(points: np.ndarray, degrees: float) -> np.ndarray:
    """Return the coordinates of `points` in axes rotated by `degrees`, float64[n, 2]."""
    angle = np.deg2rad(degrees)
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return points @ axes


def _finish(points: np.ndarray, y: np.ndarray, noise: float, rng: np.random.Generator):
    """Add the jitter and return (X float32[n, 2], y int64[n])."""
    jittered = points + rng.normal(0.0, 1.0, points.shape) * noise
    return jittered.astype(np.float32), y.astype(np.int64)
