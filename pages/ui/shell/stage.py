"""The stage inside a page: a keyed component, its data by reference, its selection as state."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.components.component import component
from pages.ui.shell.computed import computed
from pages.ui.shell.served_files import DATA, served_files
from viz.page.stage_html import MATCHES, stage_page
from viz.page.stage_source import lean, stage_module, stage_style
from viz.payload.stage_payload import stage_payload

KEY = "stage"


@dataclass(frozen=True)
class View:
    """What is on the stage: index of the tree (None: not chosen yet), origin id of the selected node or None.

    turn : raise it to select another node on a stage that is there already; a report has the turn that it follows on,
    so one with an older turn is out of date; scene, moment : positions in the lesson that is shown, or None;
    answer : 1 when the answer of that moment is open, else 0; leaves : 1 or 2 when they go on to the lesson behind it
    or before it, else 0.
    """

    tree: int | None
    node: int | None = None
    turn: int = 0
    scene: int | None = None
    moment: int | None = None
    answer: int | None = None
    leaves: int | None = None


@dataclass(frozen=True)
class Followed:
    """A row to follow, of the sample or not.

    values : tuple of float, one for each feature of the data (NaN is missing); name : for people; label : position of
    its class among the data's, or its number, or None; changed : other values of it to try out; turn : int, another one
    hands the same values over again.
    """

    values: tuple
    name: str
    label: int | float | None = None
    changed: tuple | None = None
    turn: int = 0

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has no NaN."""
        changed = None if self.changed is None else _numbers(self.changed)
        return {"values": _numbers(self.values), "changed": changed} | {
            name: getattr(self, name) for name in ("name", "label", "turn")
        }


def _numbers(values: Iterable[float]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values]


@dataclass(frozen=True)
class Options:
    """How a stage stands in its page.

    banner : something stands above it, so that it must be lower to fit the window; follow : `Followed`, the row that is
    followed when it is another one than before; what the visitor does with it stays; alone : there is one tree, so no
    way along a path; path : whether the way to the selected node is lit and the rest dimmed; present : whether it is
    for a projector; hide : names of the parts that are not there, see `learn_settings.PARTS`; paint : where the visitor
    may paint the data, a dict of "classes" (names), "points" (a text of `sample_data.painted`) and "turn", of which an
    equal one has no news; edit : dict for the stage's editor, see `pages.ui.shell.edit_messages`; what it reports is
    had by `edited`; offer : dict of other C that can be trained, `Offer` of viz/stage/types.d.ts, see `wish`; choice :
    dict of folds that judge the trees, made after the content, `Choice` there; whole : name of the path whose first
    trees the content has: of those the visitor's choice holds while more come; lesson : (dict that tells it, moment
    to open at), the content then holds its scenes one behind the other.

    Stages side by side: title : of its title strip; compact : little around the tree, the inspector on demand; link :
    name of the group whose stages share selected, hovered and followed rows (draw the same rows in all: `_sample` of
    `payload` is one `shared_sample`); match : when one moves along its path, the others of the group move to their tree
    nearest in number of leaves ("size") or in validation error, else test error ("error"), or stay ("none").
    """

    banner: bool = False
    follow: Followed | None = None
    alone: bool = False
    title: str | None = None
    link: str | None = None
    match: str = "none"
    compact: bool = False
    path: bool = False
    present: bool = False
    hide: tuple[str, ...] = ()
    paint: dict | None = None
    edit: dict | None = None
    offer: dict | None = None
    choice: dict | None = None
    whole: str | None = None
    ahead: dict | None = None
    lesson: tuple[dict, int] | None = None

    def __post_init__(self) -> None:
        if self.match not in MATCHES:
            raise ValueError(f"match is {self.match!r}; it must be one of {MATCHES}.")

    def to_dict(self) -> dict[str, Any]:
        """For the browser, as JSON."""
        plain = ("banner", "alone", "title", "link", "match", "compact", "path", "present", "hide", "paint", "edit",
                 "offer", "choice", "whole", "ahead")  # fmt: skip
        header = {name: getattr(self, name) for name in plain}
        header["row"] = None if self.follow is None else self.follow.to_dict()
        return header if self.lesson is None else header | {"lesson": self.lesson[0], "moment": self.lesson[1]}


