"""Test that the browser decodes every tree of a payload, although trees share the contents of their nodes."""

import numpy as np
import pytest

import sample_data
from treecore.baselines.cart import CARTClassifier, CARTRegressor
from treecore.training.estimators import ESTIMATORS
from treecore.training.recording import grow, record
from treecore.tree.decision_digits import decision_digits
from viz.nodes.node_kinds import kinds_of
from viz.payload.recording_payload import recording_payload
from viz.payload.stage_payload import stage_payload

CARTS = {"unequal": CARTClassifier, "squared": CARTRegressor}


def problem(seed, missing):
    """Return (random data set, training, validation and test rows): classes for an odd seed, else numbers."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(60, 200)), int(rng.integers(2, 4))
    X = rng.normal(size=(n, d)).round(int(rng.integers(1, 3)))
    y = X @ rng.normal(size=d) + rng.normal(size=n)
    if missing:
        X[rng.random((n, d)) < 0.1] = np.nan
    names = tuple(f"feature {j}" for j in range(d))
    classes = ("low", "middle", "high") if seed % 2 else ()
    y = np.digitize(y, np.quantile(y, [0.4, 0.7])) if seed % 2 else y.round(1)
    order = rng.permutation(n)
    return sample_data.DataSet("random", "Random", X, y, names, classes), np.split(order, [n // 2, 3 * n // 4])


def twin(tree, data, rows):
    """Return the arrays of one tree that the browser has, computed row by row and node by node."""
    target = data.target
    labels = target.usual_outputs(tree)
    leaf = tree.apply(data.X)
    leaves = np.flatnonzero(tree.left < 0).tolist()
    counts, losses = [], []
    for part in rows:
        table = {node: [0] * len(target.groups) for node in leaves}
        loss = dict.fromkeys(leaves, 0.0)
        for row in part.tolist():
            table[leaf[row]][target.group_of(data.y[[row]])[0]] += 1
            loss[leaf[row]] += float(target.losses(labels[[leaf[row]]], data.y[[row]])[0])
        counts.append([count for node in leaves for count in table[node]])
        losses.append(list(loss.values()))
    return {
        "left": tree.left.tolist(),
        "right": tree.right.tolist(),
        "origin": tree.origin.tolist(),
        "label": target.group_of(labels).tolist(),
        "value": labels.tolist(),
        "bias": tree.bias.tolist(),
        "missingRight": None if tree.missing_right is None else tree.missing_right.astype(int).tolist(),
        "kind": kinds_of(tree, False, None, target).tolist(),
        "start": tree.indptr.tolist(),
        "feature": tree.features.tolist(),
        "weight": tree.weights.tolist(),
        "digits": decision_digits(tree, data.X).tolist(),
        "leafCounts": counts,
        "leafLosses": None if target.values_are_groups else losses,
    }


def agree(ask, payload, trees, data, rows):
    found = ask("arrays", payload)
    assert len(found) == len(trees)
    known = {}
    for tree, arrays in zip(trees, found, strict=True):
        expected = known.setdefault(id(tree), twin(tree, data, rows))
        assert arrays == expected


@pytest.mark.parametrize("init", ["cart", "random"])
@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
@pytest.mark.parametrize("seed", range(4))
def test_steps_of_a_run(ask, split, init, seed):
    missing = seed > 1 and split != "oblique"
    data, rows = problem(seed, missing)
    model = ESTIMATORS[data.target.loss](
        split=split, init=init, lam=data.target.loss_unit, max_depth=4, max_iter=5, random_state=seed, n_jobs=1,
        missing="learn" if missing else "error",
    )  # fmt: skip
    recording = record(model, data.X[rows[0]], data.y[rows[0]])
    trees = [step.tree for step in recording.steps]
    assert trees[-1].n_nodes < trees[0].n_nodes  # pruned
    agree(ask, recording_payload(recording, data, rows), trees, data, rows)


@pytest.mark.parametrize("seed", range(4))
def test_steps_of_a_growth(ask, seed):
    data, rows = problem(seed, seed > 1)
    cart = CARTS[data.target.loss](cv=None, random_state=0, missing="learn")
    recording = grow(cart.fit(data.X[rows[0]], data.y[rows[0]]).tree_)
    trees = [step.tree for step in recording.steps]
    agree(ask, recording_payload(recording, data, rows), trees, data, rows)


@pytest.mark.parametrize("seed", range(2))
def test_a_path_on_which_trees_occur_again(ask, seed):
    data, rows = problem(seed, False)
    fitted = [
        ESTIMATORS[data.target.loss](lam=lam * data.target.loss_unit, max_depth=4, random_state=0, n_jobs=1)
        .fit(data.X[rows[0]], data.y[rows[0]])
        .tree_
        for lam in (3.0, 1.0, 0.3)
    ]
    trees = [fitted[0], fitted[1], fitted[0], fitted[2], fitted[2]]
    points = [type("Point", (), {"tree": tree, "lam": float(k)})() for k, tree in enumerate(trees)]
    agree(ask, stage_payload(points, data, rows), trees, data, rows)
