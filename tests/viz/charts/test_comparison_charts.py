"""Test that charts of a comparison show its results."""

import html
from dataclasses import replace

import numpy as np
import plotly.graph_objects
import pytest

from tests.refusals import refused
from treecore import ParameterError, TAOClassifier
from treecore.comparison import METHODS, Method, PathMethod, compare
from treecore.comparison.cell import Cell
from treecore.comparison.folds import outer_folds
from treecore.comparison.one_parameter import MEASURES, PARAMETERS, parameter_table, variants
from treecore.tree.classes import Classes
from treecore.tree.metrics import training_error, tree_metrics
from viz.charts.comparison_charts import (
    COLORS,
    PLACES,
    SHAPES,
    SIZE_WORDS,
    class_error_map,
    confusion_map,
    error_by_size,
    error_by_size_chart,
    heat_map_chart,
    parameter_chart,
    parameter_curves,
)
from viz.charts.comparison_figures import comparison_figure


@pytest.fixture(scope="module")
def found(rng_data):
    X, y = rng_data
    return compare(X, y, ["tao_univariate", "cart", "nearest_neighbours"], cv=3, n_jobs=1)


@pytest.fixture(scope="module")
def rng_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    return X, np.array(["low", "high", "middle"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)]


def checked(chart):
    """Return the chart after checking that Plotly accepts every name in it."""
    plotly.graph_objects.Figure(chart.data, chart.layout)
    return chart


def test_axes_of_shares_of_errors_end_at_100_percent_at_most():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 10  # the classes are pure noise
    noise = compare(X, np.array([f"class {k}" for k in y]), ["cart", "nearest_neighbours"], cv=3, n_jobs=1)
    assert error_by_size(noise).top == 100


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_chosen_models_are_at_their_figures(found, theme):
    sizes = error_by_size(found)
    chart = checked(error_by_size_chart(sizes, theme))
    named = {trace["name"]: trace for trace in chart.data if trace.get("showlegend", True)}
    for row, one in zip(found.summary().itertuples(), sizes.methods, strict=True):
        trace = named[row.title]
        assert trace["y"][0] == pytest.approx(100 * row.test_error)
        if row.title == "Nearest neighbours":
            assert len(set(trace["y"])) == 1
            assert (trace["x"][0], trace["x"][-1]) == pytest.approx((sizes.low, sizes.high), rel=1e-3)
        else:
            assert trace["x"] == [pytest.approx(row.n_leaves)]
            assert trace["error_y"]["array"] == [pytest.approx(100 * row.half_width)]
            assert sizes.low < row.n_leaves < sizes.high
        assert f"{row.title} {100 * row.test_error:.1f} %" in chart.description
        assert 0 <= one.error <= sizes.top


@pytest.mark.parametrize("by", MEASURES)
@pytest.mark.parametrize("parameter", ["max_depth", "rows"])
def test_curves_over_a_parameter_are_those_that_were_found(varied, parameter, by):
    found = varied[parameter]
    curves, table = parameter_curves(found, by), parameter_table(found)
    chart = checked(parameter_chart(curves))
    scale = 100 if by.endswith("error") else 1
    table = table[np.isfinite(table[by])]
    for trace, (_, own) in zip(chart.data, table.groupby("method", sort=False), strict=True):
        assert trace["name"] == own["title"].iloc[0]
        assert trace["x"] == own["value"].tolist()
        assert trace["y"] == pytest.approx((scale * own[by]).tolist())
        assert trace["error_y"]["array"] == pytest.approx((scale * own[f"{by}_deviation"]).tolist())
        assert curves.low <= min(trace["y"])
        assert max(trace["y"]) <= curves.high
    assert curves.ends[0] < curves.values[0] <= curves.values[-1] < curves.ends[1]
    assert chart.layout["xaxis"]["title"]["text"] == PARAMETERS[parameter].words
    svg = comparison_figure(found, "svg", kind="parameter", by=by)
    assert all(name in svg.decode() for name in table["title"])
    assert svg == comparison_figure(found, "svg", kind="parameter", by=by)


