"""Export as JSON."""

from treecore.artifact import artifact
from treecore.foreign.fitted_tree import as_tree
from treecore.tree.tree import Tree


@artifact(
    "Tree", "JSON", "json", "application/json",
    about="the arrays of the tree, from which `Tree.from_json` restores an identical tree",
)  # fmt: skip
def json(tree: Tree) -> str:
    """Return the tree as JSON text.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or a fitted estimator or pipeline.

    Returns
    -------
    str
        Text that `Tree.from_json` converts to an identical tree.

    Raises
    ------
    ParameterError
        If `tree` is not a tree.

    See Also
    --------
    Tree.from_json : Reads the text.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, Tree, export
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = CARTClassifier(random_state=0).fit(X, y).tree_
    >>> Tree.from_json(export.json(tree)) == tree
    True
    """
    return as_tree(tree).to_json()
