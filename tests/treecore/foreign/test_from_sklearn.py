"""Test that trees from scikit-learn send every row to the same leaf as scikit-learn."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    IsolationForest,
    RandomForestClassifier,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.feature_selection import RFE
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV, TunedThresholdClassifierCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier, MultiOutputRegressor, RegressorChain
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from tests.each import each
from tests.refusals import is_said, refused
from tests.treecore.foreign.boundary_rows import boundary_rows
from treecore import DataError, ParameterError, TAOClassifier, Tree, TreeFormatError, from_sklearn
from treecore.foreign.fitted_tree import fitted_tree
from treecore.foreign.sources import foreign_model
from treecore.rules import rules


def table(seed=0, n=400, d=5, missing=0.0):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), int(rng.integers(1, 12)))
    y = (X[:, 0] > 0.1).astype(int) + (X[:, 1] * X[:, 2] > 0)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


def near(model, missing=True):
    grown = model.tree_
    used = grown.children_left >= 0
    return boundary_rows(grown.threshold[used], grown.feature[used], grown.n_features, missing=missing)


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("model", [
    DecisionTreeClassifier(random_state=0), DecisionTreeClassifier(max_leaf_nodes=12, class_weight="balanced"),
    ExtraTreeClassifier(random_state=3), DecisionTreeRegressor(max_depth=6),
    DecisionTreeRegressor(criterion="absolute_error", max_depth=4),
])  # fmt: skip
def test_every_row_reaches_the_same_leaf(model, missing):
    if missing and getattr(model, "criterion", "") == "absolute_error":
        missing = 0.0
    X, y = table(missing=missing)
    model.fit(X, y)
    tree = from_sklearn(model)
    rows = near(model, missing=model.__sklearn_tags__().input_tags.allow_nan)
    assert len(rows) >= 10_000
    assert np.array_equal(tree.apply(rows), model.apply(rows))
    assert np.array_equal(tree.predict(rows), model.predict(rows))
    assert np.array_equal(tree.apply(rows.astype(np.float32)), model.apply(rows.astype(np.float32)))
    if hasattr(model, "classes_"):
        assert np.allclose(tree.predict_proba(rows), model.predict_proba(rows), rtol=0, atol=1e-12)
    assert np.array_equal(tree.n_samples, model.tree_.n_node_samples)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_random_trees_on_their_thresholds(seed, missing):
    X, y = table(seed, 60, 3, 0.2 * missing)
    X *= 10.0 ** np.random.default_rng(seed).integers(-30, 30, 3)
    model = DecisionTreeClassifier(splitter="random", random_state=seed % 1000).fit(X, y)
    grown = model.tree_
    used = grown.children_left >= 0
    rows = boundary_rows(grown.threshold[used], grown.feature[used], 3, 200)
    assert np.array_equal(from_sklearn(model).apply(rows), model.apply(rows))


def test_the_statistics_that_a_tree_stores():
    X, y = table()
    names = np.array(["low", "middle", "high"])
    model = DecisionTreeClassifier(max_depth=3).fit(pd.DataFrame(X, columns=list("abcde")), names[y])
    tree = from_sklearn(model)
    assert tree.feature_names == tuple("abcde")
    assert tree.classes.tolist() == ["high", "low", "middle"]
    assert tree.values[0].tolist() == [(names[y] == name).sum() for name in tree.classes]
    assert Tree.from_json(tree.to_json()) == tree
    numbers = DecisionTreeRegressor(max_depth=3).fit(X, X[:, 0])
    assert np.allclose(from_sklearn(numbers).values[:, 2], numbers.tree_.impurity)


@pytest.mark.parametrize("scalers", [
    (StandardScaler(),), (MinMaxScaler(),), (MinMaxScaler((-3, 7), clip=True),), (MaxAbsScaler(), RobustScaler()),
    ("passthrough", StandardScaler(with_mean=False)),
])  # fmt: skip
def test_scalers_are_carried_over_into_the_thresholds(scalers):
    X, y = table(1)
    X = X * [1, 1e-6, 1e6, 3, 1] + [0, 1, -1e7, 0.1, 1000]
    pipeline = make_pipeline(*scalers, DecisionTreeClassifier(random_state=0)).fit(X, y)
    tree = from_sklearn(pipeline)
    used = tree.left >= 0
    rows = boundary_rows(-tree.bias[used], tree.features, 5)
    rows[-5000:] = X[np.random.default_rng(0).integers(0, 400, 5000)]
    assert np.array_equal(tree.apply(rows), pipeline[-1].apply(pipeline[:-1].transform(rows)))
    assert np.array_equal(tree.predict(rows), pipeline.predict(rows))


def test_a_tree_of_a_forest():
    X, y = table()
    labels = np.array(["a", "b", "c"])[y]
    forest = RandomForestClassifier(5, max_depth=4, random_state=0).fit(X, labels)
    tree = from_sklearn(forest, tree=3)
    assert np.array_equal(tree.apply(X), forest.apply(X)[:, 3])
    assert set(tree.predict(X)) <= {"a", "b", "c"}
    numbers = ExtraTreesRegressor(3, max_depth=4, random_state=0).fit(X, y)
    assert np.array_equal(from_sklearn(numbers).predict(X), numbers.estimators_[0].predict(X))
    for number in (5, -1, True, "0"):
        with refused(ParameterError, "tree=…: expected 0 to 4, because the model has … trees"):
            from_sklearn(forest, tree=number)


@pytest.mark.parametrize("model", [
    GradientBoostingClassifier(n_estimators=2, max_depth=4), GradientBoostingRegressor(n_estimators=3, subsample=0.5),
    GradientBoostingClassifier(n_estimators=2, init="zero"),
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=3),
    AdaBoostRegressor(n_estimators=3), BaggingClassifier(n_estimators=3), BaggingRegressor(n_estimators=2),
])  # fmt: skip
def test_one_tree_of_a_boosted_model(model):
    X, y = table()
    model.set_params(random_state=0).fit(X, y)
    members = np.ravel(np.array(model.estimators_, object))
    is_gradient = isinstance(model, GradientBoostingClassifier | GradientBoostingRegressor)
    factor = 0.1 if is_gradient else 1
    found = foreign_model(model)
    assert found.n_trees == len(members)
    for number, member in enumerate(members):
        tree, rows = from_sklearn(model, tree=number), near(member, missing=False)
        assert len(rows) >= 10_000
        assert np.array_equal(tree.apply(rows), member.apply(rows))
        assert np.array_equal(tree.predict(rows), factor * member.predict(rows))
    other = "combines the weighted predictions" if hasattr(model, "estimator_weights_") else "combines the predictions"
    assert f"The {type(model).__name__} {'sums the leaf values' if is_gradient else other}" in found.alone
    with refused(ParameterError, "Use … for a single tree, or viz.forest_strip(model) for all trees"):
        rules(model)


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("kind", [HistGradientBoostingClassifier, HistGradientBoostingRegressor])
def test_one_tree_of_histogram_boosting(kind, missing):
    X, y = table(missing=missing)
    model = make_pipeline(StandardScaler(), kind(max_iter=3, min_samples_leaf=5)).fit(
        pd.DataFrame(X, columns=list("abcde")), y
    )
    flat = kind(max_iter=3, min_samples_leaf=5, random_state=0).fit(X, y)
    members = [member for iteration in flat._predictors for member in iteration]
    bare, no_map = np.zeros((0, 8), np.uint32), np.zeros(5, np.uint32)
    for number, member in enumerate(members):
        tree, nodes = from_sklearn(flat, tree=number), member.nodes
        used = nodes["is_leaf"] == 0
        rows = boundary_rows(nodes["num_threshold"][used], nodes["feature_idx"][used], 5)
        assert np.array_equal(tree.predict(rows), member.predict(rows, bare, no_map, 1))
    total = sum(from_sklearn(flat, tree=number).predict(rows) for number in range(0, len(members), len(members) // 3))
    assert np.allclose(total + flat._baseline_prediction[0, 0], flat._raw_predict(rows)[:, 0], atol=1e-9)
    scaled = from_sklearn(model, tree=1)
    member = [member for iteration in model[-1]._predictors for member in iteration][1]
    assert scaled.feature_names == tuple("abcde")
    assert np.array_equal(
        scaled.predict(rows),
        member.predict(model[0].transform(pd.DataFrame(rows, columns=list("abcde"))), bare, no_map, 1),
    )


def categories(n=900):
    """Return a DataFrame with categories and missing values, the same with an unknown category, and a target."""
    rng = np.random.default_rng(0)
    town, number = rng.integers(0, 40, n), rng.normal(size=n)
    y = np.isin(town, [1, 4, 20, 21, 35]) * 2.0 + (number > 0.3) * (town % 3 == 2)
    frame = pd.DataFrame({"number": number, "town": pd.Categorical.from_codes(town, [f"town {i}" for i in range(40)])})
    frame["kind"] = pd.Categorical(rng.choice(list("abc"), n))
    y += (frame["kind"] == "b").to_numpy()
    frame.loc[::11, "town"] = np.nan
    frame.loc[::13, "number"] = np.nan
    odd = frame.assign(town=frame["town"].cat.add_categories("new"))
    odd.loc[5:200, "town"] = "new"
    return frame, odd, y


@pytest.mark.parametrize("from_file", [False, True])
def test_categories_of_histogram_boosting_stay_groups(from_file):
    frame, odd, y = categories()
    model = HistGradientBoostingRegressor(max_iter=6, min_samples_leaf=5, categorical_features="from_dtype")
    model.fit(frame, y)
    source = pytest.importorskip("skops.io").dumps(model) if from_file else model
    found = foreign_model(source)
    trees = [found.tree(number) for number in range(found.n_trees)]
    assert [tree.n_leaves for tree in trees] == [one.get_n_leaf_nodes() for (one,) in model._predictors]
    assert max(np.diff(trees[0].indptr)) > 3
    assert "town = town 7" in trees[0].feature_names
    for rows in (frame, odd):
        total = sum(tree.predict(found.features(rows)) for tree in trees) + model._baseline_prediction[0, 0]
        assert np.allclose(total, model.predict(rows), rtol=0, atol=1e-12)


def test_categories_of_histogram_boosting_in_an_array():
    frame, _, y = categories()
    X = np.c_[frame["number"], frame["town"].cat.codes * 10.0, frame["kind"].cat.codes]
    X[::7, 1] = np.nan
    model = HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=5, categorical_features=[1, 2])
    model.fit(X, np.digitize(y, [0.5, 1.5]))
    odd = X.copy()
    odd[::5, 1], odd[1::5, 1], odd[2::5, 2] = 7.5, -3.0, np.nan  # unknown, negative and missing categories
    found = foreign_model(model)
    for rows in (X, odd):
        total = np.zeros((len(X), 3))
        for number in range(found.n_trees):
            total[:, number % 3] += found.tree(number).predict(found.features(rows))
        assert np.allclose(total + model._baseline_prediction, model._raw_predict(rows), rtol=0, atol=1e-12)


def test_a_chain_of_two_thousand_levels():
    rng = np.random.default_rng(0)
    X = np.arange(2001.0)[:, None]
    model = DecisionTreeRegressor(max_depth=None).fit(X, rng.random(2001))
    grown, m = model.tree_, 4001
    nodes = np.zeros(m, grown.__getstate__()["nodes"].dtype)
    nodes["left_child"], nodes["right_child"], nodes["feature"] = -1, -1, -2
    decisions = np.arange(0, m - 1, 2)
    nodes["left_child"][decisions], nodes["right_child"][decisions] = decisions + 1, decisions + 2
    nodes["feature"][decisions], nodes["threshold"][decisions] = 0, np.arange(2000.0)
    nodes["n_node_samples"] = nodes["weighted_n_node_samples"] = 1
    grown.__setstate__({"max_depth": 2000, "node_count": m, "nodes": nodes, "values": rng.random((m, 1, 1))})
    tree = from_sklearn(model)
    assert tree.depth == 2000
    assert np.array_equal(tree.apply(X), model.apply(X))
    assert np.array_equal(tree.to_sklearn().apply(X), model.apply(X))


def test_unsupported_models_are_refused():
    X, y = table()
    with refused(TreeFormatError, "The tree predicts 2 outputs, but only one is supported"):
        from_sklearn(DecisionTreeRegressor().fit(X, X[:, :2]))
    with refused(TreeFormatError, "The pipeline step PCA cannot be folded into the thresholds of the tree"):
        from_sklearn(make_pipeline(PCA(), DecisionTreeClassifier()).fit(X, y))
    for model, words in [
        (
            IsolationForest(n_estimators=2),
            "is not supported, because its trees are random and their leaves have no predictions",
        ),
        (BaggingClassifier(n_estimators=2, max_features=0.5), "The trees of … use different columns"),
        (BaggingClassifier(RandomForestClassifier(2), 2), "The … has no trees, or contains other models"),
        (VotingClassifier([("a", LogisticRegression())]), "The … has no trees, or contains other models"),
        (
            make_pipeline(StandardScaler(), HistGradientBoostingRegressor(max_iter=1, categorical_features=[0])),
            "Categories after a scaler are not supported",
        ),
    ]:
        with refused(TreeFormatError, words):
            from_sklearn(model.fit(np.c_[np.arange(400) % 4, X[:, 1:]], np.arange(400) % 4 % 3))
    for other in (DecisionTreeClassifier(), LogisticRegression().fit(X, y), 3, None, X, TAOClassifier()):
        with refused(
            ParameterError,
            (
                "model=…: expected a fitted scikit-learn DecisionTree, ExtraTree, forest or boosted trees, or a "
                "pipeline that ends with one"
            ),
        ):
            from_sklearn(other)


class Doubled(DecisionTreeRegressor):
    """A tree of another package that changes the predictions of the class that it inherits from."""

    def predict(self, X, check_input=True):
        return 2 * super().predict(X, check_input)


def trees(is_classifier, **parameters):
    kind = DecisionTreeClassifier if is_classifier else DecisionTreeRegressor
    return kind(max_depth=2, random_state=0, **parameters)


@each("model", [
    StackingRegressor([("a", trees(False))]), StackingClassifier([("a", trees(True))], LogisticRegression()),
    StackingClassifier([("a", trees(True))], LogisticRegression(class_weight="balanced"), passthrough=True),
    VotingRegressor([("a", trees(False))]), VotingClassifier([("a", trees(True))], voting="soft"),
    AdaBoostClassifier(trees(True), n_estimators=1), BaggingRegressor(Doubled(), 1), Doubled(),
])  # fmt: skip
def test_a_model_that_can_change_the_predictions_of_its_tree_has_no_single_tree(model):
    X, y = table()
    found = foreign_model(clone(model).fit(X, y.clip(max=1)))
    assert found.n_trees == 1
    code = (
        "The … combines or transforms the predictions of its trees"
        if isinstance(model, HAVE_MEMBERS)
        else (
            "The class … is not one of scikit-learn's trees and forests, so it can change the predictions of its tree"
        )
    )
    code = "The … combines the weighted predictions of all its trees" if isinstance(model, AdaBoostClassifier) else code
    assert is_said(found.alone, code)
    with refused(ParameterError, "Use … for a single tree, or viz.forest_strip(model) for all trees"):
        found.only_tree()


HAVE_MEMBERS = StackingRegressor, StackingClassifier, VotingRegressor, VotingClassifier


@each("model", [
    CalibratedClassifierCV(trees(True), cv=2), FixedThresholdClassifier(trees(True)),
    TunedThresholdClassifierCV(trees(True), cv=2),
    TransformedTargetRegressor(trees(False), func=np.exp, inverse_func=np.log),
    GridSearchCV(FixedThresholdClassifier(trees(True)), {"threshold": [0.3]}, cv=2), RFE(trees(True)),
    LogisticRegression(),
])  # fmt: skip
def test_a_fitted_model_without_a_tree_is_refused_with_its_name(model):
    X, y = table()
    model = clone(model).fit(X, y.clip(max=1))
    kind = type(getattr(model, "best_estimator_", model)).__name__
    with refused(
        ParameterError,
        (
            f"tree=…: expected a Tree or a fitted model with one tree. A {kind} has no tree, or transforms its "
            "predictions"
        ),
    ):
        fitted_tree(model)
    with refused(
        ParameterError,
        (
            f"model={type(model).__name__}: expected a fitted scikit-learn DecisionTree, ExtraTree, forest or "
            "boosted trees, or a pipeline that ends with one"
        ),
    ):
        from_sklearn(model)


@each("model", [
    OneVsRestClassifier(trees(True)), OneVsOneClassifier(trees(True)), MultiOutputClassifier(trees(True)),
    OutputCodeClassifier(trees(True), random_state=1), MultiOutputRegressor(trees(False)),
    ClassifierChain(trees(True)), RegressorChain(trees(False)),
])  # fmt: skip
def test_models_that_combine_models_for_each_output_are_refused_with_the_reason(model):
    X, y = table()
    two = y if isinstance(model, OneVsRestClassifier | OneVsOneClassifier | OutputCodeClassifier) else np.c_[y, y[::-1]]
    model = clone(model).fit(X, two)
    for convert in (from_sklearn, fitted_tree):
        with refused(TreeFormatError, f"The {type(model).__name__} combines models in a way that is not supported"):
            convert(model)
    assert from_sklearn(next(one for one in model.estimators_ if hasattr(one, "tree_"))).n_leaves > 1


@each("model", [
    RandomForestClassifier(1, max_depth=3, random_state=0), ExtraTreesRegressor(1, max_depth=3, random_state=0),
    BaggingClassifier(trees(True), 1, random_state=0), BaggingRegressor(trees(False), 1, random_state=0),
    AdaBoostRegressor(trees(False), n_estimators=1, random_state=0), FrozenEstimator(trees(True)),
])  # fmt: skip
def test_a_forest_of_one_tree_is_this_tree(model):
    X, y = table()
    if isinstance(model, FrozenEstimator):
        model = FrozenEstimator(model.estimator.fit(X, y))
    model = clone(model).fit(X, y)
    tree = fitted_tree(model).tree
    assert np.array_equal(tree.predict(X), model.predict(X))
    if hasattr(model, "predict_proba"):
        assert np.allclose(tree.predict_proba(X), model.predict_proba(X))


def test_members_that_were_trained_on_other_classes():
    X, y = table()
    prefit = trees(True).fit(X, np.array(["a", "b", "c"])[y])
    model = StackingClassifier([("a", prefit)], LogisticRegression(), cv="prefit").fit(X, np.array(["a", "b", "d"])[y])
    with refused(
        TreeFormatError, "The trees of the StackingClassifier predict other classes than the StackingClassifier"
    ):
        from_sklearn(model)


@each("kind", [DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, RandomForestClassifier])
@each("train", [0.0, 0.2])
def test_values_that_are_missing_only_at_prediction(kind, train):
    X, y = table(missing=train)
    model = kind(random_state=0).fit(X, y)
    odd = np.where(np.random.default_rng(0).random(X.shape) < 0.3, np.nan, X)
    member = model.estimators_[0] if hasattr(model, "estimators_") else model
    assert np.array_equal(from_sklearn(model).apply(odd), member.apply(odd))


def test_single_precision_before_a_scaler_is_refused():
    X, y = table()
    frame = pd.DataFrame(X.astype(np.float32), columns=list("abcde"))
    for last in (trees(True), TAOClassifier("univariate", init="cart", random_state=0)):
        model = make_pipeline(StandardScaler(), last).fit(X, y)
        for rows in (X.astype(np.float32), frame, X.astype(np.float16)):
            with refused(DataError, "X has float32 values, which the scalers of the pipeline round"):
                fitted_tree(model).features(rows)


def test_names_of_the_columns_before_a_scaler():
    X, y = table()
    frame = pd.DataFrame(X, columns=list("abcde"))
    for last in (trees(True), TAOClassifier("univariate", init="cart", random_state=0)):
        model = make_pipeline(StandardScaler(), last).fit(frame, y)
        found = fitted_tree(model)
        assert found.tree.feature_names == tuple("abcde")
        assert np.array_equal(found.tree.predict(found.features(frame[list("edcba")])), model.predict(frame))


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_there_and_back_again(kind):
    X, y = table(missing=0.1)
    model = (DecisionTreeClassifier if kind == "classes" else DecisionTreeRegressor)(max_depth=6, random_state=0)
    model.fit(X, np.array(["a", "b", "c"])[y] if kind == "classes" else y * 1.5)
    tree = from_sklearn(model)
    again = tree.to_sklearn()
    rows = near(model)
    assert np.array_equal(again.apply(rows), model.apply(rows))
    assert np.array_equal(again.predict(rows), model.predict(rows))
    assert np.array_equal(from_sklearn(again).bias, tree.bias)
    assert np.allclose(again.feature_importances_, model.feature_importances_)
    assert again.get_depth() == tree.depth


@given(st.integers(0, 2**32 - 1))
def test_univariate_trees_in_the_form_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X, y = table(seed, 80, 3, 0.1)
    X = X.astype(np.float32)
    tree = TAOClassifier("univariate", lam=0.1, init="cart", missing="learn", random_state=0).fit(X, y).tree_
    weights = np.where(rng.random(tree.weights.size) < 0.3, -1, 1) * rng.choice(
        [1.0, 0.1, 3e-7, 1e9], tree.weights.size
    )
    bias = tree.bias.copy()
    bias[tree.left >= 0] *= weights
    tree = replace(tree, weights=tree.weights * weights, bias=bias, labels=tree.values.argmax(axis=1))
    again = tree.to_sklearn()
    assert np.array_equal(again.apply(X), tree.apply(X))
    assert np.array_equal(again.predict(X), tree.predict(X))
    assert np.allclose(again.predict_proba(X), tree.predict_proba(X))


def test_trees_that_scikit_learn_cannot_hold():
    X, y = table()
    with refused(DataError, "Node … uses 5 features, but scikit-learn trees support one feature per node"):
        TAOClassifier(max_depth=2, lam=0.01, random_state=0).fit(X, y).tree_.to_sklearn()
    tree = from_sklearn(DecisionTreeClassifier(max_depth=2).fit(X, y))
    with refused(DataError, "Leaf … predicts …, which is not the majority class of its training points"):
        replace(tree, labels=(tree.labels + 1) % 3).to_sklearn()
