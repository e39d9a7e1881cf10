"""Test that a tree of another program sends each row to the same leaf as there, or that an error names the mismatch."""

from dataclasses import replace

import lightgbm
import numpy as np
import pandas
import pytest
import xgboost
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import sample_data
from sample_data import DataSet
from tests.refusals import is_said, refused
from treecore import CARTClassifier, DataError, TAOClassifier, from_sklearn
from treecore.foreign.sources import foreign_model
from treecore.foreign.tree_of_data import tree_of_data
from treecore.tables.table_columns import TableColumn, TableColumns
from viz.tree.bare_data import BareData


@pytest.fixture(scope="module")
def iris():
    return sample_data.load("iris")


def table(data):
    return pandas.DataFrame(data.X, columns=data.feature_names)


def test_columns_in_another_order_are_found_by_name(iris):
    X = table(iris)[list(iris.feature_names)[::-1]]
    model = DecisionTreeClassifier(random_state=0).fit(X, iris.labels())
    found = tree_of_data(from_sklearn(model), iris)
    assert found.notes == ()
    assert found.tree.feature_names == iris.feature_names
    assert (found.tree.predict(iris.X) == model.predict(X)).all()


def test_sums_of_several_features_keep_their_order(iris):
    model = TAOClassifier("oblique", lam=0.1, max_depth=2, random_state=0).fit(iris.X[:, ::-1], iris.labels())
    tree = model.tree_.with_names(iris.feature_names[::-1])
    assert (np.diff(tree.indptr) > 1).any()
    assert (tree_of_data(tree, iris).tree.predict(iris.X) == tree.predict(iris.X[:, ::-1])).all()


def test_features_and_classes_without_names_go_by_place(iris):
    tree = CARTClassifier(max_depth=3).fit(iris.X, iris.y).tree_
    found = tree_of_data(tree, iris)
    assert [iris.class_names.index(label) for label in found.tree.predict(iris.X)] == tree.predict(iris.X).tolist()
    assert len(found.notes) == 2
    assert f"1 for {iris.class_names[1]}" in found.notes[1]
    again = tree_of_data(tree.with_names([f"Column_{place}" for place in range(4)]), iris)
    assert again.tree == found.tree


def test_a_spelling_of_two_columns_is_not_used():
    data = BareData(np.eye(2), np.zeros(2, int), ("a b", "a\tb"), ("u", "v"), "data")
    grown = DecisionTreeClassifier().fit(np.c_[[0.0, 1.0], [0.0, 0.0]], ["u", "v"])
    tree = from_sklearn(grown).with_names(("a_b", "other"))
    with refused(DataError, "The tree uses a_b, but … does not have them"):
        tree_of_data(tree, data)
    data = BareData(np.eye(2), np.zeros(2, int), ("a b", "a_b"), ("u", "v"), "data")
    assert tree_of_data(tree, data).tree.features.tolist() == [1]


def test_categories_that_the_tree_does_not_know_are_noted():
    X = pandas.DataFrame({"colour": pandas.Categorical(["red", "blue"] * 50), "x": np.arange(100.0)})
    model = lightgbm.LGBMRegressor(n_estimators=1, min_child_samples=1, verbose=-1, n_jobs=1).fit(X, X.colour == "red")
    names = ("colour = red", "colour = blue", "colour = green", "x")
    data = BareData(np.eye(4), np.arange(4.0), names, (), "data")
    found = tree_of_data(foreign_model(model).tree(), data)
    assert [is_said(note, "The tree does not know the categories colour = green") for note in found.notes] == [True]
    known = BareData(np.eye(3), np.arange(3.0), (*names[:2], "x"), (), "data")
    assert tree_of_data(foreign_model(model).tree(), known).notes == ()


def test_columns_of_categories_are_found_by_the_names_that_others_give_them():
    rows = pandas.DataFrame({"the size": [1.0, 2.0, 3.0, 4.0] * 5, "colour": ["red", "red", "dark blue", "blue"] * 5})
    y = np.array(["a", "b", "b", "a"] * 5)
    X = pandas.get_dummies(rows).astype(float)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    names = ("colour = blue", "colour = dark blue", "colour = red", "the size")
    data = BareData(
        X[[name.replace(" = ", "_") for name in names]].to_numpy(), (y == "b").astype(int), names, ("a", "b")
    )
    tree = from_sklearn(model)
    assert (tree_of_data(tree, data).tree.predict(data.X) == y).all()
    blanks = tree.with_names([name.replace(" ", "_") for name in tree.feature_names])
    assert tree_of_data(blanks, data).tree == tree_of_data(tree, data).tree


