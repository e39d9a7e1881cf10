"""`text_tree`: a tree as indented text, for terminals and logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treecore.tree.category_columns import CategoryColumns, column_groups
from treecore.tree.condition_text import TYPED
from treecore.tree.conditions import MOST_TERMS, side
from treecore.tree.number_text import count

if TYPE_CHECKING:
    from treecore.tree.tree import Tree

DIGITS = 6  # significant digits of thresholds and weights: enough for years and for prices with cents
MOST_DEPTH = 30  # decisions that are indented; a subtree below is one line with its number of leaves


def text_tree(tree: Tree) -> str:
    """Return the tree as text: one line a branch with its condition, below the branch that leads to it.

    A branch to a leaf shows the prediction and the number of training rows, unless that number is not known. Numbers
    have 6 significant digits, and sums the 4 largest weights. `treecore.rules.rules` writes every digit.
    """
    columns = CategoryColumns.of(tree.feature_names, column_groups(tree.feature_names))
    n_leaves = tree.leaf_ranges[1]
    lines, stack = [], [(0, "")]
    while stack:
        node, condition = stack.pop()
        depth = int(tree.depths[node])
        is_cut = depth >= MOST_DEPTH and not tree.is_leaf(node)
        end = f"{n_leaves[node]} leaves" if is_cut else _answer(tree, node) if tree.is_leaf(node) else ""
        text = ": ".join(part for part in (condition, end) if part)
        if text:
            lines.append("|   " * (depth - 1) + text)
        if not is_cut and not tree.is_leaf(node):
            children = ((int(tree.right[node]), True), (int(tree.left[node]), False))
            stack += [(child, branch_condition(tree, node, right, columns)) for child, right in children]
    return "\n".join(lines)


def branch_condition(tree: Tree, node: int, right: bool, columns: CategoryColumns) -> str:
    """Return the condition that leads from a decision node to one of its children; columns : those of the tree."""
    found = side(tree, node, right)
    return "always" if found is None else columns.told(found).rounded(DIGITS).text(TYPED, MOST_TERMS)


def _answer(tree, leaf):
    label, n = leaf_label(tree, leaf), int(tree.n_samples[leaf])
    return f"{label} ({count(n)} row{'s' * (n != 1)})" if tree.n_samples[0] else label


def leaf_label(tree: Tree, leaf: int) -> str:
    """Return what a leaf predicts: a label, a number, or a linear model by its name."""
    if tree.linear is None:
        return tree.target.label_text(tree.predictions[leaf].item())
    model = tree.linear.model(leaf)
    if model.features.size:
        return model.name
    return tree.target.label_text(tree.target.answers(model.bias[None], tree.classes)[0].item())
