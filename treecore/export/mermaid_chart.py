"""Export as a Mermaid flowchart, which GitHub, GitLab and notebooks draw in Markdown."""

import re

from treecore.artifact import DIAGRAM, artifact
from treecore.errors import ParameterError
from treecore.export.checks import check_columns, columns_of
from treecore.export.diagram import boxes
from treecore.foreign.fitted_tree import as_tree
from treecore.tables.table_columns import TableColumns
from treecore.tree.tree import Tree

MOST_NODES = 501  # Mermaid supports at most 500 arrows
MOST_CHARACTERS = 50_000  # maximum text length in Mermaid
# Characters that could end a label or be read as HTML, Markdown or a Mermaid directive are written as character codes.
# Some pairs of other characters also have a meaning: formulas, icons, line breaks and Mermaid's entities.
_SIGN = re.compile(r"(?P<first>\$(?=\$)|:(?=fa-)|\\(?=n)|ﬂ|¶)|[^\w .,()+=/-]|_|(?<!\d)[.]|[.](?!\d)|^[-+=]")
_JOINER = "#8288;"  # a character without width that separates the characters of a pair


@artifact(
    DIAGRAM, "Mermaid", "mmd", "text/vnd.mermaid", takes=("target_name", "columns"),
    about="a flowchart for Markdown (a block marked `mermaid`), with a box for each node: its condition, or its "
    "prediction and training rows",
)  # fmt: skip
def mermaid(tree: Tree, target_name: str = "", columns: TableColumns | None = None) -> str:
    """Return a Mermaid flowchart of the tree, for Markdown.

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
        The flowchart.

    Raises
    ------
    ParameterError
        If `tree` is not a tree, or if `columns` are not its columns, or if the chart is larger than Mermaid supports.

    See Also
    --------
    dot : Graphviz export.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, export
    >>> X, y = load_iris(return_X_y=True)
    >>> export.mermaid(CARTClassifier(random_state=0).fit(X, y).tree_)[:9]
    'flowchart'
    """
    columns = columns_of(tree, reads_rows=False) if columns is None else columns
    tree = as_tree(tree)
    check_columns(tree, columns)
    if tree.n_nodes > MOST_NODES:
        raise ParameterError(
            f"Mermaid supports at most {MOST_NODES:,} nodes; the tree has {tree.n_nodes:,}. Use a smaller tree, or DOT."
        )
    lines = ["flowchart TD"]
    for box in boxes(tree, target_name, columns):
        start, end = ('["', '"]') if box.arrows else ('(["', '"])')
        lines.append(f"    n{box.number}{start}{'<br/>'.join(map(_escaped, box.lines))}{end}")
        lines += [f"    n{box.number} -->|{label}| n{child}" for label, child in box.arrows]
    text = "\n".join(lines) + "\n"
    if len(text) > MOST_CHARACTERS:
        raise ParameterError(
            f"Mermaid supports at most {MOST_CHARACTERS:,} characters; the chart has {len(text):,}. Use a "
            "smaller tree, shorter names or DOT."
        )
    return text


def _escaped(text):
    return _SIGN.sub(lambda found: f"#{ord(found[0])};{_JOINER if found['first'] else ''}", text)
