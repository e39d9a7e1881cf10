"""Tests of differences between methods, over the folds of one data set or over several data sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import ParameterError
from treecore.messages import literal

ROUNDING = 1e-12  # smaller differences between errors are rounding errors


class PairedTest(NamedTuple):
    """Mean difference between two methods' errors, its corrected standard error, t and two-sided p (NaN if unknown)."""

    difference: float
    standard_error: float
    t: float
    p: float


class RankTest(NamedTuple):
    """Friedman's test and Nemenyi's critical difference.

    mean_ranks : float64[methods], 1 is best; statistic, p : result of Friedman's test in the F form of Iman and
    Davenport; critical_difference : between two mean ranks.
    """

    mean_ranks: np.ndarray
    statistic: float
    p: float
    critical_difference: float


def corrected_paired_test(errors: ArrayLike, other: ArrayLike, n_train: float, n_test: float) -> PairedTest:
    """Test the difference between two methods over repetitions with overlapping training rows.

    The variance is multiplied by 1/J + n_test/n_train (section 4 of [1]_).

    Parameters
    ----------
    errors : float array of shape (repetitions,)
        Errors of one method.
    other : float array of shape (repetitions,)
        Errors of the other method on the same folds.
    n_train : float
        Mean number of training rows of a fold.
    n_test : float
        Mean number of test rows of a fold.

    Returns
    -------
    PairedTest
        Test of ``errors - other``.

    See Also
    --------
    holm : Corrects several p values.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52, 2003.

    Examples
    --------
    >>> from treecore.comparison import corrected_paired_test
    >>> test = corrected_paired_test([0.2, 0.3, 0.25], [0.1, 0.25, 0.2], 100, 50)
    >>> round(test.p, 2)
    0.13
    """
    from scipy.stats import t as student  # slow import

    differences = np.asarray(errors, np.float64) - np.asarray(other, np.float64)
    count, mean = differences.size, float(differences.mean()) if differences.size else np.nan
    if count < 2:
        return PairedTest(mean, np.nan, np.nan, np.nan)
    standard_error = float(np.sqrt((1 / count + n_test / n_train) * differences.var(ddof=1)))
    if standard_error <= ROUNDING:  # if all differences are equal, the standard error is unknown
        return PairedTest(mean, 0.0, *((0.0, 1.0) if abs(mean) <= ROUNDING else (np.nan, np.nan)))
    t = mean / standard_error
    return PairedTest(mean, standard_error, t, float(2 * student.sf(abs(t), count - 1)))


def corrected_interval(errors: ArrayLike, n_train: float, n_test: float, level: float = 0.95) -> float:
    """Return half the width of the corrected confidence interval of a mean error.

    Parameters
    ----------
    errors : float array of shape (repetitions,)
        Errors of one method.
    n_train : float
        Mean number of training rows of a fold.
    n_test : float
        Mean number of test rows of a fold.
    level : float, default=0.95
        Confidence level, in (0, 1).

    Returns
    -------
    float
        Half the width, NaN for fewer than 2 repetitions.

    See Also
    --------
    corrected_paired_test : Uses the same correction.

    Examples
    --------
    >>> from treecore.comparison import corrected_interval
    >>> round(corrected_interval([0.2, 0.3, 0.25], 100, 50), 2)
    0.2
    """
    from scipy.stats import t as student  # slow import

    errors = np.asarray(errors, np.float64)
    spread = corrected_paired_test(errors, np.zeros(errors.size), n_train, n_test).standard_error
    return float(spread * student.ppf((1 + level) / 2, errors.size - 1)) if errors.size > 1 else np.nan


def holm(p: Sequence[float]) -> np.ndarray:
    """Correct p values for the number of tests, by the method of Holm [1]_.

    Parameters
    ----------
    p : float array of shape (tests,)
        The p values. NaN stays NaN and does not count as a test.

    Returns
    -------
    float64 array of shape (tests,)
        Corrected p values.

    See Also
    --------
    corrected_paired_test : Computes a p value.

    References
    ----------
    .. [1] S. Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 1979.

    Examples
    --------
    >>> from treecore.comparison import holm
    >>> holm([0.01, 0.5]).tolist()
    [0.02, 0.5]
    """
    corrected = np.array(p, np.float64)
    order = np.argsort(corrected)  # NaN is sorted last
    order = order[: np.isfinite(corrected).sum()]
    factors = np.arange(order.size, 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(factors * corrected[order]), 1.0)
    return corrected


def rank_test(errors: np.ndarray, level: float = 0.05) -> RankTest:
    """Compare the mean ranks of methods over data sets [1]_.

    Parameters
    ----------
    errors : float array of shape (data sets, methods)
        Errors, without NaN. At least 2 data sets and 2 methods.
    level : float, default=0.05
        Level of Nemenyi's test, in (0, 1).

    Returns
    -------
    RankTest
        Mean ranks, Friedman's test and the critical difference.

    Raises
    ------
    ParameterError
        If `errors` or `level` is invalid.

    See Also
    --------
    holm : Corrects p values of paired tests.

    References
    ----------
    .. [1] J. Demšar: Statistical comparisons of classifiers over multiple data sets. JMLR 7, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from treecore.comparison import rank_test
    >>> rank_test(np.array([[0.1, 0.2], [0.2, 0.3], [0.1, 0.4]])).mean_ranks.tolist()
    [1.0, 2.0]
    """
    from scipy.stats import f, rankdata, studentized_range  # slow import

    errors = np.asarray(errors, np.float64)
    if errors.ndim != 2 or min(errors.shape) < 2 or not np.isfinite(errors).all():
        raise ParameterError(
            f"errors has shape {errors.shape}: expected finite errors of at least 2 data sets and 2 methods."
        )
    if not 0 < level < 1:
        raise ParameterError(f"level={literal(level)}: expected a number between 0 and 1.")
    n, k = errors.shape
    ranks = rankdata(np.round(errors, 12), axis=1)
    mean = ranks.mean(axis=0)
    # Ties make the sum of the squared ranks smaller than for the ranks 1 to k.
    variation = (ranks**2).sum() - n * k * (k + 1) ** 2 / 4
    chi = 0.0 if variation == 0 else (k - 1) * n**2 * ((mean - (k + 1) / 2) ** 2).sum() / variation
    left = n * (k - 1) - chi
    statistic = np.inf if left <= 1e-12 * n else (n - 1) * chi / left
    p = float(f.sf(statistic, k - 1, (k - 1) * (n - 1)))
    quantile = studentized_range.ppf(1 - level, k, np.inf) / np.sqrt(2)
    return RankTest(mean, float(statistic), p, float(quantile * np.sqrt(k * (k + 1) / (6 * n))))
