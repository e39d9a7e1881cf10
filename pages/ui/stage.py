"""The stage inside a page: a keyed component, its data as bytes, its selection as state."""

import json
from dataclasses import dataclass

import streamlit as st

from viz.stage_html import stage_page
from viz.stage_payload import stage_payload
from viz.stage_source import stage_module, stage_style

KEY = "stage"


@dataclass(frozen=True)
class View:
    """What is on the stage: index of the tree, origin id of the selected node or None."""

    tree: int
    node: int | None = None


@st.cache_resource(show_spinner=False)
def _component():
    return st.components.v2.component("tree_stage", js=stage_module(), css=stage_style())


@st.cache_resource(max_entries=12, show_spinner=False)
def payload(name, recommended, _points, _data, _rows):
    """Bytes of `stage_payload` for points that are known by `name`."""
    return stage_payload(_points, _data, _rows, recommended)


@st.cache_resource(max_entries=4, show_spinner=False)
def page(job, count, _payload, _title):
    """Standalone HTML of a job."""
    return stage_page(_payload, _title).encode()


def reported(name):
    """View that the visitor has settled on since `show` with this name, None before that; known before it is drawn."""
    seen = (st.session_state.get(KEY) or {}).get("view")
    return View(seen["tree"], seen["node"]) if seen and seen["key"] == name else None


def show(name, content, opens, banner=False):
    """Mount the stage with `content` (bytes of a payload), known by `name`, at the View `opens`.

    `banner`: something stands above it, so that it must be lower to fit the window. Returns the View that the visitor
    has settled on since, None before that. Unchanged arguments cost nothing: the browser has them already.
    """
    header = json.dumps({"key": name, "tree": opens.tree, "node": opens.node, "banner": banner}).encode()
    block = len(header).to_bytes(4, "little") + header + content
    seen = _component()(key=KEY, data=block, on_view_change=lambda: None).view
    return View(seen["tree"], seen["node"]) if seen and seen["key"] == name else None
