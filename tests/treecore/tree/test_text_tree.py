"""Test str(tree) and repr(tree)."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_iris

from tests.strategies import small_tree
from treecore import CARTClassifier, CARTRegressor, TAOClassifier, Tree


def test_str_is_an_indented_tree_with_a_line_for_each_branch():
    assert str(small_tree().with_names(["age", "is of age", "x"])) == (
        "age < 1.5: a (4 rows)\nage >= 1.5\n|   x > age: b (3 rows)\n|   x <= age: c (2 rows)"
    )


def test_repr_is_one_short_line():
    assert repr(small_tree()) == "<Tree of 5 nodes, 3 leaves, depth 2, 3 features>"


def test_a_single_leaf_is_its_answer():
    assert str(Tree([-1], [-1], [0, 0], [], [], [0], [0], [[3.0]], [1], [0], ["a b, c"], 2)) == '"a b, c" (1 row)'


def test_categories_and_missing_values_are_written_as_in_rules():
    table = pandas.DataFrame({"colour": ["red", "blue", "light, green", None] * 20, "size": np.arange(80.0) + 1900})
    y = (table["colour"] == "light, green") | (table["size"] >= 1955)
    tree = CARTClassifier(missing="learn").fit(table, y).tree_
    assert str(tree) == (
        "size < 1953.5 (or missing)\n"
        '|   colour != "light, green" (or missing): False (41 rows)\n'
        '|   colour = "light, green": True (13 rows)\n'
        "size >= 1953.5: True (26 rows)"
    )


def test_numbers_and_linear_leaves():
    X = np.arange(40.0)[:, None]
    assert str(CARTRegressor(max_depth=1).fit(X, (X[:, 0] >= 20) * 2.5).tree_) == (
        "x0 < 19.5: 0 (20 rows)\nx0 >= 19.5: 2.5 (20 rows)"
    )
    iris = load_iris()
    tree = TAOClassifier(leaf="linear", lam=0.01, max_depth=1, random_state=0).fit(iris.data, iris.target).tree_
    assert "linear model (" in str(tree)


@pytest.mark.parametrize("depth", [30, 400])
def test_deep_trees_are_cut_with_the_number_of_leaves(depth):
    m = 2 * depth + 1
    left, right = np.full(m, -1), np.full(m, -1)
    left[: m - 1 : 2], right[: m - 1 : 2] = np.arange(1, m, 2), np.arange(2, m, 2)
    inner = left >= 0
    bias, n = np.where(inner, -np.arange(m), 0.0), np.ones(m)
    tree = Tree(
        left, right, np.append(0, np.cumsum(inner)), np.zeros(depth), np.ones(depth), bias, np.zeros(m), n[:, None], n,
        np.arange(m), ["a"], 1,
    )  # fmt: skip
    lines = str(tree).splitlines()
    assert len(lines) == 60
    assert lines[-1].endswith("a (1 row)" if depth == 30 else "371 leaves")
