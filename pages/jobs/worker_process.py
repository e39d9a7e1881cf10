"""The process that trains, seen from the app: it is handed folders of jobs and writes what it finds into them."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from pages.jobs import job_files


class WorkerProcess:
    """One worker on this machine; what runs jobs elsewhere has the same three methods. log : Path, of its errors."""

    def __init__(self, log):
        # arrays that the worker's own processes share; a killed one does not clean up
        self._shared = tempfile.mkdtemp(prefix="tao-worker-")
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pages.jobs.worker"],
                cwd=job_files.ROOT,
                stdin=subprocess.PIPE,
                bufsize=0,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
                env=os.environ | {job_files.SHARED: self._shared},
            )

    def begin(self, folder):
        """Start the job of a folder, which holds its request; it ends when its progress says so."""
        with contextlib.suppress(OSError):  # it has died just now, which the next look at it tells
            self.process.stdin.write(f"{folder}\n".encode())

    def is_alive(self):
        """Whether it can still work."""
        return self.process.poll() is None

    def end(self):
        """End it at once, whatever it does."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended, with all its helpers
            os.killpg(self.process.pid, signal.SIGKILL)  # a comparison has processes of its own
        self.process.wait()
        self.process.stdin.close()
        shutil.rmtree(self._shared, ignore_errors=True)
