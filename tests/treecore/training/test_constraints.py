"""Test constraints on trees: predictions on grids, features of every path, brute force over leaf labels."""

import itertools

import numpy as np
import pandas
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budget import budget
from tests.refusals import refused
from treecore import TAOClassifier, TAOClassifierCV, TAORegressor, TAORegressorCV, phase_diagram, regularization_path
from treecore.constraints.constraints import Constraints
from treecore.constraints.monotone import Monotone
from treecore.constraints.named_features import of_named_features
from treecore.data.training_data import TrainingData
from treecore.errors import ParameterError
from treecore.training.reoptimise import reoptimise
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

KINDS = [TAOClassifier, TAORegressor]
SPLITS = ["univariate", "bivariate"]
MORE = [{}, {"block": 2, "refine": 2, "n_init": 2}]
STARTS = [("cart", {}), ("random", {}), ("cart", MORE[1])]


@pytest.fixture(scope="module")
def data():
    """Return (X, {estimator: target})."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 5))
    y = X[:, 0] + np.sin(3 * X[:, 1]) + 0.5 * X[:, 2] * X[:, 3] + 0.3 * rng.standard_normal(150)
    return X, {TAORegressor: y, TAOClassifier: (y > 0).astype(int)}


def model(kind, split, **parameters):
    usual = {"init": "cart", "max_depth": 4, "lam": 0.5, "max_iter": 5, "random_state": 0, "n_jobs": 1}
    return kind(split=split, **usual | parameters)


def never_rises(model):
    """Test that no pass raises the objective."""
    objectives = [record.objective for record in (model.initial_, *model.trace_)]
    return (np.diff(objectives) <= 1e-9 * abs(objectives[0])).all()


def steps(tree, feature, n_rows=60):
    """Return the differences between predictions along a dense grid of one feature, for random rows."""
    grid = np.linspace(-4, 4, 61)
    X = np.random.default_rng(1).standard_normal((n_rows, tree.n_features)).repeat(grid.size, axis=0)
    X[:, feature] = np.tile(grid, n_rows)
    return np.diff(tree.predict(X).reshape(n_rows, -1).astype(float), axis=1)


def paths(tree):
    """Return the set of features on the path to each leaf."""
    found, stack = [], [(0, frozenset())]
    while stack:
        node, above = stack.pop()
        if tree.left[node] < 0:
            found.append(above)
            continue
        above |= set(tree.split(node)[0].tolist())
        stack += [(tree.left[node], above), (tree.right[node], above)]
    return found


@pytest.mark.parametrize(("init", "more"), STARTS)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kind", KINDS)
def test_predictions_are_monotone_on_a_dense_grid(data, kind, split, init, more):
    X, y = data[0], data[1][kind]
    signs = [1, -1, 1, 0, 0]
    free = model(kind, split, init=init, **more).fit(X, y)
    if init == "cart":
        assert any((sign * steps(free.tree_, j) < 0).any() for j, sign in enumerate(signs))
    found = model(kind, split, init=init, monotonic_cst=signs, **more).fit(X, y)
    assert found.tree_.n_leaves > 1 or init == "random"
    assert never_rises(found)
    for j, sign in enumerate(signs):
        assert (sign * steps(found.tree_, j) >= 0).all(), j


@settings(max_examples=budget(8, 300), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(KINDS), st.sampled_from(SPLITS))
def test_random_data_give_monotone_trees(seed, kind, split):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (60, 3)).astype(float) if seed % 2 else rng.standard_normal((60, 3))
    y = rng.integers(0, 2, 60) if kind is TAOClassifier else rng.standard_normal(60)
    signs = rng.integers(-1, 2, 3)
    init = ("cart", "random")[seed % 3 > 1]
    found = model(kind, split, init=init, lam=0.1, monotonic_cst=signs, random_state=seed % 5).fit(X, y)
    assert never_rises(found)
    for j, sign in enumerate(signs):
        assert (sign * steps(found.tree_, j, 20) >= 0).all()


def ordered_pairs(tree, signs):
    """Return pairs of leaves of which the first must not exceed the second."""

    def below(node):
        return [node] if tree.left[node] < 0 else below(tree.left[node]) + below(tree.right[node])

    pairs = []
    for node in tree.decisions:
        split = tree.splits[node]
        order = signs[split.features[0]] * np.sign(split.weights[0])
        sides = below(tree.left[node]), below(tree.right[node])
        if order:
            pairs += itertools.product(*sides[:: int(order)])
    return pairs


@settings(max_examples=budget(25, 500), deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_the_leaf_step_equals_brute_force(seed, is_regression):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((24, 3))
    y = rng.standard_normal(24) if is_regression else rng.integers(0, 2, 24)
    weights = rng.integers(1, 4, 24).astype(float)
    left, right = [1, 3, 5, -1, -1, -1, -1], [2, 4, 6, -1, -1, -1, -1]
    splits = [Split(np.array([rng.integers(3)], np.int32), rng.choice([-1.0, 1.0], 1), 0.1, 1.0) for _ in range(3)]
    tree = WorkingTree(left, right, [*splits, *[None] * 4], np.zeros(7, float if is_regression else int), np.arange(7))
    training = TrainingData(X, y, None if is_regression else 2, weights)
    leaf = np.empty(24, np.int64)
    training.columns.leaves(tree.routing(), 0, 0, 24, leaf)
    signs = rng.integers(-1, 2, 3).astype(np.int8)
    Monotone(signs).fit(tree, training, leaf, np.zeros(7, bool))
    pairs = ordered_pairs(tree, signs)
    assert all(tree.labels[a] <= tree.labels[b] for a, b in pairs)

    def loss(labels):
        return training.loss.total(labels[leaf - 3], training.y, training.weights)

    if is_regression:
        constraints = [{"type": "ineq", "fun": lambda v, a=a, b=b: v[b - 3] - v[a - 3]} for a, b in pairs]
        wanted = scipy.optimize.minimize(loss, np.zeros(4), constraints=constraints, method="SLSQP", tol=1e-12).fun
    else:
        fine = [v for v in itertools.product([0, 1], repeat=4) if all(v[a - 3] <= v[b - 3] for a, b in pairs)]
        wanted = min(loss(np.array(v)) for v in fine)
    assert loss(tree.labels[3:]) == pytest.approx(wanted, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(("init", "more"), STARTS)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_features_of_every_path_are_in_one_set(data, kind, split, init, more):
    X, y = data[0], data[1][kind]
    free = model(kind, split, init=init, **more).fit(X, y)
    if init == "cart":
        assert max(map(len, paths(free.tree_))) > 2
    for value, sets in [
        ("pairwise", [set(pair) for pair in itertools.combinations(range(5), 2)]),
        ("no_interactions", [{j} for j in range(5)]),
        ([[0, 1], (1, 2)], [{0, 1}, {1, 2}, {3, 4}]),
    ]:
        found = model(kind, split, init=init, interaction_cst=value, **more).fit(X, y)
        assert never_rises(found)
        assert found.tree_.n_leaves > 1
        assert all(any(path <= one for one in sets) for path in paths(found.tree_))


@pytest.mark.parametrize("more", MORE)
@pytest.mark.parametrize("init", ["cart", "histogram_cart", "random", "bivariate_cart", "oblique_cart"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_tree_has_more_leaves_than_the_limit(data, kind, init, more):
    X, y = data[0], data[1][kind]
    split = {"bivariate_cart": "bivariate", "oblique_cart": "oblique"}.get(init, "univariate")
    more = {} if split == "oblique" else more
    assert model(kind, split, init=init, lam=0.1, **more).fit(X, y).tree_.n_leaves > 7
    for most in (2, 7):
        found = model(kind, split, init=init, lam=0.1, max_leaf_nodes=most, **more).fit(X, y)
        assert found.tree_.n_leaves <= most
    path = regularization_path(model(kind, split, init=init, max_leaf_nodes=5), X, y, lams=[0.1, 1.0])
    assert all(tree.n_leaves <= 5 for tree in path.trees)


def test_the_initial_tree_with_a_limit_is_that_of_scikit_learn(data):
    from sklearn.tree import DecisionTreeRegressor

    X, y = data[0], data[1][TAORegressor]
    found = TAORegressor(split="univariate", init="cart", max_leaf_nodes=6, max_iter=0, lam=0.0, random_state=0).fit(
        X, y
    )
    peer = DecisionTreeRegressor(max_leaf_nodes=6, random_state=0).fit(X, y)
    np.testing.assert_allclose(found.predict(X), peer.predict(X))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kind", KINDS)
def test_costs_are_part_of_the_objective(data, kind, split):
    X, y = data[0], data[1][kind]
    costs = np.array([1.0, 2.0, 4.0, 8.0, 0.5])
    for more in ({"init": "random"}, {"block": 2, "refine": 1}):
        found = model(kind, split, feature_costs=costs, max_iter=50, **more).fit(X, y)
        tree, penalty = found.tree_, 0.0
        for node in np.flatnonzero(tree.left >= 0):
            own = np.sort(costs[tree.split(node)[0]])
            penalty += 0.5 * (own[-1] + (0.25 * own[0] if own.size > 1 else 0.0))
        loss = ((tree.predict(X) - y) ** 2).sum() if kind is TAORegressor else (tree.predict(X) != y).sum()
        assert found.trace_[-1].objective == pytest.approx(loss + penalty)
        assert never_rises(found)


def test_expensive_features_are_used_last(data):
    X, y = data[0], data[1][TAORegressor]
    costs = {name: cost for name, cost in zip("abcde", [50.0, 1, 1, 1, 1], strict=True) if cost != 1}
    frame = pandas.DataFrame(X, columns=list("abcde"))
    path = regularization_path(model(TAORegressor, "univariate", feature_costs=costs), frame, y, lams=8)
    uses = [0 in tree.used_features for tree in path.trees]
    assert uses[0]
    assert not uses[-2]
    assert path[-1].n_leaves == 1
    plain = regularization_path(model(TAORegressor, "univariate"), X, y, lams=8)
    cheap = regularization_path(model(TAORegressor, "univariate", feature_costs=[0.5, 1, 1, 1, 1]), X, y, lams=8)
    assert cheap.lams[-1] == pytest.approx(2 * plain.lams[-1])


def test_a_category_has_one_cost_and_one_place_in_the_sets(data):
    y = data[1][TAORegressor]
    frame = pandas.DataFrame(data[0][:, 1:4], columns=["a", "b", "c"]).assign(d=np.digitize(data[0][:, 0], [-1, 0, 1]))
    frame["d"] = frame["d"].map(dict(enumerate("pqrs")))
    found = model(TAORegressor, "univariate", feature_costs={"d": 3.0}).fit(frame, y)
    uses = [
        found.encoder_.groups[3].start <= found.tree_.split(node)[0][0]
        for node in np.flatnonzero(found.tree_.left >= 0)
    ]
    penalty = 0.5 * sum(3.0 if is_category else 1.0 for is_category in uses)
    loss = ((found.predict(frame) - y) ** 2).sum()
    assert found.trace_[-1].objective == pytest.approx(loss + penalty)
    alone = model(TAORegressor, "univariate", interaction_cst="no_interactions", lam=0.01).fit(frame, y)
    column = np.repeat(np.arange(4), [len(group) for group in alone.encoder_.groups])
    assert all(len({column[j] for j in path}) <= 1 for path in paths(alone.tree_))
    assert max(len(path) for path in paths(alone.tree_)) > 1


@pytest.mark.parametrize("limits", [{"feature_costs": [1, 3, 2, 0.5, 1]}, {"monotonic_cst": [1, 0, 0, -1, 0]}])
def test_critical_values_of_lambda_contain_every_change(data, limits):
    """The node that changes first is still best just below its critical lambda, but not just above it."""
    X, y = data[0][:120], data[1][TAOClassifier][:120]
    base = model(TAOClassifier, "univariate", max_iter=50, max_depth=3, **limits)
    path = regularization_path(base, X, y, lams="critical")
    assert len(path) > 2
    for before, after in itertools.pairwise(path.points):
        between = base.set_params(init=before.tree, lam=before.lam + 0.99 * (after.lam - before.lam))
        assert between.fit(X, y).tree_ == before.tree
    base.set_params(init="cart")


def test_a_phase_diagram_and_cross_validation_keep_the_constraints(data):
    X, y = data[0], data[1][TAOClassifier]
    base = model(TAOClassifier, "bivariate", monotonic_cst=[1, 0, 0, 0, 0], feature_costs=[1, 2, 1, 1, 1])
    diagram = phase_diagram(base, X, y, lams=[1.0, 4.0], costs=[1.0, 2.0])
    assert all((steps(point.tree, 0) >= 0).all() for point in diagram.points)
    found = TAOClassifierCV(model(TAOClassifier, "univariate", monotonic_cst=[1, 0, 0, 0, 0]), cv=2, lams=3).fit(X, y)
    assert (steps(found.tree_, 0) >= 0).all()


@pytest.mark.parametrize("categories", ["features", "groups"])
@pytest.mark.parametrize("sets", [[["colour", "u"], ["v"]], [[0, 1], [2]], "no_interactions"])
def test_the_folds_of_a_table_have_the_constraints_of_its_columns(categories, sets):
    rng = np.random.default_rng(0)
    X = pandas.DataFrame({"colour": rng.choice(list("abc"), 200), "u": rng.normal(size=200), "v": rng.normal(size=200)})
    y = ((X.u > 0) ^ (X.v > 0)).astype(int)  # without both columns, no tree is better than a guess
    base = model(TAOClassifier, "univariate", interaction_cst=sets, categories=categories, feature_costs={"v": 2.0})
    assert TAOClassifierCV(base, lams=[1.0, 5.0], cv=3).fit(X, y).best_error_ > 0.25
    both = base.set_params(interaction_cst="pairwise", monotonic_cst={"u": 0})
    assert TAOClassifierCV(both, lams=[1.0, 5.0], cv=3).fit(X, y).best_error_ < 0.05


def test_one_class_and_a_limit_above_the_number_of_rows_are_supported():
    X = np.arange(20.0)[:, None]
    assert model(TAOClassifier, "univariate", monotonic_cst=[1]).fit(X, np.zeros(20)).get_n_leaves() == 1
    assert model(TAOClassifier, "univariate", max_leaf_nodes=10**9).fit(X, X[:, 0] > 9).get_n_leaves() == 2


def test_a_tree_that_breaks_a_constraint_is_changed_unless_its_nodes_are_frozen(data):
    X, y = data[0], data[1][TAORegressor]
    free = model(TAORegressor, "univariate").fit(X, y).tree_
    assert (steps(free, 1) > 0).any()
    limited = model(TAORegressor, "univariate", monotonic_cst=[0, -1, 0, 0, 0])
    assert (steps(limited.set_params(init=free).fit(X, y).tree_, 1) <= 0).all()
    with refused(
        ParameterError, "The frozen nodes … contradict monotonic_cst. Freeze other nodes, or remove monotonic_cst"
    ):
        reoptimise(free, free.origin.tolist(), X, y, limited)
    with refused(
        ParameterError, "The frozen nodes … contradict interaction_cst. Freeze other nodes, or remove interaction_cst"
    ):
        reoptimise(
            free, free.origin.tolist(), X, y, model(TAORegressor, "univariate", interaction_cst="no_interactions")
        )
    with refused(
        ParameterError,
        (
            f"max_leaf_nodes=2, but frozen nodes need {free.n_leaves} leaves. Use at least {free.n_leaves}, or "
            "freeze fewer nodes"
        ),
    ):
        reoptimise(free, free.origin.tolist(), X, y, model(TAORegressor, "univariate", max_leaf_nodes=2))
    locked = free.origin[free.left < 0][:1].tolist()
    kept = reoptimise(free, locked, X, y, model(TAORegressor, "univariate", max_leaf_nodes=free.n_leaves - 1)).tree
    assert kept.n_leaves < free.n_leaves
    assert locked[0] in kept.origin


BAD = [
    ({"feature_costs": [1, 0, 1, 1, 1]}, "feature_costs has the cost 0 for column 1"),
    ({"feature_costs": [1, -2, 1, 1, 1]}, "feature_costs has the cost -2 for column 1"),
    ({"feature_costs": [1, np.nan, 1, 1, 1]}, "feature_costs has the cost … for column 1"),
    ({"feature_costs": [1, 2]}, "feature_costs has 2 values, but X has 5 columns"),
    (
        {"feature_costs": "cheap"},
        "feature_costs=…: expected None, one number for each column, or a dict of column name to number",
    ),
    ({"feature_costs": {"a": 2.0}}, "feature_costs is a dict, but the columns of X have no names"),
    ({"monotonic_cst": [2, 0, 0, 0, 0]}, "monotonic_cst has the value 2 for column 0: expected -1, 0 or 1"),
    (
        {"monotonic_cst": 1},
        ("monotonic_cst=1: expected None, one of -1, 0 and 1 for each column, or a dict of column name to one of them"),
    ),
    ({"monotonic_cst": [1]}, "monotonic_cst has 1 values, but X has 5 columns"),
    ({"interaction_cst": "all"}, "interaction_cst='all'"),
    ({"interaction_cst": [[0, 1], []]}, "interaction_cst contains an empty set"),
    (
        {"interaction_cst": [[0, 5]]},
        "interaction_cst contains the column 5: expected whole numbers from 0 to 4, or column names",
    ),
    (
        {"interaction_cst": [["a"]]},
        "interaction_cst contains the column 'a': expected whole numbers from 0 to 4, or column names",
    ),
    ({"max_leaf_nodes": 1}, "max_leaf_nodes=1: expected a whole number >="),
    (
        {"monotonic_cst": [1] * 5, "split": "oblique"},
        "monotonic_cst=… has no effect with …=…. Use …=…, or monotonic_cst=",
    ),
    (
        {"interaction_cst": "pairwise", "split": "oblique"},
        "interaction_cst=… has no effect with …=…. Use …=…, or interaction_cst=",
    ),
    ({"feature_costs": [1] * 5, "leaf": "linear"}, "=… has no effect with leaf='linear'. Use leaf=…, or …="),
    (
        {"monotonic_cst": [1] * 5, "split": "bivariate", "init": "bivariate_cart"},
        "cannot be combined with init='bivariate_cart'. Use init=…, or …=None",
    ),
]


@pytest.mark.parametrize(("parameters", "error"), BAD)
def test_bad_constraints_are_refused(data, parameters, error):
    X, y = data[0], data[1][TAOClassifier]
    with refused(ParameterError, error):
        model(TAOClassifier, **{"split": "univariate"} | parameters).fit(X, y)


def test_constraints_that_the_data_contradict_are_refused(data):
    X, y = data[0], data[1][TAORegressor]
    frame = pandas.DataFrame(X, columns=list("abcde")).assign(e=np.where(X[:, 0] > 0, "x", "y"))
    with refused(ParameterError, "monotonic_cst constrains the column 'e', which contains categories without an order"):
        model(TAORegressor, "univariate", monotonic_cst={"e": 1}).fit(frame, y)
    with refused(ParameterError, "feature_costs has the columns ['z'], but X has"):
        model(TAORegressor, "univariate", feature_costs={"z": 2}).fit(frame, y)
    with refused(ParameterError, "monotonic_cst with 3 classes"):
        model(TAOClassifier, "univariate", monotonic_cst=[1] * 5).fit(X, np.digitize(y, [-1, 1]))
    with refused(ParameterError, "cannot be combined with shrinkage=2.0. Use shrinkage=…, or …=None"):
        model(TAORegressor, "univariate", monotonic_cst=[1] * 5, shrinkage=2.0).fit(X, y)
    with refused(ParameterError, "cannot be combined with shrinkages=…. Use shrinkages=…, or …=None"):
        TAORegressorCV(model(TAORegressor, "univariate", monotonic_cst=[1] * 5), shrinkages=[0, 2]).fit(X, y)


def test_names_of_columns_stand_for_their_features():
    names = ["age", "city = A", "city = B", "size (ordered: S < M)", "width"]
    given = {"lam": 2.0, "feature_costs": {"city": 3, "size": 2}, "monotonic_cst": {"size": -1}}
    found = of_named_features(given | {"interaction_cst": [{"age", "city"}]}, names)
    assert found["lam"] == 2.0
    assert found["feature_costs"] == [1, 3, 3, 2, 1]
    assert found["monotonic_cst"] == [0, 0, 0, -1, 0]
    assert found["interaction_cst"] == [[0, 1, 2], [3, 4]]
    pairs = of_named_features({"interaction_cst": "no_interactions"}, names)["interaction_cst"]
    assert sorted(pairs) == [[0], [1, 2], [3], [4]]
    assert of_named_features({"interaction_cst": "pairwise"}, names[:1]) == {"interaction_cst": "pairwise"}
    with refused(
        ParameterError, "monotonic_cst constrains the column 'city', which contains categories without an order"
    ):
        of_named_features({"monotonic_cst": {"city": 1}}, names)
    with refused(ParameterError, "interaction_cst contains the column 'town'"):
        of_named_features({"interaction_cst": [{"town"}]}, names)
    with refused(ParameterError, "feature_costs has the cost 0.0 for column"):
        of_named_features({"feature_costs": {"age": 0.0}}, names)


def test_no_constraints_change_nothing(data):
    X, y = data[0], data[1][TAOClassifier]
    for split in SPLITS:
        plain = model(TAOClassifier, split, block=2).fit(X, y)
        none = (
            {"feature_costs": [1] * 5, "monotonic_cst": [0] * 5, "max_leaf_nodes": 1000}
            if split == "univariate"
            else {}
        )
        same = model(TAOClassifier, split, block=2, **none).fit(X, y)
        assert plain.trace_[-1].objective == same.trace_[-1].objective
    assert Constraints().holds(WorkingTree([-1], [-1], [None], [0], [0]))
