"""Test linear models in the leaves against slow reference implementations, and with unsupported and bad input."""

import copy
import itertools
import json
import pickle

import numpy as np
import pandas
import pytest
import scipy.sparse
from sklearn.linear_model import Lasso, LogisticRegression

from tests import naive
from tests.refusals import refused
from treecore import DataError, ParameterError, TAOClassifier, TAORegressor, Tree, regularization_path
from treecore.data.softmax import log_losses, softmax_regression
from treecore.data.training_data import TrainingData
from treecore.errors import TreeFormatError
from treecore.explain import counterfactual, explain
from treecore.explain.feature_effect import feature_effect
from treecore.explain.permutation_importance import permutation_importance
from treecore.initial import initial_tree
from treecore.model.model import Model
from treecore.node_solvers import make_solver
from treecore.tables.predict_table import predict_table
from treecore.training.linear_leaf_step import shared_weights
from treecore.training.recording import grow, record
from treecore.training.single_tree import impurity_importance
from treecore.training.tao import AlternatingOptimization
from treecore.tree.editing import tree_document
from treecore.tree.linear_leaves import LinearLeaves
from treecore.tree.metrics import error_rate, training_error

CASES = [("oblique", "random"), ("univariate", "cart"), ("bivariate", "cart")]


def scores_of(model, x):
    """Return the scores of one row, by plain sums."""
    scores = [float(b) for b in model.bias]
    for feature, weights in zip(model.features, model.weights, strict=True):
        scores = [score + float(x[feature]) * float(w) for score, w in zip(scores, weights, strict=True)]
    return scores


def loss_of(scores, truth):
    """Return the loss of one row: squared error for one score, else log loss."""
    if len(scores) == 1:
        return (scores[0] - truth) ** 2
    largest = max(scores)
    return largest + np.log(sum(np.exp(score - largest) for score in scores)) - scores[int(truth)]


def slow_objective(run, X, y, weights, lam):
    """Return the objective: losses row by row, l1 norms of every leaf and penalties of every split."""
    tree, scale = run.tree, run.data.inverse_scale
    total = sum(
        w * loss_of(scores_of(tree.models[naive.path(tree.routing(), x)[-1]], x), truth)
        for x, truth, w in zip(X, y, weights, strict=True)
    )
    total += lam * sum(
        run.solver.penalty(tree.splits[node].features, tree.splits[node].weights) for node in tree.decisions
    )
    unit = 1.0 if run.data.n_classes else np.sqrt(np.cov(y, aweights=weights, bias=True)) or 1.0
    return total + lam * slow_cost(tree, scale) / unit


def slow_cost(tree, scale):
    """Return the smallest cost of the leaves' weights over all values that the decision nodes can have.

    For each feature and score, the best values are among the weights of the leaves and 0.
    """
    leaves = [leaf for leaf in np.flatnonzero(tree.left < 0) if tree.models[leaf].features.size]
    q, above = tree.models[0].bias.size, {int(c): n for n in tree.decisions for c in (tree.left[n], tree.right[n])}
    dense = {leaf: np.zeros((scale.size, q)) for leaf in leaves}
    for leaf in leaves:
        dense[leaf][tree.models[leaf].features] = tree.models[leaf].weights
    needed = sorted({node for leaf in leaves for node in ancestors(leaf, above)})
    total = 0.0
    for j, c in np.ndindex(scale.size, q):
        values = {leaf: dense[leaf][j, c] for leaf in leaves}
        best = np.inf
        for tried in itertools.product({0.0, *values.values()}, repeat=len(needed)):
            all_values = values | dict(zip(needed, tried, strict=True))
            best = min(best, sum(abs(v - all_values.get(above.get(node), 0.0)) for node, v in all_values.items()))
        total += best / scale[j] if best else 0.0
    return total


def ancestors(node, above):
    while node in above:
        node = above[node]
        yield node


