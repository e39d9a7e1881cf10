"""Test parts of a tree as figures: subtrees, decision paths, pages, single nodes, regression, refused sizes."""

import io
import re
import zipfile
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

import sample_data
from benchmarks.grown_trees import grown_tree, noisy_table
from sample_data import DataSet
from tests.refusals import refused
from tests.viz.cases import assert_legible
from treecore import CARTClassifier, CARTRegressor, DataError, ParameterError, TAOClassifier
from treecore.tree.number_text import number
from treecore.tree.text_tree import node_names
from treecore.tree.tree import target_of
from viz import figure, node_zip, pages
from viz.nodes.node_content import most_bins
from viz.nodes.node_contents import node_contents
from viz.nodes.projection import Projection, bins_of, counts_of
from viz.palette import group_colors
from viz.tree.node_figure import node_figure, zipped_nodes
from viz.tree.tree_figure import largest_size
from viz.tree.tree_part import page_parts, part_layout, subtree, way_to
from viz.tree.tree_places import node_boxes


@pytest.fixture(scope="module")
def grown():
    data = noisy_table(1500, 5, 4)
    return grown_tree(data, 121, 2), data


@pytest.fixture(scope="module")
def regression():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    data = SimpleNamespace(X=X, y=X[:, 0] + X[:, 1] ** 2, image_shape=None, feature_names="abc", class_names=())
    return CARTRegressor(random_state=0).fit(X, data.y).tree_, data


@pytest.fixture(scope="module")
def missing():
    data = sample_data.load("iris")
    X = data.X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.15] = np.nan
    data = SimpleNamespace(
        X=X, y=data.y, image_shape=None, feature_names=data.feature_names, class_names=data.class_names
    )
    model = TAOClassifier(split="univariate", init="cart", missing="learn", lam=1.0, random_state=0)
    return model.fit(X, np.array(data.class_names)[data.y]).tree_, data


def texts_of(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_a_subtree_has_its_nodes_and_a_decision_path_its_siblings_closed(grown):
    tree, _ = grown
    below = subtree(tree, int(tree.left[0]))
    assert below.nodes.size + subtree(tree, int(tree.right[0])).nodes.size + 1 == tree.n_nodes
    leaf = int(np.flatnonzero(tree.left < 0)[-1])
    way = way_to(tree, leaf)
    on_way = set(way.nodes[way.parents[1:]].tolist()) | {leaf}
    expected, node = {leaf}, leaf
    while node:
        node = int(tree.parents[node])
        expected.add(node)
    assert on_way == expected
    for place, (words, _) in way.closed.items():
        node = int(way.nodes[place])
        assert node not in expected
        assert words == f"{np.count_nonzero(tree.left[subtree(tree, node).nodes] < 0)} leaves"
    with refused(ParameterError, "leaf=…: this node is not below node"):
        way_to(tree, int(tree.right[0]), int(tree.left[0]))


def test_pages_hold_every_node_once_and_are_never_too_wide_or_high(grown):
    tree, _ = grown
    parts = page_parts(tree, 0, 6, 4)
    assert 1 < len(parts) <= tree.n_leaves / 3
    drawn = np.concatenate([np.delete(part.nodes, list(part.closed)) for part in parts])
    assert sorted(drawn) == list(range(tree.n_nodes))
    tops = [int(part.nodes[place]) for part in parts for place in part.closed]
    assert sorted(tops) == sorted(int(part.nodes[0]) for part in parts[1:])
    for part in parts:
        places = part_layout(part)
        assert places.depth.max() < 4
        assert part.nodes.size - np.unique(part.parents).size + 1 <= 6


def test_pages_are_a_pdf_whose_stubs_name_pages(grown, texts, canvases):
    tree, data = grown
    pdf = pages(tree, data)
    assert pdf.count(b"/Type /Page ") == len(canvases) > 2
    written = [text for _, text in texts]
    named = sorted(int(text[5:]) for text in written if re.fullmatch(r"page \d+", text))
    assert named == list(range(2, len(canvases) + 1))
    for canvas in canvases[:3]:
        assert_legible(canvas)


@pytest.mark.parametrize("which", ["grown", "regression", "missing"])
def test_every_kind_of_part_is_legible(which, canvases, request):
    tree, data = request.getfixturevalue(which)
    figure(tree, data, "png", dpi=100, title="Title $x$")
    figure(tree, data, "png", dpi=100, leaf=tree.n_nodes - 1, size=(5, None))
    node_figure(tree, data, 0, "png", dpi=100)
    node_figure(tree, data, tree.n_nodes - 1, "png", dpi=100)
    for canvas in canvases:
        assert_legible(canvas)


def test_odd_names_are_harmless_in_every_figure(odd_path):
    path, data = odd_path
    tree = path.trees[1]
    for svg in (node_figure(tree, data, 0), figure(tree, data, leaf=tree.n_nodes - 1, title=data.title)):
        assert b"<script" not in svg
        ElementTree.fromstring(svg)
    assert pages(tree, data).startswith(b"%PDF")


def test_a_zip_has_every_node_under_its_number(missing):
    tree, data = missing
    done = []
    block = node_zip(tree, data, "svg", on_node=lambda *progress: done.append(progress))
    assert block == node_zip(tree, data, "svg")
    names = zipfile.ZipFile(io.BytesIO(block)).namelist()
    said = [name.split()[:2] for name in node_names(tree)]
    assert names == [f"{kind}-{int(number):03d}.svg" for kind, number in said]
    assert done[-1] == (tree.n_nodes, tree.n_nodes)
    texts = texts_of(zipfile.ZipFile(io.BytesIO(block)).read(names[0]))
    assert "Node 1 (root)" in texts
    assert any(f"Missing values go {'right' if tree.missing_right[0] else 'left'}." in text for text in texts)


def test_a_large_zip_is_refused():
    data = noisy_table(1500, 3, 3)
    with refused(ParameterError, "301 nodes would require 301 files (maximum …)"):
        zipped_nodes(grown_tree(data, 301, 1))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"size": (0.1, None)}, "width in inches"), ({"size": (11, 1e9)}, "height in inches"), ({"size": 3}, "size=3"),
        ({"dpi": 1e6}, "dpi"), ({"format": "png", "size": (100, 100), "dpi": 600}, "million"), ({"root": -1}, "root=-"),
        ({"leaf": 10**6}, "leaf=1000000"), ({"leaf": 1.5}, "leaf=1.5"), ({"rows": []}, "rows"),
        ({"rows": [9999]}, "9999"), ({"theme": "pink"}, "pink"),
    ],
)  # fmt: skip
def test_bad_parameters_are_explained(grown, changes, message):
    with pytest.raises(ParameterError, match=message):
        figure(*grown, **{"format": "svg", **changes})


