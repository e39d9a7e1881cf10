"""Test figures of fitted models with their tables."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import sample_data
import viz
from tests.decoded_payload import decoded
from tests.refusals import refused
from treecore import DataError, ParameterError, TAOClassifier, from_sklearn
from viz.payload.stage_payload import stage_payload
from viz.tree.given_data import given_data


@pytest.fixture(scope="module")
def iris():
    data = sample_data.load("iris")
    return pd.DataFrame(data.X, columns=data.feature_names), np.array(data.labels())


def test_a_model_its_table_and_labels_of_text(iris):
    X, y = iris
    model = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=3, random_state=0)).fit(X, y)
    tree, data, rows = given_data(model, X, y)
    assert rows is None
    assert np.array_equal(tree.predict(data.X), model.predict(X))
    assert [data.class_names[code] for code in data.y] == y.tolist()
    assert data.feature_names == tuple(X.columns)
    svg = viz.figure(model, X, y, format="svg", size=(20, None)).decode()
    assert "virginica" in svg
    assert svg == viz.figure(model, X, y, "svg", size=(20, None)).decode()
    header = decoded(stage_payload(tree, data)).header
    assert header["sets"][0]["n"] == 150
    assert "<title>Decision tree" in viz.stage_html(model, X, y)
    assert "Decision tree with" in repr(viz.show(model, X, y))
    assert repr(viz.show(model)) == repr(viz.show(model, X, y))


def test_labels_that_the_tree_does_not_know_are_classes_too(iris):
    X, y = iris
    model = TAOClassifier("univariate", lam=1, init="cart", random_state=0).fit(
        X[y != "virginica"], y[y != "virginica"]
    )
    _, data, _ = given_data(model, X, y)
    assert data.class_names == ("setosa", "versicolor", "virginica")
    assert data.y.max() == 2
    viz.figure(model, X, y)


def test_numbers(iris):
    X, _ = iris
    model = DecisionTreeRegressor(max_depth=2).fit(X.iloc[:, :3], X.iloc[:, 3])
    assert viz.figure(model, X, X.iloc[:, 3], format="png", dpi=50).startswith(b"\x89PNG")
    with refused(DataError, "y contains NaN or infinity"):
        given_data(model, X, np.full(150, np.nan))
    with refused(DataError, "The tree predicts numbers, but y contains other values"):
        given_data(model, X, np.full(150, "a"))


def test_other_input_is_refused_with_the_accepted_kinds(iris):
    X, y = iris
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    for other in (3, X, [model], DecisionTreeClassifier(), None, np.zeros(3)):
        with pytest.raises(ParameterError, match="a fitted model"):
            viz.show(other, X, y)
    with refused(ParameterError, "data=…: expected a DataSet (sample_data.load returns one), or a table X with its y"):
        viz.figure(model, X)
    with refused(ParameterError, "y was passed without its rows"):
        viz.show(model, None, y)
    with refused(DataError, "y has shape …, but X has … rows"):
        viz.figure(model, X, y[:5])
    with pytest.raises(DataError, match="does not have the columns"):
        viz.figure(model, X.iloc[:, 1:], y)


def test_data_sets_and_their_parts_stay_as_they_are(iris):
    data = sample_data.load("iris")
    tree = from_sklearn(DecisionTreeClassifier(max_depth=2).fit(data.X, data.y))
    parts = sample_data.split_rows(data, 0)
    assert given_data(tree, data, parts) == given_data(tree, data, rows=parts) == (tree, data, parts)
    with refused(ParameterError, "A data set contains its own y"):
        given_data(tree, data, data.y, parts)
