"""Test significance tests between methods against hand computations, SciPy and published values."""

import numpy as np
import pytest
from scipy import stats

from tests.refusals import refused
from treecore.comparison import corrected_interval, corrected_paired_test, holm, rank_test
from treecore.errors import ParameterError

# Demšar (2006), table 6: AUC of C4.5 and of C4.5 with m, cf or both tuned, on 14 data sets. The paper ranks the 13th
# set before rounding, hence 0.9751 for the printed 0.975.
AUC = np.array([
    (0.763, 0.768, 0.771, 0.798), (0.599, 0.591, 0.590, 0.569), (0.954, 0.971, 0.968, 0.967),
    (0.628, 0.661, 0.654, 0.657), (0.882, 0.888, 0.886, 0.898), (0.936, 0.931, 0.916, 0.931),
    (0.661, 0.668, 0.609, 0.685), (0.583, 0.583, 0.563, 0.625), (0.775, 0.838, 0.866, 0.875),
    (1.000, 1.000, 1.000, 1.000), (0.940, 0.962, 0.965, 0.962), (0.619, 0.666, 0.614, 0.669),
    (0.972, 0.981, 0.9751, 0.975), (0.957, 0.978, 0.946, 0.970),
])  # fmt: skip
# The same paper, table 5(a), lists critical values of Nemenyi's test at 0.05 for 2 to 10 methods.
NEMENYI = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)


def test_paired_test_by_hand():
    # The differences 0.04, 0.02, 0.03, 0.03 have mean 0.03 and variance 2/3e-4; (1/4 + 1/4) of it is 1/3e-4.
    found = corrected_paired_test([0.14, 0.12, 0.13, 0.13], [0.10] * 4, n_train=80, n_test=20)
    assert found.difference == pytest.approx(0.03)
    assert found.standard_error == pytest.approx((1e-4 / 3) ** 0.5)
    assert found.t == pytest.approx(0.03 / (1e-4 / 3) ** 0.5)
    # Student's t with 3 degrees of freedom has a closed-form distribution function.
    s = found.t / 3**0.5
    assert found.p == pytest.approx(1 - 2 / np.pi * (np.arctan(s) + s / (1 + s * s)))


