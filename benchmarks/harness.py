"""Start the app as a server, and a headless Chromium that opens it, for the benchmarks that need both."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from benchmarks.common import free_port, wait_for

ROOT = Path(__file__).parents[1]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
VIEWPORT = {"width": 1440, "height": 900}
STAGE = "[data-testid=stage][data-painted]"
LONGEST = 240  # seconds to wait for a server to answer, and for a page to show an element


class NoBrowser(RuntimeError):
    """Raised if Chromium is missing. The message describes its installation."""


class App(NamedTuple):
    """A running server.

    jobs : jobs folder of the server.
    """

    process: psutil.Popen
    url: str
    jobs: Path

    def memory(self):
        """Return the private memory of the server in bytes."""
        return memory(self.process)

    def work(self, children=False):
        """Return the CPU seconds of the server, including its child processes if `children` is True."""
        processes = [self.process, *(self.process.children(recursive=True) if children else ())]
        return sum(times.user + times.system for times in (one.cpu_times() for one in processes))


def memory(process):
    """Return the private memory of a process in bytes."""
    return process.memory_full_info().uss


@contextmanager
def served(script="app.py", place=ROOT, flags=(), jobs=None, python=sys.executable, environment=os.environ):
    """Start the script in a folder and yield its `App` once it answers.

    Without `jobs`, the app has a new jobs folder.
    """
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        app = App(
            psutil.Popen(
                [python, "-m", "streamlit", "run", script, "--server.headless=true", f"--server.port={port}", *flags],
                cwd=place,
                env={**environment, "TAO_JOBS": str(jobs or folder)},
                stdout=subprocess.DEVNULL,
            ),
            f"http://127.0.0.1:{port}",
            Path(jobs or folder),
        )
        try:
            wait_for(f"{app.url}/_stcore/health", LONGEST)
            yield app
        finally:
            children = app.process.children(recursive=True)
            app.process.terminate()
            app.process.wait()
            for child in children:  # a worker that trains may outlive the server
                with suppress(psutil.NoSuchProcess):
                    child.terminate()


@contextmanager
def chromium():
    """Yield a headless Chromium. Raises NoBrowser."""
    from playwright.sync_api import sync_playwright  # listed in requirements-dev.txt

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise NoBrowser("There is no Chromium on this machine, so nothing can be measured (apt-get install chromium).")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def new_page(browser, viewport=VIEWPORT):
    """Return an empty page in a separate browser session."""
    return browser.new_page(viewport=viewport)


def show(page, url, sign=STAGE):
    """Open an address. Return the seconds until the page has an element that matches the selector `sign`."""
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.locator(sign).first.wait_for(timeout=LONGEST * 1000)
    return time.perf_counter() - began
