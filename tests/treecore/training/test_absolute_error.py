"""Test trees that minimise the absolute error: medians, steps, optima, selection, options that are refused."""

import itertools

import numpy as np
import pandas
import pytest

from tests import naive
from tests.refusals import refused
from treecore import (
    DataError,
    LossPoint,
    ParameterError,
    TAORegressor,
    TAORegressorCV,
    Tree,
    export,
    improve,
    phase_diagram,
    regularization_path,
    size_path,
)
from treecore.data.absolute_error import AbsoluteLoss
from treecore.data.training_data import TrainingData
from treecore.initial import initial_tree
from treecore.node_solvers import make_solver
from treecore.training.recording import record
from treecore.training.tao import AlternatingOptimization

EXACT = {"split": "univariate", "init": "cart", "random_state": 0, "n_jobs": 1, "loss": "absolute_error"}


def rows(rng, n=80, d=3):
    """Return rows with a few large outliers and ties in the target."""
    X = rng.integers(0, 8, (n, d)).astype(float)
    y = np.round(3.0 * (X[:, 0] > 3) + X[:, 1] / 4 + rng.standard_normal(n), 1)
    y[rng.random(n) < 0.1] += 30.0
    return X, y


def median_loss(y, weights):
    """Return the smallest weighted sum of absolute differences from any number, by trying each value."""
    return min((weights * np.abs(y - one)).sum() for one in y)


def objective(model, X, y, weights=1.0):
    penalty = [model.bivariate_cost if n > 1 else n for n in np.diff(model.tree_.indptr).tolist()]
    return float((weights * np.abs(model.predict(X) - y)).sum()) + model.lam * sum(penalty)


def test_values_of_nodes_are_those_of_their_rows(rng):
    loss = AbsoluteLoss()
    left, right = np.array([1, 3, -1, -1, 5, -1, -1]), np.array([2, 4, -1, -1, 6, -1, -1])
    below = {0: [2, 3, 5, 6], 1: [3, 5, 6], 4: [5, 6]} | {leaf: [leaf] for leaf in (2, 3, 5, 6)}
    for _ in range(30):
        n = int(rng.integers(1, 30))
        leaf, y = rng.choice([2, 3, 5], n), rng.integers(0, 6, n).astype(float)  # leaf 6 has no rows
        weights = rng.integers(1, 4, n).astype(float)
        values = loss.node_values(left, right, leaf, y, weights)
        for node, leaves in below.items():
            own = np.isin(leaf, leaves)
            if not own.any():
                assert not values[node].any()
                continue
            repeated = np.repeat(y[own], weights[own].astype(int))
            weight, median, squares, deviation, mean = values[node]
            assert (weight, median) == (repeated.size, np.median(repeated))
            assert squares == pytest.approx(np.mean((repeated - median) ** 2))
            assert deviation == pytest.approx(np.abs(repeated - median).mean())
            assert mean == pytest.approx(repeated.mean())
            assert loss.losses_of(values)[node] == pytest.approx(median_loss(y[own], weights[own]))
        labels = loss.leaf_labels(leaf, y, weights, np.full(7, 9.0))
        assert labels[[0, 6]].tolist() == [9.0, 9.0]
        kept, given = np.arange(7) == 3, np.where(np.arange(7) == 3, 2.0, values[:, 1])
        stored, codes = loss.stored(values, given, kept)
        assert codes.tolist() == [0] * 7
        if (leaf == 3).any():
            expected = np.average((y[leaf == 3] - 2.0) ** 2, weights=weights[leaf == 3])
            assert stored[3] == pytest.approx([weights[leaf == 3].sum(), 2.0, expected])


