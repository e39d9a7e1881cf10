"""Test that figures of paths, phase diagrams and comparisons are legible and repeatable, and equal the results."""

from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.datasets import load_iris

from tests.budget import budget
from tests.refusals import refused
from tests.viz.cases import assert_legible, rare_class
from tests.viz.charts.test_phase_maps import COSTS, GOOD, LAMS, POINTS
from treecore import ParameterError, TAOClassifier, size_path
from treecore.comparison import compare
from viz.charts.class_curves_figure import class_curves_figure
from viz.charts.comparison_figures import comparison_figure
from viz.charts.path_figures import path_figure, paths_figure
from viz.charts.path_points import error_panel, path_points, recommended
from viz.charts.phase_figure import phase_figure
from viz.charts.prediction_charts import CURVE_KINDS, class_curve

CURVES = [class_curve(*rare_class(), kind) for kind in CURVE_KINDS]


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = np.array(["low", "high $x$", "<script>"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)]
    return compare(X, y, ["tao_univariate", "cart", "nearest_neighbours"], cv=2, n_jobs=1)


def texts_of(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.nightly
@pytest.mark.parametrize("theme", budget(["dark"], ["dark", "light"]))
def test_charts_are_legible_and_come_again(digits_path, plane_path, found, theme, canvases):
    for make in (
        lambda form: path_figure(digits_path[0], form, chosen=2, theme=theme, title="Digits", dpi=100),
        lambda form: path_figure(plane_path[0], form, size=(3.5, None), theme=theme, dpi=100),
        lambda form: paths_figure({"Digits": digits_path[0], "Plane": plane_path[0]}, form, theme=theme, dpi=100),
        lambda form: phase_figure(POINTS, LAMS, COSTS, form, good=GOOD, best=5, shown=2, theme=theme, dpi=100),
        lambda form: phase_figure(POINTS[:5], LAMS, COSTS, form, size=(5, 4), theme=theme, dpi=100),
        lambda form: comparison_figure(found, form, theme=theme, dpi=100),
        lambda form: class_curves_figure(CURVES, form, theme=theme, dpi=100, title="$rare$ <b>"),
        lambda form: comparison_figure(found, form, kind="classes", theme=theme, dpi=100),
        lambda form: comparison_figure(found, form, kind="confusion", method="cart", theme=theme, dpi=100),
    ):
        assert make("png").startswith(b"\x89PNG")
        assert make("svg") == make("svg")
    for canvas in canvases[::3]:
        assert_legible(canvas)


def test_a_path_names_its_curves_and_recommended_trees(digits_path):
    texts = texts_of(path_figure(digits_path[0]))
    assert {"training", "validation", "leaves", "features per node", "mean path length"} <= set(texts)
    assert any("good tree" in text for text in texts)


def test_the_marked_tree_does_not_depend_on_the_order_of_the_trees(digits_path):
    data = load_iris()
    of_sizes = size_path(TAOClassifier("univariate", init="cart"), data.data, data.target, [2, 3, 4])
    for path in (of_sizes.points, tuple(digits_path[0])):
        figures = [path_figure(path, chosen=index) for index in range(len(path))]
        assert len(set(figures)) == len(path)
        assert figures == [path_figure(path[::-1], chosen=len(path) - 1 - index) for index in range(len(path))]


def test_paths_next_to_each_other_have_the_same_axes(digits_path, plane_path, canvases):
    texts = texts_of(paths_figure({"digits": digits_path[0], "plane": plane_path[0]}))
    assert {"digits", "plane"} <= set(texts)
    assert texts.count("size") == texts.count("leaves") == 2
    axes = canvases[-1].figure.axes[1:]
    tops = [one.get_ylim()[1] for one in axes]
    assert tops[0] == tops[2] != tops[1] == tops[3]
    with refused(ParameterError, "paths is empty: expected at least one pair (title, path)"):
        paths_figure({})


def test_folds_are_a_curve_with_a_band_that_is_seen_where_trees_are_good(digits_path):
    known = path_points(digits_path[0])
    errors = [0.5 + 0.01 * i for i in range(len(known))]
    points = [
        p._replace(cross_validated_error=e, cross_validated_spread=0.02) for p, e in zip(known, errors, strict=True)
    ]
    panel, without = error_panel(points), error_panel(known)
    assert [curve.label for curve in panel.curves if curve.spreads is not None] == ["cross-validated"]
    assert all(curve.spreads is None for curve in without.curves)
    simplest = max(recommended(points).values())
    assert panel.top >= 100 * (errors[simplest] + 0.02)
    assert panel.top >= 100 * errors[int(0.65 * (len(errors) - 1))]
    assert "cross-validated" in texts_of(path_figure(points))
    assert len(path_figure(points)) > len(path_figure(known))


def test_an_axis_of_shares_of_errors_ends_at_100_percent_at_most(digits_path):
    points = [p._replace(validation_error=1.0, test_error=0.98, train_error=0.97) for p in path_points(digits_path[0])]
    panel = error_panel(points)
    assert panel.top == panel.ticks[-1] == 100


def test_confusions_and_class_errors_are_those_that_were_found(found):
    counts = found.confusion("cart")
    texts = texts_of(comparison_figure(found, kind="confusion", method="cart"))
    assert all(str(count) in texts for count in counts.ravel())
    texts = texts_of(comparison_figure(found, kind="classes"))
    wrong = 100 * (1 - counts.diagonal() / counts.sum(axis=1))
    assert all(f"{error:.1f}" in texts for error in wrong)
    assert "<script>" in texts


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda found, path: comparison_figure(found, kind="pie"), "kind"),
        (lambda found, path: comparison_figure(found, kind="confusion", method="nobody"), "nobody"),
        (lambda found, path: path_figure(path, chosen=99), "chosen=99"),
        (lambda found, path: path_figure(path, size=(1e3, None)), "width in inches"),
        (lambda found, path: phase_figure([], LAMS, COSTS), "at least one cell"),
        (lambda found, path: phase_figure(POINTS, LAMS, COSTS, "gif"), "gif"),
    ],
)
def test_bad_parameters_are_explained(found, digits_path, make, message):
    with pytest.raises(ParameterError, match=message):
        make(found, digits_path[0])
