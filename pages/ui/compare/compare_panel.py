"""Draw the sidebar and main area of the Compare page: a running comparison, then its table, figures and trees."""

from typing import Any

import streamlit as st

from pages.jobs import settings
from pages.jobs.kinds import comparison_cells
from pages.jobs.kinds.comparison_protocol import TEST_SHARE, plan
from pages.jobs.settings import ComparisonSettings
from pages.ui.compare import comparison_results, forest_section, over_parameter, side_by_side
from pages.ui.compare.comparison_results import Pictures
from pages.ui.save import save_figures
from pages.ui.save.save_menu import lines, place, save_menu
from pages.ui.save.saved_file import SavedFile
from pages.ui.session import controls, data_sets, page_settings, training
from pages.ui.session.file_button import file_button
from pages.ui.shell.computed import computed
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.comparison.comparison import comparison_of
from treecore.comparison.methods import METHODS, methods_for
from treecore.errors import TreecoreError
from treecore.tree.number_text import percent
from viz.nodes.category_columns import grouped_columns

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
        tables, figures = over_parameter.over_parameter(found, data, job)
        pages = []
    else:
        tables, figures, between = comparison_results.comparison_results(found, data, job)
        with between:
            pages = side_by_side.trees_side_by_side(job, found, data, planned, running)
        if not running:
            forest_section.forest_section(job, found, data, chosen)
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
