"""Make it smaller: subtrees of the tree on the stage are grown anew, and kept where the objective falls."""

from dataclasses import replace

import streamlit as st

from pages.jobs import settings
from pages.jobs.point import Point
from pages.ui.explore.messages import MESSAGES
from pages.ui.session.shown_path import Shown
from pages.ui.shell.manager import manager
from treecore.messages import Sentence
from treecore.tree.number_text import number

HELP = MESSAGES("smaller.what")


def smaller_button(shown: Shown, point: Point) -> None:
    """Draw it for an `shown_path.Shown`; point : `Point` on the screen. Nothing where trees cannot be grown anew
    (weighted sums, linear leaves, every C at once)."""
    chosen = shown.store.current()
    if shown.grid is not None or not replace(chosen, refine=settings.SWEEPS).sweeps:
        return
    if shown.is_refined:
        if st.button("Undo", icon=":material/undo:", key="smaller-undo"):
            shown.store.change(lam=None, refine=0)
            st.rerun()
        return
    wants = st.button("Simplify tree", icon=":material/compress:", key="smaller", help=HELP,
                      disabled=point.tree.n_leaves == 1)  # fmt: skip
    if wants:
        shown.store.change(lam=point.lam, refine=settings.SWEEPS)
        st.rerun()


def smaller_words(shown: Shown) -> None:
    """Say what the tree that was grown anew has gained, once it is there."""
    if shown.grid is None and shown.tree and shown.is_refined and (found := manager().points(shown.tree)):
        st.caption(_gained(shown, found[0]))


def _gained(shown: Shown, point: Point) -> Sentence:
    """What the new tree has gained or lost against the one that it began with."""
    target, lam = shown.data.target, shown.tree_settings.lam
    before = [one for one in manager().points(shown.path) if one.lam <= lam][-1]
    kind = "train_error" if point.figures["validation_error"] is None else "validation_error"
    error = {"train_error": "training", "validation_error": "validation"}[kind]
    told = [
        f"{one.tree.n_leaves:,} {'leaf' if one.tree.n_leaves == 1 else 'leaves'} with a {error} {target.error_label} "
        f"of {target.error_text(one.figures[kind])}"
        for one in (before, point)
    ]
    if point.tree == before.tree:
        same = MESSAGES("smaller.none", lam=number(lam))
        return MESSAGES("smaller.further", sentence=same)
    return MESSAGES("smaller.done", lam=number(lam), before=told[0], after=told[1])