def check_steps(X, y, weights, split, init, lam, n_classes):
    data = TrainingData(X, y, n_classes, weights)
    tree = initial_tree(
        init, data, 2, np.random.RandomState(0), max_features={"univariate": 1, "bivariate": 2}.get(split, 30)
    )
    run = AlternatingOptimization(data, tree, make_solver(data, split), lam, max_iter=3, n_jobs=1, leaf="linear")
    previous = None
    for step in run.steps():
        after = slow_objective(run, X, y, weights, lam)
        slack = 1e-6 * (1 + abs(after))
        assert step.objective_after == pytest.approx(after, rel=1e-6, abs=1e-6)
        if previous is not None:
            assert step.objective_before == pytest.approx(previous, rel=1e-6, abs=1e-6)
        if split != "oblique" or (run.tree.left[step.nodes] < 0).all():
            assert step.objective_after <= step.objective_before + slack
        previous = step.objective_after
    assert slow_objective(run, X, y, weights, lam) == pytest.approx(
        min(record.objective for record in run.trace), rel=1e-6, abs=1e-6
    )


@pytest.mark.parametrize(("split", "init"), CASES)
@pytest.mark.parametrize("seed", range(6))
def test_every_step_equals_a_slow_reference_and_exact_ones_never_rise(split, init, seed):
    rng = np.random.default_rng(seed)
    n, d, lam = int(rng.integers(5, 40)), int(rng.integers(1, 5)), [0.01, 0.3, 2.0][seed % 3]
    X = rng.integers(0, 4, (n, d)) / 2 if seed % 2 else rng.normal(size=(n, d))
    weights, codes = rng.choice([0.5, 1.0, 2.0], n), rng.integers(0, 2 + seed % 2, n)
    check_steps(X, np.unique(codes, return_inverse=True)[1], weights, split, init, lam, np.unique(codes).size)
    check_steps(X, codes + X[:, 0] * (X[:, -1] > 0), weights, split, init, lam, None)


def test_weights_shared_by_leaves_cost_once():
    left, right = np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1])
    weights = np.array([[0.0, 0.0], [2.0, -1.0], [0.0, 0.0], [2.0, 3.0], [5.0, 1.0]])
    found = shared_weights(left, right, left < 0, weights)
    np.testing.assert_array_equal(found, [[2, 0], [2, -1], [2, 1], [2, 3], [5, 1]])
    found = shared_weights(left, right, np.array([False, True, False, False, False]), weights)
    np.testing.assert_array_equal(found, np.broadcast_to(weights[1], (5, 2)))
    assert not shared_weights(left, right, np.zeros(5, bool), weights).any()


def test_few_rows_of_a_leaf_follow_what_all_rows_say():
    X = np.random.default_rng(0).normal(size=(400, 5))
    X[:, 0] = np.arange(400) >= 8  # eight rows far from all others
    y = (X[:, 1] - X[:, 2] > 0).astype(int)
    start = Tree(
        [1, -1, -1], [2, -1, -1], [0, 1, 1, 1], [0], [1.0], [-0.5, 0.0, 0.0], [0, 0, 1], np.ones((3, 2)),
        [400, 8, 392], [0, 1, 2], [0, 1], 5,
    )  # fmt: skip
    tree = TAOClassifier("univariate", 2.0, init=start, max_iter=2, leaf="linear").fit(X, y).tree_
    few, many = (tree.leaf_model.model(leaf) for leaf in tree.apply(X)[[0, -1]])
    kept = np.isin(many.features, few.features)
    np.testing.assert_allclose(few.weights, many.weights[kept], rtol=0.3, atol=1e-9)
    assert kept.sum() >= 2


