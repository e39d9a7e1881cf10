"""Test that recorded runs equal those of the engine, and that every step equals a slow computation from scratch."""

from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sample_data
from tests import naive
from tests.strategies import datasets
from treecore import CARTClassifier, CARTRegressor, TAOClassifier, TAORegressor
from treecore.training.estimators import ESTIMATORS
from treecore.training.recording import grow, record
from treecore.tree.split import same_split
from treecore.tree.tree import Tree

COST = 1.5
CASES = [("univariate", "cart"), ("univariate", "random"), ("bivariate", "cart"), ("bivariate", "random"),
         ("oblique", "cart"), ("oblique", "random")]  # fmt: skip


def penalty_of(split, X, weights):
    if split == "oblique":
        present = X[weights > 0], weights[weights > 0]
        middle = np.average(present[0], axis=0, weights=present[1])
        return naive.l1_penalty(np.sqrt(np.average((present[0] - middle) ** 2, axis=0, weights=present[1])))
    return lambda features, weights: [0.0, 1.0, COST][len(features)]


def split_of(tree, node):
    features, weights, bias = tree.split(node)
    return features.tolist(), weights.tolist(), bias


def check(X, y, weights, parameters):
    """Record a run and compare it with `fit` and with slow reference implementations. Return its Recording."""
    options = {"max_depth": 3, "max_iter": 4, "random_state": 0, "n_jobs": 1} | parameters
    options |= {"bivariate_cost": COST} if options.get("split") == "bivariate" else {}
    recording = record(TAOClassifier(**options), X, y, weights)
    fitted = TAOClassifier(**options).fit(X, y, weights)
    assert recording.tree == recording.steps[-1].tree == fitted.tree_ == recording.estimator.tree_
    assert [r._replace(seconds=0) for r in recording.estimator.trace_] == [r._replace(seconds=0) for r in fitted.trace_]
    assert recording.estimator.n_iter_ == fitted.n_iter_

    codes = np.searchsorted(fitted.classes_, y)
    penalty = penalty_of(options["split"], X.astype(float), weights)
    steps = recording.steps
    assert (steps[0].kind, steps[-1].kind) == ("start", "prune")
    for step in steps:
        loss = naive.objective(step.tree, step.tree.labels, X, codes, weights, 0.0, penalty)
        assert step.loss == pytest.approx(loss, abs=1e-9)
        assert step.error == pytest.approx(loss / weights.sum(), abs=1e-9)
        whole = naive.objective(step.tree, step.tree.labels, X, codes, weights, options["lam"], penalty)
        assert step.objective == pytest.approx(whole, rel=1e-5, abs=1e-5)
    ends = {step.iteration: step for step in steps if step.kind == "level" and step.depth == 0}
    assert steps[0].objective == pytest.approx(fitted.initial_.objective)
    assert {i: pytest.approx(step.objective) for i, step in ends.items()} == {
        r.iteration: r.objective for r in fitted.trace_
    }
    for before, step in zip(steps[:-1], steps[1:], strict=True):
        if step.kind == "level":
            check_level(before.tree, step, X, codes, weights)
    return recording


