"""Test that the static figure has every node, shows hostile names as text, and has the same bytes every time."""

import pickle
import re
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import numpy as np
import pytest

import sample_data
from tests.budget import budget
from tests.customers import customers
from tests.refusals import refused
from tests.viz.cases import assert_legible
from treecore import ParameterError, TAOClassifier, TAORegressor
from viz import figure
from viz.drawing.canvas import Canvas
from viz.drawing.labels import Labels
from viz.nodes.category_content import CategoryContent
from viz.nodes.leaf import LeafContent
from viz.nodes.node_box import NodeBox
from viz.nodes.node_contents import node_contents
from viz.nodes.node_painter import NodePainter
from viz.nodes.projection import Projection
from viz.nodes.scatter import SplitScatter, clip_unit_square
from viz.nodes.weight_image import WeightImage
from viz.palette import THEMES
from viz.tree.layout import layout, layout_in_path, path_layout


@pytest.fixture(scope="module")
def digits():
    data = sample_data.load("digits")
    model = TAOClassifier(lam=0.5, max_depth=6, scale="minmax", max_iter=5, random_state=0)
    return model.fit(data.X, data.labels()).tree_, data


@pytest.fixture(scope="module")
def wine():
    data = sample_data.load("wine")
    return TAOClassifier(lam=1.0, init="random", max_depth=4, random_state=0).fit(data.X, data.y).tree_, data


def test_contents_say_what_the_tree_does(digits):
    tree, data = digits
    leaf_of_row = tree.apply(data.X)
    for node, content in enumerate(node_contents(tree, data).nodes):
        if isinstance(content, LeafContent):
            rows = leaf_of_row == node
            assert content.label == str(tree.classes[tree.labels[node]])
            assert content.figures.n == rows.sum() == tree.n_samples[node]
            assert content.figures.loss == np.sum(data.labels()[rows] != content.label)
            np.testing.assert_allclose(content.image.ravel(), data.X[rows].mean(axis=0) / data.X.max())
        else:
            assert isinstance(content, WeightImage)
            features, weights, _ = tree.split(node)
            np.testing.assert_array_equal(content.values.ravel()[features], weights)
            assert np.count_nonzero(content.values) == content.n_nonzero == features.size


def test_bars_are_the_largest_standardised_coefficients(wine):
    tree, data = wine
    for node, content in enumerate(node_contents(tree, data).nodes):
        if isinstance(content, Projection):
            features, weights, _ = tree.split(node)
            size = np.sort(np.abs(weights * data.X[:, features].std(axis=0)))[::-1]
            np.testing.assert_allclose(np.abs(content.bars), size[: content.bars.size])
            assert content.bars.size + content.n_more == features.size


