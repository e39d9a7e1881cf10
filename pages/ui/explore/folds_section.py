"""Cross-validate λ once the path is complete, and show the result."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.jobs import settings
from pages.serving.quotas import Quotas
from pages.ui.explore.messages import MESSAGES
from pages.ui.session import training
from pages.ui.session.shown_path import PathView
from pages.ui.session.with_folds import FOLDS
from pages.ui.shell.manager import manager
from treecore.messages import Sentence
from viz.charts.values.path_points import judged
from viz.words.error_names import error_name


def folds_section(shown: PathView, before_end: Callable[[], Any]) -> None:
    """Draw the section below the stage of a `shown_path.PathView` whose path is complete.

    The second run submits the job, when the tree is already visible. before_end : function to call before the result
    changes the recommended trees.
    """
    points, count = manager().points(shown.path), Quotas.of().folds
    if (
        shown.grid is not None
        or shown.is_refined
        or count < 2
        or len(points) < 2
        or training.status(shown.path)["state"] != "done"
    ):
        return
    chosen = settings.CrossValidation(shown.path_settings, tuple(point.lam for point in points), count)
    job = st.session_state.get(FOLDS, {}).get(shown.path)
    runs = job is None or not manager().has_job(job) or training.is_running(job)
    st.fragment(_look, run_every=training.REFRESH if runs else None)(shown, chosen, runs, before_end, [])


def _look(
    shown: PathView, chosen: settings.CrossValidation, runs: bool, before_end: Callable[[], Any], looks: list[None]
) -> None:
    looks.append(None)
    jobs = st.session_state.setdefault(FOLDS, {})
    job = jobs.get(shown.path)
    if runs and len(looks) == 1 and job is None:
        return
    if runs:
        job = training.submit(chosen, shown.data)
        st.session_state[FOLDS] = {shown.path: job}
    status = training.status(job)
    if runs and not training.runs(status):
        before_end()
        st.rerun()
    rows = MESSAGES("folds.rows", n=len(shown.rows[0]) + len(shown.rows[1]))
    if training.runs(status):
        left, right = st.columns([6, 1], vertical_alignment="center")
        done, total = status["done"], max(status["total"], 1)
        left.caption(
            MESSAGES(
                "folds.work", folds=chosen.folds, rows=rows, done=done, total=total, left=training.time_left(status)
            )
        )
        right.button("Stop", key="stop-folds", icon=":material/stop_circle:", on_click=training.cancel, args=(job,),
                     help=MESSAGES("folds.stop"))  # fmt: skip
    elif status["state"] == "done":
        st.caption(_result_text(shown, chosen, rows))
    elif status["state"] == "failed":
        st.caption(MESSAGES("folds.failed", why=status["message"]))
    else:
        left, right = st.columns([6, 1], vertical_alignment="center")
        left.caption(MESSAGES("folds.stopped"))
        right.button(
            "Resume", key="go-on-folds", icon=":material/replay:", on_click=training.again, args=(chosen, shown.data)
        )


def _result_text(shown: PathView, chosen: settings.CrossValidation, rows: str) -> Sentence:
    points, _ = shown.points()
    known, target = judged(points), shown.data.target
    best, simplest = (known.path.best(rule) for rule in ("min", "one_se"))
    name = error_name("cross_validated_error", best.is_weighted).replace("error", target.error_label)
    return MESSAGES(
        "folds.chosen",
        folds=chosen.folds,
        rows=rows,
        name=name,
        error=target.error_text(best.validation_error),
        spread=target.error_text(best.validation_spread),
        simplest=target.error_text(simplest.validation_error),
    )
