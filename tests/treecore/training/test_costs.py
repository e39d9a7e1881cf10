"""Test trees that minimise costs of mistakes: steps, optima, equal trees of other parameters, errors, bad input."""

import itertools

import numpy as np
import pandas
import pytest

from tests import naive
from tests.refusals import refused
from treecore import (
    CARTClassifier,
    DataError,
    LossPoint,
    ParameterError,
    TAOClassifier,
    TAOClassifierCV,
    TAORegressor,
    Tree,
    export,
    improve,
    mean_cost,
    optimality_gap,
    phase_diagram,
    regularization_path,
    size_path,
)
from treecore.data.costs import CostLoss, costs_of
from treecore.data.training_data import TrainingData
from treecore.initial import initial_tree
from treecore.node_solvers import make_solver
from treecore.rules import rules
from treecore.training.recording import record
from treecore.training.tao import AlternatingOptimization

EXACT = {"split": "univariate", "init": "cart", "random_state": 0, "n_jobs": 1}


def random_costs(rng, k):
    """Return a valid matrix of costs, in which a few mistakes cost nothing if there are more than two classes."""
    costs = rng.choice([0.0, 0.5, 1.0, 3.0, 7.3] if k > 2 else [0.5, 1.0, 3.0, 7.3], (k, k))
    costs[np.arange(k), (np.arange(k) + 1) % k] += 0.5
    np.fill_diagonal(costs, 0.0)
    return costs


def random_rows(rng, n=60, d=3, k=3):
    X = rng.integers(0, 8, (n, d)).astype(float)
    y = (X[:, 0] > 3).astype(int) + (X[:, 1] > rng.integers(1, 6)) * rng.integers(0, 2)
    y = np.where(rng.random(n) < 0.3, rng.integers(0, k, n), y % k)
    y[:k] = np.arange(k)
    return X, y


def total(costs, y, predicted, weights=1.0):
    """Return the sum of the costs of rows, one by one."""
    weights = np.broadcast_to(weights, len(y))
    return sum(w * costs[int(a)][int(b)] for w, a, b in zip(weights, y, predicted, strict=True))


def objective(model, costs, X, y, weights=1.0):
    penalty = [model.bivariate_cost if n > 1 else n for n in np.diff(model.tree_.indptr).tolist()]
    return total(costs, y, np.searchsorted(model.classes_, model.predict(X)), weights) + model.lam * sum(penalty)


@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
@pytest.mark.parametrize("init", ["random", "cart"])
def test_every_step_equals_a_slow_reference(rng, split, init):
    for _ in range(8):
        k = int(rng.integers(2, 5))
        X, y = random_rows(rng, k=k)
        costs, weights, lam = random_costs(rng, k), rng.integers(1, 4, len(y)).astype(float), rng.choice([0.0, 1.3])
        data = TrainingData(X, y, k, weights, loss=CostLoss(costs))
        tree = initial_tree(
            init, data.growing(), 3, np.random.RandomState(0), max_features=1 if split == "univariate" else 2
        )
        data.relabel(tree)
        solver = make_solver(data, split)
        run = AlternatingOptimization(data, tree, solver, lam, max_iter=3, n_jobs=1, keep_initial=solver.monotone)
        before = None
        for step in run.steps():
            routing, labels = run.tree.routing(), run.tree.labels.copy()
            rows = naive.visits(routing, X)
            for node in step.solved:
                left, right = (
                    {i: costs[y[i], labels[naive.path(routing, X[i], child)[-1]]] for i in rows[node]}
                    for child in (routing.left[node], routing.right[node])
                )
                gains = {i: weights[i] * (left[i] - right[i]) for i in rows[node] if left[i] != right[i]}
                cared, sides, amounts = step.reduced_problem(node)
                assert dict(zip(cared.tolist(), (sides * amounts).tolist(), strict=True)) == pytest.approx(gains)
            for leaf in step.nodes[routing.left[step.nodes] < 0]:
                own = rows[leaf]
                least = min(total(costs, y[own], np.full(len(own), j), weights[own]) for j in range(k))
                assert total(costs, y[own], labels[[leaf] * len(own)], weights[own]) == pytest.approx(least)
            loss = total(costs, y, labels[naive.leaves(routing, X)], weights)
            assert step.objective_after == pytest.approx(loss + lam * run.tree.penalty())
            assert step.error == pytest.approx(loss / weights.sum())
            if solver.monotone:
                assert before is None or step.objective_after <= before + 1e-9
                assert step.objective_after <= step.objective_before + 1e-9
            before = step.objective_after


