"""Shared fixtures and the hypothesis profiles: few examples, always the same, or many new ones."""

import os
from pathlib import Path

import hypothesis
import numpy as np
import pytest
from sklearn import datasets

hypothesis.settings.register_profile(
    "house", deadline=None, derandomize=True, database=None, max_examples=40, print_blob=False
)
hypothesis.settings.register_profile(
    "nightly", deadline=None, max_examples=1500, print_blob=True, suppress_health_check=list(hypothesis.HealthCheck)
)
hypothesis.settings.load_profile(os.environ.get("TREECORE_FUZZ", "house"))


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def bundled():
    """``bundled(name) -> (X, y)``: a classification set that scikit-learn bundles; read-only arrays."""
    loaders = {
        "iris": datasets.load_iris,
        "wine": datasets.load_wine,
        "breast_cancer": datasets.load_breast_cancer,
        "digits": datasets.load_digits,
    }

    def load(name):
        X, y = loaders[name](return_X_y=True)
        X.setflags(write=False)
        y.setflags(write=False)
        return X, y

    return load


@pytest.fixture(scope="session")
def benchmark_set():
    """``benchmark_set(name) -> dict of arrays``: a data set of the folder $TREECORE_DATA."""
    folder = os.environ.get("TREECORE_DATA")
    if not folder:
        pytest.skip("TREECORE_DATA is not set: no folder of benchmark data sets (NAME.npz)")

    def load(name):
        path = Path(folder) / f"{name}.npz"
        if not path.exists():
            pytest.skip(f"TREECORE_DATA holds no {name}.npz")
        with np.load(path, allow_pickle=False) as file:
            return dict(file)

    return load
