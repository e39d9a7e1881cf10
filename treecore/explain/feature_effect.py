"""`feature_effect`: predictions of a tree for changed values of one column (partial dependence, ICE)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treecore.errors import DataError
from treecore.tree.conditions import limits
from treecore.tree.tree import Tree

GRID, MOST_VALUES = 60, 200


def feature_effect(tree: Tree, X: np.ndarray, features: Sequence[int], values: np.ndarray) -> np.ndarray:
    """Return the predictions of rows with other values of one column.

    X : float[n, d]; features : int[f], features of the column; values : float[g, f]. The result is float64[g, n, w]:
    class shares (w = k) or the prediction (w = 1) in the leaf that each row then reaches. The mean over the rows is the
    partial dependence (Friedman 2001, section 8.2). The curve of one row is its individual conditional expectation
    (Goldstein et al. 2015, section 3). Raise DataError if `values` has another shape.
    """
    values = np.asarray(values, np.float64)
    if values.ndim != 2 or values.shape[1] != len(features):
        raise DataError(f"values has shape {values.shape}: expected (any number, {len(features)}).")
    told = tree.predict_proba if tree.target.values_are_groups else lambda rows: tree.predict(rows)[:, None]
    changed = np.array(X, np.float64)
    curves = np.empty((len(values), len(changed), max(tree.classes.size, 1)))
    for place, value in enumerate(values):
        changed[:, list(features)] = value
        curves[place] = told(changed)
    return curves


def effect_grid(tree: Tree, X: np.ndarray, feature: int) -> np.ndarray:
    """Return the grid at which to evaluate a feature, float64[g].

    The grid contains both sides of each univariate threshold plus evenly spaced values between the minimum and maximum
    in X (float[n, d]). A feature with few integer values uses those values.
    """
    column = np.asarray(X[:, feature], np.float64)
    column = column[np.isfinite(column)]
    if not column.size:
        return np.empty(0)
    known = np.unique(column)
    low, high = known[0], known[-1]
    is_whole = known.size <= MOST_VALUES and np.array_equal(known, np.rint(known))
    even = known if is_whole else np.linspace(low, high, GRID)
    alone = np.flatnonzero(np.diff(tree.indptr) == 1)
    alone = alone[tree.features[tree.indptr[alone]] == feature]
    weights = tree.weights[tree.indptr[alone]]
    decisions = zip(weights[weights != 0].tolist(), tree.bias[alone][weights != 0].tolist(), strict=True)
    sides = np.array([end for decision in decisions for end in limits(*decision)])
    return np.unique(np.concatenate([even, sides[(sides >= low) & (sides <= high)]]))
