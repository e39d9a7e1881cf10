"""Test that figures and stage draw the same: positions, ends of axes, bins, shapes, sizes, texts.

The browser's modules run once, in plain Node, on the bytes that the browser receives. Parts that only figures have are
left out: conditions on several lines and names of axes in the tree.
"""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sample_data
from benchmarks.grown_trees import Point, grown_path, grown_tree, noisy_table
from tests.browser.stage_examples import with_holes
from tests.customers import customer_trees
from tests.treecore.tree.test_decision_text import pair_tree
from viz.drawing.canvas import Box
from viz.drawing.labels import Labels
from viz.nodes.category_content import CategoryContent
from viz.nodes.node_box import NodeBox
from viz.nodes.node_content import Decision
from viz.nodes.node_contents import node_contents
from viz.nodes.node_painter import NodePainter
from viz.nodes.scatter import SplitScatter
from viz.palette import THEMES, named, rgba
from viz.payload.stage_payload import stage_payload
from viz.tree import tree_drawing, tree_places
from viz.tree.layout import Layout, free_room, layout_in_path, path_layout, tidy_places
from viz.tree.tree_part import TreePart, part_layout, part_places
from viz.tree.tree_places import level_rooms, node_boxes
from viz.words import text_fit

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not there: the stage's modules cannot run")
PLOT = NodeBox(240.0, 250.0, 340.0, 340.0, 444.0, 20.0)
LEAF_PLOT = PLOT._replace(w=200.0, h=50.0)
MARGINS = (18, 20, 10)  # left and right, top, bottom; as in viz/stage/geometry/places.js
SIZES = ((420, 260), (1300, 700))
THEME = THEMES["light"]
TICK = [1, 3]  # width and height of a tick on an axis of dates


def digits():
    """Return 600 images."""
    data = sample_data.load("digits")
    return replace(data, X=data.X[:600], y=data.y[:600])


def with_sides(tree):
    """Return the tree with a side for missing values at every decision node."""
    return replace(tree, missing_right=((np.arange(tree.n_nodes) % 3 != 1) & (tree.left >= 0)).astype(np.uint8))


def examples():
    """Return {name: (trees, data)} with examples of every kind.

    The kinds are one, two and more features, images, the plane, missing values, a path, one leaf, categories and dates.
    """
    table, plane = noisy_table(900, 6, 4), replace(sample_data.load("clouds"))
    holed = with_holes(table)
    made = {f"{n} of a table": ([grown_tree(table, 41, n)], table) for n in (1, 2, 6)}
    made |= {f"{n} with holes": ([with_sides(grown_tree(table, 21, n))], holed) for n in (1, 2, 5)}
    made["images"] = ([grown_tree(digits(), 31, 30)], digits())
    made["plane"] = ([grown_tree(plane, 15, 2)], plane)
    made["path"] = ([point.tree for point in grown_path(table, 61, 3, 3)], table)
    made["leaf"] = ([grown_tree(table, 1, 2)], table)
    for target in ("dates", "hours", "lengths"):
        tree, data = pair_tree(target)
        made[f"difference of {target}"] = ([tree], data)
    for name, (tree, data) in customer_trees().items():
        has_holes = "turned" in name
        made[name] = ([with_sides(tree) if has_holes else tree], with_lost_cells(data) if has_holes else data)
    return made


def with_lost_cells(data):
    """Return customers, some without a tariff and others without an age."""
    X = data.X.copy()
    X[::9, :3] = X[4::13, 5] = np.nan
    return replace(data, X=X)


def cases_of(trees):
    """Return the cases to draw for the trees of a path: tree, size and collapsed nodes."""
    asked = []
    for index, tree in enumerate(trees):
        closed = [int(tree.origin[node]) for node in np.flatnonzero(tree.left >= 0)[2::4]]
        for width, height in SIZES:
            for collapsed, kept, fills in (
                ([], False, False),
                (closed, False, False),
                ([], True, False),
                ([], False, True),
            ):
                case = {"tree": index, "width": width, "height": height, "collapsed": collapsed}
                asked.append(case | {"kept": kept, "fills": fills})
    return asked


def browser_width(text, pixels, bold=False):
    """Return the width of a text as in `tests/stage/drawings.js`."""
    return 0.5 * pixels * len(text)


def crowd():
    """Return overlapping labels, with the fields of `Label`, which have the same names in the browser."""
    rng = np.random.default_rng(0)
    labels = []
    for i in range(250):
        x, y = rng.uniform(100, 600), rng.uniform(100, 400)
        label = {"x": x, "y": y, "text": f"label {i}" * rng.integers(1, 3), "size": float(rng.choice([12, 13, 14]))}
        label |= {"color": "#123456", "room": 300.0, "align": str(rng.choice(["left", "center", "right"]))}
        labels.append(label | ({"background": "#ffffff", "least": 40.0} if i % 3 == 0 else {"whole": True}))
    return labels


