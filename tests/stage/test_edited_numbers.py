"""Test that a regression tree edited in the browser equals the tree that the engine makes of the same document."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

import sample_data
from pages.jobs.point import Point
from tests.customers import grouped_customers
from treecore import TAOClassifier, TAORegressor
from treecore.training.reoptimise import reoptimise, tree_record
from treecore.tree.editing import edited_tree, locked_nodes
from treecore.tree.metrics import error_of
from viz.nodes.category_columns import grouped_columns
from viz.payload.edit_payload import edit_payload


@pytest.fixture(scope="module")
def grown():
    """Return (Tree, DataSet, rows, estimator, payload)."""
    data = sample_data.load("diabetes")
    rows = np.split(np.random.default_rng(0).permutation(data.n_rows), [300, 360])
    estimator = TAORegressor(split="univariate", init="cart", lam=20_000.0, random_state=0)
    tree = estimator.fit(data.X[rows[0]], data.y[rows[0]]).tree_
    content, whole = edit_payload(
        Point(0, 20_000.0, tree, {}), data, rows, split="univariate", cost=1.0, scale="standard"
    )
    assert whole
    return tree, data, rows, estimator, content


def test_every_edit_gives_the_tree_that_the_engine_makes_of_it(ask, grown):
    tree, data, rows, estimator, content = grown
    X, y = data.X[rows[0]], data.y[rows[0]]
    root, leaves = int(tree.origin[0]), tree.origin[tree.left < 0].tolist()
    decision = int(tree.origin[np.flatnonzero(tree.left >= 0)[-1]])
    bias = float(tree.bias[0])
    edits = [
        ["none", root], ["drag", root, bias - 0.3], ["move", root, bias + 0.2], ["split", leaves[0]],
        ["predict", leaves[1], 123.25], ["drag", root, bias - 1.0], ["lock", leaves[2], True], ["move", root, bias],
        ["predict", leaves[1], None], ["lock", leaves[2], False], ["cut", decision], ["balance", root],
    ]  # fmt: skip
    for (kind, *_), found in zip(edits, ask("edited", content, edits), strict=True):
        twin = edited_tree(found["document"], tree, X, y)
        values = {int(origin): value for origin, value in found["values"].items()}
        assert values.keys() == set(twin.origin.tolist())
        for node, origin in enumerate(twin.origin.tolist()):
            assert values[origin] == pytest.approx(twin.predictions[node], rel=1e-9), kind
        assert found["error"] == pytest.approx(error_of(twin, X, y), rel=1e-9)
        assert found["objective"] == pytest.approx(tree_record(twin, X, y, estimator).objective, rel=1e-9)
        if kind != "balance":  # balancing may find nothing better
            assert (found["moved"] > 0) == (kind not in ("none", "predict", "lock")), kind
    assert locked_nodes(found["document"]) == ()


def test_a_leaf_is_split_where_that_lowers_the_squared_error_most(ask, grown):
    tree, data, rows, _, content = grown
    X, y = data.X[rows[0]], data.y[rows[0]]
    leaf = int(np.flatnonzero(tree.left < 0)[np.argmax(tree.n_samples[tree.left < 0])])
    (found,) = ask("edited", content, [["split", int(tree.origin[leaf])]])
    here = tree.apply(X) == leaf
    stump = DecisionTreeRegressor(max_depth=1).fit(X[here], y[here])
    twin = edited_tree(found["document"], tree, X, y)
    assert np.sum((twin.predict(X[here]) - y[here]) ** 2) == pytest.approx(
        np.sum((stump.predict(X[here]) - y[here]) ** 2)
    )


def test_a_number_that_is_locked_stays_when_the_rest_is_improved(ask, grown):
    tree, data, rows, estimator, content = grown
    X, y = data.X[rows[0]], data.y[rows[0]]
    leaf = int(tree.origin[tree.left < 0][0])
    (found,) = ask("edited", content, [["predict", leaf, 140.5]])
    start = edited_tree(found["document"], tree, X, y)
    after = reoptimise(start, locked_nodes(found["document"]), X, y, estimator).tree
    assert after.predictions[after.origin.tolist().index(leaf)] == 140.5
    assert error_of(after, X, y) <= error_of(start, X, y) + 1e-9


def test_the_categories_of_a_column_count_as_one_feature(ask):
    tree, data = grouped_customers()
    rows = np.split(np.arange(data.n_rows), [data.n_rows, data.n_rows])
    X, y = data.X, data.labels()
    content, whole = edit_payload(
        Point(0, 2.0, tree, {}), data, rows, split="univariate", cost=1.0, scale="standard", are_grouped=True
    )
    assert whole
    estimator = TAOClassifier("univariate", 2.0, init="random", categories=grouped_columns(data))
    (found,) = ask("edited", content, [["none", int(tree.origin[0])]])
    record = tree_record(tree, X, y, estimator)
    assert found["objective"] == pytest.approx(record.objective, rel=1e-9)
    assert record.objective == pytest.approx(2.0 * (tree.n_leaves - 1) + (tree.predict(X) != y).sum())
    locked = {int(tree.origin[0])}
    assert reoptimise(tree, locked, X, y, estimator).kept == {}