def test_care_points_follow_from_the_losses_of_the_leaves(bundled):
    X, y = bundled("iris")
    found = []

    def look(step):
        if step.depth == 0 and not found:
            found.append((step.care_points(0), step.pseudolabels(0), step.care_weights(0)))

    data = TrainingData(X, y, 3)
    tree = initial_tree("random", data, 1, np.random.RandomState(0), max_features=30)
    run = AlternatingOptimization(data, tree, make_solver(data), 0.1, max_iter=1, n_jobs=1, leaf="linear")
    for step in run.steps():
        if step.depth == 0:
            models = run.tree.models
            losses = np.array(
                [[loss_of(scores_of(models[side], x), t) for side in (1, 2)] for x, t in zip(X, y, strict=True)]
            )
            gains = losses[:, 0] - losses[:, 1]
            points = step.care_points(0)
            np.testing.assert_allclose(np.abs(gains[points]), step.care_weights(0), rtol=1e-9)
            np.testing.assert_array_equal(np.sign(gains[points]), step.pseudolabels(0))
            assert set(np.flatnonzero(gains)) == set(points.tolist())


@pytest.mark.parametrize(("name", "lam"), [("iris", 0.3), ("iris", 3.0), ("breast_cancer", 5.0)])
def test_a_single_leaf_is_regularised_regression_of_scikit_learn(bundled, name, lam):
    X, y = bundled(name)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    q = len(np.unique(y))
    W, b = softmax_regression(Z, y, np.ones(len(y)), lam, np.zeros((X.shape[1], q)), np.zeros(q), 50.0)
    ours = log_losses(Z @ W + b, y)[0].sum() + lam * np.abs(W).sum()
    theirs = LogisticRegression(solver="saga", l1_ratio=1.0, C=1 / lam, max_iter=20_000, tol=1e-5).fit(Z, y)
    W, b = theirs.coef_.T, theirs.intercept_
    if q == 2:
        W, b = np.column_stack([0 * W, W]), np.array([0.0, b[0]])
    assert ours <= (log_losses(Z @ W + b, y)[0].sum() + lam * np.abs(W).sum()) * (1 + 1e-3)


def test_a_single_leaf_of_numbers_is_the_lasso(bundled):
    X, y = bundled("iris")
    X, y = X[:, 1:], X[:, 0]
    constant = Tree([-1], [-1], [0, 0], [], [], [0.0], [0], [[150.0, y.mean(), y.var()]], [150], [0], [], 3)
    model = TAORegressor(lam=2.0, init=constant, leaf="linear").fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    lasso = Lasso(alpha=2.0 / 300 / y.std(), tol=1e-10).fit(Z, y)
    np.testing.assert_allclose(model.predict(X), lasso.predict(Z), atol=1e-4)
    assert model.tree_.leaf_model.features.size > 0


@pytest.mark.parametrize(("split", "init"), CASES)
def test_objective_error_and_predictions_of_a_fit(bundled, split, init):
    X, y = bundled("breast_cancer")
    model = TAOClassifier(split, 1.0, init=init, max_depth=2, max_iter=4, random_state=0, leaf="linear").fit(X, y)
    tree = model.tree_
    assert not tree.leaf_model.is_constant
    assert training_error(tree) == pytest.approx(error_rate(tree, X, y))
    assert min(model.trace_, key=lambda r: r.objective).error == pytest.approx(training_error(tree))
    leaf = tree.apply(X)
    slow = [np.argmax(scores_of(tree.leaf_model.model(node), x)) for node, x in zip(leaf, X, strict=True)]
    np.testing.assert_array_equal(model.predict(X), tree.classes[slow])
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_array_equal(shares.argmax(axis=1), slow)
    np.testing.assert_array_equal(tree.predict(scipy.sparse.csr_matrix(X)), tree.predict(X))


def test_numbers_need_fewer_leaves():
    X = np.random.default_rng(0).normal(size=(300, 4))
    y = np.where(X[:, 0] > 0, X[:, 1], -2 * X[:, 1] + X[:, 2])
    one, other = (
        TAORegressor("univariate", 1.0, init="cart", max_depth=3, leaf=leaf).fit(X, y)
        for leaf in ("constant", "linear")
    )
    assert np.mean((other.predict(X) - y) ** 2) < 0.1 * np.mean((one.predict(X) - y) ** 2)
    assert training_error(other.tree_) == pytest.approx(np.sqrt(np.mean((other.predict(X) - y) ** 2)))


