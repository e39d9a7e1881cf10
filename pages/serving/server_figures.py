"""`server_figures`: what the administrator reads of this server, see `metrics`."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from pages.serving.metrics import Figures
from pages.serving.places import Places


def server_figures(places: Places, jobs: Mapping[str, int], folder: Path, upload_bytes: int) -> Figures:
    """{(name, words): number}. places : `Places`; jobs : see `JobQueue.counts`; folder : of all jobs; upload_bytes : of
    uploads that wait in memory"""
    disk = shutil.disk_usage(folder)
    return {
        ("tao_visitors", "Browser tabs that are connected."): places.n_open,
        ("tao_visitors_most", "Browser tabs that may be connected."): places.most,
        ("tao_visitors_refused_total", "Visitors who came when all places were taken."): places.n_refused,
        ("tao_jobs_queued", "Jobs that wait."): jobs["queued"],
        ("tao_jobs_running", "Jobs that run."): jobs["running"],
        ("tao_workers", "Pieces of jobs that can run at once."): jobs["workers"],
        ("tao_worker_deaths_total", "Workers that ended unexpectedly."): jobs["worker_deaths"],
        ("tao_cluster_restarts_total", "Clusters that were started after one had ended."): jobs["cluster_restarts"],
        ("tao_upload_bytes", "Bytes of uploads that wait in memory."): upload_bytes,
        ("tao_disk_free_bytes", "Free bytes on the disk of the jobs folder."): disk.free,
        ("tao_disk_bytes", "Size of that disk."): disk.total,
    }
