"""Test the list of other splits on the Edit page: facts, filters, taking one, undo, and nodes without splits."""

from dataclasses import replace

import numpy as np
import pytest

from pages.jobs.point import Point
from pages.ui.edit import edit_state, edit_training, other_splits
from pages.ui.session import data_sets
from pages.ui.session.chosen_tree import ChosenTree
from tests.pages.ui.edit.test_edit import checked, now, opened, reported
from treecore import TAOClassifier, TAORegressor, candidate_splits
from treecore.training.reoptimise import tree_record
from treecore.tree.editing import tree_document


def chosen_tree(name, lam=0.5, split="univariate", **parameters):
    data, rows = data_sets.load(name), data_sets.rows(name, 0)
    kind = TAOClassifier if data.class_names else TAORegressor
    model = kind(split=split, init="cart", lam=lam, random_state=0, **parameters)
    tree = model.fit(data.X[rows[0]], data.labels()[rows[0]]).tree_.with_names(data.feature_names)
    return ChosenTree(f"{name}-others", data.title, Point(0, lam, tree, {}), data, rows, {"split": split})


@pytest.fixture(scope="module")
def abalone():
    return chosen_tree("abalone", 50.0)


@pytest.fixture(scope="module")
def iris():
    return chosen_tree("iris")


def with_list(chosen):
    app = opened(chosen)
    assert not app.radio
    return checked(app.toggle(key="edit-others").set_value(True).run())


def test_the_list_has_the_splits_of_the_library(iris):
    app = with_list(iris)
    (listed,) = app.radio
    assert listed.label == "Node 1: rows go right if"
    rows = edit_state.rows_of(iris)
    estimator = edit_training.estimator(iris, is_constrained=True)
    found = candidate_splits(iris.tree, 0, rows.X, rows.y, estimator=estimator, n=other_splits.MOST + 1)
    assert len(listed.options) == other_splits.MOST
    first, caption = found[0], listed.proto.captions[0]
    if first.agreement == 1.0 and first.change == 0.0 and first.features == tuple(iris.tree.split(0)[0].tolist()):
        first = found[1]  # the page leaves out the present split
    assert iris.tree.feature_name(first.features[0]).partition(" (")[0] in listed.options[0]
    assert f"{first.n_left:,} rows left, {first.n_right:,} right" in caption
    assert "After one pass of TAO below: objective" in caption
    assert "validation error" in caption


def test_filters_choose_features_and_kinds(iris):
    app = with_list(iris)
    checked(app.multiselect(key="edit-other-without").set_value(["petal length (cm)", "petal width (cm)"]).run())
    assert all("petal" not in text for text in app.radio[0].options)
    checked(app.multiselect(key="edit-other-with").set_value(["sepal width (cm)"]).run())
    assert all("sepal width" in text for text in app.radio[0].options)
    kinds = next(one for one in app.get("button_group") if one.label == "Kinds")
    checked(kinds.set_value(["univariate"]).run())
    assert len(app.radio[0].options) == 1


def test_a_split_is_taken_locked_and_the_rest_is_optimised_around_it(abalone):
    app = with_list(abalone)
    root = abalone.tree.feature_name(int(abalone.tree.split(0)[0][0]))
    checked(app.multiselect(key="edit-other-without").set_value([root]).run())
    condition = app.radio[0].options[0]
    app = checked(next(one for one in app.button if one.label == "Use this split").click().run())
    edit = now(app, abalone)
    assert edit.fault is None
    assert edit.locked == (int(abalone.tree.origin[0]),)
    assert root not in [abalone.tree.feature_name(int(j)) for j in edit.tree.split(0)[0]]
    assert edit.note.startswith(f"Node 1 is locked with {condition}. TAO re-optimised the other nodes: training RMSE ")
    rows = edit_state.rows_of(abalone)
    estimator = edit_training.estimator(abalone, is_constrained=True)
    start, _ = other_splits._with(abalone, rows, edit_state.new_edit(abalone, rows), 0, _split_of(edit.tree))
    assert (
        tree_record(edit.tree, rows.X, rows.y, estimator).objective
        <= tree_record(start, rows.X, rows.y, estimator).objective + 1e-9
    )
    reported(app, abalone, tree_document(abalone.tree), turn=2)
    restored = now(app, abalone).tree
    np.testing.assert_allclose(restored.predict(rows.X), abalone.tree.predict(rows.X), rtol=1e-9)
    assert (restored.n_leaves, now(app, abalone).locked) == (abalone.tree.n_leaves, ())


