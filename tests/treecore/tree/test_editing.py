"""Test documents of trees: a round trip, counts against a reference in plain Python, and every fault of a document."""

import copy
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from tests.refusals import refused, said
from tests.strategies import MODEST, rows, small_tree, trees
from treecore import DataError, EditError, TAORegressor
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
    (lambda nodes: nodes.clear(), said("tree.no_node")),
    (lambda nodes: nodes.extend([nodes[1]] * MOST_NODES), said("tree.edit.too_many_nodes", most=5000)),
    (lambda nodes: nodes.append(7), said("tree.edit.not_an_object", place=5)),
    (lambda nodes: nodes[1].pop("label"), said("tree.edit.missing_field", field=["label"])),
    (setting(1, extra=1), said("tree.edit.unknown_field", field=["extra"])),
    (setting(1, id=True), said("tree.edit.id", id=True)),
    (setting(1, id=-1), said("tree.edit.id", place=1, id=-1)),
    (setting(1, id=2**60), said("tree.edit.id", id=1152921504606846976)),
    (setting(1, id="1"), said("tree.edit.id", place=1, id="1")),
    (setting(0, left="x"), said("tree.edit.not_an_id", child="x", side="left")),
    (setting(0, left=None), said("tree.edit.one_child")),
    (setting(0, left=99), said("tree.edit.lost_child", child=99)),
    (lambda nodes: nodes[0].update(left=nodes[0]["right"]), said("tree.edit.two_parents")),
    (lambda nodes: nodes[2].update(left=nodes[0]["id"]), said("tree.edit.other_circle", n_nodes=4)),
    (lambda nodes: nodes.remove(nodes[1]) or nodes[0].update(left=nodes[0]["id"]), said("tree.edit.circle")),
    (lambda nodes: nodes.append(nodes[1] | {"id": 77}), said("tree.edit.roots")),
    (
        lambda nodes: nodes.extend([nodes[0] | {"id": 88, "left": 88, "right": 89}, nodes[1] | {"id": 89}]),
        said("tree.edit.other_circle"),
    ),
    (lambda nodes: nodes.append(nodes[1]), said("tree.edit.id_twice")),
    (setting(0, features=[3]), said("tree.edit.unknown_feature", feature=3, n_features=3)),
    (setting(0, features=[0.0]), said("tree.edit.unknown_feature", feature=0.0)),
    (setting(0, features=[True]), said("tree.edit.unknown_feature", feature=True)),
    (setting(0, features=[0, 0], weights=[1.0, 1.0]), said("tree.edit.feature_twice")),
    (setting(0, features=[0, 1]), said("tree.edit.weights", n_features=2, n_weights=1)),
    (setting(0, features="0"), said("tree.edit.not_a_list", field="features")),
    (setting(0, weights=["1"]), said("tree.edit.weight", value="1")),
    (setting(0, weights=[float("nan")]), said("tree.edit.weight")),
    (setting(0, bias=float("inf")), said("tree.edit.bias", value=float("inf"))),
    (setting(0, bias=10**400), said("tree.edit.bias", value="a number with very many digits")),
    (setting(0, weights=[1e201]), said("tree.edit.weight", value=1e201)),
    (setting(0, bias=None), said("tree.edit.bias", value=None)),
    (setting(1, label=3), said("tree.edit.unknown_class", label=3)),
    (setting(1, label=1.0), said("tree.edit.unknown_class", label=1.0)),
    (setting(1, label=[0]), said("tree.edit.unknown_class", label=[0])),
    (setting(1, locked=1), said("tree.edit.not_true_or_false", node=1, field="locked", value=1)),
    (setting(0, missing_right=True), said("tree.edit.missing_right")),
]


@each("change, message", WRONG, ids=lambda value: getattr(value, "code", ""))
def test_faults_of_documents_are_refused(change, message):
    with refused(EditError, message):
        of_small(change)


@pytest.mark.parametrize("document", [None, 3, [], {}, {"nodes": None}, {"nodes": {}}, "nodes"])
def test_no_document_at_all(document):
    with refused(EditError, "tree.edit.not_a_tree"):
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
    with refused(DataError, "tree.edit.unknown_label", label="z"):
        edited_tree(document, tree, X, np.array(["a", "z"]))
    with refused(DataError, "tree.edit.unknown_label", label=3):
        edited_tree(document, tree, X, np.array([3, 3]))
    with refused(DataError, "tree.edit.rows", n_rows=2, n_labels=1):
        edited_tree(document, tree, X, np.array(["a"]))
    with refused(DataError, "tree.edit.weights_of_rows"):
        edited_tree(document, tree, X, np.array(["a", "a"]), np.zeros(2))
    with refused(DataError, "tree.rows.n_features", n_features=2):
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
    with refused(EditError, "tree.edit.predicted"):
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
