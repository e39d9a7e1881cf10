"""Collect the metrics of this server for its administrator, see `metrics`."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from pages.serving.metrics import Figures
from pages.serving.places import Places, n_descriptors


def server_figures(places: Places, jobs: Mapping[str, int], folder: Path, upload_bytes: int) -> Figures:
    """Return {(name, description): number}.

    places : `Places`; jobs : see `JobQueue.counts`; folder : jobs folder; upload_bytes : bytes of uploads that wait in
    memory.
    """
    disk = shutil.disk_usage(next(one for one in (folder, *folder.parents) if one.is_dir()))  # it may be erased
    n_open, most = n_descriptors()
    return {
        ("tao_visitors", "Connected browser tabs."): places.n_open,
        ("tao_visitors_most", "Maximum number of connected browser tabs."): places.most,
        (
            "tao_visitors_refused_total",
            "Visitors that were refused because all sessions were in use.",
        ): places.n_refused,
        ("tao_descriptors", "Open file descriptors of the server."): n_open,
        ("tao_descriptors_most", "Maximum number of open file descriptors."): most,
        ("tao_jobs_queued", "Waiting jobs."): jobs["queued"],
        ("tao_jobs_running", "Running jobs."): jobs["running"],
        ("tao_workers", "Maximum number of tasks that run at once."): jobs["workers"],
        ("tao_worker_deaths_total", "Workers that ended unexpectedly."): jobs["worker_deaths"],
        ("tao_cluster_restarts_total", "Restarts of the cluster."): jobs["cluster_restarts"],
        ("tao_upload_bytes", "Bytes of uploads waiting in memory."): upload_bytes,
        ("tao_disk_free_bytes", "Free bytes on the disk of the jobs folder."): disk.free,
        ("tao_disk_bytes", "Size of the disk of the jobs folder in bytes."): disk.total,
    }
