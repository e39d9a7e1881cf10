"""Test the search of bivariate nodes with many features: screening in lanes and on samples, bounds on thresholds."""

import numpy as np
import pytest

from treecore.data.training_data import TrainingData
from treecore.node_solvers import bivariate
from treecore.node_solvers.bivariate import LEVELS, BivariateSolver, _cell_bins
from treecore.node_solvers.pair_kernels import screen_many, screen_pairs
from treecore.node_solvers.thresholds import ROUNDING, best_promising_threshold, best_threshold, promising_columns
from treecore.tree.split import constant_split, same_split


def screened(kernel, codes, signed, has_missing, *sums):
    positions, n_bins = _cell_bins(has_missing)
    scores, orientations = np.full(len(codes) - 1, np.nan), np.full(len(codes) - 1, -1, np.int16)
    kernel(codes, signed, positions, n_bins, LEVELS + has_missing, *sums, scores, orientations)
    return scores.tolist(), orientations.tolist()


@pytest.mark.parametrize("has_missing", [False, True])
@pytest.mark.parametrize(("n_features", "n_points"), [(2, 1), (9, 30), (34, 255), (40, 700)])
def test_lanes_give_the_same_bits_for_whole_numbers(rng, has_missing, n_features, n_points):
    codes = rng.integers(0, LEVELS + has_missing, (n_features, n_points)).astype(np.uint8)
    signed = rng.integers(-3, 4, n_points).astype(float)
    wanted = screened(screen_pairs, codes, signed, has_missing)
    for kind in (np.float32, np.float64):
        assert screened(screen_many, codes, signed, has_missing, np.empty(0, kind)) == wanted


@pytest.mark.parametrize("has_missing", [False, True])
def test_lanes_give_the_same_bits_for_many_points(rng, has_missing):
    codes = rng.integers(0, LEVELS + has_missing, (20, 600)).astype(np.uint8)
    signed = rng.standard_normal(600)
    wanted = screened(screen_pairs, codes, signed, has_missing)
    assert screened(screen_many, codes, signed, has_missing, np.empty(0)) == wanted


SHAPES = {
    "normal": lambda X: X,
    "heavy tails": lambda X: np.exp(4 * X),
    "few values": lambda X: np.round(X),
    "missing": lambda X: np.where(np.abs(X) < 0.2, np.nan, X),
    "constant": lambda X: np.zeros_like(X),
    "float32": lambda X: X.astype(np.float32),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n_points", [3, 40, 900])
def test_bounds_do_not_change_the_best_threshold(rng, shape, n_points):
    usable, nothing = np.arange(30) != 7, np.zeros(30)
    for signal in (0.0, 0.3, 3.0):
        columns = np.ascontiguousarray(SHAPES[shape](rng.standard_normal((30, n_points))))
        signed = np.sign(np.nan_to_num(columns[4]) * signal + rng.standard_normal(n_points)) + 0.0
        for weighted in (signed, signed * rng.random(n_points)):
            points, size = rng.permutation(n_points), np.abs(weighted).sum()
            gains = weighted[points]
            kept = promising_columns(columns, points, gains, usable, usable, nothing, 1e-12 * size, -np.inf)
            assert not kept[7]
            wanted = best_threshold(columns, points, gains, usable, usable, nothing, ROUNDING * size)
            assert best_threshold(columns, points, gains, kept, kept, nothing, ROUNDING * size) == wanted
            permitted = usable & (rng.random(30) < 0.6), usable & (rng.random(30) < 0.6), rng.random(30) * 0.1 * size
            wanted = best_threshold(columns, points, gains, *permitted, ROUNDING * size)
            for floor in (-np.inf, wanted[0]):
                found = best_promising_threshold(columns, points, gains, *permitted, ROUNDING * size, floor)
                assert found == wanted
    if shape == "normal" and n_points == 900:
        assert kept.sum() < 5


@pytest.fixture
def unseen_by_thresholds(rng):
    """Return features of which two separate the classes, although neither has a good threshold."""
    X = rng.standard_normal((3000, 80))
    X[:, 41] = X[:, 12] + 0.3 * X[:, 41]
    signed = np.where(X[:, 41] > X[:, 12], 1.0, -1.0)
    signed[rng.random(3000) < 0.1] *= -1
    return X, signed


def solution(X, signed):
    return BivariateSolver(TrainingData(X, np.zeros(len(X), int), 1)).solve(
        0, len(X), signed, 1.0, constant_split(True)
    )


def test_a_sample_leaves_the_best_pair(unseen_by_thresholds, monkeypatch):
    X, signed = unseen_by_thresholds
    sizes, kernel = [], bivariate.screen_many
    monkeypatch.setattr(bivariate, "screen_many", lambda *args: sizes.append(args[1].size) or kernel(*args))
    split = solution(X, signed)
    assert split.features.tolist() == [12, 41]
    assert sorted(set(sizes)) == [bivariate.FIRST_SAMPLE, 3000]
    monkeypatch.setattr(bivariate, "MANY_PAIRS", np.inf)
    sizes.clear()
    assert same_split(solution(X, signed), split)
    assert set(sizes) == {3000}


def test_a_sample_does_not_depend_on_the_order_of_the_rows_of_a_class(rng, unseen_by_thresholds):
    X, signed = unseen_by_thresholds
    by_class = np.argsort(signed, kind="stable")
    alternating = by_class.reshape(2, -1).T.ravel()
    for order in (by_class, alternating):
        assert solution(X[order], signed[order]).features.tolist() == [12, 41]


def test_few_features_are_screened_on_all_points(rng, monkeypatch):
    X = rng.standard_normal((3000, 30))
    signed = np.sign(X[:, 3] + X[:, 9] + rng.standard_normal(3000))
    split = solution(X, signed)
    for name in ("FEW_PAIRS", "MANY_PAIRS"):
        monkeypatch.setattr(bivariate, name, np.inf)
    monkeypatch.setattr(bivariate, "best_promising_threshold", lambda *arguments: best_threshold(*arguments[:-1]))
    found = solution(X, signed)
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(found, split, strict=True))
