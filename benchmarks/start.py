"""Start of the app to its first picture, in headless Chromium: ``python -m benchmarks.start [--starts N]``.

Each start is a new server process and a new browser profile. The clock runs from the command to the stage's
``data-painted``, and is split by what the browser hears; beside it, start by start, a Streamlit app of one line shows
what of it is Streamlit's own. `trees there`: an earlier start has left the default path in the folder of jobs; `nothing
trained`: that folder is empty. Kernels are compiled before.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import psutil
from playwright.sync_api import sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.common import free_port, heading, table, write_json
from benchmarks.stage import VIEWPORT, launch
from pages.ui.shell.served_files import DATA, ROUTE

ROOT = Path(__file__).parents[1]
BARE = "import streamlit as st\n\nst.title('Hello')\n"
BARE_FLAGS = ("--browser.gatherUsageStats=false", "--browser.serverAddress=127.0.0.1", "--server.address=127.0.0.1",
              "--server.fileWatcherType=none")  # fmt: skip
PHASES = ("server answers", "browser connected", "run begins", "page draws", "run ended", "content received", "painted")
CPU = "CPU of the server"  # until then, of all its threads
LONGEST = 120  # seconds


def health(url):
    """Wait until a server answers."""
    while True:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.01)


class Heard:
    """Moments (seconds since `began`) of what a page of the browser hears, the first of each kind."""

    def __init__(self, page, began):
        self.began, self.moments = began, {}
        page.on("websocket", lambda socket: self._connected(socket))
        page.on("requestfinished", self._finished)

    def at(self, phase):
        """Note one."""
        self.moments.setdefault(phase, time.perf_counter() - self.began)

    def _connected(self, socket):
        self.at("browser connected")
        socket.on("framereceived", self._message)

    def _message(self, payload):
        message = ForwardMsg.FromString(payload)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.at("run begins")
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self.at("page draws")  # all modules that it needs are imported
        elif kind == "script_finished":
            self.at("run ended")

    def _finished(self, request):
        if f"/{ROUTE}/" in request.url and request.response().headers.get("content-type") == DATA:
            self.at("content received")


def start(browser, folder, app, selector, environment, *flags):
    """{phase: seconds} of one start of an app, a file in a folder, until the browser has what a selector finds."""
    port, began = free_port(), time.perf_counter()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", app, "--server.headless=true", f"--server.port={port}", *flags]
    server = subprocess.Popen(command, cwd=folder, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    try:
        health(url)
        answered = time.perf_counter() - began
        context = browser.new_context(viewport=VIEWPORT)
        page = context.new_page()
        heard = Heard(page, began)
        heard.moments["server answers"] = answered
        page.goto(url, wait_until="commit")
        page.locator(selector).first.wait_for(timeout=LONGEST * 1000)
        heard.at("painted")
        spent = psutil.Process(server.pid).cpu_times()
        heard.moments[CPU] = spent.user + spent.system
        context.close()
    finally:
        server.terminate()
        server.wait()
    return heard.moments


def measure(starts):
    """{case: [moments of each start]}."""
    found = {"one line of Streamlit": [], "trees there": [], "nothing trained": []}
    stage = "[data-testid=stage][data-painted]"
    with sync_playwright() as tools, tempfile.TemporaryDirectory() as folder:
        Path(folder, "bare.py").write_text(BARE, encoding="utf-8")
        jobs = Path(folder, "jobs")
        browser = launch(tools)
        start(browser, ROOT, "app.py", stage, {"TAO_JOBS": str(jobs)})  # leaves its trees, and all files in memory
        for number in range(starts):
            bare = start(browser, folder, "bare.py", "h1", {}, *BARE_FLAGS)
            found["one line of Streamlit"].append(bare)
            found["trees there"].append(start(browser, ROOT, "app.py", stage, {"TAO_JOBS": str(jobs)}))
            empty = {"TAO_JOBS": str(Path(folder, f"empty-{number}"))}
            found["nothing trained"].append(start(browser, ROOT, "app.py", stage, empty))
        browser.close()
    return found


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=5)
    wanted = parser.parse_args()
    found = measure(wanted.starts)
    medians = {
        case: {phase: statistics.median(one[phase] for one in starts if phase in one)
               for phase in (*PHASES, CPU) if any(phase in one for one in starts)}
        for case, starts in found.items()
    }  # fmt: skip
    bare = medians["one line of Streamlit"]["painted"]
    rows = [
        [
            case,
            *(f"{times[phase]:.2f}" if phase in times else "" for phase in PHASES),
            f"{times['painted'] / bare:.2f}",
            f"{times[CPU]:.2f}",
        ]
        for case, times in medians.items()
    ]
    print(heading(f"Seconds from the start, medians of {wanted.starts}"))
    print(table(("until", *PHASES, "/ one line", CPU), rows))
    print("Written to", write_json("start", {"starts": found, "medians": medians}))


if __name__ == "__main__":
    main()
