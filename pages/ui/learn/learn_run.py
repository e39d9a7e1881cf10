"""Train and cache the runs of the Learn page, in its own process, most in a fraction of a second."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from pages.jobs.source_digest import LESSONS, source_digest
from pages.ui.learn.learn_data import Rows
from pages.ui.learn.learn_settings import LearnSettings
from pages.ui.shell.computed import computed
from sample_data import DataSet
from treecore.baselines.cart import CARTClassifier, CARTRegressor
from treecore.node_solvers import SPLITS
from treecore.training.estimators import ESTIMATORS
from treecore.training.parameters import effective_parameters
from treecore.training.recording import Recording, grow, record
from treecore.training.reoptimise import repairing
from viz.payload.recording_payload import recording_payload

if TYPE_CHECKING:
    from pages.ui.learn.learn_drawing import Drawing

CURRENT = 6  # number of cached runs, for all visitors together
AHEAD = 60  # number of cached TAO runs, larger because they are trained for many λ
CARTS = {"unequal": CARTClassifier, "squared": CARTRegressor}  # CART estimator for each loss of a target
_LOOKS = ("hide", "present", "painted", "beside")  # settings that do not change the run, or that are part of the data


def name(chosen: LearnSettings, data: DataSet, drawing: Drawing | None = None) -> str:
    """Return a name that identifies a run by its settings, its data and the code.

    Browsers keep a run for a year by this name, and later code may train or pack it in another way.

    drawing : `learn_drawing.Drawing` with the initial tree, or None.
    """
    settings = {key: value for key, value in asdict(chosen).items() if key not in _LOOKS}
    drawn = None if drawing is None else drawing.text
    words = json.dumps([settings, data.fingerprint, drawn, source_digest(LESSONS)], sort_keys=True, default=str)
    return "learn-" + hashlib.sha256(words.encode()).hexdigest()[:16]


@computed(AHEAD)
def record_run(
    name: str, _chosen: LearnSettings, _data: DataSet, _rows: Rows, _drawing: Drawing | None = None
) -> Recording:
    """Return the `Recording` of TAO. λ has the unit of the target's loss. Raises TreecoreError."""
    X, y = _data.X[_rows[0]], _data.labels()[_rows[0]]
    target = _data.target
    kind = ESTIMATORS[target.loss]
    estimator = kind(**effective_parameters(kind, {
        "split": _chosen.split, "lam": _chosen.lam * target.loss_unit, "bivariate_cost": _chosen.bivariate_cost,
        "max_depth": _chosen.max_depth or None, "max_iter": _chosen.max_iter, "random_state": _chosen.seed,
        "missing": "learn" if _data.has_missing else "error", "init": "cart" if _drawing else _chosen.init,
        "n_jobs": 1,
    }))  # fmt: skip
    if _drawing is not None:  # converted to a form from which every solver can start
        estimator, X, _ = repairing(_drawing.tree, _drawing.frozen(_chosen.split), X, y, estimator)
    return record(estimator, X, y)


@computed(AHEAD)
def payload(name: str, _chosen: LearnSettings, _data: DataSet, _rows: Rows, _recording: Recording) -> bytes:
    """Return the bytes for the stage."""
    cost = _chosen.bivariate_cost if "bivariate_cost" in SPLITS[_chosen.split].parameters else None
    return recording_payload(_recording, _data, _rows, "TAO", cost)


@computed(CURRENT)
def grow_cart(name: str, _chosen: LearnSettings, _data: DataSet, _rows: Rows) -> tuple[Recording, bytes]:
    """Return (`Recording`, bytes for the stage) of CART on the same rows, as deep as the initial tree."""
    rows = _rows[0]
    cart = CARTS[_data.target.loss](
        cv=None,
        max_depth=_chosen.max_depth or None,
        random_state=_chosen.seed,
        missing="learn" if _data.has_missing else "error",
    )
    tree = cart.fit(_data.X[rows], _data.labels()[rows]).tree_
    recording = grow(tree, _chosen.lam * _data.target.loss_unit if SPLITS[_chosen.split].is_exact else 0.0)
    return recording, recording_payload(recording, _data, _rows, "CART")
