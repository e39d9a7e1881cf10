"""Draw the choices of the Tree page in a row above the stage, class weights and left-out features, and notices."""

from collections.abc import Iterable
from html import escape
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.jobs import class_weights as jobs_weights
from pages.jobs import settings
from pages.jobs.class_weights import CLASS_WEIGHTS
from pages.jobs.kinds.alternative_paths import column_name, groups
from pages.jobs.setting import settings_of
from pages.ui.explore import case_studies
from pages.ui.session import controls, data_sets, page_settings, settings_for_data
from pages.ui.session.controls import Controls
from pages.ui.session.file_button import file_button
from pages.ui.session.page_settings import PageSettings
from pages.ui.session.shown_path import PathView
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.node_solvers import SPLITS
from treecore.node_solvers.bivariate import KEPT_FEATURES, MOST_FEATURES
from treecore.training.parameters import BY_LOSS, PARAMETERS
from treecore.tree.number_text import percent
from viz.nodes.category_columns import grouped_columns

BY_HAND = "custom"
FEW, HIGH = 6, 300  # maximum number of classes without a scroll bar, and the height in pixels with a scroll bar
_FAULT = "weights_fault"


def class_weights(bound: Controls) -> None:
    """Draw the choice for the `Controls` of a page."""
    now = bound.store.current()
    numbers = jobs_weights.parse_weights(now.class_weight)
    names, proposed = _classes(now.data_set)
    if not names:
        return
    hand = now.class_weight if numbers is not None else proposed
    options = CLASS_WEIGHTS if hand is None else CLASS_WEIGHTS | {hand: BY_HAND}
    bound.setting("class_weight", options=options)
    if numbers is None or len(numbers) != len(names):
        return
    with st.container(height=HIGH if len(names) > FEW else "content", border=False):
        for place, (name, number) in enumerate(zip(names, numbers, strict=True)):
            key = f"class-weight-{place}"
            st.session_state[key] = number  # set in every run, as `bound` does for other widgets
            st.number_input(
                plain(name), step=1.0, format="%g", key=key, on_change=_weigh, args=(bound.store, place, name)
            )
    fault, among = st.session_state.get(_FAULT, (None, None))
    if fault is not None and among == now.class_weight:  # the error must stay visible when the page is redrawn
        st.error(fault, icon=":material/error:")


def _classes(data_set: str) -> tuple[tuple[str, ...], str | None]:
    """Return (class names of a data set, its balanced weights as text or None)."""
    try:
        data = data_sets.load(data_set)
    except TreecoreError:  # the page reports the error
        return (), None
    names = data.class_names
    if not 2 <= len(names) <= jobs_weights.MOST_CLASSES:
        return names, None
    return names, jobs_weights.balanced_weights(np.bincount(data.y, minlength=len(names)))


def _weigh(store: PageSettings, place: int, name: str) -> None:
    text = store.current().class_weight
    number, now = st.session_state[f"class-weight-{place}"], list(jobs_weights.parse_weights(text) or ())
    if (fault := jobs_weights.weight_fault(number)) is not None:
        st.session_state[_FAULT] = (f"{fault} The weight of {plain(name)} stays {now[place]:g}.", text)
        return
    st.session_state.pop(_FAULT, None)
    now[place] = number
    store.change(class_weight=jobs_weights.format_weights(now))


_KEY = "left-out-columns"


def control(bound: Controls) -> None:
    """Draw the choice for the `Controls` of a page, except for images, which have too many features."""
    now = bound.store.current()
    try:
        data = data_sets.load(now.data_set)
    except TreecoreError:  # the page reports the error
        return
    if data.image_shape is not None or data.n_features < 2:
        return
    one, columns = settings_of(type(now))["left_out"], groups(data)
    st.session_state[_KEY] = [i for i, group in enumerate(columns) if set(group) & set(now.left_out)]
    st.multiselect(
        one.words, range(len(columns)), format_func=lambda i: column_name(data, columns[i]), key=_KEY, help=one.help,
        placeholder="none", max_selections=len(columns) - 1, on_change=_leave_out, args=(bound.store, columns),
    )  # fmt: skip


