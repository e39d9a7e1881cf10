"""Mount the stage of a page: a keyed component with its data by reference and its selection as state."""

import json
import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.jobs.point import Point
from pages.ui.components.component import component
from pages.ui.shell.computed import computed
from pages.ui.shell.served_files import DATA, served_files
from treecore.tree.tree import Tree
from viz.page.stage_html import MATCHES, lean, stage_module, stage_page, stage_style
from viz.payload.stage_payload import shared_sample, stage_payload

KEY = "stage"


@dataclass(frozen=True)
class View:
    """The view of a stage.

    Parameters
    ----------
    tree : int or None
        Index of the tree; None if none is chosen yet.
    node : int, optional
        Origin id of the selected node.
    turn : int, default=0
        Raise the turn to change the selection of a mounted stage. Each report contains the turn that it follows, so a
        report with an older turn is outdated.
    scene, moment : int, optional
        Positions in the current lesson.
    answer : int, optional
        1 if the answer of that moment is open, else 0.
    leaves : int, optional
        1 if the visitor moves on to the next lesson, 2 if to the previous one, else 0.
    pin : int, optional
        Index of the pinned tree, which the stage shows next to the tree.
    size : int, optional
        Number of leaves of the tree, if the path has a tree for each size. It takes precedence over `tree`, because the
        index changes while the trees are improved.
    draws : int, optional
        Number of fresh draws that the visitor asked for at a moment of a lesson.
    name : str, optional
        Name of the selected node in a link (see `node_in_address`), whose id depends on the tree.
    """

    tree: int | None
    node: int | None = None
    turn: int = 0
    scene: int | None = None
    moment: int | None = None
    answer: int | None = None
    leaves: int | None = None
    pin: int | None = None
    size: int | None = None
    draws: int | None = None
    name: str | None = None


