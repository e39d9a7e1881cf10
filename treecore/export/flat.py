"""Large trees as flat arrays, in the syntax of Python, C or JavaScript."""

from typing import Any

from treecore.tree.tree import Tree

_PER_LINE = 12


def listing(items: Any, opening: Any, closing: Any, per_line: Any = _PER_LINE) -> list:
    """Lines of a list of texts between brackets; a list that fits is one line."""
    items = list(items)
    if len(items) <= per_line and sum(map(len, items)) <= 80:
        return [f"{opening}{', '.join(items)}{closing}"]
    rows = (items[i : i + per_line] for i in range(0, len(items), per_line))
    return [opening, *(f"    {', '.join(row)}," for row in rows), closing]


def arrays(tree: Tree) -> Any:
    """Name -> (kind, texts) of the arrays of a tree; kind is "int" or "double".

    Node i has the weights [first[i], first[i + 1]). `sides` says what a NaN margin does (1 goes right). `outputs` are
    class codes or numbers.
    """
    sides = [0] * tree.n_nodes if tree.missing_right is None else tree.missing_right.astype(int).tolist()
    numbers = {"left": tree.left, "right": tree.right, "first": tree.indptr, "features": tree.features}
    table = {name: ("int", list(map(str, values.tolist()))) for name, values in numbers.items()}
    table["weights"] = ("double", list(map(repr, tree.weights.tolist())))
    table["bias"] = ("double", list(map(repr, tree.bias.tolist())))
    table["sides"] = ("int", list(map(str, sides)))
    table["outputs"] = ("double" if tree.is_regression else "int", list(map(repr, tree.outputs.tolist())))
    return table
