"""Test BiDT: the best line in a plane against brute force, the bounds, and the time limit."""

import itertools
import time

import numpy as np
import pytest

from tests import naive
from tests.fitted import check_predictions
from tests.refusals import refused
from treecore import BiDTClassifier, BivariateCARTClassifier, ParameterError
from treecore.baselines import bidt_kernels as kernels
from treecore.baselines import bidt_lines as lines
from treecore.baselines.bidt import _Clock, _OptimalNode, _Planes
from treecore.data.classification import Classification
from treecore.initial.bivariate_cart import GreedyTarget


def plane(rng, kind, n, k):
    """Return (x, y, classes, weights) that contain all classes."""
    if kind == "few values":
        x, y = rng.integers(0, 4, (2, n)).astype(float)
    elif kind == "mostly zero":
        x, y = rng.standard_normal((2, n)) * (rng.random((2, n)) > 0.6)
    elif kind == "one far away":
        x, y = rng.standard_normal((2, n))
        x[0] = 1e6
    else:
        x, y = rng.standard_normal((2, n))
    classes = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    return x, y, classes, rng.integers(1, 4, n).astype(float)


def optimum(x, y, classes, weights):
    """Return the score of the best line in one plane, with a search that starts without a bound."""
    raw = np.stack([x, y])
    node = _OptimalNode(
        _Clock(None),
        raw,
        np.arange(2),
        GreedyTarget(Classification(classes.max() + 1), classes, weights),
        np.arange(x.size),
        60,
        True,
    )
    low, width = raw.min(axis=1), np.ptp(raw, axis=1)
    line, ended = _Planes(node, raw, low, width, [0, 1]).best(0, 1, -np.inf, 1e-9)
    assert ended
    _, _, _, a, b, bias = line
    right = bias + a * x + b * y >= 0
    k = classes.max() + 1
    sides = [np.bincount(classes[side], weights[side], k) for side in (right, ~right)]
    assert line[0] == pytest.approx(sum(side @ side / side.sum() for side in sides))
    return line[0]


@pytest.mark.parametrize("kind", ["few values", "mostly zero", "one far away", "reals"])
@pytest.mark.parametrize("k", [2, 3, 9])
def test_the_best_line_of_a_plane_is_that_of_brute_force(rng, kind, k):
    for n in (10, 16, 30):
        x, y, classes, weights = plane(rng, kind, n, k)
        if np.ptp(x) == 0 or np.ptp(y) == 0:
            continue
        assert optimum(x, y, classes, weights) == pytest.approx(naive.best_gini_line(x, y, classes, weights))


def test_many_points_on_few_lines(rng):
    x = np.repeat(np.arange(12.0), 12)
    y = np.tile(np.arange(12.0), 12)
    classes = (x + y > 11).astype(int) ^ (rng.random(144) < 0.1)
    assert optimum(x, y, classes, np.ones(144)) == pytest.approx(naive.best_gini_line(x, y, classes, np.ones(144)))


@pytest.mark.parametrize("k", [1, 2, 5, 11])
def test_the_bound_is_that_of_the_best_choice_of_sides(rng, k):
    for _ in range(30):
        left, right, free = rng.integers(0, 5, (3, k)) * rng.exponential(size=(3, k))
        bound = kernels.score_bound(left, right, free, np.empty((4, 2**lines.MOST_CHOICES)))
        best = 0.0
        for sides in itertools.product((0.0, 1.0), repeat=k):
            best = max(best, lines.side_scores(left + free * np.array(sides), right + free * (1 - np.array(sides))))
        if np.count_nonzero(free) <= lines.MOST_CHOICES:
            assert bound == pytest.approx(best)
        else:
            assert best - 1e-9 <= bound <= (left + right + free).sum() + 1e-9
        for _ in range(20):  # no mixture within a class is better
            share = rng.random(k)
            assert lines.side_scores(left + free * share, right + free * (1 - share)) <= bound + 1e-9