@pytest.mark.parametrize(("format", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_formats(digits, wine, format, start):
    for (tree, data), theme in ((digits, "light"), (wine, "dark")):
        picture = figure(tree, data, format, theme=theme)
        assert picture.startswith(start)
        assert picture == figure(tree, data, format, theme=theme)


@pytest.mark.parametrize("name", ["digits", "wine"])
def test_a_tree_without_data_is_drawn_with_its_numbers_of_rows(name, request):
    tree, _ = request.getfixturevalue(name)
    text = figure(tree).decode()
    shown = [f"n = {leaf.n:,}" in text for leaf in tree if leaf.is_leaf]
    assert all(shown) or (name == "digits" and tree.n_leaves > 20)  # small leaves have only their class
    with refused(ParameterError, "rows was passed without data"):
        figure(tree, rows=[0])
    with refused(ParameterError, "y was passed without its rows"):
        figure(tree, None, [0, 1])


def test_a_notebook_shows_a_figure_as_a_picture(wine):
    tree, data = wine
    for format in ("svg", "png", "pdf"):
        drawn = figure(tree, data, format=format)
        shown = {name: getattr(drawn, f"_repr_{name}_")() for name in ("svg", "png", "pdf")}
        assert shown.pop(format) == (drawn.decode() if format == "svg" else bytes(drawn))
        assert shown.keys() == {"svg", "png", "pdf"} - {format}
        assert not any(shown.values())
        assert repr(drawn) == f"<{format.upper()} picture of {len(drawn):,} bytes>"
        again = pickle.loads(pickle.dumps(drawn))
        assert (again, again.format) == (drawn, format)


def test_unknown_format_is_refused(wine):
    with refused(ValueError, "=…: expected one of 'svg', 'pdf', 'png'"):
        figure(*wine, format="bmp")


def test_a_layout_of_another_tree_is_refused(digits, wine):
    with refused(ValueError, "places is a layout for … nodes, but the tree has"):
        figure(*wine, places=layout(digits[0]))


def test_given_places_are_taken(wine):
    tree, data = wine
    places = layout(tree)
    own = figure(tree, data, "svg", places=places)
    assert figure(tree, data, "svg", places=layout_in_path(tree, path_layout([tree]))) == own
    assert figure(tree, data, "svg", places=places._replace(n_slots=2 * places.n_slots)) != own


@pytest.mark.nightly
@pytest.mark.parametrize("width", budget([160, 2000], [160, 420, 2000]))
@pytest.mark.parametrize("name", ["digits_path", "wine_path", "plane_path", "odd_path"])
def test_texts_do_not_meet_and_nothing_is_cut(name, width, canvases, request):
    path, data = request.getfixturevalue(name)
    trees = path.trees[:: budget(2, 1)]
    for tree in trees:
        figure(tree, data, "png", size=(width / 100, None), dpi=100)
    assert len(canvases) == len(trees)
    for canvas in canvases:
        assert_legible(canvas)


def test_scatterplots_name_both_axes_and_numbers_of_conditions_are_whole(texts):
    data = sample_data.load("iris")
    tree = TAOClassifier("bivariate", 1.0, init="random", max_depth=3, random_state=0).fit(data.X, data.labels()).tree_
    figure(tree, data, "png", dpi=100)
    written = [text for _, text in texts]
    plots = [content for content in node_contents(tree, data).nodes if isinstance(content, SplitScatter)]
    assert plots
    for content in plots:
        assert content.names[0] in written
        assert f"↑ {content.names[1]}" in written
        numbers = re.findall(r"[0-9.]+(?= ·)|[≥≤] \S+", content.words)
        assert len(numbers) == 2
        assert all(any(number in text for text in written) for number in numbers)


def test_the_legend_names_its_groups(digits, wine, texts):
    for tree, data in (digits, wine):
        texts.clear()
        figure(tree, data, "png", dpi=100)
        written = [text for _, text in texts]
        heading = "weights:" if data.image_shape else "coefficient × deviation:"
        start = written.index(heading)
        assert written[start : start + 4] == [heading, "negative", "positive", f"{data.target_name or 'classes'}:"]


def test_svg_draws_every_picture_and_keeps_labels_readable(digits):
    tree, data = digits
    svg = figure(tree, data, "svg").decode()
    root = ElementTree.fromstring(svg)
    assert len(root.findall(".//{http://www.w3.org/2000/svg}image")) == tree.n_nodes
    sizes = [float(size) for size in re.findall(r"font(?:-size)?: ?(?:[a-z0-9]+ )*([0-9.]+)px", svg)]
    assert sizes
    # matplotlib writes points as px; 100 pixels of the figure are 72 of them.
    assert min(sizes) >= 9 * 0.72 - 1e-6


def test_one_leaf_and_odd_names():
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    names = ("<script>alert(1)</script>", "$x^2 & \\frac{", "a" * 300)
    data = SimpleNamespace(X=X, y=y, image_shape=None, feature_names=names, class_names=("<b>no</b>", "😀 yes $"))
    for lam in (0.1, 1e6):
        tree = TAOClassifier(lam=lam, max_depth=3, random_state=0).fit(X, y).tree_
        svg = figure(tree, data, "svg")
        assert figure(tree, data, "png").startswith(b"\x89PNG")
        assert figure(tree, data, "pdf").startswith(b"%PDF")
        assert b"<script" not in svg
        assert b"<b>" not in svg
        ElementTree.fromstring(svg)


def test_images_need_not_be_square_and_classes_can_be_many():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 255, (400, 15)).astype(np.uint8)
    y = np.arange(400) % 60
    X[:, 0] = y
    data = SimpleNamespace(
        X=X, y=y, image_shape=(3, 5), feature_names=tuple(f"p{i}" for i in range(15)),
        class_names=tuple(f"class {i}" for i in range(60)),
    )  # fmt: skip
    tree = TAOClassifier(split="univariate", init="cart", lam=0.1, random_state=0).fit(X, y).tree_
    assert tree.n_leaves > 30
    assert figure(tree, data, "png").startswith(b"\x89PNG")


def test_scatter_shows_the_sides_that_the_tree_takes():
    data = sample_data.load("spirals")
    tree = TAOClassifier(lam=0.5, max_depth=5, random_state=0).fit(data.X, data.labels()).tree_
    shown = 0
    for node, content in enumerate(node_contents(tree, data).nodes):
        if isinstance(content, SplitScatter):
            low, span = content.ends.low, content.ends.high - content.ends.low
            margins = tree.margins(content.points, node)
            inside = [contains(content.right, point) for point in (content.points - low) / span]
            clear = np.abs(margins) > 1e-6 * np.abs(margins).max()
            np.testing.assert_array_equal(np.array(inside)[clear], margins[clear] >= 0)
            if content.line is not None:
                np.testing.assert_allclose(tree.margins(content.line * span + low, node), 0, atol=1e-4)
            shown += 1
    assert shown == tree.n_decision


def contains(polygon, point):
    """Test whether a convex polygon with counter-clockwise corners contains a point."""
    if len(polygon) < 3:
        return False
    edges = np.roll(polygon, -1, axis=0) - polygon
    to_point = point - polygon
    return bool((edges[:, 0] * to_point[:, 1] - edges[:, 1] * to_point[:, 0] >= -1e-9).all())


def test_rows_of_a_number_stand_at_it_in_pictures_of_categories():
    data = customers()
    late = data.X[:, 3] > 17_000
    y = 10.0 * data.X[:, 0] * late + 3.0 * data.X[:, 4] + np.random.default_rng(0).normal(size=len(late))
    columns = data.columns
    data = SimpleNamespace(
        X=data.X, y=y, image_shape=None, feature_names=data.feature_names, class_names=(), columns=columns
    )
    tree = TAORegressor(split="bivariate", init="bivariate_cart", lam=5.0, max_depth=3, random_state=0).fit(data.X, y)
    contents = node_contents(tree.tree_, data)
    box, shapes = NodeBox(200.0, 200.0, 200.0, 160.0, 300.0, 30.0), set()
    for content in contents.nodes:
        if not isinstance(content, CategoryContent):
            continue
        canvas = Canvas(400, 400, THEMES["light"])
        painter = NodePainter(canvas, Labels(canvas), contents)
        drawn = []
        canvas.dots = lambda places, *_, drawn=drawn, **__: drawn.append(places)
        painter.draw(content, box)
        x, height = np.concatenate(drawn).T
        assert ((box.left <= x) & (x <= box.left + box.w)).all()
        assert ((box.top <= height) & (height <= box.bottom)).all()
        assert len(x) <= content.heights.size == content.places.size
        shapes.add((content.is_bars, content.axis))
    assert len(shapes) > 1


def test_half_planes_that_miss_the_square_leave_all_or_nothing():
    assert clip_unit_square(np.array([1.0, 1.0]), 5.0)[0].shape == (4, 2)
    corners, line = clip_unit_square(np.array([1.0, 1.0]), -5.0)
    assert corners.size == 0
    assert line is None
