"""Start the app as a server under faults, and visit it by Streamlit's protocol.

After each fault, no page shows a traceback, no result is lost, the visitor reads a sentence, and the log has a line for
the administrator.
"""

import asyncio
import contextlib
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import psutil
import pytest
from streamlit.proto.Alert_pb2 import Alert

from benchmarks.tabs import Tab, pressed
from pages.jobs import job_files
from pages.jobs.job_executor import machine_load
from tests.browser.conftest import free_port, wait_until_up

ROOT = Path(__file__).resolve().parents[2]
SMALL = "data_set=iris&max_depth=3&n_lambdas=4"
LONG = "data_set=digits&max_depth=8&n_lambdas=16&split=oblique"  # takes some seconds
PATIENCE = 120.0  # seconds until a job has ended
TRACES = ("Traceback", "Fatal Python error", "Segmentation fault", "core dumped")


class Server:
    """The app in a process of its own.

    folder : jobs folder; environment : more variables; limits : {resource: (soft, hard)} of the process. lines : lines
    of its log, which it writes to a pipe, because a limit on file sizes also holds for a log.
    """

    def __init__(self, folder, environment=None, limits=None, port=None):
        self.folder, self.environment, self.limits = folder, environment or {}, limits or {}
        self.port, self.lines = port or free_port(), []
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        """Start the server, at the same address each time."""
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
        self.process = subprocess.Popen(
            [*command, f"--server.port={self.port}"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            preexec_fn=lambda: [resource.setrlimit(*one) for one in self.limits.items()],
            env={**os.environ, "TAO_JOBS": str(self.folder), "TAO_WORKERS": "2", "TAO_FOLDS": "1", **self.environment},
        )
        self._collecting = threading.Thread(target=self._collect, args=(self.process.stdout,), daemon=True)
        self._collecting.start()
        wait_until_up(f"{self.url}/_stcore/health", self.process)

    def _collect(self, stream):
        with stream:
            self.lines.extend(stream)

    def stop(self):
        """Stop the server and return (seconds, exit code)."""
        began = time.monotonic()
        self.process.terminate()
        code = self.process.wait(timeout=60)
        return time.monotonic() - began, code

    def end(self):
        """End the server, and all processes that a fault may have left."""
        left = self.children() if self.process.poll() is None else []
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=60)
        for one in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
        self._collecting.join(60)

    def children(self):
        return psutil.Process(self.process.pid).children(recursive=True)

    def find(self, kind):
        """Return the processes of a kind: server, cluster, fork server, tracker, worker, reader or reading."""
        if kind == "server":
            return [psutil.Process(self.process.pid)]
        return [one for one in self.children() if _kind(one) == kind]

    def wait_for(self, kind, seconds=PATIENCE):
        """Return the first process of a kind, as soon as there is one."""
        end = time.monotonic() + seconds * machine_load()
        while not (found := self.find(kind)):
            assert time.monotonic() < end, f"no {kind}: {[(_kind(one), one.pid) for one in self.children()]}"
            time.sleep(0.02)
        return found[0]

    def results(self, apart=()):
        """Return {(job, index): text of the stored tree} of all results but those of the jobs `apart`, all valid."""
        found = {}
        for path in sorted(self.folder.glob("*/point-*.json")):
            if path.parent.name in apart:
                continue
            record = job_files.read_json(path, is_checked=True)
            assert record is not None, path
            found[record["job"], record["index"]] = record.get("tree")
        return found

    def log(self):
        return "".join(self.lines)

    def is_quiet(self):
        """Test that the log contains no traceback."""
        text = self.log()
        assert not [sign for sign in TRACES if sign in text], text[-6000:]
        return True


def _kind(process):
    try:
        words, parent = " ".join(process.cmdline()), process.parent()
    except psutil.Error:
        return None
    if "pages.jobs.limited_host" in words:
        return "reading" if parent is not None and "limited_host" in " ".join(parent.cmdline()) else "reader"
    if "pages.jobs.cluster" in words:
        return "cluster"
    if "resource_tracker" in words:
        return "tracker"
    if "multiprocessing.forkserver" in words:
        return "worker" if parent is not None and "forkserver" in " ".join(parent.cmdline()) else "fork server"
    return None


class Visitor(Tab):
    """A tab that collects the sentences of its page. Raises RuntimeError for a traceback on the page.

    texts : what the last run showed in notices, progress bars and captions; errors, warnings : the notices among them;
    buttons : {label: id}; selects : {label: select box}; is_busy : whether a job runs.
    """

    def __init__(self, url, page="", query=SMALL, headers=None):
        super().__init__(url, page, query, True, headers)
        self.texts, self.errors, self.warnings, self.buttons, self.selects = [], [], [], {}, {}

    async def run(self, *changes, **others):
        self.texts, self.errors, self.warnings, self.buttons, self.selects = [], [], [], {}, {}
        return await super().run(*changes, **others)

    def hear(self, kind, message):
        if kind != "delta":
            return
        element = message.delta.new_element
        what = element.WhichOneof("type")
        if what == "alert":
            self.texts.append(element.alert.body)
            kinds = {Alert.ERROR: self.errors, Alert.WARNING: self.warnings}
            kinds.get(element.alert.format, []).append(element.alert.body)
        elif what == "button":
            self.buttons[element.button.label] = element.button.id
        elif what == "selectbox":
            self.selects[element.selectbox.label] = element.selectbox
        elif what in ("progress", "markdown", "html", "toast"):
            one = getattr(element, what)
            self.texts.append(getattr(one, "text", "") or getattr(one, "body", ""))

    @property
    def is_busy(self):
        return "Cancel" in self.buttons

    async def press(self, label):
        await self.run(pressed(self.buttons[label]))

    async def choose(self, label, option):
        """Choose an option of a select box."""
        box = self.selects[label]

        def change(widget):
            widget.id, widget.string_value = box.id, option

        await self.run(change)

    async def wait(self, seconds=PATIENCE, until=None):
        """Run the page until no job runs any more, or until `until()` is true."""
        end = time.monotonic() + seconds * machine_load()
        while not until() if until is not None else self.is_busy:
            assert time.monotonic() < end, self.texts
            await asyncio.sleep(0.25)
            await self.run()
        return self


async def trained(server, query, page=""):
    """Let a visitor wait for the trees of a page, and return the visitor. No page shows an error."""
    async with Visitor(server.url, page, query) as visitor:
        await visitor.run()
        await visitor.wait()
        assert visitor.errors == []
        return visitor


def metrics(server):
    """Return {name: number}."""
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=60) as answer:
        text = answer.read().decode()
    return {name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", text, re.M)}


@pytest.fixture
def serve(tmp_path):
    """Return a function that starts a `Server`, which ends with the test."""
    started = []

    def serve(**arguments):
        folder = arguments.pop("folder", tmp_path / "jobs")
        folder.mkdir(exist_ok=True)
        started.append(Server(folder, **arguments))
        return started[-1]

    yield serve
    for one in started:
        for process in [one.process, *(one.find("cluster") if one.process.poll() is None else ())]:
            if process.pid and psutil.pid_exists(process.pid):
                os.kill(process.pid, signal.SIGCONT)
        one.end()
