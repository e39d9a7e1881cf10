"""Apply changes to an edited tree: reports of the stage, typed rules, re-optimisation with TAO."""

import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pages.jobs import class_weights
from pages.ui.edit.edit_state import Edit, EditRows
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import edit_messages
from pages.ui.shell.computed import computed
from treecore.constraints.named_features import CHECKS
from treecore.errors import ParameterError, TreecoreError
from treecore.node_solvers import SPLITS, simplest_split
from treecore.rules.rule_in_tree import with_split
from treecore.rules.typed_split import typed_split
from treecore.training.estimators import ESTIMATORS
from treecore.training.parameters import effective_parameters, parameters_of
from treecore.training.path import WARM_TOL
from treecore.training.reoptimise import reoptimise, tree_record
from treecore.tree.date_text import column_name, end_text
from treecore.tree.editing import edited_tree, locked_nodes
from treecore.tree.number_text import count, number
from treecore.tree.target import Target
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from viz.nodes.category_columns import grouped_columns

PATIENCE, LONGEST = 0.8, 60.0  # seconds until progress is shown, and until the best tree so far is used


def estimator(chosen: ChosenTree, callback: Callable[[Any], Any] | None = None, is_constrained: bool = False) -> Any:
    """Return the unfitted TAO estimator with the parameters of a `ChosenTree`.

    Invalid values from a file are ignored. is_constrained : whether the estimator keeps the constraints on features,
    which an edited tree may violate
    """
    known, tree = chosen.parameters, chosen.tree
    kind = ESTIMATORS[chosen.target.loss]
    repeated = {name: known[name] for name, one in parameters_of(kind).items() if _is_repeated(one, known)}
    repeated = {name: value for name, value in repeated.items() if name not in CHECKS}
    if is_constrained:
        repeated |= chosen.constraints.parameters()
    if repeated.get("categories") == "groups":
        repeated["categories"] = grouped_columns(chosen.data)
    columns = repeated.get("categories", ())
    widths = np.diff(tree.indptr) if isinstance(columns, str) else tree.columns_per_split(columns)
    split = repeated.setdefault("split", simplest_split(int(widths.max(initial=0))))
    return kind(
        lam=chosen.point.lam, scale="minmax" if chosen.data.image_shape else "standard", random_state=0,
        missing="error" if tree.missing_right is None else "learn", tol=0.0 if SPLITS[split].is_exact else WARM_TOL,
        callback=callback, n_jobs=-1, **effective_parameters(kind, repeated),
        **_class_weight(known.get("class_weight"), chosen.data.class_names),
    )  # fmt: skip


def _is_repeated(parameter: Any, known: Mapping[str, Any]) -> bool:
    if not parameter.is_repeated or parameter.name not in known:
        return False
    with contextlib.suppress(ParameterError):  # a file of another program may have invalid values
        parameter.check(known[parameter.name])
        return True
    return False


def _class_weight(text: Any, class_names: Sequence[str]) -> dict[str, Any]:
    if not isinstance(text, str) or class_weights.valid_text(text) is None:
        return {}
    with contextlib.suppress(ParameterError):  # a file may have weights for other classes
        return {"class_weight": found} if (found := class_weights.class_weight(text, class_names)) else {}
    return {}


def reoptimise_rest(
    chosen: ChosenTree, rows: EditRows, tree: Tree, locked: tuple[int, ...], on_wait: Callable[[float], Any]
) -> tuple[Any, float, bool]:
    """Return (`treecore.training.reoptimise.Reoptimised`, seconds, whether it reached the time limit).

    locked : ids of locked nodes; on_wait : function that receives the used share of the time limit, called from time to
    time during long work. An exception that it raises ends the work. Raises TreecoreError.
    """
    began = time.perf_counter()
    stopped = False

    def on_step(_: Any) -> bool:
        nonlocal stopped
        passed = time.perf_counter() - began
        if passed > PATIENCE:
            on_wait(min(passed / LONGEST, 1.0))
        stopped = passed > LONGEST
        return stopped

    found = reoptimise(tree, locked, rows.X, rows.y, estimator(chosen, on_step, is_constrained=True))
    return found, time.perf_counter() - began, stopped


def warm(chosen: ChosenTree, rows: EditRows) -> None:
    """Compile the kernels of the solver in a thread, once per kind of data, so that the first click is fast."""
    unfitted = estimator(chosen).set_params(max_iter=1)
    _warm(unfitted.split, unfitted.node_solver, unfitted.missing, str(rows.X.dtype), chosen.tree, rows, unfitted)


@computed(40)
def _warm(split: str, node_solver: str, missing: str, dtype: str, _tree: Tree, _rows: EditRows, _unfitted: Any) -> bool:
    def work() -> None:
        with contextlib.suppress(TreecoreError):  # the error is shown after the click
            reoptimise(_tree, (), _rows.X, _rows.y, _unfitted)

    threading.Thread(target=work, name="warm-up", daemon=True).start()
    return True