def test_data_of_another_tree_are_refused(grown, missing):
    with refused(DataError, "data: expected the data set of the tree, with … features in X"):
        pages(grown[0], missing[1])


def test_sizes_are_those_that_were_asked_for(grown):
    tree, data = grown
    root = ElementTree.fromstring(figure(tree, data, size=(7, 5)))
    assert root.get("width") == "504pt"
    assert root.get("height") == "360pt"
    free = ElementTree.fromstring(figure(tree, data, size=(7, None)))
    assert float(free.get("height").removesuffix("pt")) / 72 <= largest_size(tree, 7)[1]


def test_rows_are_counted_as_they_are_given(missing):
    tree, data = missing
    rows = np.arange(0, len(data.y), 3)
    contents = node_contents(tree, data, rows)
    leaf = tree.apply(data.X[rows])
    right = tree.predict(data.X[rows]) == np.array(data.class_names)[data.y[rows]]
    assert contents.nodes[0].figures.loss == np.count_nonzero(~right)
    for node in np.flatnonzero(tree.left < 0):
        assert contents.nodes[node].figures.n == np.count_nonzero(leaf == node)


def test_bins_count_every_row_on_the_side_to_which_it_goes(missing):
    tree, data = missing
    for node, content in enumerate(node_contents(tree, data).nodes):
        if not isinstance(content, Projection):
            continue
        n_bins, before, _, unit = bins_of(content, 200)
        counts = counts_of(content, n_bins, before, unit, 3)
        assert counts.sum() == content.figures.n
        assert counts[0].sum() == np.isnan(content.values).sum()
        yes = counts[1 + before :] if content.yes_right else counts[1 : 1 + before]
        margins = tree.margins(data.X[:, :], node)
        reached = np.isin(tree.apply(data.X), subtree(tree, node).nodes)
        assert yes.sum() == np.count_nonzero(margins[reached] >= 0)


def test_few_rows_have_few_bins_and_whole_numbers_have_whole_bins(rng):
    assert [most_bins(300, n) for n in (0, 4, 33, 200, 400, 10**6)] == [6, 6, 18, 43, 60, 60]
    X = rng.integers(0, 9, (500, 1)).astype(float)
    data = DataSet("n", "n", X, (X[:, 0] > 4).astype(int), ("x",), ("a", "b"))
    tree = CARTClassifier(max_depth=1).fit(X, data.labels()).tree_
    n_bins, _, low, unit = bins_of(node_contents(tree, data).nodes[0], 300)
    assert (n_bins, unit, low) == (9, 1.0, -0.5)


def test_boxes_of_a_level_do_not_meet(grown):
    tree, data = grown
    from viz.drawing.canvas import Box

    part = subtree(tree)
    places = part_layout(part)
    boxes = node_boxes(node_contents(tree, data), part, places, Box(10, 20, 900, 600))
    for level in range(places.depth.max() + 1):
        row = sorted((boxes[i] for i in np.flatnonzero(places.depth == level)), key=lambda box: box.x)
        assert all(a.left + a.w <= b.left + 1e-6 for a, b in zip(row[:-1], row[1:], strict=True))
    assert all(box.left >= 10 and box.left + box.w <= 910 and box.top >= 20 and box.bottom <= 620 for box in boxes)


def test_regression_leaves_show_their_means_on_a_range_of_colours(regression):
    tree, data = regression
    target = target_of(tree, data)
    leaves = np.flatnonzero(tree.left < 0)
    order = leaves[np.argsort(tree.values[leaves, 1])]
    assert (np.diff(target.group_of(target.outputs(tree)[order])) >= 0).all()
    assert len(set(group_colors(target))) == len(target.groups)
    shown = texts_of(figure(tree, data, size=(30, None)))
    assert {target.answer(mean) for mean in tree.values[leaves, 1]} <= set(shown)


def test_numbers_are_written_as_on_the_stage():
    values = {
        101.3: "101",
        0.1315: "0.132",
        1e-5: "1e−5",
        123456789: "123000000",
        1234567890: "1.23e9",
        -3.5e20: "−3.5e20",
        0.0: "0",
        869: "869",
    }
    assert {value: number(value) for value in values} == values