def test_locations_hold_the_weight_of_every_class(rng):
    x, y = rng.integers(0, 3, (2, 60)).astype(float)
    classes, weights = rng.integers(0, 4, 60).astype(np.int32), rng.random(60)
    points = lines.gather_locations(x, y, (3 * x + y).astype(np.int64), classes, weights, 4)
    assert points.x.size == np.unique(3 * x + y).size
    for g in range(points.x.size):
        here = (x == points.x[g]) & (y == points.y[g])
        entries = slice(points.starts[g], points.starts[g + 1])
        assert points.classes[entries].tolist() == np.unique(classes[here]).tolist()
        np.testing.assert_allclose(
            points.weights[entries], np.bincount(classes[here], weights[here], 4)[points.classes[entries]]
        )


def test_a_search_can_be_interrupted(rng):
    x, y = rng.standard_normal((2, 150))
    classes = rng.integers(0, 2, 150).astype(np.int32)
    points = lines.gather_locations(x, y, np.arange(150), classes, np.ones(150), 2)
    scores = []
    for budget in (10**9, 50):
        boxes, size, best, pieces = kernels.first_box(points, 2), 1, -np.inf, 0
        while size:
            size, best, _, _ = kernels.search(points, boxes, size, best, 1e-9, budget)
            pieces += 1
        scores.append(best)
    assert pieces > 10
    assert scores[0] == scores[1]


@pytest.mark.long
def test_the_root_has_the_best_split_of_all_planes(rng):
    X = rng.standard_normal((40, 4))
    y = (X[:, 1] - 0.7 * X[:, 3] + 0.8 * rng.standard_normal(40) > 0).astype(int)
    tree = BiDTClassifier(max_depth=1, validation_fraction=None).fit(X, y).tree_
    sides = tree.values[1:]
    score = (sides**2).sum(axis=1) @ (1 / sides.sum(axis=1))
    best = max(naive.best_gini_line(X[:, j], X[:, k], y, np.ones(40)) for j in range(4) for k in range(j))
    assert score == pytest.approx(best)


def test_no_root_is_worse_than_that_of_bivariate_cart(bundled):
    for name in ("iris", "wine", "breast_cancer"):
        X, y = bundled(name)
        scores = []
        for kind in (BivariateCARTClassifier, BiDTClassifier):
            sides = kind(max_depth=1, validation_fraction=None).fit(X, y).tree_.values[1:]
            scores.append((sides**2).sum(axis=1) @ (1 / sides.sum(axis=1)))
        assert scores[1] >= scores[0] - 1e-9


def test_pruned_trees_predict(bundled):
    X, y = bundled("breast_cancer")
    model = BiDTClassifier(random_state=0).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.9
    assert (model.timed_out_, model.note_) == (False, "")
    assert np.diff(model.tree_.indptr).max() <= 2
    check_predictions(model, X)


def test_the_time_limit_is_kept_and_reported(rng):
    X, y = rng.standard_normal((2000, 12)), rng.integers(0, 2, 2000)
    BiDTClassifier(max_depth=1).fit(X[:50, :3], y[:50])
    start = time.process_time()
    model = BiDTClassifier(time_limit=0.2, max_depth=4, validation_fraction=None).fit(X, y)
    assert time.process_time() - start < 10
    assert model.timed_out_
    assert "0.2 s" in model.note_
    assert model.tree_.n_leaves > 4
    assert model.score(X, y) > 0.52


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time_limit": 0}, "time_limit=0: expected a finite number >="),
        ({"time_limit": "soon"}, "='soon': expected a finite number >="),
        ({"time_limit": float("nan")}, "=…: expected a finite number >="),
    ],
)
def test_bad_parameters_are_refused(bundled, options, message):
    with refused(ParameterError, message):
        BiDTClassifier(**options).fit(*bundled("iris"))
