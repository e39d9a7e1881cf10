"""Test node statistics: valid and invalid declarations, and the functions generated from one."""

import re
from dataclasses import replace

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_iris

from treecore.model.model import Model
from treecore.rules.rule_set import rules
from treecore.statistics.declared import STATISTICS
from treecore.statistics.node_statistic import FACES, FORMATS, QUANTITIES, ListColumn, NodeStatistic, declared, in_face
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.tree.classes import Classes

LIFT = NodeStatistic("lift", "Times as many as in all rows", "rows / all_rows", "share", {"table": "lift"})


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X, y, TAOClassifier("univariate", lam=1.0, max_depth=3, random_state=0).fit(X[::2], y[::2]).tree_


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"name": "two words"}, "a name is letters"),
        ({"faces": {"tooltip": "{value}"}}, "unknown face 'tooltip'"),
        ({"faces": {"table": "{value}"}}, "name of a column"),
        ({"faces": {"leaf": "lift"}}, "need {value}"),
        ({"faces": {"table": ""}}, "needs words"),
        ({"form": "roman"}, "unknown form 'roman'"),
        ({"per": "tree"}, "unknown per 'tree'"),
        ({"column": ListColumn((1, 1), bar="long")}, "unknown bar 'long'"),
        ({"formula": "rows / visitors"}, "unknown quantity 'visitors'"),
        ({"formula": "rows ** 2"}, "has 'rows ** 2'"),
        ({"formula": "exp(rows)"}, "unknown function 'exp'"),
        ({"formula": "rows /"}, "cannot be read"),
        ({"formula": "conditions"}, "face 'table' does not have 'conditions'"),
        ({"formula": "loss", "faces": {"predict": "loss"}}, "face 'predict' does not have 'loss'"),
    ],
)
def test_a_declaration_that_contradicts_itself_fails(changes, fault):
    with pytest.raises(ValueError, match=re.escape(fault)):
        replace(LIFT, **changes)


def test_names_are_unique_and_known():
    with pytest.raises(ValueError, match="'lift'.* twice"):
        declared([LIFT, LIFT])
    with pytest.raises(ValueError, match="'lift' refers to 'gain'"):
        declared([replace(LIFT, same_as="gain")])
    with pytest.raises(ValueError, match="'lift' refers to 'gain'"):
        declared([replace(LIFT, column=ListColumn((1, 1), sorts_by="gain"))])
    assert {one.form for one in STATISTICS.values()} == FORMATS.keys()
    assert {face for one in STATISTICS.values() for face in one.faces} == FACES.keys()
    assert all(face.lacks <= QUANTITIES.keys() for face in FACES.values())


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("rows / all_rows", [0.25, np.nan]),
        ("-(rows - 2 * all_rows) / 3", [7 / 3, 0]),
        ("1 - sqrt(error) + log(1)", [0.5, 0.0]),
    ],
)
def test_formulas_mean_what_they_say(formula, value):
    quantities = {"rows": np.array([1.0, 0.0]), "all_rows": np.array([4.0, 0.0]), "error": np.array([0.25, 1.0])}
    np.testing.assert_allclose(replace(LIFT, formula=formula).values(quantities), value)


def test_a_face_shows_what_applies_and_adds_something():
    pair = [LIFT, replace(LIFT, name="other", same_as="lift"), replace(LIFT, name="spread", certainty="deviation")]
    values = {"lift": [1.0, np.nan], "other": [1.0, np.nan]}
    assert [one.name for one in in_face(pair, "table", Classes)] == ["lift", "other"]
    assert [one.name for one in in_face(pair, "table", Classes, values)] == ["lift"]
    assert [one.name for one in in_face(pair, "table", Classes, values | {"other": [1.0, 0.5]})] == ["lift", "other"]
    assert [one.name for one in in_face(pair, "table", Classes, values | {"other": [np.nan] * 2})] == ["lift"]


def test_the_share_of_training_rows_is_shown_with_other_rows(iris):
    X, y, tree = iris
    alone, other = rules(tree), rules(tree, X[1::3], y[1::3])
    assert [one.name for one in alone.statistics_in("files")] == ["rows", "share", "confidence"]
    assert [one.name for one in other.statistics_in("files")] == ["rows", "share", "training_share", "confidence"]
    header, *lines = other.to_csv().splitlines()
    assert "rows,share %,training share %,confidence" in header
    for line, rule in zip(lines, other, strict=True):
        share = tree.n_samples[rule.leaf] / tree.n_samples[0]
        assert rule.statistics["training_share"] == share
        assert f"{100 * share:.6g}" in line.split(",")
        shown = STATISTICS["training_share"].faces["text"].format(value=f"{100 * share:.1f} %")
        assert f", {shown}" in str(rule)
    assert sum(rule.statistics["training_share"] for rule in other) == pytest.approx(1)
    unknown = replace(tree, n_samples=np.zeros_like(tree.n_samples))
    assert "training share" not in rules(unknown, X, y).to_markdown()


def test_rules_have_the_statistics_that_their_fields_say(iris):
    X, y, tree = iris
    for rule in rules(tree, X, y):
        known = rule.statistics
        assert (known["rows"], known["share"]) == (rule.n_rows, rule.share)
        assert (known["errors"], known["conditions"]) == (rule.n_errors, len(rule.conditions))
        assert known["confidence"] == pytest.approx(rule.confidence, abs=1e-12)
    lengths = X[:, 0]
    regression = TAORegressor("univariate", lam=0.05, max_depth=3, random_state=0).fit(X[:, 1:], lengths).tree_
    for rule in rules(regression, X[:, 1:], lengths):
        assert rule.statistics["deviation"] == rule.deviation
        assert rule.statistics["loss"] == pytest.approx(rule.deviation**2 * rule.n_rows)


def test_predicted_rows_have_the_share_of_their_leaf(iris):
    X, _, tree = iris
    frame = pandas.DataFrame(X, columns=[tree.feature_name(j) for j in range(4)])
    shown = Model(tree).predict_table(frame).to_frame()
    np.testing.assert_array_equal(shown["training share"], tree.n_samples[tree.apply(X)] / tree.n_samples[0])
    unknown = replace(tree, n_samples=np.zeros_like(tree.n_samples))
    assert "training share" not in Model(unknown).predict_table(frame).to_frame()
