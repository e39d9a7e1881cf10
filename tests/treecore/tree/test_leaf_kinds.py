"""Test the seam for kinds of leaves, with a third kind that predicts medians."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.in_node import in_node
from tests.refusals import refused
from treecore import CARTRegressor, Tree, export
from treecore.errors import DataError, TreeFormatError
from treecore.rules import rules
from treecore.training.leaf_steps import LEAF_STEPS
from treecore.training.prune import prune
from treecore.tree.leaf_kinds import LEAF_KINDS
from treecore.tree.leaf_model import CONSTANT, ConstantLeaves
from treecore.tree.metrics import training_loss
from viz.words.sentences import tree_sentence

ROOT = Path(__file__).resolve().parents[3]


class Medians(ConstantLeaves):
    kind = "median"
    words = "median"
    refusals = {"edit": "Medians cannot be edited."}

    def __init__(self, medians):
        self.medians = np.array(medians, float)

    def numbers(self, tree):
        return self.medians

    def node_losses(self, tree, target):
        weight, mean, variance = tree.values.T
        return weight * (variance + (mean - self.medians) ** 2)

    def worded(self, answer):
        return f"median {answer}"

    def taken(self, nodes):
        return Medians(self.medians[nodes])

    def to_record(self):
        return {"kind": "median", "medians": self.medians.tolist()}

    @classmethod
    def from_record(cls, record, numbers, matrix):
        return cls(numbers(record["medians"], "medians", float, np.float64))

    def __eq__(self, other):
        return isinstance(other, Medians) and np.array_equal(self.medians, other.medians)

    __hash__ = None


@pytest.fixture
def median_tree(monkeypatch):
    monkeypatch.setitem(LEAF_KINDS, "median", Medians)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = rng.exponential(size=60) + 9 * (X[:, 0] > 0) + 5 * (X[:, 1] > 0)
    tree = CARTRegressor(max_depth=2, cv=2, random_state=0).fit(X, y).tree_
    assert tree.n_leaves > 2
    path = tree.decision_path(X).toarray()
    return replace(tree, leaf_model=Medians([np.median(y[rows]) for rows in path.T])), X, y


def test_a_third_kind_of_leaves_needs_no_other_code(median_tree):
    tree, X, y = median_tree
    told = np.array([np.median(y[tree.apply(X) == leaf]) for leaf in tree.apply(X)])
    np.testing.assert_array_equal(tree.predict(X), told)
    assert training_loss(tree) == pytest.approx(np.square(told - y).sum())
    assert Tree.from_json(tree.to_json()) == tree != replace(tree, leaf_model=CONSTANT)
    module = {}
    exec(export.python(tree), module)
    assert [module["predict"](row) for row in X] == told.tolist()
    assert {rule.label for rule in rules(tree)} == set(told.tolist())
    assert all("median " in line for line in str(tree).splitlines() if "rows" in line)
    assert tree_sentence(replace(tree, **root_of(tree)), tree.target, None, 0).count("always median ") == 1
    with refused(DataError, "Medians cannot be edited"):
        tree.leaf_model.require("edit")


def root_of(tree):
    """Return the fields of a tree that consists of the root."""
    one = {name: getattr(tree, name)[:1] for name in ("bias", "labels", "values", "n_samples", "origin")}
    none = {"indptr": [0, 0], "features": [], "weights": []}
    return one | none | {"left": [-1], "right": [-1], "leaf_model": tree.leaf_model.taken(np.arange(1))}


def test_pruning_takes_the_predictions_of_the_remaining_nodes(median_tree):
    tree = median_tree[0]
    same = replace(tree, leaf_model=Medians(np.ones(tree.n_nodes)))
    assert prune(same).n_leaves == 1
    assert prune(same).predict(median_tree[1]).tolist() == [1.0] * 60


def test_an_unknown_kind_of_leaves_is_refused(median_tree):
    with refused(TreeFormatError, "Unknown kind of leaves 'mode'. Supported: constant, linear, median."):
        Tree.from_json(median_tree[0].to_json().replace('"kind": "median"', '"kind": "mode"'))


def test_every_kind_of_leaves_has_a_leaf_step_and_a_class_in_the_browser():
    code = "const { LEAF_KINDS } = await load('model/leaf_models.js'); return Object.keys(LEAF_KINDS);"
    assert list(LEAF_KINDS) == list(LEAF_STEPS) == in_node(code, None)


def test_no_other_code_tests_for_linear_leaves():
    asks = re.compile(r"isinstance\([^\n]*\b(?:ConstantLeaves|LinearLeaves)\b|\blinear is (?:not )?None")
    paths = (path for layer in ("treecore", "viz", "pages") for path in (ROOT / layer).rglob("*.py"))
    asking = {path.relative_to(ROOT).as_posix() for path in paths if asks.search(path.read_text(encoding="utf-8"))}
    assert asking == {"treecore/tree/linear_leaves.py"}
