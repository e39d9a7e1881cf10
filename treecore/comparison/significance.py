"""Tests of whether methods differ, over the folds of one data set and over data sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from treecore.comparison.messages import MESSAGES
from treecore.errors import ParameterError

ROUNDING = 1e-12  # differences of errors below it are rounding


class PairedTest(NamedTuple):
    """Mean difference of two methods' errors, its corrected standard error, t and the two-sided p; NaN if unknown."""

    difference: float
    standard_error: float
    t: float
    p: float


class RankTest(NamedTuple):
    """Friedman's test and Nemenyi's critical difference.

    mean_ranks : float64[methods], 1 is best; statistic, p : of Friedman's test in the F form of Iman and Davenport;
    critical_difference : of two mean ranks.
    """

    mean_ranks: np.ndarray
    statistic: float
    p: float
    critical_difference: float


def corrected_paired_test(errors: ArrayLike, other: ArrayLike, n_train: float, n_test: float) -> PairedTest:
    """`PairedTest` of ``errors - other`` over repetitions whose training rows overlap.

    errors, other : float64[repetitions] of two methods on the same folds; n_train, n_test : rows of a fold (mean).
    The variance is multiplied by 1/J + n_test/n_train (Nadeau and Bengio, Inference for the generalization error,
    Machine Learning 52, 2003, section 4).
    """
    from scipy.stats import t as student  # slow import

    differences = np.asarray(errors, np.float64) - np.asarray(other, np.float64)
    count, mean = differences.size, float(differences.mean()) if differences.size else np.nan
    if count < 2:
        return PairedTest(mean, np.nan, np.nan, np.nan)
    standard_error = float(np.sqrt((1 / count + n_test / n_train) * differences.var(ddof=1)))
    if standard_error <= ROUNDING:  # equal differences tell nothing of their error
        return PairedTest(mean, 0.0, *((0.0, 1.0) if abs(mean) <= ROUNDING else (np.nan, np.nan)))
    t = mean / standard_error
    return PairedTest(mean, standard_error, t, float(2 * student.sf(abs(t), count - 1)))


def corrected_interval(errors: ArrayLike, n_train: float, n_test: float, level: float = 0.95) -> float:
    """Return half the width of the corrected confidence interval of a mean error; NaN for fewer than 2 repetitions.

    errors : float64[repetitions] of one method; n_train, n_test, and the correction : as in `corrected_paired_test`;
    level : in (0, 1).
    """
    from scipy.stats import t as student  # slow import

    errors = np.asarray(errors, np.float64)
    spread = corrected_paired_test(errors, np.zeros(errors.size), n_train, n_test).standard_error
    return float(spread * student.ppf((1 + level) / 2, errors.size - 1)) if errors.size > 1 else np.nan


def holm(p: Sequence[float]) -> np.ndarray:
    """Return p values corrected for their number (float64[tests]); NaN are no tests and stay NaN.

    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979.
    """
    corrected = np.array(p, np.float64)
    order = np.argsort(corrected)  # NaN come last
    order = order[: np.isfinite(corrected).sum()]
    factors = np.arange(order.size, 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(factors * corrected[order]), 1.0)
    return corrected


def rank_test(errors: np.ndarray, level: float = 0.05) -> RankTest:
    """`RankTest` over data sets (Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006).

    errors : float64[data sets, methods], at least 2 of each, no NaN; level : of Nemenyi's test, in (0, 1).
    Raises ParameterError.
    """
    from scipy.stats import f, rankdata, studentized_range  # slow import

    errors = np.asarray(errors, np.float64)
    if errors.ndim != 2 or min(errors.shape) < 2 or not np.isfinite(errors).all():
        raise ParameterError(MESSAGES("errors.shape", shape=errors.shape))
    if not 0 < level < 1:
        raise ParameterError(MESSAGES("level", level=level))
    n, k = errors.shape
    ranks = rankdata(np.round(errors, 12), axis=1)
    mean = ranks.mean(axis=0)
    # with ties the squared ranks sum to less than for 1 to k
    variation = (ranks**2).sum() - n * k * (k + 1) ** 2 / 4
    chi = 0.0 if variation == 0 else (k - 1) * n**2 * ((mean - (k + 1) / 2) ** 2).sum() / variation
    left = n * (k - 1) - chi
    statistic = np.inf if left <= 1e-12 * n else (n - 1) * chi / left
    p = float(f.sf(statistic, k - 1, (k - 1) * (n - 1)))
    quantile = studentized_range.ppf(1 - level, k, np.inf) / np.sqrt(2)
    return RankTest(mean, float(statistic), p, float(quantile * np.sqrt(k * (k + 1) / (6 * n))))