def _leave_out(store: PageSettings, columns: list[tuple[int, ...]]) -> None:
    store.change(left_out=tuple(sorted(feature for i in st.session_state[_KEY] for feature in columns[i])))


def left_out_words(shown: PathView) -> None:
    """Draw the names of the features left out, with a button that uses all features again."""
    names = left_out_names(shown.data, shown.path_settings.left_out)
    if not names:
        return
    left, right = st.columns([5, 1.4], vertical_alignment="center")
    left.caption(f"Trained without {plain(', '.join(names))}.")
    right.button(
        "Use all features", key="use-all-features", width="stretch", on_click=shown.store.change,
        kwargs={"left_out": ()},
    )  # fmt: skip


def left_out_names(data: DataSet, left_out: tuple[int, ...]) -> list[str]:
    """Return the names of the table columns with features left out."""
    return [column_name(data, group) for group in groups(data) if set(group) & set(left_out)]


MORE = (
    "leaf", "categories", "bivariate_cost", "lam", "init", "max_depth", "costs", "lambdas", "n_lambdas", "node_solver",
    "surrogate", "class_weight", "left_out", "rows", "seed",
)  # fmt: skip
RARE_ONES = tuple(name for name, one in settings_of(settings.PathSettings).items() if one.is_rare)
OF_ONE_C, OF_EVERY_C = ("lam", "bivariate_cost"), ("costs",)
MENU, RARE = "more-settings", "advanced-settings"  # keys of a menu and an expander
SLIDER = "slider-of"  # key of the choice of the slider
UPLOAD_WIDTH = 100  # in pixels
RARE_SHARE = 0.1  # share below which a class is rare, relative to its share in balanced data


def row() -> DeltaGenerator:
    """Draw the purpose of the app in the header, and return the container of the choices above the stage."""
    purpose = "An optimised tree: all splits are trained together, so few leaves suffice"
    st.container(key="purpose").html(f"<h1>{escape(purpose)}</h1>")
    return st.container(key="choices", horizontal=True, vertical_alignment="center")


def choices(row: DeltaGenerator) -> tuple[settings.PathSettings, DeltaGenerator | None]:
    """Draw the controls and return (chosen `PathSettings`, placeholder for a remark about a custom λ or None)."""
    bound = controls.Controls(page_settings.EXPLORE)
    now = bound.now
    with row:
        bound.data_set(in_row=True)
        bound.setting("split", options=_options(now, "split"), in_row=True)
        _slider(bound)
        file_button(width=UPLOAD_WIDTH)
        menu = st.popover("More", icon=":material/tune:", key=MENU, on_change="rerun")
        if menu.open:
            with menu:
                _more(bound)
    return now, None if now.lam is None else row.empty()


def _slider(bound: controls.Controls) -> None:
    """Draw the choice of the value that the slider of the stage changes."""
    now, one = bound.now, settings_of(settings.PathSettings)["sweep"]
    has_costs = "bivariate_cost" in SPLITS[now.split].parameters
    if not one.is_effective(now):
        return
    texts = {"size": "Size", "lambda": "λ"} | ({"cost": "λ and C"} if has_costs else {})
    st.session_state[SLIDER] = "size" if now.has_sizes else "lambda" if now.grid() is None else "cost"
    st.segmented_control(
        one.words, list(texts), format_func=texts.__getitem__, key=SLIDER, label_visibility="collapsed",
        on_change=_change_slider, args=(bound.store,), help=one.help,
    )  # fmt: skip


def _change_slider(store: page_settings.PageSettings) -> None:
    chosen = st.session_state[SLIDER]
    if chosen is None:  # a second click on a choice
        return
    now = store.current()
    costs = (now.costs or settings.ALL_COSTS) if chosen == "cost" else ()
    values = {"sweep": "size" if chosen == "size" else "lambda", "costs": costs}
    if chosen == "size":
        values |= {"lam": None, "refine": 0, "lambdas": "grid"}
    store.change(**values)


