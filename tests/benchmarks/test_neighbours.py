"""Test the benchmark of nearest neighbours on a small data set."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from benchmarks import neighbours


@pytest.mark.parametrize("timed_rows", [None, 10])
def test_every_method_is_measured(bundled, timed_rows):
    X, y = bundled("iris")
    rows = X[::2], y[::2], X[1::2], y[1::2]
    plan = neighbours.PLANS["mnist"]._replace(
        starts=(neighbours.Start("cart", None),), shares=np.array([1e-3, 1e-2]), timed_rows=timed_rows
    )
    found = neighbours.measure(plan, rows, 4, 2)
    assert list(found) == list(plan.errors)
    exact = 100 * (1 - KNeighborsClassifier(1).fit(*rows[:2]).score(*rows[2:]))
    for name in neighbours.PAPER_NAME:
        assert found[name]["error"] == pytest.approx(exact)
    table = list(neighbours.cells("iris", plan, found))
    assert all(len(row) == len(neighbours.HEADER) for row in table)
    assert [row[5] for row in table][0] == "1"
    assert [row[3] for row in table] == ["5.69", "2.24", "3.08 (random kd-trees)", "2.99 (cover tree)"]
    assert [row[4].startswith("~") for row in table] == [False, False, bool(timed_rows), bool(timed_rows)]
    assert table[1][-1].startswith("4 trees of ")
