"""Test maps of phase diagrams: outlines against a slow reference, positions of cells, and the data for the stage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from viz.charts.phase_maps import outline, phase_maps

LAMS, COSTS = np.array([0.5, 1.0, 2.0, 4.0]), np.array([1.0, 1.25, 5.0])


def point(index, n_univariate, n_bivariate, **others):
    """Return the metrics of one point."""
    n_decision = n_univariate + n_bivariate
    return {
        "index": index, "lam": LAMS[index % 4], "cost": COSTS[index // 4], "n_univariate": n_univariate,
        "n_bivariate": n_bivariate, "n_decision": n_decision, "n_leaves": n_decision + 1,
        "depth": 2, "objective": 3.5, "train_error": 0.1, "validation_error": 0.2, "test_error": 0.15 + index / 100,
    } | others  # fmt: skip


POINTS = [point(i, 0, 0) if i % 4 == 3 else point(i, 3 - i % 4, 1) for i in range(12)]
GOOD = np.array([[0, 1, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]], bool)


def sides(mask):
    """Return the unit sides between a true and a false cell, each as (x1, y1, x2, y2)."""
    rows, columns = mask.shape
    found = set()
    for r in range(rows):
        for c in range(columns):
            if not mask[r, c]:
                continue
            for other, side in (
                ((r - 1, c), (c, r, c + 1, r)),
                ((r + 1, c), (c, r + 1, c + 1, r + 1)),
                ((r, c - 1), (c, r, c, r + 1)),
                ((r, c + 1), (c + 1, r, c + 1, r + 1)),
            ):
                inside = 0 <= other[0] < rows and 0 <= other[1] < columns
                if not (inside and mask[other]):
                    found.add(side)
    return found


@given(arrays.arrays(bool, st.tuples(st.integers(1, 6), st.integers(1, 8))))
def test_the_outline_is_every_side_between_true_and_false(mask):
    segments = outline(mask).tolist()
    units = [
        (x, y, x + (x2 > x1), y + (y2 > y1))
        for x1, y1, x2, y2 in segments
        for x in (range(x1, x2) if x2 > x1 else [x1])
        for y in (range(y1, y2) if y2 > y1 else [y1])
    ]
    assert len(units) == len(set(units))
    assert set(units) == sides(mask)


def test_straight_runs_are_one_segment():
    assert sorted(outline(np.ones((2, 3), bool)).tolist()) == [[0, 0, 0, 2], [0, 0, 3, 0], [0, 2, 3, 2], [3, 0, 3, 2]]


def test_cells_know_their_place():
    maps = phase_maps(POINTS[:6], LAMS, COSTS, GOOD, 5)
    share, size, error = (one.shares for one in maps.maps)
    np.testing.assert_allclose(share.ravel()[:6], [1 / 4, 1 / 3, 1 / 2, np.nan, 1 / 4, 1 / 3])
    assert np.isnan(share.ravel()[6:]).all()
    np.testing.assert_allclose(size.ravel()[:3], np.log([4, 3, 2]) / np.log(4))
    np.testing.assert_allclose(error.ravel()[[0, 5]], [0, 1])
    assert maps.leaves.tolist() == [3]
    assert maps.place(6) == (2, 1)
    assert maps.cost_ticks == ((0, "1"), (1, "1.25"), (2, "5"))


@pytest.mark.parametrize(
    ("missing", "title"),
    [((), "Test error"), (("test_error",), "Validation error"), (("test_error", "validation_error"), "Training error")],
)
def test_the_error_is_the_one_that_says_most(missing, title):
    maps = phase_maps([p | dict.fromkeys(missing) for p in POINTS], LAMS, COSTS)
    assert maps.maps[2].title == title


def test_cells_all_alike_have_a_range_of_colours():
    for one in phase_maps([point(i, 1, 0, test_error=0.0) for i in range(12)], LAMS, COSTS).maps:
        assert len({text for _, text in one.ticks}) == len(one.ticks)
        assert ((one.shares >= 0) & (one.shares <= 1)).all()


def test_only_single_leaves_can_be_drawn():
    maps = phase_maps([point(i, 0, 0) for i in range(12)], LAMS, COSTS, np.zeros((3, 4), bool))
    assert all(np.isnan(one.shares).all() for one in maps.maps)
    assert len(maps.outline) == 0
