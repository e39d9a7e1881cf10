"""Differences between two trees, in their nodes and in their predictions for rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.tree.target import Target
from treecore.tree.tree import Tree


class NodeChanges(NamedTuple):
    """Origin ids (tuples of int) of added, removed and changed nodes.

    A node counts as changed if it has a new split, a leaf has a new class, or a leaf became a decision node or vice
    versa.
    """

    added: tuple
    removed: tuple
    decided: tuple
    labelled: tuple


class RowChanges(NamedTuple):
    """Row numbers (int64) of rows that reach another leaf or have another prediction.

    Corrected rows and new errors are among the rows with another prediction.
    """

    moved: np.ndarray
    predicted: np.ndarray
    mended: np.ndarray
    spoilt: np.ndarray


def node_changes(before: Tree, after: Tree) -> NodeChanges:
    """Compare two trees over the same features, matching nodes by origin id."""
    first, second = ({int(origin): node for node, origin in enumerate(tree.origin)} for tree in (before, after))
    both = [origin for origin in second if origin in first]
    decided = [origin for origin in both if _decision(before, first[origin]) != _decision(after, second[origin])]
    labelled = [
        origin
        for origin in both
        if before.is_leaf(first[origin])
        and after.is_leaf(second[origin])
        and _label(before, first[origin]) != _label(after, second[origin])
    ]
    return NodeChanges(
        tuple(origin for origin in second if origin not in first),
        tuple(origin for origin in first if origin not in second),
        tuple(decided),
        tuple(labelled),
    )


def row_changes(before: Tree, after: Tree, X: np.ndarray, y: np.ndarray, target: Target | None = None) -> RowChanges:
    """Compare two trees with the same target on the rows of `X` ([n, d]).

    y : [n], true values; target : `Target` that defines which rows are errors, None for that of the tree.
    """
    target = before.target if target is None else target
    leaves = [tree.apply(X) for tree in (before, after)]
    origins = [tree.origin[leaf] for tree, leaf in zip((before, after), leaves, strict=True)]
    given = [tree.predictions[leaf] for tree, leaf in zip((before, after), leaves, strict=True)]
    otherwise = given[0] != given[1]
    right = [~target.is_wrong(labels, y) for labels in given]
    return RowChanges(
        np.flatnonzero(origins[0] != origins[1]),
        np.flatnonzero(otherwise),
        np.flatnonzero(otherwise & right[1]),
        np.flatnonzero(otherwise & right[0]),
    )


def _decision(tree, node):
    if tree.is_leaf(node):
        return None
    features, weights, bias = tree.split(node)
    missing_right = tree.missing_right is not None and bool(tree.missing_right[node])
    return features.tolist(), weights.tolist(), bias, missing_right


def _label(tree, node):
    return tree.predictions[node]
