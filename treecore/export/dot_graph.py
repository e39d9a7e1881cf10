"""Export as a Graphviz graph in the DOT language."""

from treecore.artifact import DIAGRAM, artifact
from treecore.export.checks import check_columns, columns_of
from treecore.export.diagram import boxes
from treecore.foreign.fitted_tree import as_tree
from treecore.tables.table_columns import TableColumns
from treecore.tree.tree import Tree

# Escapes for a quoted label, in which Graphviz also interprets HTML entities.
_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "&": "&amp;"})


@artifact(
    DIAGRAM, "DOT", "dot", "text/vnd.graphviz", takes=("target_name", "columns"),
    about="a Graphviz graph (`dot -Tsvg tree.dot`) with a box for each node: its condition, or its prediction "
    "and training rows",
)  # fmt: skip
def dot(tree: Tree, target_name: str = "", columns: TableColumns | None = None) -> str:
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
    columns : TableColumns or None, default=None
        Columns of the table, for conditions such as ``sex = female`` instead of ``sex != male``. By default, those
        of an estimator that was trained on a DataFrame with text.

    Returns
    -------
    str
        The graph, for the program `dot`.

    Raises
    ------
    ParameterError
        If `tree` is not a tree, or if `columns` are not its columns.

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
    columns = columns_of(tree, reads_rows=False) if columns is None else columns
    tree = as_tree(tree)
    check_columns(tree, columns)
    lines = ["digraph tree {", '    node [shape=box, fontname="sans-serif"];', '    edge [fontname="sans-serif"];']
    lines.append("    ordering=out;")
    for box in boxes(tree, target_name, columns):
        text = "\\n".join(line.translate(_ESCAPED) for line in box.lines)
        style = "" if box.arrows else ", style=rounded"
        lines.append(f'    n{box.number} [label="{text}"{style}];')
        lines += [f'    n{box.number} -> n{child} [label="{label}"];' for label, child in box.arrows]
    return "\n".join([*lines, "}"]) + "\n"
