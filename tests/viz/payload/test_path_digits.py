"""Compare the digits of whole paths with those of each tree on its own."""

import numpy as np
import pytest

import sample_data
from pages.ui.learn.lessons.further.categories_and_missing import with_bands
from treecore.baselines.cart import CARTClassifier
from treecore.training.estimators import ESTIMATORS
from treecore.training.recording import grow, record
from treecore.tree.decision_digits import decision_digits
from viz.nodes.category_columns import category_columns
from viz.payload.shared_nodes import SharedNodes
from viz.payload.stage_payload import path_digits


def runs():
    """Yield (data set, recording): lines, weighted sums, a greedy growth, a regression, missing values, categories."""
    for name, split in (
        ("moons", "bivariate"),
        ("wine", "oblique"),
        ("hill", "univariate"),
        ("checkerboard", "oblique"),
    ):
        data = sample_data.load(name)
        model = ESTIMATORS[data.target.loss](split=split, lam=0.5 * data.target.loss_unit, random_state=0, n_jobs=1)
        yield data, record(model, data.X[::4], data.y[::4])
    moons = sample_data.load("moons")
    yield moons, grow(CARTClassifier(cv=None, random_state=0).fit(moons.X[::3], moons.y[::3]).tree_)
    bands = with_bands()
    model = ESTIMATORS[bands.target.loss](lam=bands.target.loss_unit, max_depth=4, max_iter=3, n_jobs=1)
    yield bands, record(model, bands.X[::4], bands.y[::4])


@pytest.mark.parametrize("number", range(6))
def test_digits_of_a_path_are_those_of_its_trees(number):
    data, recording = list(runs())[number]
    trees = list({id(step.tree): step.tree for step in recording.steps}.values())
    columns = category_columns(data)
    nodes = SharedNodes(trees, data.X, data.target)
    found = path_digits(nodes, data.X, columns)
    alone = [decision_digits(tree, data.X, columns=columns) for tree in trees]
    assert found.dtype == np.uint8
    assert found[nodes.content].tolist() == np.concatenate(alone).tolist()
    assert len(trees) > 2


def test_without_rows_every_split_has_few_digits():
    data = sample_data.load("moons")
    tree = CARTClassifier(cv=None, max_depth=2, random_state=0).fit(data.X, data.y).tree_
    X = data.X[:0]
    assert path_digits(SharedNodes([tree], X, data.target), X).tolist() == decision_digits(tree, X).tolist()
