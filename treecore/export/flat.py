"""Large trees as flat arrays in Python, C or JavaScript."""

from collections.abc import Iterable

import numpy as np

from treecore.tree.tree import Tree

_PER_LINE = 12


def listing(items: Iterable[str], opening: str, closing: str, per_line: int = _PER_LINE) -> list:
    """Return the lines of a list of texts between brackets, or a single line if the list fits."""
    items = list(items)
    if len(items) <= per_line and sum(map(len, items)) <= 80:
        return [f"{opening}{', '.join(items)}{closing}"]
    rows = (items[i : i + per_line] for i in range(0, len(items), per_line))
    return [opening, *(f"    {', '.join(row)}," for row in rows), closing]


def arrays(tree: Tree) -> dict[str, tuple[str, list[str]]]:
    """Return the arrays of a tree, {name: (kind, texts)}. kind : "int" or "double".

    Node i has the weights [first[i], first[i + 1]). `sides` contains the side of a NaN margin (1 is right). `outputs`
    contains class codes or numbers.
    """
    sides = np.zeros(tree.n_nodes, int) if tree.missing_right is None else tree.missing_right.astype(int)
    numbers = {
        "left": tree.left, "right": tree.right, "first": tree.indptr, "features": tree.features,
        "weights": tree.weights, "bias": tree.bias, "sides": sides, "outputs": tree.outputs,
    }  # fmt: skip
    return {name: (kind_of(values), list(map(repr, values.tolist()))) for name, values in numbers.items()}


def kind_of(values: np.ndarray) -> str:
    """Return the C type of the entries: "int" or "double"."""
    return "double" if values.dtype.kind == "f" else "int"