@pytest.fixture(scope="module")
def varied(rng_data):
    chosen = {"max_depth": ["cart", "tao_univariate"], "rows": ["cart", "nearest_neighbours"]}
    return {
        name: compare(*rng_data, variants([METHODS[key] for key in keys], name, values), cv=2, n_jobs=1)
        for (name, keys), values in zip(chosen.items(), ((1, 3), (0.5, 1.0)), strict=True)
    }


def test_unknown_measures_are_refused(rng_data):
    methods = variants([METHODS["nearest_neighbours"]], "rows", (0.5,))
    found = compare(*rng_data, methods, cv=2, n_jobs=1)
    with refused(ParameterError, "The comparison has no values of … yet"):
        parameter_curves(found, "n_leaves")
    with pytest.raises(ParameterError, match="colour"):
        parameter_curves(found, "colour")


@pytest.mark.parametrize("by", SIZE_WORDS)
def test_the_size_is_chosen(found, by):
    sizes = error_by_size(found, by)
    chart = checked(error_by_size_chart(sizes))
    assert chart.layout["xaxis"]["title"]["text"] == SIZE_WORDS[by]
    for name, one in zip(found.methods, sizes.methods, strict=True):
        trees = [cell.tree for cell in found.of(name)]
        if None not in trees:
            metrics = [tree_metrics(tree) for tree in trees]
            assert (one.settings["size"] >= 1).all()
            if by != "inference_cost":  # inference cost is an average over the test rows
                assert one.size == pytest.approx(max(np.mean([getattr(size, by) for size in metrics]), 1.0))
    with pytest.raises(ParameterError, match="by="):
        error_by_size(found, "weight")


def test_the_training_error_is_that_of_the_chosen_model(found, rng_data):
    X, y = rng_data
    for cell in found.of("cart"):
        assert cell.train_error == pytest.approx(training_error(cell.tree))
        assert Cell.from_dict(cell.to_dict()).curve == cell.curve


def test_starts_are_marked_and_paths_stay_apart(rng_data):
    X, y = rng_data
    method = PathMethod(
        "tao", "TAO", TAOClassifier(split="univariate", init="cart"), {"max_depth": [2, 4]}, n_lambdas=4
    )
    found = compare(X, y, [method], cv=2, n_jobs=1)
    (one,) = error_by_size(found).methods
    starts = [TAOClassifier(init="cart", split="univariate", max_depth=depth, max_iter=0) for depth in (2, 4)]
    curve = found.curve("tao").query("is_start").set_index("setting")
    for start in starts:
        trees = [start.fit(X[cut.train], y[cut.train]).tree_ for cut in outer_folds(X, y, 2, 0, found.target)]
        leaves = np.mean([tree.n_leaves for tree in trees])
        assert curve["n_leaves"][f"start: CART, max_depth {start.max_depth}"] == leaves
    assert set(one.starts["size"]) <= set(curve["n_leaves"])
    assert len(one.paths) == 2
    assert all((np.diff(path["lam"]) < 0).all() for path in one.paths)
    drawn = error_by_size_chart(error_by_size(found)).data
    lines = [trace for trace in drawn if trace.get("mode") == "lines"]
    assert [trace["line"]["shape"] for trace in lines] == ["hv", "linear", "linear"]
    assert lines[0]["opacity"] > 2 * max(trace["opacity"] for trace in lines[1:])
    assert [trace["name"] for trace in drawn if trace.get("showlegend") is not False] == ["best of all methods", "TAO"]
    assert one.path_words == ("max depth 2", "max depth 4")
    svg = comparison_figure(found, "svg").decode()
    assert svg.index(">TAO<") < svg.index(">max depth 2<") < svg.index(">max depth 4<")
    (marks,) = [trace for trace in drawn if str(trace.get("marker", {}).get("symbol", "")).endswith("-open")]
    assert marks["x"] == one.starts["size"].tolist()
    assert not any(cell.curve[cell.chosen].is_start for cell in found.of("tao"))


