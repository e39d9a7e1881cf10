"""Trees as indented text for terminals and logs, and the names of nodes."""

from __future__ import annotations

from treecore.tree.category_columns import CategoryColumns, shown_columns
from treecore.tree.condition_text import TYPED
from treecore.tree.conditions import MOST_TERMS, side
from treecore.tree.number_text import count
from treecore.tree.target import Target
from treecore.tree.tree_arrays import TreeArrays

DIGITS = 6  # significant digits of thresholds and weights, sufficient for years and prices with cents
MOST_DEPTH = 30  # maximum depth of indentation; a deeper subtree is one line with its number of leaves


def text_tree(tree: TreeArrays, target: Target) -> str:
    """Return the tree as text, with one line for the condition of each branch, followed by its subtree.

    A branch to a leaf shows the prediction and, if known, the number of training rows. Numbers have 6 significant
    digits, and sums show the 4 largest weights. `treecore.rules.rules` returns complete sums.
    """
    columns = shown_columns(tree)
    n_leaves = tree.leaf_ranges[1]
    lines, stack = [], [(0, "")]
    while stack:
        node, condition = stack.pop()
        depth = int(tree.depths[node])
        is_cut = depth >= MOST_DEPTH and not tree.is_leaf(node)
        end = f"{n_leaves[node]} leaves" if is_cut else _answer(tree, node, target) if tree.is_leaf(node) else ""
        text = ": ".join(part for part in (condition, end) if part)
        if text:
            lines.append("|   " * (depth - 1) + text)
        if not is_cut and not tree.is_leaf(node):
            children = ((int(tree.right[node]), True), (int(tree.left[node]), False))
            stack += [(child, branch_condition(tree, node, right, columns)) for child, right in children]
    return "\n".join(lines)


def branch_condition(tree: TreeArrays, node: int, right: bool, columns: CategoryColumns) -> str:
    """Return the condition that leads from a decision node to a child. columns : CategoryColumns of the tree."""
    found = side(tree, node, right)
    return "always" if found is None else columns.combine(found).rounded(DIGITS).text(TYPED, MOST_TERMS)


def _answer(tree, leaf, target):
    label, n = leaf_label(tree, leaf, target), int(tree.n_samples[leaf])
    return f"{label} ({count(n)} row{'s' * (n != 1)})" if tree.n_samples[0] else label


def leaf_label(tree: TreeArrays, leaf: int, target: Target) -> str:
    """Return the text of a leaf's prediction: a label, a number, or the name of a linear model."""
    return tree.leaf_model.text(tree, target, leaf)


def node_names(tree: TreeArrays) -> list[str]:
    """Return the m node names: "node 3" for decision nodes, in order, and "leaf 5 of 17" for leaves, left to right."""
    names, leaves, decisions, stack = [""] * tree.n_nodes, 0, 0, [0]
    while stack:
        node = stack.pop()
        if tree.left[node] < 0:
            leaves += 1
            names[node] = f"leaf {leaves} of {tree.n_leaves}"
        else:
            decisions += 1
            names[node] = f"node {decisions}"
            stack += [int(tree.right[node]), int(tree.left[node])]
    return names
