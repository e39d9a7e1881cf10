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

from viz.page.stage_html import packed_code

LEAST = 1e-300  # smallest lambda on the logarithmic scale
_given: set = set()  # the code, once a widget of this process has sent it to the page


class _Whole(Int):
    """Integer trait that also accepts numpy integers."""

    def validate(self, obj, value):
        return super().validate(obj, value.__index__() if hasattr(value, "__index__") else value)


class _Lambda(Float):
    """Float trait that also accepts None, which the widget validates."""

    def validate(self, obj, value):
        return None if value is None else super().validate(obj, value)


class _Rows(List):
    """List trait that also accepts arrays, sets and ranges."""

    def validate(self, obj, value):
        return super().validate(obj, list(value) if isinstance(value, Iterable) else value)


class StageWidget(anywidget.AnyWidget):
    """The stage in a notebook, with traits that follow and control it.

    `observe` of traitlets calls a function when a trait changes. A tree, node or row that does not exist raises
    TraitError.

    tree : int, index along the path
    lam : float, lambda of the tree, None for a single tree. Setting it selects the tree with the nearest lambda and the
        same C.
    node : int, id of the selected node as in `Tree.origin`, or None
    selected_rows : list of int, numbers of the selected rows of the data, highlighted if the stage draws them
    """

    _esm = Path(__file__).with_name("stage_widget.js")
    code = Bytes().tag(sync=True)  # code of the stage, empty if the page has it from another widget
    version = Unicode().tag(sync=True)
    payload = Bytes().tag(sync=True)
    height = Int().tag(sync=True)
    still = Unicode().tag(sync=True)  # CSS class of the figure that replaces the stage
    tree = _Whole().tag(sync=True)
    lam = _Lambda().tag(sync=True)
    node = _Whole(None, allow_none=True).tag(sync=True)
    selected_rows = _Rows(_Whole()).tag(sync=True)

    def __init__(
        self, payload: bytes, points: Sequence, n_rows: int, words: str, html: Callable[[], str], **traits: Any
    ) -> None:
        """Create the widget.

        payload : bytes of `stage_payload`
        points : objects with `tree`, `lam` (None for a single tree) and optional `cost`
        n_rows : number of rows of the data
        words : one-line description
        html : function that returns a replacement for the stage
        traits : `height` in pixels, and `tree`, the tree to show first
        """
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
        # The page was reloaded, or every cell has its own page.
        if content == "code":
            self.code = packed_code()

    def __repr__(self):
        return self._words

    def _ipython_display_(self):
        # A saved notebook does not keep the widget, but it keeps the figure.
        html = f'<div class="{self.still}">{self._html()}</div>'
        publish_display_data({"text/html": html, "text/plain": self._words})
        publish_display_data(*(self._repr_mimebundle_() or ({}, {})))

    @validate("tree")
    def _known_tree(self, proposal):
        if not 0 <= proposal.value < len(self._points):
            raise TraitError(
                f"tree={proposal.value}: expected the index of a tree on the path, 0 to {len(self._points) - 1}."
            )
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
            raise TraitError(f"lam={lam}: a single tree has only one λ. Pass a path to viz.show.")
        if lam is None or not lam >= 0:
            raise TraitError(f"lam={lam}: expected a number >= 0.")
        return self._points[self._nearest(lam)].lam

    @observe("lam")
    def _go(self, change):
        if change.new != self._points[self.tree].lam:
            self.tree = self._nearest(change.new)

    def _nearest(self, lam):
        """Return the index of the tree with the current C and the nearest lambda on a logarithmic scale."""
        costs = [getattr(point, "cost", None) for point in self._points]
        known = np.maximum([point.lam for point in self._points], LEAST)
        apart = np.abs(np.log(known / max(lam, LEAST)))
        return int(np.where([cost == costs[self.tree] for cost in costs], apart, np.inf).argmin())

    @validate("node")
    def _known_node(self, proposal):
        node = proposal.value
        if node is None or any(node in point.tree.origin for point in self._points):
            return node
        raise TraitError(f"node={node}: expected an id of tree.origin, or None.")

    @validate("selected_rows")
    def _known_rows(self, proposal):
        rows = proposal.value
        if rows and not self._n_rows:
            raise TraitError("selected_rows: the trees are shown without data. Pass the data to viz.show.")
        if wrong := [row for row in rows if not 0 <= row < self._n_rows]:
            raise TraitError(
                f"selected_rows contains {wrong[0]}: expected row numbers of the data, 0 to {self._n_rows - 1}."
            )
        return rows
