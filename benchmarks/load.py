"""How the app holds with many visitors: websockets on this machine that speak Streamlit's protocol, as browsers do.

    python -m benchmarks.load                      # 50 visitors, each page, a click of everybody every 5 s or so
    python -m benchmarks.load --think 0            # the worst case: everybody clicks again at once
    python -m benchmarks.load --quick              # 5 visitors, 2 reruns
    python -m benchmarks.load --pages explain rules --visitors 20 --reruns 10

It starts a server of its own with an empty jobs folder, trains what the pages show with one visitor, and ends by itself
after `--seconds` at the latest. Per page: seconds of the first run of a visitor (all open it within a think time) and
of a rerun, from the request to the end of the script with all its messages here; the work of a run, in seconds of a
processor, which a busy machine does not change much; what the server's memory grew by, and what it sent, per visitor
after the first. What goes by reference a browser asks for once, beside all this; the visitors here do not. Run it on a
machine that does nothing else: the visitors need a core of their own.
"""

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import websockets
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.common import free_port, heading, table, wait_for, write_json

PAGES = ("", "learn", "bivariate", "phase", "compare", "edit", "rules", "explain", "predict", "data", "about")
LARGE = 4000  # bytes; a longer message is data, never the end of a run


class Visitor:
    """One browser tab on one page.

    reads_all : parse large messages too, which costs the visitors' core; the texts of error alerts come into `alerts`
    """

    def __init__(self, url, page, query, reads_all=False):
        self.url, self.page, self.query = url, page, query
        self.reads_all, self.alerts = reads_all, []
        self.script, self.kept, self.busy, self.received = "", set(), False, 0

    async def __aenter__(self):
        address = f"ws{self.url.removeprefix('http')}/_stcore/stream"
        options = {"max_size": None, "compression": None, "origin": self.url, "proxy": None}
        self.socket = await websockets.connect(address, subprotocols=["streamlit"], **options)
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def run(self):
        """Seconds of a run of the page, with all that it sends. Raises RuntimeError where it fails."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash = self.query, self.script
        state.page_name = "" if self.script else self.page
        state.cached_message_hashes.extend(self.kept)
        begun = time.perf_counter()
        self.busy = False
        await self.socket.send(message.SerializeToString())
        while not await self._is_over():
            pass
        return time.perf_counter() - begun

    async def _is_over(self):
        data = await self.socket.recv()
        self.received += len(data)
        if len(data) > LARGE and not self.reads_all:
            self._keep(data)
            return False
        message = ForwardMsg.FromString(data)
        kind = message.WhichOneof("type")
        if message.hash and kind != "ref_hash":
            self.kept.add(message.hash)
        if kind == "navigation":
            self.script = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "exception":
            raise RuntimeError(f"/{self.page}: {message.delta.new_element.exception.message}")
        elif kind == "delta" and message.delta.new_element.alert.format == Alert.ERROR:
            self.alerts.append(message.delta.new_element.alert.body)
        elif kind == "session_event" and message.session_event.HasField("script_compilation_exception"):
            raise RuntimeError(f"/{self.page}: {message.session_event.script_compilation_exception.message}")
        elif kind == "delta" and message.delta.new_element.button.label == "Cancel":
            self.busy = True
        return kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _keep(self, data):
        """Remember the name of a large message, as browsers do, so that the server need not send it again."""
        if data[0] == 0x0A:  # field 1, a text
            self.kept.add(data[2 : 2 + data[1]].decode())


async def train(url, pages, query, seconds=240):
    """Let one visitor wait on each page until all is trained. Raises TimeoutError."""
    end = time.monotonic() + seconds
    for page in pages:
        async with Visitor(url, page, query) as visitor:
            await visitor.run()
            while visitor.busy:
                if time.monotonic() > end:
                    raise TimeoutError(f"/{page} was still training after {seconds} s.")
                await asyncio.sleep(1)
                await visitor.run()


async def visit(url, page, query, count, reruns, think):
    """(seconds of first runs, seconds of reruns) of `count` visitors that are on a page together."""
    first, later = [], []
    ready = asyncio.Event()

    async def stay(visitor):
        await asyncio.sleep(random.uniform(0, think))
        first.append(await visitor.run())
        if len(first) == count:
            ready.set()
        await ready.wait()
        for _ in range(reruns):
            await asyncio.sleep(random.uniform(0.5, 1.5) * think)
            later.append(await visitor.run())

    visitors = [Visitor(url, page, query) for _ in range(count)]
    try:
        for visitor in visitors:
            await visitor.__aenter__()
        await asyncio.gather(*map(stay, visitors))
        return first, later, visitors
    except BaseException:
        await leave(visitors)
        raise


async def leave(visitors):
    """Close the tabs."""
    await asyncio.gather(*(visitor.__aexit__() for visitor in visitors if hasattr(visitor, "socket")))


def memory(process):
    """Bytes of memory that a process holds for itself."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))


