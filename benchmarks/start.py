"""Time the start of the app until its first tree, in headless Chromium: ``python -m benchmarks.start [--starts N]``.

Each start is a new server process and a new browser profile. The time runs from the command to the stage's
``data-painted``, and the messages that the browser receives divide it into phases. A one-line Streamlit app is started
in turn, to show Streamlit's own share. In the case `trees there`, the jobs folder contains the default path from an
earlier start. In the case `nothing trained`, this folder is empty. All kernels are compiled before the first start.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.common import heading, table, write_json
from benchmarks.harness import STAGE, chromium, new_page, served, show
from pages.ui.shell.served_files import DATA, ROUTE

BARE = "import streamlit as st\n\nst.title('Hello')\n"
BARE_FLAGS = ("--browser.gatherUsageStats=false", "--browser.serverAddress=127.0.0.1", "--server.address=127.0.0.1",
              "--server.fileWatcherType=none")  # fmt: skip
PHASES = ("server answers", "browser connected", "run begins", "page draws", "run ended", "content received", "painted")
CPU = "CPU of the server"  # CPU seconds of all server threads until then


class Heard:
    """Times (seconds since `began`) of the first message of each kind that a page receives."""

    def __init__(self, page, began):
        self.began, self.moments = began, {}
        page.on("websocket", lambda socket: self._connected(socket))
        page.on("requestfinished", self._finished)

    def at(self, phase):
        """Record the time of a phase."""
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
            self.at("page draws")  # the page has imported all modules that it needs
        elif kind == "script_finished":
            self.at("run ended")

    def _finished(self, request):
        if f"/{ROUTE}/" in request.url and request.response().headers.get("content-type") == DATA:
            self.at("content received")


def start(browser, sign=STAGE, **app):
    """Start an app and return {phase: seconds} until the browser shows an element that matches `sign`.

    app : arguments of `served`.
    """
    began = time.perf_counter()
    with served(**app) as server:
        answered = time.perf_counter() - began
        page = new_page(browser)
        heard = Heard(page, began)
        heard.moments["server answers"] = answered
        show(page, server.url, sign)
        heard.at("painted")
        heard.moments[CPU] = server.work()
        page.close()
    return heard.moments


def measure(starts):
    """Return {case: [times of the phases of each start]}."""
    found = {"one line of Streamlit": [], "trees there": [], "nothing trained": []}
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        Path(folder, "bare.py").write_text(BARE, encoding="utf-8")
        jobs = Path(folder, "jobs")
        start(browser, jobs=jobs)  # this start stores its trees in the folder, and fills the disk cache
        for _ in range(starts):
            bare = start(browser, "h1", script="bare.py", place=folder, flags=BARE_FLAGS)
            found["one line of Streamlit"].append(bare)
            found["trees there"].append(start(browser, jobs=jobs))
            found["nothing trained"].append(start(browser))
    return found


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=5)
    options = parser.parse_args()
    found = measure(options.starts)
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
    print(heading(f"Seconds from the start, medians of {options.starts}"))
    print(table(("until", *PHASES, "/ one line", CPU), rows))
    print("Written to", write_json("start", {"starts": found, "medians": medians}))


if __name__ == "__main__":
    main()
