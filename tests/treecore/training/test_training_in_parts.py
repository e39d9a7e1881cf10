"""Test that a path and a phase diagram that different objects train in parts equal those trained at once."""

import numpy as np
import pytest

import sample_data
from treecore.training.estimators import TAOClassifier
from treecore.training.path import PathRun, regularization_path
from treecore.training.phase import PhaseRun, phase_diagram
from treecore.tree.tree import Tree


def rows(name):
    data = sample_data.load(name)
    return data.X, np.array(data.class_names)[data.y]


def sent(tree):
    """Return a tree as it arrives from another machine."""
    return None if tree is None else Tree.from_json(tree.to_json())


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("wine", {"split": "oblique"}),
        ("wine", {"split": "bivariate", "init": "cart"}),
        ("breast-cancer", {"split": "univariate", "init": "cart"}),
        ("iris", {"split": "oblique", "node_solver": "liblinear", "surrogate": "squared_hinge"}),
    ],
)
def test_a_path_in_parts(name, settings):
    X, y = rows(name)
    estimator = TAOClassifier(max_depth=4, random_state=1, **settings)
    whole = regularization_path(estimator, X[::2], y[::2], 9, X[1::2], y[1::2])
    found, last = [], None
    while len(found) < 9:
        run = PathRun(estimator, X[::2], y[::2], 9, X[1::2], y[1::2])
        for point, _ in zip(run.points(len(found), sent(last)), range(2), strict=False):
            found.append(point)
            last = point.tree
    assert [point.lam for point in found] == list(whole.lams)
    assert [point.tree.to_json() for point in found] == [tree.to_json() for tree in whole.trees]
    assert [point.validation_error for point in found] == [point.validation_error for point in whole]
    assert [point.n_iter for point in found] == [point.n_iter for point in whole]


def test_a_phase_diagram_in_parts():
    X, y = rows("wine")
    estimator = TAOClassifier(split="bivariate", init="cart", random_state=0)
    known = (estimator, X[::2], y[::2])
    chosen = {"lams": 6, "costs": (1.0, 1.25, 2.0), "X_val": X[1::2], "y_val": y[1::2]}
    whole = phase_diagram(*known, **chosen)
    found = {}
    while len(found) < len(whole):
        run = PhaseRun(*known, **chosen)
        # Take the row that is furthest behind its neighbour, which moves a wave across the grid.
        row = max(range(3), key=lambda row: ready(found, row))
        column = sum((row, k) in found for k in range(6))
        below = [sent(found[row - 1, k].tree) if (row - 1, k) in found else None for k in range(6)] if row else []
        beside = sent(found[row, column - 1].tree) if column else None
        for point, _ in zip(run.points(row, column, beside, below), range(ready(found, row)), strict=False):
            found[divmod(point.index, 6)] = point
    assert [found[divmod(k, 6)].tree.to_json() for k in range(18)] == [point.tree.to_json() for point in whole]
    assert [found[divmod(k, 6)].objective for k in range(18)] == [point.objective for point in whole]


def ready(found, row):
    """Return how many points of a row can be trained now, at most two."""
    mine = sum((row, k) in found for k in range(6))
    above = 6 if row == 0 else sum((row - 1, k) in found for k in range(6))
    return min(2, above - mine)
