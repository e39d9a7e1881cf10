"""`LinearLeaves`: linear models in the leaves of a tree, as flat, read-only arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import scipy.sparse

from treecore.errors import TreeFormatError
from treecore.messages import joined
from treecore.tree.leaf_model import CONSTANT, LeafModel

_ROWS = 4096
MAX_FEATURES = 2_000_000


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
_REFUSALS = {
    key: f"{name} does not support linear leaves. Train with leaf='constant'." for key, name in _OPERATIONS.items()
} | {
    "pmml": "PMML export does not support leaves with linear models. Train with leaf='constant', or choose another "
    "format."
}


class LinearModel(NamedTuple):
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


def constant_model(bias: np.ndarray) -> LinearModel:
    """Return a `LinearModel` without weights, whose scores are the bias (float64[q]) for every row."""
    return LinearModel(np.empty(0, np.int32), np.empty((0, bias.size)), bias)


@dataclass(frozen=True, eq=False)
class LinearLeaves(LeafModel):
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

    kind: ClassVar[str] = "linear"
    words: ClassVar[str] = "linear model"
    help: ClassVar[str] = (
        "a sparse linear model per leaf (softmax regression or least squares). Depth 2 is usually enough. Linear "
        "leaves train more slowly and cannot be edited."
    )
    is_constant: ClassVar[bool] = False
    refusals: ClassVar[Mapping[str, str]] = _REFUSALS

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
    def of_models(cls, models: Sequence[LinearModel], losses: np.ndarray) -> Self:
        """Return the models of all nodes with their training losses."""
        indptr = np.concatenate([[0], np.cumsum([model.features.size for model in models])])
        return cls(
            indptr, np.concatenate([model.features for model in models]),
            np.concatenate([model.weights for model in models]), np.stack([model.bias for model in models]), losses,
        )  # fmt: skip

    def model(self, node: int) -> LinearModel:
        """Return the `LinearModel` of a node, with penalty 0, because penalties are not stored."""
        use = slice(self.indptr[node], self.indptr[node + 1])
        return LinearModel(self.features[use], self.weights[use], self.bias[node])

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

    def check_tree(self, tree: Any, n_scores: int) -> None:
        m = tree.n_nodes
        if self.bias.shape != (m, n_scores):
            raise TreeFormatError(f"The linear leaves must have {n_scores} scores for each of {m} nodes.")
        if not (self.features.size == 0 or (self.features.min() >= 0 and self.features.max() < tree.n_features)):
            raise TreeFormatError(f"The features of linear leaves must lie in [0, {tree.n_features}).")
        if np.diff(self.indptr)[tree.left >= 0].any():
            raise TreeFormatError("Only leaves can have linear models with weights.")

    def predict(self, tree: Any, target: Any, labels: Any, X: Any, leaf: np.ndarray) -> np.ndarray:
        return target.answers(self.scores(X, leaf), labels)

    def probabilities(self, tree: Any, X: Any, leaf: np.ndarray) -> np.ndarray:
        return probabilities(self.scores(X, leaf))

    def usual_outputs(self, tree: Any, target: Any) -> np.ndarray:
        is_told = (tree.left < 0) & (np.diff(self.indptr) == 0)
        told = target.answers(self.bias, target.positions(tree))
        return np.where(is_told, told, target.outputs(replace(tree, leaf_model=CONSTANT)))

    def values(self, tree: Any, target: Any, nodes: range) -> list:
        return [
            None
            if tree.left[node] >= 0 or self.features_of(node).size
            else target.answers(self.bias[node][None], tree.classes)[0].item()
            for node in nodes
        ]

    def text(self, tree: Any, target: Any, leaf: int) -> str:
        (value,) = self.values(tree, target, range(leaf, leaf + 1))
        return self.model(leaf).name if value is None else target.label_text(value)

    def node_losses(self, tree: Any, target: Any) -> np.ndarray:
        return self.losses

    def leaf_counts(self, tree: Any, target: Any) -> tuple[np.ndarray, np.ndarray]:
        counts, _ = target.leaf_counts(replace(tree, leaf_model=CONSTANT))
        return counts, self.losses[tree.left < 0]

    def keys(self, tree: Any) -> np.ndarray:
        model = np.where(np.diff(self.indptr) > 0, np.arange(tree.n_nodes), -1)
        return np.column_stack([self.bias, model])

    def sizes(self, tree: Any) -> np.ndarray:
        return np.diff(self.indptr)

    def n_weights(self, tree: Any) -> np.ndarray:
        rises = np.cumsum(np.concatenate([[0], np.count_nonzero(self.weights, axis=1)]))
        return np.diff(rises[self.indptr])

    def used_features(self) -> np.ndarray:
        return self.features

    def features_of(self, node: int) -> np.ndarray:
        return self.features[self.indptr[node] : self.indptr[node + 1]]

    def on_features(self, used: np.ndarray) -> Self:
        return replace(self, features=np.searchsorted(used, self.features))

    def start(self, tree: Any) -> tuple[np.ndarray, list | None]:
        return tree.labels, [self.model(node) for node in range(tree.n_nodes)]

    @classmethod
    def of_nodes(cls, tree: Any, loss: Any, values: np.ndarray, samples: np.ndarray) -> LeafModel:
        """Return the models of the leaves. Decision nodes and leaves without points have a model without weights."""
        if tree.models is None:
            return CONSTANT
        models, losses = list(tree.models), tree.losses.copy()
        for node in np.flatnonzero((tree.left >= 0) | (samples == 0)):
            models[node] = constant_model(loss.target.scores(values[node]))
            losses[node] = loss.losses_of(values[node])
        return cls.of_models(models, losses)

    def to_record(self) -> dict | None:
        return {field.name: getattr(self, field.name).tolist() for field in fields(self)}

    @classmethod
    def from_record(cls, record: dict, numbers: Callable, matrix: Callable) -> LeafModel:
        names = tuple(field.name for field in fields(cls))
        if record.keys() != set(names):
            raise TreeFormatError(f"'linear' must be null or contain {joined(names)}.")
        whole = {name: numbers(record[name], name, int, np.int64) for name in ("indptr", "features")}
        if whole["features"].size and not 0 <= whole["features"].min() <= whole["features"].max() < MAX_FEATURES:
            raise TreeFormatError("'features' of 'linear' contains an index that is out of range.")
        bias = matrix(record["bias"], "bias")
        weights = matrix(record["weights"], "weights") if record["weights"] else np.empty((0, bias.shape[1]))
        return cls(**whole, weights=weights, bias=bias, losses=numbers(record["losses"], "losses", float, float))


def add_scores(X: Any, points: np.ndarray, model: LinearModel, scores: np.ndarray) -> None:
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