def apply_report(
    chosen: ChosenTree, rows: EditRows, edit: Edit, value: Any, key: str, on_wait: Callable[[float], Any]
) -> Edit:
    """Return the `Edit` after the last report of the stage `key`, or the same object if there is no new report.

    value : value of the stage component.
    """
    report = edit_messages.report(value, key, edit.seen)
    if report is None:
        return edit
    edit = replace(edit, seen=report.turn, ask=None, note=None, caution=None, fault=None, repair=None)
    try:
        tree = edited_tree(report.document, chosen.tree, rows.X, rows.y, positions=rows.positions)
    except TreecoreError as error:
        return edit.next_turn(ask=report.ask, fault=f"The change was not applied; the tree is unchanged. {error}")
    edit = edit.with_tree(tree, locked_nodes(report.document), rows.positions)
    return reoptimised(chosen, rows, edit, on_wait) if report.ask == "reoptimise" else edit


def reoptimised(chosen: ChosenTree, rows: EditRows, edit: Edit, on_wait: Callable[[float], Any]) -> Edit:
    """Return the `Edit` after TAO has re-optimised the unlocked nodes, with a note about the result or a fault."""
    try:
        found, seconds, stopped = reoptimise_rest(chosen, rows, edit.tree, edit.locked, on_wait)
        record = tree_record(found.tree, rows.X, rows.y, estimator(chosen, is_constrained=True))
    except TreecoreError as error:
        return replace(edit, ask="reoptimise", note=None, fault=str(error))
    note = _gain(found, record, edit.tree, found.tree, seconds, chosen.target, bool(edit.locked))
    if record.loss > found.trace[0].loss:
        note += (
            f" The tree has more errors, but its objective is lower: at λ = {number(chosen.point.lam)}, the "
            "smaller penalty outweighs the errors."
        )
    if stopped:
        note += f" Stopped after {seconds:.0f} s at the best tree so far. Re-optimise again to continue."
    names = dict(zip(found.tree.origin.tolist(), node_names(found.tree), strict=True))
    for origin, why in list(found.kept.items())[:3]:
        note += f" {names.get(origin, 'A node').capitalize()} is unchanged: {why}."
    after = edit.with_tree(found.tree, edit.locked, rows.positions, repair=(edit.tree, edit.locked), stopped=stopped)
    return after.next_turn(ask="reoptimise", note=note, fault=None)


def _gain(found: Any, after: Any, old: Tree, new: Tree, seconds: float, target: Target, has_locks: bool) -> str:
    before = found.trace[0]
    if old == new:
        return (
            f"TAO found no better tree around the locked nodes ({seconds:.2f} s)."
            if has_locks
            else f"TAO found no better tree ({seconds:.2f} s)."
        )
    return (
        f"Re-optimised in {seconds:.2f} s: objective {number(before.objective, 4)} → "
        f"{number(after.objective, 4)}, {_loss_words(target)} {number(before.loss, 6)} → "
        f"{number(after.loss, 6)}, leaves {old.n_leaves} → {new.n_leaves}."
    )


def _loss_words(target: Target) -> str:
    return "squared training errors" if target.is_root else "training errors"


def apply_rule(chosen: ChosenTree, rows: EditRows, edit: Edit, node: int, text: str, lock: bool) -> Edit:
    """Return the `Edit` with a typed rule as the split of a node. Raises TreecoreError."""
    split = typed_split(
        text, chosen.tree.feature_names, chosen.data.columns, rows.X, chosen.tree.missing_right is not None
    )
    document = with_split(edit.document, node, split, chosen.tree, rows.X, rows.y, rows.positions, lock)
    tree = edited_tree(document, chosen.tree, rows.X, rows.y, positions=rows.positions)
    edit = edit.with_tree(tree, locked_nodes(document), rows.positions)
    names = " and ".join(chosen.tree.feature_name(feature) for feature in split.features[:4])
    at = tree.origin.tolist().index(node)
    note = f"Split of {node_names(tree)[at].capitalize()}: {text}" + f" (features: {names})" * bool(names)
    return edit.next_turn(ask=None, note=note, caution=_one_way(tree, at, rows.X), fault=None, repair=None)


def _one_way(tree: Tree, at: int, X: np.ndarray) -> str | None:
    """Return a sentence if all training rows with values go to the same child, or None if the split separates them.

    at : position of the decision node; X : float[n, d], all training rows.
    """
    margins = tree.margins(X, at)
    margins = margins[~np.isnan(margins)]
    n_left, n_right = (int(tree.n_samples[child]) for child in (tree.left[at], tree.right[at]))
    everywhere = margins.size and (margins >= 0).all() == (margins >= 0).any()
    if n_left and n_right and not everywhere:
        return None
    goes_right = bool(margins[0] >= 0) if everywhere else n_right > 0
    rows = (
        f"all {count(n_left + n_right)} training rows of the node"
        if not (n_left and n_right)
        else "all rows without a missing value"
    )
    return f"The rule separates no rows: {rows} go {'right' if goes_right else 'left'}{_range(tree, at, X)}."


def _range(tree: Tree, at: int, X: np.ndarray) -> str:
    """Return the range of a split's only feature if the threshold is outside this range, else ""."""
    features, weights, bias = tree.split(at)
    if len(features) != 1 or not weights[0]:
        return ""
    low, high = (float(end) for end in (np.nanmin(X[:, features[0]]), np.nanmax(X[:, features[0]])))
    if not low < high or low < -bias / weights[0] <= high:
        return ""
    name = tree.feature_name(features[0])
    return f", because {column_name(name)} is between {end_text(name, low)} and {end_text(name, high)}"
