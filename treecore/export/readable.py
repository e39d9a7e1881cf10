"""Small trees as nested if and else, in the syntax of Python, C or JavaScript."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from treecore.errors import ParameterError
from treecore.export.checks import plain_number
from treecore.export.messages import MESSAGES
from treecore.export.thresholds import threshold
from treecore.parameter_checks import LARGEST
from treecore.tree.tree import Tree

MOST_DEPTH, MOST_NODES, MOST_TERMS = 10, 127, 12
_INDENT = "    "
_NAME = 40  # characters of a name in a comment


MOST_LINEAR_DEPTH, MOST_LINEAR_TERMS = (
    40,
    900,
)  # limits of trees with linear leaves, which are always written as branches


class Syntax(NamedTuple):
    """Syntax of splits in a language.

    condition, otherwise, end : lines around the branches, the first with a {}; end may be None. comment : start of a
    comment; product : text with {} for weight and feature; name : function from a name to a literal that is safe in a
    comment; leaf : function from a node to a statement, of one line or more.
    """

    condition: str
    otherwise: str
    end: str | None
    comment: str
    product: str
    name: Callable
    leaf: Callable


def is_small(tree: Tree) -> bool:
    """Return whether the tree is written as nested branches.

    It is readable, or has linear leaves, which need this form.

    Raises ParameterError for linear leaves below branches that are nested too deep, or of too many features.
    """
    if tree.linear is not None:
        terms = int(np.diff(tree.linear.indptr).max())
        if tree.depth > MOST_LINEAR_DEPTH or terms > MOST_LINEAR_TERMS:
            raise ParameterError(
                MESSAGES(
                    "linear_leaves",
                    depth=tree.depth,
                    n_terms=terms,
                    most_depth=MOST_LINEAR_DEPTH,
                    most_terms=MOST_LINEAR_TERMS,
                )
            )
        return True
    terms = int((tree.indptr[1:] - tree.indptr[:-1]).max())
    return tree.depth <= MOST_DEPTH and tree.n_nodes <= MOST_NODES and terms <= MOST_TERMS


def sends_missing_right(tree: Tree, node: int) -> bool:
    """Return whether a NaN margin goes right at `node`."""
    return tree.missing_right is not None and bool(tree.missing_right[node])


def margin(tree: Tree, node: int, product: str) -> str:
    """Return the text of ``b + w x + ...`` in the order of `Tree.predict`; `product` formats weight and feature."""
    features, weights, bias = tree.split(node)
    terms = (product.format(repr(w), j) for w, j in zip(weights.tolist(), features.tolist(), strict=True))
    return " + ".join([repr(plain_number(bias)), *terms])


def leaf_scores(tree: Tree, leaf: int, product: str) -> list[str]:
    """Return the texts of the scores of a linear leaf (see `LinearLeaves`), in the order of `Tree.predict`.

    The first of two classes is "0.0".
    """
    model = tree.linear.model(leaf)
    texts = []
    for bias, weights in zip(model.bias.tolist(), model.weights.T.tolist(), strict=True):
        terms = [product.format(repr(w), j) for w, j in zip(weights, model.features.tolist(), strict=True) if w]
        texts.append(" + ".join([repr(plain_number(bias)), *terms]))
    return texts


def branches(tree: Tree, syntax: Syntax, depth: int = 1) -> list:
    """Return the lines of the splits of `tree`, indented by at least `depth` steps."""
    return list(_branches(tree, syntax, 0, depth))


def _branches(tree, syntax, node, depth):
    space = _INDENT * depth
    if tree.is_leaf(node):
        yield from (space + line for line in syntax.leaf(node).splitlines())
        return
    # a comparison with NaN is false, so the other side comes first
    first, second = int(tree.right[node]), int(tree.left[node])
    missing_right = sends_missing_right(tree, node)
    if missing_right:
        first, second = second, first
    single, told = threshold(tree, node), ""
    if single:
        condition = f"x[{single.feature}] {single.operator(not missing_right)} {single.value!r}"
        if abs(single.value) > LARGEST:  # no value reaches this threshold: the branch contains all present values
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
