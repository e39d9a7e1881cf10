"""`other_splits_section`: list other splits of the selected node, show one, and take it.

A click takes the split, locks the node, and lets TAO re-optimise the other nodes. Another click replaces the tree by
one leaf, from which it can be grown split by split.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.ui.edit import edit_training
from pages.ui.edit.edit_numbers import broken_constraints
from pages.ui.edit.edit_state import Edit, EditRows
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import chart
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from treecore.errors import TreecoreError
from treecore.messages import counted
from treecore.rules.rule_in_tree import with_split
from treecore.training.candidate_splits import KINDS, SAME, CandidateSplit, NodeSearch
from treecore.training.reoptimise import tree_record
from treecore.tree.category_columns import CategoryColumns, decision_words
from treecore.tree.date_text import column_name
from treecore.tree.editing import edited_tree, locked_nodes
from treecore.tree.feature_statistics import feature_deviation
from treecore.tree.metrics import error_of
from treecore.tree.number_text import number
from treecore.tree.split import Split
from treecore.tree.target import Target
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from viz.nodes.category_columns import category_columns
from viz.tree.node_figure import node_figure

MOST, FOUND, DIGITS = (
    8,
    120,
    3,
)  # maximum number of splits on the page, of splits from which the filters choose; digits of conditions
FEW_VALUES = 1_000_000  # values of the training rows up to which TAO runs below each split before it is selected
HELP = "Ranks other splits of the selected node by the objective of the tree, with the rest of the tree unchanged."
EXPLANATION = (
    "Changes of the training rows compared with the present tree, smallest objective first. The agreement with the "
    "present split is 1 if both separate the rows in the same way. Ranges of errors are 95 % intervals."
)
KIND_NAMES = {"univariate": "One feature", "bivariate": "Two features", "oblique": "Several features"}
_CHOICE = "edit_other"


class Asked(NamedTuple):
    """Search at a node of an edited tree, for splits with one of the columns `wanted` and none of `left_out`."""

    name: str
    digest: str
    lam: float
    node: int
    kinds: tuple[str, ...]
    wanted: tuple[str, ...]
    left_out: tuple[str, ...]


class After(NamedTuple):
    """The tree after one pass of TAO below a split.

    change : of the objective; validation : error with the ends of its 95 % interval, or None.
    """

    change: float
    n_leaves: int
    validation: tuple[float, float, float] | None


class Other(NamedTuple):
    """One split of the list.

    condition : for going right, as on the stage; change, loss_change : of the objective and the training loss with the
    rest of the tree unchanged; agreement : see `CandidateSplit`; after : the tree after a pass of TAO below the split,
    None if there are too many rows to compute it for all splits.
    """

    condition: str
    split: Split
    n_left: int
    n_right: int
    change: float
    loss_change: float
    agreement: float
    after: After | None


def other_splits_section(
    chosen: ChosenTree, rows: EditRows, edit: Edit, selected: int, ask: Callable[[Any], Any]
) -> None:
    """Draw the switch of the list and, if it is on, the list for the selected node.

    selected : origin id of the selected node; ask : function that sets the task of
    the next run, which receives the same arguments as `take` before `node`.
    """
    switch, start = st.columns([3, 2], vertical_alignment="center")
    if not switch.toggle("Other splits here", key="edit-others", help=HELP):
        return
    start.button(
        "Start with one leaf",
        icon=":material/potted_plant:",
        key="edit-one-leaf",
        width="stretch",
        disabled=edit.tree.n_nodes == 1,
        on_click=ask,
        args=(start_with_one_leaf,),
        help="Replaces the tree by one leaf, also at locked nodes. Then select a leaf and use splits of the list to "
        "grow the tree. Undo restores it.",
    )
    origins = edit.tree.origin.tolist()
    node = selected if selected in origins else int(origins[0])
    name, kinds, wanted, left_out = _filters(chosen, edit.tree, node)
    asked = Asked(chosen.name, _digest(edit), chosen.point.lam, node, kinds, wanted, left_out)
    try:
        found = _found(asked, chosen, rows, edit)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return
    if not found:
        st.info(
            f"{name}: {_why_none(edit.tree, origins.index(node), bool(wanted or left_out))}", icon=":material/rule:"
        )
        return
    st.caption(EXPLANATION)
    listed, shown = st.columns([3, 2])
    place = listed.radio(
        f"{name}: rows go right if",
        range(len(found)),
        format_func=lambda k: plain(found[k].condition),
        captions=[_words(one, one.after, chosen.target) for one in found],
        key=f"{_CHOICE}-{hashlib.sha256(repr(asked).encode()).hexdigest()[:12]}",
    )
    one = found[place]
    with shown:
        st.image(
            _picture(asked, place, chart.theme(), chosen, rows, edit, one.split),
            width="stretch",
            alt=f"Rows of the node with the split {one.condition}",
        )
        if one.after is None:
            st.caption(_words(one, _after(asked, place, chosen, rows, edit), chosen.target))
        st.button(
            "Use this split",
            icon=":material/lock:",
            type="primary",
            width="stretch",
            on_click=ask,
            args=(partial(take, node=node, other=one),),
            help="Locks the node with this split. TAO then re-optimises all nodes that are not locked. Undo restores "
            "the tree.",
        )


def _filters(
    chosen: ChosenTree, tree: Tree, node: int
) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Draw the filters. Return (name of the node, kinds, columns of which one is used, columns that are left out)."""
    name = node_names(tree)[tree.origin.tolist().index(node)].capitalize()
    names = list(dict.fromkeys(_columns(chosen, range(tree.n_features))))
    kind, use, leave = st.columns([2, 2, 2])
    shown = kind.pills(
        "Kinds", list(KINDS), selection_mode="multi", format_func=label_by(KIND_NAMES), default=list(KINDS),
        key="edit-other-kinds",
    )  # fmt: skip
    wanted = use.multiselect("With one of these columns", names, key="edit-other-with", placeholder="Any column")
    left_out = leave.multiselect("Without these columns", names, key="edit-other-without", placeholder="None left out")
    return name, tuple(shown) or KINDS, tuple(wanted), tuple(left_out)


