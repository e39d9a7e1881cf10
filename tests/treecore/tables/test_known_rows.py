"""Test the detection of rows that are among known ones."""

import numpy as np
import pytest

from treecore.tables import known_rows as module
from treecore.tables.known_rows import known_rows


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8])
def test_equal_rows_are_found_whatever_their_type(dtype, monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 30)
    rng = np.random.default_rng(0)
    known = rng.integers(0, 4, (200, 3)).astype(dtype)
    X = rng.integers(0, 6, (300, 3)).astype(np.float64)
    rows = {tuple(row) for row in known.tolist()}
    found = known_rows(X, known)
    assert found.tolist() == [tuple(row) in rows for row in X.tolist()]
    assert found.any()
    assert not found.all()


def test_numbers_as_they_are_written_and_gaps_are_equal():
    known = np.array([[0.1, np.nan], [-0.0, 2.0]], np.float32)
    X = np.array([[0.1, np.nan], [0.0, 2.0], [np.nan, 0.1], [0.1, 0.0]])
    assert known_rows(X, known).tolist() == [True, True, False, False]
    assert known_rows(np.empty((0, 2)), known).tolist() == []
