"""Nodes in addresses, named as on the screen: "node-4" or "leaf-5". Numbers in older links are origin ids."""

import re
from collections.abc import Mapping

import numpy as np
import streamlit as st

from pages.jobs.settings_text import natural
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree

EXAMPLES = "a node, such as node-4 or leaf-5"
_NAME = re.compile(r"(node|leaf)-[1-9]\d{0,7}")


def node_in_address(query: Mapping[str, str] | None = None) -> int | str | None:
    """Return the name or the origin id of a node in an address, by default that of the page, or None."""
    text = (st.query_params if query is None else query).get("node")
    return text if text is not None and _NAME.fullmatch(text) else natural(text)


def origin_of(tree: Tree, node: int | str | None) -> int | None:
    """Return the origin id of a node, or None for a name that the tree does not have."""
    if not isinstance(node, str):
        return node
    names = [_short(name) for name in node_names(tree)]
    return int(tree.origin[names.index(node)]) if node in names else None


def name_of(tree: Tree, node: int | str | None) -> int | str | None:
    """Return the name of a node for an address. A node that the tree does not have is returned unchanged."""
    places = [] if isinstance(node, str) else np.flatnonzero(tree.origin == node)
    return _short(node_names(tree)[places[0]]) if len(places) else node


def _short(name: str) -> str:
    """Return "leaf-5" for "leaf 5 of 17"."""
    return "-".join(name.split()[:2])
