"""Draw the Learn page: a recorded run on the stage, step by step, optionally next to CART."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.jobs import settings, settings_text
from pages.ui.learn import (
    contests,
    learn_ahead,
    learn_controls,
    learn_data,
    learn_drawing,
    learn_kept,
    learn_link,
    learn_run,
    learn_settings,
    learn_sharing,
)
from pages.ui.learn.learn_data import LearnData
from pages.ui.learn.learn_settings import LearnSettings
from pages.ui.session.page_settings import PageSettings
from pages.ui.shell import address, stage
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.page_title import page_title
from pages.ui.styles.sheet import sheet
from sample_data import painted
from treecore.errors import TreecoreError
from treecore.node_solvers import SPLITS
from treecore.training.recording import Recording
from treecore.tree.metrics import error_of
from viz.payload.empty_plane import empty_plane

SLOT, BESIDE = "learn", "learn-beside"
LAST = "last-tree"  # key of an expander
LEAST_CLASSES = 4  # minimum number of classes that the paint tools offer
OPENING = "Watch TAO improve one node after another. Press ▶, or drag λ, the penalty of a split."


def learn_page() -> None:
    """Draw the page."""
    store = learn_settings.LEARN
    learn_link.notes(store)
    _take_painting(store)
    learn_kept.keep_points()
    if store.current().present:
        begin_presentation()
        chosen, place = store.current(), None
    else:
        page_title("Laboratory", OPENING)
        chosen, place = learn_controls.draw()
    try:
        found = learn_data.of(chosen)
        chosen, remarks = possible(chosen, found)
        drawing = learn_drawing.current(found) if chosen.init == "drawn" and found.data is not None else None
        draws = drawing is not None and not drawing.runs
        name = None if found.data is None or draws else learn_run.name(chosen, found.data, drawing)
        with st.spinner("Recording the run …"):
            recording = None if name is None else learn_run.record_run(name, chosen, found.data, found.rows, drawing)
    except TreecoreError as error:
        if learn_drawing.refuse(chosen, f"TAO cannot start from this tree. {error}"):
            st.rerun(scope="app")
        store.share_in_url()
        st.error(plain(error), icon=":material/error:")
        st.info("Choose other data or settings in the sidebar.", icon=":material/arrow_back:")
        if chosen.present:
            leave_presentation(store)
        return
    view = _view(name, recording)
    remarks = (*learn_link.notes(store), *found.remarks, *remarks)
    # While a visitor paints, remarks are below the stage, so that a new remark moves nothing.
    above = () if chosen.data_set == painted.NAME else remarks
    with st.container():  # empty without remarks, so that a new remark does not mount the stage again
        _show_remarks(above)
    if recording is None and place is not None:
        learn_controls.lambda_control(place)
    share(view)
    if draws:
        st.fragment(_draw)(chosen, found)
        if chosen.present:
            leave_presentation(store)
        return
    ahead = (
        None
        if recording is None or name is None
        else learn_ahead.runs(name, chosen, found, drawing, _least(chosen, found.data.n_features))
    )
    st.fragment(_stage)(chosen, found, name, recording, view, ahead)
    if above != remarks and not chosen.present:
        with st.container(key="learn-remarks"):
            _show_remarks(remarks)


def _show_remarks(remarks: Iterable[str]) -> None:
    for remark in remarks:
        st.info(plain(remark), icon=":material/info:")


def share(view: stage.View | None) -> None:
    """Write the settings and the view of the stage into the address."""
    store = learn_settings.LEARN
    at = {} if view is None else {"step": view.tree or None, "node": view.node}
    store.share_in_url(**at, kept=learn_kept.token(store.current()))


def _stage(
    chosen: LearnSettings,
    found: LearnData,
    name: str | None,
    recording: Recording | None,
    opens: stage.View | None,
    ahead: dict[str, Any] | None,
) -> None:
    learn_ahead.adopt_lambda(SLOT, ahead)
    if _news(learn_settings.LEARN) is not None:
        st.rerun(scope="app")
    content = _content(chosen, found, name, recording)
    beside = chosen.beside and recording is not None
    places = stage.columns(2) if beside else [st.container()]
    options = stage.Options(
        present=chosen.present, hide=_parts(chosen), compact=beside, match="steps" if beside else "none",
        link=name if beside else None, title="TAO" if beside else None, paint=_paint(chosen),
        ahead=ahead,
    )  # fmt: skip
    with places[0]:
        seen = stage.mount(name or "learn-empty", content, opens, SLOT, options)
    growth = None
    if beside:
        growth, grown = learn_run.grow_cart(name, chosen, found.data, found.rows)
        with places[1]:
            cart = replace(options, title="CART (greedy)", paint=None, ahead=None)
            stage.mount(f"{name}-cart", grown, stage.View(0), BESIDE, cart)
        if two_differences(chosen):
            st.caption(two_differences(chosen))
    if seen is not None and seen.turn != address.turn():
        seen = None  # this report is older than the visitor's press on Back
    view = opens if seen is None else seen
    if seen is not None and name is not None:
        st.session_state["learn_view"] = {name: seen}
        share(seen)
    if chosen.present:
        leave_presentation(learn_settings.LEARN)
        return
    row = st.columns([1.2, 1, 1.4, 1.6], vertical_alignment="center")
    if "share" not in chosen.hide:
        shown = content if recording is not None else None
        learn_sharing.sharing_section(row[:3], learn_settings.LEARN, chosen, view, found.data, shown)
    with row[3]:
        if chosen.init == "drawn" and recording is not None:
            learn_drawing.draw_on()
        else:
            _change_points(chosen, found, name)
    if "share" not in chosen.hide and found.data is not None:
        with row[0]:
            contests.contest_button(chosen, found, learn_drawing.current(found) if chosen.init == "drawn" else None)
    if recording is not None and not chosen.hide:
        # collapsed, so that a class can work it out first
        last = st.expander("Last tree", icon=":material/flag:", key=LAST, on_change="rerun")
        if last.open:
            last.caption(_summary(chosen, found, recording, growth))


def two_differences(chosen: LearnSettings) -> str:
    """Return a sentence for trees that differ from CART's in more than the method, else ""."""
    if SPLITS[chosen.split].most_features == 1:
        return ""
    return (
        f"These trees differ in method and split type: TAO uses {chosen.split} splits, CART univariate splits. To "
        "compare the methods only, set the split type to univariate."
    )


