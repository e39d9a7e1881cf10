"""Test CART with cross-validated pruning against rpart's rule and rpart's metrics, and with missing values."""

import numpy as np
import pandas
import pytest
from sklearn.model_selection import GroupKFold, PredefinedSplit, train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.fitted import check_predictions
from tests.refusals import refused
from treecore import CARTClassifier, CARTRegressor, DataError, ParameterError
from treecore.baselines.cross_validation import chosen_subtree, cross_validated, folds_of
from treecore.comparison import compare
from treecore.data.training_data import TrainingData
from treecore.training.prune import best_part
from treecore.tree.metrics import error_of
from viz.payload.reference_facts import errors_of_sizes

# rpart 4.1.19, pooled rows, 20 % test (seeds 0, 1, 2): mean leaves and test error in percent, 1-SE rule
RPART = {"segment": (56.0, 3.82), "banknote": (17.67, 2.67)}


def test_the_rules():
    errors, spread = np.array([0.30, 0.20, 0.21, 0.24, 0.40]), np.full(5, 0.02)
    assert chosen_subtree(errors, spread, "min") == 1
    assert chosen_subtree(errors, spread, "one_se") == 2
    assert chosen_subtree(errors, spread + 0.021, "one_se") == 3
    assert chosen_subtree(np.array([0.2, 0.2, 0.3]), np.zeros(3), "min") == 1


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_the_error_curve_is_that_of_the_subtrees(bundled, rng, kind):
    X, y = bundled("wine")
    X, y = (X, y) if kind is CARTClassifier else (X[:, 1:], X[:, 0])
    fit, held = train_test_split(np.arange(len(y)), random_state=0)
    weights = rng.integers(1, 4, held.size)
    cart = kind(min_samples_leaf=4).fit(X[fit], y[fit])
    n_leaves, errors = cart.error_curve(X[held], y[held], weights)
    trees = {tree.n_leaves: tree for tree in cart.subtrees([-np.inf, *np.geomspace(1e-6, 1e4, 400)])}
    assert len(trees) > 3
    for leaves, tree in trees.items():
        assert errors[n_leaves == leaves] == pytest.approx(error_of(tree, X[held], y[held], weights))
    assert (np.diff(n_leaves) > 0).all()
    assert (n_leaves[0], n_leaves[-1]) == (1, cart.grown_.n_leaves)


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_the_curve_of_growth_is_that_of_best_first_growth(rng, kind):
    X = rng.normal(size=(400, 4))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=400)
    y, base = (y, DecisionTreeRegressor) if kind is CARTRegressor else (np.digitize(y, [0, 1]), DecisionTreeClassifier)
    cart = kind(cv=None, random_state=0).fit(X[:300], y[:300])
    n_leaves, errors = cart.error_curve(X[300:], y[300:], part="grown")
    trained = cart.error_curve(X[:300], y[:300], part="grown")[1]
    assert n_leaves.tolist() == list(range(1, cart.grown_.n_leaves + 1))
    for size in (2, 3, 5, 9, 17):
        grown = base(max_leaf_nodes=size, random_state=0).fit(X[:300], y[:300])
        missed = grown.predict(X[:300]) - y[:300]
        expected = np.sqrt((missed**2).mean()) if kind is CARTRegressor else (missed != 0).mean()
        assert trained[size - 1] == pytest.approx(expected)
        part = best_part(cart.grown_, size)
        assert (part.n_leaves, error_of(part, X[300:], y[300:])) == (size, pytest.approx(errors[size - 1]))
    with refused(ParameterError, "part='all': expected one of"):
        cart.error_curve(X, y, part="all")


