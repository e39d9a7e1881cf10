"""Paths from the root of a tree to its nodes."""

import scipy.sparse

from treecore.tree.tree import Tree


def node_paths(tree: Tree) -> scipy.sparse.csr_matrix:
    """Return CSR bool[m, m]: in the row of each node, the nodes from the root to it."""
    parents, paths = tree.parents, scipy.sparse.lil_matrix((tree.n_nodes, tree.n_nodes), dtype=bool)
    for node in range(tree.n_nodes):  # parents come first
        paths.rows[node] = [*paths.rows[parents[node]], node] if node else [0]
        paths.data[node] = [True] * len(paths.rows[node])
    return paths.tocsr()
