"""Test the names of nodes in addresses, and the numbers of older links."""

import pytest

from pages.ui.session.node_in_address import name_of, node_in_address, origin_of
from tests.strategies import small_tree


def test_a_node_has_the_number_on_the_screen_and_an_older_link_its_origin_id():
    tree = small_tree()
    names = ["node-1", "leaf-1", "node-2", "leaf-2", "leaf-3"]
    assert [name_of(tree, node) for node in tree.origin.tolist()] == names
    assert [origin_of(tree, name) for name in names] == tree.origin.tolist()
    assert [origin_of(tree, node) for node in (5, None)] == [5, None]


def test_a_name_that_the_tree_does_not_have_has_no_origin_id():
    tree = small_tree()
    assert [origin_of(tree, node) for node in ("leaf-4", "node-9", 77)] == [None, None, 77]
    assert [name_of(tree, node) for node in (77, None, "leaf-1")] == [77, None, "leaf-1"]


@pytest.mark.parametrize(
    ("text", "node"),
    [("node-4", "node-4"), ("leaf-12", "leaf-12"), ("7", 7), ("-1", None), ("leaf-", None), ("leaf 5", None),
     ("node-123456789", None), ("node-0", None), ("leaf-05", None), ("root", None), (None, None)],
)  # fmt: skip
def test_only_names_and_numbers_are_read(text, node):
    assert node_in_address({} if text is None else {"node": text}) == node
