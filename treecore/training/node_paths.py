"""Paths from the root of a tree to its nodes."""

import scipy.sparse

from treecore.tree.tree import Tree


def node_paths(tree: Tree) -> scipy.sparse.csr_matrix:
    """Return a CSR matrix, bool[m, m], that marks the nodes from the root to each node (row)."""
    parents, paths = tree.parents, scipy.sparse.lil_matrix((tree.n_nodes, tree.n_nodes), dtype=bool)
    for node in range(tree.n_nodes):  # parents precede their children
        paths.rows[node] = [*paths.rows[parents[node]], node] if node else [0]
        paths.data[node] = [True] * len(paths.rows[node])
    return paths.tocsr()