def _draw(chosen: LearnSettings, found: LearnData) -> None:
    learn_drawing.drawing_stage(chosen, found, _parts(chosen))
    share(None)  # the drawing is now in a file, and the address needs its token
    if not chosen.present and "share" not in chosen.hide:
        contests.contest_button(chosen, found, learn_drawing.current(found))


def _parts(chosen: LearnSettings) -> tuple[str, ...]:
    return tuple(part for part in learn_settings.PARTS if part in chosen.hide)


def _content(chosen: LearnSettings, found: LearnData, name: str | None, recording: Recording | None) -> bytes:
    if recording is None:
        return empty_plane(painted.FEATURES, painted.class_names(LEAST_CLASSES), "Paint points")
    return learn_run.payload(name, chosen, found.data, found.rows, recording)


def _view(name: str | None, recording: Recording | None) -> stage.View | None:
    """Return the step that the visitor or a link has chosen, or the first step if the run is another one."""
    if recording is None:
        return None
    if address.is_from_address("learn_view"):
        linked = [st.query_params.get(part) for part in ("step", "node")]
        step, node = map(settings_text.natural, linked)
        st.session_state["learn_view"] = {} if step is None and node is None else {name: stage.View(step or 0, node)}
        _note_missing(recording, step, node, linked)
    view = st.session_state["learn_view"].get(name) or stage.View(0)
    step = min(view.tree or 0, len(recording.steps) - 1)
    known = view.node is None or view.node in recording.steps[step].tree.origin
    return stage.View(step, view.node if known else None, address.turn())


def _note_missing(recording: Recording, step: int | None, node: int | None, linked: Sequence[str | None]) -> None:
    """Add notes if the link names a step or node that the run does not have."""
    last = len(recording.steps) - 1
    for value, text, part in zip((step, node), linked, ("step", "node"), strict=True):
        if value is None and text is not None:
            learn_link.add(
                learn_settings.LEARN, f"This link contains an invalid number: '{part} = {text[:20]}'. It is ignored."
            )
    if (step or 0) > last:
        learn_link.add(learn_settings.LEARN, f"The step in this link does not exist; the last step is {last + 1}.")
    if node is not None and node not in recording.steps[min(step or 0, last)].tree.origin:
        learn_link.add(learn_settings.LEARN, "The node in this link does not exist in the tree of this step.")


def possible(chosen: LearnSettings, found: LearnData) -> tuple[LearnSettings, tuple[str, ...]]:
    """Return settings that the page supports, and sentences about the changed ones."""
    data, remarks = found.data, []
    if data is None:
        return chosen, ()
    if data.has_missing and not SPLITS[chosen.split].takes_missing:
        chosen = replace(chosen, split="bivariate")
        remarks.append("Oblique splits do not support missing values. Switched to bivariate splits.")
    if chosen.init not in learn_settings.initial_trees(chosen.split):
        chosen = replace(chosen, init="cart")
    if SPLITS[chosen.split].searches_pairs and data.n_features > learn_data.MOST_FEATURES_FOR_PAIRS:
        chosen = replace(chosen, split="oblique")
        remarks.append(
            f"Bivariate splits on {data.n_features} features take minutes. Switched to oblique splits. For bivariate "
            "splits, use the Tree page."
        )
    if SPLITS[chosen.split].most_features is None:
        chosen = _small(chosen, data.n_features, len(found.rows[0]), remarks)
    deepest = learn_settings.DEPTHS[1]
    if len(found.rows[0]) > learn_data.MANY_POINTS and chosen.max_depth == settings.FULLY_GROWN:
        chosen = replace(chosen, max_depth=deepest)
        remarks.append(
            f"The initial tree has depth {deepest}, so that the run with this many points appears immediately."
        )
    return chosen, tuple(remarks)


