"""Test the arrays that kernels get from working trees."""

from tests.strategies import small_tree
from treecore.tree.working_tree import WorkingTree


def test_kernels_get_arrays_that_may_be_written_to():
    """The arrays of a tree are read-only. For these, numba would compile every kernel again, 5 s in each worker."""
    tree = small_tree()
    assert not tree.left.flags.writeable
    found = WorkingTree.from_tree(tree, lambda *_: 0.0)
    assert all(array.flags.writeable for array in found.routing())
