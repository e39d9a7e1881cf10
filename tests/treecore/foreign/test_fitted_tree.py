"""Test that a fitted estimator or pipeline is accepted wherever a tree is, and that other objects are refused."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.refusals import refused
from tests.strategies import small_tree
from treecore import (
    CARTClassifier,
    ParameterError,
    TAOClassifier,
    TreeFormatError,
    counterfactual,
    export,
    from_sklearn,
)
from treecore.explain import explain
from treecore.explain.permutation_importance import permutation_importance
from treecore.foreign.fitted_tree import as_tree, fitted_tree
from treecore.rules import rules


@pytest.fixture(scope="module")
def flowers():
    """Return (DataFrame of numbers and one text column, labels as text)."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 2)), columns=["length", "width"])
    X["colour"] = rng.choice(["red", "blue"], 200)
    return X, np.where((X.length > 0.2) | (X.colour == "red"), "yes", "no")


def test_our_estimators_with_their_columns_of_text(flowers):
    X, y = flowers
    model = CARTClassifier(random_state=0).fit(X, y)
    found = rules(model, X, y)
    assert sum(rule.n_rows for rule in found) == 200
    assert any("colour" in str(rule) for rule in found)
    for row in (X.iloc[3], X.iloc[[3]], X.iloc[3].to_dict()):
        assert explain(model, row).prediction == model.predict(X.iloc[[3]])[0]
    found = counterfactual(model, X.iloc[[3]], target="no" if explain(model, X.iloc[3]).prediction == "yes" else "yes")
    assert found.prediction != found.before
    assert permutation_importance(model, X, y).mean.max() > 0.1
    assert export.python(model) == export.python(model.tree_)
    query = export.sql(model, table="flowers")  # the query uses the columns of the table, not the features of the tree
    assert 't."colour"' in query
    assert "colour = " not in query


def test_estimators_pipelines_and_searches_of_scikit_learn(flowers):
    X, y = flowers
    X = X[["length", "width"]]
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    pipeline = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=3)).fit(X, y)
    search = GridSearchCV(pipeline, {"decisiontreeclassifier__max_depth": [2, 3]}, cv=2).fit(X, y)
    for one in (model, pipeline, search):
        tree = as_tree(one)
        assert tree.feature_names == ("length", "width")
        assert np.array_equal(tree.predict(fitted_tree(one).features(X)), one.predict(X))
        assert str(rules(one, X, y).to_text()) == str(rules(tree, X.to_numpy(), y).to_text())
        assert export.python(one) == export.python(tree)
        assert explain(one, X.iloc[0]).prediction == one.predict(X.iloc[[0]])[0]
    turned = X[["width", "length"]]
    assert np.array_equal(fitted_tree(model).features(turned), X.to_numpy())


def test_scalers_before_our_own_trees(flowers):
    X, y = flowers
    X = X[["length", "width"]].to_numpy() * 1e3
    pipeline = make_pipeline(StandardScaler(), TAOClassifier("univariate", lam=0.1, init="cart", random_state=0))
    pipeline.fit(X, y)
    tree = as_tree(pipeline)
    edges = -tree.bias[tree.left >= 0] * tree.weights
    rows = np.vstack(
        [X, *(np.tile(np.nextafter(edges, side), (2, 1)).T for side in (-np.inf, np.inf)), edges[:, None] + [0, 0]]
    )
    assert np.array_equal(tree.apply(rows), pipeline[-1].apply(pipeline[:-1].transform(rows)))
    pipeline = make_pipeline(StandardScaler(), TAOClassifier(max_depth=2, lam=0.01, random_state=0)).fit(X, y)
    with refused(
        TreeFormatError, "Node … uses 2 features, so folding the scaler into its weights would change rounding"
    ):
        as_tree(pipeline)


def test_other_input_is_refused_with_the_accepted_kinds(flowers):
    X, y = flowers[0][["length", "width"]], flowers[1]
    tree = small_tree()
    assert as_tree(tree) is tree
    others = [
        None, "tree", X, DecisionTreeClassifier, DecisionTreeClassifier(), TAOClassifier(), [tree],
        LogisticRegression().fit(X, y), make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y),
    ]  # fmt: skip
    for other in others:
        for use in (as_tree, rules, export.json, export.onnx, lambda one: explain(one, [0.0, 0.0, 0.0])):
            with pytest.raises(ParameterError, match="a fitted model"):
                use(other)
    many = DecisionTreeRegressor().fit(X, X)
    with refused(TreeFormatError, "The tree predicts 2 outputs, but only one is supported"):
        rules(many)
    assert from_sklearn(DecisionTreeRegressor(max_depth=2).fit(X, X.length)).is_regression
