"""Main area of the explore page: progress while a path is trained, the stage with its trees, files to take away."""

import uuid

import streamlit as st

from pages.ui import job_files, jobs, saving, settings, stage
from viz.path_points import recommended as recommended_of


def show(job, chosen, data):
    """Draw the page for a job; while it runs, the drawing repeats itself."""
    running = _status(job)["state"] in job_files.RUNNING_STATES
    # where the stage opens is part of what is sent: it must not change while the visitor moves on
    opens = _chosen(job)
    st.fragment(_page, run_every=0.5 if running else None)(job, chosen, data, running, opens)


def share(job):
    """Put the settings and what is on the stage into the URL."""
    view = _chosen(job)
    settings.share_in_url(**({} if view is None else {"tree": view.tree, "node": view.node}))


def _chosen(job):
    """`View` that the visitor chose for this job, None for the recommended one; a new tab takes it from the URL."""
    if "chosen_view" not in st.session_state:
        tree, node = (_natural(st.query_params.get(name)) for name in ("tree", "node"))
        st.session_state["chosen_view"] = {} if tree is None else {job: stage.View(tree, node)}
    return st.session_state["chosen_view"].get(job)


def _natural(text):
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 9 else None


def _session():
    return st.session_state.setdefault("session", uuid.uuid4().hex)


def _status(job):
    return jobs.manager().status(job, _session())


def _page(job, chosen, data, running, opens):
    if not jobs.manager().knows(job):
        st.rerun()
    status = _status(job)
    if running and status["state"] not in job_files.RUNNING_STATES:
        st.rerun()
    points = jobs.manager().points(job)
    # the same places on every run, so that the stage stays mounted from the first tree to the last
    top, middle, bottom = st.container(), st.container(), st.container()
    with top:
        if running:
            _progress(job, status)
        else:
            _notice(job, chosen, data, status, points)
    if not points:
        return
    with middle:
        if running:
            # each update sends the whole path again: doubling keeps the sum below twice the last one
            count = 2 ** (len(points).bit_length() - 1)
            view, recommended, name = stage.View(count - 1), {}, f"{job}-first-{count}"
        else:
            count, recommended = len(points), recommended_of(points)
            view, name = _known_view(opens, points, recommended), f"{job}-{count}"
        content = stage.payload(job, count, chosen.seed, recommended, points, data)
        seen = stage.show(name, content, view, banner=status["state"] != "done")
    if not running:
        if seen is not None:
            _choose(job, seen)
        with bottom:
            index = _known_view(_chosen(job), points, recommended).tree
            saving.show(job, points, points[index], data, content)


def _choose(job, view):
    if view != _chosen(job):
        st.session_state["chosen_view"] = {job: view}
        share(job)


def _known_view(view, points, recommended):
    if view is None or view.tree >= len(points):
        return stage.View(recommended.get("one_se", len(points) // 2))
    return view


def _progress(job, status):
    done, total = status["done"], max(status["total"], 1)
    with st.container(border=True):
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.progress(min(done / total, 1.0), text=_progress_text(status, done, total))
        if right.button("Cancel", icon=":material/stop_circle:", key="cancel", width="stretch"):
            if jobs.manager().cancel(job, _session()):
                st.rerun()
            st.toast("Somebody else is watching this training too, so it goes on.", icon=":material/group:")


def _progress_text(status, done, total):
    if status["state"] == "queued":
        before = f" after {status['waiting']} other job(s)" if status["waiting"] else ""
        return f"Waiting to train{before} …"
    if "iteration" not in status and "lam" not in status:
        return "Preparing the data …"
    text = f"Training tree {min(done + 1, total)} of {total}"
    if "lam" in status:
        left = sum(status["recent"]) / len(status["recent"]) * (total - done)
        text += f" · last λ = {status['lam']:.3g}, error {status['error']:.1%} · about {_seconds(left)} left"
    elif "iteration" in status:
        text += f" · pass {status['iteration']}, level {status['depth']}, training error {status['training_error']:.1%}"
    return text


def _seconds(value):
    return f"{value:.0f} s" if value < 90 else f"{value / 60:.0f} min"


def _notice(job, chosen, data, status, points):
    """Why a path is not whole, and what to do about it; nothing for one that is."""
    if status["state"] == "done":
        return
    if status["state"] == "failed":
        st.error(f"Training stopped: {status['message']}", icon=":material/error:")
    else:
        st.warning(
            f"Training was cancelled after {len(points)} of {max(status['total'], 1)} trees.",
            icon=":material/stop_circle:",
        )
    if st.button("Train again", icon=":material/replay:", key="again"):
        jobs.manager().submit(chosen, data.fingerprint, again=True)
        st.rerun()
    if not points:
        st.info("There is no tree to show yet. Change something in the side bar, or train again.")
