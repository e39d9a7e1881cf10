"""Test shifted points and ticks of axes: points stay on their side, and the browser computes the same."""

import numpy as np

from tests.in_node import in_node
from treecore.tree.feature_statistics import feature_steps
from viz.nodes.axis_drawing import number_ticks
from viz.nodes.scatter import SHARE, jittered

IN_BROWSER = """
const { jittered } = await load('draw/scatter.js');
const { numberTicks } = await load('draw/axis.js');
const { points, rows, steps, direction, bias, ranges } = value;
return [
  points.map((point, i) => jittered(point, rows[i], steps, direction, bias)),
  ranges.map((range) => numberTicks(...range).map(({ value, text, room }) => [value, text, room])),
];
"""


def test_steps_are_those_of_features_with_few_values():
    few, many = np.tile([0.0, 3.0, 1.0, np.nan], 50), np.arange(200.0)
    steps = feature_steps(np.column_stack([few, few / 2, many, np.full(200, 7.0), np.full(200, np.nan)]))
    assert steps.tolist() == [1.0, 0.5, 0.0, 0.0, 0.0]
    assert feature_steps(np.zeros((0, 3))).tolist() == [0.0] * 3


def test_shifted_points_stay_on_their_side_and_near_their_value():
    rng = np.random.default_rng(0)
    points, rows, steps = rng.integers(0, 4, (3000, 2)).astype(float), np.arange(3000) * 7, np.array([1.0, 1.0])
    points[:5, 0] = np.nan
    for direction, bias in ((np.array([1.0, -1.0]), 0.0), (np.array([0.3, 2.0]), -3.1), (np.array([0.0, 1.0]), -1.5)):
        shifted = jittered(points, rows, steps, direction, bias)
        np.testing.assert_array_equal(shifted @ direction + bias >= 0, points @ direction + bias >= 0)
        assert np.nanmax(np.abs(shifted - points)) <= SHARE + 1e-12
        assert len(np.unique(shifted[5:], axis=0)) > 1500  # points on the line may stay
    assert jittered(points, rows, 0 * steps, direction, bias) is points


RANGES = [
    (0, 2019, 340), (0, 2019, 60), (0, 1, 300), (0.94, 5.08, 300), (-3.2, 4e9, 300), (1e-7, 9e-7, 200), (5, 5, 100),
    (1, 4, 300), (278, 1680, 200), (-1e12, 3e12, 100), (0.1, 0.7, 400),
]  # fmt: skip


def test_ticks_are_round_values_within_the_range():
    assert [value for value, *_ in number_ticks(0, 2019, 340)] == [0, 500, 1000, 1500, 2000]
    assert [text for _, text, _ in number_ticks(1, 4, 300)] == ["1", "2", "3", "4"]  # no halves between whole numbers
    assert [text for _, text, _ in number_ticks(0.1, 0.72, 400)] == ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]
    for first, last, room in RANGES:
        values = [value for value, *_ in number_ticks(first, last, room)]
        assert all(first <= value <= last for value in values)
        assert sum(own for *_, own in number_ticks(first, last, room)) <= room


def test_the_browser_shifts_points_and_places_ticks_alike():
    rng = np.random.default_rng(1)
    points, rows, steps = (
        rng.integers(0, 5, (200, 2)).astype(float),
        rng.permutation(10_000)[:200],
        np.array([1.0, 0.5]),
    )
    direction, bias = np.array([0.7, -1.3]), 0.2
    value = {
        "points": points.tolist(), "rows": rows.tolist(), "steps": steps.tolist(), "direction": direction.tolist(),
        "bias": bias, "ranges": RANGES,
    }  # fmt: skip
    found, ticks = in_node(IN_BROWSER, value)
    np.testing.assert_allclose(found, jittered(points, rows, steps, direction, bias), rtol=1e-12)
    assert ticks == [[list(tick) for tick in number_ticks(*one)] for one in RANGES]
