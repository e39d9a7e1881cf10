"""Export as JSON."""

from treecore.export.checks import check_tree
from treecore.tree.tree import Tree


def json(tree: Tree) -> str:
    """JSON text of `tree`, which `Tree.from_json` turns into the same tree.

    Raises ParameterError if `tree` is no Tree.
    """
    return check_tree(tree).to_json()