def test_sparse_rows_train_as_well(bundled):
    X, y = bundled("digits")
    X = scipy.sparse.csr_matrix(X[:400])
    model = TAOClassifier(lam=1.0, max_depth=1, max_iter=1, random_state=0, leaf="linear").fit(X, y[:400])
    assert model.score(X, y[:400]) > 0.95
    np.testing.assert_array_equal(model.predict(X), model.predict(X.toarray()))


def test_same_tree_whatever_the_threads(bundled):
    X, y = bundled("wine")
    trees = [
        TAOClassifier(lam=0.5, max_depth=2, max_iter=3, random_state=0, n_jobs=n, leaf="linear").fit(X, y).tree_
        for n in (1, 2)
    ]
    assert trees[0] == trees[1]


def test_a_path_ends_in_one_leaf_without_weights(bundled):
    X, y = bundled("wine")
    start = TAOClassifier(max_depth=2, max_iter=4, random_state=0, leaf="linear")
    path = regularization_path(start, X, y, [0.1, 1.0, 1e5], X, y)
    assert path[0].tree.leaf_model.features.size > 0
    assert path[2].tree.n_leaves == 1
    assert path[2].tree.leaf_model.features.size == 0
    assert path[0].validation_error == pytest.approx(path[0].train_error)


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = np.where(X[:, 0] > 0, X[:, 1] > 0, X[:, 2] > 0).astype(int) + (X[:, 1] > 1)
    return {
        "classes": TAOClassifier(lam=0.5, max_depth=1, max_iter=4, random_state=0, leaf="linear").fit(X, y),
        "numbers": TAORegressor("univariate", 0.5, init="cart", max_depth=1, leaf="linear").fit(X, y + X[:, 2]),
    }, X


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_a_model_survives_its_file_a_pickle_and_a_copy(fitted, kind):
    tree = fitted[0][kind].tree_
    assert tree.n_leaves == 2
    for found in (Tree.from_json(tree.to_json()), pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
        assert found == tree
        assert not found.leaf_model.weights.flags.writeable
    assert tree != TAOClassifier(max_depth=1, random_state=0).fit(fitted[1], fitted[1][:, 0] > 0).tree_


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda linear: linear.pop("bias"), "'linear' must be null or contain"),
        (lambda linear: linear["losses"].pop(), "Invalid linear leaves"),
        (lambda linear: linear["weights"].pop(), "Invalid linear leaves"),
        (lambda linear: linear["features"].__setitem__(-1, 99), "The features of linear leaves must lie in [0, …)"),
        (
            lambda linear: linear["features"].__setitem__(0, -1),
            "'features' of 'linear' contains an index that is out of range",
        ),
        (lambda linear: linear["features"].reverse(), "Invalid linear leaves"),
        (lambda linear: linear["indptr"].reverse(), "Invalid linear leaves"),
        (lambda linear: linear["losses"].__setitem__(0, -1.0), "Invalid linear leaves"),
        (lambda linear: linear["indptr"].__setitem__(1, 1), "Only leaves can have linear models with weights"),
    ],
)
def test_a_damaged_file_is_refused(fitted, damage, words):
    record = json.loads(fitted[0]["classes"].tree_.to_json())
    damage(record["linear"])
    with refused(TreeFormatError, words):
        Tree.from_json(json.dumps(record))


def test_a_tree_of_the_version_before_opens(bundled):
    X, y = bundled("iris")
    tree = TAOClassifier(max_depth=2, random_state=0).fit(X, y).tree_
    record = json.loads(tree.to_json()) | {"version": 3}
    del record["linear"]
    assert Tree.from_json(json.dumps(record)) == tree


