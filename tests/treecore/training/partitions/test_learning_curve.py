"""Test learning curves on problems for which the effect of more rows is known."""

import numpy as np
import pytest

from tests.refusals import is_said, refused
from treecore import TAOClassifier, TAORegressor
from treecore.errors import DataError
from treecore.training.partitions.learning_curve import sample_curve
from treecore.training.partitions.sources.row_source import ArraySource


def source(n, noise, n_levels, seed=0):
    """Return rows whose class depends on `n_levels` steps of one of three features."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    y = (np.floor(n_levels * X[:, 0]) % 2).astype(int)
    return ArraySource(X, np.where(rng.random(n) < noise, 1 - y, y), size=4000)


def test_a_sample_is_sufficient_for_a_simple_truth():
    curve = sample_curve(TAOClassifier(split="univariate", init="cart"), source(10_000, 0.1, 2))
    assert curve.sizes.tolist() == [1500, 3000, 6000]
    assert (curve.n_rows, curve.n_test) == (10_000, 2000)
    assert curve.errors[-1] == pytest.approx(0.1, abs=0.03)
    assert not curve.needs_all_rows
    assert is_said(str(curve.advice), "A sample is sufficient")


def test_more_rows_help_with_a_truth_of_many_leaves():
    rng = np.random.default_rng(0)
    X = rng.random((12_000, 2))
    cells = rng.integers(0, 2, (30, 30))
    y = cells[(30 * X[:, 0]).astype(int), (30 * X[:, 1]).astype(int)]
    curve = sample_curve(TAOClassifier(split="univariate", init="cart", max_leaf_nodes=900), ArraySource(X, y))
    more = type(curve)(10**7, *[getattr(curve, name) for name in list(curve.__dataclass_fields__)[1:]])
    assert more.needs_all_rows
    assert is_said(str(more.advice), "Train on all … rows: … instead of … training rows lowered the test error by … ±")
    assert (np.diff(curve.errors) < 0).all()
    assert np.allclose(curve.gains[1:], -np.diff(curve.errors))


def test_the_spread_is_that_of_paired_losses_and_repeats_are_equal():
    first, again = (sample_curve(TAOClassifier(split="univariate", init="cart"), source(4000, 0.2, 6)) for _ in "ab")
    assert first.errors.tolist() == again.errors.tolist()
    assert (first.gain_spreads[1:] > 0).all()
    assert (first.gain_spreads[1:] < 0.02).all()
    assert list(first.to_frame()) == ["n_rows", "error", "n_leaves", "gain", "gain_spread"]


def test_the_error_of_numbers_is_a_root():
    rng = np.random.default_rng(0)
    X = rng.random((3000, 2))
    y = 10 * np.floor(4 * X[:, 0]) + rng.normal(size=3000)
    curve = sample_curve(TAORegressor(split="univariate", init="cart"), ArraySource(X, y))
    assert curve.unit == "target"
    assert curve.errors[-1] == pytest.approx(1.0, abs=0.4)


def test_few_rows_are_refused():
    with refused(DataError, "The source has 500 rows"):
        sample_curve(TAOClassifier(split="univariate", init="cart"), source(500, 0.1, 2))
