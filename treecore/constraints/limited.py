"""`limited`: a tree with at most a number of leaves."""

import heapq

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.tree.working_tree import WorkingTree, copied


def limited(tree: WorkingTree, data: TrainingData, most: int, frozen: np.ndarray) -> WorkingTree:
    """Return a tree with at most `most` leaves, or the same tree if it has no more.

    Again and again, the decision node above two leaves whose removal raises the training loss least becomes a leaf.
    frozen : bool[m]; these nodes and their ancestors remain, even if more leaves are left.
    """
    if tree.n_leaves <= most:
        return tree
    leaf = np.empty(data.n_rows, np.int64)
    data.columns.leaves(tree.routing(), 0, 0, data.n_rows, leaf)
    loss = data.loss
    values = loss.node_values(tree.left, tree.right, leaf, data.y, data.weights)
    parent, kept = np.full(tree.n_nodes, -1), frozen.copy()
    for node in tree.decisions[::-1]:
        left, right = tree.left[node], tree.right[node]
        parent[left] = parent[right] = node
        kept[node] |= kept[left] | kept[right]
    losses, is_end = loss.losses_of(values), tree.left < 0

    def rise(node):
        return float(losses[node] - losses[tree.left[node]] - losses[tree.right[node]])

    def is_open(node):
        return not kept[node] and is_end[tree.left[node]] and is_end[tree.right[node]]

    heap = [(rise(node), int(node)) for node in tree.decisions if is_open(node)]
    heapq.heapify(heap)
    n_leaves = tree.n_leaves
    labels = np.where(is_end, tree.labels, loss.labels_of(values))
    while n_leaves > most and heap:
        _, node = heapq.heappop(heap)
        is_end[node] = True
        n_leaves -= 1
        if parent[node] >= 0 and is_open(parent[node]):
            heapq.heappush(heap, (rise(parent[node]), int(parent[node])))
    tree.labels = np.asarray(labels, tree.labels.dtype)
    return copied(tree, is_end, {})
