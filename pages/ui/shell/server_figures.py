"""`server_figures`: what the administrator reads of this server, see `pages.serving.metrics`."""

import shutil

from pages.jobs import job_files
from pages.ui.shell.manager import manager


def server_figures(places, upload_bytes):
    """{(name, words): number}. places : `Places`; upload_bytes : of uploads that wait in memory"""
    jobs, disk = manager().counts(), shutil.disk_usage(job_files.jobs_folder())
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
