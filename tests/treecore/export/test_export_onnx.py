"""Test the ONNX model: its metadata, its result for invalid rows, and unsupported trees."""

import json
import sys

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from tests.each import each
from tests.refusals import refused
from tests.strategies import small_tree
from tests.treecore.export.export_examples import (
    hard_rows,
    random_regression_tree,
    random_tree,
    run_model,
    with_linear_leaves,
)
from treecore import ParameterError, TreeFormatError, export, from_onnx
from treecore.export import onnx_model
from treecore.foreign.sources import foreign_model

REFUSED = np.array([[np.inf, 0.0, 0.0], [0.0, -np.inf, 0.0], [0.0, 0.0, np.nan]])


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n_leaves", [1, 2, 30])
def test_the_model_is_valid_and_the_reference_agrees_with_the_runtime(n_leaves, missing, rng):
    tree = random_tree(rng, n_leaves, missing=missing)
    model = export.onnx(tree)
    assert model == export.onnx(tree)
    onnx.checker.check_model(model, full_check=True)
    X = hard_rows(tree, rng)
    with np.errstate(all="ignore"):
        leaves, *_ = ReferenceEvaluator(onnx.load_model_from_string(model)).run(None, {"X": X})
    assert leaves.tolist() == run_model(model, X)["leaf"].tolist() == tree.apply(X).tolist()
    assert run_model(model, X[:0])["leaf"].tolist() == []


def test_names_are_in_the_metadata():
    tree = small_tree(feature_names=("a", "*/ \0", "日本"), classes=["x", "</script>", "é"])
    model = onnx.load_model_from_string(export.onnx(tree))
    found = {entry.key: json.loads(entry.value) for entry in model.metadata_props}
    names = {"feature_names": list(tree.feature_names), "class_names": ["x", "</script>", "é"]}
    assert {name: found[name] for name in names} == names
    assert set(found) - set(names) == {"treecore_tree", "treecore_graph"}
    assert [value.name for value in model.graph.input] == ["X"]


@pytest.mark.parametrize(
    ("classes", "nothing"),
    [(["a", "b", "c"], ""), ([1, 2, 3], 0), ([0.5, 1.5, 2.5], np.nan), (np.array([1, 2, 3], np.uint8), 0)],
)
def test_refused_rows_have_the_leaf_minus_one(classes, nothing):
    found = run_model(export.onnx(small_tree(classes=classes)), REFUSED)
    assert found["leaf"].tolist() == [-1] * 3
    assert repr(found["prediction"].tolist()) == repr([nothing] * 3)
    assert np.isnan(found["probabilities"]).all()


def test_refused_rows_of_regression_and_missing_values(rng):
    found = run_model(export.onnx(random_regression_tree(rng, n_features=3)), REFUSED)
    assert np.isnan(found["prediction"]).all()
    assert set(found) == {"leaf", "prediction"}
    found = run_model(export.onnx(random_tree(rng, n_features=3, missing=True)), REFUSED)
    assert (found["leaf"] >= 0).tolist() == [False, False, True]


KINDS = {
    "classes": lambda rng: random_tree(rng),
    "one leaf": lambda rng: random_tree(rng, 1),
    "names": lambda rng: small_tree(feature_names=("a", "*/ \0", "日本"), classes=["x", "</script>", 'é"\n']),
    "whole labels": lambda rng: small_tree(classes=np.array([1, 2, 3], np.uint8)),
    "labels with decimals": lambda rng: small_tree(classes=[0.5, 1.5, 2.5]),
    "numbers": lambda rng: random_regression_tree(rng),
    "missing": lambda rng: random_tree(rng, missing=True),
    "linear leaves": lambda rng: with_linear_leaves(rng, random_tree(rng)),
    "linear numbers": lambda rng: with_linear_leaves(rng, random_regression_tree(rng)),
}


@each("kind", KINDS)
def test_the_model_is_opened_again_as_the_same_tree(kind, rng):
    tree = KINDS[kind](rng)
    content = export.onnx(tree)
    assert from_onnx(content) == tree
    found = foreign_model(content)
    assert (found.program, found.n_trees, found.alone) == ("treecore", 1, None)
    model = onnx.load_model_from_string(content)
    assert from_onnx(model.SerializeToString()) == tree  # saved again by another program


def test_a_changed_or_older_model_is_not_opened(monkeypatch):
    tree = small_tree()
    model = onnx.load_model_from_string(export.onnx(tree))
    changed = onnx.load_model_from_string(export.onnx(tree))
    name = next(one for one in changed.graph.initializer if one.data_type == onnx.TensorProto.DOUBLE)
    name.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(name) * 2, name.name))
    with refused(
        TreeFormatError,
        "The ONNX graph was changed after treecore exported it, so the tree in the file can be another one",
    ):
        from_onnx(changed)
    while model.metadata_props:
        model.metadata_props.pop()
    with refused(
        TreeFormatError,
        "The ONNX file does not contain the tree, because an older version exported it or the tree is too large",
    ):
        from_onnx(model)
    monkeypatch.setattr(onnx_model, "MOST_TREE", 10)
    with refused(
        TreeFormatError,
        "The ONNX file does not contain the tree, because an older version exported it or the tree is too large",
    ):
        from_onnx(export.onnx(tree))


def test_trees_beyond_onnx_are_refused(rng, monkeypatch):
    with refused(
        ParameterError,
        "ONNX does not support the class label …, which contains an incomplete character (a lone surrogate)",
    ):
        export.onnx(small_tree(classes=["a", "b", "c\ud800"]))
    monkeypatch.setattr(onnx_model, "MOST_WEIGHTS", 3)
    with refused(
        ParameterError, "ONNX export supports at most … weights; the tree has 2 decision nodes of up to 2 features"
    ):
        export.onnx(small_tree())


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with refused(ParameterError, "ONNX export needs the package onnx, which is not installed"):
        export.onnx(small_tree())
