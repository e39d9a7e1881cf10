"""`LinearAnswer`: the prediction of a linear leaf as text in a rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from treecore.tree.condition_text import TYPED
from treecore.tree.conditions import ENOUGH, Linear, condition_of
from treecore.tree.leaf_model import CONSTANT
from treecore.tree.linear_leaves import LinearModel, add_scores
from treecore.tree.number_text import FEW_DIGITS, significant
from treecore.tree.tree import Tree

_ALL_DIGITS = 17
_SAME = 0.01  # share of the standard deviation in a leaf, within which two numbers count as equal


@dataclass(frozen=True, eq=False)
class LinearAnswer:
    """Prediction of a linear leaf with weights.

    model : LinearModel, for two classes with score 0 for the first; names : feature names; classes : array of labels,
    empty for regression; texts : labels in the syntax of typed rules; is_rounded : whether digits are omitted.
    """

    model: LinearModel
    names: tuple
    classes: np.ndarray
    texts: tuple
    is_rounded: bool = False

    @classmethod
    def of_leaf(cls, tree: Tree, leaf: int) -> Self | Any:
        """Return the prediction of a leaf of `tree`, with full precision.

        For a leaf without weights, this is the label or number itself.
        """
        model, target = tree.leaf_model.model(leaf), tree.target
        if not model.features.size:
            return target.answers(model.bias[None], tree.classes)[0].item()
        if model.bias.size == 2:
            # the first score of a fitted model is already 0
            model = model._replace(weights=model.weights - model.weights[:, :1], bias=model.bias - model.bias[0])
        texts = tuple(target.label_text(label) for label in tree.classes.tolist())
        return cls(model, tuple(map(tree.feature_name, model.features.tolist())), tree.classes, texts)

    @property
    def name(self) -> str:
        """Short name, without the weights."""
        return self.model.name

    def predict(self, X: Any) -> np.ndarray:
        """Predict labels or numbers [n] of rows [n, d] (array or CSR)."""
        scores = np.tile(self.model.bias, (X.shape[0], 1))
        add_scores(X, np.arange(X.shape[0]), self.model, scores)
        return self.classes[scores.argmax(axis=1)] if self.classes.size else scores[:, 0]

    def rounded(self, precision: Any, X: Any = None) -> Self:
        """Round the weights to `precision` significant digits (None: all).

        "enough" uses the fewest digits that keep the predicted class of each row in `X` (the rows of the leaf), or its
        predicted number within a hundredth of their standard deviation. Without rows, it uses 3 digits.
        """
        if precision is None:
            return self
        if precision != ENOUGH:
            weights, bias = (
                np.reshape([significant(value, precision) for value in part.ravel().tolist()], part.shape)
                for part in (self.model.weights, self.model.bias)
            )
            return replace(self, model=self.model._replace(weights=weights, bias=bias), is_rounded=True)
        if X is None or not X.shape[0]:
            return self.rounded(FEW_DIGITS)
        told = self.predict(X)
        for digits in range(FEW_DIGITS, _ALL_DIGITS):
            found = self.rounded(digits)
            again = found.predict(X)
            same = again == told if self.classes.size else np.abs(again - told) <= _SAME * told.std()
            if same.all():
                return found
        return self

    def __str__(self):
        sums = [
            [(weight, name) for weight, name in zip(weights, self.names, strict=True) if weight]
            for weights in self.model.weights.T.tolist()
        ]
        bias = self.model.bias.tolist()
        if not self.classes.size:
            return TYPED.sum(sums[0], bias[0])
        if len(bias) == 2:
            return f"{self.texts[1]} if {self._condition()} else {self.texts[0]}"
        parts = zip(self.texts, sums, bias, strict=True)
        told = [f"{text}: {TYPED.sum(terms, offset)}" for text, terms, offset in parts]
        return f"the class with the largest sum ({'; '.join(told)})"

    def _condition(self):
        """Return the condition under which the second of two classes has the larger score.

        In a tie, the first class is predicted.
        """
        weights, bias = self.model.weights[:, 1], float(self.model.bias[1])
        if weights.size == 1:
            return condition_of((self.model.features, -weights, -bias), self.names, False)
        features, weights = self.model.features.tolist(), weights.tolist()
        offset, bound = (0.0, -bias + 0.0) if self.is_rounded else (bias, 0.0)
        return Linear(tuple(features), self.names, tuple(weights), offset, ">", bound)


def linear_figures(
    tree: Tree, X: Any, reached: np.ndarray | None, y: np.ndarray | None, precision: int | str | None
) -> dict[int, dict]:
    """Return the metrics of linear leaves, in the form of `Target.leaf_figures`.

    The labels are `LinearAnswer`s.

    X : known rows, or None; reached, y : leaves and labels of the counted rows, which are X if y is given; precision :
    significant digits, as in `LinearAnswer.rounded`.
    """
    target = tree.target
    figures = target.leaf_figures(replace(tree, leaf_model=CONSTANT), reached, y)
    weight, losses = target.weights(tree.values), tree.leaf_model.node_losses(tree, target)
    if reached is not None and y is not None:
        weight = np.bincount(reached, minlength=tree.n_nodes)
        losses = np.bincount(reached, target.losses(tree.predict(X), y), tree.n_nodes)
    for leaf, found in figures.items():
        answer = LinearAnswer.of_leaf(tree, leaf)
        if isinstance(answer, LinearAnswer):
            rows = None if X is None or precision != ENOUGH else X[np.flatnonzero(reached == leaf)]
            answer = answer.rounded(precision, rows)
        found["label"] = answer
        if weight[leaf] > 0:
            error = target.error(losses[leaf] / weight[leaf])
            found[target.certainty] = 1.0 - error if target.values_are_groups else error
    return figures
