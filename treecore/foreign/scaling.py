"""`Scaling`: scalers of single features before a tree in a pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from treecore.errors import TreeFormatError
from treecore.first_number import first_number
from treecore.messages import joined
from treecore.tree.tree import Tree


def steps_of(model: Any) -> tuple[list, Any]:
    """Return (steps, last estimator) of a pipeline, including nested pipelines, or ([], model) for other models."""
    steps = []
    while hasattr(model, "steps"):
        steps += [step for _, step in model.steps[:-1]]
        model = model.steps[-1][1]
    return steps, model


class Scaling:
    """Sequence of fitted scikit-learn scalers, which keep the order of the values of a feature.

    Numbers are scaled in float64, as scikit-learn does for rows of float64 or whole numbers. Raise TreeFormatError for
    other steps.
    """

    def __init__(self, steps: Sequence) -> None:
        self.steps = [step for step in steps if step is not None and step != "passthrough"]
        for step in self.steps:
            name = type(step).__name__
            if name not in _SCALERS or not type(step).__module__.startswith("sklearn.preprocessing"):
                raise TreeFormatError(
                    f"The pipeline step {name} cannot be folded into the thresholds of the tree. Supported "
                    f"steps: {joined(_SCALERS)}. Pass pipeline[-1], with rows transformed by "
                    "pipeline[:-1].transform(X)."
                )

    def tree(self, tree: Tree) -> Tree:
        """Convert a tree on scaled features to a tree on the original columns.

        Raise TreeFormatError for splits on several features.
        """
        if not self.steps:
            return tree
        several = np.diff(tree.indptr) > 1
        if several.any():
            node = int(np.argmax(several))
            raise TreeFormatError(
                f"Node {node} uses {int(np.diff(tree.indptr)[node])} features, so folding the scaler into its "
                "weights would change rounding. Pass pipeline[-1] with rows transformed by pipeline[:-1], or "
                "train without a scaler (TAO estimators scale internally)."
            )
        decisions = np.flatnonzero(np.diff(tree.indptr) == 1)
        features, weights, bias = tree.features, tree.weights, tree.bias[decisions]
        falls = weights < 0
        first = first_number(lambda x: (bias + weights * self(x, features) >= 0) != falls, weights.size)
        turned = np.where(falls, np.nextafter(first, -np.inf), first)  # first (or last) number that goes right
        is_open = np.isinf(first)
        sign = np.where(is_open, 0.0, np.where(falls, -1.0, 1.0))
        always = np.where((first > 0) == falls, 1.0, -1.0)
        new = tree.bias.copy()
        new[decisions] = np.where(is_open, always, -sign * np.where(is_open, 0.0, turned))
        return replace(tree, weights=sign, bias=new)

    def __call__(self, x: np.ndarray, features: np.ndarray) -> np.ndarray:
        """Apply all steps to the numbers x (float64[n]) of the given features (int[n])."""
        for step in self.steps:
            x = _SCALERS[type(step).__name__](step, x, features)
        return x


def _standard(step: Any, x, features):
    x = x - step.mean_[features] if step.with_mean else x
    return x / step.scale_[features] if step.with_std else x


def _minmax(step: Any, x, features):
    x = x * step.scale_[features] + step.min_[features]
    return np.clip(x, *step.feature_range) if step.clip else x


def _largest(step: Any, x, features):
    return x / step.scale_[features]


def _robust(step: Any, x, features):
    x = x - step.center_[features] if step.with_centering else x
    return x / step.scale_[features] if step.with_scaling else x


_SCALERS = {"StandardScaler": _standard, "MinMaxScaler": _minmax, "MaxAbsScaler": _largest, "RobustScaler": _robust}
