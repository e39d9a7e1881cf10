"""Steering: chosen splits stay, the objective is never above that of the same splits alone, names keep their rows."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

import treecore
from treecore import Steering, TAOClassifier, TAORegressor
from treecore.errors import DataError, ParameterError


def rows(seed, n=60):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (n, 4)).astype(float)
    y = (X[:, 0] + X[:, 1] > 8) + (X[:, 2] > 6) * 1
    return X, np.where(rng.random(n) < 0.8, y, rng.integers(0, 3, n)), rng


def model(**parameters):
    return TAOClassifier(**{"lam": 1.0, "split": "univariate", "init": "cart", "random_state": 0} | parameters)


def test_the_objective_is_never_above_that_of_the_chosen_splits_alone():
    """300 random trees that are grown by hand from a leaf, with TAO around the chosen splits and without."""
    above = []
    for seed in range(300):
        X, y, rng = rows(seed)
        steered = Steering(model(lam=0.5, max_iter=5), X, y, start="leaf")
        for _ in range(3):
            node = int(rng.integers(steered.tree.n_nodes))
            found = steered.candidates(node, ("univariate",), 4)
            if not found:
                continue
            one = found[int(rng.integers(len(found)))]
            greedy = steered.objective + one.change
            step = steered.take(one)
            if step.objective[1] > greedy + 1e-9 or not np.isclose(steered.objective, step.objective[1]):
                above.append((seed, step))
            assert steered.tree.n_nodes == 1 or steered.locked
    assert above == []


def test_chosen_splits_stay():
    X, y = load_iris(return_X_y=True, as_frame=True)
    steered = Steering(model(), X, y)
    chosen = next(one for one in steered.candidates(0) if one.feature_names == ("sepal length (cm)",))
    steered.take(chosen)
    steered.reoptimise()
    assert (steered.tree[0].features, steered.tree[0].bias) == (chosen.feature_names, chosen.bias)
    assert steered.locked == [0]
    with pytest.raises(ParameterError, match="another tree"):
        steered.take(chosen)
    steered.unlock(0)
    steered.reoptimise()
    assert steered.locked == []
    for _ in range(4):
        steered.undo()
    assert steered.tree == model().fit(X, y).tree_
    assert steered.history == []
    with pytest.raises(ParameterError, match="has no step"):
        steered.undo()


def test_growth_below_a_leaf():
    X, y = load_iris(return_X_y=True)
    steered = Steering(model(), X, y, start="leaf")
    assert steered.tree.n_nodes == 1
    steered.take(steered.candidates(0, ("univariate",))[0])
    mixed = next(node.number for node in steered.tree if node.is_leaf and max(node.counts.values()) < node.n)
    before = steered.objective
    step = steered.grow(mixed)
    assert steered.objective < before
    assert step.n_leaves[1] > step.n_leaves[0]
    assert 0 in steered.locked
    pure = next(node.number for node in steered.tree if node.is_leaf and max(node.counts.values()) == node.n)
    with pytest.raises(ParameterError, match=f"Node {pure} has .* one target value"):
        steered.grow(pure)
    with pytest.raises(ParameterError, match="locked"):
        steered.grow(0)


@pytest.mark.parametrize("case", ["classes", "numbers", "table", "costs"])
def test_the_script_repeats_the_steps(case):
    X, y, rng = rows(1, 150)
    weights, estimator, start = None, model(), None
    if case == "numbers":
        y = y + X[:, 3] / 3
        estimator = TAORegressor(lam=2.0, split="univariate", init="cart", max_depth=3, random_state=0)
        start = estimator.fit(X, y).tree_
    if case == "costs":
        weights = rng.integers(1, 4, len(y)).astype(float)
        estimator = model(cost_matrix=[[0, 1, 5], [1, 0, 1], [2, 2, 0]], class_weight="balanced", random_state=None)
        start = "leaf"
    if case == "table":
        X = pd.DataFrame(X, columns=list("abcd")).assign(kind=rng.choice(["x", "y", "z"], len(y)))
        estimator = model(categories="groups", missing="learn", lam="auto")
    steered = Steering(estimator, X, y, weights, start=start)
    for node in (0, 1, 2):
        found = steered.candidates(node) if node < steered.tree.n_nodes else []
        if found:
            steered.take(found[-1])
    leaf = next(
        (node.number for node in steered.tree if node.is_leaf and max(node.counts.values(), default=0) < node.n), 0
    )
    if case != "numbers" and leaf:
        steered.grow(leaf)
    steered.name(1, 'low "values"')
    names = {"X": X, "y": y, "sample_weight": weights}
    exec(compile(steered.script(), "script", "exec"), names)
    assert names["tree"] == steered.tree
    assert names["steered"].names == steered.names
    assert [step.code for step in names["steered"].history] == [step.code for step in steered.history]


def test_names_follow_their_rows():
    X, y = load_iris(return_X_y=True)
    steered = Steering(model(), X, y)
    steered.name(1, "setosa")
    assert steered.names == [treecore.NodeName("setosa", 1, 1.0)]
    steered.take(steered.candidates(0, ("univariate",))[2])
    (name,) = steered.names
    rows_of = steered.tree.decision_path(X)[:, [name.node or 0]].toarray().ravel()
    common = np.count_nonzero(rows_of[:50]) / np.count_nonzero(rows_of | (np.arange(150) < 50))
    assert name.is_lost == (name.overlap <= 0.6)
    assert name.is_lost or name.overlap == pytest.approx(common)
    steered.undo()
    steered.name(1, "")
    assert steered.names == []
    steered.name(1, "a")
    with pytest.raises(ParameterError, match="another node has this name"):
        steered.name(0, "a")


def test_a_node_and_its_child_with_the_same_rows_have_different_names():
    X, y = load_iris(return_X_y=True)
    steered = Steering(model(), X, y)
    steered.set_split(0, [0], [1.0], -1000.0)  # no row goes right
    full, empty = int(steered.tree.left[0]), int(steered.tree.right[0])
    steered.name(full, "all")
    steered.name(0, "root")
    assert [(one.text, one.node) for one in steered.names] == [("all", full), ("root", 0)]
    steered.lock(full)
    assert [one.node for one in steered.names] == [full, 0]
    with pytest.raises(ParameterError, match=f"Node {empty} has no training rows"):
        steered.name(empty, "nothing")


def test_names_follow_their_rows_to_a_tree_of_90_percent_of_the_rows():
    X, y = load_breast_cancer(return_X_y=True)
    steered = Steering(model(lam=3.0), X, y)
    for node in range(1, steered.tree.n_nodes):
        steered.name(node, f"node {node}")
    for seed in range(10):
        kept = np.random.default_rng(seed).permutation(len(y))[: int(0.9 * len(y))]
        other = model(lam=3.0).fit(X[kept], y[kept]).tree_
        own, others = (tree.decision_path(X).toarray().astype(bool) for tree in (steered.tree, other))
        for place, one in enumerate(steered.names_on(other, X), 1):
            shares = [(own[:, place] & rows).sum() / (own[:, place] | rows).sum() for rows in others.T]
            assert one.overlap == pytest.approx(max(shares))
            assert one.is_lost == (max(shares) <= 0.6)
            assert one.is_lost or shares[one.node] == max(shares)


def test_names_follow_rows_of_a_table_with_texts():
    frame = pd.DataFrame({"size": np.arange(90.0), "kind": np.tile(["a", "b", "c"], 30)})
    y = (frame["size"] > 40).astype(int) + (frame["kind"] == "b")
    steered = Steering(model(lam=1.0), frame, y)
    steered.name(0, "all")
    (found,) = steered.names_on(steered.tree, frame)
    assert (found.text, found.node, found.overlap) == ("all", 0, 1.0)


def test_steps_use_the_numbers_of_the_nodes():
    X, y = load_iris(return_X_y=True)
    steered = Steering(model(), X, y)
    step = steered.lock(0)
    assert (step.text, step.code) == ("Locked node 0.", "lock(0)")


def test_bad_input():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ParameterError, match="expected a TAOClassifier"):
        Steering(treecore.CARTClassifier(), X, y)
    with pytest.raises(ParameterError, match="start='root'"):
        Steering(model(), X, y, start="root")
    steered = Steering(model(), X, y)
    with pytest.raises(ParameterError, match="'nose'"):
        steered.set_split(0, ["nose"], [1.0], 0.0)
    with pytest.raises(ParameterError, match="one weight for each"):
        steered.set_split(0, [0, 1], [1.0], 0.0)
    with pytest.raises(ParameterError, match="weights and bias"):
        steered.set_split(0, [0], [np.nan], 0.0)
    for features in (0, "x0", [[0]]):
        with pytest.raises(ParameterError, match="features"):
            steered.set_split(0, features, [1.0], 0.0)
    with pytest.raises(ParameterError, match="weights"):
        steered.set_split(0, [0], 1.0, 0.0)
    with pytest.raises(ParameterError, match="All weights are 0"):
        steered.set_split(0, [0], [0.0], 1.0)
    with pytest.raises(ParameterError, match="expected a text"):
        steered.name(0, 5)
    with pytest.raises(ParameterError, match="start="):
        Steering(model(), X, y, start=np.zeros(3))
    for weights in (np.ones(5), ["heavy"] * len(y)):
        with pytest.raises(DataError):
            Steering(model().fit(X, y), X, y, weights)
    with pytest.raises(IndexError, match="no node 99"):
        steered.lock(99)
    with pytest.raises(ParameterError, match="CandidateSplit"):
        steered.take(3)
    with pytest.raises(DataError, match="2 features|features"):
        Steering(model().fit(X, y), X[:, :2], y)
    one_class = Steering(model(), X[:3], np.array([0, 0, 1]), start="leaf")
    assert len(one_class.candidates(0)) > 0
