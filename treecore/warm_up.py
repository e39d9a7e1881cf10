"""Compile all kernels for all kinds of data in advance: ``python -m treecore.warm_up``."""

import contextlib
from pathlib import Path
from typing import Any

import llvmlite.binding
import numpy as np
import scipy.sparse

from treecore import _jit
from treecore.baselines.bidt import BiDTClassifier
from treecore.baselines.boundary_forest import BoundaryForestClassifier
from treecore.baselines.c50.classifier import C50Classifier
from treecore.baselines.forest import CO2ForestClassifier
from treecore.baselines.non_greedy import NonGreedyClassifier
from treecore.baselines.oblique_cart import ObliqueCARTClassifier
from treecore.node_solvers import SPLITS
from treecore.training.candidate_splits import candidate_splits
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.training.partitions.partitioned_run import fit_source
from treecore.training.partitions.sources.row_source import ArraySource


def warm_up() -> None:
    """Run small fits that call every kernel signature (uint8, float32, float64 and sparse data), TAO first."""
    rng = np.random.default_rng(0)
    bytes_ = rng.integers(0, 255, (700, 5)).astype(np.uint8)
    y = (bytes_[:, 0] > bytes_[:, 1]).astype(int) + (bytes_[:, 2] > 128)
    real32 = (bytes_ + rng.random((700, 5))).astype(np.float32)
    real64 = bytes_ + rng.random((700, 5))
    kinds = (real64, bytes_, real32)  # dtypes of tables come before those of images
    _engine(kinds, y)
    _parts(kinds)
    _baselines(kinds, y)
    with contextlib.suppress(OSError):
        _mark().touch()


def is_compiled() -> bool:
    """Return whether all kernels of this version are already compiled for this processor."""
    return _mark().exists()


def _mark():
    return Path(_jit.FOLDER) / f"compiled-{llvmlite.binding.get_host_cpu_name()}"


def _engine(kinds, y):
    # The number of rows is sufficient for both methods of the search for lines.
    for X in kinds:
        for estimator in (TAOClassifier, TAORegressor):
            for split in SPLITS:
                fitted = estimator(split=split, max_depth=3, max_iter=2, lam=0.1, random_state=0).fit(X, y)
                fitted.predict(X)
                if SPLITS[split].searches_pairs:
                    bad = estimator(split=split, init="cart", max_depth=1, max_iter=0).fit(X, np.arange(len(X)) % 3)
                    for node in range(2):  # a decision node, and a leaf with rows of several classes
                        candidate_splits(bad.tree_, node, X, y, estimator=fitted)
            estimator(split="bivariate", init="bivariate_cart", max_iter=0).fit(X, y)
            estimator(split="univariate", init="cart", max_depth=2, max_iter=2, block=2).fit(X, y)
        TAOClassifier(init="oblique_cart", max_depth=2, max_iter=0).fit(X, y)
    many = np.hstack([kinds[0], kinds[0]])  # enough pairs to screen several at once
    for estimator in (TAOClassifier, TAORegressor):
        estimator(split="bivariate", init="cart", max_depth=2, max_iter=1, lam=0.1).fit(many, y)
    flags = (y[:, None] == np.arange(3)).astype(float)
    TAOClassifier(split="univariate", init="cart", categories=[[0, 1, 2]], max_iter=1).fit(flags, y > 1)
    sparse = scipy.sparse.csr_matrix(kinds[0])
    TAOClassifier(max_depth=3, max_iter=2, lam=0.1, random_state=0).fit(sparse, y).predict(sparse)


def _parts(kinds):
    for X in (kinds[0], kinds[2]):
        # Large nodes have too many care points for the solvers in memory.
        rows = np.tile(X, (16, 1))
        y = (rows[:, 0] > rows[:, 1]).astype(int)
        for kind, weights in ((TAOClassifier, None), (TAOClassifier, y + 1.0), (TAORegressor, None)):
            cart: dict[str, Any] = {"split": "univariate", "init": "cart", "max_depth": 1, "max_iter": 0}
            start = kind(**cart).fit(X, np.arange(len(X)) % 2).tree_  # a bad one, so that there are many care points
            fit_source(kind(**cart), ArraySource(rows, y, weights))
            for split in SPLITS:
                quick: dict[str, Any] = {"max_inner": 1} if "max_inner" in SPLITS[split].parameters else {}
                fit_source(kind(split=split, init=start, max_iter=1, **quick), ArraySource(rows, y, weights))
    TAOClassifier(split="univariate", init="histogram_cart", max_depth=1, max_iter=0).fit(rows, y)


def _baselines(kinds, y):
    import pandas  # slow import

    for X in kinds:
        ObliqueCARTClassifier(n_restarts=1, max_depth=2).fit(X, y)
        for base in ("co2", "two_probe"):
            CO2ForestClassifier(1, base, max_depth=2).fit(X, y)
        BoundaryForestClassifier(1).fit(X, y).predict(X)
    real64 = kinds[0]
    C50Classifier().fit(real64, y)
    mixed = pandas.DataFrame({"number": real64[:, 0], "text": np.where(y > 0, "a", "b")})
    C50Classifier(rules=True).fit(mixed, y).predict(mixed)
    BiDTClassifier(max_depth=6, validation_fraction=None, random_state=0).fit(real64[:150, :3], y[:150])
    NonGreedyClassifier(max_depth=2, n_epochs=1, random_state=0).fit(real64, y)


if __name__ == "__main__":
    warm_up()
