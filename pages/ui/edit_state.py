"""The tree of this visitor that is being changed by hand: in the session, and in a file that the address names."""

import re
import uuid
from dataclasses import dataclass, replace

import streamlit as st

from pages.ui import job_files
from treecore import Tree, TreecoreError
from treecore.editing import edited_tree, locked_nodes, tree_document

EDITS, KEY = "edits", "edit_key"
MOST = 8  # trees of a session
KEPT = 200  # files of all visitors
_TOKEN = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, eq=False)
class Edit:
    """A tree that is being changed.

    name : of the `ChosenTree`; tree : `Tree` as it is now, with the counts of the training rows; locked : tuple of
    ids; document : of the tree, see `treecore.editing`; turn, seen, ask, message : see `pages.ui.edit_messages`;
    note : what has just happened, in words, or None; fault : why something was not done, or None; repair : (Tree,
    locked ids) that TAO has repaired last, None when something else was done since.
    """

    name: str
    tree: Tree
    locked: tuple
    document: dict
    turn: int = 0
    seen: int = 0
    ask: str | None = None
    note: str | None = None
    fault: str | None = None
    repair: tuple | None = None

    def with_tree(self, tree, locked, positions, **changes):
        """The same with another tree."""
        return replace(self, tree=tree, locked=locked, document=tree_document(tree, locked, positions), **changes)

    def answered(self, **changes):
        """The same in a new turn: the browser takes over the document."""
        return replace(self, turn=self.turn + 1, **changes)


def current(chosen, rows):
    """`Edit` of a `ChosenTree`: of this session, of the file in the address, or untouched."""
    known = st.session_state.setdefault(EDITS, {})
    if chosen.name not in known:
        known[chosen.name] = _restored(chosen, rows) or untouched(chosen, rows)
        while len(known) > MOST:
            del known[next(iter(known))]
    return known[chosen.name]


def keep(edit, changed=True):
    """Remember an `Edit`; changed : whether its tree is another one than before, which a reload must find."""
    st.session_state.setdefault(EDITS, {})[edit.name] = edit
    if not changed:
        return
    token, name = st.session_state.get(KEY) or (None, None)
    if name != edit.name:
        st.session_state[KEY] = token, _ = uuid.uuid4().hex, edit.name
    job_files.write_json(_folder() / f"{token}.json", {"name": edit.name, "document": edit.document})
    job_files.drop_oldest(_folder(), KEPT)


def restart(chosen, rows):
    """The tree as it was before all changes; the browser's turns go on."""
    old = current(chosen, rows)
    return replace(untouched(chosen, rows), turn=old.turn + 1, seen=old.seen)


def token():
    """What the address says of the tree that is being changed, None when there is nothing to say."""
    if KEY not in st.session_state:
        wanted = st.query_params.get("edit", "")
        saved = job_files.read_json(_folder() / f"{wanted}.json") if _TOKEN.fullmatch(wanted) else None
        if isinstance(saved, dict) and isinstance(saved.get("name"), str):
            st.session_state[KEY] = wanted, saved["name"]
    known = st.session_state.get(KEY)
    return known[0] if known else None


def untouched(chosen, rows):
    """`Edit` of a `ChosenTree` that nobody has changed yet."""
    tree = chosen.tree
    return Edit(chosen.name, tree, (), tree_document(tree, (), rows.positions))


def _restored(chosen, rows):
    if token() is None or st.session_state[KEY][1] != chosen.name:
        return None
    saved = job_files.read_json(_folder() / f"{token()}.json")
    document = saved.get("document") if isinstance(saved, dict) else None
    try:
        tree = edited_tree(document, chosen.tree, rows.X, rows.y, positions=rows.positions)
    except TreecoreError:
        return None
    return untouched(chosen, rows).with_tree(tree, locked_nodes(document), rows.positions, turn=1)


def _folder():
    folder = job_files.jobs_folder() / job_files.EDITS
    folder.mkdir(exist_ok=True)
    return folder
