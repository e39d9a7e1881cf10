"""Test charts of data and of importance, and texts that Plotly would read as tags."""

import numpy as np
import plotly.graph_objects
import pytest

import sample_data
from tests.viz.cases import ODD_NAMES, rare_class
from treecore.tables.table_columns import KINDS as KINDS_OF_COLUMNS
from viz.charts.chart import literal
from viz.charts.data_charts import Bars, bar_chart, column_bars, histogram_chart, plane_chart
from viz.charts.explanation_charts import (
    FeatureEffects,
    FeatureImportance,
    RowWay,
    feature_effect_chart,
    importance_chart,
    row_way_chart,
)
from viz.charts.prediction_charts import CURVE_KINDS, POINTS, class_curve, class_curve_chart
from viz.palette import THEMES

BARS = Bars(ODD_NAMES, tuple(range(len(ODD_NAMES))), ("#3f90da",) * len(ODD_NAMES), "rows")
IMPORTANCE = FeatureImportance(ODD_NAMES, np.linspace(9, 0, 8), np.ones(8), np.arange(8))


def effects(kind):
    grid = np.arange(len(ODD_NAMES), dtype=float)
    texts = [f"2020-01-0{k + 1}" for k in range(len(grid))] if kind == "date" else ODD_NAMES
    rows = np.random.default_rng(0).random((len(grid), 5))
    return FeatureEffects(ODD_NAMES[0], "share of <b>", kind, tuple(texts), grid, rows, rows.mean(axis=1), [texts[0]])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    "make",
    [
        lambda theme: bar_chart(BARS, theme),
        lambda theme: histogram_chart(BARS, theme),
        lambda theme: importance_chart(IMPORTANCE, theme),
        lambda theme: plane_chart(sample_data.load("moons"), theme),
        lambda theme: class_curve_chart(class_curve(*rare_class(), "precision"), theme),
        lambda theme: row_way_chart(RowWay(ODD_NAMES[0], ODD_NAMES, tuple(np.linspace(0, 1, 9))), theme),
        *(lambda theme, kind=kind: feature_effect_chart(effects(kind), theme) for kind in KINDS_OF_COLUMNS),
    ],
)
def test_plotly_knows_every_word_and_equal_values_are_equal_charts(make, theme):
    chart = make(theme)
    plotly.graph_objects.Figure(chart.data, chart.layout)
    assert chart == make(theme)
    assert chart.description
    assert "<script>" not in str([trace.get("customdata") for trace in chart.data])
    assert "<script>" not in str(chart.layout)


def test_bars_and_points_are_those_of_the_data():
    assert bar_chart(BARS).data[0]["x"] == list(BARS.counts) == histogram_chart(BARS).data[0]["y"]
    rises, nodes = importance_chart(IMPORTANCE).data
    assert rises["x"] == pytest.approx(np.linspace(9, 0, 8), abs=1e-4)
    assert nodes["x"] == list(range(8))
    moons = sample_data.load("moons")
    traces = plane_chart(moons).data
    assert [len(trace["x"]) for trace in traces] == np.bincount(moons.y).tolist()
    assert [trace["name"] for trace in traces] == list(moons.class_names)


def test_curves_have_a_point_for_each_threshold_and_one_for_the_predictions():
    curve, figures = rare_class()
    roc, precision = (class_curve_chart(class_curve(curve, figures, kind)).data for kind in CURVE_KINDS)
    assert roc[POINTS]["x"] == [0, 0, 25, 100]
    assert roc[POINTS]["y"] == [0, 50, 50, 100]
    assert precision[POINTS]["y"] == pytest.approx([100, 50, 100 / 3], abs=1e-4)
    assert (roc[-1]["x"], roc[-1]["y"], precision[-1]["y"]) == ([0], [50], [100])
    nobody = class_curve_chart(class_curve(curve, figures._replace(n_predicted=0, precision=np.nan), "precision"))
    assert len(nobody.data) == len(precision) - 1


def test_columns_of_tables_are_histograms_or_frequent_values():
    numbers = column_bars((3, 5), (0.0, 0.5, 1.0), (), False)
    assert (numbers.names, numbers.counts) == (("0 to 0.5", "0.5 to 1"), (3, 5))
    assert column_bars((1,), (0.0, 366.0), (), True).names == ("1970-01-01 to 1971-01-02",)
    prices = histogram_chart(column_bars((3, 5), (97468.0, 135205.6, 852220.0), (), False)).layout["xaxis"]
    assert (prices["tickvals"], prices["ticktext"]) == ([-0.5, 0.5, 1.5], ["97470", "135200", "852200"])
    assert column_bars((), (), (("red", 4), ("blue", 2)), False).counts == (4, 2)
    codes = column_bars((3, 5, 1), (-0.5, 0.5, 1.5, 2.5), (), False)
    assert (codes.names, codes.ends) == (("0", "1", "2"), ())


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a <b>c</b> & d", "a &lt;b&gt;c&lt;/b&gt; &amp; d"), ("%{x}", "%\u2060{x}"), ("a\x00", "a\ufffd")],
)
def test_names_are_shown_as_they_are(text, shown):
    assert literal(text) == shown
    assert literal("W" * 100, 90).count("W") < 12
