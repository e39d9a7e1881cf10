"""Test that every entry for rows matches the columns of a DataFrame by name, or refuses them."""

import numpy as np
import pandas
import polars
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import treecore
import viz
from tests.refusals import refused
from treecore import (
    CARTClassifier,
    DataError,
    ParameterError,
    TAOClassifier,
    TAOClassifierCV,
    distil,
    from_sklearn,
    optimality_gap,
    regularization_path,
)
from treecore.explain import explain
from treecore.explain.permutation_importance import permutation_importance
from treecore.messages import literal
from treecore.rules import rules
from treecore.tree.tree import Tree

X, y = load_iris(return_X_y=True, as_frame=True)
TAO = TAOClassifier("bivariate", init="cart", lam=2, random_state=0).fit(X, y)
CART = CARTClassifier(random_state=0).fit(X, y)
FOREIGN = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
PATH = regularization_path(TAOClassifier("univariate", init="cart"), X, y, lams=[1.0, 5.0], X_val=X, y_val=y)


def trees():
    yield "TAO", TAO.tree_
    yield "CART", CART.tree_
    yield "imported", from_sklearn(FOREIGN)
    yield "point of a path", PATH[0].tree
    yield "JSON", Tree.from_json(TAO.tree_.to_json())
    yield "distilled", distil(FOREIGN, X).tree
    yield "grown, text names", TAO.tree_.with_names([f"column {i}" for i in range(4)])


ENTRIES = {
    "apply": lambda tree, X: tree.apply(X),
    "predict": lambda tree, X: tree.predict(X),
    "predict_proba": lambda tree, X: tree.predict_proba(X),
    "margins": lambda tree, X: tree.margins(X, 0),
    "path_of a Series": lambda tree, X: tree.path_of(X.iloc[100]),
    "path_of a frame": lambda tree, X: tree.path_of(X.iloc[[60]]),
    "path_of a dict": lambda tree, X: tree.path_of(X.iloc[60].to_dict()),
    "explain": lambda tree, X: str(explain(tree, X.iloc[100])),
    "counterfactual": lambda tree, X: str(treecore.counterfactual(tree, X.iloc[100])),
    "rules": lambda tree, X: rules(tree, X, y).to_text(),
    "covered rows": lambda tree, X: rules(tree)[0].covers(X),
    "permutation_importance": lambda tree, X: permutation_importance(tree, X, y, n_repeats=1, random_state=0).mean,
    "figure": lambda tree, X: viz.figure(tree, X, y, format="svg"),
    "stage_html": lambda tree, X: len(viz.stage_html(tree, X, y)),
    "polars": lambda tree, X: tree.predict(polars.from_pandas(X)),
}


def test_trees_match_columns_by_name(subtests):
    for name, tree in trees():
        own = X.set_axis(list(tree.feature_names), axis=1)
        for entry, call in ENTRIES.items():
            with subtests.test(f"{entry}, {name}"):
                right = call(tree, own)
                assert _same(call(tree, own[own.columns[::-1]]), right)
                with pytest.raises(DataError, match=r"petal|column|sepal"):
                    call(tree, own.rename(columns=str.upper))


def test_columns_without_names_are_matched_by_position():
    plain = pandas.DataFrame(X.to_numpy())
    for name, tree in trees():
        assert np.array_equal(tree.predict(plain), tree.predict(X.to_numpy())), name
    assert np.array_equal(
        TAO.tree_.with_names(None).predict(X[X.columns[::-1]]), TAO.tree_.predict(X.to_numpy()[:, ::-1])
    )


def test_further_columns_are_left_out_and_equal_names_refused():
    assert np.array_equal(TAO.tree_.predict(X.assign(target=y)), TAO.predict(X))
    twice = pandas.concat([X, X[["petal width (cm)"]]], axis=1)
    with refused(DataError, "X has several columns 'petal width (cm)'"):
        TAO.tree_.predict(twice)


MODELS = {
    "TAO": TAO,
    "CART": CART,
    "TAO, folds": TAOClassifierCV(TAOClassifier("univariate", init="cart"), lams=2, cv=2, random_state=0).fit(X, y),
}


def test_estimators_refuse_another_order_as_scikit_learn_does(subtests):
    for name, model in MODELS.items():
        for method in ("predict", "predict_proba", "apply", "decision_path", "score"):
            with subtests.test(f"{method}, {name}"), pytest.raises(DataError, match="same order"):
                getattr(model, method)(*([X[X.columns[::-1]], y] if method == "score" else [X[X.columns[::-1]]]))


def test_validation_rows_of_a_path_have_the_order_of_the_training_rows():
    with pytest.raises(DataError, match="same order"):
        regularization_path(TAOClassifier("univariate", init="cart"), X, y, lams=2, X_val=X[X.columns[::-1]], y_val=y)


def test_a_start_has_the_columns_of_the_training_rows():
    with refused(
        ParameterError,
        (
            f"init is a tree whose feature 0 is {X.columns[0]!r}, but X has {literal(X.columns[-1])} there. Pass "
            "the columns in the order of the tree, or rename its features with tree.with_names(names)"
        ),
    ):
        TAOClassifier("univariate", init=CART.tree_).fit(X[X.columns[::-1]], y)
    TAOClassifier("univariate", init=CART.tree_).fit(X.to_numpy(), y)


def test_the_gap_to_the_optimum_does_not_depend_on_the_order():
    pytest.importorskip("pystreed")
    gaps = [optimality_gap(CART.tree_, rows, y).gap for rows in (X, X[X.columns[::-1]])]
    assert gaps[0] == gaps[1]


def test_a_data_set_in_another_order_is_refused():
    import sample_data

    data = sample_data.load("iris")
    tree = CARTClassifier(random_state=0).fit(data.X, data.labels()).tree_.with_names(data.feature_names[::-1])
    with refused(DataError, "Feature 0 of the tree is …, but that of the data set is"):
        viz.figure(tree, data, format="svg")


def test_texts_that_are_numbers_become_numbers_with_a_warning():
    texts = X.astype(str)
    with pytest.warns(treecore.DataWarning, match="sepal length"):
        model = TAOClassifier("univariate", init="cart", random_state=0).fit(texts, y)
    assert model.tree_ == TAOClassifier("univariate", init="cart", random_state=0).fit(X, y).tree_
    assert np.array_equal(model.predict(texts), model.predict(X))
    codes = pandas.DataFrame({"zip": ["02139", "10001"] * 20, "level": pandas.Categorical(["1", "2"] * 20)})
    tree = TAOClassifier("univariate", init="cart").fit(codes, [0, 1] * 20).tree_  # a warning would be an error
    assert tree.feature_names == ("zip = 02139", "zip = 10001", "level = 1", "level = 2")
    with pytest.raises(DataError, match="sepal length"):
        model.predict(texts.replace({X.columns[0]: {"5.1": "five"}}))


def _same(a, b):
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b
