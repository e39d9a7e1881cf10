"""Work after a path is complete: CART for comparison, then the cross-validation that selects λ."""

import streamlit as st

from pages.jobs import settings
from pages.serving.quotas import Quotas
from pages.ui.session import training
from pages.ui.session.reference import REFERENCES, reference
from pages.ui.session.shown_path import PathView
from pages.ui.session.with_folds import FOLDS, is_crossed
from pages.ui.shell.manager import manager
from viz.words.error_names import error_name

Job = settings.Reference | settings.CrossValidation


def folds_section(shown: PathView) -> None:
    """Draw the section below the stage of a `shown_path.PathView` whose path is complete.

    A job is submitted on the second run, when the tree is on the screen. The stage itself opens the tree that the
    result recommends, unless the visitor has chosen one.
    """
    points = manager().points(shown.path)
    if shown.grid is not None or not points or training.status(shown.path)["state"] != "done":
        return
    has_none = reference(shown.path, shown.path_settings, shown.data) is None
    if is_first := has_none and _is_open(_job(REFERENCES, shown)):
        cart = settings.Reference.of(shown.path_settings)
        st.fragment(_follow, run_every=training.REFRESH)(shown, cart, REFERENCES, [])
    count = Quotas.of().folds
    if shown.is_refined and is_crossed(shown.trees().points):
        st.caption(
            "The folds contain no simplified trees, so cross-validation cannot select this one. At its λ, the "
            "chart shows the cross-validated error of the path."
        )
    if len(points) < 2 or (count < 2 and not is_crossed(points)):
        return
    swept = sorted(point.tree.n_leaves if shown.path_settings.has_sizes else point.lam for point in points)
    wanted = settings.CrossValidation(shown.path_settings, tuple(map(float, swept)), max(count, 2))
    if is_crossed(points):
        st.caption(_result_text(shown, settings.CrossValidation(wanted.path, wanted.lams)))
        return
    job = _job(FOLDS, shown)
    if job is not None and not _is_open(job):
        _ended(shown, wanted, job)
    elif not is_first:
        st.fragment(_follow, run_every=training.REFRESH)(shown, wanted, FOLDS, [])


def _job(key: str, shown: PathView) -> str | None:
    """Return the name of the job of this tab that follows the path, or None."""
    return st.session_state.get(key, {}).get(shown.path)


def _is_open(job: str | None) -> bool:
    """Test whether a job is not yet submitted, or not yet finished."""
    return job is None or not manager().has_job(job) or training.is_running(job)


def _follow(shown: PathView, wanted: Job, key: str, looks: list[None]) -> None:
    looks.append(None)
    if len(looks) == 1 and _job(key, shown) is None:
        return
    job = training.submit(wanted, shown.data)
    st.session_state[key] = {shown.path: job}
    status = training.status(job)
    if not training.runs(status):
        st.rerun()
    left, right = st.columns([6, 1], vertical_alignment="center")
    if isinstance(wanted, settings.Reference):
        left.caption(
            f"Training CART on the same rows for comparison{training.time_left(status)}. You can keep working."
        )
    else:
        left.caption(
            f"Running {wanted.folds}-fold cross-validation on {_rows(shown)}: {status['done']} of "
            f"{max(status['total'], 1)} trees{training.time_left(status)}. You can keep working."
        )
    right.button(
        "Stop",
        key=f"stop-{key}",
        icon=":material/stop_circle:",
        on_click=training.cancel,
        args=(job,),
        help="Continue without CART."
        if isinstance(wanted, settings.Reference)
        else "Stops cross-validation and selects trees by validation error.",
    )


def _ended(shown: PathView, wanted: settings.CrossValidation, job: str) -> None:
    status = training.status(job)
    if status["state"] == "done":
        st.caption(_result_text(shown, wanted))
    elif status["state"] == "failed":
        st.caption(f"Cross-validation failed. Trees are selected by validation error. {status['message']}")
    else:
        left, right = st.columns([6, 1], vertical_alignment="center")
        left.caption("Cross-validation stopped. Trees are selected by validation error.")
        right.button(
            "Resume", key="go-on-folds", icon=":material/replay:", on_click=training.again, args=(wanted, shown.data)
        )


def _rows(shown: PathView) -> str:
    return f"{len(shown.rows[0]) + len(shown.rows[1]):,} training and validation rows"


def _result_text(shown: PathView, wanted: settings.CrossValidation) -> str:
    (best, simplest), target = shown.trees().recommended, shown.data.target
    name = error_name("cross_validated_error", best.is_weighted).replace("error", target.error_label)
    what = "size" if shown.path_settings.has_sizes else "λ"
    return (
        f"Cross-validation selects *Best tree* and *Simplest good tree*: {wanted.folds} folds of {_rows(shown)}, "
        f"one path for each fold. Best {what}: {name} {target.error_text(best.validation_error)} ± "
        f"{target.error_text(best.validation_spread)} (standard error). Simplest good tree: "
        f"{target.error_text(simplest.validation_error)}. These errors selected the {what}, so they are "
        "optimistic. The test error is not."
    )
