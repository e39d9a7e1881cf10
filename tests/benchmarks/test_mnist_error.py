"""Test that the benchmark of MNIST chooses by held-out rows and by the objective."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from benchmarks import common, mnist_error
from benchmarks.common import DataSet


@pytest.fixture
def few(monkeypatch, tmp_path):
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X[:300], y[:300], test_size=100, random_state=0)
    data = DataSet(X, y, X_test, y_test)
    (tmp_path / "benchmarks").mkdir()
    monkeypatch.setattr(common, "RESULTS", tmp_path / "benchmarks" / "results")
    monkeypatch.setattr(mnist_error, "quick_set", lambda: data)
    monkeypatch.setitem(mnist_error.PARAMETERS, "max_iter", 3)
    return data


def test_a_useless_depth_is_not_chosen(few):
    depth, errors = mnist_error.best_depth(few.X, few.y, (1, 5))
    assert depth == 5
    assert errors[5] < errors[1]


def test_the_tree_with_the_smallest_objective_is_reported(few, monkeypatch):
    monkeypatch.setattr(mnist_error, "DEPTHS", (4,))
    assert mnist_error.main(["--quick", "--seeds", "3"]) == 0
    raw = json.loads((common.RESULTS / "mnist_error-quick.json").read_text())
    assert raw["seed"] == int(np.argmin(raw["objectives"]))
    tree = mnist_error.trained(few.X, few.y, 4, raw["seed"]).tree_
    assert raw["error"] == pytest.approx(100 * np.mean(tree.predict(few.X_test) != few.y_test))