@pytest.mark.parametrize("how", ["dummies", "lightgbm", "xgboost"])
def test_a_category_without_a_feature_is_what_its_others_leave(how):
    rng = np.random.default_rng(0)
    X = pandas.DataFrame({"the size": rng.normal(size=300), "colour": rng.choice(["red", "blue", "grey"], 300)})
    X["member"] = rng.choice(["yes", "no"], 300)
    y = np.where((X["the size"] > 0) ^ (X["colour"] == "red") ^ (X["member"] == "yes"), "high", "low")
    columns = [TableColumn("the size"), TableColumn("colour", "category", ("blue", "grey"), ("red",))]
    columns = TableColumns((*columns, TableColumn("member", "category", ("yes",), ("no",))))
    rows, table = columns.encode(X).X, X.astype({"colour": "category", "member": "category"})
    data = DataSet(
        "own", "Own", rows, (y == "low").astype(int), columns.feature_names(), ("high", "low"), columns=columns
    )
    if how == "dummies":
        seen, target = pandas.get_dummies(X).astype(float), y
        model = DecisionTreeClassifier(random_state=0).fit(seen, y)
        tree = from_sklearn(model)
    else:
        seen, target = table, data.y
        kind = lightgbm.LGBMClassifier if how == "lightgbm" else xgboost.XGBClassifier
        more = {"verbose": -1, "min_data_per_group": 1} if how == "lightgbm" else {"enable_categorical": True}
        model = kind(n_estimators=1, learning_rate=1.0, **more).fit(seen, target)
        tree = foreign_model(model).tree(0)
    predicted = model.predict(seen)
    wanted = predicted if how == "dummies" else np.array(["high", "low"])[predicted]
    assert (tree_of_data(tree, data).tree.predict(rows) == wanted).all()
    assert {"member = no", "member_no"} & {tree.feature_name(feature) for feature in tree.features.tolist()}


def test_columns_that_no_decision_needs_may_lack(iris):
    X = table(iris).assign(more=0.0)
    model = DecisionTreeClassifier(max_depth=2).fit(X, iris.labels())
    assert (tree_of_data(from_sklearn(model), iris).tree.predict(iris.X) == model.predict(X)).all()


def test_a_class_that_the_tree_does_not_know_is_one_of_its_classes(iris):
    few = iris.y > 0
    model = DecisionTreeClassifier(random_state=0).fit(table(iris)[few], iris.labels()[few])
    found = tree_of_data(from_sklearn(model), iris).tree
    assert found.classes.tolist() == sorted(iris.class_names)
    assert (found.predict(iris.X[few]) == model.predict(table(iris)[few])).all()
    better = TAOClassifier("univariate", init=found, random_state=0).fit(iris.X, iris.labels())
    assert better.score(iris.X, iris.labels()) > np.mean(found.predict(iris.X) == iris.labels())


@pytest.mark.parametrize(
    ("names", "labels", "told"),
    [
        (["a", "b", "c", "d"], None, "The tree uses …, but Iris flowers does not have them"),
        (None, ["x", "y", "z"], "The tree predicts x, y, z, but the classes of … are"),
        (None, "number", "The tree is a regression tree, but the target of … has classes"),
        ("fewer", None, "The tree was trained on 3 features without names, but … has 4"),
    ],
)
def test_data_that_do_not_fit_the_tree_are_refused(iris, names, labels, told):
    X, y = table(iris), iris.labels()
    if names == "fewer":
        X = iris.X[:, :3]
    elif names is not None:
        X.columns = names
    if labels == "number":
        model = DecisionTreeRegressor(max_depth=2).fit(X, iris.y)
    else:
        model = DecisionTreeClassifier(max_depth=2).fit(X, y if labels is None else np.array(labels)[iris.y])
    with refused(DataError, told):
        tree_of_data(from_sklearn(model), iris)


def test_missing_values_that_a_tree_cannot_send_anywhere_are_said(iris):
    X = np.where(np.arange(len(iris.X))[:, None] == 3, np.nan, iris.X)
    tree = from_sklearn(DecisionTreeClassifier(max_depth=2).fit(table(iris), iris.labels()))
    tree = replace(tree, missing_right=None)
    with refused(DataError, "has missing values (in …), but the tree does not contain where they go"):
        tree_of_data(tree, BareData(X, iris.y, iris.feature_names, iris.class_names, "Iris"))
