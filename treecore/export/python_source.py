"""Export as a Python module that needs only the standard library."""

from treecore.artifact import artifact
from treecore.export.checks import check_columns, class_labels, node_labels
from treecore.export.flat import arrays, listing
from treecore.export.python_encoder import python_encoder
from treecore.export.readable import Syntax, branches, is_small, leaf_scores
from treecore.foreign.fitted_tree import as_tree
from treecore.tables.table_columns import TableColumns
from treecore.tree.tree import Tree

_WALK = """\
    node = 0
    while LEFT[node] >= 0:
        margin = BIAS[node]
        for k in range(FIRST[node], FIRST[node + 1]):
            margin += WEIGHTS[k] * x[FEATURES[k]]
        goes_right = margin >= 0.0 or (margin != margin and SIDES[node] == 1)
        node = RIGHT[node] if goes_right else LEFT[node]
"""
_PRODUCT = "{} * x[{}]"


@artifact(
    "Code", "Python", "py", "text/x-python", takes=("columns", "target_name"),
    about="a module with `predict(x)` that needs only the standard library",
)  # fmt: skip
def python(tree: Tree, columns: TableColumns | None = None, target_name: str = "") -> str:
    """Return a Python module with the predictions of the tree.

    The module needs only the standard library. ``predict(x)`` takes the values of all features in order and returns the
    label or number. It raises ValueError for infinity, for NaN unless the tree was trained with missing values, and for
    a wrong number of values. Labels keep their type (str, int, float or bool).

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or a fitted estimator or pipeline.
    columns : TableColumns or None, default=None
        Columns of the user's table. If they are given, the module also has ``encode(row)``, which converts a row of the
        table (a dict of values by column name) to x, and ``predict_row(row)``. None, "" and absent values are missing.
        Dates are ISO text, date or datetime. Invalid numbers and dates raise ValueError.
    target_name : str, default=''
        Name of the predicted column, which the module stores as ``TARGET_NAME``.

    Returns
    -------
    str
        The source code.

    Raises
    ------
    ParameterError
        If `tree` is not a tree, if `columns` does not match it, or if a label is infinite or not a number, boolean or
        string.

    See Also
    --------
    sql : SQL export.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, export
    >>> X, y = load_iris(return_X_y=True)
    >>> module = {}
    >>> exec(export.python(CARTClassifier(random_state=0).fit(X, y).tree_), module)
    >>> module["predict"]([5.1, 3.5, 1.4, 0.2])
    0
    """
    tree = as_tree(tree)
    check_columns(tree, columns)
    labels = [ascii(label) for label in class_labels(tree)]
    lines = [f'"""Decision tree with {tree.n_nodes} nodes, {tree.n_leaves} of them leaves."""', ""]
    lines += ["import math", ""] if columns is None else ["import datetime", "import math", "import numbers", ""]
    if target_name:
        lines.append(f"TARGET_NAME = {ascii(target_name)}  # the predicted column")
    if tree.feature_names:
        lines += listing(map(ascii, tree.feature_names), "FEATURE_NAMES = [", "]")
    small = is_small(tree)
    if not small:
        for name, (_, texts) in arrays(tree).items():
            lines += listing(texts, f"{name.upper()} = [", "]")
        if labels:
            lines += listing(labels, "CLASSES = [", "]")
    lines += ["", "", *_head(tree)]
    if small:
        lines += branches(tree, Syntax("if {}:", "else:", None, "#", _PRODUCT, ascii, _leaf(tree, labels)))
    else:
        lines += [*_WALK.splitlines(), f"    return {'CLASSES[OUTPUTS[node]]' if labels else 'OUTPUTS[node]'}"]
    if columns is not None:
        lines += python_encoder(columns)
    return "\n".join(lines) + "\n"


def _leaf(tree, labels):
    if tree.leaf_model.is_constant:
        outputs = [ascii(label) for label in node_labels(tree)]
        return lambda node: f"return {outputs[node]}"
    if not labels:
        return lambda node: f"return {leaf_scores(tree, node, _PRODUCT)[0]}"

    def statement(node):
        scores = zip(labels, leaf_scores(tree, node, _PRODUCT), strict=True)
        rows = "".join(f"    ({score}, {label}),\n" for label, score in scores)
        return f"return max([\n{rows}], key=lambda scored: scored[0])[1]"

    return statement


def _head(tree):
    allowed = "finite numbers, or NaN for a missing value" if tree.missing_right is not None else "finite numbers"
    refused = "math.isinf(value)" if tree.missing_right is not None else "not math.isfinite(value)"
    return [
        "def predict(x):",
        f'    """Return the prediction for x, the values of the {tree.n_features} features in order ({allowed})."""',
        "    x = [float(value) for value in x]",
        f"    if len(x) != {tree.n_features} or any({refused} for value in x):",
        f'        raise ValueError("x must have {tree.n_features} values: {allowed}")',
    ]
