"""Train on all rows of the file or folder from which a sample was drawn, and compare both trees on linked stages."""

import json
from pathlib import PurePosixPath

import numpy as np
import streamlit as st

from pages.jobs import settings, user_store
from pages.jobs.kinds.optimality import SampleAdvice
from pages.jobs.point import Point
from pages.ui.save.project_file import model_of
from pages.ui.session import choose_tree, loaded_models, training
from pages.ui.session.shown_path import PathView
from pages.ui.shell import stage
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from sample_data.data_folder.entries import data_folder
from sample_data.data_folder.source import refusal
from sample_data.user_data.recipe import Recipe
from treecore.errors import TreecoreError
from treecore.tree.metrics import row_losses
from treecore.tree.number_text import number

ALL_ROWS, CURVES = "all_rows", "sample_curves"  # session keys of {name of the data set: settings of the job}
_FAULT, _SAVED = "all_rows_fault", "all_rows_saved"
CLEAR = 2.0  # standard errors that a difference of test errors must have to be more than chance


def all_rows_section(shown: PathView, point: Point) -> None:
    """Draw the section for a `Point` of a complete path, if its data are a sample of an entry of the folder."""
    if st.session_state.pop(_SAVED, False):
        st.rerun()  # a click runs only the fragment of the stage, but the page now shows the saved tree
    source = user_store.source(shown.data.name)
    if source is None or source["n_rows"] == source["n_sample"]:
        return
    with st.container(border=True, key="all-rows"):
        st.markdown(f"## All {source['n_rows']:,} rows")
        if shown.path_settings.has_sizes:
            st.caption("To train on all rows, choose λ for the slider: all rows have no search for each size.")
            return
        curve = settings.SampleCurve(shown.path_settings, source["n_rows"])
        wanted = settings.AllRows(shown.path_settings, point.lam, str(data_folder()), json.dumps(source))
        _buttons(shown, source, curve, wanted)
        _curve(shown, curve)
        _training(shown, source, wanted)


def _buttons(shown: PathView, source: dict, curve: settings.SampleCurve, wanted: settings.AllRows) -> None:
    why = (
        "The app was started without the folder of these rows. Restart it with the folder to train on all rows."
        if data_folder() is None
        else refusal(Recipe.from_dict(source["recipe"]))
    )
    st.caption(
        plain(
            why
            or (
                f"This tree is trained on a random sample of {source['n_sample']:,} of {source['n_rows']:,} rows. "
                "Training on all rows reads every file and takes longer."
            )
        )
    )
    with st.container(horizontal=True):
        st.button(
            "Is it worth it?",
            icon=":material/query_stats:",
            key="all-rows-curve",
            on_click=_begin,
            args=(CURVES, shown, curve),
            help=(
                "Trains trees on 15 %, 30 % and 60 % of the sample. The decrease of the test error shows whether "
                "more rows are worth their time."
            ),
        )
        if why is None:
            st.button(
                "Train on all rows",
                type="primary",
                icon=":material/database:",
                key="all-rows-train",
                on_click=_begin,
                args=(ALL_ROWS, shown, wanted),
                help=(
                    "Trains on all rows except the validation and test rows of the sample, for three values of λ. "
                    f"The largest corresponds to λ = {number(wanted.lam)} on the sample. The validation error "
                    "selects a tree."
                ),
            )


def _begin(key: str, shown: PathView, wanted: settings.AllRows | settings.SampleCurve) -> None:
    st.session_state[key] = {shown.data.name: wanted}


def _job(key: str, shown: PathView, usual: settings.AllRows | settings.SampleCurve) -> tuple:
    """Return (settings, job, points) of the job that the visitor has begun; draw its progress or its end.

    usual : settings of the job for the tree on the stage, which may have begun before a reload.
    """
    wanted = st.session_state.get(key, {}).get(shown.data.name)
    if wanted is None:
        if not training.is_begun(usual, shown.data):
            return None, None, []
        _begin(key, shown, wanted := usual)
    job = training.submit(wanted, shown.data)
    if training.is_running(job):
        st.fragment(_wait, run_every=training.REFRESH)(job)
        return wanted, job, []
    training.notice(job, wanted, shown.data, training.status(job), f"again-{key}")
    return wanted, job, manager().points(job)


def _wait(job: str) -> None:
    if not training.is_running(job):
        st.rerun()
    training.progress(job, training.status(job), f"cancel-{job}")


