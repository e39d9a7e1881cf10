"""Test documents of trees: a round trip, counts against a reference in plain Python, and every fault of a document."""

import copy
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from tests.refusals import refused
from tests.strategies import MODEST, rows, small_tree, trees
from treecore import DataError, EditError, TAORegressor
from treecore.messages import literal
from treecore.rules.rule_in_tree import with_split
from treecore.tree.editing import MOST_NODES, edited_tree, locked_nodes, tree_document
from treecore.tree.split import Split


def walked(document, x):
    """Return the ids of the nodes on the decision path of one row, root first."""
    nodes = {node["id"]: node for node in document["nodes"]}
    below = {node[side] for node in nodes.values() for side in ("left", "right")}
    node = next(node for node in nodes.values() if node["id"] not in below)
    way = [node["id"]]
    while node["left"] is not None:
        margin = node["bias"]
        for feature, weight in zip(node["features"], node["weights"], strict=True):
            margin += weight * x[feature]
        node = nodes[node["right"] if margin >= 0 or (np.isnan(margin) and node["missing_right"]) else node["left"]]
        way.append(node["id"])
    return way


@given(trees(MODEST), st.data())
def test_there_and_back_with_the_counts_of_the_rows(tree, data):
    X = data.draw(rows(tree.n_features))
    codes = np.array(data.draw(st.lists(st.integers(0, tree.classes.size - 1), min_size=len(X), max_size=len(X))))
    weights = np.array(data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=len(X), max_size=len(X))))
    weights[0] = 1.0
    shuffled = data.draw(st.permutations(range(tree.n_nodes)))
    positions = data.draw(st.permutations(range(tree.classes.size)))
    locked = tree.origin[:: data.draw(st.integers(1, 3))].tolist()
    document = json.loads(json.dumps(tree_document(tree, locked, positions)))
    assert sorted(locked_nodes(document)) == sorted(locked)
    found = edited_tree(document, tree, X, tree.classes[codes], weights, positions)
    other = edited_tree(
        {"nodes": [document["nodes"][i] for i in shuffled]}, tree, X, tree.classes[codes], weights, positions
    )
    place = {origin: node for node, origin in enumerate(other.origin.tolist())}
    for node, origin in enumerate(found.origin.tolist()):
        assert origin == tree.origin[node]  # a valid order is kept
        features, node_weights, bias = found.split(node)
        kept = tree.split(node)[1] != 0
        assert features.tolist() == tree.split(node)[0][kept].tolist()
        assert node_weights.tobytes() == tree.split(node)[1][kept].tobytes()
        assert bias == (0.0 if tree.is_leaf(node) else tree.bias[node])
        assert np.array_equal(found.values[node], other.values[place[origin]])
        if tree.is_leaf(node):
            assert found.labels[node] == tree.labels[node]
    values, counts = {}, dict.fromkeys(found.origin.tolist(), 0)
    for x, code, weight in zip(X, codes, weights, strict=True):
        for origin in walked(document, x) if weight else ():
            counts[origin] += 1
            values.setdefault(origin, np.zeros(tree.classes.size))[code] += weight
    for node, origin in enumerate(found.origin.tolist()):
        assert found.n_samples[node] == counts[origin]
        wanted = values.get(origin)
        wanted = found.values[found.parents[node]] if wanted is None else wanted
        np.testing.assert_allclose(found.values[node], wanted)
        if not found.is_leaf(node):
            assert found.labels[node] == found.values[node].argmax()


def of_small(change):
    tree = small_tree()
    document = tree_document(tree)
    change(document["nodes"])
    X = np.array([[0.0, 0, 0], [2, 0, 0], [2, 0, 9]])
    return edited_tree(document, tree, X, np.array(["a", "b", "b"]))


def setting(node, **fields):
    return lambda nodes: nodes[node].update(fields)


