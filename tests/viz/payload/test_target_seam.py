"""Test that a new kind of target works in the figure, the payload and the model of the stage."""

from base64 import b64encode
from types import SimpleNamespace

import numpy as np
import pytest

from tests.in_node import in_node
from treecore import CARTClassifier, CARTRegressor
from treecore.tree.classes import Classes
from treecore.tree.quantity import Quantity
from viz import figure
from viz.palette import group_colors
from viz.payload.stage_payload import stage_payload

ASK = """
const [{ decode, inflate }, { Colors }, { documentOf, treeOf }] = await Promise.all(
  ["model/payload.js", "model/colors.js", "model/edited_tree.js"].map(load));
const path = decode(await inflate(Buffer.from(value, "base64")));
const { target, trees: [tree] } = path;
const colors = new Colors(path.palette, target.colors, "light", "orange-blue", null);
const { leaf } = tree.route(0);
const { losses, n } = tree.figures(0);
const again = treeOf(path, documentOf(tree, new Set()));
return {
  answers: Array.from({ length: tree.n }, (_, node) => target.answer(tree, node)),
  colors: target.groups.map((_, group) => colors.ofGroup(group)),
  error: tree.sizes(0).error,
  text: target.errorText(tree.sizes(0).error),
  told: target.phrase("share", losses[0], n[0]),
  wrong: Array.from(path.sample.rows).filter((_, row) => target.isWrong(tree, leaf[row], row)),
  groups: Array.from(tree.label),
  again: [again.sizes(0).error, again.figures(0).losses[0]],
  leaf: target.leafWords(tree, tree.left.indexOf(-1)),
};
"""


class Grades(Classes):
    """Ordered classes, for which the distance between grades counts."""

    is_ordered = True
    noun, nouns = "grade", "grades"
    loss = "absolute"
    error_name = "mean distance"
    error_scale, error_digits, unit = 1.0, 2, "grades"
    share_words = "{loss} grades off ({error})"


class Length(Quantity):
    """Another kind of number."""


def rows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 3))
    return X, 3 * X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=150)


def data_of(X, y, target):
    return SimpleNamespace(
        X=X, y=y, target=target, feature_names=("a", "b", "c"), class_names=target.groups, name="new", title="New",
        image_shape=None,
    )  # fmt: skip


def graded():
    X, y = rows()
    y = np.digitize(y, [-3, 0, 3])
    data = data_of(X, y, Grades(("poor", "fair", "good", "best")))
    return CARTClassifier(cv=3).fit(X, y).tree_, data


def measured():
    X, y = rows()
    return CARTRegressor(cv=3).fit(X, y).tree_, data_of(X, y, Length.of(y, "km"))


@pytest.mark.parametrize("kind", [graded, measured])
def test_a_new_kind_of_target_is_drawn(kind):
    tree, data = kind()
    svg = figure(tree, data, size=(30, None)).decode()
    assert all(color in svg for color in {group_colors(data.target)[g] for g in groups_of(tree, data)})
    shown = data.target.answer(data.target.outputs(tree)[tree.left < 0][0])
    assert shown in svg


@pytest.mark.parametrize("kind", [graded, measured])
def test_a_new_kind_of_target_is_on_the_stage(kind):
    tree, data = kind()
    found = in_node(ASK, b64encode(stage_payload(tree, data)).decode())
    target, given = data.target, data.target.outputs(tree)
    predicted = given[tree.apply(data.X)]
    losses = target.losses(predicted, data.y)
    assert found["answers"] == [target.answer(value) for value in given]
    assert found["colors"] == list(group_colors(target))
    assert found["groups"] == groups_of(tree, data)
    assert found["error"] == pytest.approx(target.error(losses.mean()))
    assert found["text"] == target.error_text(target.error(losses.mean()))
    assert sorted(found["wrong"]) == np.flatnonzero(target.is_wrong(predicted, data.y)).tolist()
    assert target.short_error(found["error"]) in found["told"]
    assert found["again"] == pytest.approx([found["error"], losses.sum()])
    assert target.answer(given[tree.left < 0][0]) in found["leaf"]


def groups_of(tree, data):
    return data.target.group_of(data.target.outputs(tree)).tolist()
