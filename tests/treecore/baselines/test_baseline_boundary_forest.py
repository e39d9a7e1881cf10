"""Test boundary forests: trees against a slow reference implementation, the votes, and unusual data."""

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from tests.refusals import refused
from treecore import BoundaryForestClassifier, ParameterError
from treecore.baselines.boundary_forest import vote_weights
from treecore.baselines.boundary_kernels import MOST_BYTES, squared_distance


class ReferenceNode:
    def __init__(self, row):
        self.row, self.children = row, []


def reference_walk(root, X, point, max_children):
    """Return the node at which the walk ends, and its squared distance."""
    node = root
    while True:
        rivals = list(node.children)
        if len(rivals) < max_children:
            rivals.insert(0, node)
        gaps = [sum((float(a) - float(b)) ** 2 for a, b in zip(X[one.row], point, strict=True)) for one in rivals]
        best = rivals[gaps.index(min(gaps))]
        if best is node:
            return node, min(gaps)
        node = best


def reference_tree(X, y, order, max_children):
    """Return (root, rows of the nodes in the order in which they were added)."""
    root, rows = ReferenceNode(order[0]), [order[0]]
    for row in order[1:]:
        node, _ = reference_walk(root, X, X[row], max_children)
        if y[node.row] != y[row]:
            node.children.append(ReferenceNode(row))
            rows.append(row)
    return root, rows


def orders(forest, n):
    """Return the orders in which the trees of a forest with an integer random_state used the rows."""
    seeds = np.random.SeedSequence(np.random.RandomState(forest.random_state).randint(2**31 - 1))
    return [np.random.default_rng(seed).permutation(n) for seed in seeds.spawn(forest.n_estimators)]


def compare(forest, X, y, points):
    """Compare every tree of the forest and the walks of `points` with the reference implementation."""
    forest.fit(X, y)
    nodes = forest.apply(points)
    votes = np.zeros((len(points), forest.classes_.size))
    for number, (tree, order) in enumerate(zip(forest.estimators_, orders(forest, len(X)), strict=True)):
        root, rows = reference_tree(X, y, order, forest.max_children)
        assert tree.rows.tolist() == rows
        by_row = {row: place for place, row in enumerate(rows)}
        pending = [root]
        while pending:
            node = pending.pop()
            pending += node.children
            place = by_row[node.row]
            children = []
            child = tree.first_child[place]
            while child >= 0:
                children.append(tree.rows[child])
                child = tree.next_sibling[child]
            assert children == [one.row for one in node.children]
            assert tree.n_children[place] == len(children) <= forest.max_children
        for i, point in enumerate(points):
            end, squared = reference_walk(root, X, point, forest.max_children)
            assert tree.rows[nodes[i, number]] == end.row
            votes[i, np.flatnonzero(forest.classes_ == y[end.row])[0]] += 1 / max(squared, 1e-20) ** 0.5
    shares = votes / votes.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.predict_proba(points), shares, atol=1e-6)


@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(2, 5), st.booleans())
def test_trees_equal_those_of_the_reference(seed, n, max_children, negative):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3 if negative else 0, 5, (n, 2))  # a small grid, for ties and equal points of two classes
    y = rng.integers(0, 3, n)
    forest = BoundaryForestClassifier(3, max_children, n_jobs=1, random_state=seed)
    compare(forest, X, y, rng.integers(-4, 6, (15, 2)))
    assert forest.examples_.dtype == (np.float64 if (X < 0).any() else np.uint8)


def test_trees_of_real_numbers_equal_those_of_the_reference(rng):
    X, y = rng.standard_normal((250, 5)), rng.integers(0, 4, 250)
    compare(BoundaryForestClassifier(2, 4, n_jobs=1, random_state=3), X, y, rng.standard_normal((40, 5)))


def test_distances_between_bytes_are_exact(rng):
    a, b = (rng.integers(0, 256, (2, 784)).astype(np.uint8))[:, :]
    assert squared_distance(a, b) == ((a.astype(int) - b) ** 2).sum()
    assert squared_distance(a, b + 0.5) == pytest.approx(((a - (b + 0.5)) ** 2).sum())
    assert squared_distance(np.zeros(MOST_BYTES, np.uint8), np.full(MOST_BYTES, 255, np.uint8)) == MOST_BYTES * 255**2


def test_more_bytes_than_fit_become_numbers():
    X = np.zeros((2, MOST_BYTES + 1), np.uint8)
    X[1] = 255
    forest = BoundaryForestClassifier(2, random_state=0).fit(X, [0, 1])
    assert forest.examples_.dtype == np.float64
    assert forest.predict(X).tolist() == [0, 1]


