"""Export as JSON."""

from treecore.artifact import artifact
from treecore.foreign.fitted_tree import as_tree
from treecore.tree.tree import Tree


@artifact(
    "Tree", "JSON", "json", "application/json",
    about="the arrays of the tree, which `Tree.from_json` reads without loss",
)  # fmt: skip
def json(tree: Tree) -> str:
    """JSON text of `tree`, which `Tree.from_json` turns into the same tree.

    Raises ParameterError if `tree` is none.
    """
    return as_tree(tree).to_json()
