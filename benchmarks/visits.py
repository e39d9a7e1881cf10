"""Test whether visits leak memory or files: visitors come one after the other, each with a separate file.

    python -m benchmarks.visits                    # 2,000 visits
    python -m benchmarks.visits --visits 60 --every 20

Each visitor opens the Data page in a new browser session, uploads a new table of about a megabyte, waits until it is
checked, and closes the tab. Every tenth visitor first creates a data set from the table and opens its trees. Every
`--every` visits, the script reports the memory of the server and of the reading process, the files on the disk, and the
seconds of a visit. At the end, it waits until Streamlit drops the sessions of closed tabs, and makes one more visit.
The remaining memory and files are the leak.
"""

import argparse
import asyncio
import contextlib
import time
import urllib.request
import uuid

import numpy as np
import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.common import heading, table, write_json
from benchmarks.harness import memory, served
from benchmarks.tabs import Tab, pressed

FORGOTTEN = 130  # seconds after which Streamlit has dropped the session of a closed tab
ROWS, COLUMNS = 20_000, 10


def a_file(number):
    """Return the bytes of a CSV file, different for each number."""
    random = np.random.default_rng(number)
    X = random.integers(0, 10_000, (ROWS, COLUMNS)) / 100
    y = (X[:, 0] + X[:, 1] > 100).astype(int)
    names = ",".join([*(f"measure {k}" for k in range(COLUMNS)), "class"])
    lines = (",".join(map(str, [*row, "ab"[group]])) for row, group in zip(X.tolist(), y.tolist(), strict=True))
    return "\n".join([names, *lines]).encode()


class Visit(Tab):
    """One browser that visits the Data page once."""

    def __init__(self, url):
        with urllib.request.urlopen(f"{url}/_stcore/health") as answer:
            self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        super().__init__(url, "data", "from=file", headers={"Cookie": self.cookie})
        self.session, self.uploader, self.buttons, self.alerts = "", "", {}, []

    async def run(self, *changes):
        """Run the page and the runs that follow. Raises RuntimeError if it fails."""
        self.buttons = {}
        return await super().run(*changes)

    def hear(self, kind, message):
        """Store the session, widgets and notices."""
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id or self.session
        elif kind == "delta":
            element = message.delta.new_element
            kind = element.WhichOneof("type")
            if kind == "file_uploader":
                self.uploader = element.file_uploader.id
            elif kind == "alert":
                self.alerts.append(element.alert.body)
            elif kind == "button":
                self.buttons[element.button.label] = element.button.id

    async def upload(self, content):
        """Drop a file on the page."""
        asked = BackMsg()
        asked.file_urls_request.request_id = uuid.uuid4().hex
        asked.file_urls_request.file_names.append("table.csv")
        asked.file_urls_request.session_id = self.session
        await self.send(asked)
        while (message := await self.next()).WhichOneof("type") != "file_urls_response":
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


async def visit(url, number):
    """Make one visit. Raises RuntimeError if the file is not checked at its end."""
    async with Visit(url) as browser:
        await browser.run()
        await browser.upload(a_file(number))
        if "Explore this data" not in browser.buttons:
            raise RuntimeError(f"The file was not checked: {browser.alerts}")
        if number % 10 == 0:
            await browser.run(pressed(browser.buttons["Explore this data"]))


def reading(server):
    """Return the memory in bytes of the server's child that reads files, 0 if it has ended."""
    for child in server.children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if "limited_host" in " ".join(child.cmdline()):
                return memory(child)
    return 0


HEADER = ("visits", "server", "reads", "on disk", "a visit")


def row(figures):
    """Return the table row."""
    sizes = [f"{figures[name] / 1e6:.0f} MB" for name in ("server", "reads", "disk")]
    return [f"{figures['visits']:,}{figures['note']}", *sizes, f"{figures['seconds']:.2f} s"]


async def measure(app, options):
    """Return the list of metrics, and print the metrics as they arrive."""
    found, begun, since = [], time.monotonic(), 0

    def tell(number, note=""):
        nonlocal begun, since
        seconds = (time.monotonic() - begun) / max(number - since, 1)
        disk = sum(path.stat().st_size for path in app.jobs.rglob("*") if path.is_file())
        found.append({"visits": number, "note": note, "server": app.memory(), "reads": reading(app.process),
                      "disk": disk, "seconds": seconds})  # fmt: skip
        print(*row(found[-1]), sep="  ", flush=True)
        begun, since = time.monotonic(), number

    end = begun + options.seconds
    number = 0
    while number < options.visits and time.monotonic() < end:
        together = [visit(app.url, number + k) for k in range(min(options.together, options.visits - number))]
        await asyncio.gather(*together)
        number += len(together)
        if number % options.every < options.together:
            tell(number)
    tell(number)
    await asyncio.sleep(FORGOTTEN)
    await visit(app.url, number + 1)
    tell(number + 1, " and a pause")
    return found


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=2000)
    parser.add_argument("--together", type=int, default=2, help="number of simultaneous visitors")
    parser.add_argument("--every", type=int, default=100, help="number of visits between two reports")
    parser.add_argument("--seconds", type=int, default=7200, help="seconds after which no new visit starts")
    options = parser.parse_args()
    with served() as app:
        found = asyncio.run(measure(app, options))
    print(heading(f"{options.visits:,} visits with a file each"), table(HEADER, map(row, found)), sep="\n")
    write_json("visits", {"arguments": vars(options), "visits": found})


if __name__ == "__main__":
    main()
