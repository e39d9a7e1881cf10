"""Why a tree predicts what it predicts for one input, what would change that, and where it uses each feature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike

from treecore.explain.counterfactuals import Counterfactual, counterfactual
from treecore.foreign.fitted_tree import fitted_tree
from treecore.parameter_checks import check_whole
from treecore.tree.category_columns import CategoryColumns, column_groups
from treecore.tree.condition_text import TYPESET, largest_terms, margin_text, visible
from treecore.tree.conditions import Columns, Linear, condition_of, side
from treecore.tree.decision_digits import ALL_DIGITS
from treecore.tree.feature_statistics import margin_units
from treecore.tree.number_text import number, significant
from treecore.tree.tree import Tree

__all__ = ["Counterfactual", "ExplainedDecision", "Explanation", "counterfactual", "explain", "feature_usage"]


@dataclass(frozen=True)
class ExplainedDecision:
    """One decision on the way of an input.

    node, child : int; condition : str, the one that the input meets; margin : float, ``w . x + b`` (NaN where a value
    is missing), divided by `margin_units` where the deviation of the features is known; right : bool, whether it goes
    right; before, after : tuple of float, shares of the classes among the training rows of `node` and `child` (for
    regression their mean); change : str, the shares that change most; text : str, all of it as a sentence.
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
    """The way of one input: steps : tuple of ExplainedDecision, root first; leaf : int; prediction : class label, or
    number; shares : tuple of float, of the classes in the leaf (for regression its mean), or what its model says;
    reason : str, what a linear leaf weighs: the sum by which the class comes before the next likely one, or the sum
    that is predicted; "" of other leaves."""

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
    """`Explanation` of what `tree` does with one input.

    tree : Tree, or a fitted estimator or pipeline (`fitted_tree`); x : float[d] (NaN only in trees that learned from
    missing values), or a row of a DataFrame, by name; precision : int >= 1, significant digits in the
    conditions, None for all, or int[m], those of each node (`treecore.tree.decision_digits`); most_terms : int >= 1,
    terms of a weighted sum in the texts, the largest, or None for all; deviation : float[d], standard deviation of each
    feature, so that terms and margins are compared whatever their units, or None; columns : of categories, in
    whose words decisions are told, None: as the features' names say. A decision on one feature shows more digits where
    it would else seem to be broken.
    Raises DataError, ParameterError.
    """
    for name, value in (("precision", precision), ("most_terms", most_terms)):
        if value is not None and not isinstance(value, np.ndarray):
            check_whole(value, name, 1)
    tree, features = fitted_tree(tree)
    x = features(x)
    x = x.toarray() if scipy.sparse.issparse(x) else np.asarray(x)
    x = x.reshape(1, -1) if x.ndim == 1 else x
    path = tree.decision_path(x).tolist()
    if columns is None:
        columns = CategoryColumns.of(tree.feature_names, column_groups(tree.feature_names))
    units = None if deviation is None else margin_units(tree, deviation)
    steps = tuple(
        _step(tree, x, node, child, precision, most_terms, deviation, columns, units)
        for node, child in zip(path, path[1:], strict=False)
    )
    leaf = path[-1]
    if tree.linear is None:
        return Explanation(steps, leaf, tree.predictions[leaf].item(), tree.target.summary(tree.values[leaf]))
    prediction = tree.predict(x)[0].item()
    digits = int(precision[leaf]) if isinstance(precision, np.ndarray) else precision
    if not tree.target.values_are_groups:
        return Explanation(steps, leaf, prediction, (prediction,), _sum_text(tree, leaf, digits, most_terms))
    shares = tree.predict_proba(x)[0]
    reason = _comparison_text(tree, x, leaf, digits, most_terms, deviation, columns)
    return Explanation(steps, leaf, prediction, tuple(shares.tolist()), reason)


def feature_usage(tree: Tree) -> np.ndarray:
    """int64[d]: number of decision nodes that use each feature (with a weight that is not 0)."""
    return np.bincount(tree.features[tree.weights != 0.0], minlength=tree.n_features)


def _step(tree, x, node, child, precision, most_terms, deviation, columns, units):
    right = child == tree.right[node]
    condition, margin = side(tree, node, right), float(tree.margins(x, node)[0])
    if condition is not None and margin == margin:  # what a missing value would do does not concern this row
        condition = replace(condition, missing=None)
    if units is not None:
        margin /= float(units[node])
    before, after = (tree.target.summary(tree.values[place]) for place in (node, child))
    change = tree.target.change(before, after)
    digits = int(precision[node]) if isinstance(precision, np.ndarray) else precision
    shown = "always" if condition is None else _readable(columns.told(condition), x, digits, most_terms, deviation)
    text = f"{shown}: {margin_text(margin, right, '' if units is None else ' sd')}; {change}"
    return ExplainedDecision(node, child, shown, margin, bool(right), before, after, change, text)


def _comparison_text(tree, x, leaf, digits, most_terms, deviation, columns):
    """Why a linear leaf predicts its class and not the next likely one."""
    model = tree.linear.model(leaf)
    if tree.classes.size == 1:
        return ""
    first, second = np.argsort(-tree.linear.scores(x, np.array([leaf]))[0], kind="stable")[:2]
    weights = model.weights[:, first] - model.weights[:, second]
    used = np.flatnonzero(weights)
    names = [tree.feature_name(feature) for feature in model.features[used]]
    split = model.features[used], weights[used], model.bias[first] - model.bias[second]
    condition = condition_of(split, names)
    why = "always" if condition is None else _readable(columns.told(condition), x, digits, most_terms, deviation)
    return f"rather than {visible(tree.classes[second].item())}: {why}"


def _sum_text(tree, leaf, digits, most_terms):
    model = tree.linear.model(leaf)
    kept = largest_terms(model.weights[:, 0], most_terms).tolist()
    terms = [(significant(float(model.weights[i, 0]), digits), tree.feature_name(int(model.features[i]))) for i in kept]
    return f"= {TYPESET.sum(terms, significant(float(model.bias[0]), digits), model.features.size - len(kept))}"


def _readable(condition, x, digits, most_terms, deviation):
    """Text with so many digits, or as few more as keep it true of x."""
    shown = condition.rounded(digits)
    for more in range(digits or ALL_DIGITS, ALL_DIGITS + 1):
        if isinstance(shown, Linear) or shown.covers(Columns(x)).all():
            break
        shown = condition.rounded(more)
    return shown.text(TYPESET, most_terms, deviation)
