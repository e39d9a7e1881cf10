"""What people call the nodes of a tree. viz/stage/model/tree.js is its twin."""

from treecore.tree.tree import Tree


def node_names(tree: Tree) -> list[str]:
    """List of m texts: "node 3" of decisions, numbered from the root on, "leaf 5 of 17" of leaves, left to right."""
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