def test_a_front_is_beaten_by_no_setting(found):
    for one in error_by_size(found).methods:
        for point in one.front.itertuples():
            better = (one.settings["size"] <= point.size) & (one.settings["error"] < point.error)
            assert not better.any()


def test_a_method_looks_the_same_in_every_comparison(found):
    looks = {(COLORS["light"][place % len(COLORS["light"])], SHAPES[place % len(SHAPES)]) for place in PLACES.values()}
    assert len(looks) == len(METHODS)
    cart = next(one for one in error_by_size(found).methods if one.title == "CART, 1-SE")
    assert cart.color("light") == COLORS["light"][PLACES["cart"]]


@pytest.mark.parametrize("name", ["", "survived", "a <b>"])
def test_heat_maps_name_the_target(rng_data, name):
    X, y = rng_data
    target = Classes(tuple(np.unique(y)), name)
    found = compare(X, y, ["cart"], cv=2, n_jobs=1, target=target)
    confusion, errors = confusion_map(found, "cart"), class_error_map(found, ["cart"])
    title = name or "class"
    assert (confusion.row_title, confusion.column_title) == (f"true {title}", f"predicted {title}")
    assert errors.column_title == title
    chart = checked(heat_map_chart(confusion))
    assert chart.layout["xaxis"]["title"]["text"] == html.escape(f"predicted {title}", quote=False)
    figure = comparison_figure(found, kind="confusion", method="cart")
    assert f"true {html.escape(title)}" in figure.decode()


@pytest.mark.parametrize("order", [None, ("low", "middle", "high")])
def test_heat_maps_hold_the_confusion(found, order):
    names = tuple(order or ("high", "low", "middle"))
    place = {name: k for k, name in enumerate(found.target.groups)}
    turn = [place[name] for name in names]
    counts = found.confusion("cart")[np.ix_(turn, turn)]
    confusion = confusion_map(found, "cart", order)
    assert confusion.row_names == confusion.column_names == names
    np.testing.assert_array_equal(confusion.details["rows"], counts)
    np.testing.assert_allclose(confusion.values.sum(axis=1), 100)
    chart = checked(heat_map_chart(confusion))
    assert [cell[:3] for cell in chart.data[0]["customdata"][0]] == [
        [names[0], name, count] for name, count in zip(names, counts[0], strict=True)
    ]
    assert chart.data[1]["text"] == [str(count) for count in counts.ravel()]
    errors = class_error_map(found, ["cart", "tao_univariate"], order)
    np.testing.assert_array_equal(
        errors.details["predicted as another class"][0], counts.sum(axis=1) - counts.diagonal()
    )
    np.testing.assert_allclose(errors.values[0], 100 * (1 - counts.diagonal() / counts.sum(axis=1)))
    assert errors.column_names == names


def test_many_classes_are_named_where_there_is_room_and_have_no_numbers():
    y = np.repeat(np.arange(80), 6)
    X = np.stack([y, y % 7], axis=1).astype(float)
    found = compare(X, y, ["cart"], cv=2, n_jobs=1)
    chart = checked(heat_map_chart(confusion_map(found, "cart")))
    assert len(chart.data) == 1
    assert len(chart.layout["xaxis"]["ticktext"]) == 40


def test_a_method_without_leaves_alone_and_one_without_a_result(rng_data):
    X, y = rng_data
    found = compare(X, y, ["nearest_neighbours"], cv=2, n_jobs=1)
    checked(error_by_size_chart(error_by_size(found)))
    own = METHODS["cart"]
    mine = compare(X, y, [Method("mine", "My <own>", own.estimator)], cv=2, n_jobs=1)
    names = [trace["name"] for trace in error_by_size_chart(error_by_size(mine)).data]
    assert "My &lt;own&gt;" in names
    empty = replace(found, cells=())
    (waiting,) = [t for t in error_by_size_chart(error_by_size(empty)).data if t.get("visible") == "legendonly"]
    assert waiting["name"] == "Nearest neighbours"
