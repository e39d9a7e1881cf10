"""Record each run for the stage tests once."""

from functools import cache

import numpy as np

import sample_data
from sample_data.data_set import DataSet
from treecore import TAOClassifier
from treecore.training.recording import grow, record


def two_clouds(n, seed, n_classes=3):
    """Return a DataSet of random points in the plane whose classes overlap."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n)
    X = rng.normal(size=(n, 2)) + 1.4 * np.column_stack([np.cos(2.1 * y), np.sin(2.1 * y)])
    names = tuple(f"class {c}" for c in range(n_classes))
    return DataSet(f"clouds {seed}", "Clouds", X, y, ("x", "y"), names)


@cache
def run(name):
    """Return (Recording, DataSet) of an example."""
    if name == "random":
        data = two_clouds(500, 3)
        settings = {"split": "bivariate", "init": "random", "max_depth": 5, "lam": 1.5}
    elif name == "oblique":
        data = two_clouds(300, 4)
        settings = {"split": "oblique", "init": "random", "max_depth": 4, "lam": 0.5, "max_iter": 5}
    elif name == "wine":
        data = sample_data.load("wine")
        settings = {"split": "univariate", "init": "random", "max_depth": 3, "lam": 1.0}
    else:
        tree = record(TAOClassifier(split="univariate", init="cart", max_depth=4, random_state=0),
                      run("random")[1].X, run("random")[1].labels()).tree  # fmt: skip
        return grow(tree, 1.5), run("random")[1]
    return record(
        TAOClassifier(**({"lam": 1.0, "init": "random", "random_state": 0} | settings)), data.X, data.labels()
    ), data
