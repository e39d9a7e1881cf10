"""Show how far the tree on the stage is above the best tree of its depth."""

import streamlit as st

from pages.jobs import settings
from pages.jobs.kinds.optimality import SECONDS, Optimality, has_known_optimum
from pages.jobs.point import Point
from pages.ui.session import training
from pages.ui.session.shown_path import PathView
from pages.ui.shell.manager import manager
from treecore.tree.number_text import number

GAPS = "gaps"  # session key of {name of the stage's content and index of a tree: job of its search}


def gap_section(shown: PathView, point: Point) -> None:
    """Draw a caption for a `Point` of a complete path, if the search applies to its tree.

    The search starts on the second run, when the tree is on the screen.
    """
    path = shown.path_settings
    if not has_known_optimum(point.tree, len(shown.rows[0]), path):
        return
    key, jobs = f"{shown.name}-{point.key}", st.session_state.setdefault(GAPS, {})
    wanted = settings.Gap(path, point.tree.to_json(), point.lam)
    if key in jobs and not (manager().has_job(jobs[key]) and training.is_running(jobs[key])):
        _result(shown, training.submit(wanted, shown.data))
    else:
        st.fragment(_follow, run_every=training.REFRESH)(shown, wanted, key, [])


def _follow(shown: PathView, wanted: settings.Gap, key: str, looks: list[None]) -> None:
    jobs = st.session_state[GAPS]
    looks.append(None)
    if len(looks) == 1 and key not in jobs:
        return
    jobs[key] = job = training.submit(wanted, shown.data)
    if not training.is_running(job):
        st.rerun()
    left, right = st.columns([6, 1], vertical_alignment="center")
    left.caption("Searching for the best tree of this depth. You can keep working.")
    right.button(
        "Stop",
        key=f"stop-{GAPS}",
        icon=":material/stop_circle:",
        on_click=training.cancel,
        args=(job,),
        help="Stops the search. The tree does not change.",
    )


def _result(shown: PathView, job: str) -> None:
    status, found = training.status(job), manager().points(job)
    if status["state"] == "done" and found:
        left, right = st.columns([5, 1.4], vertical_alignment="center") if _can_improve(shown, found[0]) else (st, None)
        left.caption(
            _result_text(found[0]),
            help=(
                "The objective is the number of misclassified training rows plus λ for each decision node. The "
                "search compares all trees up to this depth on quantiles of each feature and the thresholds of this "
                "tree."
            ),
        )
        if right is not None:
            right.button(
                "Start from optimal tree",
                icon=":material/stars:",
                key="start-optimal",
                width="stretch",
                help=(
                    "Trains the path again from the optimal tree of this depth. The test error can be larger, "
                    "because the objective contains training errors."
                ),
                on_click=shown.store.change,
                kwargs={"init": "optimal", "max_depth": found[0].depth, "lambdas": "grid"},
            )
    elif status["state"] == "failed":
        st.caption(f"The search for the best tree of this depth stopped. {status['message']}")


def _can_improve(shown: PathView, found: Optimality) -> bool:
    """Test whether a path from the optimal tree can contain a better tree."""
    chosen = shown.path_settings
    return found.best < found.objective and (chosen.init, chosen.max_depth) != ("optimal", found.depth)


def _result_text(found: Optimality) -> str:
    if not found.gap:
        return (
            f"Optimal: no tree up to depth {found.depth} on {found.n_thresholds} thresholds has a smaller "
            "objective (training errors + λ × decision nodes)."
        )
    gap, objective = number(found.gap), number(found.objective, 4)
    if not found.is_proven:
        best = number(min(found.best, found.objective), 4)
        return (
            f"At most {gap} above the best tree up to depth {found.depth} on {found.n_thresholds} thresholds, in "
            f"training errors + λ × decision nodes ({objective}; best found: {best}). The search stopped after "
            f"{SECONDS:g} s without a proof."
        )
    least = number(found.least, 4)
    return (
        f"At most {gap} above the best tree up to depth {found.depth} on {found.n_thresholds} thresholds, in "
        f"training errors + λ × decision nodes ({objective}; best: {least})."
    )
