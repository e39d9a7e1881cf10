"""Process that trains, one job after another: reads job folders from standard input, writes files into them.

It has its engine loaded and warm before the first job comes. It ends with its standard input, or when the app does.
"""

import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

from pages.jobs import job_files
from pages.jobs.tasks import TASKS
from treecore.errors import TreecoreError
from treecore.warm_up import warm_up

PROGRESS_INTERVAL = 0.1  # seconds


def main():
    """Serve jobs until standard input ends."""
    os.nice(5)
    threading.Thread(target=_end_with_the_app, args=(os.getppid(),), daemon=True).start()
    warm_up(baselines=False)
    for line in sys.stdin:
        folder = Path(line.rstrip("\n"))
        request = job_files.read_json(folder / job_files.REQUEST)
        if request is not None:
            _Job(folder, request).run()


def _end_with_the_app(parent):
    """End this process and those of a comparison, with what they share, when the app has died without saying so."""
    while os.getppid() == parent:
        time.sleep(1.0)
    if job_files.SHARED in os.environ:
        shutil.rmtree(os.environ[job_files.SHARED], ignore_errors=True)
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)


class _Job:
    def __init__(self, folder, request):
        self.folder, self.request = folder, request
        self.began = self.written = time.time()
        self.parent = os.getppid()
        self.status = {"state": "running", "done": 0, "total": 0, "recent": []}

    def run(self):
        try:
            task = TASKS[self.request["kind"]](self.request)
            self.status["total"] = task.total
            self._write()
            self.task = task
            task.train(self._on_step, self._on_result)
        except TreecoreError as error:
            self.status |= {"state": "failed", "message": str(error)}
        else:
            self.status["state"] = "cancelled" if self._cancelled() else "done"
        self._write()

    def _on_step(self, step):
        now = time.time()
        if now - self.written > PROGRESS_INTERVAL:
            error = self.task.data.target.error_text(step.error)
            self.status |= {"iteration": step.iteration, "depth": step.depth, "training_error": error}
            self._write()
        return self._cancelled()

    def _on_result(self, result):
        index = self.status["done"]
        job_files.write_json(job_files.point_path(self.folder, index), {"index": index} | self.task.record(result))
        news = {"recent": (time.time() - self.began) / (index + 1)} | self.task.news(result)
        news["recent"] = [*self.status["recent"], news["recent"]][-3:]
        self.status |= {"done": index + 1} | news
        if time.time() - self.written > PROGRESS_INTERVAL:
            self._write()
        return self._cancelled()

    def _cancelled(self):
        return (self.folder / job_files.CANCEL).exists() or os.getppid() != self.parent

    def _write(self):
        self.written = time.time()
        job_files.write_json(self.folder / job_files.PROGRESS, self.status | {"seconds": self.written - self.began})


if __name__ == "__main__":
    main()
