"""Test sums and elementary functions whose result does not depend on the processor."""

import numpy as np
import pytest

from treecore import fixed_order
from treecore.data.columns import empty_columns, with_room

SIZES = (0, 1, 15, 16, 17, 250)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_compiled_sums_have_the_order_of_the_definition(n, kind):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(2, n)).astype(kind)
    assert fixed_order.total(a) == fixed_order.total.py_func(a) == pytest.approx(a.sum(dtype=float))
    assert fixed_order.dot(a, b) == fixed_order.dot.py_func(a, b) == pytest.approx(a.astype(float) @ b.astype(float))


@pytest.mark.parametrize("n", SIZES[1:])
def test_products_of_matrices(n):
    rng = np.random.default_rng(n)
    X, W, gap = rng.normal(size=(n, 5)), rng.normal(size=(5, 3)), rng.normal(size=(n, 3))
    W[2] = 0.0
    np.testing.assert_allclose(fixed_order.times(X, W), X @ W, atol=1e-12)
    np.testing.assert_allclose(fixed_order.transposed_times(X, gap), X.T @ gap, atol=1e-12)


@pytest.mark.parametrize(("kind", "tolerance"), [(np.float32, 3e-7), (np.float64, 6e-16)])
def test_elementary_functions(kind, tolerance):
    for x in np.linspace(0, 86, 200).astype(kind):
        e = fixed_order.exp_minus(x, kind)
        assert e == pytest.approx(np.exp(-float(x)), rel=tolerance)
        assert fixed_order.log1p_share(e, kind) == pytest.approx(np.log1p(float(e)), rel=tolerance)
    assert fixed_order.exp_minus(kind(1000), kind) == fixed_order.exp_minus(kind(np.nan), kind) > 0
    for x in np.geomspace(1e-300, 1e300, 200):
        assert fixed_order.log(x) == pytest.approx(np.log(x), rel=tolerance, abs=tolerance)
    for angle in np.linspace(-99, 99, 400):
        assert fixed_order.cosine_and_sine(angle) == pytest.approx((np.cos(angle), np.sin(angle)), abs=3e-16)


def test_lanes_may_read_behind_the_last_column():
    values = empty_columns((3, 5), np.uint8)
    assert with_room(values) is values
    plain = np.ones((3, 5), np.float32)
    np.testing.assert_array_equal(with_room(plain), plain)
    assert with_room(plain) is not plain
    assert with_room(with_room(plain)[:, :4]).flags.c_contiguous
