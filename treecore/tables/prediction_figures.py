"""Metrics and confusion matrix of predictions for a table with known true values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treecore.tables.predict_table import TablePrediction
from treecore.tables.table_columns import category_text

if TYPE_CHECKING:
    import pandas

MOST_UNKNOWN = 100


@dataclass(frozen=True, eq=False)
class PredictionFigures:
    """Metrics of predictions.

    n : number of rows with a prediction and a true value (0 if no true value is one of the classes); error :
    misclassification error, or root mean squared error for regression, None without rows; unknown : tuple of str, true
    classes that the tree does not contain, whose rows are all errors (if there are more than 100, the last entry
    represents the rest); names : list of str, true and predicted classes, [] for regression; confusion : int64[k, k],
    number of rows by true class (first index) and predicted class, None for regression; places : int64[rows of the
    table], index in `names` of the true class, -1 for a row that is not compared, None for regression; numbers :
    float64[n, 2], predicted and true numbers, None for classification.
    """

    n: int
    error: float | None
    names: list
    confusion: np.ndarray | None
    unknown: tuple = ()
    places: np.ndarray | None = None
    numbers: np.ndarray | None = None


def prediction_figures(predicted: TablePrediction, truth: pandas.Series) -> PredictionFigures:
    """Return the `PredictionFigures` of a TablePrediction.

    truth : pandas Series of the same rows, classes or numbers in their written form.
    """
    known = ~truth.isna().to_numpy() & (predicted.leaf >= 0)
    if predicted.probability is None:
        return _numbers(predicted.prediction[known], truth[known])
    (true, texts), (given, given_texts) = _coded(truth[known]), _coded(predicted.prediction[known])
    names = [category_text(label) for label in predicted.classes]
    if set(texts).isdisjoint(names):  # no true value is a class of the tree
        return PredictionFigures(0, None, [], None)
    unknown = _few(sorted(set(texts) - set(names)))
    names += unknown
    place = {name: code for code, name in enumerate(names)}
    places = np.full(len(truth), -1)
    places[known] = np.array([place.get(text, len(names) - 1) for text in texts], np.int64)[true]
    confusion = np.zeros((len(names), len(names)), np.int64)
    np.add.at(confusion, (places[known], np.array([place[text] for text in given_texts], np.int64)[given]), 1)
    n = true.size
    error = (n - int(np.trace(confusion))) / n if n else None
    return PredictionFigures(n, error, names, confusion, tuple(unknown), places)


def _coded(values):
    """Return the indices, int64[n], into the list of distinct texts, and that list."""
    import pandas  # slow import

    codes, different = pandas.factorize(values)
    return codes, [category_text(value) for value in different]


def _few(unknown):
    """Return the first names and one name for all others, because the confusion matrix would be too large."""
    if len(unknown) <= MOST_UNKNOWN:
        return unknown
    return [*unknown[: MOST_UNKNOWN - 1], f"others ({len(unknown) - MOST_UNKNOWN + 1:,})"]


def _numbers(predicted, truth):
    import pandas  # slow import

    values = pandas.to_numeric(truth, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    known = np.isfinite(values)
    n = int(known.sum())
    both = np.column_stack([predicted[known].astype(np.float64), values[known]])
    with np.errstate(over="ignore"):
        squares = (both[:, 0] - both[:, 1]) ** 2
    return PredictionFigures(n, float(np.sqrt(squares.mean())) if n else None, [], None, numbers=both)
