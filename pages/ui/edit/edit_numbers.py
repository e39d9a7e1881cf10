"""Show the effect of the edits: changed nodes, rows and predictions, and metrics that the stage cannot compute."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.ui.edit import edit_training
from pages.ui.edit.edit_state import Edit, EditRows
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from sample_data.data_set import split_words
from treecore.errors import TreecoreError
from treecore.messages import counted
from treecore.training.reoptimise import tree_record
from treecore.tree.date_text import column_name
from treecore.tree.metrics import error_of, tree_metrics
from treecore.tree.target import Target
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from treecore.tree.tree_changes import node_changes, row_changes
from treecore.tree.working_tree import WorkingTree


def figures(chosen: ChosenTree, rows: EditRows, tree: Tree) -> dict[str, Any]:
    """Return the metrics of a tree under the names that a path uses, with None for unavailable metrics."""
    size = tree_metrics(tree)
    try:
        record = tree_record(tree, rows.X, rows.y, edit_training.estimator(chosen))
    except TreecoreError:
        record = None
    return {
        "objective": None if record is None else record.objective,
        "train_error": error_of(tree, rows.X, rows.y),
        "test_error": error_of(tree, rows.test_X, rows.test_y) if len(rows.test_y) else None,
        "n_decision": size.n_decision, "n_leaves": size.n_leaves, "depth": size.depth, "n_nonzero": size.n_nonzero,
        "mean_path_length": size.mean_path_length, "max_path_length": size.max_path_length,
        "inference_cost": size.inference_cost,
    }  # fmt: skip


def numbers_section(chosen: ChosenTree, rows: EditRows, edit: Edit, whole: bool) -> dict[str, Any]:
    """Draw the differences. Return the `figures` of the current tree.

    whole : whether the stage has all rows, so that it shows exact metrics
    """
    before = _before(chosen.name, chosen, rows)
    after = before if edit.tree == chosen.tree else figures(chosen, rows, edit.tree)
    target = chosen.target
    if not whole:
        _metrics(chosen, rows, before, after)
    if chosen.has_data and (words := split_words(chosen.data, chosen.rows[2])):
        st.caption(plain(words))
    if edit.tree == chosen.tree:
        st.caption("This is the tree as trained. After a change, each metric also shows the value of this tree.")
        return after
    st.markdown(_nodes(chosen.tree, edit.tree, target))
    for name, X, y in (("training", rows.X, rows.y), ("test", rows.test_X, rows.test_y)):
        if len(y):
            st.markdown(_rows(name, row_changes(chosen.tree, edit.tree, X, y, target), target))
    return after


def _metrics(chosen: ChosenTree, rows: EditRows, before: dict[str, Any], after: dict[str, Any]) -> None:
    target = chosen.target
    error = target.error_text
    shown = [
        (f"Training {target.error_label}", "train_error", error, f"{len(rows.y):,} training rows"),
        (f"Test {target.error_label}", "test_error", error, f"{len(rows.test_y):,} test rows"),
        ("Leaves", "n_leaves", str, "Number of leaves"),
        ("Decision nodes", "n_decision", str, "Number of decision nodes"),
        ("Weights", "n_nonzero", str, "Number of weights in all splits"),
        (
            "Objective",
            "objective",
            _number,
            f"{'squared ' * target.is_root}training errors plus λ times the penalties, λ = {chosen.point.lam:.4g}",
        ),
    ]
    shown = [entry for entry in shown if after[entry[1]] is not None and before[entry[1]] is not None]
    for column, (label, name, words, help) in zip(st.columns(len(shown)), shown, strict=True):
        change = after[name] - before[name]
        column.metric(
            label,
            words(after[name]),
            _change_text(change, words, target) if words(after[name]) != words(before[name]) else None,
            delta_color="inverse",
            help=f"{help}. Before: {words(before[name])}.",
        )


@computed(6)
def _before(name: str, _chosen: ChosenTree, _rows: EditRows) -> dict[str, Any]:
    return figures(_chosen, _rows, _chosen.tree)


def _nodes(before: Tree, after: Tree, target: Target) -> str:
    found = node_changes(before, after)
    first, second = (dict(zip(tree.origin.tolist(), node_names(tree), strict=True)) for tree in (before, after))
    parts = [
        f"{len(nodes)} {words} ({', '.join(names[node] for node in nodes[:8])}{' …' if len(nodes) > 8 else ''})"
        for nodes, words, names in (
            (found.decided, "changed", second),
            (found.added, "new", second),
            (found.removed, "removed", first),
            (found.labelled, f"with another {target.value_noun}", second),
        )
        if nodes
    ]
    return f"**Nodes:** {'; '.join(parts) or 'no changes'}."


def _rows(name: str, found: Any, target: Target) -> str:
    return (
        f"**{len(found.moved):,} {name} rows** reach another leaf. {len(found.predicted):,} have another "
        f"prediction (now {target.right_noun}: {len(found.mended):,}, now {target.wrong_noun}: "
        f"{len(found.spoilt):,})."
    )


def _number(value: float) -> str:
    return f"{value:.5g}"


def _change_text(value: float, words: Callable[[Any], str], target: Target) -> str:
    text = words(abs(value))
    return ("+" if value > 0 else "-") + (text.replace(" %", " points") if target.values_are_groups else text)


MOST_NAMED = 3  # maximum number of nodes and features in a sentence


def broken_constraints(chosen: ChosenTree, tree: Tree) -> list[str]:
    """Return a sentence for each constraint of the `ChosenTree` that `tree` violates."""
    constraints = chosen.constraints
    working = WorkingTree.from_tree(tree, lambda *_: 1.0)
    found = []
    if constraints.monotone is not None and (nodes := constraints.monotone.broken(working)):
        signs = constraints.monotone.signs
        features = np.unique([feature for node in nodes for feature in tree.split(node)[0] if signs[feature]])
        found.append(
            f"The constraint Monotone features is violated at {_names_of_nodes(tree, nodes)}: predictions no "
            f"longer keep their order along {_columns(tree, features)}. Undo the change, or re-optimise the rest."
        )
    if constraints.interactions is not None and (nodes := constraints.interactions.broken(working)):
        found.append(
            f"The constraint Interactions is violated at {_names_of_nodes(tree, nodes)}: a decision path uses "
            "features that may not occur together. Undo the change, or re-optimise the rest."
        )
    if constraints.costs is not None:
        before, after = (_cost(chosen, one, constraints.costs) for one in (chosen.tree, tree))
        if after > before + 1e-9:
            found.append(
                f"The features of the tree cost {after:g} instead of {before:g}. Use cheaper features, or "
                "re-optimise the rest."
            )
    most = constraints.max_leaf_nodes
    if most is not None and tree.n_leaves > most:
        found.append(f"The tree has {counted(tree.n_leaves, 'leaf')}; Maximum leaves is {most}. Prune nodes.")
    return found


def _cost(chosen: ChosenTree, tree: Tree, costs: np.ndarray) -> float:
    """Return the sum of the costs of all columns that the tree uses."""
    group_of = {} if chosen.columns is None else chosen.columns.group_of
    columns = {group_of[j].start if j in group_of else j for j in tree.used_features.tolist()}
    return float(costs[sorted(columns)].sum())


def _names_of_nodes(tree: Tree, nodes: Sequence[int]) -> str:
    names = node_names(tree)
    return ", ".join(names[node] for node in nodes[:MOST_NAMED]) + ", …" * (len(nodes) > MOST_NAMED)


def _columns(tree: Tree, features: np.ndarray) -> str:
    names = [column_name(tree.feature_name(feature)) for feature in features[:MOST_NAMED].tolist()]
    return ", ".join(names) + ", …" * (len(features) > MOST_NAMED)
