"""Conversion of scikit-learn trees."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from treecore.errors import ParameterError, TreeFormatError
from treecore.first_number import first_number
from treecore.foreign.file_content import file_content
from treecore.foreign.file_damage import report_damage
from treecore.foreign.foreign_columns import ForeignColumns
from treecore.foreign.foreign_model import ForeignModel, all_trees, sums_trees
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.histogram_model import histogram_model
from treecore.foreign.scaling import Scaling, steps_of
from treecore.foreign.skops_file import SKOPS_FILE_NAME, skops_estimator
from treecore.tree.tree import Tree

_WITHOUT_LEAVES = ("IsolationForest", "RandomTreesEmbedding")
_TREES = ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")
# models of several trees; True if a model with a single tree predicts the same as this tree
_ENSEMBLES = {
    "RandomForestClassifier": True, "RandomForestRegressor": True, "ExtraTreesClassifier": True,
    "ExtraTreesRegressor": True, "BaggingClassifier": True, "BaggingRegressor": True, "AdaBoostRegressor": True,
    "AdaBoostClassifier": False,  # other probabilities
    "GradientBoostingClassifier": False, "GradientBoostingRegressor": False, "VotingClassifier": False,
    "VotingRegressor": False, "StackingClassifier": False, "StackingRegressor": False,
}  # fmt: skip
_SQUARED = ("squared_error", "friedman_mse")  # criteria for which the impurity is the variance


def from_sklearn(model: Any, tree: int = 0) -> Tree:
    """Convert a fitted scikit-learn tree, a tree of an ensemble, or the tree at the end of a pipeline of scalers.

    The nodes keep their numbers, and every row reaches the same leaf. scikit-learn casts X to float32 before comparing,
    and the thresholds are adjusted so that float64 rows reach the same leaf. Missing values go where scikit-learn sends
    them. Each category of a column in histogram boosting is a 0/1 feature, as in `from_lightgbm`, and a split on
    several categories stays one split. A tree of a voting or stacking model does not predict the same as the model.
    StandardScaler, MinMaxScaler, MaxAbsScaler and RobustScaler are included in the thresholds, exactly for float64 rows
    and whole numbers. (For float32 rows, the scalers round their results.) A tree of gradient boosting becomes a
    regression tree that predicts margins. The margins include the learning rate, and the model sums them. The variance
    of a node is 0 unless the criterion was "squared_error" or "friedman_mse".

    Parameters
    ----------
    model : fitted model, path or bytes
        DecisionTree, ExtraTree, RandomForest, ExtraTrees, Bagging, AdaBoost, GradientBoosting, HistGradientBoosting,
        Voting or Stacking classifier or regressor, a Pipeline that ends with one, or a skops file of one. Pickles are
        not supported.
    tree : int, default=0
        Number of the tree in an ensemble. In gradient boosting with several classes, the trees of one iteration are
        consecutive.

    Returns
    -------
    Tree
        The converted tree.

    Raises
    ------
    ParameterError
        If `model` is not a fitted scikit-learn tree.
    TreeFormatError
        If the model has several outputs, other pipeline steps, trees on different columns, or categories after a
        scaler. If it combines models in another way (one per class or output, chains), or is an isolation forest, whose
        leaves have no predictions.

    See Also
    --------
    Tree.to_sklearn : Converts a tree to scikit-learn.
    improve : Optimises a tree by TAO.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from treecore import from_sklearn
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DecisionTreeClassifier(max_leaf_nodes=3, random_state=0).fit(X, y)
    >>> tree = from_sklearn(model)
    >>> tree.n_leaves, bool((tree.apply(X) == model.apply(X)).all())
    (3, True)
    """
    return sklearn_model(model).tree(tree)


def sklearn_model(model: Any) -> ForeignModel:
    """Return the `ForeignModel` of a model or file that `from_sklearn` supports."""
    if isinstance(model, str | bytes | os.PathLike):
        content = file_content(model, "a fitted scikit-learn tree")
        with report_damage(SKOPS_FILE_NAME):
            return _model(skops_estimator(content))
    return _model(model)


def _model(model):
    steps, estimator = steps_of(model)
    names = getattr(model, "feature_names_in_", getattr(estimator, "feature_names_in_", None))
    names = None if names is None else tuple(map(str, names))
    if hasattr(estimator, "_predictors"):
        return histogram_model(estimator, names, Scaling(steps))
    members, alone, step = _members(estimator)
    for member in members:
        if not _kinds(member) & {*_TREES} or not hasattr(getattr(member, "tree_", None), "children_left"):
            kind = model if len(members) == 1 else member
            raise ParameterError(
                f"model={type(kind).__name__}: expected a fitted scikit-learn DecisionTree, ExtraTree, forest or "
                "boosted trees, or a pipeline that ends with one."
            )
    grown = members[0].tree_
    if grown.n_outputs != 1:
        raise TreeFormatError(
            f"The tree predicts {grown.n_outputs} outputs, but only one is supported. Fit one tree per output."
        )
    scaling = Scaling(steps)
    columns = ForeignColumns(grown.n_features, names, is_scaled=bool(scaling.steps))
    classes = None if step else getattr(estimator, "classes_", None)
    if not step and not all(_predicts(member, classes) for member in members):
        raise TreeFormatError(
            f"The trees of the {type(estimator).__name__} predict other classes than the "
            f"{type(estimator).__name__}. Pass one of its trees, such as model.estimators_[0]."
        )
    return ForeignModel(
        "scikit-learn", len(members), columns, alone,
        lambda number: _tree(members[number], classes, columns, scaling, step, _takes_missing(estimator)),
    )  # fmt: skip


def _predicts(member, classes):
    """Return whether a tree predicts the classes of its model, or numbers if they are None."""
    own = getattr(member, "classes_", None)
    if own is None or classes is None:
        return own is None and classes is None and "ClassifierMixin" not in _kinds(member)
    # trees of a model have its classes or their codes
    return len(own) == len(classes) and (np.array_equal(own, np.arange(len(own))) or np.array_equal(own, classes))


def _kinds(estimator):
    """Return the names of the scikit-learn classes from which an estimator inherits."""
    return {kind.__name__ for kind in type(estimator).__mro__ if kind.__module__.startswith("sklearn.")}


def _members(estimator):
    """Return the list of trees of an estimator, a reason and a factor.

    reason : why a single tree does not predict the same as the model, None if it is proved that it does; factor :
    factor of the leaf values in the sum, or None.
    """
    kind, kinds = type(estimator).__name__, _kinds(estimator)
    found = getattr(estimator, "estimators_", None)
    if found is None:
        estimator = estimator.estimator if "FrozenEstimator" in kinds else estimator  # has the same predictions
        return [estimator], _other_class(estimator, _TREES), None
    if kinds & {*_WITHOUT_LEAVES}:
        raise TreeFormatError(
            f"{kind} is not supported, because its trees are random and their leaves have no predictions."
        )
    known = next((name for name in _ENSEMBLES if name in kinds), None)
    if known is None:
        raise TreeFormatError(
            f"The {kind} combines models in a way that is not supported. Pass one of its trees, such as "
            "model.estimators_[0], with the features and labels that it was trained on."
        )
    members = found.ravel().tolist() if isinstance(found, np.ndarray) else list(found)
    if not members or not all(hasattr(member, "tree_") for member in members):
        raise TreeFormatError(
            f"The {kind} has no trees, or contains other models. Only forests of trees are supported."
        )
    seen = getattr(estimator, "estimators_features_", ())
    if not all(np.array_equal(columns, np.arange(estimator.n_features_in_)) for columns in seen):
        raise TreeFormatError(
            f"The trees of {kind} use different columns. Pass one of its estimators_, with the columns in "
            "estimators_features_."
        )
    if isinstance(found, np.ndarray):
        alone = sums_trees(kind, len(members))
        return members, alone, float(estimator.learning_rate)
    if len(members) == 1 and _ENSEMBLES[known]:
        return members, _other_class(estimator, _ENSEMBLES) or _other_class(members[0], _TREES), None
    if not known.startswith(("Voting", "Stacking")):
        return (
            members,
            (
                f"The {kind} combines the weighted predictions of all its trees."
                if hasattr(estimator, "estimator_weights_")
                else all_trees(kind)
            ),
            None,
        )
    return members, f"The {kind} combines or transforms the predictions of its trees.", None


def _other_class(estimator, names):
    """Return a reason if the class is not one of some classes of scikit-learn, whose predictions it can change."""
    kind = type(estimator)
    is_known = kind.__name__ in names and kind.__module__.startswith("sklearn.")
    return (
        None
        if is_known
        else (
            f"The class {kind.__name__} is not one of scikit-learn's trees and forests, so it can change the "
            "predictions of its tree."
        )
    )


def _tree(estimator, classes, columns, scaling, step, missing):
    grown = estimator.tree_
    features, limit = np.maximum(grown.feature, 0), grown.threshold
    nodes = ForeignNodes(
        left=grown.children_left,
        right=grown.children_right,
        features=features,
        first=first_number(lambda x: scaling(x, features).astype(np.float32) > limit, limit.size),
        missing_right=None if not missing else ~grown.missing_go_to_left.astype(bool),
        weights=grown.weighted_n_node_samples,
        ids=np.arange(grown.node_count),
        n_features=grown.n_features,
        feature_names=columns.feature_names,
        n_samples=grown.n_node_samples,
    )
    values, weight = grown.value[:, 0], grown.weighted_n_node_samples
    if step:
        return nodes.regression(step * values[:, 0])
    if classes is not None:
        with np.errstate(divide="ignore", invalid="ignore"):  # for a damaged file, `Tree` then raises an error
            counts = values / values.sum(axis=1, keepdims=True) * weight[:, None]
        whole = np.rint(counts)
        is_whole = np.allclose(counts, whole, rtol=0, atol=1e-6)  # newer versions store shares
        return nodes.classification(whole if is_whole else counts, classes, values.argmax(axis=1))
    is_squared = getattr(estimator, "criterion", None) in _SQUARED
    variances = np.maximum(grown.impurity, 0.0) if is_squared else np.zeros(weight.size)
    return nodes.regression(values[:, 0], values[:, 0], variances)


def _takes_missing(estimator):
    tags = getattr(estimator, "__sklearn_tags__", None)
    return tags is not None and bool(tags().input_tags.allow_nan)
