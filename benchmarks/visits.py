"""Whether visits leave something behind: visitors who come one after the other, each with a file of their own.

    python -m benchmarks.visits                    # 2,000 visits
    python -m benchmarks.visits --visits 60 --every 20

Each opens the Data page in a browser of their own (as far as the server can tell), uploads a table of about a megabyte
that nobody has sent before, waits until it is looked over, every tenth makes a data set of it and goes on to its trees,
and closes the tab. Told every `--every` visits: memory that the server and the process that reads hold for themselves,
files on the disk, seconds of a visit. At the end nobody comes for as long as Streamlit keeps the session of a closed
tab, then one more does: what is held then is what visits leave behind.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from pathlib import Path

import numpy as np
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.common import free_port, heading, table, wait_for, write_json
from benchmarks.load import memory

FORGOTTEN = 130  # seconds after which Streamlit has dropped the session of a closed tab
ROWS, COLUMNS = 20_000, 10


def a_file(number):
    """bytes of a CSV file, another one for each number."""
    random = np.random.default_rng(number)
    X = random.integers(0, 10_000, (ROWS, COLUMNS)) / 100
    y = (X[:, 0] + X[:, 1] > 100).astype(int)
    names = ",".join([*(f"measure {k}" for k in range(COLUMNS)), "class"])
    lines = (",".join(map(str, [*row, "ab"[group]])) for row, group in zip(X.tolist(), y.tolist(), strict=True))
    return "\n".join([names, *lines]).encode()


class Visit:
    """One browser that comes to the Data page once."""

    def __init__(self, url):
        self.url, self.query, self.script = url, "from=file", ""
        with urllib.request.urlopen(f"{url}/_stcore/health") as answer:
            self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        self.session, self.uploader, self.buttons, self.told = "", "", {}, []

    async def __aenter__(self):
        self.socket = await websockets.connect(
            f"ws{self.url.removeprefix('http')}/_stcore/stream", subprotocols=["streamlit"], max_size=None,
            compression=None, origin=self.url, proxy=None, additional_headers={"Cookie": self.cookie},
        )  # fmt: skip
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def run(self, *states):
        """A run of the page, and those that follow from it; states : functions that change a widget."""
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string, rerun.page_script_hash = self.query, self.script
        rerun.page_name = "" if self.script else "data"
        for change in states:
            change(rerun.widget_states.widgets.add())
        self.buttons = {}
        await self.socket.send(message.SerializeToString())
        while (await self._next()).WhichOneof("type") != "script_finished" or self.again:
            pass

    async def _next(self):
        message = ForwardMsg.FromString(await self.socket.recv())
        kind = message.WhichOneof("type")
        self.again = kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id or self.session
        elif kind == "navigation":
            self.script = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta":
            element = message.delta.new_element
            if element.WhichOneof("type") == "exception":
                raise RuntimeError(element.exception.message)
            if element.WhichOneof("type") == "file_uploader":
                self.uploader = element.file_uploader.id
            if element.WhichOneof("type") == "alert":
                self.told.append(element.alert.body)
            if element.WhichOneof("type") == "button":
                self.buttons[element.button.label] = element.button.id
        return message

    async def upload(self, content):
        """Drop a file into the page."""
        asked = BackMsg()
        asked.file_urls_request.request_id = uuid.uuid4().hex
        asked.file_urls_request.file_names.append("table.csv")
        asked.file_urls_request.session_id = self.session
        await self.socket.send(asked.SerializeToString())
        while (message := await self._next()).WhichOneof("type") != "file_urls_response":
            pass
        urls = message.file_urls_response.file_urls[0]
        await asyncio.to_thread(self._put, urls.upload_url, content)

        def dropped(widget):
            widget.id = self.uploader
            info = widget.file_uploader_state_value.uploaded_file_info.add()
            info.file_id, info.name, info.size = urls.file_id, "table.csv", len(content)
            info.file_urls.CopyFrom(urls)

        await self.run(dropped)

    def _put(self, path, content):
        boundary = uuid.uuid4().hex
        body = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="table.csv"\r\n'
            f"Content-Type: text/csv\r\n\r\n".encode()
            + content
            + f"\r\n--{boundary}--\r\n".encode()
        )
        kind = f"multipart/form-data; boundary={boundary}"
        token = self.cookie.partition("=")[2]
        headers = {"Content-Type": kind, "Cookie": self.cookie, "X-Xsrftoken": token, "Origin": self.url}
        urllib.request.urlopen(urllib.request.Request(self.url + path, body, headers, method="PUT")).close()

    async def click(self, label):
        """Press a button."""

        def pressed(widget):
            widget.id, widget.trigger_value = self.buttons[label], True

        await self.run(pressed)


async def visit(url, number):
    """One visit. Raises RuntimeError where the file is not looked over at its end."""
    async with Visit(url) as browser:
        await browser.run()
        await browser.upload(a_file(number))
        if "Explore this data" not in browser.buttons:
            raise RuntimeError(f"The file was not looked over: {browser.told}")
        if number % 10 == 0:
            await browser.click("Explore this data")


def reading(server):
    """Process that reads files for a server: the child of that name."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            if parent == server and b"limited_host" in (path.parent / "cmdline").read_bytes():
                return int(path.parent.name)
        except OSError:  # it has just ended
            continue
    return None


HEADER = ("visits", "server", "reads", "on disk", "a visit")


def row(figures):
    """Line of the table."""
    sizes = [f"{figures[name] / 1e6:.0f} MB" for name in ("server", "reads", "disk")]
    return [f"{figures['visits']:,}{figures['note']}", *sizes, f"{figures['seconds']:.2f} s"]


async def measure(server, url, folder, wanted):
    """List of figures; told as they come."""
    found, begun, since = [], time.monotonic(), 0

    def tell(number, note=""):
        nonlocal begun, since
        seconds = (time.monotonic() - begun) / max(number - since, 1)
        disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        host = reading(server)
        found.append({"visits": number, "note": note, "server": memory(server), "reads": memory(host) if host else 0,
                      "disk": disk, "seconds": seconds})  # fmt: skip
        print(*row(found[-1]), sep="  ", flush=True)
        begun, since = time.monotonic(), number

    end = begun + wanted.seconds
    number = 0
    while number < wanted.visits and time.monotonic() < end:
        together = [visit(url, number + k) for k in range(min(wanted.together, wanted.visits - number))]
        await asyncio.gather(*together)
        number += len(together)
        if number % wanted.every < wanted.together:
            tell(number)
    tell(number)
    await asyncio.sleep(FORGOTTEN)
    await visit(url, number + 1)
    tell(number + 1, " and a pause")
    return found


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=2000)
    parser.add_argument("--together", type=int, default=2, help="visitors at the same time")
    parser.add_argument("--every", type=int, default=100, help="visits between two looks")
    parser.add_argument("--seconds", type=int, default=7200, help="when nobody comes any more")
    wanted = parser.parse_args()
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            command, cwd=Path(__file__).parents[1], env={**os.environ, "TAO_JOBS": folder}, stdout=subprocess.DEVNULL
        )
        try:
            wait_for(f"{url}/_stcore/health")
            found = asyncio.run(measure(server.pid, url, folder, wanted))
        finally:
            server.terminate()
            server.wait()
    print(heading(f"{wanted.visits:,} visits with a file each"), table(HEADER, map(row, found)), sep="\n")
    write_json("visits", {"arguments": vars(wanted), "visits": found})


if __name__ == "__main__":
    main()