@pytest.mark.parametrize("options", [{}, {"block": 2}, {"refine": 2}, {"n_init": 4}, {"split": "bivariate"}])
def test_the_objective_never_rises_and_is_that_of_the_tree(rng, options):
    for _ in range(6):
        k = int(rng.integers(2, 5))
        X, y = random_rows(rng, 150, k=k)
        costs, weights = random_costs(rng, k), rng.uniform(0.5, 2.0, len(y))
        model = TAOClassifier(**EXACT | options, lam=2.0, max_depth=4, cost_matrix=costs).fit(X, y, weights)
        objectives = [record.objective for record in (model.initial_, *model.trace_)]
        assert all(after <= one + 1e-9 for one, after in itertools.pairwise(objectives))
        assert objectives[-1] == pytest.approx(objective(model, costs, X, y, weights))
        assert model.trace_[-1].error == pytest.approx(mean_cost(y, model.predict(X), costs, weights))
        shares = model.predict_proba(X) @ costs  # expected cost of each prediction
        chosen = shares[np.arange(len(y)), np.searchsorted(model.classes_, model.predict(X))]
        np.testing.assert_allclose(chosen, shares.min(axis=1), atol=1e-12)


def best_of_depth(X, y, costs, weights, lam, depth):
    """Return the smallest objective of all univariate trees of a depth."""

    def best(points, left):
        alone = min((weights[points] * costs[y[points], j]).sum() for j in range(len(costs)))
        found = [alone]
        if left and alone > 0:
            for column in X.T:
                for cut in np.unique(column[points])[1:]:
                    below = column[points] < cut
                    found.append(lam + best(points[below], left - 1) + best(points[~below], left - 1))
        return min(found)

    return best(np.arange(len(y)), depth)


@pytest.mark.parametrize("lam", [0.0, 1.0, 4.0])
def test_trees_of_depth_two_are_optimal_with_blocks_and_never_below_the_optimum_without(rng, lam):
    for _ in range(8):
        k = int(rng.integers(2, 5))
        X, y = random_rows(rng, 40, k=k)
        X = X // 2
        costs, weights = random_costs(rng, k), rng.integers(1, 4, 40).astype(float)
        optimum = best_of_depth(X, y, costs, weights, lam, 2)
        given = EXACT | {"lam": lam, "max_depth": 2, "cost_matrix": costs}
        model = TAOClassifier(**given, block=2).fit(X, y, weights)
        assert objective(model, costs, X, y, weights) == pytest.approx(optimum)
        alone = TAOClassifier(**given).fit(X, y, weights)
        assert objective(alone, costs, X, y, weights) >= optimum - 1e-9
        again = TAOClassifier(**given | {"init": model.tree_}).fit(X, y, weights)
        assert objective(again, costs, X, y, weights) == pytest.approx(optimum)


def test_groups_of_categories_are_optimal_with_blocks(rng):
    for _ in range(6):
        codes, k = rng.integers(0, 5, 50), 3
        y = np.where(rng.random(50) < 0.4, rng.integers(0, k, 50), codes % k)
        X, costs = (codes[:, None] == np.arange(5)).astype(float), random_costs(rng, k)
        model = TAOClassifier(**EXACT, lam=0.5, max_depth=1, cost_matrix=costs, categories=[range(5)], block=2)
        found = total(costs, y, model.fit(X, y).predict(X))
        sums = np.array([[costs[y[codes == code], j].sum() for j in range(k)] for code in range(5)])
        pairs = itertools.combinations(range(k), 2)
        assert found <= min(np.minimum(sums[:, a], sums[:, b]).sum() for a, b in pairs) + 0.5


