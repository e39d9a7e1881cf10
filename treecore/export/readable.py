"""Small trees as nested if and else in Python, C or JavaScript."""

from collections.abc import Callable
from typing import NamedTuple

from treecore.errors import ParameterError
from treecore.export.checks import plain_number
from treecore.export.thresholds import threshold
from treecore.parameter_checks import LARGEST
from treecore.tree.tree import Tree

MOST_DEPTH, MOST_NODES, MOST_TERMS = 10, 127, 12
_INDENT = "    "
_NAME = 40  # maximum number of characters of a name in a comment


MOST_LINEAR_DEPTH, MOST_LINEAR_TERMS = (
    40,
    900,
)  # limits for trees with linear leaves, which are always written as nested branches


class Syntax(NamedTuple):
    """Syntax of splits in one language.

    condition, otherwise, end : lines around the branches; condition contains {}, and end may be None. comment : start
    of a comment; product : text with {} for weight and feature; name : function that returns a literal of a name that
    is safe in a comment; leaf : function that returns the statement of a node, in one or more lines.
    """

    condition: str
    otherwise: str
    end: str | None
    comment: str
    product: str
    name: Callable
    leaf: Callable


def is_small(tree: Tree) -> bool:
    """Return whether to write the tree as nested branches.

    This is the case for small trees and for trees with linear leaves, which need this form.

    Raise ParameterError if a tree with linear leaves is too deep, or if a leaf has too many features.
    """
    if not tree.leaf_model.is_constant:
        terms = int(tree.leaf_model.sizes(tree).max())
        if tree.depth > MOST_LINEAR_DEPTH or terms > MOST_LINEAR_TERMS:
            raise ParameterError(
                f"Code export supports at most depth {MOST_LINEAR_DEPTH} and {MOST_LINEAR_TERMS} features per "
                f"linear leaf; the tree has depth {tree.depth} and up to {terms} features. Use a smaller tree, "
                "or the export format 'json'."
            )
        return True
    terms = int((tree.indptr[1:] - tree.indptr[:-1]).max())
    return tree.depth <= MOST_DEPTH and tree.n_nodes <= MOST_NODES and terms <= MOST_TERMS


def sends_missing_right(tree: Tree, node: int) -> bool:
    """Return whether a NaN margin goes right at `node`."""
    return tree.missing_right is not None and bool(tree.missing_right[node])


def margin(tree: Tree, node: int, product: str) -> str:
    """Return the text of ``b + w x + ...`` in the order of `Tree.predict`. product : format of weight and feature."""
    features, weights, bias = tree.split(node)
    terms = (product.format(repr(w), j) for w, j in zip(weights.tolist(), features.tolist(), strict=True))
    return " + ".join([repr(plain_number(bias)), *terms])


def leaf_scores(tree: Tree, leaf: int, product: str) -> list[str]:
    """Return the sum for each score of a linear leaf (see `LinearLeaves`). Terms are in the order of `Tree.predict`.

    With two classes, the score of the first is "0.0".
    """
    model = tree.leaf_model.model(leaf)
    texts = []
    for bias, weights in zip(model.bias.tolist(), model.weights.T.tolist(), strict=True):
        terms = [product.format(repr(w), j) for w, j in zip(weights, model.features.tolist(), strict=True) if w]
        texts.append(" + ".join([repr(plain_number(bias)), *terms]))
    return texts


def branches(tree: Tree, syntax: Syntax, depth: int = 1) -> list:
    """Return the lines of the nested splits of `tree`, indented by at least `depth` steps."""
    return list(_branches(tree, syntax, 0, depth))


def _branches(tree, syntax, node, depth):
    space = _INDENT * depth
    if tree.is_leaf(node):
        yield from (space + line for line in syntax.leaf(node).splitlines())
        return
    # A comparison with NaN is false, so the side without missing values comes first.
    first, second = int(tree.right[node]), int(tree.left[node])
    missing_right = sends_missing_right(tree, node)
    if missing_right:
        first, second = second, first
    single, told = threshold(tree, node), ""
    if single:
        condition = f"x[{single.feature}] {single.operator(not missing_right)} {single.value!r}"
        if (
            abs(single.value) > LARGEST
        ):  # the threshold is beyond all finite values, so the split only tests whether the value is present
            told = " is known"
    else:
        condition = f"{margin(tree, node, syntax.product)} {'<' if missing_right else '>='} 0.0"
    yield space + syntax.condition.format(condition) + _names(tree, node, syntax, told)
    yield from _branches(tree, syntax, first, depth + 1)
    yield space + syntax.otherwise
    yield from _branches(tree, syntax, second, depth + 1)
    if syntax.end:
        yield space + syntax.end


def _names(tree, node, syntax, told):
    if not tree.feature_names:
        return ""
    names = (tree.feature_names[feature] for feature in tree.split(node)[0])
    listed = ", ".join(syntax.name(name if len(name) <= _NAME else name[:_NAME] + "...") for name in names)
    return f"  {syntax.comment} {listed}{told}" if listed else ""
