"""`Survey`: numbers of rows, classes and a random sample of a source, from one pass over its parts."""

from typing import Any, NamedTuple

import numpy as np

from treecore.training.partitions.row_source import PartRows, RowPart

SAMPLE_BYTES = 64_000_000
MOST_SAMPLED = 200_000  # rows


class Survey(NamedTuple):
    """Figures of some parts.

    n_rows : rows with a positive weight; sample : PartRows, random rows; priority : float64[s], random number of each
    row of the sample, which holds the rows with the smallest ones; values : sorted distinct targets, or the two numbers
    with the same weight, mean and variance as the targets; weights : float64, total weight of each of `values`.
    """

    n_rows: int
    sample: PartRows
    priority: np.ndarray
    values: np.ndarray
    weights: np.ndarray

    def merged(self, other: "Survey", most: int, is_squared: bool) -> "Survey":
        """Return the figures of the parts of both surveys."""
        priority = np.concatenate([self.priority, other.priority])
        keep = np.argsort(priority, kind="stable")[:most]  # so that the order of the parts does not matter
        sample = PartRows(*(_joined(a, b, keep) for a, b in zip(self.sample, other.sample, strict=True)))
        values, weights = np.concatenate([self.values, other.values]), np.concatenate([self.weights, other.weights])
        values, weights = (_moments if is_squared else _totals)(values, weights)
        return Survey(self.n_rows + other.n_rows, sample, priority[keep], values, weights)


def survey_part(part: RowPart, number: int, most: int, is_squared: bool, seed: int) -> Survey:
    """Return the `Survey` of one part. number : index of the part; most : largest sample; seed : int >= 0."""
    X, y, weights = part.read()
    y = np.asarray(y)
    n = len(y)
    own = np.ones(n) if weights is None else np.asarray(weights, np.float64)
    priority = np.random.default_rng([seed, number]).random(n)
    priority[own <= 0] = np.inf
    n_rows = int(np.count_nonzero(own > 0))
    most = min(most, n_rows)
    keep = np.sort(np.argpartition(priority, most - 1)[:most]) if most else np.empty(0, np.int64)
    sample = PartRows(_taken(X, keep), y[keep], None if weights is None else own[keep])
    values, totals = (_moments if is_squared else _totals)(y, own)
    return Survey(n_rows, sample, priority[keep], values, totals)


class PartSurvey:
    """Picklable function of (number, part) that returns the `Survey` of the part. Arguments : as in `survey_part`."""

    def __init__(self, most: int, is_squared: bool, seed: int) -> None:
        self.most, self.is_squared, self.seed = most, is_squared, seed

    def __call__(self, item: tuple[int, RowPart]) -> Survey:
        """Read the part."""
        return survey_part(item[1], item[0], self.most, self.is_squared, self.seed)

    def joined(self, a: Survey, b: Survey) -> Survey:
        """Return the `Survey` of the parts of both."""
        return a.merged(b, self.most, self.is_squared)


def _totals(values, weights):
    """Return the distinct values and the total weight of each."""
    distinct, codes = np.unique(values, return_inverse=True)
    return distinct, np.bincount(codes.ravel(), weights, distinct.size)


def _moments(values, weights):
    """Return two numbers and their weights with the same total, mean and variance."""
    total = float(weights.sum())
    if total == 0:
        return np.zeros(2), np.zeros(2)
    values = np.asarray(values, np.float64)
    mean = float(weights @ values) / total
    deviation = float(np.sqrt(weights @ (values - mean) ** 2 / total))
    return np.array([mean - deviation, mean + deviation]), np.full(2, total / 2)


def _taken(X, rows):
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _joined(a: Any, b: Any, rows: np.ndarray) -> Any:
    """Return some rows of two arrays or tables below each other."""
    if a is None:
        return None
    if hasattr(a, "iloc"):
        import pandas  # slow import

        return pandas.concat([a, b], ignore_index=True).iloc[rows]
    return np.concatenate([a, b])[rows]