WAYS = {
    "univariate": {"split": "univariate", "init": "cart"},
    "random": {"split": "univariate", "init": "random", "max_depth": 4},
    "bivariate": {"split": "bivariate", "init": "bivariate_cart", "max_depth": 4},
    "oblique": {"split": "oblique", "init": "cart", "max_depth": 3},
    "oblique_cart": {"split": "oblique", "init": "oblique_cart", "max_depth": 3},
    "histogram": {"split": "univariate", "init": "histogram_cart"},
    "block": {"split": "univariate", "init": "cart", "max_depth": 3, "block": 2},
    "refine": {"split": "univariate", "init": "cart", "max_depth": 4, "refine": 3},
    "leaves": {"split": "univariate", "init": "cart", "max_leaf_nodes": 4, "min_samples_leaf": 5},
    "monotone": {"split": "univariate", "init": "cart", "monotonic_cst": [1, 0, -1]},
    "interactions": {"split": "univariate", "init": "cart", "interaction_cst": "no_interactions"},
    "starts": {"split": "univariate", "init": "cart", "max_depth": 3, "n_init": 3},
}


def fitted(way, X, y, **options):
    return TAOClassifier(**{"lam": 2.0, "random_state": 0, "n_jobs": 1} | WAYS[way] | options).fit(X, y)


@pytest.mark.parametrize("way", WAYS)
def test_equal_costs_give_the_same_tree_bit_for_bit(rng, way):
    X, y = random_rows(rng, 200, k=2 if way == "monotone" else 3)
    k = int(y.max()) + 1
    equal = 1 - np.eye(k)
    assert fitted(way, X, y, cost_matrix=equal).tree_ == fitted(way, X, y).tree_
    table = {int(i): {int(j): 1 for j in range(k) if i != j} for i in range(k)}
    assert fitted(way, X, y, cost_matrix=table).tree_ == fitted(way, X, y).tree_


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("pair", [(3.0, 1.0), (1.0, 20.0)])
def test_costs_of_two_classes_are_class_weights(rng, way, pair):
    X, y = random_rows(rng, 200, k=2)
    X += 0.01 * rng.standard_normal(X.shape)
    costs = fitted(way, X, y, cost_matrix=[[0, pair[0]], [pair[1], 0]]).tree_
    weights = fitted(way, X, y, class_weight={0: pair[0], 1: pair[1]}).tree_
    assert np.array_equal(costs.predict(X), weights.predict(X))
    for name in ("left", "features", "weights", "bias", "labels", "n_samples", "origin"):
        assert np.array_equal(getattr(costs, name), getattr(weights, name)), name
    np.testing.assert_allclose(costs.values * pair, weights.values)
    np.testing.assert_array_equal(costs.values.sum(axis=1), costs.n_samples)  # class shares stay


def test_paths_of_two_classes_are_those_of_class_weights(rng):
    X, y = random_rows(rng, 200, k=2)
    given = {"cost_matrix": [[0, 3], [1, 0]]}, {"class_weight": {0: 3.0, 1: 1.0}}
    for lams in (5, "critical"):
        first, second = (regularization_path(TAOClassifier(**EXACT, **one), X, y, lams, X, y) for one in given)
        assert np.array_equal(first.lams, second.lams)
        assert [a.labels.tolist() for a in first.trees] == [b.labels.tolist() for b in second.trees]
        weight = np.where(y == 0, 3.0, 1.0).sum() / len(y)
        np.testing.assert_allclose([p.train_loss for p in first], [p.train_error * weight for p in second])
        np.testing.assert_allclose([p.validation_loss for p in first], [p.validation_error * weight for p in second])
        np.testing.assert_allclose([p.train_error for p in first], [np.mean(p.tree.predict(X) != y) for p in first])
    first, second = (size_path(TAOClassifier(**EXACT, **one), X, y, [2, 3, 5]) for one in given)
    assert [a.labels.tolist() for a in first.trees] == [b.labels.tolist() for b in second.trees]


@pytest.mark.parametrize("factor", [0.25, 3.0, 1e-6])
def test_the_unit_of_costs_and_lambda_does_not_matter(rng, factor):
    for split in ("univariate", "bivariate", "oblique"):
        X, y = random_rows(rng, 150)
        costs, lam = random_costs(rng, 3), 1.7
        given = {"split": split, "init": "cart", "max_depth": 4, "random_state": 0}
        one = TAOClassifier(**given, lam=lam, cost_matrix=costs).fit(X, y)
        other = TAOClassifier(**given, lam=factor * lam, cost_matrix=factor * costs).fit(X, y)
        if split == "oblique":
            assert np.mean(one.predict(X) == other.predict(X)) > 0.98  # the solver stops a rounding error later
        else:
            assert one.tree_ == other.tree_


