"""Search for other trees about as good as the tree on the stage, and show them as thumbnails."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

import numpy as np
import streamlit as st

from pages.jobs import settings
from pages.jobs.kinds.alternative_paths import AlternativePath, FailedPath, alternative_paths, column_name, groups
from pages.jobs.kinds.shortlist import Alternative, shortlist
from pages.jobs.point import Point
from pages.ui.session import shown_path, training
from pages.ui.session.shown_path import PathView
from pages.ui.shell import chart, stage, tree_strip
from pages.ui.shell.computed import computed
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.messages import counted
from treecore.tree.number_text import percent
from treecore.tree.tree import Tree
from viz.tree.thumbnails import small_drawings
from viz.words.error_names import error_name

_SEARCH, _RERUNS, _SHOWN = "alternatives_search", "alternatives_rerun", "alternatives_shown"
MOST_NAMES = 2  # maximum number of features of a split that are named
FIRST = -1  # number of the thumbnail of the tree for which the search was started


@dataclass(frozen=True)
class Search:
    """A search, and the tree for which it was started: its settings, the name of its content, view and `Point`."""

    wanted: settings.Alternatives
    chosen: settings.PathSettings
    name: str
    view: stage.View
    point: Point


def alternatives_section(shown: PathView) -> None:
    """Draw the button that starts a search, its progress, or the trees that it found."""
    if not shown.trees().points:
        return
    search = _search_of(shown)
    is_running = search is not None and training.is_running(training.submit(search.wanted, shown.data))
    st.fragment(_section, run_every=training.REFRESH if is_running else None)(shown, search, is_running)


def _search_of(shown: PathView) -> Search | None:
    """Return the search of this tab, if the page shows its tree or one that it found."""
    search: Search | None = st.session_state.get(_SEARCH)
    if search is None or search.wanted.path.data_set != shown.data.name:
        return None
    paths = [search.wanted.path, *(one.settings for one in alternative_paths(search.wanted, shown.data))]
    return search if shown.path_settings in paths else None


def _section(shown: PathView, search: Search | None, was_running: bool) -> None:
    if st.session_state.pop(_RERUNS, False):
        st.rerun()  # a click runs only this fragment
    if search is not None:
        job = training.submit(search.wanted, shown.data)
        status = training.status(job)
        if training.runs(status):
            training.progress(job, status)
            return
        if was_running:
            st.rerun()
        _found(shown, search, job, status)
    # Use a callback, because an update may interrupt this run and lose the click. Streamlit would keep its arguments
    # after the visitor deletes the data.
    st.session_state[_SHOWN] = shown
    st.button(
        "Search for this tree" if search else "Other trees about as good",
        icon=":material/forest:",
        key="alternatives",
        help=(
            "Trains up to eight other paths: without a feature of the first split, other split types, C values, "
            "initial trees and several starts. Takes about as long as eight paths, in the background."
        ),
        on_click=_search,
    )


def _search() -> None:
    """Start the search for the tree on the stage, in a callback."""
    shown: PathView = st.session_state[_SHOWN]
    trees = shown.trees()
    view = trees.view(shown_path.view_of(shown.store, shown.name))
    point = trees.points[view.tree]
    path = shown.path_settings
    if shown.trained_grid is not None:
        path = replace(path, bivariate_cost=point.figures["cost"])
    wanted = settings.Alternatives(path, point.tree.n_leaves, _root_columns(point.tree, shown.data))
    st.session_state[_SEARCH] = Search(wanted, shown.store.current(), shown.name, view, point)
    st.session_state[_RERUNS] = True


def _root_columns(tree: Tree, data: DataSet) -> tuple[tuple[int, ...], ...]:
    """Return the features of each table column in the root split, the column with the largest weight first."""
    features, weights, _ = tree.split(0)
    sizes = np.abs(weights) * np.nan_to_num(np.nanstd(data.X[:, features], axis=0))
    order = features[np.argsort(-sizes)].tolist()
    column_of = {feature: group for group in groups(data) for feature in group}
    return tuple(dict.fromkeys(column_of[feature] for feature in order))


def _found(shown: PathView, search: Search, job: str, status: dict) -> None:
    data, paths = shown.data, alternative_paths(search.wanted, shown.data)
    if status["state"] == "failed":
        st.error(f"The search failed. {status['message']}", icon=":material/error:")
    elif status["state"] != "done":
        st.caption(f"The search stopped after {status['done']} of {max(status['total'], 1)} paths.")
    results = manager().points(job)
    points = [one for one in results if isinstance(one, Point)]
    _skipped([one for one in results if isinstance(one, FailedPath)], paths)
    kept = _shortlist(f"{job}-{len(points)}-{search.name}-{search.view.tree}", search, points, data, shown.rows)
    if not kept:
        if points:
            st.caption(
                f"Other trees trained: {len(points)}. None is both about as good as the tree with "
                f"{counted(search.point.tree.n_leaves, 'leaf')} and different from it. Select another tree with the "
                "slider, and search again."
            )
        return
    st.markdown("## Other trees about as good")
    trees = [search.point.tree, *(one.point.tree for one in kept)]
    drawings = _pictures(f"{job}-{len(points)}-{search.name}-{search.view.tree}", chart.theme(), trees)
    words = [_words(search.point, data, "Original tree"), *(_words(one.point, data, paths[one.point.index].words,
             one) for one in kept)]  # fmt: skip
    numbers = [FIRST, *(one.point.index for one in kept)]
    tree_strip.thumbnail_strip(
        f"alternatives-{job}", zip(numbers, drawings, words, strict=True), _number_on_stage(shown, search, paths, kept),
        partial(_show, shown, search, paths, kept), "Trees about as good",
    )  # fmt: skip
    st.caption(
        "Their error on the validation rows is at most one standard error above that of the original tree. The "
        "test error did not select them. Click a tree to show it. Click the original tree to return."
    )


def _skipped(failed: Sequence[FailedPath], paths: Sequence[AlternativePath]) -> None:
    """Name the paths that failed."""
    if failed:
        names = "; ".join(f"{plain(paths[one.index].words)} ({plain(one.reason).rstrip('.')})" for one in failed)
        st.caption(f"Paths that failed and were skipped: {names}.")


def _number_on_stage(
    shown: PathView, search: Search, paths: Sequence[AlternativePath], kept: Sequence[Alternative]
) -> int | None:
    if shown.path_settings == search.wanted.path:
        return FIRST
    here = [one.point.index for one in kept if paths[one.point.index].settings == shown.path_settings]
    return here[0] if here else None


def _words(point: Point, data: DataSet, title: str, found: Alternative | None = None) -> str:
    """Return the lines below a thumbnail."""
    figures, target = point.figures, data.target
    kind = "validation_error" if figures["test_error"] is None else "test_error"
    lines = [title[0].upper() + title[1:]]
    if figures[kind] is not None:
        error = error_name(kind, figures["is_weighted"]).replace("error", target.error_label)
        lines.append(
            f"{error[0].upper()}{error[1:]} {target.error_text(figures[kind])}, {counted(point.tree.n_leaves, 'leaf')}"
        )
    lines.append(f"First split: {_first_split(point.tree, data)}")
    if found is not None and found.agreement is not None:
        lines.append(
            f"Same {target.noun} for {percent(found.agreement)} of the test rows" if target.values_are_groups
            else f"Mean difference of predictions: {target.text(found.agreement)}"
        )  # fmt: skip
    return "\n".join(lines)


def _first_split(tree: Tree, data: DataSet) -> str:
    """Return the features of the root split in words."""
    n = tree.split(0)[0].size
    if data.image_shape is not None or not n:
        return f"{n} pixels" if n else "none"
    names = [column_name(data, columns) for columns in _root_columns(tree, data)]
    more = len(names) - MOST_NAMES
    return " and ".join(names) if more <= 0 else f"{', '.join(names[:MOST_NAMES])} and {more} more"


def _show(
    shown: PathView, search: Search, paths: Sequence[AlternativePath], kept: Sequence[Alternative], number: int
) -> None:
    """Put a tree on the stage, in a callback."""
    store = shown.store
    if number == FIRST:
        values, name, view = vars(search.chosen), search.name, search.view
    else:
        found = next(one.point for one in kept if one.point.index == number)
        path = paths[number].settings
        values = {field.name: getattr(path, field.name) for field in fields(settings.Settings)}
        values |= {"lam": None, "refine": 0, "costs": ()}
        name, view = training.submit(path, shown.data), stage.View(int(found.figures["place"]))
    store.change(**values)
    shown_path.open_at(store, name, view)
    st.session_state[_RERUNS] = True


@computed(12)
def _shortlist(
    name: str, _search: Search, _points: Sequence[Point], _data: DataSet, _rows: tuple[np.ndarray, ...]
) -> list[Alternative]:
    return shortlist(_search.point.tree, _points, _search.wanted.path, _data, _rows)


@computed(12)
def _pictures(name: str, theme: str, _trees: Sequence[Tree]) -> list[str]:
    return small_drawings(_trees, theme)
