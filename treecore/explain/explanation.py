"""Explanations of single predictions, and the number of splits that use each feature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike

from treecore.errors import DataError
from treecore.explain.counterfactuals import Counterfactual, counterfactual
from treecore.foreign.fitted_tree import fitted_tree
from treecore.messages import counted
from treecore.parameter_checks import check_whole
from treecore.tree.category_columns import CategoryColumns, shown_columns
from treecore.tree.condition_text import TYPESET, largest_terms, margin_text, visible
from treecore.tree.conditions import Columns, Linear, condition_of, side
from treecore.tree.decision_digits import ALL_DIGITS
from treecore.tree.feature_statistics import margin_units
from treecore.tree.number_text import number, significant
from treecore.tree.tree import Tree

__all__ = ["Counterfactual", "ExplainedDecision", "Explanation", "counterfactual", "explain", "feature_usage"]


@dataclass(frozen=True)
class ExplainedDecision:
    """One step of a decision path.

    Parameters
    ----------
    node : int
        The decision node.
    child : int
        The child that the input goes to.
    condition : str
        Condition that the input fulfils.
    margin : float
        ``w . x + b`` (NaN for a missing value), divided by `margin_units` if the standard deviations of the features
        are known.
    right : bool
        Whether the input goes right.
    before : tuple of float
        Class shares of the training rows in `node`, or their mean for regression.
    after : tuple of float
        Class shares or mean of the training rows in `child`.
    change : str
        Text with the largest changes between `before` and `after`.
    text : str
        The whole step as a sentence.

    See Also
    --------
    explain : Returns the steps of an input.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> from treecore.explain import explain
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> step = explain(CARTClassifier(random_state=0).fit(X, y), X.iloc[0]).steps[0]
    >>> step.condition, step.right
    ('petal width (cm) < 0.8', False)
    """

    node: int
    child: int
    condition: str
    margin: float
    right: bool
    before: tuple
    after: tuple
    change: str
    text: str

    def __str__(self):
        return self.text


@dataclass(frozen=True)
class Explanation:
    """Decision path of one input and its prediction.

    Parameters
    ----------
    steps : tuple of ExplainedDecision
        Steps from the root.
    leaf : int
        The leaf.
    prediction : object
        Predicted class label or number.
    shares : tuple of float
        Class probabilities of the leaf or its model, or the mean for regression.
    reason : str, default=""
        For a linear leaf, the weighted sum that gives the prediction, or its difference from the second most probable
        class.

    See Also
    --------
    explain : Returns this result.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> from treecore.explain import explain
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = explain(CARTClassifier(random_state=0).fit(X, y), X.iloc[0])
    >>> found.leaf, found.prediction, found.shares
    (1, 0, (1.0, 0.0, 0.0))
    """

    steps: tuple
    leaf: int
    prediction: object
    shares: tuple
    reason: str = ""

    def __str__(self):
        prediction = self.prediction
        if isinstance(prediction, float):
            prediction = number(prediction, 6)
        return (
            "".join(f"{step}\n" for step in self.steps)
            + f"prediction: {visible(prediction)}{self.reason and f' ({self.reason})'}\n"
        )


def explain(
    tree: Any,
    x: ArrayLike,
    precision: int | None = 4,
    most_terms: int | None = 8,
    deviation: np.ndarray | None = None,
    columns: CategoryColumns | None = None,
) -> Explanation | None:
    """Explain the prediction of one input.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or an estimator or pipeline (`fitted_tree`).
    x : array-like of shape (d,)
        One input, or a row of a DataFrame. NaN is supported only by trees that learnt from missing values.
    precision : int, int array or None, default=4
        Significant digits of the conditions, one number or one per node (`treecore.tree.decision_digits`). None keeps
        all. A univariate condition has more digits if rounding would make it look violated.
    most_terms : int or None, default=8
        Maximum number of terms in a weighted sum, largest first. None keeps all.
    deviation : float array of shape (d,) or None, default=None
        Standard deviation of each feature, which makes terms and margins of different units comparable.
    columns : CategoryColumns or None, default=None
        Categorical columns, whose names are used in conditions. None uses the feature names.

    Returns
    -------
    Explanation
        The steps of the decision path and the prediction.

    Raises
    ------
    DataError
        If `x` does not fit the tree.
    ParameterError
        If a parameter is outside its range.

    See Also
    --------
    counterfactual : Finds the nearest input with another prediction.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> from treecore.explain import explain
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> print(explain(CARTClassifier(random_state=0).fit(X, y), X.iloc[0]))
    petal width (cm) < 0.8: margin −0.6, goes left; 0: 33.3 % → 100.0 %, 1: 33.3 % → 0.0 %, 2: 33.3 % → 0.0 %
    prediction: 0
    """
    for name, value in (("precision", precision), ("most_terms", most_terms)):
        if value is not None and not isinstance(value, np.ndarray):
            check_whole(value, name, 1)
    tree, features = fitted_tree(tree)
    x = features(x)
    x = x.toarray() if scipy.sparse.issparse(x) else np.asarray(x)
    x = x.reshape(1, -1) if x.ndim == 1 else x
    if len(x) != 1:
        raise DataError(f"x has {counted(len(x), 'row')}, but explain supports one row. Pass one row, such as x[0].")
    path = tree.path_of(x).tolist()
    if columns is None:
        columns = shown_columns(tree)
    units = None if deviation is None else margin_units(tree, deviation)
    steps = tuple(
        _step(tree, x, node, child, precision, most_terms, deviation, columns, units)
        for node, child in zip(path, path[1:], strict=False)
    )
    leaf = path[-1]
    if tree.leaf_model.is_constant:
        return Explanation(steps, leaf, tree.predictions[leaf].item(), tree.target.summary(tree.values[leaf]))
    prediction = tree.predict(x)[0].item()
    digits = int(precision[leaf]) if isinstance(precision, np.ndarray) else precision
    if not tree.target.values_are_groups:
        return Explanation(steps, leaf, prediction, (prediction,), _sum_text(tree, leaf, digits, most_terms))
    shares = tree.predict_proba(x)[0]
    reason = _comparison_text(tree, x, leaf, digits, most_terms, deviation, columns)
    return Explanation(steps, leaf, prediction, tuple(shares.tolist()), reason)


def feature_usage(tree: Tree) -> np.ndarray:
    """Return the number of decision nodes that use each feature.

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    int64 array of shape (d,)
        Number of splits with a nonzero weight of the feature.

    See Also
    --------
    explain : Explains one prediction.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> from treecore.explain import feature_usage
    >>> X, y = load_iris(return_X_y=True)
    >>> feature_usage(CARTClassifier(random_state=0).fit(X, y).tree_).tolist()
    [0, 0, 0, 2]
    """
    return np.bincount(tree.features[tree.weights != 0.0], minlength=tree.n_features)


def _step(tree, x, node, child, precision, most_terms, deviation, columns, units):
    right = child == tree.right[node]
    condition, margin = side(tree, node, right), float(tree.margins(x, node)[0])
    if condition is not None and margin == margin:  # the side of missing values is irrelevant to this row
        condition = replace(condition, missing=None)
    if units is not None:
        margin /= float(units[node])
    before, after = (tree.target.summary(tree.values[place]) for place in (node, child))
    change = tree.target.change(before, after)
    digits = int(precision[node]) if isinstance(precision, np.ndarray) else precision
    shown = "always" if condition is None else _readable(columns.combine(condition), x, digits, most_terms, deviation)
    text = f"{shown}: {margin_text(margin, right, '' if units is None else ' sd')}; {change}"
    return ExplainedDecision(node, child, shown, margin, bool(right), before, after, change, text)


def _comparison_text(tree, x, leaf, digits, most_terms, deviation, columns):
    """Return the reason why a linear leaf predicts a class rather than the second most probable one."""
    model = tree.leaf_model.model(leaf)
    if tree.classes.size == 1:
        return ""
    first, second = np.argsort(-tree.leaf_model.scores(x, np.array([leaf]))[0], kind="stable")[:2]
    weights = model.weights[:, first] - model.weights[:, second]
    used = np.flatnonzero(weights)
    names = [tree.feature_name(feature) for feature in model.features[used]]
    split = model.features[used], weights[used], model.bias[first] - model.bias[second]
    condition = condition_of(split, names)
    why = "always" if condition is None else _readable(columns.combine(condition), x, digits, most_terms, deviation)
    return f"rather than {visible(tree.classes[second].item())}: {why}"


def _sum_text(tree, leaf, digits, most_terms):
    model = tree.leaf_model.model(leaf)
    kept = largest_terms(model.weights[:, 0], most_terms).tolist()
    terms = [(significant(float(model.weights[i, 0]), digits), tree.feature_name(int(model.features[i]))) for i in kept]
    return f"= {TYPESET.sum(terms, significant(float(model.bias[0]), digits), model.features.size - len(kept))}"


def _readable(condition, x, digits, most_terms, deviation):
    """Return the text of a condition with the given digits, or with more if x would otherwise violate it."""
    shown = condition.rounded(digits)
    for more in range(digits or ALL_DIGITS, ALL_DIGITS + 1):
        if isinstance(shown, Linear) or shown.covers(Columns(x)).all():
            break
        shown = condition.rounded(more)
    return shown.text(TYPESET, most_terms, deviation)