@pytest.fixture(scope="module")
def browser_drawings(tmp_path_factory):
    """Return (list of (name, tree, trees, data, case, the browser's drawing), the labels of `crowd` that it writes)."""
    folder, asked, browser_drawings = tmp_path_factory.mktemp("drawings"), [], []
    for name, (trees, data) in examples().items():
        file = folder / name
        file.write_bytes(stage_payload([Point(0.1 + i, tree) for i, tree in enumerate(trees)], data))
        cases = cases_of(trees)
        asked.append({"file": str(file), "cases": cases})
        browser_drawings.append([(name, trees[case["tree"]], trees, data, case) for case in cases])
    done = subprocess.run(
        [NODE, Path(__file__).parents[2] / "stage" / "drawings.js"],
        input=json.dumps({"labels": crowd(), "paths": asked}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    drawn = [
        (*one, answer)
        for some, found in zip(browser_drawings, answers["paths"], strict=True)
        for one, answer in zip(some, found, strict=True)
    ]
    return drawn, answers["labels"]


@pytest.fixture
def both(browser_drawings):
    """Return the first item of `told`."""
    return browser_drawings[0]


class Recorder:
    """A replacement for a Canvas and its Labels that stores the shapes like `tests/stage/drawings.js`.

    A shape is [kind, numbers, colour, width].
    """

    theme, format = THEME, "svg"

    def __init__(self):
        self.done = []

    def clean(self, text):
        return text

    def rectangle(self, left, top, width, height, color="none", edge="none", line=1.0, layer=3.0):
        numbers = [left, top, width, height]
        if color != "none":
            self.done.append(["rectangle", numbers, color, 0])
        if edge != "none":
            self.done.append(["frame", numbers, edge, line])

    def polygon(self, corners, color, layer=3.0):
        self.done.append(["fill", np.ravel(corners).tolist(), color, 0])

    def line(self, places, color, width=1.0, layer=3.0, cap="butt"):
        self.done.append(["line", np.ravel(places).tolist(), color, width])

    def bend(self, start, stop, width, color, layer=1.0, cap="round"):
        middle = (start[1] + stop[1]) / 2
        numbers = [*start, start[0], middle, stop[0], middle, *stop]
        self.done.append(["curve", numbers, color, width])

    def dots(self, places, diameter, colors, layer=3.0, edge="none", line=0.5):
        many = [colors] * len(places) if isinstance(colors, str) else colors
        for (x, y), color in zip(places, many, strict=True):
            self.done.append(["dot", [x, y, diameter / 2], color, 0])

    def image(self, pixels, left, top, width, height, layer=2.0):
        self.done.append(["image", [left, top, width, height, *np.ravel(pixels).tolist()], "", 0])

    def add_lines(self, labels):
        for label in labels:
            self.add(*label[:6], align=label.align)

    def add(self, x, y, text, size, color, room, align="center", **others):
        self.done.append([f"text: {align} {text}", [x, y, size, room], color, 0])


@pytest.fixture
def plain(monkeypatch):
    """Draw figures without the parts that only figures have, and with the text widths of the browser."""
    monkeypatch.setattr(text_fit, "width", browser_width)
    monkeypatch.setattr(tree_places, "_n_lines", lambda *_: 1)
    monkeypatch.setattr(tree_places, "_is_named", lambda *_: False)
    for kind in (Decision, SplitScatter, CategoryContent):
        monkeypatch.setattr(kind, "lines", lambda content, room, most: ("condition",))


def placed(tree, trees, case, nodes):
    """Return (TreePart of the nodes that the browser shows, their Layout, heights of the levels)."""
    place = {node: i for i, node in enumerate(nodes)}
    parents = np.array([place.get(int(tree.parents[node]), -1) for node in nodes])
    is_right = np.array([tree.parents[node] >= 0 and tree.right[tree.parents[node]] == node for node in nodes])
    part = TreePart(np.array(nodes), parents, is_right, {})
    if case["fills"]:
        return part, None, None
    if not case["kept"]:
        places = part_layout(part)
        return part, places, level_rooms(places)
    whole = path_layout(trees)
    room = free_room(whole.x, whole.depth, whole.n_slots)
    rooms = level_rooms(Layout(whole.x, whole.depth, room, whole.n_slots))
    return part, part_places(part, layout_in_path(tree, whole)), rooms


def boxes_of(tree, trees, data, case, nodes):
    """Return (TreeContents, TreePart, list of NodeBox) for the drawing of a case."""
    part, places, rooms = placed(tree, trees, case, nodes)
    side, top, bottom = MARGINS
    box = Box(side, top, case["width"] - 2 * side, case["height"] - top - bottom)
    contents = node_contents(tree, data)
    return contents, part, node_boxes(contents, part, places, box, rooms)


def normal(drawn, tint, axes=True, box=None):
    """Return the sorted drawing as {(kind, colour): float64[k, numbers + 1]}, without points outside `box`."""
    found = {}
    for kind, numbers, color, width in drawn:
        is_condition = kind.startswith("caption:") and color == THEME.text
        if is_condition or kind.startswith(("text: center condition", "outline")):
            continue
        if kind.startswith("axis:") and not axes:
            continue
        if kind == "rectangle" and not axes and numbers[2:] == TICK:
            continue
        if (
            kind == "dot"
            and box
            and not (abs(numbers[0] - box.x) <= box.w / 2 and abs(numbers[1] - box.y) <= box.h / 2)
        ):
            continue
        if ":" in kind:
            kind = "text:" + kind.split(":", 1)[1]
        color = "tint" if color in tint else color
        if kind == "fill" and len(numbers) == 8:
            x, y = numbers[::2], numbers[1::2]
            if 1 in (len({*np.round(x, 6)}), len({*np.round(y, 6)})):
                continue
            if len({*np.round(x, 6)}) == len({*np.round(y, 6)}) == 2:
                kind, numbers = "rectangle", [min(x), min(y), max(x) - min(x), max(y) - min(y)]
        if kind == "fill":
            corners = np.reshape(numbers, (-1, 2))
            numbers = corners[np.lexsort(np.round(corners.T, 4))].ravel().tolist()
        if kind == "line":
            ends = sorted([numbers[:2], numbers[2:]])
            numbers = ends[0] + ends[1]
        if kind == "rectangle" and (numbers[2] <= 0 or numbers[3] <= 0):
            continue
        found.setdefault((kind, color, len(numbers)), []).append([*numbers, width])
    return {key: np.array(rows)[np.lexsort(np.round(np.transpose(rows), 3)[::-1])] for key, rows in found.items()}


TINT = (named(THEME, "tint"), rgba(named(THEME, "tint")))


def assert_same(ours, theirs, slack, name):
    """Assert that every shape on one side has a counterpart at the same position on the other side."""
    assert ours.keys() == theirs.keys(), name
    for key, rows in ours.items():
        np.testing.assert_allclose(theirs[key], rows, atol=slack.get(key[0], 0.01), err_msg=f"{name}: {key}")


def test_nodes_stand_in_the_same_slots(both):
    for _, tree, trees, _, case, answer in both:
        nodes = answer["nodes"]
        part, _, _ = placed(tree, trees, case | {"kept": False, "fills": False}, nodes)
        np.testing.assert_allclose(
            answer["slots"], tidy_places(part.parents, part.is_right.astype(np.int64)), atol=1e-9
        )


def test_nodes_have_the_same_boxes(both, plain):
    for name, tree, trees, data, case, answer in both:
        _, _, boxes = boxes_of(tree, trees, data, case, answer["nodes"])
        ours = [(box.x, box.y, box.w, box.h, box.room, box.below) for box in boxes]
        np.testing.assert_allclose(answer["boxes"], ours, atol=1e-3, err_msg=f"{name} {case}")


def test_edges_are_the_same(both, plain):
    for name, tree, trees, data, case, answer in both:
        contents, part, boxes = boxes_of(tree, trees, data, case, answer["nodes"])
        canvas = Recorder()
        tree_drawing.draw_edges(NodePainter(canvas, canvas, contents), part, boxes)
        assert_same(normal(canvas.done, TINT), normal(answer["edges"], TINT), {}, f"{name} {case}")


@pytest.mark.parametrize("large", [False, True])
def test_pictures_of_nodes_are_the_same(both, plain, large):
    n_drawn = 0
    for name, tree, trees, data, case, answer in both:
        contents, _, boxes = boxes_of(tree, trees, data, case, answer["nodes"])
        if large and (case["width"], case["collapsed"], case["kept"], case["fills"]) != (SIZES[0][0], [], False, False):
            continue
        for node, box, theirs in zip(answer["nodes"], boxes, answer["plots" if large else "pictures"], strict=True):
            content = contents.nodes[node]
            # In a scatter plot inside the tree, names of axes have other positions.
            axes = large or not isinstance(content, SplitScatter)
            canvas = Recorder()
            box = (LEAF_PLOT if tree.left[node] < 0 else PLOT) if large else box
            NodePainter(canvas, canvas, contents, axes=large).draw(content, box)
            slack = {"image": 3.0}  # the colour scales of the stage have 255 steps
            assert_same(
                normal(canvas.done, TINT, axes, box), normal(theirs, TINT, axes, box), slack, f"{name} {node} {case}"
            )
            n_drawn += len(canvas.done)
    assert n_drawn > 1000


def test_the_same_labels_find_room(browser_drawings, monkeypatch):
    monkeypatch.setattr(text_fit, "width", browser_width)
    found = []
    canvas = Recorder()
    canvas.width = canvas.height = 1e6
    canvas.text = lambda x, y, text, *_, align, **__: found.append(text)
    labels = Labels(canvas)
    for label in crowd():
        labels.add(**label)
    labels.draw()
    assert found == [text for text, _, _ in browser_drawings[1]]
    assert 30 < len(found) < 200