def test_the_names_and_the_order_of_classes_do_not_matter(rng):
    names, other_names = np.array(["a", "b", "c"]), np.array(["z", "m", "k"])
    for _ in range(5):
        X, y = random_rows(rng, 200)
        X += 0.01 * rng.standard_normal(X.shape)
        costs = rng.uniform(0.5, 5.0, (3, 3)) * (1 - np.eye(3))  # without ties
        one = TAOClassifier(**EXACT, lam=1.5, cost_matrix=costs).fit(X, names[y])
        order = np.argsort(other_names)
        other = TAOClassifier(**EXACT, lam=1.5, cost_matrix=costs[np.ix_(order, order)]).fit(X, other_names[y])
        renamed = dict(zip(names, other_names, strict=True))
        assert [renamed[label] for label in one.predict(X)] == other.predict(X).tolist()
        table = {a: {b: costs[i, j] for j, b in enumerate(names)} for i, a in enumerate(names)}
        backwards = dict(reversed(table.items()))
        assert TAOClassifier(**EXACT, lam=1.5, cost_matrix=backwards).fit(X, names[y]).tree_ == one.tree_


def test_a_weight_of_two_is_a_row_twice(rng):
    X, y = random_rows(rng, 100)
    costs, weights = random_costs(rng, 3), rng.integers(1, 3, 100)
    given = EXACT | {"lam": 2.0, "cost_matrix": costs, "block": 2, "max_depth": 3}
    twice = TAOClassifier(**given).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert np.array_equal(TAOClassifier(**given).fit(X, y, weights).predict(X), twice.predict(X))


def test_a_class_whose_mistakes_are_expensive_is_missed_less(rng):
    X = rng.standard_normal((600, 2))
    y = np.where(X[:, 0] + rng.standard_normal(600) > 1.5, "late", "fine")
    missed = [
        np.mean(model.fit(X, y).predict(X)[y == "late"] == "fine")
        for cost in (1, 5, 50)
        for model in [TAOClassifier(**EXACT, lam=10, cost_matrix={"late": {"fine": cost}, "fine": {"late": 1}})]
    ]
    assert missed[0] > missed[1] > missed[2]


def test_the_label_is_kept_where_it_is_not_the_majority_class(rng):
    X, y = random_rows(rng, 200)
    costs = np.array([[0, 1, 1], [1, 0, 1], [40, 1, 0]])
    model = TAOClassifier(**EXACT, lam=3.0, cost_matrix=costs).fit(X, y)
    tree, predicted = model.tree_, model.predict(X)
    leaves = tree.left < 0
    assert (tree.labels != tree.values.argmax(axis=1))[leaves].any()
    assert Tree.from_json(tree.to_json()) == tree
    space = {}
    exec(export.python(tree), space)
    assert [space["predict"](list(x)) for x in X] == predicted.tolist()
    assert all(rule.label == tree.predictions[rule.leaf] for rule in rules(tree))
    with refused(DataError, "majority class"):
        tree.to_sklearn()


# selection of trees


def test_folds_and_validation_rows_select_by_cost(rng):
    X, y = random_rows(rng, 300)

    costs = np.array([[0, 1, 1], [1, 0, 1], [12, 12, 0.0]])
    weights = rng.uniform(0.5, 2.0, 300)
    base = TAOClassifier(**EXACT | {"init": "histogram_cart"}, cost_matrix=costs)
    parts = [(np.arange(200), np.arange(200, 300)), (np.arange(100, 300), np.arange(100))]
    for given in ({"lams": [1.0, 8.0, 60.0]}, {"sizes": [2, 4, 8]}):
        model = TAOClassifierCV(base, **given, cv=parts, random_state=0).fit(X, y, sample_weight=weights)
        assert model.best_error_ == model.cv_results_["mean_error"].min()
    share = weights[:200].sum() / weights.sum()
    tree = regularization_path(base, X[:200], y[:200], [share], sample_weight=weights[:200])[0].tree
    model = TAOClassifierCV(base, [1.0], cv=parts, random_state=0).fit(X, y, sample_weight=weights)
    expected = mean_cost(y[200:], tree.predict(X[200:]), costs, weights[200:])
    assert model.cv_results_["split0_error"][0] == pytest.approx(expected)

    path = regularization_path(base, X[:200], y[:200], 8, X[200:], y[200:])
    losses = [mean_cost(y[200:], tree.predict(X[200:]), costs) for tree in path.trees]
    assert [point.validation_loss for point in path] == pytest.approx(losses)
    assert losses[path.best_index()] == min(losses)
    limit = min(losses) + path[int(np.argmin(losses))].validation_loss_spread
    assert losses[path.best_index("one_se")] <= limit + 1e-12
    assert isinstance(path[0], LossPoint)
    assert path.to_frame()["train_loss"].tolist() == [point.train_loss for point in path]
    found = improve(
        CARTClassifier(cv=None, random_state=0).fit(X[:200], y[:200]), X[:200], y[:200], X[200:], y[200:], base
    )
    assert found.errors == pytest.approx(
        [mean_cost(y[200:], tree.predict(X[200:]), costs) for tree in found.path.trees]
    )


