"""Show the trees of two or more methods on linked stages."""

import contextlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.jobs.kinds.comparison_protocol import SHOWN_FOLD
from pages.ui.save.saved_file import SavedFile
from pages.ui.session import loaded_models
from pages.ui.shell import stage
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.foreign.tree_of_data import tree_of_data
from treecore.tree.metrics import error_of
from treecore.tree.tree import Tree
from viz.page.stage_html import linked_stages_html
from viz.payload.stage_payload import shared_sample

MOST = 3
MATCHES = {"size": "same size", "error": "same error", "none": "independent"}


class StagePoint(NamedTuple):
    """One tree on the path of a method."""

    lam: float
    tree: Tree
    test_error: float | None
    validation_error: float | None


class _Side(NamedTuple):
    """One stage.

    title : its title; points : list of `StagePoint`; chosen : index of the tree to open.
    """

    title: str
    points: list
    chosen: int


def trees_side_by_side(job: str, found: Any, data: DataSet, planned: Any, running: bool) -> list[SavedFile]:
    """Draw the chosen trees of the shown fold, and the trees of these data that the visitor has opened or saved.

    Returns a list of `SavedFile`.
    """
    st.markdown("## Trees side by side")
    fold = planned.folds[SHOWN_FOLD]
    sides = {
        cell.method: _Side(_title(found, cell), points(cell), place_of_selected(cell))
        for name in found.methods
        for cell in found.of(name)
        if cell.fold == SHOWN_FOLD and cell.tree is not None
    }
    methods = list(sides)
    sides |= _sides_of_models(data, fold.test)
    if running or not sides:
        st.caption(
            "The trees appear here when the comparison is done."
            if running
            else (
                "None of these methods trains a single tree. Add such a method (CART, for example) to see its splits."
            )
        )
        return []
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    names = left.multiselect(
        "Methods and saved trees", list(sides), _first_two(methods or list(sides)),
        format_func=lambda name: sides[name].title, max_selections=MOST, key=f"side-methods-{job}",
    )  # fmt: skip
    match = right.segmented_control(
        "Link sliders by", list(MATCHES), default="size", format_func=label_by(MATCHES),
        required=True, key=f"side-match-{job}",
    )  # fmt: skip
    if not names:
        st.info("Choose one to three methods.", icon=":material/arrow_upward:")
        return []
    rows = (fold.train, np.empty(0, np.int64), fold.test)
    paths = {name: sides[name].points for name in names}
    group = f"{job}-{'-'.join(names)}"
    sample = _sample(group, data, rows, paths)
    for place, (column, name) in enumerate(zip(stage.columns(len(names)), names, strict=True)):
        content = stage.payload(f"{group}-{name}", False, paths[name], data, rows, sample)
        with column:
            stage.mount(
                f"{group}-{name}", content, _opens(sides[name], place, match), f"side-{place}",
                stage.Options(title=sides[name].title, link=group, match=match, compact=True),
            )  # fmt: skip
    are_all_trained = set(names) <= set(methods)
    st.caption(
        (
            f"These trees were trained in fold {SHOWN_FOLD + 1}. Select rows in one tree (drag, or click the rows of "
            "a node) to see the leaves that they reach in the other trees."
        )
        + ("" if are_all_trained else " Trees that you opened or saved may have been trained on the test rows.")
    )
    titled = [(sides[name].title, paths[name]) for name in names]
    return [
        SavedFile("Trees side by side (HTML)", lambda: linked_stages_html(titled, data, rows, match),
                  f"comparison-{data.name}.html", "text/html", "web", "Interactive page in one file that works "
                  "offline.")
    ]  # fmt: skip


def _sides_of_models(data: DataSet, test: np.ndarray) -> dict[str, _Side]:
    """Return {name: `_Side`} of the trees of these data that the visitor has opened or saved.

    test : int[n], row numbers.
    """
    found, labels = {}, data.labels()
    for title, model in loaded_models.models():
        if model.data is None or model.data.fingerprint != data.fingerprint:
            continue
        with contextlib.suppress(TreecoreError):  # a changed model file may not fit the data, so it is left out
            tree = tree_of_data(model.tree, data).tree
            error = error_of(tree, data.X[test], labels[test]) if len(test) else None
            found[f"model-{model.checksum[:12]}"] = _Side(title, [StagePoint(0.0, tree, error, None)], 0)
    return found


def _opens(side: _Side, place: int, match: str) -> stage.View | None:
    """Return the view in which a stage opens: the selected tree on the first stage, the matching tree on others."""
    return stage.View(side.chosen) if place == 0 or match == "none" else None


def _first_two(names: list[str]) -> list[str]:
    """Return the first method, and the first method of another kind."""
    kind = names[0].split("_")[0]
    return names[:1] + ([name for name in names if name.split("_")[0] != kind] or names[1:])[:1]


@computed(6)
def _sample(group: str, _data: DataSet, _rows: Any, _paths: Mapping[str, Any]) -> Any:
    return shared_sample(_data, _rows, list(_paths.values()))


def _title(found: Any, cell: Any) -> str:
    title, count = found.methods[cell.method], cell.size.n_trees
    return title if count == 1 else f"{title}, tree 1 of {count}"


def points(cell: Any) -> list[StagePoint]:
    """Return the `StagePoint` list of a Cell, from its path or its single tree."""
    if not cell.path:
        return [StagePoint(0.0, cell.tree, cell.test_error if cell.size.n_trees == 1 else None, None)]
    curve = cell.curve
    return [
        StagePoint(curve[place].lam, tree, curve[place].test_error, curve[place].validation_error)
        for place, tree in cell.path
    ]


def place_of_selected(cell: Any) -> int:
    """Return the index of the selected tree among `points`.

    If the selected tree is not on the path of the method, return the index of the tree with the nearest number of
    leaves.
    """
    places = [place for place, _ in cell.path]
    if cell.chosen in places:
        return places.index(cell.chosen)
    return int(np.argmin([abs(point.tree.n_leaves - cell.tree.n_leaves) for point in points(cell)]))
