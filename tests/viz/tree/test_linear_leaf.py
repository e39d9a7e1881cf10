"""Test linear leaves in figures: weights as bars or as an image, and errors. tests/stage tests the stage."""

import numpy as np
import pytest

import sample_data
import viz
from treecore import TAOClassifier, TAORegressor
from treecore.tree.metrics import error_rate
from viz.nodes.leaf import LeafContent
from viz.nodes.linear_leaf import LinearLeaf
from viz.nodes.node_contents import node_contents
from viz.tree.thumbnails import thumbnails

MODELS = {
    "iris": TAOClassifier(leaf="linear", max_depth=1, lam=0.5, random_state=0, max_iter=2),
    "breast-cancer": TAOClassifier(leaf="linear", max_depth=1, lam=3.0, random_state=0, max_iter=2),
    "digits": TAOClassifier(leaf="linear", max_depth=1, lam=5.0, random_state=0, max_iter=1),
    "diabetes": TAORegressor("univariate", 3000.0, init="cart", max_depth=2, max_iter=2, leaf="linear"),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_leaf_shows_its_weights(name):
    data = sample_data.load(name)
    tree = MODELS[name].fit(data.X, data.y).tree_
    contents = node_contents(tree, data).nodes
    leaves = np.flatnonzero(tree.left < 0)
    losses = tree.target.losses(tree.predict(data.X), data.y)
    assert contents[0].figures.loss == pytest.approx(losses.sum())
    if name != "diabetes":
        assert contents[0].figures.loss == pytest.approx(error_rate(tree, data.X, data.y) * len(data.y))
    deviation = data.X.astype(float).std(axis=0)
    for leaf in leaves:
        content, model = contents[leaf], tree.leaf_model.model(leaf)
        assert isinstance(content, LinearLeaf if model.features.size else LeafContent)
        if model.features.size:
            sizes = np.sort(np.abs(model.weights * deviation[model.features][:, None]), axis=None)[::-1]
            np.testing.assert_allclose(np.abs(content.bars), sizes[: content.bars.size])
            assert content.bars.size + content.n_more == np.count_nonzero(model.weights)
            assert (content.values is not None) == (name == "digits")
        else:
            value = data.class_names[model.bias.argmax()] if len(data.class_names) else None
            assert value is None or content.label == value
    words = viz.figure(tree, data, format="svg").decode()
    assert any(isinstance(contents[leaf], LinearLeaf) for leaf in leaves)
    assert ("linear model" if name in ("iris", "diabetes") else "weights for") in words


@pytest.mark.parametrize("name", ["iris", "diabetes"])
def test_thumbnails_and_cells_show_them(name):
    data = sample_data.load(name)
    tree = MODELS[name].fit(data.X, data.y).tree_
    assert thumbnails([tree])[0].count("<path") > 1
    assert "<iframe" in tree._repr_html_()