def test_a_larger_tree_never_costs_more(rng):
    X, y = random_rows(rng, 200)
    costs = random_costs(rng, 3)
    sizes = [1, 2, 3, 4, 6, 9]
    path = size_path(TAOClassifier(**EXACT, cost_matrix=costs), X, y, sizes)
    found = [mean_cost(y, tree.predict(X), costs) for tree in path.trees]
    assert [point.train_loss for point in path] == pytest.approx(found)
    assert all(after <= before + 1e-12 for before, after in itertools.pairwise(found))
    assert all(tree.n_leaves <= size for tree, size in zip(path.trees, sizes, strict=True))
    assert found[0] == pytest.approx(min(costs[y, j].mean() for j in range(3)))


@pytest.mark.parametrize("n_rare", [1, 5])
def test_sizes_of_oblique_trees_select_lambda_by_cost(rng, n_rare):
    X, y = random_rows(rng, 80)
    X, y = X + 0.01 * rng.standard_normal(X.shape), np.minimum(y, 1)
    y[:n_rare] = 2  # with one row, the class cannot be in both parts of the rows
    costs = random_costs(rng, 3)
    path = size_path(TAOClassifier(cost_matrix=costs, max_iter=3, random_state=0), X, y, [2, 4])
    found = [mean_cost(y, tree.predict(X), costs) for tree in path.trees]
    assert [point.train_loss for point in path] == pytest.approx(found)


def test_a_fold_may_lack_a_class(rng):
    X, y = random_rows(rng, 90)
    y = np.where(y == 2, 0, y)
    y[:10] = 2
    costs = np.array([[0, 0, 5.0], [1, 0, 1], [2, 2, 0]])
    parts = [(np.arange(10, 90), np.arange(10)), (np.arange(60), np.arange(60, 90))]
    model = TAOClassifierCV(TAOClassifier(**EXACT, cost_matrix=costs), [1.0], cv=parts, random_state=0).fit(X, y)
    assert model.cv_results_["split0_error"][0] == 2.0  # no tree of this fold predicts the class
    with refused(DataError, "The validation rows contain the class 2"):
        regularization_path(TAOClassifier(**EXACT, cost_matrix=[[0, 1], [2, 0]]), X[10:], y[10:], [1.0], X, y)


# CART


def test_cart_predicts_the_cheapest_class_and_prunes_by_cost(rng):
    for _ in range(4):
        X, y = random_rows(rng, 200)
        costs, weights = random_costs(rng, 3), rng.uniform(0.5, 2.0, 200)
        model = CARTClassifier(cost_matrix=costs, cv=5, random_state=0).fit(X, y, weights)
        shares = model.tree_.predict_proba(X) @ costs
        np.testing.assert_allclose(shares[np.arange(200), model.predict(X)], shares.min(axis=1), atol=1e-12)
        for alpha in (0.0, 0.01, 0.1, 10.0):
            found = {
                other: mean_cost(y, tree.predict(X), costs, weights) + alpha * tree.n_leaves
                for other, tree in zip((0.0, 0.01, 0.1, 10.0), model.subtrees([0.0, 0.01, 0.1, 10.0]), strict=True)
            }
            assert found[alpha] == pytest.approx(min(found.values()))
        assert model.cv_errors_[-1] == pytest.approx(min(mean_cost(y, [j] * 200, costs, weights) for j in range(3)))


