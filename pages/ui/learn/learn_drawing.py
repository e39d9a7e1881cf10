"""Let the visitor draw an initial tree in the stage's editor, starting from a leaf."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import streamlit as st

from pages.jobs.point import Point
from pages.ui.learn import learn_kept
from pages.ui.learn.learn_data import LearnData
from pages.ui.learn.learn_settings import LearnSettings
from pages.ui.shell import edit_messages, stage
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.node_solvers import SPLITS
from treecore.training.estimators import ESTIMATORS
from treecore.tree.editing import edited_tree, locked_nodes, tree_document
from treecore.tree.tree import Tree
from viz.payload.edit_payload import edit_payload

SLOT = "learn-draw"
STATE = "learn_drawing"
SPLIT_FIRST = "Split the leaf first: select it and press Split."
HELP = "Split the leaf, drag lines and split again. Lock nodes that TAO must not change. Then run TAO from your tree."


@dataclass(frozen=True, eq=False)
class Drawing:
    """An initial tree that the visitor draws.

    key : key of its data; document, tree : of the current tree; turn, seen, fault : see `edit_messages`; runs : whether
    TAO starts from this tree.
    """

    key: str
    document: dict
    tree: Tree
    turn: int = 1
    seen: int = 0
    fault: str | None = None
    runs: bool = False

    @property
    def text(self) -> str:
        """Return a JSON text that identifies the tree."""
        return json.dumps(self.document, sort_keys=True)

    def frozen(self, split: str) -> tuple[int, ...]:
        """Return the origin ids of locked nodes, and of nodes whose splits use too many features for TAO."""
        wide = np.diff(self.tree.indptr) > (SPLITS[split].most_features or self.tree.n_features)
        return tuple(sorted({*locked_nodes(self.document), *self.tree.origin[wide].tolist()}))


def current(found: LearnData) -> Drawing:
    """Return the `Drawing` for a `LearnData`, updated with the last report of the stage."""
    drawing = st.session_state.get(STATE)
    if drawing is None or drawing.key != _key(found):
        drawing = _load(found)
    report = edit_messages.report(stage.editor_report(SLOT), drawing.key, drawing.seen)
    if report is not None and not drawing.runs:
        drawing = _apply_report(drawing, report, found)
    st.session_state[STATE] = drawing
    if drawing.tree.n_nodes > 1:
        learn_kept.keep(drawing={"key": drawing.key, "document": drawing.document, "runs": drawing.runs})
    return drawing


def drawing_stage(chosen: LearnSettings, found: LearnData, hidden: tuple[str, ...]) -> None:
    """Draw the editor.

    hidden : names of parts of the stage that are hidden.
    """
    drawing = current(found)
    if drawing.runs:
        st.rerun(scope="app")
    content = _content(drawing.key, chosen.lam, chosen.split, chosen.bivariate_cost, found)
    header = edit_messages.header(drawing.turn, drawing.seen, drawing.document, None, drawing.fault)
    options = stage.Options(alone=True, edit=header, present=chosen.present, hide=hidden)
    stage.mount(drawing.key, content, stage.View(0), SLOT, options)
    if drawing.fault:
        st.error(plain(drawing.fault), icon=":material/error:")
    is_leaf = drawing.tree.n_nodes == 1
    left, middle, right = st.columns([1.4, 1, 3], vertical_alignment="center")
    run = left.button(
        "Run TAO from this tree", icon=":material/play_arrow:", type="primary", key="learn-run", on_click=_set,
        kwargs={"runs": True, "fault": None}, width="stretch", disabled=is_leaf,
        help=SPLIT_FIRST if is_leaf else None,
    )  # fmt: skip
    over = middle.button("Reset", icon=":material/restart_alt:", key="learn-over", on_click=_forget, width="stretch")
    right.caption(SPLIT_FIRST if is_leaf else HELP)
    if run or over:
        st.rerun(scope="app")


def draw_on() -> None:
    """Draw the button that returns from the run to the drawing."""
    if st.button(
        "Continue drawing",
        icon=":material/draw:",
        key="learn-draw-on",
        on_click=_set,
        kwargs={"runs": False},
        width="stretch",
    ):
        st.rerun(scope="app")


def refuse(chosen: LearnSettings, why: str) -> bool:
    """If TAO cannot start from the drawing, return to it with a fault. Return whether this happened."""
    drawing = st.session_state.get(STATE)
    if chosen.init != "drawn" or drawing is None or not drawing.runs:
        return False
    _set(runs=False, fault=why)
    return True


def _set(**changes: Any) -> None:
    drawing = st.session_state[STATE]
    # The editor is mounted again, and takes the document of the next turn.
    st.session_state[STATE] = replace(drawing, turn=drawing.turn + 1, **changes)


def _forget() -> None:
    drawing = st.session_state.pop(STATE)
    st.session_state["learn_drawn_turn"] = drawing.turn
    learn_kept.keep(drawing=None)


def _key(found: LearnData) -> str:
    digest = hashlib.sha256(found.data.fingerprint.encode() + found.rows[0].tobytes())
    return "drawn-" + digest.hexdigest()[:16]


def _load(found: LearnData) -> Drawing:
    """Return the stored drawing on these rows, or a single leaf."""
    leaf, kept = _leaf(found), learn_kept.load().get("drawing")
    if not isinstance(kept, dict) or kept.get("key") != leaf.key:
        return leaf
    try:
        tree = _tree(kept.get("document"), leaf.tree, found)
    except TreecoreError:
        return leaf
    return replace(leaf, document=kept["document"], tree=tree, runs=kept.get("runs") is True)


def _leaf(found: LearnData) -> Drawing:
    X, y = _rows(found)
    kind = ESTIMATORS[found.data.target.loss]
    leaf = kind(split="univariate", init="cart", max_depth=1, max_iter=0, missing=_missing(found)).fit(X, y)
    document = tree_document(leaf.tree_, positions=found.data.target.positions(leaf.tree_))
    root = next(node for node in document["nodes"] if node["id"] == leaf.tree_.origin[0])
    document = {"nodes": [root | {"left": None, "right": None, "features": [], "weights": [], "bias": 0.0}]}
    turn = st.session_state.get("learn_drawn_turn", 0) + 1
    old = stage.editor_report(SLOT)
    seen = old["turn"] if isinstance(old, dict) and isinstance(old.get("turn"), int) else 0
    return Drawing(_key(found), document, _tree(document, leaf.tree_, found), turn, seen)


def _apply_report(drawing: Drawing, report: edit_messages.Report, found: LearnData) -> Drawing:
    try:
        tree = _tree(report.document, drawing.tree, found)
    except TreecoreError as error:
        return replace(drawing, seen=report.turn, turn=drawing.turn + 1, fault=str(error))
    runs = report.ask == "reoptimise"
    fault = SPLIT_FIRST if runs and tree.n_nodes == 1 else None
    turn = drawing.turn + (fault is not None)
    runs = runs and fault is None
    return replace(drawing, document=report.document, tree=tree, turn=turn, seen=report.turn, fault=fault, runs=runs)


def _tree(document: Any, template: Tree, found: LearnData) -> Tree:
    return edited_tree(document, template, *_rows(found), positions=found.data.target.positions(template))


def _rows(found: LearnData) -> tuple[np.ndarray, np.ndarray]:
    return found.data.X[found.rows[0]], found.data.labels()[found.rows[0]]


def _missing(found: LearnData) -> str:
    return "learn" if found.data.has_missing else "error"


@computed(6)
def _content(key: str, lam: float, split: str, cost: float, _found: LearnData) -> bytes:
    leaf = _leaf(_found).tree
    return edit_payload(
        Point(0, lam, leaf, {}), cast(DataSet, _found.data), _found.rows, split=split, cost=cost, scale="standard"
    )[0]
