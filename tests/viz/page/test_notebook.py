"""Test trees in a notebook: an escaped frame with the stage, and figures and rules without the stage."""

import html
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

import viz
from benchmarks.grown_trees import grown_path, grown_tree, noisy_table
from tests.browser.stage_examples import HOSTILE
from tests.decoded_payload import decoded
from tests.refusals import refused
from treecore import CARTRegressor, RegularizationPath, notebook
from treecore.tree.classes import Classes
from viz.page import notebook as pictures
from viz.payload.stage_payload import stage_payload
from viz.tree.bare_data import BareData


def counted(n_features):
    """Return a tree whose number of rows is the sum of its counts."""
    tree = grown_tree(noisy_table(300, 4, 3), 21, n_features)
    return replace(tree, n_samples=tree.values.sum(axis=1).astype(int))


def document(text):
    """Return the source of the document in the only frame of some HTML."""
    frames = re.findall(r'<iframe srcdoc="([^"]*)"', text)
    assert len(frames) == 1
    return html.unescape(frames[0])


def test_a_tree_shows_itself_without_its_rows():
    data = noisy_table(300, 4)
    tree = grown_tree(data, 21, 2)
    page = document(tree._repr_html_())
    assert page.startswith("<!doctype html>")
    assert len(page) < 300_000
    assert "http" not in page.split("<script")[0].replace("http-equiv", "")


@pytest.mark.parametrize("n_features", [1, 2, 4])
def test_the_payload_of_a_bare_tree_has_what_the_tree_stores(n_features):
    tree = counted(n_features)
    found = decoded(stage_payload(tree, BareData.of(tree)))
    leaves = tree.left < 0
    assert found["sample_rows"].size == found["sample_X"].size == 0
    np.testing.assert_array_equal(found["counts_0"].reshape(-1, tree.classes.size), tree.values[leaves])
    assert np.isfinite(found["deviation"]).all()


def test_weights_are_turned_into_rows():
    tree = counted(2)
    leaves = tree.left < 0
    names = [str(label) for label in tree.classes.tolist()]
    target = Classes((names[1], names[2], names[0], "another"))
    counts, wrong = target.leaf_counts(replace(tree, values=tree.values * 0.37))
    np.testing.assert_array_equal(counts[:, [2, 0, 1]], tree.values[leaves])
    assert not counts[:, 3].any()
    np.testing.assert_array_equal(wrong, tree.values[leaves].sum(axis=1) - tree.values[leaves].max(axis=1))


def test_hostile_names_stay_inside_the_frame():
    data = noisy_table(300, len(HOSTILE), len(HOSTILE))
    tree = grown_tree(data, 15, 3).with_names(HOSTILE)
    text = viz.show(tree).html
    assert re.sub(r'srcdoc="[^"]*"', "", text).count("<") == 2
    assert all(name not in text for name in HOSTILE if "<" in name)


def test_what_is_too_large_is_a_figure(monkeypatch):
    monkeypatch.setattr(pictures, "MOST_BYTES", 1000)
    tree = grown_tree(noisy_table(300, 2), 21, 2)
    text = tree._repr_html_()
    assert "11 leaves" in text
    assert '<img alt="Decision tree with 11 leaves, depth' in text
    monkeypatch.setattr(pictures, "MOST_DRAWN", 3)
    assert "<img" not in tree._repr_html_()


def test_a_tree_of_numbers_is_on_a_stage():
    X, y = load_diabetes(return_X_y=True)
    tree = CARTRegressor(random_state=0).fit(X, y).tree_
    assert tree._repr_html_().startswith("<iframe srcdoc=")


def test_bad_arguments_are_refused():
    tree = grown_tree(noisy_table(300, 2), 21, 2)
    with refused(ValueError, "height=…: expected 200 to 4000 pixels"):
        viz.show(tree, height=10)
    with refused(ValueError, "The path has no trees"):
        viz.show([])
    with refused(ValueError, "data has … features, but the tree has"):
        viz.show(tree, noisy_table(300, 3))
    assert RegularizationPath((), 0)._repr_html_() is None


def test_the_words_say_what_is_shown():
    path = grown_path(noisy_table(300, 4), 21, 2, 3)
    assert repr(viz.show(path)) == "Path of 3 decision trees with 11 to 5 leaves"
    assert repr(viz.show(path[0].tree)).startswith("Decision tree with 11 leaves")


def test_the_engine_works_without_pictures(monkeypatch):
    tree = grown_tree(noisy_table(300, 2), 21, 2)
    monkeypatch.setitem(sys.modules, "viz.page.notebook", None)
    assert notebook.cell_html(tree) is tree._repr_html_() is None
    monkeypatch.setattr(notebook, "_slot", {})
    monkeypatch.setattr(notebook, "PROVIDERS", ("no_such_package",))
    assert tree._repr_html_() is None


def test_other_pictures_can_be_put_into_the_slot(monkeypatch):
    monkeypatch.setattr(notebook, "_slot", {})
    notebook.show_with(lambda tree: f"<p>{tree.n_nodes} nodes</p>")
    assert grown_tree(noisy_table(300, 2), 21, 2)._repr_html_() == "<p>21 nodes</p>"
