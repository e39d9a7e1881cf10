"""Test that re-optimisation leaves locked nodes unchanged bit for bit, and that the objective never rises."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from tests.refusals import is_said, refused
from treecore import CARTClassifier, DataError, ParameterError, TAOClassifier, TAORegressor, Tree
from treecore.training.reoptimise import reoptimise, tree_record
from treecore.tree.editing import edited_tree, locked_nodes, tree_document

CLASSES = np.array(["a", "b", "c"])


def bits(tree, origin):
    """Return everything that defines a locked node."""
    node = int(np.flatnonzero(tree.origin == origin)[0])
    features, weights, bias = tree.split(node)
    if tree.is_leaf(node):
        return "leaf", int(tree.labels[node])
    missing_right = tree.missing_right is not None and bool(tree.missing_right[node])
    return features.tolist(), weights.tobytes(), np.float64(bias).tobytes(), missing_right


def random_case(rng):
    """Return (X, y, estimator, a trained tree), with constant columns, missing values and columns without values."""
    n, d, k = int(rng.integers(8, 150)), int(rng.integers(1, 6)), int(rng.integers(1, 4))
    X = rng.normal(size=(n, d)).round(int(rng.integers(0, 3)))
    missing = rng.random() < 0.4
    split = str(rng.choice(["univariate", "bivariate"] if missing else ["univariate", "bivariate", "oblique"]))
    if rng.random() < 0.3:
        X[:, 0] = 2.0
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
        X[:, -1] = np.where(rng.random() < 0.3, np.nan, X[:, -1])
    y = CLASSES[np.r_[np.arange(k), rng.integers(0, k, n - k)]]
    estimator = TAOClassifier(
        split=split, lam=float(rng.choice([0, 0.1, 1])), max_depth=3, random_state=0, n_jobs=1,
        missing="learn" if missing else "error",
    )  # fmt: skip
    return X, y, estimator, clone(estimator).fit(X, y).tree_


def edited_at_random(rng, tree, n_features):
    """Return a document with flipped leaves, arbitrary new splits and locks."""
    nodes = {node["id"]: node for node in tree_document(tree)["nodes"]}
    k = tree.classes.size
    for _ in range(int(rng.integers(0, 7))):
        node = nodes[int(rng.choice(list(nodes)))]
        if node["left"] is None and rng.random() < 0.5:
            node["label"] = int(rng.integers(k))
        elif node["left"] is None:
            last = max(nodes)
            for new in (last + 1, last + 2):
                nodes[new] = dict(node, id=new, label=int(rng.integers(k)), locked=bool(rng.random() < 0.3))
            features = rng.permutation(n_features)[: int(rng.integers(0, n_features + 1))]
            node |= {
                "left": last + 1,
                "right": last + 2,
                "features": features.tolist(),
                "weights": (rng.normal(size=features.size) * 10.0 ** rng.integers(-3, 60)).tolist(),
                "bias": float(rng.choice([0.0, 1e9, -3.0])),
                "missing_right": tree.missing_right is not None and bool(rng.random() < 0.5),
            }
        node["locked"] = bool(rng.random() < 0.5)
    return {"nodes": list(nodes.values())}


def test_locked_nodes_of_random_trees_come_back_bit_for_bit():
    rng = np.random.default_rng(0)
    seen = {"kept": 0, "empty": 0, "flipped": 0}
    for _ in range(40):
        X, y, estimator, tree = random_case(rng)
        document = edited_at_random(rng, tree, X.shape[1])
        start = edited_tree(document, tree, X, y)
        locked = locked_nodes(document)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = reoptimise(start, locked, X, y, estimator)
            before, after = (tree_record(t, X, y, estimator) for t in (start, found.tree))
        for origin in (*locked, *found.kept):
            assert bits(found.tree, origin) == bits(start, origin)
        assert found.tree == edited_tree(tree_document(found.tree, locked), start, X, y)  # the counts are correct
        assert after.loss == np.count_nonzero(found.tree.predict(X) != y)
        assert after.objective <= before.objective * (1 + 1e-9) + 1e-9
        seen["kept"] += len(found.kept)
        nodes = np.flatnonzero(np.isin(found.tree.origin, locked))
        seen["empty"] += np.count_nonzero(found.tree.n_samples[nodes] == 0)
        seen["flipped"] += np.count_nonzero(found.tree.labels[nodes] != found.tree.values[nodes].argmax(axis=1))
    assert min(seen.values()) > 0, seen  # all cases have occurred


@pytest.fixture(scope="module")
def iris_path():
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    return X, y, TAOClassifier(split="bivariate", init="cart", lam=0.3).fit(X, y).tree_


def test_without_locks_it_is_a_warm_start(iris_path):
    X, y, tree = iris_path
    estimator = TAOClassifier(split="bivariate", lam=2.0)
    assert reoptimise(tree, (), X, y, estimator).tree == estimator.set_params(init=tree).fit(X, y).tree_


def test_a_wholly_locked_tree_and_a_single_leaf_stay(iris_path):
    X, y, tree = iris_path
    estimator = TAOClassifier(split="bivariate", lam=50.0)
    assert reoptimise(tree, tree.origin, X, y, estimator).tree == tree
    leaf = tree_document(tree)["nodes"][0] | {"left": None, "right": None, "label": 2}
    alone = edited_tree({"nodes": [leaf]}, tree, X, y)
    assert reoptimise(alone, [leaf["id"]], X, y, estimator).tree.labels.tolist() == [2]


def test_a_locked_root_with_an_empty_side_keeps_one_leaf_there(iris_path):
    X, y, tree = iris_path
    document = tree_document(tree)
    document["nodes"][0] |= {"features": [0], "weights": [1.0], "bias": 100.0, "locked": True}
    start = edited_tree(document, tree, X, y)
    found = reoptimise(start, [int(tree.origin[0])], X, y, TAOClassifier(split="bivariate", lam=0.3)).tree
    assert found.split(0)[2] == 100.0
    assert found.is_leaf(found.left[0])
    assert found.n_samples[found.left[0]] == 0
    assert found.values[found.left[0]].tolist() == found.values[0].tolist()
    # Below the locked node, the tree is as good as one that begins there.
    alone = CARTClassifier().fit(X, y).tree_
    assert (found.predict(X) != y).sum() <= 6 <= (alone.predict(X) != y).sum() + 6


def test_locked_decisions_on_constant_features_cost_nothing_and_stay():
    rng = np.random.default_rng(1)
    X = np.column_stack([np.full(60, 7.0), rng.normal(size=(60, 2))])
    y = (X[:, 1] > 0).astype(int)
    for split in ("oblique", "bivariate", "univariate"):
        tree = TAOClassifier(split=split, lam=0.01, max_depth=2, random_state=0).fit(X, y).tree_
        document = tree_document(tree)
        document["nodes"][0] |= {"features": [0], "weights": [2.0], "bias": -14.5}
        start = edited_tree(document, tree, X, y)
        root = int(tree.origin[0])
        found = reoptimise(start, [root], X, y, TAOClassifier(split=split, lam=0.01))
        assert bits(found.tree, root) == bits(start, root)
        assert np.isfinite([record.objective for record in found.trace]).all()
        free = reoptimise(start, [], X, y, TAOClassifier(split=split, lam=0.01)).tree
        assert 0 not in free.features
        with refused(DataError, "The initial tree splits on the features …, which are constant in X"):
            TAOClassifier(split=split, init=start).fit(X, y)


def test_wide_nodes_are_kept_and_said(iris_path):
    X, y, tree = iris_path
    document = tree_document(tree)
    document["nodes"][0] |= {"features": [0, 1, 2], "weights": [1.0, 1.0, 1.0], "bias": -10.0}
    found = reoptimise(edited_tree(document, tree, X, y), [], X, y, TAOClassifier(split="bivariate", lam=0.3))
    ((kept, why),) = found.kept.items()
    assert kept == int(tree.origin[0])
    assert is_said(why, "it uses 3 features, but split='bivariate' allows at most 2")
    assert found.tree.split(0)[0].tolist() == [0, 1, 2]


def test_names_weights_and_regression(iris_path):
    X, y, tree = iris_path
    weights = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    named = tree.with_names([*"pqrs"])
    found = reoptimise(named, [], X, y, TAOClassifier(split="bivariate", lam=1.0), weights).tree
    assert found.feature_names == tuple("pqrs")
    twin = TAOClassifier(split="bivariate", lam=1.0, init=tree).fit(X, y, weights).tree_
    assert found == twin.with_names([*"pqrs"])
    numbers = TAORegressor(split="univariate", init="cart", lam=1.0).fit(X, y.astype(float)).tree_
    kept = reoptimise(numbers, numbers.origin[:2], X, y + 3.0, TAORegressor(split="univariate", lam=5.0)).tree
    assert bits(kept, int(numbers.origin[0])) == bits(numbers, int(numbers.origin[0]))


def test_what_cannot_be(iris_path):
    X, y, tree = iris_path
    with refused(ParameterError, "locked contains the nodes [10000], which the tree does not have"):
        reoptimise(tree, [10000], X, y, TAOClassifier())
    with refused(ParameterError, "estimator is a Tree"):
        reoptimise(tree, [], X, y, tree)
    with refused(DataError, "No row has the class 2 of the tree"):
        reoptimise(tree, [], X[y < 2], y[y < 2], TAOClassifier())
    with refused(DataError, "X has 3 features, but the tree was trained on"):
        reoptimise(tree, [], X[:, :3], y, TAOClassifier())


def test_an_empty_locked_decision_predicts_what_its_parent_does():
    X, y = np.arange(10.0)[:, None], np.r_[np.zeros(4, int), np.ones(6, int)]
    tree = Tree(
        left=[1, 3, -1, -1, -1], right=[2, 4, -1, -1, -1], indptr=[0, 1, 2, 2, 2, 2], features=[0, 0],
        weights=[1.0, 1.0], bias=[50.0, 3.0, 0, 0, 0], labels=[1, 1, 1, 0, 1], values=np.ones((5, 2)),
        n_samples=np.ones(5, int), origin=np.arange(5), classes=[0, 1], n_features=1,
    )  # fmt: skip
    found = TAOClassifier(split="univariate", init=tree, frozen=[0, 1]).fit(X, y).tree_
    empty = found.left[0]
    assert found.n_samples[empty] == 0
    assert found.labels[empty] == found.values[empty].argmax() == 1
