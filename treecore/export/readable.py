"""Small trees as nested if and else, in the syntax of Python, C or JavaScript."""

from collections.abc import Callable
from typing import NamedTuple

from treecore.export.checks import plain_number

MOST_DEPTH, MOST_NODES, MOST_TERMS = 10, 127, 12
_INDENT = "    "
_NAME = 40  # characters of a name in a comment
_RIGHT = {1.0: ">=", -1.0: "<="}
_LEFT = {1.0: "<", -1.0: ">"}


class Syntax(NamedTuple):
    """How a language writes a decision.

    condition, otherwise, end : lines around the branches, the first with a {}; end may be None. comment : what starts a
    comment; product : text with {} for weight and feature; name : function that turns a name into a literal which is
    safe in a comment; leaf : function that turns a node into a statement.
    """

    condition: str
    otherwise: str
    end: str | None
    comment: str
    product: str
    name: Callable
    leaf: Callable


def is_small(tree):
    """Whether a person can read the tree as nested branches."""
    terms = int((tree.indptr[1:] - tree.indptr[:-1]).max())
    return tree.depth <= MOST_DEPTH and tree.n_nodes <= MOST_NODES and terms <= MOST_TERMS


def threshold(tree, node):
    """(feature, weight, value) if the node compares one feature, x >= value (weight 1) or x <= value (weight -1).

    None for other nodes. In float64 ``x - value >= 0`` iff ``x >= value``: differences do not underflow.
    """
    features, weights, bias = tree.split(node)
    if features.size != 1 or abs(weights[0]) != 1:
        return None
    weight = float(weights[0])
    return int(features[0]), weight, plain_number(-weight * bias)


def sends_missing_right(tree, node):
    """Whether a NaN margin goes right at `node`."""
    return tree.missing_right is not None and bool(tree.missing_right[node])


def margin(tree, node, product):
    """Text of ``b + w x + ...`` in the order of `Tree.predict`; `product` is a format of weight and feature."""
    features, weights, bias = tree.split(node)
    terms = (product.format(repr(w), j) for w, j in zip(weights.tolist(), features.tolist(), strict=True))
    return " + ".join([repr(plain_number(bias)), *terms])


def branches(tree, syntax, depth=1):
    """Lines of the decisions of `tree`, indented by at least `depth` steps."""
    return list(_branches(tree, syntax, 0, depth))


def _branches(tree, syntax, node, depth):
    space = _INDENT * depth
    if tree.is_leaf(node):
        yield space + syntax.leaf(node)
        return
    # a comparison with NaN is false, so the side that NaN does not take comes first
    first, second = int(tree.right[node]), int(tree.left[node])
    operators, zero = _RIGHT, ">="
    if sends_missing_right(tree, node):
        first, second, operators, zero = second, first, _LEFT, "<"
    single = threshold(tree, node)
    if single:
        condition = f"x[{single[0]}] {operators[single[1]]} {single[2]!r}"
    else:
        condition = f"{margin(tree, node, syntax.product)} {zero} 0.0"
    yield space + syntax.condition.format(condition) + _names(tree, node, syntax)
    yield from _branches(tree, syntax, first, depth + 1)
    yield space + syntax.otherwise
    yield from _branches(tree, syntax, second, depth + 1)
    if syntax.end:
        yield space + syntax.end


def _names(tree, node, syntax):
    if not tree.feature_names:
        return ""
    names = (tree.feature_names[feature] for feature in tree.split(node)[0])
    listed = ", ".join(syntax.name(name if len(name) <= _NAME else name[:_NAME] + "...") for name in names)
    return f"  {syntax.comment} {listed}" if listed else ""