def _least(chosen: LearnSettings, n_features: int) -> float:
    """Return the smallest supported λ."""
    is_wide = SPLITS[chosen.split].most_features is None and n_features > learn_data.MOST_FEATURES_FOR_PAIRS
    return learn_data.LEAST_LAMBDA if is_wide else 0.0


def _small(chosen: LearnSettings, n_features: int, n_points: int, remarks: list[str]) -> LearnSettings:
    """Return settings for oblique splits that train in a moment, and add a remark about each changed setting."""
    deepest = learn_data.DEEPEST_OF_MANY
    is_deep = chosen.max_depth == settings.FULLY_GROWN or chosen.max_depth > deepest
    if is_deep and chosen.init != "drawn" and n_features * n_points > learn_data.MANY_VALUES:
        chosen = replace(chosen, max_depth=deepest)
        remarks.append(
            f"The initial tree has depth {deepest}, so that the run with {n_points:,} points and {n_features} "
            "features appears immediately. For deeper trees, use the Tree page."
        )
    if chosen.lam < _least(chosen, n_features):
        chosen = replace(chosen, lam=learn_data.LEAST_LAMBDA)
        remarks.append(
            f"λ is {learn_data.LEAST_LAMBDA:g} here, because splits on {n_features} features keep nearly all weights "
            "without a penalty."
        )
    return chosen


def _summary(chosen: LearnSettings, found: LearnData, recording: Recording, growth: Recording | None) -> str:
    """Return a sentence with the metrics of the last trees."""
    test = found.rows[2]
    texts = []
    total, target = len(found.rows[0]), found.data.target
    for title, run in (("TAO", recording), ("CART", growth)):
        if run is None:
            continue
        last = run.steps[-1]
        leaves = f"{run.tree.n_leaves} {'leaf' if run.tree.n_leaves == 1 else 'leaves'}"
        wrong = f"{last.loss:g} of {total} points wrong ({target.error_text(last.error)})"
        if target.is_root:
            wrong = f"{target.error_label} {target.error_text(last.error)} on {total} points"
        text = f"{title} ends with {leaves} and {wrong}"
        if len(test):
            error = error_of(run.tree, found.data.X[test], found.data.labels()[test])
            text += f", {target.error_text(error)} on {len(test):,} test points"
        texts.append(text)
    return " · ".join(texts) + "."


def _change_points(chosen: LearnSettings, found: LearnData, name: str | None) -> None:
    """Draw the button that turns the data points into painted points, which the visitor can change.

    name : name of the run of these points, or None.
    """
    if chosen.data_set == painted.NAME or "data" in chosen.hide:
        return
    text = learn_data.as_painting(found) if name is None else _points_of_run(name, found)
    if text and st.button("Edit these points", icon=":material/brush:", key="learn-repaint",
                          on_click=_repaint, args=(text,), width="stretch"):  # fmt: skip
        st.rerun(scope="app")


@computed(24)
def _points_of_run(name: str, _found: LearnData) -> str | None:
    return learn_data.as_painting(_found)


def _repaint(text: str) -> None:
    _turn(1)
    learn_settings.LEARN.change(data_set=painted.NAME, painted=text)


def _paint(chosen: LearnSettings) -> dict[str, Any] | None:
    """Return the data that the browser needs for painting, or None."""
    if chosen.data_set != painted.NAME:
        return None
    y = painted.decode(chosen.painted)[1]
    used = int(y.max()) + 1 if y.size else 0
    classes = painted.class_names(max(used, LEAST_CLASSES))
    return {"classes": classes, "points": chosen.painted, "turn": _turn()}


def _turn(more: int = 0) -> int:
    """Return the number of the current painting. The browser loads the painting when this number changes."""
    turn = st.session_state["learn_turn"] = st.session_state.get("learn_turn", 1) + more
    return turn


def _take_painting(store: PageSettings) -> None:
    """Store newly painted points."""
    text = _news(store)
    if text is not None:
        store.change(painted=text)
        if not text:
            learn_kept.keep(painted="")


def _news(store: PageSettings) -> str | None:
    """Return the text of newly painted points, or None if there are no points or they are invalid."""
    report = stage.painting(SLOT)
    now = store.current()
    if now.data_set != painted.NAME or not isinstance(report, dict) or report.get("turn") != _turn():
        return None
    text = report.get("points")
    try:
        painted.decode(text)
    except TreecoreError:
        return None
    return text if text != now.painted else None


def begin_presentation() -> None:
    """Hide the navigation and enlarge the text for a projector. The page must not draw a sidebar."""
    st.html(sheet("presentation"))


def leave_presentation(store: Any) -> None:
    """Draw the button that ends the presentation.

    store : `PageSettings` with the setting `present`.
    """
    if st.button(
        "Exit presentation", icon=":material/close_fullscreen:", type="tertiary", key="leave",
        on_click=store.change, kwargs={"present": False},
    ):  # fmt: skip
        st.rerun(scope="app")