def _why_none(tree: Tree, at: int, is_filtered: bool) -> str:
    n = int(tree.n_samples[at])
    if n < 2:
        return f"only {counted(n, 'training row')} reaches this node, so no split can separate rows."
    if is_filtered:
        return "no split with these filters separates its training rows. Change the filters."
    return "no split separates its training rows, or all of them have the same class. Select another node."


def _columns(chosen: ChosenTree, features: Iterable[int]) -> list[str]:
    """Return the names of the columns of features. The 0/1 features of a categorical column have its name."""
    names, group_of = chosen.data.feature_names, _facts(chosen.base, chosen)[0].group_of
    return [names[j].rpartition(" = ")[0] if j in group_of else column_name(names[j]) for j in map(int, features)]


def _condition(chosen: ChosenTree, tree: Tree, split: Split) -> str:
    """Return the condition for going right, with few digits."""
    names = [chosen.data.feature_names[j] for j in split.features.tolist()]
    missing = None if tree.missing_right is None else split.missing_right
    is_image, (columns, deviation) = chosen.data.image_shape is not None, _facts(chosen.base, chosen)
    parts = (split.features, split.weights, split.bias)
    return decision_words(parts, names, DIGITS, deviation, 4, is_image, columns, missing).text


@computed(6)
def _facts(name: str, _chosen: ChosenTree) -> tuple[CategoryColumns, np.ndarray]:
    """Return the columns of the data, and the standard deviations of the features."""
    return category_columns(_chosen.data), feature_deviation(_chosen.data.X)


def _digest(edit: Edit) -> str:
    return hashlib.sha256(json.dumps(edit.document).encode()).hexdigest()[:16]


