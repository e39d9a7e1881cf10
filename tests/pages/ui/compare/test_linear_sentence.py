"""Test the sentence that compares the linear model with the best tree."""

import numpy as np
import pytest

from pages.ui.compare.comparison_results import linear_sentence
from sample_data import load
from tests.refusals import wording
from treecore.comparison import compare


@pytest.fixture(scope="module")
def linear_rows():
    X = np.random.default_rng(0).standard_normal((300, 4))
    return X, (X.sum(axis=1) > 0).astype(int)


def sentence(X, y, methods=("cart", "linear"), cv=5):
    return linear_sentence(compare(X, y, list(methods), cv=cv, inner=2, n_jobs=1))


def test_a_linear_target_favours_the_linear_model(linear_rows):
    found = sentence(*linear_rows)
    assert wording("A linear model is better than the best tree here").match(str(found))
    assert "CART, 1-SE" in str(found)


def test_a_checkerboard_favours_the_tree(linear_rows):
    X, _ = linear_rows
    y = ((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(int)
    assert wording("A linear model is worse than the best tree here").match(
        str(sentence(X, y, ("tao_univariate", "linear")))
    )


def test_on_iris_both_are_about_as_good():
    data = load("iris")
    assert wording("A linear model is about as good as the best tree here").match(str(sentence(data.X, data.labels())))


def test_without_a_tree_a_linear_model_or_folds_there_is_no_sentence(linear_rows):
    X, y = linear_rows
    assert sentence(X, y, ("cart",)) is None
    assert sentence(X, y, ("linear", "nearest_neighbours")) is None
    rows = np.arange(300)
    assert sentence(X, y, cv=[(rows[:200], rows[200:])]) is None