@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
@pytest.mark.parametrize("init", ["random", "cart"])
def test_every_step_equals_a_slow_reference(rng, split, init):
    for _ in range(6):
        X, y = rows(rng, 50)
        weights, lam = rng.integers(1, 4, len(y)).astype(float), rng.choice([0.0, 5.0])
        data = TrainingData(X, y, None, weights, loss=AbsoluteLoss())
        tree = initial_tree(
            init, data.growing(), 3, np.random.RandomState(0), max_features=1 if split == "univariate" else 2
        )
        data.relabel(tree)
        solver = make_solver(data, split)
        run = AlternatingOptimization(data, tree, solver, lam, max_iter=3, n_jobs=1, keep_initial=solver.monotone)
        before = None
        for step in run.steps():
            routing, labels = run.tree.routing(), run.tree.labels.copy()
            visits = naive.visits(routing, X)
            for node in step.solved:
                left, right = (
                    {i: abs(y[i] - labels[naive.path(routing, X[i], child)[-1]]) for i in visits[node]}
                    for child in (routing.left[node], routing.right[node])
                )
                gains = {i: weights[i] * (left[i] - right[i]) for i in visits[node] if left[i] != right[i]}
                cared, sides, amounts = step.reduced_problem(node)
                assert dict(zip(cared.tolist(), (sides * amounts).tolist(), strict=True)) == pytest.approx(gains)
            for leaf in step.nodes[routing.left[step.nodes] < 0]:
                own = visits[leaf]
                found = (weights[own] * np.abs(y[own] - labels[leaf])).sum()
                assert found == pytest.approx(median_loss(y[own], weights[own]))
            loss = (weights * np.abs(y - labels[naive.leaves(routing, X)])).sum()
            assert step.objective_after == pytest.approx(loss + lam * run.tree.penalty())
            assert step.error == pytest.approx(loss / weights.sum())
            if solver.monotone:
                assert before is None or step.objective_after <= before + 1e-9
                assert step.objective_after <= step.objective_before + 1e-9
            before = step.objective_after


@pytest.mark.parametrize("options", [{}, {"refine": 2}, {"n_init": 4}, {"split": "bivariate"}, {"max_leaf_nodes": 4}])
def test_the_objective_never_rises_and_is_that_of_the_tree(rng, options):
    for _ in range(5):
        X, y = rows(rng, 150)
        weights = rng.uniform(0.5, 2.0, len(y))
        model = TAORegressor(**EXACT | options, lam=8.0, max_depth=4).fit(X, y, weights)
        objectives = [record.objective for record in (model.initial_, *model.trace_)]
        assert all(after <= one + 1e-9 for one, after in itertools.pairwise(objectives))
        assert objectives[-1] == pytest.approx(objective(model, X, y, weights))
        leaf = model.tree_.apply(X)
        for node in np.unique(leaf):
            own = leaf == node
            found = (weights[own] * np.abs(y[own] - model.tree_.predictions[node])).sum()
            assert found == pytest.approx(median_loss(y[own], weights[own]))
            squares = np.average((y[own] - model.tree_.predictions[node]) ** 2, weights=weights[own])
            assert model.tree_.values[node, 2] == pytest.approx(squares)


def best_of_depth(X, y, weights, lam, depth):
    """Return the smallest objective of all univariate trees of a depth."""

    def best(points, left):
        found = [median_loss(y[points], weights[points])]
        if left and found[0] > 0:
            for column in X.T:
                for cut in np.unique(column[points])[1:]:
                    below = column[points] < cut
                    found.append(lam + best(points[below], left - 1) + best(points[~below], left - 1))
        return min(found)

    return best(np.arange(len(y)), depth)


@pytest.mark.parametrize("lam", [0.0, 2.0, 10.0])
def test_trees_are_never_below_the_optimum_and_stay_there(rng, lam):
    for _ in range(6):
        X, y = rows(rng, 40)
        X, weights = X // 2, rng.integers(1, 4, 40).astype(float)
        optimum = best_of_depth(X, y, weights, lam, 2)
        model = TAORegressor(**EXACT, lam=lam, max_depth=2, n_init=20).fit(X, y, weights)
        assert objective(model, X, y, weights) >= optimum - 1e-9
        again = TAORegressor(**EXACT | {"init": model.tree_}, lam=lam).fit(X, y, weights)
        assert objective(again, X, y, weights) <= objective(model, X, y, weights) + 1e-9


