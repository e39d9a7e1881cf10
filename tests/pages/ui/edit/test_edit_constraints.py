"""Test that edits against the constraints of the training are described, and that re-optimising restores them."""

from dataclasses import replace

import numpy as np
import pytest

from pages.jobs.kinds.constraint_values import monotone_signs, tree_constraints
from pages.jobs.point import Point
from pages.ui.edit import edit_training
from pages.ui.edit.edit_numbers import broken_constraints
from pages.ui.edit.edit_state import rows_of
from pages.ui.session import data_sets
from pages.ui.session.chosen_tree import ChosenTree
from tests.refusals import is_said
from treecore import TAORegressor
from treecore.tree.editing import edited_tree, tree_document

GIVEN = {
    "split": "univariate",
    "leaf": "constant",
    "monotonic_cst": "body mass index=1,blood pressure=1",
    "interaction_cst": "pairwise",
    "feature_costs": "blood sugar=5",
    "max_leaf_nodes": 9,
}


@pytest.fixture(scope="module")
def chosen():
    data = data_sets.load("diabetes")
    rows = data_sets.rows("diabetes", 0)
    signs = [int(name in ("body mass index", "blood pressure")) for name in data.feature_names]
    estimator = TAORegressor(
        split="univariate", init="cart", lam=2e4, max_depth=4, max_leaf_nodes=9, interaction_cst="pairwise",
        monotonic_cst=signs, random_state=0,
    )  # fmt: skip
    tree = estimator.fit(data.X[rows[0]], data.labels()[rows[0]]).tree_.with_names(data.feature_names)
    return ChosenTree("constrained", "Diabetes", Point(0, 2e4, tree, {}), data, rows, GIVEN)


def test_constraints_are_read_from_texts_and_lists(chosen):
    names = list(chosen.data.feature_names)
    constraints = chosen.constraints
    assert [names[j] for j in np.flatnonzero(constraints.monotone.signs)] == ["body mass index", "blood pressure"]
    assert constraints.costs[names.index("blood sugar")] == 5
    assert constraints.interactions.most == 2
    listed = constraints.parameters() | {"split": "univariate", "leaf": "constant"}
    again = tree_constraints(listed, names)
    assert np.array_equal(again.monotone.signs, constraints.monotone.signs)
    assert np.array_equal(again.costs, constraints.costs)
    assert np.array_equal(chosen.monotone, monotone_signs(GIVEN, names))
    for other in ({"split": "oblique"}, {"monotonic_cst": "unknown=1"}, {"monotonic_cst": [1, 0]}):
        assert monotone_signs(GIVEN | other, names) is None


def edited(chosen, change):
    """Return the tree after `change` of one of its nodes. change : function of the document of a node."""
    rows = rows_of(chosen)
    document = tree_document(chosen.tree)
    inner = [node for node in document["nodes"] if node["left"] is not None]
    constrained = set(np.flatnonzero(chosen.monotone).tolist())
    change(next(node for node in inner if set(node["features"]) <= constrained), inner[-1])
    return edited_tree(document, chosen.tree, rows.X, rows.y)


def test_a_split_against_a_monotone_feature_is_described_and_repaired(chosen):
    assert broken_constraints(chosen, chosen.tree) == []

    def turn(node, _):
        node["weights"], node["bias"] = [-weight for weight in node["weights"]], -node["bias"]

    tree = edited(chosen, turn)
    (found,) = broken_constraints(chosen, tree)
    assert is_said(found, "The constraint Monotone features is violated at")
    rows = rows_of(chosen)
    assert edit_training.estimator(chosen).monotonic_cst is None
    again, _, _ = edit_training.reoptimise_rest(chosen, rows, tree, (), lambda share: None)
    assert broken_constraints(chosen, again.tree) == []


def test_other_constraints_are_described(chosen):
    names = list(chosen.data.feature_names)

    def use_costly(_, last):
        last["features"], last["weights"], last["bias"] = [names.index("blood sugar")], [1.0], -0.01

    found = broken_constraints(chosen, edited(chosen, use_costly))
    text = " ".join(found)
    assert is_said(text, "The constraint Interactions is violated at")
    assert is_said(text, "The features of the tree cost … instead of")
    few = replace(chosen, parameters=GIVEN | {"max_leaf_nodes": chosen.tree.n_leaves - 1})
    assert is_said(
        broken_constraints(few, chosen.tree)[-1],
        f"The tree has …; Maximum leaves is {chosen.tree.n_leaves - 1}. Prune nodes.",
    )