def test_cart_has_the_same_tree_with_equal_costs_and_with_class_weights(rng):
    X, y = random_rows(rng, 200)
    plain, equal = (CARTClassifier(cv=5, random_state=0, cost_matrix=one).fit(X, y) for one in (None, 1 - np.eye(3)))
    assert plain.tree_ == equal.tree_
    assert np.array_equal(plain.cv_errors_, equal.cv_errors_)
    y = np.minimum(y, 1)
    costs = CARTClassifier(cv=5, random_state=0, cost_matrix=[[0, 4], [1, 0]]).fit(X, y).grown_
    weights = CARTClassifier(cv=5, random_state=0, class_weight={0: 4.0, 1: 1.0}).fit(X, y).grown_
    assert np.array_equal(costs.predict(X), weights.predict(X))
    assert np.array_equal(costs.bias, weights.bias)


# bad input


@pytest.mark.parametrize(
    ("costs", "phrase"),
    [
        ([[0, 1, 1], [1, 0, 1]], "expected a square array of numbers"),
        ([[0, 1], [1]], "expected a square array of numbers"),
        ([0, 1, 1], "expected a square array of numbers"),
        ("balanced", "cost_matrix='balanced': expected a square array of numbers"),
        (5.0, "expected a square array of numbers"),
        ([["a", "b"], ["c", "d"]], "expected a square array of numbers"),
        ([], "expected a square array of numbers"),
        ([[0, 1], [1, 0]], "cost_matrix has 2 rows, but y has 3 classes: [0, 1, 2]"),
        ([[0, 1, 1], [1, 0, -2], [1, 1, 0]], "cost_matrix[1][2]=-2: expected a cost from 0"),
        ([[0, 1, 1], [1, 0, np.nan], [1, 1, 0]], "cost_matrix[1][2]=nan: expected a cost"),
        ([[0, 1, 1], [1, 0, np.inf], [1, 1, 0]], "cost_matrix[1][2]=inf: expected a cost"),
        ([[0, 1, 1], [1, 3, 1], [1, 1, 0]], "cost_matrix[1][1]=3: expected 0"),
        (np.zeros((3, 3)), "cost_matrix[0] has only zeros"),
        ([[0, 1, 1], [0, 0, 0], [1, 1, 0]], "cost_matrix[1] has only zeros"),
        ([[0, 0, 1], [1, 0, 1], [1, 0, 0]], "Column 1 of cost_matrix has only zeros"),
        ([[0]], "has costs for 1 class: expected at least two"),
        ({0: {1: 1}, 1: {0: 1}}, "has no entry for the classes [2] of y"),
        ({"a": {"b": 1}, "b": {"a": 1}}, "has no entry for the classes [0, 1, 2] of y; it has ['a', 'b']"),
        ({0: {1: 1, 2: 1}, 1: {0: 1}, 2: {0: 1, 1: 1}}, "cost_matrix[1] has no cost for 2"),
        ({0: {1: 1, 3: 1}, 1: {0: 1}}, "cost_matrix[0] has a cost for 3, but cost_matrix has no such class"),
        ({0: 1, 1: 2}, "cost_matrix[0]=1: expected a dict"),
        ({0: {1: "x"}, 1: {0: 1}}, "cost_matrix[0][1]=nan: expected a cost"),
    ],
)
def test_bad_costs_are_refused(rng, costs, phrase):
    X, y = random_rows(rng)
    with refused(ParameterError, phrase):
        TAOClassifier(**EXACT, cost_matrix=costs).fit(X, y)


