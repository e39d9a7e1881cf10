"""Test the settings of an axis that shows names."""

import pytest

from viz.charts.chart import named


@pytest.mark.parametrize(("n_names", "n_ticks"), [(0, 0), (1, 1), (40, 40), (41, 21)])
def test_an_axis_has_a_tick_for_its_names(n_names, n_ticks):
    axis = named([f"name {k}" for k in range(n_names)], 100)
    assert len(axis["tickvals"]) == len(axis["ticktext"]) == n_ticks