@dataclass(frozen=True)
class FollowedRow:
    """A row whose decision path the stage shows, from the sample or not.

    values : tuple of float, one for each feature (NaN is missing); name : name in sentences; label : position of its
    class or its target value, or None; changed : other values to try, or None; turn : int, raised to send the same
    values again.
    """

    values: tuple
    name: str
    label: int | float | None = None
    changed: tuple | None = None
    turn: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON, which has no NaN."""
        changed = None if self.changed is None else _numbers(self.changed)
        return {"values": _numbers(self.values), "changed": changed} | {
            name: getattr(self, name) for name in ("name", "label", "turn")
        }


def _numbers(values: Iterable[float]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values]


@dataclass(frozen=True)
class Options:
    """The options of a stage.

    Parameters
    ----------
    banner : bool, default=False
        Whether there is something above the stage, which is then less high.
    follow : Followed, optional
        Row to follow, if it differs from the previous one.
    alone : bool, default=False
        Whether there is a single tree and no path.
    title : str, optional
        Text of the title strip, for stages side by side.
    link : str, optional
        Name of the group whose stages share selected, hovered and followed rows. Use the same rows in all of them:
        `_sample` of `payload` is one `shared_sample`.
    match : str, default="none"
        How the other stages in the group follow if one stage moves along its path. They move to the tree with the
        nearest number of leaves ("size") or error (validation, else test; "error"), or stay ("none").
    compact : bool, default=False
        Whether to show the inspector on demand only.
    simple : bool, default=False
        Whether the stage opens with few parts: the tree, its headline, the slider and the error curve.
    intro : bool, default=False
        Whether the path plays once, up to the tree that opens.
    usual : bool, default=False
        Whether the tree was not chosen by the visitor or a link. The stage then shows the simplest good tree when folds
        select it.
    growing : bool, default=False
        Whether the path is still being trained, so that its trees are preliminary.
    path : bool, default=False
        Whether to highlight the decision path of the selected node.
    present : bool, default=False
        Whether the stage is for a projector.
    hide : tuple of str
        Names of the hidden parts, see `learn_settings.PARTS`.
    paint : dict, optional
        "classes" (names), "points" (text of `sample_data.painting`) and "turn", if the visitor can paint data.
    edit : dict, optional
        Message for the editor, see `pages.ui.shell.edit_messages`; `editor_report` reads its reports.
    offer : dict, optional
        C values that can be trained, `Offer` of viz/stage/types.d.ts, see `train_request`.
    choice : dict, optional
        Cross-validation results, `Choice` of the same file.
    reference : dict, optional
        CART for comparison, `Reference` of the same file.
    whole : str, optional
        Name of the path whose first trees the content has. The stage keeps the visitor's selection while more trees
        arrive.
    ahead : dict, optional
        Runs for other λ, see `learn_ahead.runs`.
    drawn : dict, optional
        Fresh draws of the claim of a lesson, `FreshValues` of the same file.
    lesson : tuple, optional
        (dict of the lesson, moment to open at). The content then contains the scenes of the lesson in order.
    """

    banner: bool = False
    follow: FollowedRow | None = None
    alone: bool = False
    title: str | None = None
    link: str | None = None
    match: str = "none"
    compact: bool = False
    simple: bool = False
    intro: bool = False
    usual: bool = False
    growing: bool = False
    path: bool = False
    present: bool = False
    hide: tuple[str, ...] = ()
    paint: dict | None = None
    edit: dict | None = None
    offer: dict | None = None
    choice: dict | None = None
    reference: dict | None = None
    whole: str | None = None
    ahead: dict | None = None
    drawn: dict | None = None
    lesson: tuple[dict, int] | None = None

    def __post_init__(self) -> None:
        if self.match not in MATCHES:
            raise ValueError(f"match is {self.match!r}; it must be one of {MATCHES}.")

    def to_dict(self) -> dict[str, Any]:
        """Return the options as a dict for the browser."""
        plain = ("banner", "alone", "title", "link", "match", "compact", "simple", "intro", "usual", "growing", "path",
                 "present", "hide", "paint", "edit", "offer", "choice", "reference", "whole", "ahead",
                 "drawn")  # fmt: skip
        header = {name: getattr(self, name) for name in plain}
        header["row"] = None if self.follow is None else self.follow.to_dict()
        return header if self.lesson is None else header | {"lesson": self.lesson[0], "moment": self.lesson[1]}


PLAIN = Options()


@cache
def code() -> tuple[bytes, bytes]:
    """Return (module, style sheet) of the stage as bytes."""
    return lean(stage_module()).encode(), stage_style().encode()


def serve_code() -> tuple[str, str]:
    """Serve the module and the style sheet of the stage, and return their names."""
    module, style = code()
    put = served_files().put
    return put(module, "text/javascript"), put(style, "text/css")


@computed(24)
def payload(
    name: str,
    recommends: bool,
    _points: Any,
    _data: Any,
    _rows: Any,
    _sample: Any = None,
    _monotone: np.ndarray | None = None,
    whole: bool = False,
) -> bytes:
    """Return the bytes of `stage_payload` for the points, the sample and the constraints that `name` identifies.

    recommends : whether the stage recommends trees by their errors.
    """
    return stage_payload(_points, _data, _rows, None if recommends else {}, _sample, _monotone, whole)


@computed(4)
def page(job: str, count: int, options: str, _payload: bytes, _title: str) -> bytes:
    """Return the standalone HTML page of a job. options : JSON text of the options of the stage."""
    return stage_page(_payload, _title, options=json.loads(options)).encode()


def latest_view(name: str, slot: str | None = None) -> View | None:
    """Return the `View` that the visitor chose on this stage, or None. Call it before or after `mount`."""
    return _view((st.session_state.get(_key(slot)) or {}).get("view"), name)


def latest_view_of_any(start: str) -> View | None:
    """Return the chosen `View` of the stage whose name starts with `start`, or None."""
    seen = (st.session_state.get(KEY) or {}).get("view")
    name = seen.get("key") if isinstance(seen, dict) else None
    return _view(seen, name) if isinstance(name, str) and name.startswith(start) else None


def mount(
    name: str, content: bytes, opens: View | None = None, slot: str | None = None, options: Options = PLAIN
) -> View | None:
    """Mount the stage with `content`, the bytes of a payload, and return the visitor's `View` or None.

    name : identifies the content; opens : `View` to open at, or None for the recommended tree or the one that matches
    the group; slot : constant name that distinguishes the stages of a page; options : `Options`. The page does not
    contain content and code; the browser requests them if it does not have them yet.
    """
    opens = opens or View(None)
    view = {part: getattr(opens, part) for part in ("tree", "node", "pin", "turn")}
    header = {"key": name} | view | options.to_dict()
    module, style = serve_code()
    data = {"header": json.dumps(header), "module": module, "style": style,
            "content": served_files().put(content, DATA)}  # fmt: skip
    heard = {f"on_{name}_change": lambda: None for name in ("view", "painted", "edited", "train", "run")}
    return _view(component("stage_loader")(key=_key(slot), data=data, **heard).view, name)


def train_request(slot: str | None = None) -> View | None:
    """Return the `View` at which the visitor requested all values of C, in the run after the request, else None."""
    request = (st.session_state.get(_key(slot)) or {}).get("train")
    return _view(request, request.get("key")) if isinstance(request, dict) else None


def run_at_slider(slot: str | None = None) -> tuple[str, View] | None:
    """Return (name of a run ahead, `View`) only in the run after the visitor released the λ slider, else None."""
    report = (st.session_state.get(_key(slot)) or {}).get("run")
    if not isinstance(report, dict):
        return None
    view = _view(report, report.get("key"))
    return None if view is None else (report["key"], view)


def painting(slot: str | None = None) -> Any:
    """Return the unchecked painted data of a stage, {"turn", "points"}, or None. Call it before or after `mount`."""
    return (st.session_state.get(_key(slot)) or {}).get("painted")


def editor_report(slot: str | None = None) -> Any:
    """Return the latest, unchecked report of a stage's editor, or None. Call it before or after `mount`."""
    return (st.session_state.get(_key(slot)) or {}).get("edited")


