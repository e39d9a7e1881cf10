"""Simplify the tree on the stage: regrow subtrees, and keep each one that lowers the objective."""

from dataclasses import replace

import streamlit as st

from pages.jobs import settings
from pages.jobs.point import Point
from pages.ui.session.shown_path import PathView
from pages.ui.shell.manager import manager
from treecore.tree.number_text import number

HELP = (
    "Regrows subtrees on their training rows and keeps each subtree that lowers error + λ × size. The new tree "
    "follows this tree on the path."
)


def smaller_button(shown: PathView, point: Point) -> None:
    """Draw the button for a `shown_path.PathView`, if its subtrees can be regrown.

    point : `Point` on the screen. There is no button for oblique trees, linear leaves and grids of C.
    """
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


def smaller_words(shown: PathView) -> None:
    """Draw a caption that compares the simplified tree with the previous one, if it is trained."""
    if shown.grid is None and shown.tree and shown.is_refined and (found := manager().points(shown.tree)):
        st.caption(_comparison_text(shown, found[0]))


def _comparison_text(shown: PathView, point: Point) -> str:
    """Return the sentence that compares the simplified tree with the previous one."""
    target, lam = shown.data.target, shown.tree_settings.lam
    before = [one for one in manager().points(shown.path) if one.lam <= lam][-1]
    kind = "train_error" if point.figures["validation_error"] is None else "validation_error"
    error = {"train_error": "training", "validation_error": "validation"}[kind]
    sizes = [
        f"{one.tree.n_leaves:,} {'leaf' if one.tree.n_leaves == 1 else 'leaves'} with a {error} {target.error_label} "
        f"of {target.error_text(one.figures[kind])}"
        for one in (before, point)
    ]
    if point.tree == before.tree:
        same = f"No smaller subtree found at λ = {number(lam)}."
        return f"{same} For a smaller tree, move the slider to the right."
    return (
        f"At λ = {number(lam)}: {sizes[0]} before, {sizes[1]} now. Move the slider one step back for the previous tree."
    )
