"""Describe the constraints of the training that an edited tree no longer satisfies."""

from collections.abc import Sequence

import numpy as np

from pages.ui.edit.messages import MESSAGES
from pages.ui.session.chosen_tree import ChosenTree
from treecore.messages import Sentence
from treecore.tree.date_text import column_name
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from treecore.tree.working_tree import WorkingTree

MOST = 3  # maximum number of nodes and features in a sentence


def broken_constraints(chosen: ChosenTree, tree: Tree) -> list[Sentence]:
    """Return a sentence for each constraint of the `ChosenTree` that `tree` violates."""
    constraints = chosen.constraints
    working = WorkingTree.from_tree(tree, lambda *_: 1.0)
    found = []
    if constraints.monotone is not None and (nodes := constraints.monotone.broken(working)):
        signs = constraints.monotone.signs
        features = np.unique([feature for node in nodes for feature in tree.split(node)[0] if signs[feature]])
        found.append(MESSAGES("broken.monotone", nodes=_nodes(tree, nodes), columns=_columns(tree, features)))
    if constraints.interactions is not None and (nodes := constraints.interactions.broken(working)):
        found.append(MESSAGES("broken.interaction", nodes=_nodes(tree, nodes)))
    if constraints.costs is not None:
        before, after = (_cost(chosen, one, constraints.costs) for one in (chosen.tree, tree))
        if after > before + 1e-9:
            found.append(MESSAGES("broken.costs", before=before, after=after))
    most = constraints.max_leaf_nodes
    if most is not None and tree.n_leaves > most:
        found.append(MESSAGES("broken.leaves", n_leaves=tree.n_leaves, most=most))
    return found


def _cost(chosen: ChosenTree, tree: Tree, costs: np.ndarray) -> float:
    """Return the sum of the costs of all columns that the tree uses."""
    group_of = {} if chosen.columns is None else chosen.columns.group_of
    columns = {group_of[j].start if j in group_of else j for j in tree.used_features.tolist()}
    return float(costs[sorted(columns)].sum())


def _nodes(tree: Tree, nodes: Sequence[int]) -> str:
    names = node_names(tree)
    return ", ".join(names[node] for node in nodes[:MOST]) + ", …" * (len(nodes) > MOST)


def _columns(tree: Tree, features: np.ndarray) -> str:
    names = [column_name(tree.feature_name(feature)) for feature in features[:MOST].tolist()]
    return ", ".join(names) + ", …" * (len(features) > MOST)
