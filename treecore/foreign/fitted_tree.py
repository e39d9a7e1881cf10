"""`fitted_tree`: the tree of a fitted model and the conversion of rows to its features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from treecore.errors import ParameterError
from treecore.foreign.foreign_columns import ForeignColumns
from treecore.foreign.foreign_model import ForeignModel
from treecore.foreign.scaling import Scaling, steps_of
from treecore.foreign.sources import foreign_model
from treecore.messages import literal
from treecore.tree.tree import Tree


class FittedTree(NamedTuple):
    """Tree of a model. features : function that converts rows from the form of the model to that of the tree."""

    tree: Tree
    features: Callable[[Any], Any]


def fitted_tree(model: Any) -> FittedTree:
    """Return the `FittedTree` for a Tree, a fitted estimator or pipeline, a Model, or a `ForeignModel`.

    Raise ParameterError for other types, for unfitted models, and for models that combine several trees. Raise
    TreeFormatError for unsupported trees.
    """
    model = getattr(model, "best_estimator_", model)
    if isinstance(model, Tree):
        return FittedTree(model, _features_of(model))
    if isinstance(getattr(model, "tree", None), Tree):
        return FittedTree(model.tree, _features_of(model.tree))
    steps, estimator = steps_of(model)
    own = getattr(estimator, "tree_", None)
    if isinstance(own, Tree):
        scaling = Scaling(steps)
        tree, encoder = scaling.tree(own), getattr(estimator, "encoder_", None)
        if scaling.steps:  # the estimator was trained on numbers, and the names are those of the first step
            names = getattr(model, "feature_names_in_", None)
            tree = tree if names is None else tree.with_names(names)
            return FittedTree(tree, ForeignColumns(tree.n_features, tree.feature_names, is_scaled=True).features)
        if encoder is None:
            return FittedTree(tree, _features_of(tree))
        return FittedTree(tree, lambda X: encoder.transform(estimator, _table(X)))
    found = model if isinstance(model, ForeignModel) else foreign_model(model)
    if found is None:
        raise ParameterError(
            (
                f"tree={literal(model, 60)}: expected a Tree or a fitted model with one tree. Supported models: "
                "treecore, scikit-learn (DecisionTree, ExtraTree, or a Pipeline or search that ends with one), "
                "XGBoost, LightGBM and ONNX."
            )
            if not hasattr(estimator, "fit")
            else (
                f"tree={literal(model, 60)}: expected a Tree or a fitted model with one tree. A "
                f"{type(estimator).__name__} has no tree, or transforms its predictions. Pass its tree, such "
                "as model.estimator_."
            )
            if _is_fitted(estimator)
            else (
                f"tree={literal(model, 60)} is not fitted: expected a Tree or a fitted model with one tree. "
                "Supported models: treecore, scikit-learn (DecisionTree, ExtraTree, or a Pipeline or search "
                "that ends with one), XGBoost, LightGBM and ONNX."
            )
        )
    return FittedTree(found.only_tree(), found.features)


def loss_parameters(model: Any) -> dict[str, Any]:
    """Return the `cost_matrix` and `loss` of a fitted treecore estimator or pipeline, without those that are None."""
    estimator = steps_of(getattr(model, "best_estimator_", model))[1]
    if not isinstance(getattr(estimator, "tree_", None), Tree):
        return {}
    found = {name: getattr(estimator, name, None) for name in ("cost_matrix", "loss")}
    return {name: value for name, value in found.items() if value is not None}


def as_tree(model: Any) -> Tree:
    """Return the `Tree` of a model, with the supported types and errors of `fitted_tree`."""
    return model if isinstance(model, Tree) else fitted_tree(model).tree


def _is_fitted(estimator):
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(estimator)
    except (NotFittedError, TypeError):
        return False
    return True


def _features_of(tree):
    return ForeignColumns(tree.n_features, tree.feature_names).features


def _table(X):
    """Convert a Series, dict or 1-D array to a table with one row."""
    if isinstance(X, dict):
        import pandas

        return pandas.DataFrame([X])
    if hasattr(X, "to_frame") and hasattr(X, "index"):
        return X.to_frame().T.infer_objects()
    return np.reshape(X, (1, -1)) if np.ndim(X) == 1 else X
