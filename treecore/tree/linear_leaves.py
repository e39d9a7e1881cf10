"""`LinearLeaves`: linear models in the leaves of a tree, as flat, read-only arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
import scipy.sparse

from treecore.errors import DataError, TreecoreError, TreeFormatError

_ROWS = 4096


class HasLeaves(Protocol):
    """Interface of a tree with leaves."""

    @property
    def linear(self) -> LinearLeaves | None:
        """Linear models of the leaves."""


_OPERATIONS = {
    "outputs": "An operation that needs a single prediction per leaf",
    "shares": "An operation that needs the class probabilities of a leaf",
    "importances": "Feature importance by impurity decrease",
    "sklearn": "Conversion to scikit-learn",
    "edit": "Editing",
    "place": "Use with another data set",
    "recording": "Recording",
    "sizes": "size_path",
    "critical": "lams='critical'",
    "refine": "refine",
    "shrinkage": "shrinkage",
    "block": "block",
    "missing": "missing='learn'",
}


def require_constant(tree: HasLeaves, what: str, error: type[TreecoreError] = DataError) -> None:
    """Raise `error` if the leaves of `tree` are linear models and `what` does not support these.

    what : key of the operations that do not support them. Functions that need only the predictions of leaves
    (counterfactuals, thumbnails) use `Tree.outputs` or the target, which raise this error with "outputs" or "shares".
    """
    if tree.linear is not None:
        refuse_linear(what, error)


def refuse_linear(what: str, error: type[TreecoreError] = DataError) -> None:
    """Raise `error`, because `what` needs constant leaves, see `require_constant`."""
    raise error(f"{_OPERATIONS[what]} does not support linear leaves. Train with leaf='constant'.")


class LeafModel(NamedTuple):
    """Linear model of one leaf. The scores of a row are ``x[features] @ weights + bias``.

    features : int32[f], sorted; weights : float64[f, q]; bias : float64[q]; penalty : float, l1 norm on scaled features
    of the difference between the weights and those of the parent
    """

    features: np.ndarray
    weights: np.ndarray
    bias: np.ndarray
    penalty: float = 0.0

    @property
    def name(self) -> str:
        """Short name, without the weights."""
        return f"linear model ({self.features.size:,} feature{'s' * (self.features.size != 1)})"


def constant_model(bias: np.ndarray) -> LeafModel:
    """Return a `LeafModel` without weights, whose scores are the bias (float64[q]) for every row."""
    return LeafModel(np.empty(0, np.int32), np.empty((0, bias.size)), bias)


@dataclass(frozen=True, eq=False)
class LinearLeaves:
    """Linear models of the leaves of a tree with m nodes and q scores (one per class, or the predicted number).

    The scores of a row in a leaf are ``x . w + b``, and the class probabilities are their softmax. The most probable
    class is predicted, the first one in a tie. With two classes, the score of the first is 0. Decision nodes contain
    the best model without weights for their points.

    indptr : int64[m + 1], weights of node i are at ``[indptr[i], indptr[i + 1])``
    features, weights : int32[nnz], sorted within a node, and float64[nnz, q]
    bias : float64[m, q]
    losses : float64[m], weight of the misclassified training points of a node, or sum of the squared errors

    Arrays that do not match raise TreeFormatError.
    """

    indptr: np.ndarray
    features: np.ndarray
    weights: np.ndarray
    bias: np.ndarray
    losses: np.ndarray

    def __post_init__(self):
        dtypes = np.int64, np.int32, np.float64, np.float64, np.float64
        for field, dtype in zip(fields(self), dtypes, strict=True):
            array = np.array(getattr(self, field.name), dtype)
            array.setflags(write=False)
            object.__setattr__(self, field.name, array)
        _check(self)

    def __reduce__(self):
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    def __eq__(self, other):
        if not isinstance(other, LinearLeaves):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    __hash__ = None

    @classmethod
    def of_models(cls, models: Sequence[LeafModel], losses: np.ndarray) -> Self:
        """Return the models of all nodes with their training losses."""
        indptr = np.concatenate([[0], np.cumsum([model.features.size for model in models])])
        return cls(
            indptr, np.concatenate([model.features for model in models]),
            np.concatenate([model.weights for model in models]), np.stack([model.bias for model in models]), losses,
        )  # fmt: skip

    def model(self, node: int) -> LeafModel:
        """Return the `LeafModel` of a node, with penalty 0, because penalties are not stored."""
        use = slice(self.indptr[node], self.indptr[node + 1])
        return LeafModel(self.features[use], self.weights[use], self.bias[node])

    def taken(self, nodes: np.ndarray) -> Self:
        """Return the models of some nodes, in this order."""
        return self.of_models([self.model(node) for node in nodes], self.losses[nodes])

    def scores(self, X: Any, leaf: np.ndarray) -> np.ndarray:
        """Return the scores of rows `X` ([n, d], array or CSR) in the nodes `leaf` (int[n]), float64[n, q]."""
        scores = self.bias[leaf]
        for node in np.unique(leaf[np.diff(self.indptr)[leaf] > 0]):
            model = self.model(node)
            points = np.flatnonzero(leaf == node)
            for low in range(0, points.size, _ROWS):
                add_scores(X, points[low : low + _ROWS], model, scores)
        return scores

    def to_record(self) -> dict:
        """Convert to a dict of JSON values."""
        return {field.name: getattr(self, field.name).tolist() for field in fields(self)}


def add_scores(X: Any, points: np.ndarray, model: LeafModel, scores: np.ndarray) -> None:
    """Add ``x . w`` for the rows `points` of `X` to their `scores` (float64[n, q]), feature by feature.

    The order of summation does not depend on the other rows.
    """
    part = X[points][:, model.features]
    part = part.toarray() if scipy.sparse.issparse(part) else np.asarray(part, np.float64)
    found = scores[points]
    for column, weights in zip(part.T, model.weights, strict=True):
        found += column[:, None] * weights
    scores[points] = found


def probabilities(scores: np.ndarray) -> np.ndarray:
    """Return the softmax of scores [n, q], float64[n, q]."""
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def _check(linear):
    m, nonzeros = linear.indptr.size - 1, linear.features.size
    if not (linear.bias.ndim == 2 and linear.bias.shape[0] == m and linear.losses.shape == (m,)):
        raise TreeFormatError("Invalid linear leaves: each node must have one bias.")
    if linear.weights.shape != (nonzeros, linear.bias.shape[1]):
        raise TreeFormatError("Invalid linear leaves: each feature and score must have a weight.")
    rises = linear.indptr[0] == 0 and linear.indptr[-1] == nonzeros and (np.diff(linear.indptr) >= 0).all()
    if not rises:
        raise TreeFormatError("Invalid linear leaves: 'indptr' must increase from 0 to the number of features.")
    node_of = np.repeat(np.arange(m), np.diff(linear.indptr))
    if not (np.diff(linear.features)[node_of[1:] == node_of[:-1]] > 0).all():
        raise TreeFormatError("Invalid linear leaves: the features of a node must increase.")
    for name in ("weights", "bias", "losses"):
        if not np.isfinite(getattr(linear, name)).all():
            raise TreeFormatError(f"Invalid linear leaves: '{name}' must be finite.")
    if not (linear.losses >= 0).all():
        raise TreeFormatError("Invalid linear leaves: 'losses' must not be negative.")