def check_level(before, step, X, y, weights):
    """Assert that the level's reduced problems equal those from routing each point through both children."""
    after = step.tree
    rows = naive.visits(before, X[weights > 0])
    kept = np.flatnonzero(weights > 0)
    rows = [kept[part].tolist() for part in rows]
    level = {int(before.origin[i]): i for i in np.flatnonzero(before.depths == step.depth)}
    nodes = {node.origin: node for node in step.nodes}
    assert nodes.keys() | step.skipped.keys() == level.keys()
    assert not nodes.keys() & step.skipped.keys()
    for origin, i in level.items():
        is_leaf = before.left[i] < 0
        pure = np.unique(y[rows[i]]).size == 1 and not is_leaf
        reason = "dead" if not rows[i] else "pure" if pure else None
        if origin in step.skipped:
            assert step.skipped[origin] in ("frozen", reason)
            assert is_leaf or split_of(before, i) == split_of(after, i)
            continue
        assert reason is None
        node = nodes[origin]
        assert (node.n, node.is_leaf) == (len(rows[i]), is_leaf)
        if is_leaf:
            labels = before.labels[i], after.labels[i]
            assert (node.old_label, node.new_label) == labels
            wrong = [sum(weights[r] for r in rows[i] if y[r] != label) for label in labels]
        else:
            problem = naive.reduced_problem(before, before.labels, X, y, i, rows[i])
            assert dict(zip(node.rows.tolist(), node.sides.tolist(), strict=True)) == problem
            np.testing.assert_array_equal(node.weights, weights[node.rows])
            for split, tree in ((node.old, before), (node.new, after)):
                assert (split.features.tolist(), split.weights.tolist(), split.bias) == split_of(tree, i)
            problem = X[node.rows], node.sides, node.weights
            wrong = [naive.split_loss(split, *problem) if node.rows.size else 0.0 for split in (node.old, node.new)]
            assert node.changed == (not same_split(node.old, node.new))
        assert (node.errors_before, node.errors_after) == pytest.approx(wrong, abs=1e-9)
    others = np.flatnonzero(before.depths != step.depth)
    assert all(split_of(before, i) == split_of(after, i) for i in others)


@pytest.mark.parametrize(("split", "init"), CASES)
@settings(max_examples=15)
@given(dataset=datasets(max_rows=25, max_features=3), lam=st.sampled_from([0.0, 0.3, 2.0]))
def test_every_step_equals_a_slow_reference(split, init, dataset, lam):
    X, y, weights = dataset
    check(X, y, weights, {"split": split, "init": init, "lam": lam})


@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
def test_points_on_one_spot_and_rows_of_no_weight(split):
    rng = np.random.default_rng(4)
    X = rng.integers(0, 4, (60, 2)).astype(float)
    y = rng.integers(0, 3, 60)
    weights = rng.choice([0.0, 1.0, 2.5], 60)
    check(X, y, weights, {"split": split, "init": "random", "lam": 0.5, "max_depth": 4})


def test_images(bundled):
    X, y = bundled("digits")
    X, y = X[:60].astype(np.uint8), y[:60]
    recording = check(X, y, np.ones(60), {"split": "oblique", "init": "random", "lam": 0.5, "max_iter": 3})
    assert any(node.rows.size for step in recording.steps for node in step.nodes)


@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
def test_frozen_nodes_are_skipped(split):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 0] > 1)
    init = TAOClassifier(split="univariate", init="cart", max_depth=3, max_iter=0).fit(X, y).tree_
    frozen = [int(init.origin[0]), int(init.origin[np.flatnonzero(init.left < 0)[0]])]
    parameters = {"split": split, "init": init, "lam": 0.5, "frozen": frozen}
    recording = check(X, y, np.ones(80), parameters)
    reasons = {origin: reason for step in recording.steps for origin, reason in step.skipped.items()}
    assert all(reasons[origin] == "frozen" for origin in frozen)
    assert recording.tree.split(0)[2] == init.split(0)[2]


@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
def test_one_class_is_one_leaf(split):
    X = np.random.default_rng(0).normal(size=(20, 2))
    recording = check(X, np.zeros(20, int), np.ones(20), {"split": split, "init": "random", "lam": 0.1})
    assert recording.tree.n_nodes == 1
    reasons = {reason for step in recording.steps if step.kind == "prune" for reason in step.skipped.values()}
    assert reasons == {"pure"}


def test_the_best_iterate_is_put_back_in_a_step_of_its_own(bundled):
    X, y = bundled("wine")
    found = []
    for seed in range(4):
        model = TAOClassifier(split="oblique", lam=0.2, max_depth=4, random_state=seed)
        steps = record(model, X, y).steps
        found += [(step.objective, min(r.objective for r in model.trace_)) for step in steps if step.kind == "best"]
    assert found
    assert all(objective == pytest.approx(best) for objective, best in found)


