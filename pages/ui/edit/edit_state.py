"""Keep the edited trees of this visitor in the session, and in a file that the address names.

`EditRows` are the rows on which an edited tree is evaluated, with the classes numbered as in the tree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.jobs import kept_files
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import address
from pages.ui.shell.computed import computed
from pages.ui.shell.owner import keep_by_hand
from treecore.errors import TreecoreError
from treecore.tree.editing import edited_tree, locked_nodes, tree_document
from treecore.tree.tree import Tree


class EditRows(NamedTuple):
    """Rows of an edited tree.

    X, y : training rows with their classes or target values; test_X, test_y, validation_X, validation_y : test and
    validation rows, possibly none; positions : tuple of int, position of each class of the tree among the classes of
    the data, None for regression.
    """

    X: np.ndarray
    y: np.ndarray
    test_X: np.ndarray
    test_y: np.ndarray
    validation_X: np.ndarray
    validation_y: np.ndarray
    positions: tuple | None


def parts_of(chosen: ChosenTree) -> tuple[Any, ...] | None:
    """Return the (training, validation, test) row numbers of a `ChosenTree`, or None if its data have no split."""
    return chosen.rows if any(len(part) for part in chosen.rows) else None


def rows_of(chosen: ChosenTree) -> EditRows:
    """Return the `EditRows` of a `ChosenTree` that has rows."""
    return _computed_rows(chosen.name, chosen)


@computed(4)
def _computed_rows(name: str, _chosen: ChosenTree) -> EditRows:
    positions = _chosen.target.positions(_chosen.tree)
    y = _chosen.data.y if positions is None else _labels(_chosen, positions)
    data, parts = _chosen.data, parts_of(_chosen)
    none = np.empty(0, np.int64)
    train, validation, test = (np.arange(len(y)), none, none) if parts is None else parts
    places = None if positions is None else tuple(positions.tolist())
    return EditRows(data.X[train], y[train], data.X[test], y[test], data.X[validation], y[validation], places)


def _labels(chosen: ChosenTree, positions: np.ndarray) -> np.ndarray:
    """Return the classes of all rows, numbered as in the tree."""
    data, tree = chosen.data, chosen.tree
    if tree.classes.dtype.kind == "U":
        called = np.array(data.class_names)
        called[positions] = tree.classes
    else:  # a class that the tree does not contain gets an unused number
        called = np.full(len(data.class_names), int(tree.classes.max()) + 1, np.int64).astype(tree.classes.dtype)
        called[positions] = tree.classes
    return called[data.y]


EDITS, OWN, LINK, _TOLD, _IS_NEWS = "edits", "edit_own", "edit_link", "edit_link_told", "edit_link_is_news"
MOST = 8  # maximum number of edited trees in a session


@dataclass(frozen=True, eq=False)
class Edit:
    """An edited tree.

    name : name of the `ChosenTree`; tree : current `Tree`, with the counts of the training rows; locked : tuple of ids;
    document : document of the tree, see `treecore.tree.editing`; turn, seen, ask : see `pages.ui.shell.edit_messages`;
    note : description of the last change, or None; caution : warning about this change, or None; fault : reason for a
    refused change, or None; repair : (Tree, locked ids) before the last re-optimisation, None after a later change;
    stopped : whether the re-optimisation reached its time limit.
    """

    name: str
    tree: Tree
    locked: tuple
    document: dict
    turn: int = 0
    seen: int = 0
    ask: str | None = None
    note: str | None = None
    caution: str | None = None
    fault: str | None = None
    repair: tuple | None = None
    stopped: bool = False

    def with_tree(self, tree: Tree, locked: tuple[int, ...], positions: tuple[int, ...] | None, **changes: Any) -> Edit:
        """Return the edit with another tree."""
        known = set(tree.origin.tolist())  # TAO prunes locked nodes in dead branches
        locked = tuple(origin for origin in locked if origin in known)
        return replace(self, tree=tree, locked=locked, document=tree_document(tree, locked, positions), **changes)

    def next_turn(self, **changes: Any) -> Edit:
        """Return the edit in a new turn; the browser then replaces its document."""
        return replace(self, turn=self.turn + 1, **changes)


def current(chosen: ChosenTree, rows: EditRows) -> Edit:
    """Return the `Edit` of a `ChosenTree`: from this session, from the file in the address, or without changes.

    After Back or Forward, the address decides.
    """
    known = st.session_state.setdefault(EDITS, {})
    linked, name = _link()
    # Edits of an imported tree have no token in the address.
    if st.session_state.pop(_IS_NEWS, False) and chosen.name in known and chosen.loaded is None:
        token_in_address, own = linked if name == chosen.name else None, st.session_state.setdefault(OWN, {})
        if token_in_address is None or own.get(chosen.name) != token_in_address:
            # Later changes go to another file, so that this address still shows the same tree.
            own.pop(chosen.name, None)
            known[chosen.name] = _edit_in_address(chosen, rows, known[chosen.name])
    if chosen.name not in known:
        known[chosen.name] = _load_edit(chosen, rows) or new_edit(chosen, rows)
        while len(known) > MOST:
            del known[next(iter(known))]
    return known[chosen.name]


def keep(edit: Edit, changed: bool = True) -> None:
    """Store an `Edit` in the session.

    changed : whether its tree differs from the stored one. If so, the edit is also written to a file, for a reload.
    """
    st.session_state.setdefault(EDITS, {})[edit.name] = edit
    if not changed:
        return
    # The file of a link belongs to another visitor, so the changes need another file.
    token = st.session_state.setdefault(OWN, {}).setdefault(edit.name, kept_files.new_token())
    keep_by_hand(token, {"name": edit.name, "document": edit.document})


def token(chosen: ChosenTree) -> str | None:
    """Return the token of a `ChosenTree`'s edits for the address, or None."""
    linked, name = _link()
    return st.session_state.get(OWN, {}).get(chosen.name) or (linked if name == chosen.name else None)


