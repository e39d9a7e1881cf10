"""The ways from the root of a tree to its nodes."""

import scipy.sparse

from treecore.tree.tree import Tree


def node_ways(tree: Tree) -> scipy.sparse.csr_matrix:
    """CSR bool[m, m]: in the row of each node the nodes from the root to it."""
    parents, ways = tree.parents, scipy.sparse.lil_matrix((tree.n_nodes, tree.n_nodes), dtype=bool)
    for node in range(tree.n_nodes):  # parents come first
        ways.rows[node] = [*ways.rows[parents[node]], node] if node else [0]
        ways.data[node] = [True] * len(ways.rows[node])
    return ways.tocsr()