PLAIN = Options()


@st.cache_resource(show_spinner=False)
def code() -> tuple[bytes, bytes]:
    """(module, style) of the stage as bytes."""
    return lean(stage_module()).encode(), stage_style().encode()


@computed(24)
def payload(name: str, recommended: dict[str, Any], _points: Any, _data: Any, _rows: Any, _sample: Any = None) -> bytes:
    """Bytes of `stage_payload` for points, and the sample of a comparison, that are known by `name`."""
    return stage_payload(_points, _data, _rows, recommended, _sample)


@computed(4)
def page(job: str, count: int, _payload: bytes, _title: str) -> bytes:
    """Standalone HTML of a job."""
    return stage_page(_payload, _title).encode()


def reported(name: str, slot: str | None = None) -> View | None:
    """View that the visitor has settled on since `mount` with this name and slot, None before that; known before it is
    drawn."""
    return _view((st.session_state.get(_key(slot)) or {}).get("view"), name)


def reported_of_any(start: str) -> View | None:
    """The same of the stage whose name begins so."""
    seen = (st.session_state.get(KEY) or {}).get("view")
    name = seen.get("key") if isinstance(seen, dict) else None
    return _view(seen, name) if isinstance(name, str) and name.startswith(start) else None


def mount(
    name: str, content: bytes, opens: View | None = None, slot: str | None = None, options: Options = PLAIN
) -> View | None:
    """Mount the stage with `content` (bytes of a payload), known by `name`, at the View `opens`.

    opens : None for the recommended tree, or for the one that matches the others of the group; slot : tells the stages
    of a page apart, constant for each; options : `Options`.

    Returns the View that the visitor has settled on since, None before that. The browser asks for what it does not have
    yet: content and code are not sent with the page.
    """
    opens = opens or View(None)
    header = {"key": name, "tree": opens.tree, "node": opens.node, "turn": opens.turn} | options.to_dict()
    module, style = code()
    put = served_files().put
    data = {"header": json.dumps(header), "module": put(module, "text/javascript"), "style": put(style, "text/css"),
            "content": put(content, DATA)}  # fmt: skip
    heard = {f"on_{name}_change": lambda: None for name in ("view", "painted", "edited", "train", "run")}
    return _view(component("stage_loader")(key=_key(slot), data=data, **heard).view, name)


def wish(slot: str | None = None) -> View | None:
    """`View` at which the visitor has asked for the trees of every C, in the run that follows on that; else None."""
    asked = (st.session_state.get(_key(slot)) or {}).get("train")
    return _view(asked, asked.get("key")) if isinstance(asked, dict) else None


def dragged(slot: str | None = None) -> tuple[str, View] | None:
    """(name of a run ahead, `View`) at which lambda was left, in the run that follows on that; else None."""
    told = (st.session_state.get(_key(slot)) or {}).get("run")
    if not isinstance(told, dict):
        return None
    view = _view(told, told.get("key"))
    return None if view is None else (told["key"], view)


def painted(slot: str | None = None) -> Any:
    """What was painted on a stage last, {"turn", "points"}, unchecked, or None; known before the stage is drawn."""
    return (st.session_state.get(_key(slot)) or {}).get("painted")


def edited(slot: str | None = None) -> Any:
    """What the editor of a stage has reported last, unchecked, or None; known before the stage is drawn."""
    return (st.session_state.get(_key(slot)) or {}).get("edited")


def columns(count: int | Sequence[float]) -> list[DeltaGenerator]:
    """Columns for stages side by side; in narrow windows they are below each other."""
    with st.container(key="stages"):
        return st.columns(count)


def _key(slot: str | None) -> str:
    return KEY if slot is None else f"{KEY}-{slot}"


def _view(seen: Any, name: str | None) -> View | None:
    """`View` of what the browser has reported, None when it makes no sense or is about another stage."""
    if not isinstance(seen, dict) or seen.get("key") != name:
        return None
    names = "tree", "node", "turn", "scene", "moment", "answer", "leaves"
    tree, node, turn, *lesson = (seen.get(part) for part in names)
    view = View(tree, node, 0 if turn is None else turn, *lesson)
    numbers = [number for number in astuple(view) if number is not None]
    return view if all(type(number) is int and 0 <= number < 2**31 for number in numbers) else None
