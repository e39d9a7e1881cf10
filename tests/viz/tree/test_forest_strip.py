"""Test that the thumbnails of a forest's trees are to scale, coloured by prediction, and in one image."""

import re
from xml.dom.minidom import parseString

import numpy as np
import pytest
import xgboost
from sklearn.ensemble import ExtraTreesRegressor, IsolationForest, RandomForestClassifier
from sklearn.preprocessing import StandardScaler

import sample_data
import viz
from tests.refusals import refused
from treecore import CARTClassifier, CARTRegressor, CO2ForestClassifier, ParameterError, TreeFormatError, from_sklearn
from viz.palette import class_color
from viz.tree.thumbnails import GAP, HEIGHT, WIDTH, small_drawings, thumbnails


@pytest.fixture(scope="module")
def wine():
    data = sample_data.load("wine")
    return data.X, data.labels()


def parts(picture):
    """Return [(colour, opacity, x, y, width, height)] of a thumbnail."""
    return [
        (path.getAttribute("fill"), float(path.getAttribute("fill-opacity")), *map(float, shape))
        for path in parseString(picture).getElementsByTagName("path")
        for shape in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h", path.getAttribute("d"))
    ]


def test_a_node_is_as_wide_as_its_share_of_the_rows(wine):
    tree = CARTClassifier(max_depth=2).fit(*wine).tree_
    (picture,) = thumbnails([tree])
    found = sorted(parts(picture), key=lambda part: (part[3], part[2]))
    assert len(found) == tree.n_nodes
    assert max(y + height for *_, y, _, height in found) <= HEIGHT
    level = [node for node in (tree.left[0], tree.right[0])]
    for node, (color, opacity, _, _, width, _) in zip(level, found[1:3], strict=True):
        assert width + GAP == pytest.approx(WIDTH * tree.n_samples[node] / tree.n_samples[0], abs=0.06)
        assert color == class_color(int(tree.labels[node]))
        assert (opacity == 1) == (tree.left[node] < 0)


def test_numbers_share_one_ramp():
    data = sample_data.load("diabetes")
    forest = ExtraTreesRegressor(3, max_leaf_nodes=5, random_state=0).fit(data.X, data.y)
    trees = [from_sklearn(forest, tree=number) for number in range(3)]
    everything = {part[0] for picture in thumbnails(trees) for part in parts(picture)}
    assert everything != {part[0] for tree in trees for part in parts(thumbnails([tree])[0])}
    assert thumbnails(trees, "dark") != thumbnails(trees)
    assert thumbnails([]) == []


def test_the_strip_of_forests(wine):
    X, y = wine
    ours = CO2ForestClassifier(3, base="univariate", random_state=0).fit(X, y)
    scaled = StandardScaler().fit(X).transform(X)
    theirs = RandomForestClassifier(60, max_depth=3, random_state=0).fit(scaled, y)
    boosted = xgboost.XGBClassifier(n_estimators=2).fit(X, np.unique(y, return_inverse=True)[1])
    for model, number, tree in (
        (ours, 2, ours.estimators_[2]),
        (theirs, 55, from_sklearn(theirs, tree=55)),
        (boosted, 5, None),
    ):
        text = viz.forest_strip(model, first=number, most=1).decode()
        parseString(text)
        assert f"Tree {number} · " in text
        assert tree is None or f"{tree.n_leaves} leaves" in text
        shown = viz.show(model)
        assert "trees" in repr(shown)
        assert "data:image/svg+xml" in shown._repr_html_()
    assert viz.forest_strip(theirs).decode().count("Tree ") == 50
    assert "first 50" in repr(viz.show(theirs))
    with refused(ParameterError, "Use … for a single tree, or viz.forest_strip(model) for all trees") as caught:
        viz.figure(ours, X, y)
    assert "estimators_[0]" in str(caught.value)


def test_what_is_no_forest_or_no_number_of_a_tree(wine):
    forest = RandomForestClassifier(3, max_depth=2).fit(*wine)
    for model in (CARTClassifier().fit(*wine), RandomForestClassifier(), 3, None):
        with refused(ParameterError, "model=…: expected a fitted forest (a model of several trees)"):
            viz.forest_strip(model)
    with pytest.raises(TreeFormatError, match="IsolationForest is not supported"):
        viz.forest_strip(IsolationForest(n_estimators=2).fit(wine[0]))
    for given in ({"first": 3}, {"most": 51}, {"most": 0}, {"first": -1}, {"theme": "loud"}):
        with pytest.raises(ParameterError):
            viz.forest_strip(forest, **given)


@pytest.mark.parametrize("name", ["wine", "diabetes"])
def test_a_small_drawing_has_every_node_and_edge_inside(name):
    data = sample_data.load(name)
    kind = CARTClassifier if data.target.values_are_groups else CARTRegressor
    tree = kind(max_depth=4, random_state=0).fit(data.X, data.labels()).tree_
    drawing = parseString(small_drawings([tree])[0])
    boxes = [one for one in drawing.getElementsByTagName("rect") if one.hasAttribute("rx")]
    assert len(boxes) == tree.n_nodes
    assert len(drawing.getElementsByTagName("path")) == tree.n_nodes - 1
    for box in boxes:
        x, y, width = (float(box.getAttribute(side)) for side in ("x", "y", "width"))
        assert -0.1 <= x <= WIDTH - width + 0.1
        assert -0.1 <= y <= HEIGHT - width + 0.1
    assert small_drawings([tree], "dark") != small_drawings([tree])
    assert small_drawings([]) == []