def test_methods_that_do_not_support_costs_refuse_them(rng, tmp_path):
    X, y = random_rows(rng)
    costs = random_costs(rng, 3)
    with refused(ParameterError, "has no effect with leaf='linear'"):
        TAOClassifier(leaf="linear", cost_matrix=costs).fit(X, y)
    with refused(ParameterError, "init='optimal' minimises the number of misclassified rows"):
        TAOClassifier(split="univariate", init="optimal", cost_matrix=costs).fit(X, y)
    with refused(ParameterError, "A recording shows misclassified rows"):
        record(TAOClassifier(**EXACT, cost_matrix=costs), X, y)
    with refused(ParameterError, "A phase diagram shows errors"):
        phase_diagram(TAOClassifier(split="bivariate", init="cart", cost_matrix=costs), X, y, lams=[1.0], costs=[1.0])
    pandas.DataFrame(X, columns=list("abc")).assign(y=y).to_parquet(tmp_path / "rows.parquet")
    with refused(ParameterError, "rows that are read in parts require cost_matrix=None"):
        TAOClassifier(**EXACT, cost_matrix=costs).fit(str(tmp_path / "rows.parquet"), "y")
    with refused(ParameterError, "rows that are read in parts require cost_matrix=None"):
        CARTClassifier(cost_matrix=costs).fit(str(tmp_path / "rows.parquet"), "y")
    with refused(ParameterError, "cost_matrix[0] has only zeros"):
        CARTClassifier(cost_matrix=np.zeros((3, 3))).fit(X, y)
    with pytest.raises(TypeError):
        TAORegressor(cost_matrix=costs)


# the mean cost


def test_the_mean_cost_is_that_of_a_loop(rng):
    for _ in range(20):
        k, n = int(rng.integers(2, 5)), 30
        costs, weights = random_costs(rng, k), rng.random(n)
        y, predicted = rng.integers(0, k, (2, n))
        expected = total(costs, y, predicted, weights) / weights.sum()
        assert mean_cost(y, predicted, costs, weights, range(k)) == pytest.approx(expected)
        table = {i: dict(enumerate(row)) for i, row in enumerate(costs.tolist())}
        assert mean_cost(y.tolist(), predicted.tolist(), table, weights) == pytest.approx(expected)
    assert costs_of(table, range(k)).tolist() == costs.tolist()


def test_bad_input_of_the_mean_cost_is_refused():
    costs = [[0, 1], [2, 0]]
    with refused(DataError, "have the shapes (2,), (1,) and (2,)"):
        mean_cost([0, 1], [0], costs)
    with refused(DataError, "The rows have no weight"):
        mean_cost([0, 1], [0, 1], costs, [0, 0])
    with refused(ParameterError, "but y has 1 class"):
        mean_cost([0, 0], [0, 0], costs)
    assert mean_cost([0, 0], [0, 1], costs, classes=[0, 1]) == 0.5
    with refused(ParameterError, "classes=[0, 1] lacks the label 2"):
        mean_cost([0, 2], [0, 1], costs, classes=[0, 1])


FRAUD = {"fine": {"fraud": 1}, "fraud": {"fine": 10}}


def test_the_labels_of_a_frame_of_costs_are_used():
    frame = pandas.DataFrame([[0, 10], [1, 0]], index=["fraud", "fine"], columns=["fraud", "fine"])
    assert mean_cost(["fraud"], ["fine"], frame) == mean_cost(["fraud"], ["fine"], FRAUD) == 10
    assert costs_of(frame, ["fine", "fraud"]).tolist() == [[0, 1], [10, 0]]
    assert costs_of(pandas.DataFrame([[0, 1], [10, 0]]), ["fine", "fraud"]).tolist() == [[0, 1], [10, 0]]
    with refused(ParameterError, "has no such class"):
        TAOClassifier(cost_matrix=frame.rename(columns={"fine": "good"})).fit([[0.0], [1.0]], ["fine", "fraud"])


def test_other_functions_do_not_forget_the_costs_of_a_model():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=300) > 0.5, "fraud", "fine")
    model = CARTClassifier(cost_matrix=FRAUD, random_state=0).fit(X[:200], y[:200])
    found = improve(model, X[:200], y[:200], X[200:], y[200:], lams=5)
    if found.is_better:
        given, better = (mean_cost(y[200:], tree.predict(X[200:]), FRAUD) for tree in (found.given, found.point.tree))
        assert better <= given
    with refused(ParameterError, "the model has a cost_matrix"):
        optimality_gap(model, X, y)


def test_labels_and_weights_of_a_mean_cost_are_checked():
    with refused(DataError, "missing labels, or labels of several types"):
        mean_cost(["fine", None], ["fine", "fraud"], FRAUD)
    with refused(DataError, "expected a number for each row"):
        mean_cost(["fine"], ["fine"], FRAUD, ["x"])
    with refused(ParameterError, "contains a class twice"):
        mean_cost(["fine"], ["fine"], FRAUD, classes=["fine", "fraud", "fraud"])
