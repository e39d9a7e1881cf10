"""What is done to the tree that is being changed: reports of the stage, re-optimising, typed rules."""

from dataclasses import replace

from pages.ui.edit import edit_state, edit_training
from pages.ui.edit.one_way import one_way
from pages.ui.shell import edit_messages
from treecore.errors import TreecoreError
from treecore.rules.rule_in_tree import with_split
from treecore.rules.typed_split import typed_split
from treecore.training.reoptimise import tree_record
from treecore.tree.editing import edited_tree, locked_nodes
from treecore.tree.node_names import node_names
from treecore.tree.number_text import number


def heard(chosen, rows, edit, value, key, on_wait):
    """`Edit` after what the stage `key` has reported last (value); the same object when that is nothing new."""
    report = edit_messages.report(value, key, edit.seen)
    if report is None:
        return edit
    edit = replace(edit, seen=report.turn, ask=None, note=None, caution=None, fault=None, repair=None)
    try:
        tree = edited_tree(report.document, chosen.tree, rows.X, rows.y, positions=rows.positions)
    except TreecoreError as error:
        return edit.answered(ask=report.ask, fault=f"The change was not taken, the tree is as it was before. {error}")
    edit = edit.with_tree(tree, locked_nodes(report.document), rows.positions)
    return reoptimised(chosen, rows, edit, on_wait) if report.ask == "reoptimise" else edit


def reoptimised(chosen, rows, edit, on_wait):
    """`Edit` after TAO has repaired what is not locked; it says what that gained, or why it could not be done."""
    try:
        found, seconds, stopped = edit_training.repaired(chosen, rows, edit.tree, edit.locked, on_wait)
        record = tree_record(found.tree, rows.X, rows.y, edit_training.estimator(chosen))
    except TreecoreError as error:
        return replace(edit, ask="reoptimise", note=None, fault=str(error))
    note = _gain(found, record, edit.tree, found.tree, seconds, chosen.target)
    if record.loss > found.trace[0].loss:
        note += (
            f" More errors, yet better: at λ = {number(chosen.point.lam)} what was saved on decisions is worth more."
        )
    if stopped:
        note += f" Stopped after {seconds:.0f} s, with the best tree so far: re-optimise again to go on."
    names = dict(zip(found.tree.origin.tolist(), node_names(found.tree), strict=True))
    for origin, why in list(found.kept.items())[:3]:
        note += f" {names.get(origin, 'A node').capitalize()} stayed as it is: {why}."
    after = edit.with_tree(found.tree, edit.locked, rows.positions, repair=(edit.tree, edit.locked), stopped=stopped)
    return after.answered(ask="reoptimise", note=note, fault=None)


def _gain(found, after, old, new, seconds, target):
    before = found.trace[0]
    if old == new:
        return f"Nothing to improve around the {'locked nodes' if old.n_decision else 'leaf'} ({seconds:.2f} s)."
    return (
        f"Re-optimised in {seconds:.2f} s: objective {number(before.objective, 4)} → {number(after.objective, 4)}, "
        f"{_loss_words(target)} {number(before.loss, 6)} → {number(after.loss, 6)}, leaves {old.n_leaves} → "
        f"{new.n_leaves}."
    )


def _loss_words(target):
    return "squared training errors" if target.is_root else "training errors"


def ruled(chosen, rows, edit, node, text, lock):
    """`Edit` with a typed rule as the decision of a node. Raises TreecoreError."""
    split = typed_split(
        text, chosen.tree.feature_names, chosen.data.columns, rows.X, chosen.tree.missing_right is not None
    )
    document = with_split(edit.document, node, split, chosen.tree, rows.X, rows.y, rows.positions, lock)
    tree = edited_tree(document, chosen.tree, rows.X, rows.y, positions=rows.positions)
    edit = edit.with_tree(tree, locked_nodes(document), rows.positions)
    names = " and ".join(chosen.tree.feature_name(feature) for feature in split.features[:4])
    at = tree.origin.tolist().index(node)
    note = f"{node_names(tree)[at].capitalize()} decides by the rule now: {text}" + f" (it looks at: {names})" * bool(
        names
    )
    return edit.answered(ask=None, note=note, caution=one_way(tree, at, rows.X), fault=None, repair=None)


def restarted(chosen, rows):
    """`Edit` of the tree as it was before all changes."""
    return replace(edit_state.restart(chosen, rows), note="The tree is as it was before the changes.")
