"""`Survey`: numbers of rows, classes and a random sample of a source, from one pass over its parts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from treecore.errors import DataError
from treecore.tables.table_columns import category_text
from treecore.training.partitions.sources.row_checks import Texts, check_target, check_values, check_weights, texts_of
from treecore.training.partitions.sources.row_source import PartRows, RowPart

MOST_SAMPLED = 200_000  # rows


class Survey(NamedTuple):
    """Figures of some parts.

    n_rows : rows with a positive weight; sample : PartRows, random rows; priority : float64[s], random number of each
    row of the sample, which holds the rows with the smallest ones; values : sorted distinct targets, or the two numbers
    with the same weight, mean and variance as the targets; weights, counts : float64, total weight and number of rows
    of each of `values`; least : smallest positive weight of a row, inf if there is none; texts : `Texts` of the columns
    of a DataFrame; part : name of one of the parts with rows.
    """

    n_rows: int
    sample: PartRows
    priority: np.ndarray
    values: np.ndarray
    weights: np.ndarray
    counts: np.ndarray
    least: float
    texts: dict[str, Texts]
    part: str

    def all_texts(self) -> dict[str, tuple]:
        """Return the texts of each column of text."""
        return {name: one.values for name, one in self.texts.items() if one.values is not None}

    def table(self, names: Sequence[str] | None) -> Any:
        """Return the features of the sample, a DataFrame if the columns have names."""
        X = self.sample.X
        if names is None and not hasattr(X, "iloc"):
            return X
        import pandas  # slow import

        table = X.reset_index(drop=True) if hasattr(X, "iloc") else pandas.DataFrame(X, columns=list(names or ()))
        for name, texts in self.texts.items():
            if texts.values is None:
                continue
            values = table[name].map(category_text, na_action="ignore")
            table[name] = pandas.Categorical(values, texts.values, ordered=texts.is_ordered)
        return table

    def merged(self, other: "Survey", most: int, is_squared: bool) -> "Survey":
        """Return the figures of the parts of both surveys."""
        priority = np.concatenate([self.priority, other.priority])
        keep = np.argsort(priority, kind="stable")[:most]  # so that the order of the parts does not matter
        sample = PartRows(*(_joined(a, b, keep) for a, b in zip(self.sample, other.sample, strict=True)))
        if self.values.size and other.values.size and _is_text(self.values) != _is_text(other.values):
            raise DataError(
                f"{other.part}: the target has another kind of values than in {self.part} (numbers and text). "
                "Use the same type in all parts."
            )
        values, weights, counts = (np.concatenate(list(pair)) for pair in zip(self[3:6], other[3:6], strict=True))
        values, weights, counts = (_moments if is_squared else _totals)(values, weights, counts)
        texts = self.texts | other.texts
        for name in self.texts.keys() & other.texts.keys():
            texts[name] = self.texts[name].joined(other.texts[name], str(name))
        n_rows, least = self.n_rows + other.n_rows, min(self.least, other.least)
        part = self.part if self.values.size else other.part
        return Survey(n_rows, sample, priority[keep], values, weights, counts, least, texts, part)


def survey_part(part: RowPart, number: int, ask: "PartSurvey") -> Survey:
    """Return the `Survey` of one part. number : index of the part. Raise DataError for rows that cannot be used."""
    X, y, weights = part.read()
    y, is_squared = np.asarray(y), ask.is_squared
    check_target(y, part.name, is_squared)
    check_weights(weights, part.name)
    if not hasattr(X, "iloc"):
        X = np.asarray(X)
        check_values(X, part.name, ask.missing, ask.names)
    n = len(y)
    own = np.ones(n) if weights is None else np.asarray(weights, np.float64)
    priority = np.random.default_rng([ask.seed, number]).random(n)
    priority[own <= 0] = np.inf
    n_rows = int(np.count_nonzero(own > 0))
    most = min(ask.most, int(np.count_nonzero(priority < ask.share)))
    keep = np.sort(np.argpartition(priority, most - 1)[:most]) if most else np.empty(0, np.int64)
    sample = PartRows(_taken(X, keep), y[keep], None if weights is None else own[keep])
    values, totals, counts = (_moments if is_squared else _totals)(y, own, np.ones(n))
    least = float(own[own > 0].min(initial=np.inf))
    texts = texts_of(X, part.name, ask.missing)
    return Survey(n_rows, sample, priority[keep], values, totals, counts, least, texts, part.name)


class PartSurvey:
    """Picklable function of (number, part) that returns the `Survey` of the part.

    most : largest number of rows in the sample; is_squared : whether the targets are numbers; seed : int >= 0; missing
    : whether missing values are supported; names : names of the features, or None; share : largest random number of a
    row in the sample, so that the samples of all parts fit in memory together.
    """

    def __init__(
        self,
        most: int,
        is_squared: bool,
        seed: int,
        missing: bool = False,
        names: Sequence[str] | None = None,
        share: float = 1.0,
    ) -> None:
        self.most, self.is_squared, self.seed, self.share = most, is_squared, seed, share
        self.missing, self.names = missing, names

    def __call__(self, item: tuple[int, RowPart]) -> Survey:
        """Read the part."""
        return survey_part(item[1], item[0], self)

    def joined(self, a: Survey, b: Survey) -> Survey:
        """Return the `Survey` of the parts of both."""
        return a.merged(b, self.most, self.is_squared)


def sampled_share(parts: Sequence[RowPart], most: int) -> float:
    """Return the random number below which there are almost certainly `most` rows, 1 if the rows are not counted."""
    total = sum(getattr(part, "n_rows", np.nan) for part in parts)
    return min(1.0, (most + 10 * most**0.5) / total) if total > 0 else 1.0


def survey(
    parts: Sequence[RowPart],
    names: Sequence[str] | None,
    executor: Any,
    is_squared: bool,
    seed: int,
    missing: bool = False,
    most: int = MOST_SAMPLED,
) -> Survey:
    """Return the `Survey` of all parts. executor : `Executor`; other arguments : as in `PartSurvey`.

    Raise DataError for rows that cannot be used.
    """
    ask = PartSurvey(most, is_squared, seed, missing, names, sampled_share(parts, most))
    found = executor.reduce(ask, list(enumerate(parts)), ask.joined)
    if not found.n_rows:
        raise DataError("Every sample weight is zero. Use a positive weight for at least one row.")
    return found


def _is_text(values):
    return isinstance(values[0], str)


def _totals(values, weights, counts):
    """Return the distinct values, and the total weight and number of rows of each."""
    distinct, codes = np.unique(values, return_inverse=True)
    sums = (np.bincount(codes.ravel(), one, distinct.size) for one in (weights, counts))
    return distinct, *sums


def _moments(values, weights, counts):
    """Return two numbers, and their weights and counts, with the same total, mean and variance."""
    total, counts = float(weights.sum()), np.full(2, counts.sum() / 2)
    if total == 0:
        return np.zeros(2), np.zeros(2), counts
    values = np.asarray(values, np.float64)
    mean = float(weights @ values) / total
    deviation = float(np.sqrt(weights @ (values - mean) ** 2 / total))
    return np.array([mean - deviation, mean + deviation]), np.full(2, total / 2), counts


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
