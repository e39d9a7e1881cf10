"""Show a training job on a page: its place in the queue, its progress, and why it is incomplete."""

from typing import Any

import streamlit as st

from pages.jobs import job_files
from pages.jobs.settings import JobSettings
from pages.serving.client_address import network
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.owner import host, owner, tab
from sample_data import DataSet
from treecore.tree.number_text import number, percent

REFRESH = 0.5  # seconds between two updates of a running job
STARTING = "Waiting for the training processes to start …"
LOADING = "Loading the engine (1 to 2 minutes on the first start) …"


def submit(settings: JobSettings, data: DataSet) -> str:
    """Submit a job, wait for it briefly, and return its name.

    Jobs that this session has watched until now stop, unless another session watches them.
    """
    name = manager().submit(settings, data.fingerprint, **_who())
    manager().wait(name)
    return name


def is_begun(settings: JobSettings, data: DataSet) -> bool:
    """Test whether a job runs or is complete, for example before the page was reloaded."""
    return manager().is_begun(settings, data.fingerprint)


def status(job: str) -> dict[str, Any]:
    """Return the progress of a job (see `JobQueue.status`), and count this session as watching it."""
    return manager().status(job, tab())


def is_known(job: str) -> bool:
    """Test whether a job is still in memory."""
    return manager().has_job(job)


def is_running(job: str) -> bool:
    """Test whether a job is queued or running."""
    return runs(status(job))


def runs(status: dict[str, Any]) -> bool:
    """Test whether a job with this status is queued or running.

    The status is read once, so that one run of the page is consistent.
    """
    return status["state"] in job_files.RUNNING_STATES


def progress(job: str, status: dict[str, Any], key: str = "cancel") -> None:
    """Draw the progress bar of a running job with a button that stops it. key : name of the button on the page."""
    done, total = status["done"], max(status["total"], 1)
    with st.container(border=True):
        time_left, right = st.columns([5, 1], vertical_alignment="center")
        # trees of every size arrive in rounds, whose number is unknown
        share = status.get("share", done / total if status["total"] else 0.0)
        time_left.progress(min(share, 1.0), text=progress_text(status, done, total))
        # Use a callback, because an update may interrupt this run and lose the click.
        right.button("Cancel", icon=":material/stop_circle:", key=key, width="stretch", on_click=cancel, args=(job,))
    if st.session_state.pop("cancel_refused", False):
        st.toast("Training continues, because another visitor is watching it.", icon=":material/group:")


def cancel(job: str) -> None:
    """Stop a job in a callback, unless another session watches it."""
    st.session_state["cancel_refused"] = is_known(job) and not manager().cancel(job, tab())


def notice(job: str, settings: JobSettings, data: DataSet, status: dict[str, Any], key: str = "again") -> None:
    """Show why a job is incomplete, with a button to resume it. Draws nothing for a complete job.

    key : name of the button on the page.
    """
    if status["state"] == "done":
        return
    if status["state"] == "failed":
        st.error(f"Training stopped: {plain(status['message'])}", icon=":material/error:")
    else:
        what = "trees" if settings.kind != "comparison" else "results"
        words = f"Training cancelled after {status['done']} of {max(status['total'], 1)} {what}."
        if getattr(settings, "has_sizes", False) and status["done"]:
            words = "Training cancelled. These are the best trees found until then."
        st.warning(words, icon=":material/stop_circle:")
    if st.button("Train again", icon=":material/replay:", key=key):
        again(settings, data)
        st.rerun()
    if not status["done"]:
        st.info("No trees yet. Change a setting above, or train again.")


def again(settings: JobSettings, data: DataSet) -> None:
    """Resume a stopped job."""
    manager().submit(settings, data.fingerprint, again=True, **_who())


def _who() -> dict[str, Any]:
    """Return the visitor who requests a job. All tabs of a browser are one visitor."""
    return {"visitor": owner(), "session": tab(), "address": network(host())}


def progress_text(status: dict[str, Any], done: int, total: int) -> str:
    if status["state"] == "queued":
        if not status.get("has_workers", True):
            return STARTING
        waiting, wait = status["waiting"], status["wait"]
        before = f" after {waiting} other job{'s' * (waiting > 1)}" if waiting else ""
        return f"Waiting to train{before}{'' if wait is None else f', {seconds_text(wait)}'} …"
    if "last" in status:
        return _comparison_text(status, done, total)
    if "share" in status or (done and "lam" not in status):  # only the trees of each size arrive without a λ
        return f"Improving the tree of each size · {percent(status.get('share', 0.0), 0)}"
    if "iteration" not in status and "lam" not in status:
        if "part" in status:
            return f"Reading part {status['part']:,} of {status['n_parts']:,} …"
        return LOADING if "is_loading" in status else "Preparing the data …"
    text = f"Training tree {min(done + 1, total)} of {total}"
    if "lam" in status:
        text += f" · last λ = {number(status['lam'])}, {status['error']}{time_left(status)}"
    elif "iteration" in status:
        text += f" · pass {status['iteration']}, depth {status['depth']}, training error {status['training_error']}"
    return text


def _comparison_text(status: dict[str, Any], done: int, total: int) -> str:
    error = "no result" if status["error"] is None else f"error {status['error']}"
    return f"{done} of {total} results · last: {status['last']}, {error}{time_left(status)}"


def time_left(status: dict[str, Any]) -> str:
    """Return the remaining time of a job in words, or "" if unknown."""
    return "" if status["left"] is None else f" · {seconds_text(status['left'])} left"


def seconds_text(span: tuple[float, float]) -> str:
    """Return a range of seconds in words, such as "2 to 6 s" or "50 s to 2 min"."""
    parts = [(f"{max(value, 1):.0f}", "s") if value < 90 else (f"{value / 60:.0f}", "min") for value in span]
    (low, unit), (high, last) = parts
    if parts[0] == parts[1]:
        return f"about {high} {last}"
    return f"{low} to {high} {last}" if unit == last else f"{low} {unit} to {high} {last}"
