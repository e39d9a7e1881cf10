"""Export as JavaScript for browsers and Node.js."""

import json

from treecore.artifact import artifact
from treecore.export.checks import check_columns, class_labels, node_labels
from treecore.export.flat import arrays, listing
from treecore.export.javascript_encoder import javascript_encoder
from treecore.export.readable import Syntax, branches, is_small, leaf_scores
from treecore.foreign.fitted_tree import as_tree
from treecore.tables.table_columns import TableColumns
from treecore.tree.tree import Tree

LARGEST = 2**53 - 1
_WALK = """\
    let node = 0;
    while (tree.left[node] >= 0) {
        let margin = tree.bias[node];
        for (let k = tree.first[node]; k < tree.first[node + 1]; k++) {
            margin += tree.weights[k] * x[tree.features[k]];
        }
        const goesRight = margin >= 0.0 || (Number.isNaN(margin) && tree.sides[node] === 1);
        node = goesRight ? tree.right[node] : tree.left[node];
    }
"""
_PRODUCT = "{} * x[{}]"
_MODULE = 'if (typeof module !== "undefined") {{\n    module.exports = {{ {} }};\n}}\n'


@artifact(
    "Code", "JavaScript", "js", "text/javascript", takes=("columns", "target_name"),
    about="a script for browsers and Node.js with `predict(x)`",
)  # fmt: skip
def javascript(tree: Tree, columns: TableColumns | None = None, target_name: str = "") -> str:
    """Return a script with the predictions of the tree.

    ``predict(x)`` takes an array with the values of all features in order and returns the label or number. It throws
    RangeError for infinity, for NaN unless the tree was trained with missing values, for values that are not numbers,
    and for a wrong number of values. Labels keep their type (string, number or boolean). The script runs in a <script>
    element, and as a module with `predict` in Node.js.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or a fitted estimator or pipeline.
    columns : TableColumns or None, default=None
        Columns of the user's table. If they are given, the script also has ``encode(row)``, which converts a row of the
        table (an object with values by column name) to x, and ``predict_row(row)``. null, undefined and "" are missing.
        Dates are Date objects or ISO text, which is in UTC if it has no time zone. Invalid numbers and dates throw
        RangeError.
    target_name : str, default=''
        Name of the predicted column, which the script stores as ``predict.targetName``.

    Returns
    -------
    str
        The source code.

    Raises
    ------
    ParameterError
        If `tree` is not a tree, if `columns` does not match it, or if a label is infinite, a whole number above 2**53 -
        1, or not a number, boolean or string.

    See Also
    --------
    python : Python export.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, export
    >>> X, y = load_iris(return_X_y=True)
    >>> "function predict(x)" in export.javascript(CARTClassifier(random_state=0).fit(X, y).tree_)
    True
    """
    tree = as_tree(tree)
    check_columns(tree, columns)
    labels = [_literal(label) for label in class_labels(tree, LARGEST)]
    lines = [f"// Decision tree with {tree.n_nodes} nodes, {tree.n_leaves} of them leaves."]
    lines += _head(tree)
    if is_small(tree):
        leaf = _leaf(tree, labels)
        syntax = Syntax("if ({}) {{", "} else {", "}", "//", _PRODUCT, _literal, leaf)
        lines += branches(tree, syntax)
    else:
        lines += ["    const tree = predict.tree;", *_WALK.splitlines()]
        lines += [f"    return {'tree.classes[tree.outputs[node]]' if labels else 'tree.outputs[node]'};"]
    lines += ["}", ""]
    if target_name:
        lines += [f"predict.targetName = {_literal(target_name)}; // the predicted column", ""]
    if tree.feature_names:
        lines += [*listing(map(_literal, tree.feature_names), "predict.featureNames = [", "];"), ""]
    if not is_small(tree):
        lines += _tables(tree, labels)
    names = ["predict"]
    if columns is not None:
        lines += javascript_encoder(columns, _literal)
        names += ["encode", "predict_row"]
    return "\n".join(lines) + "\n" + _MODULE.format(", ".join(names))


def _literal(value):
    # An HTML script element ends at the first "</script", even in a string.
    return json.dumps(value).replace("<", "\\u003c")


def _leaf(tree, labels):
    if tree.leaf_model.is_constant:
        outputs = list(map(_literal, node_labels(tree, LARGEST)))
        return lambda node: f"return {outputs[node]};"
    if not labels:
        return lambda node: f"return {leaf_scores(tree, node, _PRODUCT)[0]};"

    def statement(node):
        scores = zip(labels, leaf_scores(tree, node, _PRODUCT), strict=True)
        rows = "".join(f"    [{score}, {label}],\n" for label, score in scores)
        return f"return [\n{rows}].reduce((best, scored) => (scored[0] > best[0] ? scored : best))[1];"

    return statement


def _tables(tree, labels):
    lines = ["predict.tree = {"]
    for name, (_, texts) in arrays(tree).items():
        lines += listing(texts, f"{name}: [", "],")
    if labels:
        lines += listing(labels, "classes: [", "],")
    return [*lines, "};", ""]


def _head(tree):
    missing = tree.missing_right is not None
    allowed = "finite numbers, or NaN for a missing value" if missing else "finite numbers"
    refused = "value === Infinity || value === -Infinity" if missing else "!Number.isFinite(value)"
    return [
        f"// Returns the prediction for x, the values of the {tree.n_features} features in order ({allowed}).",
        "function predict(x) {",
        f"    let valid = x.length === {tree.n_features};",
        "    for (const value of x) {",
        f'        if (typeof value !== "number" || {refused}) {{',
        "            valid = false;",
        "        }",
        "    }",
        "    if (!valid) {",
        f'        throw new RangeError("x must have {tree.n_features} values: {allowed}");',
        "    }",
    ]
