"""Test the content of diagrams for trees of every kind."""

import numpy as np
import pytest

from tests.strategies import small_tree
from tests.treecore.export.export_examples import random_regression_tree, random_tree, with_linear_leaves
from treecore.export.diagram import MOST_CHARACTERS, boxes
from treecore.tables.table_columns import TableColumn, TableColumns


def test_every_node_has_a_box_before_its_children():
    found = list(boxes(small_tree()))
    assert [box.number for box in found] == [0, 1, 2, 3, 4]
    assert found[0] == (0, ("x0 >= 1.5",), (("no", 1), ("yes", 2)))
    assert found[1] == (1, ("a", "4 rows", "a: 4"), ())
    assert found[2].lines == ("x2 <= x0",)


def test_categories_dates_and_missing_values_are_written_as_in_rules():
    names = ("colour = blue", "colour = red", "joined (days since 1970)")
    tree = small_tree(
        feature_names=names, indptr=[0, 1, 1, 2, 2, 2], features=[1, 2], weights=[1.0, 1.0],
        bias=[-0.5, 0, -18_262.0, 0, 0],
        missing_right=[True, False, False, False, False],
    )  # fmt: skip
    first, _, third, *_ = boxes(tree)
    assert first.lines == ("colour = red (or missing)",)
    assert third.lines[0].startswith("joined")
    assert "2020-01-01" in third.lines[0]


@pytest.mark.parametrize(("bias", "text"), [(-0.5, "sex = male"), (-0.4, '"sex = male" >= 0.4')])
def test_a_single_category_is_known_by_its_threshold(bias, text):
    tree = small_tree(feature_names=("sex = male", "b", "c"), indptr=[0, 1, 1, 2, 2, 2], features=[0, 1],
                      weights=[1.0, 1.0], bias=[bias, 0, -3.0, 0, 0])  # fmt: skip
    assert next(boxes(tree)).lines == (text,)


def test_the_columns_of_a_table_name_both_values():
    names = ("sex = male", "b", "c")
    columns = TableColumns((TableColumn("sex", "category", ("male",), ("female",)), *map(TableColumn, names[1:])))
    tree = small_tree(feature_names=names, indptr=[0, 1, 1, 2, 2, 2], features=[0, 1], weights=[-1.0, 1.0],
                      bias=[0.5, 0, -3.0, 0, 0])  # fmt: skip
    assert next(boxes(tree)).lines == ("sex != male",)
    assert next(boxes(tree, "", columns)).lines == ("sex = female",)


@pytest.mark.parametrize("make", [random_tree, random_regression_tree])
def test_oblique_trees_numbers_and_linear_leaves(make):
    rng = np.random.default_rng(0)
    for tree in (make(rng), make(rng, missing=True), make(rng, n_leaves=1), with_linear_leaves(rng, make(rng))):
        found = list(boxes(tree))
        assert len(found) == tree.n_nodes
        assert sum(not box.arrows for box in found) == tree.n_leaves
        assert all(text.strip() for box in found for text in box.lines)
    assert any("linear model" in box.lines[0] for box in found)


def test_many_classes_and_long_names_are_cut():
    tree = small_tree(
        classes=[f"c{k}" for k in range(9)], values=np.arange(45.0).reshape(5, 9), feature_names=("x" * 9_999, "b", "c")
    )
    found = list(boxes(tree))
    assert found[1].lines[2] == "c8: 17, c7: 16, c6: 15, c5: 14, c4: 13 and 4 more"
    assert len(found[0].lines[0]) == MOST_CHARACTERS
