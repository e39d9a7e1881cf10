"""Provide data folders for the tests."""

import numpy as np
import pytest


@pytest.fixture
def no_folder(monkeypatch, tmp_path):
    """Unset TREECORE_DATA and empty scikit-learn's cache."""
    monkeypatch.delenv("TREECORE_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "scikit_learn_data"))


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """Return an empty data folder."""
    path = tmp_path / "data"
    path.mkdir()
    monkeypatch.setenv("TREECORE_DATA", str(path))
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "scikit_learn_data"))
    return path


@pytest.fixture
def good_arrays():
    """Return the arrays of a small pooled set of 6 x 3 with two classes."""
    return {
        "X": np.arange(18, dtype=np.int16).reshape(6, 3),
        "y": np.array([0, 1, 0, 1, 1, 0], dtype=np.uint8),
        "feature_names": np.array(["a", "b", "c"]),
        "class_names": np.array(["no", "yes"]),
    }
