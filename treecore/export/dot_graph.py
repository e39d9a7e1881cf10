"""Export as a Graphviz graph in the DOT language."""

from treecore.artifact import DIAGRAM, artifact
from treecore.export.diagram import boxes
from treecore.foreign.fitted_tree import as_tree
from treecore.tree.tree import Tree

# Escapes for a quoted label, in which Graphviz also interprets HTML entities.
_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "&": "&amp;"})


@artifact(
    DIAGRAM, "DOT", "dot", "text/vnd.graphviz", takes=("target_name",),
    about="a Graphviz graph (`dot -Tsvg tree.dot`) with a box for each node: its condition, or its prediction "
    "and training rows",
)  # fmt: skip
def dot(tree: Tree, target_name: str = "") -> str:
    """Return a Graphviz graph of the tree.

    Decision nodes show their conditions, with 6 significant digits and the 4 largest terms of sums. The arrow "yes"
    leads to the rows for which the condition is true. Leaves show their prediction and training rows. A linear leaf
    shows its number of features.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or a fitted estimator or pipeline.
    target_name : str, default=''
        Name of the predicted column, which leaves show before their prediction.

    Returns
    -------
    str
        The graph, for the program `dot`.

    Raises
    ------
    ParameterError
        If `tree` is not a tree.

    See Also
    --------
    mermaid : Diagram for Markdown.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, export
    >>> X, y = load_iris(return_X_y=True)
    >>> export.dot(CARTClassifier(random_state=0).fit(X, y).tree_)[:7]
    'digraph'
    """
    tree = as_tree(tree)
    lines = ["digraph tree {", '    node [shape=box, fontname="sans-serif"];', '    edge [fontname="sans-serif"];']
    lines.append("    ordering=out;")
    for box in boxes(tree, target_name):
        text = "\\n".join(line.translate(_ESCAPED) for line in box.lines)
        style = "" if box.arrows else ", style=rounded"
        lines.append(f'    n{box.number} [label="{text}"{style}];')
        lines += [f'    n{box.number} -> n{child} [label="{label}"];' for label, child in box.arrows]
    return "\n".join([*lines, "}"]) + "\n"