def _split_of(tree):
    from treecore.tree.split import Split

    features, weights, bias = tree.split(0)
    return Split(features, weights, bias, 0.0, False)


def test_a_single_leaf_is_grown(iris):
    leaf = TAOClassifier("univariate", lam=1e6, random_state=0)
    rows = edit_state.rows_of(iris)
    tree = leaf.fit(rows.X, rows.y).tree_.with_names(iris.data.feature_names)
    assert tree.n_leaves == 1
    alone = replace(iris, name="iris-leaf", base="iris-leaf", point=Point(0, 0.5, tree, {}))
    app = with_list(alone)
    assert "agreement" not in app.radio[0].proto.captions[0]
    app = checked(next(one for one in app.button if one.label == "Use this split").click().run())
    assert now(app, alone).tree.n_leaves >= 2


@pytest.mark.parametrize("name", ["iris", "abalone"])
def test_a_tree_is_grown_from_one_leaf(name, request):
    chosen = request.getfixturevalue(name)
    app = checked(with_list(chosen).button(key="edit-one-leaf").click().run())
    edit = now(app, chosen)
    assert (edit.fault, edit.tree.n_leaves, edit.locked) == (None, 1, ())
    assert f"leaves {chosen.tree.n_leaves} → 1" in edit.note
    rows = edit_state.rows_of(chosen)
    assert edit.tree.predict(rows.X[:1])[0] == pytest.approx(chosen.tree.predictions[0])
    assert app.button(key="edit-one-leaf").disabled
    app = checked(next(one for one in app.button if one.label == "Use this split").click().run())
    assert now(app, chosen).tree.n_leaves == 2
    assert now(app, chosen).locked == (int(chosen.tree.origin[0]),)


def test_a_worse_tree_of_the_optimiser_is_not_kept(abalone, monkeypatch):
    real = edit_training.reoptimised

    def worse(chosen, rows, edit, on_wait):
        after = real(chosen, rows, edit, on_wait)
        leaf = other_splits.start_with_one_leaf(chosen, rows, after, on_wait)
        return replace(after, tree=leaf.tree, document=leaf.document)

    monkeypatch.setattr(edit_training, "reoptimised", worse)
    app = with_list(abalone)
    condition = app.radio[0].options[0]
    app = checked(next(one for one in app.button if one.label == "Use this split").click().run())
    edit = now(app, abalone)
    assert edit.tree.n_leaves == abalone.tree.n_leaves
    assert edit.note.startswith(f"Node 1 is locked with {condition}. TAO found no better tree around it: ")


def test_a_node_without_splits_says_why(iris):
    pure = next(
        int(iris.tree.origin[k])
        for k in range(iris.tree.n_nodes)
        if iris.tree.left[k] < 0 and iris.tree.values[k].max() == iris.tree.values[k].sum()
    )
    app = opened(iris)
    app.session_state["stage-edit"] = {"view": {"key": f"{iris.name}-edit", "turn": 0, "node": pure, "tree": 0}}
    app = checked(app.toggle(key="edit-others").set_value(True).run())
    assert not app.radio
    assert any("all of them have the same class" in one.value for one in app.info)


@pytest.mark.parametrize("name", ["diabetes", "digits"])
def test_numbers_and_images(name):
    chosen = chosen_tree(name, 20.0)
    app = with_list(chosen)
    if name == "diabetes":
        assert "squared errors" in app.radio[0].proto.captions[0]
    app = checked(next(one for one in app.button if one.label == "Use this split").click().run())
    edit = now(app, chosen)
    assert edit.fault is None
    assert np.isfinite(edit.tree.n_leaves)
