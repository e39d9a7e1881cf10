"""The figures of a row's way add up as they are shown."""

import numpy as np
import pytest

from viz.charts.plotly.row_way_chart import row_way_chart
from viz.charts.values.row_way import RowWay


@pytest.mark.parametrize("shares", [(1 / 3, 1 / 6, 0.55555, 1.0), (0.39894, 0.39896, 0.39904), (0.5, 0.49996)])
def test_what_is_shown_adds_up(shares):
    way = RowWay("a", tuple("xyz"[: len(shares) - 1]), shares)
    np.testing.assert_allclose(way.percents, 100 * np.array(shares), atol=0.0501)
    first, *changes, last = [float(text.strip(" %").replace("−", "-")) for text in _texts(way)]
    assert round(first + sum(changes), 6) == last
    assert "−0.0" not in _texts(way)


def _texts(way):
    return row_way_chart(way).data[0]["text"]
