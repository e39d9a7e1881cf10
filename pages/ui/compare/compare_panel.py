"""Draw the sidebar and main area of the Compare page: a running comparison, then its table, figures and trees."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.jobs import settings
from pages.jobs.kinds import comparison_cells
from pages.jobs.kinds.comparison_protocol import SHOWN_FOLD, TEST_SHARE, plan
from pages.jobs.settings import ComparisonSettings
from pages.ui.compare import comparison_results
from pages.ui.compare.comparison_results import Pictures
from pages.ui.save import save_figures
from pages.ui.save.save_menu import SavedFile, lines, place, save_menu
from pages.ui.session import controls, data_sets, loaded_models, page_settings, training
from pages.ui.session.file_button import file_button
from pages.ui.shell import address, chart, stage, tree_strip
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.comparison.comparison import comparison_of
from treecore.comparison.methods import METHODS, methods_for
from treecore.errors import TreecoreError
from treecore.foreign.tree_of_data import tree_of_data
from treecore.model.model import Model
from treecore.tree.metrics import error_of
from treecore.tree.number_text import percent
from treecore.tree.tree import Tree
from viz.nodes.category_columns import grouped_columns
from viz.page.stage_html import linked_stages_html
from viz.payload.stage_payload import shared_sample
from viz.tree.thumbnails import thumbnails

_FAULT = "forest_tree_fault"


def forest_section(job: str, found: Any, data: DataSet, chosen: ComparisonSettings) -> None:
    """Draw the section if a `Comparison` has a forest.

    chosen : `ComparisonSettings` of the comparison.
    """
    cells = {name: cell for name in found.methods for cell in found.of(name) if cell.fold == SHOWN_FOLD and cell.trees}
    if not cells:
        return
    st.markdown("## Trees of the forests")
    name = st.selectbox("Forest", list(cells), format_func=label_by(found.methods), key=f"forest-{job}")
    cell = cells[name]
    key = f"forest-tree-{job}-{name}"
    number = tree_strip.tree_number(key, len(cell.trees))
    first = number // tree_strip.MOST * tree_strip.MOST
    shown = cell.trees[first : first + tree_strip.MOST]
    pictures = _pictures(f"{job}-{name}-{first}", chart.theme(), shown)
    tree_strip.tree_strip(key, first, pictures)
    left = (
        ""
        if len(cell.trees) == cell.size.n_trees
        else (
            f" Shows the first {len(cell.trees)} of {cell.size.n_trees} trees, because the whole forest is too large "
            "to store."
        )
    )
    st.caption(
        (
            "Width: share of training rows. Colour: prediction of the node. The forest combines the predictions of "
            "all trees, so its error is usually smaller than the error of a single tree."
        )
        + left
    )
    shows, keeps, _ = st.columns([2, 2, 3])
    arguments = (data, found.methods[name], cell, number, chosen.seed)
    is_shown = shows.button(
        f"Show tree {number}", icon=":material/account_tree:", key=f"forest-show-{job}", on_click=_open,
        args=(*arguments, True), width="stretch", help="Opens this tree on the Tree page, where TAO can simplify it.",
    )  # fmt: skip
    keeps.button(
        "Save tree", icon=":material/bookmark_add:", key=f"forest-keep-{job}", on_click=_open, args=(*arguments, False),
        width="stretch", help="Adds the tree to all pages and to the side-by-side view.",
    )  # fmt: skip
    if is_shown and _FAULT not in st.session_state:
        st.rerun()  # the section is a fragment, which cannot open another page
    if fault := st.session_state.pop(_FAULT, None):
        st.error(plain(fault), icon=":material/error:")


def _open(data: DataSet, title: str, cell: Any, number: int, seed: int, shows: bool) -> None:
    try:
        tree = tree_of_data(cell.trees[number], data).tree
        facts = {"program": title, "tree number": number, "trees of the model": cell.size.n_trees, "seed": seed}
        sizes = {"n_decision": tree.n_decision, "n_leaves": tree.n_leaves, "depth": tree.depth}
        model = Model.of(tree, data, facts, (), sizes)
        name = loaded_models.add_model(model, f"{title}, tree {number}")
    except TreecoreError as error:
        st.session_state[_FAULT] = str(error)
        return
    if shows:
        address.leave_for("pages/explore.py", {"source": f"model-{name}"})


@computed(12)
def _pictures(name: str, theme: str, _trees: Sequence[Any]) -> list[tuple[str | None, str]]:
    words = [f"{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}" for tree in _trees]
    return list(zip(thumbnails(_trees, theme), words, strict=True))


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
    for side, (column, name) in enumerate(zip(stage.columns(len(names)), names, strict=True)):
        content = stage.payload(f"{group}-{name}", False, paths[name], data, rows, sample)
        with column:
            stage.mount(
                f"{group}-{name}", content, _opens(sides[name], side, match), f"side-{side}",
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


MORE = "more-of-comparison"  # key of an expander
LARGE = 1e6  # number of values in a data set from which a comparison waits for a click


def sidebar() -> ComparisonSettings:
    """Draw the controls and return the chosen `ComparisonSettings`."""
    bound = controls.Controls(page_settings.COMPARE)
    protocols = _protocols(page_settings.COMPARE.current())
    with st.sidebar:
        bound.data_set()
        file_button()
        bound.setting("methods", options=_methods(page_settings.COMPARE.current()))
        bound.setting("over")
        bound.setting("protocol", options=protocols)
        bound.setting("repeats")
        more = st.expander("More", key=MORE, on_change="rerun")
        if more.open:
            with more:
                for name in ("inner", "rule", *_categories(page_settings.COMPARE.current()), "limit", "seed"):
                    bound.setting(name)
    page_settings.COMPARE.share_in_url(size=comparison_results.size())
    return page_settings.COMPARE.current()


def _methods(now: ComparisonSettings) -> dict[str, str]:
    """Return {name: title} of the methods that support these data."""
    try:
        data = data_sets.load(now.data_set)
        possible, has_missing = methods_for(data.target), data.has_missing
    except TreecoreError:
        possible, has_missing = METHODS, False
    return {name: method.title for name, method in possible.items() if method.takes_missing or not has_missing}


def _categories(now: ComparisonSettings) -> tuple[str, ...]:
    """Return the name of the setting for categories if the data have any."""
    try:
        return ("categories",) if grouped_columns(data_sets.load(now.data_set)) else ()
    except TreecoreError:
        return ()


def _protocols(now: ComparisonSettings) -> dict[str, str]:
    """Return the protocols that these data support, plus the chosen one."""
    try:
        published = data_sets.load(now.data_set).split is not None or now.protocol == "published"
    except TreecoreError:
        published = True
    return {name: words for name, words in settings.PROTOCOLS.items() if published or name != "published"}


def compare_page(chosen: ComparisonSettings, data: DataSet) -> None:
    """Run the comparison of the settings and draw it. The drawing is refreshed while it runs."""
    try:
        planned = _plan(chosen, data.fingerprint, data)
    except TreecoreError as error:
        st.error(str(error), icon=":material/error:")
        st.info("Change the protocol or choose another data set in the sidebar.", icon=":material/arrow_back:")
        return
    if not _may_begin(chosen, data, planned):
        return
    job = training.submit(chosen, data)
    running = training.is_running(job)
    st.fragment(_page, run_every=training.REFRESH if running else None)(job, chosen, data, planned, running)


@computed(20)
def _plan(chosen: ComparisonSettings, fingerprint: str, _data: DataSet) -> Any:
    return plan(chosen, _data)


def _may_begin(chosen: ComparisonSettings, data: DataSet, planned: Any) -> bool:
    """Return whether the comparison may begin. A long one begins only after a click, unless it has already begun."""
    started = st.session_state.setdefault("comparisons_started", set())
    if data.n_rows * data.n_features < LARGE or data.fingerprint in started:
        return True
    if comparison_cells.ComparisonCells(chosen, data.fingerprint).load(planned, data):
        return True
    st.caption(_words(chosen, data, planned))
    st.info(
        (
            f"This can take many minutes: {len(planned.methods)} methods run {len(planned.folds)} times on "
            f"{data.n_rows:,} rows with {data.n_features:,} features. The time limit for each run is {chosen.limit} "
            "s."
        ),
        icon=":material/hourglass_top:",
    )
    st.button(
        "Start comparison", type="primary", icon=":material/balance:", on_click=started.add, args=(data.fingerprint,)
    )
    return False


def _page(job: str, chosen: ComparisonSettings, data: DataSet, planned: Any, running: bool) -> None:
    menu = place()
    if not training.is_known(job):
        st.rerun()
    status = training.status(job)
    status["total"] = status["total"] or len(planned.methods) * len(planned.folds)
    if running and not training.is_running(job):
        st.rerun()
    st.caption(_words(chosen, data, planned))
    if running:
        training.progress(job, status)
    else:
        training.notice(job, chosen, data, status)
    # Before it begins, show cells of earlier comparisons.
    cells = manager().points(job) or comparison_cells.ComparisonCells(chosen, data.fingerprint).load(planned, data)
    if not cells:
        return
    found = comparison_of(cells, planned.methods, planned.y, planned.folds, planned.target)
    if chosen.over:
        tables, figures = comparison_results.over_parameter(found, data, job)
        pages = []
    else:
        tables, figures, between = comparison_results.comparison_results(found, data, job)
        with between:
            pages = trees_side_by_side(job, found, data, planned, running)
        if not running:
            forest_section(job, found, data, chosen)
    if not running:  # results no longer change, so offer files
        _save(menu, tables, figures, pages)


def _save(menu: Any, tables: list[SavedFile], figures: list[Pictures], pages: list[SavedFile]) -> None:
    def drawn(look: str) -> list[SavedFile]:
        return [file for pictures in figures for file in pictures(look)]

    def draw_top() -> None:
        lines(tables[:1] + drawn("light")[:1] + pages)()

    def draw_figures() -> None:
        look = save_figures.background("comparison-theme")
        # The menu already contains the first figure on a light background.
        lines(drawn(look)[look == "light" :])()

    rest = {"Other tables": lines(tables[1:])} | ({"Other figures": draw_figures} if figures else {})
    with menu:
        save_menu(draw_top, rest)


def _words(chosen: ComparisonSettings, data: DataSet, planned: Any) -> str:
    """Return the protocol as a sentence."""
    count = len(planned.folds)
    test = len(planned.folds[0].test)
    if chosen.protocol == "splits":
        way = f"{count} random splits, {percent(TEST_SHARE, 0)} of the rows ({test:,}) for testing"
    elif count == 1:
        way = f"published split, {test:,} test rows"
    else:
        way = f"{count}-fold cross-validation, about {test:,} test rows in each fold"
    if chosen.protocol == "published" and count > 1:
        way = f"{way}, because these data have no published split"
    words = f"{data.n_rows:,} rows: {way}. Within the training rows, {chosen.inner} inner folds select the settings."
    if data.groups is not None:
        words += f" No value of '{plain(data.kept_apart_by)}' occurs in both training and test rows."
    elif data.times is not None and chosen.protocol != "published":
        words = (
            f"{data.n_rows:,} rows sorted by '{plain(data.kept_apart_by)}', {count} folds. In each fold, the {test:,} "
            "test rows are newer than the training rows. Inner folds in the same order selected the settings."
        )
    if planned.left_out:
        why = "requires classes"
        if chosen.over:
            why = "parameter does not apply to these data"
        elif data.has_missing:
            why = "does not support missing values"
        words += f" Left out ({why}): {', '.join(planned.left_out)}."
    return words