def _curve(shown: PathView, usual: settings.SampleCurve) -> None:
    _, _, points = _job(CURVES, shown, usual)
    for advice in points:
        icon = ":material/database:" if advice.needs_all_rows else ":material/check_circle:"
        st.info(plain(advice.text), icon=icon)
        st.caption(plain(_curve_text(advice, shown)))


def _curve_text(advice: SampleAdvice, shown: PathView) -> str:
    target = shown.data.target
    parts = [
        f"{size:,} rows: {target.error_text(error)}" for size, error in zip(advice.sizes, advice.errors, strict=True)
    ]
    return f"Test errors after training on {', '.join(parts)}."


def _training(shown: PathView, source: dict, usual: settings.AllRows) -> None:
    wanted, job, points = _job(ALL_ROWS, shown, usual)
    if not points:
        return
    target = shown.data.target
    before = next((one for one in shown.trees().points if one.lam == wanted.lam), None)
    after = min(points, key=lambda one: (_validation(one), -one.lam))
    if before is None or wanted.path != shown.path_settings:
        st.caption("The settings have changed since the training on all rows. Train again to compare the trees.")
        return
    texts = [
        f"{one.tree.n_leaves:,} {'leaf' if one.tree.n_leaves == 1 else 'leaves'}, {target.error_label} "
        f"{target.error_text(_error(one))}"
        for one in (before, after)
    ]
    is_clear = _differs(shown, before, after)
    is_better = is_clear and _error(after) < _error(before)
    words = f"Sample: {plain(texts[0])}. All rows: {plain(texts[1])}."
    show = st.success if is_better else st.info
    show(
        words if is_clear else f"{words} The difference is smaller than two standard errors.",
        icon=":material/trending_down:" if is_better else ":material/balance:",
    )
    n_test, n_all = shown.rows[2].size, int(after.figures["n_all_rows"])
    words = [
        (
            f"Errors on the {n_test:,} test rows of the sample, which are not used for training or selection."
            if n_test
            else "Errors on the validation rows, or else the training rows, because there are no test rows."
        )
    ]
    words.append(counts_of_all_rows(n_all))
    if source["recipe"].get("drop_duplicates"):
        words.append("Repeated rows are removed from the sample, but not from all rows.")
    st.caption(plain(" ".join(words)))
    trees = {f"Sample: {shown.rows[0].size:,} rows": before.tree, f"All rows: {n_all:,}": after.tree}
    stage.stage_pair(f"all-{shown.name}-{job}", trees, shown.data, shown.rows, "all", {list(trees)[1]})
    st.button(
        "Save tree of all rows",
        icon=":material/bookmark_add:",
        key="all-rows-keep",
        on_click=_keep,
        args=(shown, after, PurePosixPath(source["entry"]).name),
        help="Opens the tree on this page and adds it to the list *Tree* of the other pages.",
    )
    if fault := st.session_state.pop(_FAULT, None):
        st.error(plain(fault), icon=":material/error:")


def _differs(shown: PathView, before: Point, after: Point) -> bool:
    """Return whether the losses of the test rows differ by more than chance; True without test rows."""
    test = shown.rows[2]
    if test.size < 2:
        return True
    X, y = shown.data.X[test], shown.data.labels()[test]
    gains = row_losses(before.tree, X, y) - row_losses(after.tree, X, y)
    return bool(abs(gains.mean()) > CLEAR * gains.std(ddof=1) / np.sqrt(test.size))


def _validation(point: Point) -> float:
    error = point.figures["validation_error"]
    return point.figures["train_error"] if error is None else error


def _error(point: Point) -> float:
    error = point.figures["test_error"]
    return _validation(point) if error is None else error


def _keep(shown: PathView, point: Point, entry: str) -> None:
    try:
        added = loaded_models.add_model(model_of(shown.tree_of(point)), f"{entry[:50]}, all rows")
    except TreecoreError as error:
        st.session_state[_FAULT] = str(error)
        return
    st.session_state[choose_tree.ON_TREE_PAGE] = f"model-{added}"
    st.session_state[_SAVED] = True


def counts_of_all_rows(n_rows: int) -> str:
    """Return the message about the counts of the tree of all rows."""
    return (
        f"The counts and training errors of the tree of all rows are those of {n_rows:,} rows. Its points and "
        "histograms show rows of the sample."
    )