def test_sizes_that_pruning_passes_over_have_trees_of_best_first_growth(rng):
    y = np.repeat(np.arange(40), 20)
    X = np.column_stack([y % 8, y // 8]) + rng.normal(0, 0.05, (800, 2))
    sets = {"train": (X[::2], y[::2], None), "test": (X[1::2], y[1::2], None)}
    cart = CARTClassifier(cv=None, random_state=0).fit(X[::2], y[::2])
    assert len(cart.error_curve(X, y)[0]) < 20  # few sizes
    found = {one["leaves"]: one for one in errors_of_sizes(cart, sets)}
    assert list(found) == list(range(1, 41))
    for size, one in found.items():  # each leaf predicts one of the classes
        assert one["test_error"] == pytest.approx(1 - size / 40, abs=0.03)
    training = [one["train_error"] for one in found.values()]
    assert training == sorted(training, reverse=True)


def test_folds_are_even_and_alike(rng):
    groups = np.repeat([0, 1, 2], [50, 23, 7])[rng.permutation(80)]
    folds = folds_of(groups, 10, np.random.RandomState(0))
    assert [held.size for _, held in folds] == [8] * 10
    assert np.ptp([(groups[held] == 0).sum() for _, held in folds]) <= 1
    assert all(np.array_equal(np.union1d(train, held), np.arange(80)) for train, held in folds)
    assert len(folds_of(np.zeros(3, int), 10, np.random.RandomState(0))) == 3


@pytest.mark.parametrize("is_regression", [False, True])
def test_errors_are_those_of_scikit_learns_pruned_trees(bundled, is_regression, rng):
    """scikit-learn prunes by impurity.

    For regression, the impurity is the risk. For classes, only the root and the whole tree agree. No row is on a
    threshold, where the two differ, and leaves have five rows, because two rows are split equally well by any feature.
    treecore grows weighted regression trees itself.
    """
    X, y = bundled("wine")
    X = X + 1e-3 * rng.standard_normal(X.shape)
    y = X[:, 0] + 0.2 * rng.standard_normal(len(y)) if is_regression else y
    X = X[:, 1:] if is_regression else X
    weights = np.ones(len(y)) if is_regression else rng.integers(1, 4, len(y)).astype(float)
    folds = folds_of(np.zeros(len(y), int), 4, np.random.RandomState(0))
    kind = DecisionTreeRegressor if is_regression else DecisionTreeClassifier
    alphas = [-np.inf, 0.004, 0.009, 0.03] if is_regression else [-np.inf, 1e9, 2e9]

    def grow(part, alpha=0.0):
        return kind(random_state=0, ccp_alpha=alpha, min_samples_leaf=5).fit(
            X[part], y[part], sample_weight=weights[part]
        )

    X = X.astype(np.float32)  # scikit-learn's own rounding
    data = TrainingData(X, y, None if is_regression else 3, weights, None)
    grown = CARTRegressor(cv=None, min_samples_leaf=5)._grower(data, 0, X)
    found = cross_validated(
        grown, X, y, weights, folds, alphas, data.task.target.losses, lambda f, items: [*map(f, items)]
    )
    used = [0.0, 0.006, np.sqrt(0.009 * 0.03), 1e6] if is_regression else [0.0, 1e6, 1e6]
    for k, alpha in enumerate(used):
        losses = np.empty(len(y))
        for train, held in folds:
            predicted = grow(train, alpha).predict(X[held])
            losses[held] = (predicted - y[held]) ** 2 if is_regression else predicted != y[held]
        mean = weights @ losses / weights.sum()
        assert found[0][k] == pytest.approx(mean)
        assert found[1][k] == pytest.approx(np.sqrt(np.sum((weights * (losses - mean)) ** 2)) / weights.sum())


def test_sizes_and_errors_are_near_those_of_rpart(bundled):
    check_against_rpart("segment", *bundled("segment"))


@pytest.mark.benchmark_data
def test_sizes_and_errors_are_near_those_of_rpart_on_few_features(benchmark_set):
    data = benchmark_set("banknote")
    check_against_rpart("banknote", data["X"], data["y"])


def check_against_rpart(name, X, y):
    leaves, errors = [], []
    for seed in range(3):
        X_train, X_test, y_train, y_test = train_test_split(
            X.astype(float), y, test_size=0.2, random_state=seed, stratify=y
        )
        model = CARTClassifier(max_depth=30, random_state=seed, n_jobs=1).fit(X_train, y_train)
        leaves.append(model.tree_.n_leaves)
        errors.append(100 - 100 * model.score(X_test, y_test))
    assert np.mean(leaves) == pytest.approx(RPART[name][0], rel=0.3)
    assert np.mean(errors) == pytest.approx(RPART[name][1], abs=0.5)


def test_without_folds_the_tree_is_that_of_scikit_learn(bundled):
    X, y = bundled("breast_cancer")
    model = CARTClassifier(cv=None, min_samples_split=20, min_samples_leaf=7, random_state=0).fit(X, y)
    assert model.tree_.n_samples[model.tree_.left < 0].min() >= 7
    assert model.score(X, y) > 0.9
    assert CARTClassifier(cv=None).fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize("rule", ["one_se", "min"])
def test_pruning_makes_smaller_trees_that_predict_as_well(bundled, rule):
    X, y = bundled("breast_cancer")
    X, X_test, y, y_test = train_test_split(X, y, random_state=0, stratify=y)
    whole = CARTClassifier(cv=None, random_state=0).fit(X, y)
    model = CARTClassifier(rule=rule, random_state=0).fit(X, y)
    assert model.tree_.n_leaves < whole.tree_.n_leaves
    assert model.score(X_test, y_test) >= whole.score(X_test, y_test) - 0.04
    check_predictions(model, X_test)


def test_noise_is_pruned_away(rng):
    X = rng.standard_normal((300, 4))
    assert CARTClassifier(random_state=0).fit(X, rng.integers(0, 2, 300)).tree_.n_leaves <= 3
    assert CARTRegressor(random_state=0).fit(X, rng.standard_normal(300)).tree_.n_leaves <= 3


def test_regression_finds_the_steps(rng):
    X = rng.uniform(0, 4, (400, 2))
    y = 1e6 + np.floor(X[:, 0]) + 0.1 * rng.standard_normal(400)
    model = CARTRegressor(random_state=0).fit(X, y)
    assert model.tree_.n_leaves == 4
    assert model.score(X, y) > 0.98


def test_threads_do_not_change_the_errors_of_the_folds(bundled):
    X, y = bundled("wine")
    one, two = (CARTClassifier(random_state=1, n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    assert np.array_equal(one.cv_errors_, two.cv_errors_)


def test_missing_values_text_and_weights(rng):
    X = rng.standard_normal((300, 3))
    y = (X[:, 0] > 0).astype(int)
    holed = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    with refused(
        DataError,
        (
            "contains NaN. Fill or remove these values, or use TAOClassifier or TAORegressor with missing='learn' "
            "and split='univariate' or 'bivariate'"
        ),
    ):
        CARTClassifier().fit(holed, y)
    tree = CARTClassifier(missing="learn", random_state=0).fit(holed, y).tree_
    assert np.mean(tree.predict(holed) == y) > 0.9
    frame = pandas.DataFrame({"colour": rng.choice(["red", "blue"], 300)})
    model = CARTClassifier().fit(frame, frame["colour"].to_numpy())
    assert model.score(frame, frame["colour"]) == 1.0
    only = CARTClassifier(random_state=0).fit(X, y, np.where(y == 1, 1.0, 0.0))
    assert only.tree_.n_leaves == 1
    assert only.predict(X).tolist() == [1] * 300


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cv": 1}, "cv=1: expected a whole number >="),
        ({"rule": "best"}, "rule='best': expected one of"),
        ({"rule": "min", "cv": None}, "rule='min' selects a tree by cross-validation, but cv=None"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0"),
    ],
)
def test_bad_parameters_are_refused(bundled, options, message):
    for estimator in (CARTClassifier, CARTRegressor):
        with refused(ParameterError, message):
            estimator(**options).fit(*bundled("iris"))


def test_folds_can_be_given_and_a_comparison_gives_those_of_its_groups():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 6)
    X = np.column_stack([rng.normal(size=40)[groups], rng.normal(size=240)])  # the first feature identifies the subject
    y = rng.integers(0, 2, 40)[groups]  # no other feature is informative
    folds = list(GroupKFold(5).split(X, y, groups))
    plain = CARTClassifier(random_state=0).fit(X, y)
    for cv in (folds, tuple(folds), PredefinedSplit(groups % 5)):
        model = CARTClassifier(cv=cv, random_state=0).fit(X, y)
        assert model.tree_.n_leaves < plain.tree_.n_leaves / 3
    grouped, free = (compare(X, y, ["cart"], cv=2, groups=given, n_jobs=1) for given in (groups, None))
    assert grouped.summary()["n_leaves"][0] < free.summary()["n_leaves"][0] / 3
    for cv in ("five", [], [([0, 1], [240])], [([0], [])]):
        with pytest.raises(ParameterError, match="cv"):
            CARTClassifier(cv=cv).fit(X, y)
