"""Run contests on the points of the laboratory, in which a class separates them with lines and tries to beat TAO."""

import hashlib
from dataclasses import replace
from typing import cast

import streamlit as st

from pages.rooms.room import Contest, Screen
from pages.ui.learn import learn_run, learn_settings
from pages.ui.learn.class_plan import plan_bar
from pages.ui.learn.learn_data import LearnData
from pages.ui.learn.learn_drawing import Drawing
from pages.ui.learn.learn_settings import LearnSettings
from pages.ui.room import led_room
from pages.ui.shell import address
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.node_solvers import SPLITS
from treecore.tree.number_text import count, number

SPLIT = "bivariate"
_FAULT, _GO = "contest_fault", "contest_go"


def contest_button(
    chosen: LearnSettings, found: LearnData, drawing: Drawing | None, shortcut: str | None = None
) -> None:
    """Draw the button that opens a room for a contest on these points.

    found : `LearnData`; drawing : `Drawing`, or None; shortcut : key that presses the button, or None.
    """
    plane = found.data is not None and found.data.n_features == 2 and not found.data.target.is_root
    st.button(
        "Beat TAO, in a room", icon=":material/groups:", key="learn-contest", width="stretch", disabled=not plane,
        on_click=_open, args=(chosen, found, drawing), shortcut=shortcut,
        help="Students draw lines on their own devices, and you see the ranking by objective." if plane
        else "The contest needs a plane. Choose two columns of a classification data set.",
    )  # fmt: skip
    if fault := st.session_state.pop(_FAULT, ""):
        st.error(plain(fault), icon=":material/error:")
    if st.session_state.pop(_GO, False):
        address.go_to("pages/room.py", plan_bar.query() | led_room.query())


def _open(chosen: LearnSettings, found: LearnData, drawing: Drawing | None) -> None:
    try:
        st.session_state[_GO] = led_room.play(_screen(chosen, found, drawing))
    except TreecoreError as error:
        st.session_state[_FAULT] = str(error)


def _screen(chosen: LearnSettings, found: LearnData, drawing: Drawing | None) -> Screen:
    """Return the `Screen` of the contest.

    TAO's tree is trained as in the laboratory, with C = 1, so that lines in all directions have the same penalty.
    """
    has_start = drawing is not None and drawing.tree.n_nodes > 1
    split = chosen.split if SPLITS[chosen.split].is_exact else SPLIT
    suits = has_start or chosen.init in learn_settings.initial_trees(split).keys() - {"drawn"}
    init = chosen.init if suits else "cart"
    data = cast(DataSet, found.data)
    same = replace(chosen, split=split, bivariate_cost=1.0, init=init)
    start = drawing if has_start else None
    name = learn_run.name(same, data, start)
    tree = learn_run.record_run(name, same, data, found.rows, start).tree
    contest = Contest(data, found.rows[0], chosen.lam, tree, most_features=SPLITS[split].most_features or 2)
    costs = f"Each misclassified point costs 1, each line {number(chosen.lam)}."
    words = (f"Separate {count(len(found.rows[0]))} points with lines. {costs}",)
    own = int(hashlib.sha256(name.encode()).hexdigest()[:12], 16)
    return Screen("", own, "Beat TAO", words, contest=contest)
