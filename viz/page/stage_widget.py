"""`StageWidget`: the stage in a notebook cell, connected to Python. Requires anywidget."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import anywidget
import numpy as np
from IPython.display import publish_display_data
from traitlets import Bytes, Float, Int, List, TraitError, Unicode, observe, validate

from viz.messages import MESSAGES
from viz.page.stage_source import packed_code

LEAST = 1e-300  # smallest lambda on a logarithmic scale
_given: set = set()  # the code, once a widget of this process has sent it to the page


class _Whole(Int):
    """Accept integers of numpy too."""

    def validate(self, obj, value):
        return super().validate(obj, value.__index__() if hasattr(value, "__index__") else value)


class _Lambda(Float):
    """Accept None too; the widget validates it."""

    def validate(self, obj, value):
        return None if value is None else super().validate(obj, value)


class _Rows(List):
    """Accept arrays, sets and ranges too."""

    def validate(self, obj, value):
        return super().validate(obj, list(value) if isinstance(value, Iterable) else value)


class StageWidget(anywidget.AnyWidget):
    """The stage and the state of its visitor: values set here are shown there, and actions there can be read here.

    tree : int, index along the path; lam : float, its lambda, None for a single tree; setting it selects the tree with
    the nearest one (of the same C); node : int, id of the selected node as in `Tree.origin`, or None; selected_rows :
    list of int, numbers of the selected rows of the data, highlighted if the stage draws them. `observe` of traitlets
    calls a function when one changes. Raises TraitError for a tree, a node or a row that does not exist.
    """

    _esm = Path(__file__).with_name("stage_widget.js")
    code = Bytes().tag(sync=True)  # of the stage, empty if the page has it from another widget
    version = Unicode().tag(sync=True)
    payload = Bytes().tag(sync=True)
    height = Int().tag(sync=True)
    still = Unicode().tag(sync=True)  # class of the figure that replaces the stage
    tree = _Whole().tag(sync=True)
    lam = _Lambda().tag(sync=True)
    node = _Whole(None, allow_none=True).tag(sync=True)
    selected_rows = _Rows(_Whole()).tag(sync=True)

    def __init__(
        self, payload: bytes, points: Sequence, n_rows: int, words: str, html: Callable[[], str], **traits: Any
    ) -> None:
        """payload : of `stage_payload`; points : objects with `tree`, `lam` (None: a single tree) and optional `cost`;
        n_rows : of the data; words : a one-line description; html : function that returns the replacement of the stage;
        traits : height, in pixels, and tree, the one that opens."""
        self._points, self._n_rows, self._words, self._html = points, n_rows, words, html
        code = packed_code()
        super().__init__(
            code=b"" if _given else code,
            version=f"{zlib.crc32(code):08x}",
            payload=payload,
            still=f"still-{uuid4().hex[:12]}",
            lam=points[traits["tree"]].lam,
            **traits,
        )
        _given.add(code)
        self.on_msg(self._receive)

    def _receive(self, _widget, content, _buffers):
        # the page was reloaded, or every cell has a page of its own
        if content == "code":
            self.code = packed_code()

    def __repr__(self):
        return self._words

    def _ipython_display_(self):
        # A saved notebook has no widget; the figure remains.
        html = f'<div class="{self.still}">{self._html()}</div>'
        publish_display_data({"text/html": html, "text/plain": self._words})
        publish_display_data(*(self._repr_mimebundle_() or ({}, {})))

    @validate("tree")
    def _known_tree(self, proposal):
        if not 0 <= proposal.value < len(self._points):
            raise TraitError(MESSAGES("widget.tree", value=proposal.value, last=len(self._points) - 1))
        return proposal.value

    @observe("tree")
    def _tell_lam(self, change):
        self.lam = self._points[change.new].lam

    @validate("lam")
    def _known_lam(self, proposal):
        lam, now = proposal.value, self._points[self.tree].lam
        if lam == now:
            return lam
        if now is None:
            raise TraitError(MESSAGES("widget.no_path", lam=lam))
        if lam is None or not lam >= 0:
            raise TraitError(MESSAGES("widget.lam", lam=lam))
        return self._points[self._nearest(lam)].lam

    @observe("lam")
    def _go(self, change):
        if change.new != self._points[self.tree].lam:
            self.tree = self._nearest(change.new)

    def _nearest(self, lam):
        """Return the index of the tree with the nearest lambda on a logarithmic scale, of the same C as the one on the
        stage."""
        costs = [getattr(point, "cost", None) for point in self._points]
        known = np.maximum([point.lam for point in self._points], LEAST)
        apart = np.abs(np.log(known / max(lam, LEAST)))
        return int(np.where([cost == costs[self.tree] for cost in costs], apart, np.inf).argmin())

    @validate("node")
    def _known_node(self, proposal):
        node = proposal.value
        if node is None or any(node in point.tree.origin for point in self._points):
            return node
        raise TraitError(MESSAGES("widget.node", node=node))

    @validate("selected_rows")
    def _known_rows(self, proposal):
        rows = proposal.value
        if rows and not self._n_rows:
            raise TraitError(MESSAGES("widget.no_rows"))
        if wrong := [row for row in rows if not 0 <= row < self._n_rows]:
            raise TraitError(MESSAGES("widget.row", row=wrong[0], last=self._n_rows - 1))
        return rows
