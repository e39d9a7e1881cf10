"""Test that every export of every kind of tree on every bundled data set predicts like the tree, and round-trips."""

import numpy as np
import pytest

from tests.budget import budget
from tests.treecore.export.export_examples import RUNNERS
from tests.treecore.rules.round_trip_trees import BUNDLED
from treecore import Tree, export
from treecore.artifact import DIAGRAM

pytestmark = pytest.mark.nightly


def test_every_bundled_data_set_and_kind_of_tree_is_there(matrix):
    assert len(BUNDLED) == budget(2, 12)
    names = [name for name, *_ in matrix]
    assert len(names) == len(set(names)) >= len(BUNDLED) * 26
    assert sum(tree.n_nodes > 1 for _, tree, *_ in matrix) > 0.9 * len(matrix)
    assert max(np.diff(tree.indptr).max() for name, tree, *_ in matrix if "groups" in name) > 1
    assert all(None in answers and len(set(answers)) > 1 for *_, answers in matrix)


@pytest.mark.parametrize(  # test_export_equal.py always tests duckdb, the slowest target
    "target", [pytest.param(name, marks=pytest.mark.long) if name == "duckdb" else name for name in RUNNERS]
)
def test_every_target_predicts_exactly_as_the_tree(target, matrix, tmp_path):
    found = RUNNERS[target]([tree for _, tree, *_ in matrix], [example.X for *_, example, _ in matrix], tmp_path)
    wrong = {
        name: sum(a != b for a, b in zip(got, wanted, strict=True))
        for (name, *_, wanted), got in zip(matrix, found, strict=True)
        if got != wanted
    }
    assert wrong == {}


def test_a_tree_from_json_is_the_same_in_every_target(matrix):
    for name, tree, *_ in matrix:
        again = Tree.from_json(tree.to_json())
        assert again == tree, name
        for target in (one for one in export.FORMATS.values() if one.kind != DIAGRAM):
            assert target(again) == target(tree), name