WRONG = [
    (lambda nodes: nodes.clear(), "The tree has no nodes"),
    (lambda nodes: nodes.extend([nodes[1]] * MOST_NODES), "The tree has … nodes (maximum 5000 for editing)"),
    (lambda nodes: nodes.append(7), "Entry 5 of 'nodes' is not an object"),
    (lambda nodes: nodes[1].pop("label"), "Node … has no field 'label'"),
    (setting(1, extra=1), "Node … has the unsupported field 'extra'"),
    (setting(1, id=True), "Entry … of 'nodes' has the id True"),
    (setting(1, id=-1), "Entry 1 of 'nodes' has the id -1: expected a whole number from 0 to 2**53 - 1"),
    (setting(1, id=2**60), "Entry … of 'nodes' has the id 1152921504606846976"),
    (setting(1, id="1"), "Entry 1 of 'nodes' has the id '1': expected a whole number from 0 to 2**53 - 1"),
    (setting(0, left="x"), "Node … has 'x' on its left"),
    (setting(0, left=None), "Node … has one child. A decision node must have two children, and a leaf none"),
    (setting(0, left=99), "Node … has the child 99, which does not exist"),
    (lambda nodes: nodes[0].update(left=nodes[0]["right"]), "Node … has two parents, or is both children of one node"),
    (lambda nodes: nodes[2].update(left=nodes[0]["id"]), "4 nodes form a cycle that is not connected to the root"),
    (
        lambda nodes: nodes.remove(nodes[1]) or nodes[0].update(left=nodes[0]["id"]),
        "The nodes form a cycle, so the tree has no root",
    ),
    (lambda nodes: nodes.append(nodes[1] | {"id": 77}), "The nodes … have no parent"),
    (
        lambda nodes: nodes.extend([nodes[0] | {"id": 88, "left": 88, "right": 89}, nodes[1] | {"id": 89}]),
        "nodes form a cycle that is not connected to the root",
    ),
    (lambda nodes: nodes.append(nodes[1]), "Two nodes have the id"),
    (setting(0, features=[3]), "Node … uses feature 3: expected a whole number >= 0 and < 3"),
    (setting(0, features=[0.0]), "Node … uses feature 0.0"),
    (setting(0, features=[True]), "Node … uses feature True"),
    (setting(0, features=[0, 0], weights=[1.0, 1.0]), "Node … uses a feature twice"),
    (setting(0, features=[0, 1]), "Node … has 2 features but 1 weights"),
    (setting(0, features="0"), "Node …: features must be a list"),
    (setting(0, weights=["1"]), "A weight of node … is '1'"),
    (setting(0, weights=[float("nan")]), "A weight of node … is …: expected a number of at most"),
    (setting(0, bias=float("inf")), f"The bias of node … is {literal(float('inf'), 60)}: expected a number of at most"),
    (setting(0, bias=10**400), "The bias of node … is a number with very many digits"),
    (setting(0, weights=[1e201]), "A weight of node … is 1e+201"),
    (setting(0, bias=None), "The bias of node … is None"),
    (setting(1, label=3), "Node … predicts class 3"),
    (setting(1, label=1.0), "Node … predicts class 1.0"),
    (setting(1, label=[0]), "Node … predicts class [0]"),
    (setting(1, locked=1), "Node 1: locked=1: expected true or false"),
    (
        setting(0, missing_right=True),
        "Node … sends missing values to the right, but the tree was trained without missing values",
    ),
]


@each("change, message", WRONG, ids=lambda value: getattr(value, "code", ""))
def test_faults_of_documents_are_refused(change, message):
    with refused(EditError, message):
        of_small(change)


@pytest.mark.parametrize("document", [None, 3, [], {}, {"nodes": None}, {"nodes": {}}, "nodes"])
def test_no_document_at_all(document):
    with refused(EditError, "The tree must be an object with a list 'nodes'"):
        edited_tree(document, small_tree(), np.zeros((1, 3)), np.array(["a"]))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.data())
def test_a_field_of_garbage_is_refused_or_makes_a_tree(data):
    nodes = copy.deepcopy(tree_document(small_tree())["nodes"])
    for _ in range(data.draw(st.integers(1, 3))):
        node = data.draw(st.sampled_from(nodes))
        node[data.draw(st.sampled_from(sorted(node)))] = data.draw(JSON)
    try:
        tree = edited_tree({"nodes": nodes}, small_tree(), np.zeros((2, 3)), np.array(["a", "c"]))
    except EditError:
        return
    assert tree.n_samples[0] == 2


