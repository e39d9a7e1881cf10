"""Return the training parameters of an edited tree, and re-optimise it with TAO."""

import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pages.jobs import class_weights
from pages.ui.edit.edit_rows import EditRows
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell.computed import computed
from treecore.constraints.named_features import CHECKS
from treecore.errors import ParameterError, TreecoreError
from treecore.node_solvers import SPLITS, simplest_split
from treecore.training.estimators import ESTIMATORS
from treecore.training.parameters import effective_parameters, parameters_of
from treecore.training.path import WARM_TOL
from treecore.training.reoptimise import reoptimise
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
        callback=callback, **effective_parameters(kind, repeated),
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