def columns(count: int | Sequence[float]) -> list[DeltaGenerator]:
    """Return columns for stages side by side. Narrow windows stack them."""
    with st.container(key="stages"):
        return st.columns(count)


def _key(slot: str | None) -> str:
    return KEY if slot is None else f"{KEY}-{slot}"


def _view(seen: Any, name: str | None) -> View | None:
    """Return the `View` that the browser reported, or None if it is invalid or belongs to another stage."""
    if not isinstance(seen, dict) or seen.get("key") != name:
        return None
    names = "tree", "node", "turn", "scene", "moment", "answer", "leaves", "pin", "size", "draws"
    tree, node, turn, *others = (seen.get(part) for part in names)
    view = View(tree, node, 0 if turn is None else turn, *others)
    numbers = [number for number in astuple(view) if number is not None]
    return view if all(type(number) is int and 0 <= number < 2**31 for number in numbers) else None


def stage_pair(
    group: str, trees: dict[str, Tree], data: Any, parts: Any, slot: str, whole: Container[str] = ()
) -> None:
    """Show two trees of the same data on linked stages.

    group : unique name of these trees and data; trees : {title: Tree}; parts : (training, validation, test) row
    numbers, or None; slot : name that distinguishes this pair on a page; whole : titles of trees whose training rows
    are more than those of `data`.
    """
    points = {title: Point(0, 0.0, tree, {}) for title, tree in trees.items()}
    sample = _sample_of_pair(group, data, parts, points)
    for place, (column, (title, point)) in enumerate(zip(columns(len(points)), points.items(), strict=True)):
        name = f"{group}-{place}"
        content = payload(name, False, [point], data, parts, sample, whole=title in whole)
        with column:
            mount(
                name, content, View(0), f"{slot}-{place}",
                Options(title=title, link=group, compact=True, alone=True),
            )  # fmt: skip


@computed(4)
def _sample_of_pair(group: str, _data: Any, _parts: Any, _points: dict[str, Point]) -> Any:
    return shared_sample(_data, _parts, [[point] for point in _points.values()])