def test_an_explanation_says_what_a_linear_leaf_weighs(fitted):
    models, X = fitted
    for kind, model in models.items():
        tree = model.tree_.with_names(["a", "b", "c"])
        for x in X[:20]:
            found = explain(tree, x)
            assert found.prediction == tree.predict(x[None])[0]
            wanted = tree.predict_proba(x[None])[0] if kind == "classes" else [found.prediction]
            np.testing.assert_allclose(found.shares, wanted)
            assert str(found).endswith(f"({found.reason})\n")
            if kind == "classes":
                assert found.reason.startswith("rather than ")
                other = int(found.reason.split()[2].rstrip(":"))
                assert found.shares[other] == sorted(found.shares)[-2]
            else:
                model = tree.leaf_model.model(found.leaf)
                assert found.reason.startswith("= ")
                assert all(tree.feature_name(j) in found.reason for j in model.features)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_nothing_reads_one_answer_of_a_linear_leaf(fitted, kind):
    tree = fitted[0][kind].tree_
    for ask in (lambda: tree.outputs, lambda: tree.predictions, lambda: tree.target.outputs(tree)):
        with refused(DataError, "does not support linear leaves"):
            ask()
    with refused(ParameterError, "refine does not support linear leaves"):
        LinearLeaves.require("refine", ParameterError)


REFUSING = {
    "counterfactual": lambda tree, X: counterfactual(tree, X[0]),
    "scikit-learn": lambda tree, X: tree.to_sklearn(),
    "edit": lambda tree, X: tree_document(tree),
    "growth": lambda tree, X: grow(tree),
    "importances": lambda tree, X: impurity_importance(tree),
    "shares": lambda tree, X: tree.target.shares(tree),
    "recording": lambda tree, X: record(TAOClassifier(leaf="linear"), X, X[:, 0] > 0),
    "improve": lambda tree, X: TAOClassifier(init=tree).fit(X, tree.predict(X)),
}


@pytest.mark.parametrize("name", REFUSING)
def test_functions_for_constant_leaves_refuse_linear_leaves(fitted, name):
    with refused((DataError, ParameterError), "does not support linear leaves"):
        REFUSING[name](fitted[0]["classes"].tree_, fitted[1])


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_rows_get_the_prediction_of_their_leafs_model(fitted, kind):
    tree, X = fitted[0][kind].tree_.with_names(["a", "b", "c"]), fitted[1]
    changed = X.copy()
    changed[:, 0] = 0.5
    told = tree.predict_proba(changed) if kind == "classes" else tree.predict(changed)[:, None]
    np.testing.assert_array_equal(feature_effect(tree, X, [0], [[0.5]])[0], told)
    found = permutation_importance(tree, X, tree.predict(X), n_repeats=1)
    assert found.loss == 0
    leaves = np.flatnonzero(tree.left < 0)
    used = [np.isin(j, tree.features) or any(j in tree.leaf_model.model(k).features for k in leaves) for j in range(3)]
    assert (found.n_nodes > 0).tolist() == used
    assert (found.increases.max(axis=1) > 0).tolist() == used


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_a_table_is_predicted_by_the_models_of_leaves(fitted, kind):
    tree, X = fitted[0][kind].tree_.with_names(["a", "b", "c"]), fitted[1]
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    found = predict_table(Model(tree), frame)
    np.testing.assert_array_equal(found.prediction.astype(float), tree.predict(X).astype(float))
    if kind == "classes":
        np.testing.assert_array_equal(found.probabilities, tree.predict_proba(X))
        np.testing.assert_array_equal(found.probability, tree.predict_proba(X).max(axis=1))
    leaf = next(k for k in np.flatnonzero(tree.left < 0) if tree.leaf_model.model(k).features.size)
    row, asked = np.flatnonzero(tree.apply(X) == leaf)[0], int(tree.leaf_model.model(leaf).features[0])
    if asked not in tree.features:
        frame.iloc[row, asked] = np.nan
        holed = predict_table(Model(tree), frame)
        assert (holed.n_refused, holed.prediction[row]) == (1, None)
        assert holed.reason[row].startswith("leaf")
        assert repr("abc"[asked]) in holed.reason[row]


