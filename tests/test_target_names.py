"""Test that everything a visitor sees or saves of a tree names its target."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import sample_data
import viz
from tests.decoded_payload import decoded
from treecore import CARTClassifier, CARTRegressor, Model, export, from_sklearn
from treecore.rules import rules
from treecore.rules.rule_formats import RULE_FORMATS
from viz.payload.stage_payload import stage_payload
from viz.tree.bare_data import BareData
from viz.tree.given_data import given_data
from viz.words.sentences import tree_sentence

NAME = "outcome of the trip"


@pytest.fixture(scope="module", params=["classes", "numbers"])
def case(request):
    """Return (tree, data) whose target has a name: classes "0" and "1", or numbers without a unit."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = ((X[:, 0] > 0) & (X[:, 1] > 0)).astype(int)
    is_numbers = request.param == "numbers"
    classes = () if is_numbers else ("0", "1")
    data = sample_data.DataSet(
        "ship", "Ship", X, y * 1.5 if is_numbers else y, ("age", "fare"), classes, target_name=NAME
    )
    model = (CARTRegressor if is_numbers else CARTClassifier)(random_state=0)
    return model.fit(X, data.labels()).tree_.with_names(data.feature_names), data


def test_code_and_models(case):
    tree, data = case
    for name, form in export.FORMATS.items():
        if name == "json":  # only the arrays of the tree; the model file names the target
            continue
        made = form(tree, target_name=NAME)
        text = made.decode("latin-1") if isinstance(made, bytes) else made
        assert NAME in text, name
    assert NAME in Model.of(tree, data).to_json()


def test_rules(case):
    tree, data = case
    found = rules(tree, data.X, data.labels(), target_name=NAME)
    for name, form in RULE_FORMATS.items():
        if name != "csv" and "rules" in form.needs:
            assert NAME in form(found), name


def test_figures(case):
    tree, data = case
    assert NAME in viz.figure(tree, data, format="svg").decode()
    assert NAME in viz.node_figure(tree, data, 0, format="svg").decode()


def test_stage_saved_page_and_notebook(case):
    tree, data = case
    header = decoded(stage_payload(tree, data)).header
    assert header["target"]["name"] == header["target"]["leafName"] == NAME
    named = pd.Series(data.labels(), name=NAME)
    given = given_data(tree, pd.DataFrame(data.X, columns=data.feature_names), named)[1]
    assert given.target_name == NAME
    assert decoded(stage_payload(tree, given)).header["target"]["name"] == NAME
    assert BareData.of(tree, data).target_name == BareData.of(tree, Model.of(tree, data).data).target_name == NAME


@pytest.mark.parametrize(
    ("leaves", "words"),
    [(1, f"Without a split, {NAME} is always "), (2, f"One split predicts {NAME}"), (3, f"3 leaves predict {NAME}")],
)
def test_a_tree_in_one_sentence(case, leaves, words):
    _, data = case
    model = (DecisionTreeClassifier if data.class_names else DecisionTreeRegressor)(max_leaf_nodes=max(leaves, 2))
    X = np.zeros_like(data.X) if leaves == 1 else data.X  # no feature varies, so no split exists
    tree = from_sklearn(model.fit(X, data.labels()))
    assert tree_sentence(tree, data.target).startswith(words)
    if data.class_names:
        assert tree_sentence(tree, data.target, 0.023, 300).endswith(": 2.3 % wrong (95 %: 1.1 to 4.7 %)")
    else:
        assert tree_sentence(tree, data.target, 0.023, 300).endswith(": RMSE 0.023")


def test_labels_that_speak_for_themselves_stand_alone_in_leaves(case):
    tree, data = case
    if not data.class_names:
        data = replace(data, unit="km")
        assert data.target.leaf_name == ""
        return
    data = replace(data, class_names=("died", "survived"))
    assert data.target.leaf_name == ""
    assert f"{NAME} = " not in viz.figure(tree, data, format="svg").decode()
