"""Define hypothesis strategies (trees, data sets, reduced problems), and a small tree with methods to damage it."""

import numpy as np
from hypothesis import strategies as st

from treecore import Tree

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)
MODEST = st.floats(-100, 100, allow_nan=False, width=32)
CLASSES = st.one_of(
    st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=4, unique=True),
    st.lists(st.text(max_size=5).map(lambda s: s.rstrip("\0")), min_size=1, max_size=4, unique=True),
    st.lists(FINITE, min_size=1, max_size=4, unique=True),
    st.just([False, True]),
)


@st.composite
def trees(draw, numbers=FINITE, max_decisions=7, max_features=5):
    """Draw any valid `Tree`: random shape, sparse splits, class labels of any kind."""
    n_features = draw(st.integers(1, max_features))
    classes = draw(CLASSES)
    left, right, splits = [-1], [-1], [([], 0.0)]
    for _ in range(draw(st.integers(0, max_decisions))):
        leaf = draw(st.sampled_from([i for i in range(len(left)) if left[i] < 0]))
        left[leaf], right[leaf] = len(left), len(left) + 1
        features = draw(st.lists(st.integers(0, n_features - 1), max_size=3, unique=True).map(sorted))
        splits[leaf] = ([(j, draw(numbers)) for j in features], draw(numbers))
        left += [-1, -1]
        right += [-1, -1]
        splits += [([], 0.0), ([], 0.0)]
    m, k = len(left), len(classes)
    counts = draw(st.lists(st.lists(st.integers(0, 50), min_size=k, max_size=k), min_size=m, max_size=m))
    values = np.array(counts, float)
    values[values.sum(axis=1) == 0, 0] = draw(st.sampled_from([1.0, 0.1, 2.5]))
    names = draw(st.none() | st.lists(st.text(max_size=4), min_size=n_features, max_size=n_features))
    return Tree(
        left=left, right=right, indptr=np.cumsum([0] + [len(pairs) for pairs, _ in splits]),
        features=[j for pairs, _ in splits for j, _ in pairs], weights=[w for pairs, _ in splits for _, w in pairs],
        bias=[bias for _, bias in splits], labels=draw(st.lists(st.integers(0, k - 1), min_size=m, max_size=m)),
        values=values, n_samples=draw(st.lists(st.integers(0, 100), min_size=m, max_size=m)),
        origin=draw(st.lists(st.integers(0, 2**40), min_size=m, max_size=m, unique=True)),
        classes=classes, n_features=n_features, feature_names=names,
    )  # fmt: skip


def rows(n_features, numbers=MODEST, max_rows=12):
    """Return a strategy for rows, float64[n, n_features]."""
    row = st.lists(numbers, min_size=n_features, max_size=n_features)
    return st.lists(row, min_size=1, max_size=max_rows).map(lambda x: np.array(x, float))


@st.composite
def datasets(draw, max_rows=40, max_features=4, max_classes=3):
    """Draw (X, y, weights) with few distinct values, so that ties and constant features are common.

    The labels y are 0 .. k - 1.
    """
    n, d = draw(st.integers(2, max_rows)), draw(st.integers(1, max_features))
    k = draw(st.integers(2, max_classes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["few bytes", "halves", "reals"]))
    if kind == "few bytes":
        X = rng.integers(0, draw(st.integers(1, 6)), (n, d)).astype(np.uint8)
    elif kind == "halves":
        X = rng.integers(-4, 5, (n, d)).astype(np.float32) / 2
    else:
        X = rng.standard_normal((n, d))
    weights = rng.integers(1, 4, n).astype(float) if draw(st.booleans()) else np.ones(n)
    return X, rng.integers(0, k, n), weights


@st.composite
def reduced_problems(draw):
    """Draw (X, targets in {-1, 0, 1}, weights) of one node, with at least one care point."""
    X, classes, weights = draw(datasets(max_classes=3))
    targets = (classes - 1).astype(np.int8)
    targets[0] = targets[0] or 1
    return X, targets, weights


