"""Test the stage as a notebook widget: its traits, the content of its cell, and notebooks without widgets."""

import json
import sys

import numpy as np
import pytest
from IPython import get_ipython
from traitlets import TraitError

import sample_data
import viz
from benchmarks.grown_trees import grown_path, grown_tree, noisy_table
from tests.decoded_payload import decoded
from tests.refusals import refused
from treecore import CARTClassifier, RegularizationPath, TAOClassifier, phase_diagram, size_path
from viz.page import notebook, stage_widget
from viz.page.stage_html import packed_code
from viz.page.stage_widget import StageWidget

MOST = 30_000  # maximum bytes of a cell's output


@pytest.fixture(autouse=True)
def in_a_notebook(monkeypatch):
    monkeypatch.setattr(notebook, "_widget_class", lambda: StageWidget)
    monkeypatch.setattr(stage_widget, "_given", set())


@pytest.fixture(scope="module")
def path():
    return grown_path(noisy_table(300, 4), 21, 2, 5)


def outputs(widget, monkeypatch):
    """Return the outputs that a notebook cell stores for a widget."""
    kept = []
    monkeypatch.setattr(stage_widget, "publish_display_data", lambda data, metadata=None: kept.append(data))
    widget._ipython_display_()
    return kept


def test_the_code_comes_with_the_first_widget_and_when_a_page_asks_for_it(path):
    first, second = viz.show(path), viz.show(path[0].tree)
    assert (first.code, second.code) == (packed_code(), b"")
    assert first.version == second.version
    assert first.still != second.still
    second._handle_custom_msg("something else", [])
    assert second.code == b""
    second._handle_custom_msg("code", [])
    assert second.code == packed_code()


def test_a_path_of_sizes_opens_at_its_simplest_good_tree():
    data = sample_data.load("wine")
    train, validation, _ = rows = sample_data.split_rows(data, 0)
    X, y = data.X, data.labels()
    estimator = TAOClassifier("univariate", init="cart", random_state=0)
    path = size_path(estimator, X[train], y[train], range(1, 9), X_val=X[validation], y_val=y[validation])
    best = path.best("one_se")
    widget = viz.show(path, data, rows=rows)
    found = decoded(widget.payload)
    assert widget.tree == found.header["opens"] == found.header["recommended"]["one_se"]
    widget.tree = widget.tree  # also after a report of the page
    assert widget._points[widget.tree].tree == best.tree
    assert path.trees.index(best.tree) != widget.tree  # the largest tree is first on the stage


def test_a_cell_keeps_a_small_picture(monkeypatch, path):
    digits = sample_data.load("digits")
    large = CARTClassifier(max_depth=7, random_state=0).fit(digits.X, digits.labels()).tree_
    assert large.n_leaves > 30
    for widget in (viz.show(path, noisy_table(300, 4)), viz.show(large, digits)):
        picture, live = outputs(widget, monkeypatch)
        assert f'<div class="{widget.still}"><p>' in picture["text/html"]
        assert 'src="data:image/webp;base64,' in picture["text/html"]
        assert live["application/vnd.jupyter.widget-view+json"]["model_id"] == widget.model_id
        assert live["text/plain"] == picture["text/plain"] == repr(widget)
        assert len(json.dumps([picture, live])) <= MOST


def test_too_large_pictures_are_replaced_by_words(monkeypatch, path):
    monkeypatch.setattr(notebook, "MOST_STILL", 10)
    picture, _ = outputs(viz.show(path), monkeypatch)
    assert "<img" not in picture["text/html"]
    assert "run this cell" in picture["text/html"]


def test_lambda_follows_the_tree_and_the_tree_lambda(path):
    lams = [point.lam for point in path]
    widget = viz.show(path)
    seen = []
    widget.observe(lambda change: seen.append((change.name, change.new)), ["tree", "lam"])
    assert widget.lam == lams[widget.tree]
    widget.tree = np.int64(4)
    assert widget.lam == lams[4]
    assert set(seen) == {("tree", 4), ("lam", lams[4])}
    widget.lam = np.sqrt(lams[1] * lams[2]) * 1.01
    assert (widget.tree, widget.lam) == (2, lams[2])
    widget.lam = 1e300
    assert widget.tree == 4
    widget.lam = 0
    assert widget.tree == 0
    widget.set_state({"tree": 3, "node": 0, "selected_rows": []})  # as the browser reports it
    assert widget.lam == lams[3]