def _search(chosen: ChosenTree, rows: EditRows, edit: Edit) -> NodeSearch:
    estimator = edit_training.estimator(chosen, is_constrained=True)
    validation = (rows.validation_X, rows.validation_y) if len(rows.validation_y) else (None, None)
    return NodeSearch(edit.tree, rows.X, rows.y, estimator, None, *validation)


def _candidates(chosen: ChosenTree, search: NodeSearch, asked: Asked) -> list[CandidateSplit]:
    """Return the first splits that pass the filters. The present split is left out."""
    wanted, left_out = {*asked.wanted}, {*asked.left_out}
    at = search.tree.origin.tolist().index(asked.node)
    found = search.candidates(at, asked.kinds, FOUND if wanted or left_out else MOST + 1)
    features, weights, bias = search.tree.split(at)
    present = (*features.tolist(), *weights.tolist(), bias)
    return [
        one
        for one in found
        if not left_out & {*(own := _columns(chosen, one.features))}
        and (not wanted or wanted & {*own})
        and (*one.features, *one.weights, one.bias) != present
        and not (one.agreement == 1.0 and one.change == 0.0 and one.features == tuple(features.tolist()))
    ][:MOST]


@computed(20, show_spinner="Searching for other splits …")
def _found(asked: Asked, _chosen: ChosenTree, _rows: EditRows, _edit: Edit) -> tuple[Other, ...]:
    supports_missing = _edit.tree.missing_right is not None
    found = _candidates(_chosen, _search(_chosen, _rows, _edit), asked)
    is_small = _rows.X.size <= FEW_VALUES
    return tuple(
        Other(
            _condition(_chosen, _edit.tree, one.split),
            one.split._replace(missing_right=one.missing_right and supports_missing),
            one.n_left,
            one.n_right,
            one.change,
            one.loss_change,
            one.agreement,
            _tree_after(_chosen, one) if is_small else None,
        )
        for one in found
    )


@computed(200, show_spinner="Optimising below the split …")
def _after(asked: Asked, place: int, _chosen: ChosenTree, _rows: EditRows, _edit: Edit) -> After:
    return _tree_after(_chosen, _candidates(_chosen, _search(_chosen, _rows, _edit), asked)[place])


def _tree_after(chosen: ChosenTree, one: CandidateSplit) -> After:
    error, ends = one.validation_error, one.validation_interval
    measured = None
    if error is not None and ends is not None:
        low, high = map(chosen.target.error, ends)
        measured = chosen.target.error(error), low, high
    return After(one.change_after, one.after.n_leaves, measured)


@computed(40)
def _picture(
    asked: Asked, place: int, theme: str, _chosen: ChosenTree, _rows: EditRows, _edit: Edit, _split: Split
) -> str:
    tree = _with(_chosen, _rows, _edit, asked.node, _split)[0].with_names(_chosen.data.feature_names)
    train = _chosen.rows[0] if len(_chosen.rows[0]) else None
    return node_figure(tree, _chosen.data, tree.origin.tolist().index(asked.node), theme=theme, rows=train).decode()


def _with(chosen: ChosenTree, rows: EditRows, edit: Edit, node: int, split: Split) -> tuple[Tree, tuple[int, ...]]:
    """Return the tree with a split in a node, which is locked, and all locked nodes."""
    document = with_split(edit.document, node, split, chosen.tree, rows.X, rows.y, rows.positions)
    tree = edited_tree(document, chosen.tree, rows.X, rows.y, positions=rows.positions)
    return tree, locked_nodes(document)


