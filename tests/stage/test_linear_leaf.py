"""Test linear leaves in the browser's model: predictions and drawn weights equal Python's."""

from dataclasses import replace

import numpy as np
import pytest

import sample_data
from treecore import TAOClassifier, TAORegressor
from treecore.tree.metrics import tree_metrics
from viz.nodes.linear_leaf import LinearLeaf
from viz.nodes.node_contents import node_contents
from viz.payload.stage_payload import stage_payload
from viz.tree.bare_data import BareData

MODELS = {
    "iris": TAOClassifier(init="random", leaf="linear", max_depth=1, lam=0.5, random_state=0, max_iter=2),
    "breast-cancer": TAOClassifier(init="random", leaf="linear", max_depth=1, lam=3.0, random_state=0, max_iter=2),
    "digits": TAOClassifier(init="random", leaf="linear", max_depth=1, lam=5.0, random_state=0, max_iter=1),
    "diabetes": TAORegressor("univariate", 300.0, init="cart", max_depth=2, max_iter=2, leaf="linear"),
}


@pytest.mark.parametrize("name", MODELS)
def test_rows_get_the_prediction_of_the_tree(name, ask):
    data = sample_data.load(name)
    tree = MODELS[name].fit(data.X, data.y).tree_
    found = ask("linearLeaves", stage_payload(tree, data))
    predicted = tree.predict(data.X)[found["rows"]].tolist()
    assert found["told"] == predicted == found["alone"]
    losses = tree.target.losses(tree.predict(data.X), data.y)
    assert found["wrong"] == (losses > data.target.tolerance)[found["rows"]].tolist()
    contents, metrics = node_contents(tree, data).nodes, tree_metrics(tree, data.X)
    np.testing.assert_allclose(found["losses"], [content.figures.loss for content in contents])
    assert (found["sizes"]["weights"], found["sizes"]["products"]) == pytest.approx(
        (metrics.n_nonzero, metrics.inference_cost)
    )
    for content, terms, words in zip(contents, found["terms"], found["words"], strict=True):
        if isinstance(content, LinearLeaf):
            assert content.label == words
            assert [term["name"] for term in terms[: content.bars.size]] == list(content.names)
            np.testing.assert_allclose([term["size"] for term in terms[: content.bars.size]], content.bars)
            assert len(terms) == content.bars.size + content.n_more
        else:
            assert terms == []
    if name != "diabetes":
        assert found["groups"] == list(range(len(data.class_names)))
    bare = ask("linearLeaves", stage_payload(tree, BareData.of(tree, data)))
    np.testing.assert_allclose(bare["losses"], found["losses"], rtol=1e-6)


@pytest.mark.parametrize("name", ["iris", "moons"])
def test_the_plane_is_coloured_by_what_is_predicted_there(name, ask):
    data = sample_data.load(name)
    data = replace(data, X=data.X[:, -2:], feature_names=data.feature_names[-2:], columns=None)
    tree = (
        TAOClassifier(init="random", leaf="linear", max_depth=1, lam=0.5, random_state=0, max_iter=2)
        .fit(data.X, data.y)
        .tree_
    )
    found = ask("answers", stage_payload(tree, data))
    low, high = data.X.min(axis=0), data.X.max(axis=0)
    points = np.random.default_rng(0).uniform(low, high, (2000, 2))
    leaf, predicted, times = tree.apply(points), tree.predict(points), np.zeros(2000, int)
    for node, parts in enumerate(found):
        for part in parts:
            inside = _inside(np.array(part["corners"]), points) if part["corners"] else np.zeros(2000, bool)
            assert np.all(leaf[inside] == node)
            assert part["group"] is None or np.all(predicted[inside] == part["group"])
            times += inside
    assert sum(len(parts) for parts in found) > tree.n_leaves
    assert np.mean(times == 1) > 0.999


def _inside(corners, points):
    """Return which points are strictly inside a convex polygon, bool[n]."""
    side = np.roll(corners, -1, axis=0) - corners
    away = points[:, None] - corners
    cross = side[:, 0] * away[:, :, 1] - side[:, 1] * away[:, :, 0]
    return (cross > 0).all(axis=1) | (cross < 0).all(axis=1)
