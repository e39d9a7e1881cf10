"""Test the generators of two-dimensional data sets."""

import hashlib

import numpy as np
import pytest

from sample_data import synthetic
from treecore.errors import ParameterError

CLASSES = {
    synthetic.checkerboard: 2,
    synthetic.spirals: 2,
    synthetic.moons: 2,
    synthetic.stripes: 3,
    synthetic.xor: 2,
    synthetic.clouds: 5,
    synthetic.fields: 2,
}
generators = pytest.mark.parametrize("generate", CLASSES, ids=lambda generate: generate.__name__)


@generators
def test_shapes_and_balance(generate):
    X, y = generate()
    n = len(y)
    assert 1000 <= n <= 2000
    assert X.shape == (n, 2)
    assert (X.dtype, y.dtype) == (np.float32, np.int64)
    counts = np.bincount(y)
    assert len(counts) == CLASSES[generate]
    assert counts.min() > 0.8 * n / len(counts)
    assert np.abs(X).max() < 2.5


@generators
def test_the_seed_decides(generate):
    X, y = generate(n=50, seed=3)
    X_again, y_again = generate(n=50, seed=3)
    assert X.tobytes() == X_again.tobytes()
    assert np.array_equal(y, y_again)
    assert not np.array_equal(X, generate(n=50, seed=4)[0])


@generators
def test_n_is_kept_and_noise_moves_points(generate):
    X, _ = generate(n=37, noise=0.1)
    assert X.shape == (37, 2)
    assert not np.array_equal(X, generate(n=37, noise=0.2)[0])


@generators
@pytest.mark.parametrize("arguments", [{"n": 5}, {"noise": -1.0}, {"noise": float("nan")}])
def test_bad_arguments(generate, arguments):
    with pytest.raises(ParameterError, match=next(iter(arguments))):
        generate(**arguments)


def test_xor_without_noise_is_exact():
    X, y = synthetic.xor(noise=0.0)
    assert np.array_equal(y, (X[:, 0] > 0) != (X[:, 1] > 0))


@pytest.mark.parametrize("generate", [synthetic.checkerboard, synthetic.stripes], ids=lambda one: one.__name__)
def test_neighbours_agree(generate):
    X, y = generate(noise=0.0)
    X = X.astype(np.float64)
    distance = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    assert np.mean(y[distance.argmin(axis=1)] == y) > 0.85


def test_heights_do_not_depend_on_the_processor():
    _, y = synthetic.hill()
    assert hashlib.sha256(y.tobytes()).hexdigest()[:16] == "c987e403f819fb6f"