def take(
    chosen: ChosenTree, rows: EditRows, edit: Edit, on_wait: Callable[[float], Any], node: int, other: Other
) -> Edit:
    """Return the `Edit` with the split, locked, after TAO has re-optimised the other nodes. Raises TreecoreError."""
    tree, locked = _with(chosen, rows, edit, node, other.split)
    taken = edit.with_tree(tree, locked, rows.positions)
    after = edit_training.reoptimised(chosen, rows, taken, on_wait)
    what = f"{node_names(tree)[tree.origin.tolist().index(node)].capitalize()} is locked with {other.condition}"
    if after.fault:
        return after.next_turn(ask=None, note=None, fault=f"{what}, but the other nodes are unchanged. {after.fault}")
    changes = _difference(edit.tree, after.tree, rows, chosen.target)
    if after.tree != tree and _is_worse(chosen, rows, tree, after.tree):
        changes = _difference(edit.tree, tree, rows, chosen.target)
        return taken.next_turn(ask=None, note=f"{what}. TAO found no better tree around it: {changes}.", fault=None)
    return replace(after, ask=None, note=f"{what}. TAO re-optimised the other nodes: {changes}.")


def _is_worse(chosen: ChosenTree, rows: EditRows, before: Tree, after: Tree) -> bool:
    """Test whether the objective is higher after TAO, for a reason other than the constraints of the tree before."""
    estimator = edit_training.estimator(chosen, is_constrained=True)
    old, new = (tree_record(tree, rows.X, rows.y, estimator).objective for tree in (before, after))
    return new > old + SAME * abs(old) and not broken_constraints(chosen, before)


def start_with_one_leaf(chosen: ChosenTree, rows: EditRows, edit: Edit, on_wait: Callable[[float], Any]) -> Edit:
    """Return the `Edit` with the root as the only leaf, not locked. Raises TreecoreError."""
    root = edit.document["nodes"][0] | {"left": None, "right": None, "features": [], "weights": [], "bias": 0.0}
    root |= {"locked": False} | ({"label": None} if rows.positions is None else {})
    tree = edited_tree({"nodes": [root]}, chosen.tree, rows.X, rows.y, positions=rows.positions)
    note = f"The tree is one leaf: {_difference(edit.tree, tree, rows, chosen.target)}."
    return edit.with_tree(tree, (), rows.positions).next_turn(
        ask=None, note=note, caution=None, fault=None, repair=None
    )


def _difference(before: Tree, after: Tree, rows: EditRows, target: Target) -> str:
    """Return the change of the errors and the leaves in words."""
    parts = (
        (f"training {target.error_label}", rows.X, rows.y),
        (f"test {target.error_label}", rows.test_X, rows.test_y),
    )
    texts = [
        f"{name} {target.error_text(error_of(before, X, y))} → {target.error_text(error_of(after, X, y))}"
        for name, X, y in parts
        if len(y)
    ]
    return ", ".join([*texts, f"leaves {before.n_leaves} → {after.n_leaves}"])


def _words(one: Other, after: After | None, target: Target) -> str:
    """Return the changes by a split in words, now and after a pass of TAO below it."""
    parts = [f"{_change(one, target)}, objective {_signed(one.change)}"]
    parts.append(f"{one.n_left:,} rows left, {one.n_right:,} right")
    if not np.isnan(one.agreement):
        parts.append(f"agreement {number(one.agreement, 2)}")
    text = " · ".join(parts)
    if after is None:
        return text
    text += f"  \nAfter one pass of TAO below: objective {_signed(after.change)}, {counted(after.n_leaves, 'leaf')}"
    if after.validation is not None:
        error, low, high = map(target.error_text, after.validation)
        text += f", validation {target.error_label} {error} ({low} to {high})"
    return text


def _change(one: Other, target: Target) -> str:
    if target.is_root:
        return f"squared errors {_signed(one.loss_change)}"
    if one.loss_change == 0:
        return "as many errors"
    errors = "error" if abs(one.loss_change) == 1 else "errors"
    return f"{number(abs(one.loss_change), 3)} {'more' if one.loss_change > 0 else 'fewer'} {errors}"


def _signed(value: float) -> str:
    return "unchanged" if value == 0 else f"{'+' if value > 0 else '−'}{number(abs(value), 3)}"
