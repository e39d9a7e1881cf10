"""Test a comparison over one parameter against obvious loops."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.refusals import refused
from treecore import ParameterError
from treecore.comparison import METHODS, Method, compare
from treecore.comparison.comparison import comparison_of
from treecore.comparison.folds import CLASSES, outer_folds
from treecore.comparison.one_parameter import MEASURES, PARAMETERS, has_parameter, parameter_table, variants

TREE = Method("tree", "Tree, plain", DecisionTreeClassifier(), {"max_depth": [1, 9], "min_samples_leaf": [1, 20]})
FOREST = Method("forest", "Forest", RandomForestClassifier())


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    return X, np.array(["low", "high", "middle"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)]


def test_every_value_is_a_model_with_that_value_on_the_same_folds(rows):
    X, y = rows
    forests = variants([TREE, FOREST], "n_estimators", (1, 4))
    words = PARAMETERS["n_estimators"].words
    assert [method.title for method in forests] == [f"{FOREST.title}, {words} {value}" for value in (1, 4)]
    table = parameter_table(compare(X, y, forests, cv=3, n_jobs=1))
    assert table[["method", "title", "value", "folds"]].to_numpy().tolist() == [
        ["forest", "Forest", n, 3] for n in (1, 4)
    ]
    for row in table.itertuples():
        errors = []
        for number, (train, test) in enumerate(outer_folds(X, y, 3, 0)):
            forest = RandomForestClassifier(int(row.value), random_state=number, n_jobs=1).fit(X[train], y[train])
            errors.append(np.mean(forest.predict(X[test]) != y[test]))
        assert (row.test_error, row.test_error_deviation) == pytest.approx((np.mean(errors), np.std(errors, ddof=1)))


def test_the_other_settings_are_still_chosen(rows):
    for method, depth in zip(variants([TREE], "max_depth", (2, 5)), (2, 5), strict=True):
        assert method.estimator.max_depth == depth
        assert method.settings() == [{"min_samples_leaf": 1}, {"min_samples_leaf": 20}]
    table = parameter_table(compare(*rows, variants([TREE], "max_depth", (1, 5)), cv=3, n_jobs=1))
    assert table["title"].tolist() == ["Tree, plain"] * 2
    assert table["depth"].tolist()[0] == 1.0
    assert set(MEASURES) < set(table.columns)


def test_two_parameters_give_a_curve_for_each_value_of_one():
    co2 = METHODS["co2"]
    found = variants([TREE, co2], "depth_by_nu", (2, 5))
    nus = PARAMETERS["nu"].values
    assert [(one.estimator.nu, one.estimator.max_depth) for one in found] == [(nu, d) for nu in nus for d in (2, 5)]
    assert found[1].title == "CO2, ν 0.1, depth 5"
    assert {tuple(one.grid) for one in found} == {("n_candidate_features",)}
    table = parameter_table(comparison_of((), found, np.arange(2), (), CLASSES))
    assert list(table.columns)[:3] == ["method", "title", "value"]


def test_shares_of_the_rows_have_all_classes_and_the_same_test_rows(rows):
    X, y = rows
    found = compare(X, y, variants([FOREST, METHODS["nearest_neighbours"]], "rows", (0.25, 1.0)), cv=3, n_jobs=1)
    table = parameter_table(found)
    assert table["value"].tolist() == [25.0, 100.0] * 2
    assert np.isnan(table["n_leaves"].to_numpy()[2:]).all()
    train = np.arange(30, 130)
    part = variants([FOREST], "rows", (0.25,))[0].rows_of(train, y[train], 0)
    assert set(part) < set(train)
    assert np.unique(part).size == 25
    shares = [np.unique(y[some], return_counts=True)[1] / some.size for some in (part, train)]
    np.testing.assert_allclose(*shares, atol=0.05)


def test_parameters_of_no_method_are_refused():
    with refused(ParameterError, "parameter='nu' is not supported by Tree, plain, Forest. Use co2, non_greedy"):
        variants([TREE, FOREST], "nu")
    with refused(ParameterError, "='colour': expected one of"):
        variants([TREE], "colour")
    with refused(ParameterError, "found does not vary one parameter"):
        parameter_table(comparison_of((), [METHODS["cart"]], np.arange(2), (), CLASSES))
    for name, parameter in PARAMETERS.items():
        assert all(has_parameter(METHODS[method], name) for method in parameter.methods)
