"""Test the charts of the app, which all visitors share."""

from _plotly_utils.basevalidators import BaseDataValidator

from pages.ui.shell import chart
from viz.charts.chart import Chart


def test_a_chart_that_threads_share_stays_as_it_is_while_plotly_checks_it(monkeypatch):
    spec = {"data": [{"type": "heatmap", "z": [[1.0, 2.0]]}], "layout": {}}
    seen = []
    make = BaseDataValidator.get_trace_class

    def look(self, name):
        seen.append(spec["data"][0].get("type"))
        return make(self, name)

    monkeypatch.setattr(BaseDataValidator, "get_trace_class", look)
    figure = chart.drawn(Chart(spec["data"], spec["layout"], "a heat map of this test")).figure
    assert figure.data[0].type == "heatmap"
    assert set(seen) == {"heatmap"}