def small_tree(**changes):
    """Return the tree x0 < 1.5 -> "a"; else x0 - x2 >= 0 -> "c", otherwise "b"."""
    arrays = {
        "left": [1, -1, 3, -1, -1], "right": [2, -1, 4, -1, -1], "indptr": [0, 1, 1, 3, 3, 3],
        "features": [0, 0, 2], "weights": [1.0, 1.0, -1.0], "bias": [-1.5, 0, 0, 0, 0], "labels": [0, 0, 1, 1, 2],
        "values": [[4, 3, 2], [4, 0, 0], [0, 3, 2], [0, 3, 0], [0, 0, 2]], "n_samples": [9, 4, 5, 3, 2],
        "origin": [0, 1, 2, 5, 6], "classes": ["a", "b", "c"], "n_features": 3,
    }  # fmt: skip
    return Tree(**(arrays | changes))


# Changes after which `small_tree` is not a valid tree.
CORRUPTIONS = {
    "cycle": {"left": [1, -1, 0, -1, -1]},
    "node is its own child": {"left": [1, -1, 2, -1, -1]},
    "child out of range": {"right": [2, -1, 5, -1, -1]},
    "child below -1": {"left": [1, -2, 3, -1, -1]},
    "one child only": {"right": [2, -1, -1, -1, -1]},
    "two parents": {"right": [2, -1, 1, -1, -1]},
    "same child twice": {"right": [2, -1, 3, -1, -1]},
    "orphan": {"left": [1, -1, -1, -1, -1], "right": [2, -1, -1, -1, -1], "indptr": [0, 1, 1, 1, 1, 1],
               "features": [0], "weights": [1.0]},
    "no node": {"left": [], "right": [], "bias": []},
    "bias too short": {"bias": [0.0]},
    "indptr too short": {"indptr": [0, 1, 3, 3, 3]},
    "indptr falls": {"indptr": [0, 3, 1, 3, 3, 3]},
    "indptr starts late": {"indptr": [1, 1, 1, 3, 3, 3]},
    "indptr ends early": {"indptr": [0, 1, 1, 2, 2, 2]},
    "weights in a leaf": {"indptr": [0, 1, 1, 2, 3, 3]},
    "feature out of range": {"features": [0, 0, 3]},
    "negative feature": {"features": [-1, 0, 2]},
    "feature twice in a node": {"features": [0, 2, 2]},
    "features fall": {"features": [0, 2, 0]},
    "weights too short": {"weights": [1.0, 1.0]},
    "weights in two dimensions": {"weights": [[1.0], [1.0], [1.0]]},
    "nan weight": {"weights": [np.nan, 1, -1]},
    "infinite bias": {"bias": [np.inf, 0, 0, 0, 0]},
    "nan count": {"values": np.full((5, 3), np.nan)},
    "negative count": {"values": np.full((5, 3), -1.0)},
    "empty leaf": {"values": np.zeros((5, 3))},
    "values of wrong width": {"values": np.ones((5, 2))},
    "negative samples": {"n_samples": [9, 4, 5, 3, -2]},
    "label out of range": {"labels": [0, 0, 1, 1, 3]},
    "negative label": {"labels": [0, 0, 1, 1, -1]},
    "duplicate origin": {"origin": [0, 1, 2, 2, 6]},
    "negative origin": {"origin": [0, 1, 2, 5, -6]},
    "no class": {"classes": [], "values": np.ones((5, 0))},
    "duplicate class": {"classes": ["a", "b", "a"]},
    "no feature": {"n_features": 0},
    "too few names": {"feature_names": ("r",)},
}  # fmt: skip


def random_shape(rng, n_decisions):
    """Return (left, right) of a random shape, int32[m] each, with parents before their children."""
    left, right = [-1], [-1]
    for _ in range(n_decisions):
        leaf = rng.choice([node for node in range(len(left)) if left[node] < 0])
        left[leaf], right[leaf] = len(left), len(left) + 1
        left += [-1, -1]
        right += [-1, -1]
    return np.array(left, np.int32), np.array(right, np.int32)
