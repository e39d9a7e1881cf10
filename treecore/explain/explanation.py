"""Why a tree predicts what it predicts for one input, what would change that, and where it uses each feature."""

from dataclasses import dataclass

import numpy as np

from treecore.explain.counterfactuals import Counterfactual, counterfactual
from treecore.parameter_checks import check_whole
from treecore.tree.conditions import Linear, number, side, significant, visible

__all__ = ["Counterfactual", "Explanation", "Step", "counterfactual", "explain", "feature_usage"]


@dataclass(frozen=True)
class Step:
    """One decision on the way of an input.

    node, child : int; condition : str, the one that the input meets; margin : float, ``w . x + b`` (NaN where a value
    is missing); right : bool, whether it goes right; before, after : tuple of float, shares of the classes among the
    training rows of `node` and `child` (for regression their mean); change : str, the shares that change most; text :
    str, all of it as a sentence.
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
    """The way of one input: steps : tuple of Step, root first; leaf : int; prediction : class label, or number;
    shares : tuple of float, of the classes in the leaf (for regression its mean)."""

    steps: tuple
    leaf: int
    prediction: object
    shares: tuple

    def __str__(self):
        prediction = self.prediction
        if isinstance(prediction, float):
            prediction = number(significant(prediction, 6))
        return "".join(f"{step}\n" for step in self.steps) + f"prediction: {visible(prediction)}\n"


def explain(tree, x, precision=4, most_terms=8, spread=None):
    """`Explanation` of what `tree` does with one input.

    x : float[d] (NaN only in trees that learned from missing values); precision : int >= 1, significant digits in the
    texts, or None for all; most_terms : int >= 1, terms of a weighted sum in the texts, the largest, or None for all;
    spread : float[d], of the values of each feature (such as their standard deviation), so that terms are compared
    whatever their units, or None. A decision on one feature shows more digits where it would else seem to be broken.
    Raises DataError, ParameterError.
    """
    for name, value in (("precision", precision), ("most_terms", most_terms)):
        if value is not None:
            check_whole(value, name, 1)
    x = x.toarray() if hasattr(x, "toarray") else np.asarray(x)
    x = x.reshape(1, -1) if x.ndim == 1 else x
    path = tree.decision_path(x).tolist()
    steps = tuple(
        _step(tree, x, node, child, precision, most_terms, spread) for node, child in zip(path, path[1:], strict=False)
    )
    leaf = path[-1]
    return Explanation(steps, leaf, tree.predictions[leaf].item(), tree.target.summary(tree.values[leaf]))


def feature_usage(tree):
    """int64[d]: number of decision nodes that use each feature (with a weight that is not 0)."""
    return np.bincount(tree.features[tree.weights != 0.0], minlength=tree.n_features)


def _step(tree, x, node, child, precision, most_terms, spread):
    right = child == tree.right[node]
    condition, margin = side(tree, node, right), float(tree.margins(x, node)[0])
    features = tree.split(node)[0].tolist()
    missing = [feature for feature in features if np.isnan(margin) and np.isnan(float(x[0, feature]))]
    before, after = (tree.target.summary(tree.values[place]) for place in (node, child))
    change = tree.target.change(before, after)
    shown = "always" if condition is None else _readable(condition, x, precision, most_terms, spread)
    if missing:
        why = ", ".join(visible(tree.feature_name(feature)) for feature in missing) + " missing"
    else:
        why = f"margin {'+' if margin >= 0 else ''}{number(significant(margin, precision))}"
    text = f"{shown}: {why}, goes {'right' if right else 'left'}; {change}"
    return Step(node, child, shown, margin, bool(right), before, after, change, text)


def _readable(condition, x, precision, most_terms, spread):
    """Text with `precision` digits, or as few more as keep it true of x."""
    if isinstance(condition, Linear):
        return (condition if precision is None else condition.shortened(precision)).text(most_terms, spread)
    if precision is None:
        return str(condition)
    value = float(x[0, condition.feature])
    for digits in range(precision, 18):
        shown = condition.rounded(digits)
        if np.isnan(value) or shown.covers(_OneValue(value)).all():
            break
    return str(shown)


class _OneValue:
    """A single row whose features all have one value, as a condition on one feature takes it."""

    n = 1

    def __init__(self, value):
        self._value = np.array([value])

    def __getitem__(self, feature):
        return self._value
