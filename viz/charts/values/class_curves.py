"""ROC and precision-recall curves of one class against the other classes, and the point of the current predictions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.tables.class_figures import ClassFigures
from treecore.tables.threshold_curve import ThresholdCurve
from treecore.tree.number_text import count, number

KINDS = ("roc", "precision")


class ClassCurve(NamedTuple):
    """ROC or precision-recall curve.

    x, y : float64[k], in percent
    texts : text of each point
    now : (x, y) of the current predictions, or None
    chance : ((x, x), (y, y)), ends of the line of random guessing
    steps : whether y is constant from the previous point up to its own point
    """

    title: str
    x_title: str
    y_title: str
    x: np.ndarray
    y: np.ndarray
    texts: tuple[str, ...]
    now: tuple | None
    chance: tuple
    steps: bool

    @property
    def description(self) -> str:
        """Describe the curve."""
        now = "" if self.now is None else f"; current threshold: {self.now[0]:.1f} and {self.now[1]:.1f}"
        return f"{self.title}: {self.y_title} against {self.x_title}{now}"


def class_curve(curve: ThresholdCurve, figures: ClassFigures, kind: str) -> ClassCurve:
    """Return a `ClassCurve` of a `ThresholdCurve`.

    kind : one of `KINDS`
    figures : metrics of the current predictions for the class
    """
    recall, precision, alarms = (100 * part for part in (curve.recall, curve.precision, curve.false_alarms))
    texts = tuple(map(_text, curve.thresholds, curve.n_flagged, curve.n_found))
    wrong, others = figures.n_predicted - figures.recall * figures.n, curve.n - curve.n_positive
    if kind == "roc":
        now = (100 * wrong / others, 100 * figures.recall) if others and figures.n else None
        return ClassCurve(
            f"ROC, AUC {curve.auc:.3f}", "false positive rate (%)", "recall (%)", alarms, recall, texts, now,
            ((0, 100), (0, 100)), False,
        )  # fmt: skip
    now = None if np.isnan(figures.precision) else (100 * figures.recall, 100 * figures.precision)
    base = 100 * curve.n_positive / max(curve.n, 1)
    known = curve.n_flagged > 0
    return ClassCurve(
        f"Precision–recall, average precision {curve.average_precision:.3f}", "recall (%)", "precision (%)",
        recall[known], precision[known], tuple(np.array(texts)[known]), now, ((0, 100), (base, base)), True,
    )  # fmt: skip


def _text(share, flagged, found):
    if np.isinf(share):
        return "no row is flagged"
    return f"threshold {number(100 * share)} %: {count(flagged)} flagged, {count(found)} of them correct"
