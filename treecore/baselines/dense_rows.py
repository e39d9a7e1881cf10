"""Common steps of the estimators for dense rows: checks, class codes and the final `Tree`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets

from treecore.data.feature_encoder import FeatureEncoder
from treecore.data.training_data import TrainingData, dense_rows
from treecore.errors import DataError
from treecore.parameter_checks import random_numbers, typed
from treecore.training.prune import RowCounts, settled
from treecore.training.single_tree import SingleTree
from treecore.tree.feature_statistics import feature_quantiles
from treecore.tree.routing import leaf_ids
from treecore.tree.tree import Tree
from treecore.tree.working_tree import WorkingTree

NO_CLASSES = np.empty(0, np.int32)


def checked_rows(estimator: BaseEstimator, X: ArrayLike, y: ArrayLike, encoder: FeatureEncoder | None = None) -> tuple:
    """Run the checks common to both tasks, set `encoder_` and return (X, y, RandomState).

    Raise DataError or ParameterError for invalid input.
    """
    rng = random_numbers(estimator.random_state)
    estimator.encoder_ = FeatureEncoder() if encoder is None else encoder
    rows, y = estimator.encoder_.fit(estimator, X, y)
    if isinstance(estimator, SingleTree):
        rows = dense_rows(rows, type(estimator).__name__)
    if hasattr(rows, "tocsr"):  # also for a DataFrame with sparse columns
        dense = "X.toarray()" if hasattr(X, "tocsr") else "X.sparse.to_dense()"
        raise DataError(f"{type(estimator).__name__} does not support sparse X. Use {dense}.")
    return rows, y, rng


def class_codes(estimator: BaseEstimator, y: np.ndarray) -> np.ndarray:
    """Set `classes_` and return the index of each label in it, int64[n]. Raise DataError for invalid labels."""
    with typed(DataError):
        check_classification_targets(y)
        estimator.classes_, codes = np.unique(y, return_inverse=True)
    return codes


def tree_of(
    estimator: BaseEstimator,
    working: WorkingTree,
    data: TrainingData,
    n_jobs: int | None,
    missing: bool = False,
    rows: np.ndarray | None = None,
) -> Tree:
    """Convert a WorkingTree to a `Tree` with the statistics of all rows of `data`.

    missing : whether the tree routes missing values; rows : contiguous float64[n, d], the rows of `data` if available.
    """
    rows = np.ascontiguousarray(data.columns.row_major()) if rows is None else rows
    leaves = leaf_ids(working.routing(), rows, n_jobs).astype(np.int64)
    values = data.loss.node_values(working.left, working.right, leaves, data.y, data.weights)
    samples = np.bincount(leaves, minlength=working.n_nodes)
    classes, names = getattr(estimator, "classes_", NO_CLASSES), estimator.encoder_.feature_names
    tree = working.to_tree(data.loss, values, samples, classes, data.n_features, names, missing=missing)
    tree = replace(tree, feature_quantiles=feature_quantiles(rows))
    return settled(tree, RowCounts(tree, data)) if missing or data.groups else tree
