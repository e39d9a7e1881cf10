"""Content of tree diagrams: a box with lines of text for each node, and an arrow to each child."""

from collections.abc import Iterator
from typing import NamedTuple

from treecore.tables.table_columns import TableColumns
from treecore.tree.category_columns import shown_columns
from treecore.tree.condition_text import quoted, visible
from treecore.tree.number_text import count, number
from treecore.tree.text_tree import branch_condition, leaf_label
from treecore.tree.tree import Tree

MOST_CLASSES = 5  # maximum number of classes whose counts a leaf shows
MOST_CHARACTERS = 300  # maximum number of characters in a line
YES, NO = "yes", "no"


class Box(NamedTuple):
    """Node of a diagram.

    number : int, node number; lines : texts with visible characters only; arrows : (label, number of the child) for
    each child of a decision node. The first arrow leads to the left child, where the condition is false.
    """

    number: int
    lines: tuple[str, ...]
    arrows: tuple[tuple[str, int], ...]


def boxes(tree: Tree, target_name: str = "", columns: TableColumns | None = None) -> Iterator[Box]:
    """Return the nodes of a tree, each before its children.

    A decision node shows its condition, as in `text_tree`; with `columns`, it can name every category. A leaf shows its
    prediction, after `target_name` if it is given. If the tree has training statistics, it also shows its number of
    training rows and the counts of its most frequent classes.
    """
    known = shown_columns(tree) if columns is None else columns.categories()
    stack = [0]
    while stack:
        node = stack.pop()
        if tree.is_leaf(node):
            yield Box(node, tuple(map(_short, _leaf_lines(tree, node, target_name))), ())
            continue
        left, right = int(tree.left[node]), int(tree.right[node])
        yield Box(node, (_short(branch_condition(tree, node, True, known)),), ((NO, left), (YES, right)))
        stack += [right, left]


def _leaf_lines(tree, leaf, target_name):
    label = leaf_label(tree, leaf, tree.target)
    yield f"{quoted(target_name)} = {label}" if target_name else label
    if not tree.n_samples[0]:
        return
    n = int(tree.n_samples[leaf])
    yield f"{count(n)} row{'s' * (n != 1)}"
    counts = sorted(zip(tree.values[leaf].tolist(), tree.classes.tolist(), strict=False), key=lambda one: -one[0])
    counts = [(value, label) for value, label in counts if value > 0]
    told = [f"{tree.target.label_text(label)}: {number(value, 6)}" for value, label in counts[:MOST_CLASSES]]
    if told:
        yield ", ".join(told) + (f" and {len(counts) - MOST_CLASSES} more" if counts[MOST_CLASSES:] else "")


def _short(text):
    text = visible(text)
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
