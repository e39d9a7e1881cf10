"""Test that the data sets in the forest table agree with the paper, and that few rows are used to choose settings."""

import numpy as np

from benchmarks import forests
from benchmarks.common import DataSet


def test_squares_of_connect4_have_a_feature_for_each_state(monkeypatch):
    rng = np.random.default_rng(1)
    boards = rng.integers(0, 3, (50, 42)).astype(np.uint8)
    monkeypatch.setattr(forests, "benchmark_set", lambda name: DataSet(boards, np.arange(50)))
    monkeypatch.setattr(forests, "CONNECT4_ROWS", 40)
    found = forests.rows_of("connect4")
    assert found.X.shape == (40, 126)
    assert found.X_test.shape == (10, 126)
    assert sorted([*found.y, *found.y_test]) == list(range(50))
    for X, y in ((found.X, found.y), (found.X_test, found.y_test)):
        states = X.reshape(len(X), 42, 3)
        assert (states.sum(axis=2) == 1).all()
        np.testing.assert_array_equal(states.argmax(axis=2), boards[y])


def test_settings_are_chosen_on_few_rows(monkeypatch):
    seen = []
    monkeypatch.setattr(forests, "CHOICE_ROWS", 30)
    monkeypatch.setattr(
        forests, "cross_val_score", lambda forest, X, y, cv: seen.append((forest.nu, np.bincount(y).tolist())) or y[:1]
    )
    X, y = np.zeros((90, 2)), np.arange(90) % 3
    assert forests.chosen("co2", X, y) in forests.GRID
    assert [nu for nu, _ in seen] == [one["nu"] for one in forests.GRID]
    assert all(counts == [10, 10, 10] for _, counts in seen)
    assert forests.chosen("oc1", X, y) == {}
