"""Export as C99."""

import string

from treecore.artifact import artifact
from treecore.export.checks import class_labels
from treecore.export.flat import arrays, kind_of, listing
from treecore.export.readable import Syntax, branches, is_small, leaf_scores
from treecore.foreign.fitted_tree import as_tree
from treecore.tree.tree import Tree

REFUSALS = {"int": "-1", "double": "NAN"}  # return value for invalid rows
_PLAIN = set((string.ascii_letters + string.digits + " _.,:;=()+-[]{}").encode())
_START = """\
#include <float.h>
#include <math.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || FLT_EVAL_METHOD < 0 \\
    || FLT_EVAL_METHOD == 2
#error "plain double arithmetic is required: compile without -ffast-math; on 32-bit x86, add -msse2 -mfpmath=sse"
#endif
"""
_TIMES = """\
/* volatile: the product is rounded before it is added, even on machines with a fused multiply-add */
static double times(double weight, double value)
{
    volatile double product = weight * value;
    return product;
}
"""
_LARGEST = """\
static int largest(const double *scores)
{
    int best = 0;
    for (int i = 1; i < n_classes; i++)
        if (scores[i] > scores[best])
            best = i;
    return best;
}
"""
_WALK = """\
    int node = 0;
    while (left[node] >= 0) {
        double margin = bias[node];
        for (int k = first[node]; k < first[node + 1]; k++)
            margin += times(weights[k], x[features[k]]);
        node = margin >= 0.0 || (isnan(margin) && sides[node]) ? right[node] : left[node];
    }
    return outputs[node];
"""


@artifact(
    "Code", "C", "c", "text/x-c", takes=("target_name",),
    about="a C99 file with `int predict(const double *x)`, which returns an index into `class_names[]`; for a "
    "regression tree, `double predict`",
)  # fmt: skip
def c(tree: Tree, target_name: str = "") -> str:
    """Return a C99 file with the predictions of the tree.

    ``int predict(const double *x)`` takes the values of all features in order and returns the index of the class. The
    array `class_names` contains the labels as UTF-8 text. For regression, the function is ``double predict(const double
    *x)``. For infinity, and for NaN unless the tree was trained with missing values, it returns -1 (NAN for
    regression). The file needs no compiler flags and does not compile with -ffast-math.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or a fitted estimator or pipeline.
    target_name : str, default=''
        Name of the predicted column, which the file stores as ``target_name``.

    Returns
    -------
    str
        The source code.

    Raises
    ------
    ParameterError
        If `tree` is not a tree, or if a label is infinite or not a number, boolean or string.

    See Also
    --------
    python : Python export.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, export
    >>> X, y = load_iris(return_X_y=True)
    >>> "int predict(const double *x)" in export.c(CARTClassifier(random_state=0).fit(X, y).tree_)
    True
    """
    tree = as_tree(tree)
    labels = class_labels(tree)
    small = is_small(tree)
    lines = [f"/* Decision tree with {tree.n_nodes} nodes, {tree.n_leaves} of them leaves. */", *_START.splitlines()]
    lines.append("")
    if target_name:
        lines.append(f"const char target_name[] = {_literal(target_name)}; /* the predicted column */")
    lines.append(f"const int n_features = {tree.n_features};")
    if tree.feature_names:
        lines += listing(map(_literal, tree.feature_names), "const char *const feature_names[] = {", "};")
    if labels:
        lines += [f"const int n_classes = {len(labels)};"]
        lines += listing((_literal(_text(label)) for label in labels), "const char *const class_names[] = {", "};")
    lines.append("")
    if not small:
        for name, (kind, texts) in arrays(tree).items():
            lines += listing(texts or ["0"], f"static const {kind} {name}[] = {{", "};")
        lines.append("")
    function = branches(tree, _syntax(tree)) if small else _WALK.splitlines()
    if any("times(" in line for line in function):
        lines += [*_TIMES.splitlines(), ""]
    if any("largest(" in line for line in function):
        lines += [*_LARGEST.splitlines(), ""]
    return "\n".join([*lines, *_head(tree), *function, "}"]) + "\n"


def _text(label):
    return label if isinstance(label, str) else repr(label)


def _literal(text):
    """Return a string literal with octal escapes, so that C finds no trigraph, comment or terminator in it."""
    data = text.encode("utf-8", "surrogatepass")
    return '"' + "".join(chr(byte) if byte in _PLAIN else f"\\{byte:03o}" for byte in data) + '"'


def _syntax(tree):
    product = "times({}, x[{}])"

    def leaf(node):
        if tree.leaf_model.is_constant:
            return f"return {tree.outputs[node].item()!r};"
        scores = leaf_scores(tree, node, product)
        if len(scores) == 1:
            return f"return {scores[0]};"
        rows = "".join(f"    {score},\n" for score in scores)
        return f"const double scores[] = {{\n{rows}}};\nreturn largest(scores);"

    return Syntax("if ({}) {{", "} else {", "}", "//", product, _literal, leaf)


def _head(tree):
    missing = tree.missing_right is not None
    allowed = "finite numbers, or NaN for a missing value" if missing else "finite numbers"
    kind = kind_of(tree.outputs) if tree.leaf_model.is_constant else "int" if tree.classes.size else "double"
    refusal = REFUSALS[kind]
    meaning = [
        "/* x[i] is the feature feature_names[i], as the tree was trained on it: a column of texts is 0/1 features,",
        '   such as "colour = red" (1 if it is red), a column of dates is days since 1970-01-01 (UTC). */',
    ]
    return [
        *(meaning if tree.feature_names else []),
        f"/* Prediction for x, {tree.n_features} features in order ({allowed}); {refusal} for other values. */",
        f"{kind} predict(const double *x)",
        "{",
        f"    for (int i = 0; i < {tree.n_features}; i++)",
        f"        if ({'isinf(x[i])' if missing else '!isfinite(x[i])'})",
        f"            return {refusal};",
    ]