def address_token() -> str | None:
    """Return the token in the address, or None if it is unknown in this session."""
    token_in_address = st.query_params.get("edit")
    return token_in_address if token_in_address in (_link()[0], *st.session_state.get(OWN, {}).values()) else None


def is_link_to_another(chosen: ChosenTree) -> bool:
    """Test once whether the address names the edits of a tree other than the first one shown."""
    if _TOLD in st.session_state:
        return False
    st.session_state[_TOLD] = True
    return _link()[1] not in (None, chosen.name)


def _link() -> tuple[str | None, str | None]:
    """Return (token, name of the tree) of the address after a new tab, Back or Forward, else (None, None)."""
    if address.is_from_address(LINK):
        linked_token = st.query_params.get("edit", "")
        name = kept_files.read(linked_token).get("name")
        st.session_state[LINK] = (linked_token, name) if isinstance(name, str) else (None, None)
        st.session_state[_IS_NEWS] = True
    return st.session_state[LINK]


def new_edit(chosen: ChosenTree, rows: EditRows) -> Edit:
    """Return the `Edit` of a `ChosenTree` without changes."""
    tree = chosen.tree
    return Edit(chosen.name, tree, (), tree_document(tree, (), rows.positions))


def _edit_in_address(chosen: ChosenTree, rows: EditRows, old: Edit) -> Edit:
    """Return the `Edit` that the address names after Back or Forward, in the turn after that of the old edit."""
    found = _load_edit(chosen, rows) or new_edit(chosen, rows)
    if found.document == old.document:
        return old
    return replace(found, turn=old.turn + 1, seen=old.seen, note="Restored this tree (browser history).")


def _load_edit(chosen: ChosenTree, rows: EditRows) -> Edit | None:
    document: Any = kept_files.read(token(chosen)).get("document")
    try:
        tree = edited_tree(document, chosen.tree, rows.X, rows.y, positions=rows.positions)
    except TreecoreError:
        return None
    return new_edit(chosen, rows).with_tree(tree, locked_nodes(document), rows.positions, turn=1)
