"""Metrics of each class: precision, recall, F1, and the areas under the ROC and precision-recall curves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.tables.predict_table import TablePrediction
from treecore.tables.prediction_figures import PredictionFigures
from treecore.tables.threshold_curve import threshold_curve


class ClassFigures(NamedTuple):
    """Metrics of one class against the rest, as in scikit-learn. Undefined metrics are NaN.

    n, n_predicted : int, number of rows of the class, and of rows predicted as the class; precision : share of the rows
    predicted as the class that belong to it; recall : share of the rows of the class that are predicted as the class;
    f1 : harmonic mean of precision and recall; auc, average_precision : computed from the class shares in the leaves,
    not from the predictions (NaN for a class that the tree does not contain).
    """

    name: str
    n: int
    n_predicted: int
    precision: float
    recall: float
    f1: float
    auc: float
    average_precision: float


def class_figures(predicted: TablePrediction, compared: PredictionFigures) -> list[ClassFigures]:
    """Return the `ClassFigures` of each class, or [] for regression.

    predicted : TablePrediction; compared : PredictionFigures.
    """
    from sklearn.metrics import precision_recall_fscore_support  # slow import

    if compared.confusion is None or compared.places is None or predicted.probabilities is None:
        return []
    confusion, codes = compared.confusion, np.arange(len(compared.names))
    found = precision_recall_fscore_support(
        np.repeat(codes, codes.size), np.tile(codes, codes.size), labels=codes, sample_weight=confusion.ravel(),
        zero_division=np.nan,
    )[:3]  # fmt: skip
    known = compared.places >= 0
    areas = np.full((codes.size, 2), np.nan)
    for code in range(predicted.probabilities.shape[1]):
        shares = predicted.probabilities[known, code]
        curve = threshold_curve(shares, compared.places[known] == code, np.unique(shares))
        areas[code] = curve.auc, curve.average_precision
    n, n_predicted = confusion.sum(axis=1).tolist(), confusion.sum(axis=0).tolist()
    columns = (compared.names, n, n_predicted, *(part.tolist() for part in found), *areas.T.tolist())
    return [ClassFigures(*row) for row in zip(*columns, strict=True)]
