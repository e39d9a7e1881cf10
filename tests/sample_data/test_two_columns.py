"""Test the reduction of a data set to two columns."""

import numpy as np
import pytest

import sample_data
from sample_data.painted import informative_pair, two_columns
from tests.refusals import refused
from treecore.errors import DataError


def made(X, y):
    names = tuple(f"column {j}" for j in range(np.shape(X)[1]))
    return sample_data.DataSet("made", "Made", np.array(X, float), np.array(y), names, ("a", "b"))


def test_the_columns_are_those_asked_for():
    data = sample_data.load("wine")
    names = data.feature_names[6], data.feature_names[0]
    pair = two_columns(data, names)
    assert pair.feature_names == names
    np.testing.assert_array_equal(pair.X, data.X[:, [6, 0]])
    np.testing.assert_array_equal(pair.y, data.y)


def test_rows_without_a_value_are_left_out():
    data = made([[1, np.nan, 3], [4, 5, 6], [np.nan, 8, 9]], [0, 1, 0])
    assert two_columns(data, ("column 0", "column 2")).X.tolist() == [[1, 3], [4, 6]]
    with refused(DataError, "No row of … has a value in both … and"):
        two_columns(made([[1, np.nan], [np.nan, 2]], [0, 1]), ("column 0", "column 1"))


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("column 0", "nobody"), "has no column …. Available columns"),
        (("column 0", "column 0"), "Both columns are …. Choose two different columns"),
        (("column 0",), "Both columns are …. Choose two different columns"),
    ],
)
def test_other_names_are_refused(names, code):
    with refused(DataError, code):
        two_columns(made([[1, 2], [3, 4]], [0, 1]), names)


def test_the_pair_tells_the_classes_apart():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 6))
    X[:, 3] += 5 * y
    X[:, 4] = X[:, 3] * 2 + 1e-3 * X[:, 4]  # nearly the same column
    X[:, 1] += 2 * y
    assert informative_pair(made(X, y)) in (("column 3", "column 1"), ("column 4", "column 1"))
    X[::3, 1] = np.nan
    X[:, 0] = 7.0
    assert informative_pair(made(X, y))[1] == "column 1"


def test_a_pair_can_always_be_had():
    assert informative_pair(made([[1, 1], [1, 1]], [0, 1])) == ("column 0", "column 1")
    for name in ("iris", "breast-cancer", "diabetes-classes", "digits"):
        data = sample_data.load(name)
        assert two_columns(data, informative_pair(data)).n_features == 2
    with refused(DataError, "has a single column, but a plot of two features needs two"):
        informative_pair(made([[1], [2]], [0, 1]))
