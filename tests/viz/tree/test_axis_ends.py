"""Test that axis labels show values of the rows, although the axes extend beyond them.

test_same_drawing.py tests the stage.
"""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.grown_trees import grown_tree, noisy_table
from tests.customers import customer_trees
from treecore.tree.date_text import end_text
from viz.nodes.category_content import CategoryContent
from viz.nodes.node_box import NodeBox
from viz.nodes.node_contents import node_contents
from viz.nodes.node_painter import NodePainter
from viz.nodes.projection import Projection
from viz.nodes.scatter import SplitScatter
from viz.palette import THEMES

BOX = NodeBox(240.0, 250.0, 340.0, 340.0, 444.0, 20.0)


class Texts:
    """A replacement for a canvas and its labels that stores only the texts."""

    theme = THEMES["light"]

    def __init__(self):
        self.found = []

    def add(self, x, y, text, *_, **__):
        self.found.append(text)

    def __getattr__(self, name):
        return lambda *_, **__: None


def from_zero():
    """Return 350 rows with integers from 0 to 2019."""
    data = noisy_table(350, 4, 3)
    ranks = data.X.argsort(axis=0).argsort(axis=0)
    return replace(data, X=np.rint(2019 * ranks / ranks.max()))


@pytest.mark.parametrize("n_features", [1, 2])
def test_the_ends_of_an_axis_are_those_of_the_rows(n_features):
    data = from_zero()
    tree = grown_tree(data, 21, n_features)
    contents = node_contents(tree, data)
    root = contents.nodes[0]
    assert isinstance(root, SplitScatter if n_features == 2 else Projection)
    texts = Texts()
    NodePainter(texts, texts, contents, axes=True).draw(root, BOX)
    told = " ".join(texts.found)
    assert {"0", "0 →"} & {*texts.found}
    if n_features == 1:
        assert {"2019", "← 2019"} & {*texts.found}
    else:
        assert texts.found[:5] == ["0", "500", "1000", "1500", "2000"]
        assert ": 0 to 2019" in told
    assert "−" not in "".join(text for text in texts.found if "·" not in text)


def has_axis(content):
    return isinstance(content, CategoryContent) and content.axis is not None


def test_so_are_those_of_an_axis_by_category():
    drawn = [(node_contents(tree, data), data) for tree, data in customer_trees().values()]
    contents, data = next((one, data) for one, data in drawn if any(map(has_axis, one.nodes)))
    names = [str(name) for name in data.feature_names]
    for content in filter(has_axis, contents.nodes):
        values = data.X[:, names.index(content.axis)]
        bounds = [side[0] for side in content.sides if isinstance(side, tuple)]
        assert min(np.nanmin(values), *bounds) <= content.first <= content.last <= max(np.nanmax(values), *bounds)
        assert content.low < content.first or content.low == min(bounds)


@pytest.mark.parametrize(
    ("value", "text"), [(2019.0, "2019"), (-2.88, "−2.88"), (1278.5, "1280"), (171600.0, "172000")]
)
def test_whole_numbers_keep_their_digits(value, text):
    assert end_text("x", value) == text