def test_votes():
    weights = vote_weights(np.array([[1.0, 2.0, 4.0], [0.0, 3.0, 0.0], [np.inf, np.inf, np.inf], [1e-300, 1e300, 1.0]]))
    np.testing.assert_allclose(weights[:3], [[1, 0.5, 0.25], [1, 0, 1], [1, 1, 1]])
    assert np.isfinite(weights).all()
    forest = BoundaryForestClassifier(5, random_state=0).fit([[0.0], [10.0]], ["a", "b"])
    np.testing.assert_allclose(forest.predict_proba([[0.0], [2.0], [10.0]]), [[1, 0], [1, 0], [0, 1]])
    assert forest.predict([[4.9], [1e308]]).tolist()[0] == "a"


def test_it_nears_the_nearest_neighbour(bundled):
    X, y = bundled("digits")
    X, X_test, y, y_test = train_test_split(X, y, random_state=0)
    forest = BoundaryForestClassifier(random_state=0).fit(X, y)
    assert forest.score(X_test, y_test) >= KNeighborsClassifier(1).fit(X, y).score(X_test, y_test) - 0.02
    one = BoundaryForestClassifier(1, random_state=0).fit(X, y)
    assert one.score(X_test, y_test) < forest.score(X_test, y_test)
    assert all(tree.rows.size < len(X) / 2 for tree in forest.estimators_)


def test_scaling_is_that_of_scaled_data(bundled):
    X, y = bundled("wine")
    scaled = StandardScaler().fit_transform(X)
    inside = BoundaryForestClassifier(5, scale="standard", random_state=0).fit(X, y)
    outside = BoundaryForestClassifier(5, random_state=0).fit(scaled, y)
    assert np.array_equal(inside.apply(X), outside.apply(scaled))
    np.testing.assert_allclose(inside.examples_, scaled)
    raw = BoundaryForestClassifier(20, random_state=0)
    assert cross_val_score(raw.set_params(scale="standard"), X, y).mean() > 0.9


def test_neither_threads_nor_storage_change_anything(bundled):
    X, y = bundled("digits")
    forests = [BoundaryForestClassifier(6, n_jobs=jobs, random_state=1).fit(X, y) for jobs in (1, 2, 3)]
    forests.append(BoundaryForestClassifier(6, random_state=1).fit(X.astype(np.uint8), y))
    for other in forests[1:]:
        for a, b in zip(forests[0].estimators_, other.estimators_, strict=True):
            assert all(np.array_equal(one, two) for one, two in zip(a, b, strict=True))
        assert np.array_equal(forests[0].predict_proba(X), other.predict_proba(X))
    other = BoundaryForestClassifier(6, random_state=2).fit(X, y)
    assert not np.array_equal(forests[0].estimators_[0].rows, other.estimators_[0].rows)
    # A point between the training values is measured exactly, although the training values are stored as bytes.
    assert np.array_equal(forests[0].predict_proba(X[:3] + 1e-9).argmax(axis=1), forests[0].predict(X[:3]))


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.arange(8.0).reshape(4, 2), ["only"] * 4),
        (np.array([[0.0, 1.0]]), ["a"]),
        (np.ones((200, 2)), ["a", "b"] * 100),
        (np.arange(6.0)[:, None], ["a"] * 3 + ["b"] * 3),
    ],
    ids=["one class", "one row", "equal points", "one feature"],
)
@pytest.mark.parametrize("scale", [None, "standard", "minmax"])
def test_degenerate_data(X, y, scale):
    forest = BoundaryForestClassifier(4, 2, scale=scale, random_state=0).fit(X, y)
    assert set(forest.predict(X)) <= set(y)
    np.testing.assert_allclose(forest.predict_proba(X).sum(axis=1), 1)


def test_frames_with_text(rng):
    frame = pandas.DataFrame({"size": rng.random(60), "colour": ["red", "blue", "green"] * 20})
    y = (frame["colour"] == "red").to_numpy()
    forest = BoundaryForestClassifier(5, random_state=0).fit(frame, y)
    assert forest.encoder_.feature_names == ("size", "colour = blue", "colour = green", "colour = red")
    assert forest.score(frame, y) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_estimators": 2.5}, "n_estimators=2.5: expected a whole number >="),
        ({"max_children": 1}, "max_children=…: expected a whole number >= 2"),
        ({"max_children": None}, "max_children=…: expected a whole number >="),
    ],
)
def test_bad_parameters_are_refused(bundled, options, message):
    with refused(ParameterError, message):
        BoundaryForestClassifier(**options).fit(*bundled("iris"))