def test_one_split_is_the_best_of_all_given_its_medians(rng):
    for _ in range(10):
        X, y = rows(rng, 40)
        model = TAORegressor(**EXACT, lam=1.0, max_depth=1).fit(X, y)
        if model.tree_.n_leaves == 1:
            continue
        low, high = model.tree_.predictions[[1, 2]]
        gains = np.abs(y - low) - np.abs(y - high)
        best = min(
            min((gains * ((column >= cut) == side)).sum() for side in (0, 1))
            for column in X.T
            for cut in np.unique(column)
        )
        moved = -(gains[model.tree_.apply(X) == 2]).sum()
        assert moved <= -best + 1e-9


def test_outliers_do_not_move_the_tree(rng):
    X = rng.uniform(0, 1, (400, 2))
    y = np.where(X[:, 0] > 0.5, 2.0, 1.0) + 0.1 * rng.standard_normal(400)
    broken = y + 500.0 * (rng.random(400) < 0.03)
    squared, absolute = (
        TAORegressor("univariate", init="cart", max_depth=1, lam=1.0, loss=loss, random_state=0).fit(X, broken)
        for loss in ("squared_error", "absolute_error")
    )
    off = [np.abs(model.predict(X) - np.where(X[:, 0] > 0.5, 2.0, 1.0)).mean() for model in (squared, absolute)]
    assert off[1] < 0.1 < off[0]


@pytest.mark.parametrize("factor", [0.25, 1000.0])
def test_the_unit_and_the_origin_of_the_target_do_not_matter(rng, factor):
    X, y = rows(rng, 150)
    for split in ("univariate", "bivariate"):
        given = EXACT | {"split": split, "max_depth": 4}
        one = TAORegressor(**given, lam=5.0).fit(X, y)
        other = TAORegressor(**given, lam=5.0 * factor).fit(X, factor * (y + 64.0))
        assert np.allclose(factor * (one.predict(X) + 64.0), other.predict(X))


def test_a_weight_of_two_is_a_row_twice(rng):
    X, y = rows(rng, 100)
    X += 0.01 * rng.standard_normal(X.shape)
    weights = rng.integers(1, 3, 100)
    given = EXACT | {"init": "histogram_cart", "lam": 5.0, "max_depth": 3}
    twice = TAORegressor(**given).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert np.array_equal(TAORegressor(**given).fit(X, y, weights).predict(X), twice.predict(X))


def test_frozen_leaves_keep_their_number_and_exports_contain_medians(rng):
    X, y = rows(rng, 120)
    model = TAORegressor(**EXACT, lam=5.0, max_depth=3).fit(X, y)
    tree = model.tree_
    assert Tree.from_json(tree.to_json()) == tree
    space = {}
    exec(export.python(tree), space)
    assert [space["predict"](list(x)) for x in X] == model.predict(X).tolist()
    start = TAORegressor("univariate", init="cart", lam=5.0, max_depth=2, random_state=0).fit(X, y).tree_
    leaf = int(np.argmax(np.where(start.left < 0, start.n_samples, 0)))
    frozen = start.origin[(start.left >= 0) | (np.arange(start.n_nodes) == leaf)].tolist()
    kept = TAORegressor(**EXACT | {"init": start}, frozen=frozen, lam=5.0).fit(X, y).tree_
    place = int(np.flatnonzero(kept.origin == start.origin[leaf])[0])
    assert kept.predictions[place] == start.predictions[leaf]
    own = kept.apply(X) == place
    assert own.any()
    assert kept.values[place, 2] == pytest.approx(np.mean((y[own] - kept.predictions[place]) ** 2))