def test_paired_test_without_overlap_is_students(rng):
    a, b = rng.random(9), rng.random(9)
    found = corrected_paired_test(a, b, n_train=10**12, n_test=0)
    expected = stats.ttest_rel(a, b)
    assert (found.t, found.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_correction_makes_the_test_more_careful(rng):
    a, b = rng.random(5), rng.random(5) + 0.3
    plain, corrected = (corrected_paired_test(a, b, 80, n_test) for n_test in (0, 20))
    assert corrected.p > plain.p
    assert corrected.standard_error / plain.standard_error == pytest.approx((1 + 5 * 20 / 80) ** 0.5)


def test_paired_test_is_antisymmetric(rng):
    a, b = rng.random(6), rng.random(6)
    one, other = corrected_paired_test(a, b, 50, 10), corrected_paired_test(b, a, 50, 10)
    assert (one.difference, one.t, one.p) == pytest.approx((-other.difference, -other.t, other.p))


def test_the_interval_by_hand():
    # The errors 0.14, 0.12, 0.13, 0.13 have half of the variance 2/3e-4, 1/3e-4. 3.182 is t with 3 degrees at 97.5 %.
    half = corrected_interval([0.14, 0.12, 0.13, 0.13], n_train=80, n_test=20)
    assert half == pytest.approx(3.182446 * (1e-4 / 3) ** 0.5, rel=1e-6)
    assert np.isnan(corrected_interval([0.1], 8, 2))
    assert corrected_interval([0.1, 0.1], 8, 2) == 0.0


def test_holms_correction_by_hand():
    # There are 4 tests: 4 x 0.01, 3 x 0.013 (at least the previous value), 2 x 0.03, 0.6.
    np.testing.assert_allclose(holm([0.03, 0.01, 0.6, 0.013]), [0.06, 0.04, 0.6, 0.04])
    np.testing.assert_allclose(holm([np.nan, 0.02, np.nan]), [np.nan, 0.02, np.nan])
    np.testing.assert_allclose(holm([0.7, 0.8]), [1.0, 1.0])
    assert holm([]).size == 0


def test_holm_rejects_the_same_tests_as_its_procedure(rng):
    """The smallest p is compared with 0.05 / m, the next with 0.05 / (m - 1), until one is larger."""
    for m in range(1, 30):
        p = rng.random(m) ** 4
        rejected = set()
        for place, test in enumerate(np.argsort(p)):
            if p[test] > 0.05 / (m - place):
                break
            rejected.add(int(test))
        assert set(np.flatnonzero(holm(p) <= 0.05).tolist()) == rejected


def test_paired_test_at_its_ends():
    assert corrected_paired_test([0.1, 0.2], [0.1, 0.2], 8, 2) == (0.0, 0.0, 0.0, 1.0)
    always = corrected_paired_test([0.5, 0.5], [0.25, 0.25], 8, 2)
    assert (always.difference, always.standard_error) == (0.25, 0.0)
    assert np.isnan((always.t, always.p)).all()  # the spread of the differences is unknown
    single, none = corrected_paired_test([0.2], [0.1], 8, 2), corrected_paired_test([], [], None, None)
    assert single.difference == pytest.approx(0.1)
    assert np.isnan([single.p, single.t, single.standard_error, *none]).all()


def test_demsars_example():
    found = rank_test(1 - AUC)
    np.testing.assert_allclose(found.mean_ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    assert round(found.critical_difference, 2) == 1.25
    assert round(rank_test(1 - AUC, level=0.1).critical_difference, 2) == 1.12
    # The paper's 9.28 and 3.69 are not corrected for ties, which makes both larger.
    n, k = AUC.shape
    chi = 12 * n / (k * (k + 1)) * ((found.mean_ranks**2).sum() - k * (k + 1) ** 2 / 4)
    assert round(chi, 2) == 9.28
    assert round((n - 1) * chi / (n * (k - 1) - chi), 2) == 3.69
    corrected = stats.friedmanchisquare(*AUC.T).statistic
    assert found.statistic == pytest.approx((n - 1) * corrected / (n * (k - 1) - corrected))
    assert found.statistic > 3.69
    assert found.p < 0.05


def test_friedman_without_ties(rng):
    errors = rng.random((11, 5))
    chi, found = stats.friedmanchisquare(*errors.T).statistic, rank_test(errors)
    assert found.statistic == pytest.approx(10 * chi / (44 - chi))
    assert found.p == pytest.approx(stats.f.sf(found.statistic, 4, 40))


@pytest.mark.parametrize("k", range(2, 11))
def test_critical_differences_of_nemenyi(k, rng):
    found = rank_test(rng.random((12, k))).critical_difference
    assert found / (k * (k + 1) / 72) ** 0.5 == pytest.approx(NEMENYI[k - 2], abs=1.1e-3)


def test_ranks_at_their_ends():
    equal = rank_test(np.full((4, 3), 0.2))
    assert (equal.statistic, equal.p) == (0.0, 1.0)
    np.testing.assert_array_equal(equal.mean_ranks, [2, 2, 2])
    always = rank_test(np.tile([0.1, 0.2, 0.3], (4, 1)))
    assert (always.statistic, always.p) == (np.inf, 0.0)


@pytest.mark.parametrize("errors", [[[0.1, 0.2]], [[0.1], [0.2]], [[0.1, np.nan], [0.1, 0.2]], [0.1, 0.2]])
def test_rank_test_refuses(errors):
    with refused(ParameterError, "errors has shape …: expected finite errors of at least 2 data sets and 2 methods"):
        rank_test(errors)


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0])
def test_rank_test_refuses_levels(level):
    with refused(ParameterError, "level=…: expected a number between 0 and 1"):
        rank_test([[0.1, 0.2], [0.2, 0.1]], level)


def test_equal_differences_have_no_p():
    same = corrected_paired_test([0.3, 0.2], [0.25, 0.15], 80, 20)
    assert same.difference == pytest.approx(0.05)
    assert np.isnan(same.p)
    assert corrected_paired_test([0.3, 0.1 + 0.2], [0.3, 0.3], 80, 20).p == 1.0


def test_ranks_do_not_hang_on_rounding():
    errors = [[np.mean([0.1, 0.2, 0.3]), np.mean([0.3, 0.2, 0.1]), 0.5]] * 5
    assert rank_test(errors).mean_ranks.tolist() == [1.5, 1.5, 3.0]