@pytest.mark.parametrize(
    "settings",
    [
        {"leaf": "quadratic"},
        {"leaf": None},
        {"missing": "learn", "split": "univariate"},
        {"refine": 1, "split": "univariate"},
    ],
)
def test_settings_that_do_not_go_together_are_refused(bundled, settings):
    with pytest.raises(ParameterError):
        TAOClassifier(**{"leaf": "linear"} | settings).fit(*bundled("iris"))


def test_more_settings_that_do_not_go_together(bundled, fitted):
    X, y = bundled("iris")
    with refused(ParameterError, "shrinkage=… has no effect with leaf=…. Use leaf=…, or shrinkage="):
        TAORegressor(shrinkage=1.0, leaf="linear").fit(X, y)
    with refused(ParameterError, "does not support linear leaves"):
        regularization_path(TAOClassifier("univariate", leaf="linear"), X, y, "critical")
    classes = fitted[0]["classes"]
    with refused(ParameterError, "does not support linear leaves"):
        TAOClassifier(init=classes.tree_).fit(fitted[1], classes.predict(fitted[1]))
    again = TAOClassifier(init=classes.tree_, max_iter=0, leaf="linear").fit(fitted[1], classes.predict(fitted[1]))
    np.testing.assert_array_equal(again.predict(fitted[1]), classes.predict(fitted[1]))


def test_collinear_features_more_features_than_rows_and_no_penalty():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 50))
    X = np.column_stack([X, X[:, :5], 2 * X[:, 0] + X[:, 1], np.ones(30)])
    for y in (X[:, 0] > 0, np.arange(30) % 3):
        for lam in (0.0, 0.1):
            model = TAOClassifier(lam=lam, max_depth=2, max_iter=3, random_state=0, leaf="linear").fit(X, y)
            assert np.isfinite(model.predict_proba(X)).all()
            assert model.score(X, y) == 1.0
    for lam in (0.0, 0.1):
        model = TAORegressor(lam=lam, max_depth=2, max_iter=3, random_state=0, leaf="linear").fit(X, X[:, 0])
        assert np.abs(model.predict(X) - X[:, 0]).max() < 0.3


def test_a_leaf_of_one_class_or_of_one_number_has_no_weights(fitted):
    X = np.random.default_rng(0).normal(size=(80, 3))
    y = np.where(X[:, 0] < 0, 0, 1 + (X[:, 1] > X[:, 2]))
    start = Tree(
        [1, -1, -1], [2, -1, -1], [0, 1, 1, 1], [0], [1.0], [0.0, 0.0, 0.0], [0, 0, 1], np.ones((3, 3)), [80, 40, 40],
        [0, 1, 2], [0, 1, 2], 3,
    )  # fmt: skip
    model = TAOClassifier("univariate", 0.1, init=start, frozen=[0], leaf="linear").fit(X, y)
    assert model.tree_.leaf_model.model(1).features.size == 0
    assert model.tree_.leaf_model.model(2).features.size > 0
    assert model.predict_proba(X[y == 0]).argmax(axis=1).max() == 0
    numbers = TAORegressor("univariate", 0.1, init="cart", max_depth=1, leaf="linear").fit(
        X, np.where(X[:, 0] < 0, 7.0, X[:, 1])
    )
    assert numbers.predict(X[X[:, 0] < -0.5]) == pytest.approx(7.0)
    constant = TAORegressor(max_depth=2, random_state=0, leaf="linear").fit(X, np.full(80, 3.0))
    assert constant.tree_.n_leaves == 1
    assert constant.predict(X) == pytest.approx(3.0)


def test_a_class_that_is_not_in_a_leaf_keeps_a_chance(fitted):
    shares = fitted[0]["classes"].predict_proba(fitted[1])
    assert shares.min() > 0