def test_pruning_is_a_step_with_a_reason():
    X = np.arange(40.0).reshape(-1, 1)
    y = (X[:, 0] >= 20).astype(int)
    recording = record(TAOClassifier(split="univariate", max_depth=3, lam=0.5, random_state=0), X, y)
    step = next(step for step in recording.steps if step.kind == "prune")
    before = recording.steps[recording.steps.index(step) - 1].tree
    decisions = {o for o, left in zip(before.origin.tolist(), before.left, strict=True) if left >= 0}
    left_over = {o for o, left in zip(step.tree.origin.tolist(), step.tree.left, strict=True) if left >= 0}
    assert decisions - left_over <= step.skipped.keys()
    for origin, reason in step.skipped.items():
        node = int(np.flatnonzero(before.origin == origin)[0])
        assert (reason == "dead") == (before.n_samples[node] == 0)
        if reason == "one-sided":
            assert 0 in before.n_samples[[before.left[node], before.right[node]]]
    assert recording.tree.n_leaves == 2


def test_the_callback_still_decides(bundled):
    X, y = bundled("iris")
    seen = []

    def stop(step):
        seen.append(step)
        return len(seen) == 3

    recording = record(TAOClassifier(max_depth=3, random_state=0, callback=stop), X, y)
    assert [step.kind for step in recording.steps].count("level") == 3
    assert recording.steps[-1].kind == "prune"


def test_growth_goes_split_by_split_to_the_finished_tree(bundled):
    X, y = bundled("wine")
    tree = CARTClassifier(cv=None, random_state=0).fit(X, y).tree_
    recording = grow(tree, lam=2.0)
    assert recording.steps[-1].tree == tree
    assert [step.tree.n_decision for step in recording.steps] == list(range(tree.n_decision + 1))
    codes = np.searchsorted(tree.classes, y)
    gains = []
    for before, step in zip(recording.steps[:-1], recording.steps[1:], strict=True):
        wrong = np.count_nonzero(step.tree.predict(X) != y)
        assert step.loss == pytest.approx(wrong)
        assert step.error == pytest.approx(wrong / y.size)
        assert step.objective == pytest.approx(wrong + 2.0 * step.tree.n_decision)
        (node,) = step.nodes
        leaf = int(np.flatnonzero(before.tree.origin == node.origin)[0])
        assert (before.tree.left[leaf], step.kind, node.is_leaf) == (-1, "split", False)
        assert node.errors_before - node.errors_after == pytest.approx(before.loss - step.loss)
        # Among all leaves that will be split, this leaf has the split that lowers the impurity most.
        open_leaves = {
            int(o): gini_gain(tree, int(np.flatnonzero(tree.origin == o)[0]), X, codes)
            for o, left in zip(before.tree.origin, before.tree.left, strict=True)
            if left < 0 and tree.left[np.flatnonzero(tree.origin == o)[0]] >= 0
        }
        assert open_leaves[node.origin] == pytest.approx(max(open_leaves.values()))
        gains.append(open_leaves[node.origin])
    assert all(gain > 0 for gain in gains)


def gini_gain(tree, node, X, y):
    """Return the decrease in count times Gini impurity by a split, computed point by point."""
    reach = [naive.path(tree, x) for x in X]

    def impurity(i):
        inside = [t for t, visited in zip(y, reach, strict=True) if i in visited]
        return sum(1.0 - inside.count(t) / len(inside) for t in inside)

    return impurity(node) - impurity(int(tree.left[node])) - impurity(int(tree.right[node]))


def test_a_single_leaf_has_nothing_to_grow():
    tree = CARTClassifier(cv=None).fit([[0.0], [1.0]], [1, 1]).tree_
    assert [step.kind for step in grow(tree).steps] == ["start"]


