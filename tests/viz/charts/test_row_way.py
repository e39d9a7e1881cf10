"""Test that the numbers on a row's decision path add up as shown."""

import numpy as np
import pytest

from viz.charts.explanation_charts import RowWay, row_way_chart

SHARES = [(1 / 3, 1 / 6, 0.55555, 1.0), (0.39894, 0.39896, 0.39904), (0.5, 0.49996)]
MEANS = [(1234.5678, 24840.4, -3.00049), (0.0012345, 0.0012341), (0.0, 0.0)]


@pytest.mark.parametrize(("unit", "shares"), [*((None, way) for way in SHARES), *(("km", way) for way in MEANS)])
def test_the_shown_numbers_add_up(unit, shares):
    way = RowWay("a", tuple("xyz"[: len(shares) - 1]), shares, unit)
    scale = 100 if unit is None else 1
    np.testing.assert_allclose(way.values, scale * np.array(shares), atol=0.501 * 10.0**-way.digits)
    texts = row_way_chart(way).data[1]["text"]
    texts = [text.strip() for text in texts]
    first, *changes, last = [float(text.strip(" %km").replace("−", "-")) for text in texts]
    assert round(first + sum(changes), 9) == last
    assert not any(float(text.replace("−", "-")) == 0 and "−" in text for text in texts[1:-1])