def test_paths_sizes_and_folds_select_by_the_absolute_error(rng):
    X, y = rows(rng, 300)
    base = TAORegressor(**EXACT | {"init": "histogram_cart"})
    path = regularization_path(base, X[:200], y[:200], 8, X[200:], y[200:])
    losses = [np.abs(tree.predict(X[200:]) - y[200:]).mean() for tree in path.trees]
    assert [point.validation_loss for point in path] == pytest.approx(losses)
    assert [point.train_loss for point in path] == pytest.approx(
        [np.abs(tree.predict(X[:200]) - y[:200]).mean() for tree in path.trees]
    )
    squares = [np.sqrt(np.mean((tree.predict(X[:200]) - y[:200]) ** 2)) for tree in path.trees]
    assert [point.train_error for point in path] == pytest.approx(squares)
    assert losses[path.best_index()] == min(losses)
    assert isinstance(path[0], LossPoint)
    assert path[-1].n_leaves == 1 < 10 < path[0].n_leaves
    critical = regularization_path(base.set_params(lam=3.0), X[:80], y[:80], "critical")
    assert critical[-1].n_leaves == 1
    found = [objective_of(critical[i].tree, critical[i].lam, X[:80], y[:80]) for i in range(len(critical))]
    assert all(
        objective_of(a.tree, b.lam, X[:80], y[:80]) >= now - 1e-9
        for a, b, now in zip(critical[:-1], critical[1:], found[1:], strict=True)
    )

    sizes = [1, 2, 3, 5, 8]
    trees = size_path(base, X, y, sizes).trees
    losses = [np.abs(tree.predict(X) - y).mean() for tree in trees]
    assert all(after <= before + 1e-12 for before, after in itertools.pairwise(losses))
    assert losses[0] == pytest.approx(np.abs(y - np.median(y)).mean())

    parts = [(np.arange(200), np.arange(200, 300)), (np.arange(100, 300), np.arange(100))]
    model = TAORegressorCV(base, [2.0, 20.0], cv=parts, random_state=0).fit(X, y)
    tree = regularization_path(base, X[:200], y[:200], [2.0 * 2 / 3])[0].tree
    assert model.cv_results_["split0_error"][0] == pytest.approx(np.abs(tree.predict(X[200:]) - y[200:]).mean())
    given = TAORegressor("univariate", init="cart", lam=0.1, random_state=0).fit(X[:200], y[:200])
    better = improve(given, X[:200], y[:200], X[200:], y[200:], base, lams=4)
    assert better.given_error == pytest.approx(np.abs(given.predict(X[200:]) - y[200:]).mean())


def objective_of(tree, lam, X, y):
    return float(np.abs(tree.predict(X) - y).sum()) + lam * tree.n_decision


def test_options_that_need_means_are_refused(rng, tmp_path):
    X, y = rows(rng)
    for options, phrase in (
        ({"leaf": "linear"}, "loss='absolute_error' has no effect with leaf='linear'"),
        ({"block": 2}, "loss='absolute_error' has no effect with block=2"),
        ({"shrinkage": 2.0}, "loss='absolute_error' has no effect with shrinkage=2.0"),
        ({"monotonic_cst": [1, 0, 0]}, "monotonic_cst cannot be combined with loss='absolute_error'"),
        ({"loss": "huber"}, "loss='huber': expected"),
    ):
        with refused(ParameterError, phrase):
            TAORegressor(**EXACT | options).fit(X, y)
    with refused(ParameterError, "shrinkages=[0, 2] has no effect with loss='absolute_error'"):
        TAORegressorCV(TAORegressor(**EXACT), shrinkages=[0, 2]).fit(X, y)
    with refused(ParameterError, "A recording shows"):
        record(TAORegressor(**EXACT), X, y)
    with refused(ParameterError, "A phase diagram shows errors"):
        phase_diagram(TAORegressor(**EXACT | {"split": "bivariate"}), X, y, lams=[1.0], costs=[1.0])
    pandas.DataFrame(X, columns=list("abc")).assign(y=y).to_parquet(tmp_path / "rows.parquet")
    with refused(ParameterError, "rows that are read in parts require loss='squared_error'"):
        TAORegressor(**EXACT).fit(str(tmp_path / "rows.parquet"), "y")
    with pytest.raises(DataError):
        TAORegressor(**EXACT).fit(X, np.where(y > 1, np.nan, y))


def test_without_the_parameter_the_tree_is_the_same(rng):
    X, y = rows(rng, 200)
    given = {"split": "univariate", "init": "cart", "lam": 20.0, "random_state": 0}
    assert TAORegressor(**given, loss="squared_error").fit(X, y).tree_ == TAORegressor(**given).fit(X, y).tree_