def work(process):
    """Seconds of a processor that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(server, url, page, wanted):
    """Figures of one page, a dict; wanted : the arguments of the command."""
    others = wanted.visitors - 1
    async with Visitor(url, page, wanted.query) as visitor:
        alone = [await visitor.run() for _ in range(6)][1:]
        held, worked = memory(server), work(server)
        first, later, visitors = await visit(url, page, wanted.query, others, wanted.reruns, wanted.think)
        figures = {
            "alone": statistics.median(alone), "first": first, "later": later,
            "work": (work(server) - worked) / (len(first) + len(later)), "memory": (memory(server) - held) / others,
            "received": statistics.median(visitor.received for visitor in visitors),
        }  # fmt: skip
        await leave(visitors)
    return figures


HEADER = ("page", "alone", "first run p50", "p95", "rerun p50", "p95", "work a run", "memory", "sent")


def row(page, figures):
    """Line of the table."""
    cuts = [statistics.quantiles(figures[kind], n=20) for kind in ("first", "later")]
    seconds = [figures["alone"], cuts[0][9], cuts[0][18], cuts[1][9], cuts[1][18]]
    sizes = [f"{figures[name] / 1e6:.2f} MB" for name in ("memory", "received")]
    return [f"/{page}", *(f"{value:.3f} s" for value in seconds), f"{figures['work'] * 1000:.0f} ms", *sizes]


async def measure_all(server, url, wanted):
    """{page: figures}; told as they come."""
    await train(url, wanted.pages, wanted.query)
    results = {}
    for page in wanted.pages:
        results[page] = await measure(server, url, page, wanted)
        print(*row(page, results[page]), sep="  ", flush=True)
    return results


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--reruns", type=int, default=6, help="of each visitor on each page")
    parser.add_argument("--think", type=float, default=5.0, help="seconds between an answer and the next click")
    parser.add_argument("--pages", nargs="*", default=PAGES, choices=PAGES)
    parser.add_argument("--query", default="", help="settings of the pages, as in their addresses")
    parser.add_argument("--seconds", type=int, default=1500, help="when to end at the latest")
    parser.add_argument("--quick", action="store_true", help="5 visitors, 2 reruns, iris")
    wanted = parser.parse_args()
    if wanted.quick:
        wanted.visitors, wanted.reruns, wanted.think, wanted.query = 5, 2, 1.0, "data_set=iris&max_depth=3&n_lambdas=6"
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            command, cwd=Path(__file__).parents[1], env={**os.environ, "TAO_JOBS": folder}, stdout=subprocess.DEVNULL
        )
        try:
            wait_for(f"{url}/_stcore/health")
            results = asyncio.run(asyncio.wait_for(measure_all(server.pid, url, wanted), wanted.seconds))
        finally:
            server.terminate()
            server.wait()
    title = f"{wanted.visitors} visitors, {wanted.think:g} s between an answer and the next click"
    print(heading(title), table(HEADER, [row(*item) for item in results.items()]), sep="\n")
    write_json("load", {"arguments": vars(wanted), "pages": results}, "quick" if wanted.quick else None)


if __name__ == "__main__":
    main()
