"""Measure how two columns of a table belong together: pairs that occur only once, and values that others determine."""

import numpy as np
import pandas

_LEAST_EXPECTED = 15  # fewest repeated pairs that chance would give; fewer prove nothing
_FIRST = 4000  # rows that are compared first
_MOST_REPEATED = 0.02  # largest number of repeated pairs, relative to the number that chance would give


def value_codes(values: pandas.Series) -> np.ndarray:
    """Return int64[n], equal for equal values and -1 for missing ones."""
    if isinstance(values.dtype, pandas.CategoricalDtype):
        return values.cat.codes.to_numpy().astype(np.int64)
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "iu" and len(values):
        numbers = values.to_numpy()
        low, high = int(numbers.min()), int(numbers.max())
        if high - low < 4 * len(numbers) and high < 2**62:
            return numbers.astype(np.int64) - low
    return values.factorize(use_na_sentinel=True)[0].astype(np.int64)


def joint_codes(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the codes of pairs of values, -1 if one of them is missing."""
    pairs = first * (second.max(initial=0) + 1) + second
    pairs[(first < 0) | (second < 0)] = -1
    return pairs if pairs.max(initial=0) < len(pairs) * 4 else pandas.factorize(np.where(pairs < 0, -1, pairs))[0]


def count_equal(codes: np.ndarray) -> float:
    """Return the number of pairs of rows with the same value."""
    counts = value_counts(codes).astype(np.float64)
    return float((counts * (counts - 1)).sum() / 2)


def value_counts(codes: np.ndarray) -> np.ndarray:
    """Return the number of rows of each value, without missing ones."""
    codes = codes[codes >= 0]
    if codes.max(initial=-1) >= 4 * len(codes):
        return np.unique(codes, return_counts=True)[1]
    counts = np.bincount(codes)
    return counts[counts > 0]


def are_crossed(units: np.ndarray, times: np.ndarray) -> bool:
    """Test whether each unit has each time once, such as one row per country and year.

    Independent columns repeat many pairs. One pair that occurs twice does not matter.
    """
    known = (units >= 0) & (times >= 0)
    if known.sum() < 0.9 * len(units):
        return False
    units, times = units[known], times[known]
    n_pairs = len(times) * (len(times) - 1) / 2
    expected = count_equal(units) * count_equal(times) / max(n_pairs, 1)
    if expected < _LEAST_EXPECTED:
        return False
    most = 1 + _MOST_REPEATED * expected
    # Most columns that are not crossed repeat too many pairs in a few rows already.
    if len(units) > _FIRST and count_equal(joint_codes(units[:_FIRST], times[:_FIRST])) > most:
        return False
    return count_equal(joint_codes(units, times)) <= most