def test_rows_that_do_not_belong():
    tree, document = small_tree(), tree_document(small_tree())
    X = np.zeros((2, 3))
    with refused(DataError, "y contains the class 'z', which is not a class of the tree"):
        edited_tree(document, tree, X, np.array(["a", "z"]))
    with refused(DataError, "y contains the class 3, which is not a class of the tree"):
        edited_tree(document, tree, X, np.array([3, 3]))
    with refused(DataError, "X has 2 rows and y has 1"):
        edited_tree(document, tree, X, np.array(["a"]))
    with refused(DataError, "sample_weight: expected one finite number >= 0 for each row, and at least one > 0"):
        edited_tree(document, tree, X, np.array(["a", "a"]), np.zeros(2))
    with refused(DataError, "X has 2 features, but the tree was trained on"):
        edited_tree(document, tree, X[:, :2], np.array(["a", "a"]))


@pytest.fixture(scope="module")
def numbers():
    """Return (Tree, X, y) for regression."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = 1e6 + 3 * X[:, 0] + (X[:, 1] > 0)
    return TAORegressor(split="univariate", init="cart", max_depth=3).fit(X, y).tree_, X, y


def test_leaves_of_numbers_predict_the_mean_of_their_rows_unless_they_are_locked(numbers):
    tree, X, y = numbers
    leaves = tree.origin[tree.left < 0].tolist()
    document = json.loads(json.dumps(tree_document(tree, leaves[:1])))
    assert [node["id"] for node in document["nodes"] if node["label"] is not None] == leaves[:1]
    document["nodes"][0]["bias"] -= 0.5
    fixed = next(node for node in document["nodes"] if node["id"] == leaves[0])
    fixed["label"] = 1e6 + 7.5
    weights = np.where(np.arange(80) % 5 == 0, 0.0, 1.0 + np.arange(80) % 3)
    found = edited_tree(document, tree, X, y, weights)
    ways = [walked(document, x) for x in X]
    for node, origin in enumerate(found.origin.tolist()):
        here = np.array([origin in way for way in ways]) & (weights > 0)
        assert found.n_samples[node] == here.sum()
        if not here.any():
            assert found.values[node, 0] == found.values[found.parents[node], 0]
            continue
        mean = np.average(y[here], weights=weights[here])
        given = fixed["label"] if origin == leaves[0] else mean
        spread = np.average((y[here] - given) ** 2, weights=weights[here])
        np.testing.assert_allclose(found.values[node], [weights[here].sum(), given, spread], rtol=1e-9, atol=1e-9)


def test_an_untouched_tree_of_numbers_comes_back(numbers):
    tree, X, y = numbers
    found = edited_tree(tree_document(tree), tree, X, y)
    np.testing.assert_allclose(found.values, tree.values, rtol=1e-9, atol=1e-6)
    assert found.apply(X).tolist() == tree.apply(X).tolist()


@pytest.mark.parametrize("label", ["a", True, np.nan, 1e300, [1.0]])
def test_values_beyond_a_regression_leaf(numbers, label):
    tree, X, y = numbers
    document = tree_document(tree)
    document["nodes"][-1]["label"] = label
    with refused(EditError, "The prediction of node … is"):
        edited_tree(document, tree, X, y)
    for wrong, words in ((y * np.nan, "infinite or missing"), (np.full(80, "x"), "could not convert")):
        with pytest.raises(DataError, match=words):
            edited_tree(tree_document(tree), tree, X, wrong)


def test_a_typed_rule_splits_a_leaf_of_numbers_into_the_means_of_its_sides(numbers):
    tree, X, y = numbers
    leaf = int(np.flatnonzero(tree.left < 0)[np.argmax(tree.n_samples[tree.left < 0])])
    split = Split(np.array([1]), np.array([1.0]), -0.1, 0.0, False)
    document = with_split(tree_document(tree), int(tree.origin[leaf]), split, tree, X, y)
    found = edited_tree(document, tree, X, y)
    reached, grown = tree.apply(X) == leaf, found.apply(X)
    for right in (False, True):
        side = reached & ((X[:, 1] >= 0.1) == right)
        assert np.unique(grown[side]).size == 1
        assert found.predict(X[side][:1])[0] == pytest.approx(y[side].mean(), rel=1e-12)