def test_lambda_stays_with_the_same_c():
    data = noisy_table(120, 3)
    model = TAOClassifier(split="bivariate", init="cart", max_depth=2, max_iter=1, random_state=0)
    grid = phase_diagram(model, data.X, data.labels(), lams=[0.5, 2.0, 8.0], costs=[1.0, 1.5])
    widget = viz.show(grid, data)
    widget.tree = 3
    widget.lam = 8.0
    assert (grid[widget.tree].lam, grid[widget.tree].cost) == (8.0, grid[3].cost)


def test_rows_and_nodes_are_those_that_there_are(path):
    widget = viz.show(path, noisy_table(300, 4))
    widget.selected_rows = np.flatnonzero(np.arange(300) % 50 == 0)
    assert widget.selected_rows == [0, 50, 100, 150, 200, 250]
    assert all(type(row) is int for row in widget.selected_rows)
    widget.selected_rows = range(3)
    widget.node = path[0].tree.origin[-1]
    assert (widget.selected_rows, widget.node) == ([0, 1, 2], int(path[0].tree.origin[-1]))
    for name, value, code, values in (
        ("selected_rows", [1, 300], "selected_rows contains", {"row": 300, "last": 299}),
        ("selected_rows", [-1], "selected_rows contains", {"row": -1}),
        ("node", 10_000, "node=…: expected an id of tree.origin, or None", {"node": 10_000}),
        ("tree", 5, "tree=…: expected the index of a tree on the path, 0 to", {"value": 5, "last": 4}),
        ("tree", -1, "tree=…: expected the index of a tree on the path, 0 to", {"value": -1}),
        ("lam", -1.0, "lam=…: expected a number >= 0", {"lam": -1.0}),
        ("lam", float("nan"), "lam=…: expected a number >= 0", {}),
        ("lam", None, "lam=…: expected a number >= 0", {"lam": None}),
    ):
        before = getattr(widget, name)
        with refused(TraitError, code, **values):
            setattr(widget, name, value)
        assert getattr(widget, name) == before
    with pytest.raises(TraitError, match="tree"):
        widget.tree = "first"


def test_a_tree_alone_has_no_path_and_without_data_no_rows():
    tree = grown_tree(noisy_table(300, 4), 21, 2)
    widget = viz.show(tree, height=500)
    assert (widget.tree, widget.lam, widget.height) == (0, None, 500)
    with refused(TraitError, "lam=…: a single tree has only one λ"):
        widget.lam = 1.0
    with refused(TraitError, "selected_rows: the trees are shown without data"):
        widget.selected_rows = [0]
    assert tree._repr_html_().startswith("<iframe")  # a tree alone works in any notebook program


def test_without_a_notebook_or_anywidget_it_is_the_stage_in_a_frame(monkeypatch, path):
    monkeypatch.undo()
    assert isinstance(viz.show(path), notebook.Shown)
    kernel = type("Shell", (), {"kernel": None})()
    monkeypatch.setattr(sys.modules[get_ipython.__module__.partition(".")[0]], "get_ipython", lambda: kernel)
    assert isinstance(viz.show(path), StageWidget)
    monkeypatch.setitem(sys.modules, "viz.page.stage_widget", None)
    assert isinstance(viz.show(path), notebook.Shown)


def test_a_tree_that_ends_a_cell_is_a_widget_in_a_notebook_and_html_elsewhere(monkeypatch):
    tree = grown_tree(noisy_table(300, 4), 21, 2)
    kept = []
    monkeypatch.setattr(stage_widget, "publish_display_data", lambda data, metadata=None: kept.append(data))
    tree._ipython_display_()
    assert "application/vnd.jupyter.widget-view+json" in kept[1]
    monkeypatch.setattr(notebook, "MOST_BYTES", 10)
    with pytest.raises(NotImplementedError):  # the tree is too large for a stage, so a figure is drawn
        tree._ipython_display_()
    monkeypatch.setattr(notebook, "_widget_class", lambda: None)
    with pytest.raises(NotImplementedError):
        tree._ipython_display_()
    with pytest.raises(NotImplementedError):
        RegularizationPath((), 0)._ipython_display_()
    assert len(kept) == 2
