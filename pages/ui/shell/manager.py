"""Share the jobs of this server among all its sessions."""

import os

from pages.jobs import job_files
from pages.jobs.job_executor import JobExecutor
from pages.jobs.job_queue import JobQueue
from pages.ui.shell.computed import once
from treecore.declarations import Whole

WORKERS = Whole(1, 256)


@once
def manager() -> JobQueue:
    """Return the `JobQueue` of the server.

    $TAO_SCHEDULER : address of a Dask scheduler; without it, local workers are started. $TAO_WORKERS : number of local
    workers.
    """
    folder = job_files.jobs_folder()
    n_workers = WORKERS.read(os.environ.get("TAO_WORKERS"))
    return JobQueue(JobExecutor(folder / "cluster.log", os.environ.get("TAO_SCHEDULER") or None, n_workers), folder)
