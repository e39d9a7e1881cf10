"""Show how far the tree on the stage is above the best tree of its depth."""

import streamlit as st

from pages.jobs import settings
from pages.jobs.kinds.optimality import SECONDS, Optimality, has_known_optimum
from pages.jobs.point import Point
from pages.ui.explore.messages import MESSAGES
from pages.ui.session import training
from pages.ui.session.shown_path import PathView
from pages.ui.shell.manager import manager
from treecore.messages import Sentence
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
    left.caption(MESSAGES("gap.work"))
    right.button("Stop", key=f"stop-{GAPS}", icon=":material/stop_circle:", on_click=training.cancel, args=(job,),
                 help=MESSAGES("gap.stop"))  # fmt: skip


def _result(shown: PathView, job: str) -> None:
    status, found = training.status(job), manager().points(job)
    if status["state"] == "done" and found:
        left, right = st.columns([5, 1.4], vertical_alignment="center") if _can_improve(shown, found[0]) else (st, None)
        left.caption(_result_text(found[0]), help=MESSAGES("gap.what"))
        if right is not None:
            right.button(
                "Start from optimal tree", icon=":material/stars:", key="start-optimal", width="stretch",
                help=MESSAGES("gap.start"), on_click=shown.store.change,
                kwargs={"init": "optimal", "max_depth": found[0].depth, "lambdas": "grid"},
            )  # fmt: skip
    elif status["state"] == "failed":
        st.caption(MESSAGES("gap.none", why=status["message"]))


def _can_improve(shown: PathView, found: Optimality) -> bool:
    """Test whether a path from the optimal tree can contain a better tree."""
    chosen = shown.path_settings
    return found.best < found.objective and (chosen.init, chosen.max_depth) != ("optimal", found.depth)


def _result_text(found: Optimality) -> Sentence:
    values: dict[str, object] = {"depth": found.depth, "n": found.n_thresholds}
    if not found.gap:
        return MESSAGES("gap.optimal", **values)
    values |= {"gap": number(found.gap), "objective": number(found.objective, 4)}
    if not found.is_proven:
        return MESSAGES("gap.unproven", **values, best=number(min(found.best, found.objective), 4), seconds=SECONDS)
    return MESSAGES("gap.above", **values, least=number(found.least, 4))