def _more(bound: controls.Controls) -> None:
    """Draw the other controls. This takes longer than the rest of the page, so a closed menu has none."""
    now = bound.now
    for name in MORE:
        _control(bound, name)
    st.session_state.setdefault(RARE, _differs(now, RARE_ONES))
    rare = st.expander("Advanced", key=RARE, on_change="rerun")
    if rare.open:
        with rare:
            for name in RARE_ONES:
                _control(bound, name)
    if "bivariate_cost" in SPLITS[now.split].parameters:
        case_studies.buttons()


def _control(bound: controls.Controls, name: str) -> None:
    """Draw the control of a setting if it has an effect."""
    now, one = bound.now, settings_of(settings.PathSettings)[name]
    has_grid = now.grid() is not None
    if not one.is_effective(now) or one.parameter in _unsupported(now):
        return
    if now.has_sizes and name in ("n_lambdas", "costs"):
        return
    if name == "bivariate_cost" and has_grid:
        st.button("Use a single C", icon=":material/linear_scale:", width="stretch", on_click=bound.store.change,
                  kwargs={"costs": ()}, help="Train one path and set C and λ freely.")  # fmt: skip
    elif name == "class_weight":
        class_weights(bound)
    elif name == "left_out":
        control(bound)
    elif name not in (OF_ONE_C if has_grid else OF_EVERY_C):
        is_limit = name == "n_lambdas" and now.lambdas != "grid"
        label = "Maximum number of trees" if is_limit else None
        bound.setting(name, label=label, options=_options(now, name))


def _options(now: settings.PathSettings, name: str) -> dict[Any, str] | None:
    """Return the options of a setting that work with the data set, or None for other settings."""
    try:
        return settings_for_data.options(data_sets.load(now.data_set), now, name)
    except TreecoreError:  # the page reports the error
        return None


def _unsupported(now: settings.PathSettings) -> set[str]:
    """Return the names of the parameters that do not apply to the target or the columns of the data set."""
    try:
        data = data_sets.load(now.data_set)
    except TreecoreError:  # the page reports the error
        return set()
    unsupported = PARAMETERS.keys() - BY_LOSS[data.target.loss].keys()
    return unsupported if grouped_columns(data) else unsupported | {"categories"}


def _differs(chosen: settings.PathSettings, names: Iterable[str]) -> bool:
    """Test whether a link sets one of these settings, which the expander *Advanced* hides."""
    usual = settings.bivariate()
    return any(getattr(chosen, name) != getattr(usual, name) for name in names)


def explain(chosen: settings.PathSettings, data: DataSet) -> bool:
    """Draw notices about rare classes and about bivariate splits. Return whether a notice was drawn."""
    counts = np.bincount(data.target.group_of(data.y), minlength=len(data.target.groups))
    rare = int(np.argmin(np.where(counts > 0, counts, counts.max())))
    can_weigh = "class_weights" not in data.target.refusals and chosen.class_weight == "equal"
    is_rare = can_weigh and counts[rare] * np.count_nonzero(counts) < RARE_SHARE * data.n_rows
    if is_rare:
        left, right = st.columns([3, 1.6], vertical_alignment="center")
        share = percent(counts[rare] / data.n_rows)
        left.info(
            (
                f"Only {share} of the rows are *{plain(data.target.groups[rare])}*, so a tree that never predicts it "
                f"has an error of just {share}."
            ),
            icon=":material/balance:",
        )
        right.button("Balance class weights", width="stretch", on_click=page_settings.EXPLORE.change,
                     kwargs={"class_weight": "balanced"})  # fmt: skip
    has_lines = "bivariate_cost" in SPLITS[chosen.split].parameters
    if reason := has_lines and data_sets.why_no_lines(data):
        st.info(reason, icon=":material/info:")
    if is_wide := has_lines and data.n_features > MOST_FEATURES:
        st.caption(
            f"{data.n_features:,} features: in each node, a bivariate split combines two of the {KEPT_FEATURES} "
            "features with the best thresholds. Training with univariate splits is faster."
        )
    return bool(is_rare or reason or is_wide)


def compare(view: PathView) -> None:
    """Draw the metrics of the paper's tree if the settings are those of a case study."""
    case = case_studies.current()
    if case is None or view.is_running:
        return
    trees = view.trees()
    if trees.added is not None:
        case_studies.comparison(case, trees.points[trees.added])