@pytest.mark.parametrize(("split", "init"), [("univariate", "cart"), ("bivariate", "random"), ("oblique", "random")])
def test_weights_in_regression_are_differences_of_squared_errors(split, init):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 3))
    y = 1000 + 20 * X[:, 0] + 15 * (X[:, 1] > 0.2) + rng.normal(size=90)
    options = {"split": split, "init": init, "lam": 300.0, "max_depth": 3, "max_iter": 3, "random_state": 0}
    recording = record(TAORegressor(**options), X, y)
    assert recording.tree == TAORegressor(**options).fit(X, y).tree_ == recording.steps[-1].tree
    seen = 0
    for before, step in pairwise(recording.steps):
        squares = (step.tree.predict(X) - y) ** 2
        assert step.loss == pytest.approx(squares.sum())
        assert step.error == pytest.approx(np.sqrt(squares.mean()))
        reached = naive.visits(before.tree, X)
        for node in step.nodes if step.kind == "level" else ():
            place = before.tree.origin.tolist().index(node.origin)
            rows = np.array(reached[place])
            assert node.n == rows.size
            if node.is_leaf:
                after = [((label - y[rows]) ** 2).sum() for label in (node.old_label, node.new_label)]
                assert after == pytest.approx([node.errors_before, node.errors_after])
                assert node.new_label == pytest.approx(y[rows].mean())
                continue
            both = [naive_predictions(before.tree, child, X) for child in (before.tree.left, before.tree.right)]
            gain = (both[0][place] - y) ** 2 - (both[1][place] - y) ** 2  # gain of going right
            cares = rows[np.abs(gain[rows]) > 1e-6]
            assert set(cares.tolist()) <= set(node.rows.tolist())
            np.testing.assert_allclose(node.sides * node.weights, gain[node.rows], rtol=1e-6, atol=1e-6)
            seen += cares.size
    assert seen > 100


def naive_predictions(tree, children, X):
    """Return {node: predictions of its child's subtree for all rows}."""

    def predicted(node, x):
        while tree.left[node] >= 0:
            features, weights, bias = tree.split(node)
            node = tree.right[node] if bias + weights @ x[features] >= 0 else tree.left[node]
        return tree.predictions[node]

    inner = np.flatnonzero(tree.left >= 0).tolist()
    return {node: np.array([predicted(int(children[node]), x) for x in X]) for node in inner}


def test_a_tree_of_numbers_grows_by_the_squared_error():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = 10 * X[:, 0] + (X[:, 1] > 0)
    recording = grow(CARTRegressor(cv=None, max_depth=3).fit(X, y).tree_, 2.0)
    assert recording.steps[-1].tree == recording.tree
    gains = []
    for before, step in pairwise(recording.steps):
        assert step.loss == pytest.approx(((step.tree.predict(X) - y) ** 2).sum())
        assert step.objective == pytest.approx(step.loss + 2.0 * step.tree.n_decision)
        (node,) = step.nodes
        gains.append(node.errors_before - node.errors_after)
        assert gains[-1] == pytest.approx(before.loss - step.loss, abs=1e-9)
    assert gains[0] == max(gains)


@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
def test_a_run_without_passes_is_recorded(split):
    data = sample_data.load("xor")
    model = TAOClassifier(split=split, max_depth=3, max_iter=0, random_state=0)
    recording = record(model, data.X, data.y)
    assert {step.iteration for step in recording.steps} == {0}
    assert recording.tree == model.tree_


@pytest.mark.parametrize("name", ["moons", "hill"])
@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
def test_trees_of_steps_would_pass_the_checks_that_they_leave_out(name, split):
    data = sample_data.load(name)
    X, y = data.X[::5], data.y[::5]
    model = ESTIMATORS[data.target.loss](split=split, lam=0.5 * data.target.loss_unit, random_state=0, n_jobs=1)
    cart = {"unequal": CARTClassifier, "squared": CARTRegressor}[data.target.loss](cv=None, random_state=0).fit(X, y)
    for step in (*record(model, X, y).steps, *grow(cart.tree_).steps):
        values = {one.name: getattr(step.tree, one.name) for one in fields(Tree)}
        assert Tree(**values) == step.tree
        assert not any(value.flags.writeable for value in values.values() if isinstance(value, np.ndarray))
