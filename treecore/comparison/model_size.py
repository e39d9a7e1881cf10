"""Size of a trained model of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from treecore.model.model import Model
from treecore.tree.metrics import tree_metrics
from treecore.tree.tree import Tree


class ModelSize(NamedTuple):
    """Size of a model: numbers of leaves and nodes in all trees, their mean depth and other metrics.

    The other metrics are the mean number of features per decision node, multiplications per row, and nonzero weights in
    all splits. All metrics are None for a model without trees, such as nearest neighbours.
    """

    n_trees: int | None = None
    n_leaves: int | None = None
    n_nodes: int | None = None
    depth: float | None = None
    features_per_node: float | None = None
    inference_cost: float | None = None
    n_nonzero: int | None = None


def model_size(model: Model, X: np.ndarray, columns: Sequence[Sequence[int]] | None = None) -> ModelSize:
    """Return the `ModelSize` of a fitted estimator or a Tree.

    X : [n, d], rows for the mean inference cost; columns : as in `Tree.columns_per_split`.
    """
    *before, model = _steps(model)
    for step in before:
        X = step.transform(X)
    trees = _trees(model)
    if not trees:
        return ModelSize()
    sizes = [
        _of_tree(tree, _rows(model, X), columns) if isinstance(tree, Tree) else _of_sklearn(tree, X) for tree in trees
    ]
    n_leaves, n_nodes, depths, n_features, costs, n_nonzero = map(np.array, zip(*sizes, strict=True))
    decisions = (n_nodes - n_leaves).sum()
    return ModelSize(
        len(sizes), int(n_leaves.sum()), int(n_nodes.sum()), float(depths.mean()),
        float(n_features.sum() / decisions) if decisions else 0.0, float(costs.sum()), int(n_nonzero.sum()),
    )  # fmt: skip


def leaf_count(model: Model) -> int | None:
    """Return the total number of leaves of a fitted estimator or a Tree, or None if it has no trees."""
    model = _steps(model)[-1]
    counts = [tree.n_leaves if isinstance(tree, Tree) else tree.tree_.n_leaves for tree in _trees(model)]
    return int(sum(counts)) if counts else None


def _steps(model: Any) -> list[Any]:
    """Return the fitted transformers of a pipeline and its model, or the model alone."""
    return [step for _, step in getattr(model, "steps", [("", model)])]


def _trees(model):
    """Return the trees of a treecore or scikit-learn model, or an empty list for other models."""
    if isinstance(model, Tree):
        return [model]
    if hasattr(model, "tree_"):
        return [model.tree_ if isinstance(model.tree_, Tree) else model]
    trees = list(getattr(model, "estimators_", []))
    return trees if all(isinstance(tree, Tree) or hasattr(tree, "tree_") for tree in trees) else []


def _rows(model, X):
    """Return the rows with encoded text columns, as the trees of a model read them."""
    return model.encoder_.transform(model, X) if hasattr(model, "encoder_") else X


def _of_tree(tree, X, columns):
    size = tree_metrics(tree, X)
    n_columns = int(tree.columns_per_split(columns).sum())
    return size.n_leaves, tree.n_nodes, size.depth, n_columns, size.inference_cost, size.n_nonzero


def _of_sklearn(estimator, X):
    """Return the size of a scikit-learn tree, whose splits use one feature each."""
    tree = estimator.tree_
    # The trees of a forest are trained on an array, without feature names.
    steps = np.diff(estimator.decision_path(X if hasattr(estimator, "feature_names_in_") else np.asarray(X)).indptr) - 1
    n_splits = tree.node_count - tree.n_leaves
    return tree.n_leaves, tree.node_count, tree.max_depth, n_splits, float(steps.mean()), n_splits
