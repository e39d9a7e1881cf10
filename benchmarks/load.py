"""Measure the app with many visitors, simulated by websockets on this machine that use Streamlit's protocol.

    python -m benchmarks.load                      # 50 visitors, each page, one click per visitor about every 5 s
    python -m benchmarks.load --think 0            # the worst case: all visitors click again at once
    python -m benchmarks.load --quick              # 5 visitors, 2 reruns
    python -m benchmarks.load --pages explain rules --visitors 20 --reruns 10

The script starts its own server with an empty jobs folder, trains the trees of the pages with one visitor, and ends
after at most `--seconds`. For each page, it reports the seconds of a visitor's first run and of a rerun, from the
request until all messages have arrived. All visitors open the page within one think time. The script also reports the
CPU seconds of a run, which depend little on the load of the machine. The last numbers are the memory growth of the
server and the sent bytes, per visitor after the first.

Browsers also fetch the files that messages refer to, once; these visitors do not. Run the script on an idle machine,
because the visitors need a core of their own.
"""

import argparse
import asyncio
import random
import statistics
import time

from streamlit.proto.Alert_pb2 import Alert

from benchmarks.common import heading, table, write_json
from benchmarks.harness import served
from benchmarks.tabs import Tab

PAGES = ("", "learn", "bivariate", "phase", "compare", "edit", "rules", "explain", "predict", "data", "about")


class Visitor(Tab):
    """A tab that checks whether its page is still training (`busy`).

    reads_all : whether to parse large messages too; `alerts` then contains the texts of error alerts.
    """

    def __init__(self, url, page, query, reads_all=False):
        super().__init__(url, page, query, reads_all)
        self.alerts, self.busy = [], False

    async def run(self, *changes):
        """Run the page and return the seconds until all messages have arrived.

        changes : as in `Tab.run`. Raises RuntimeError if the page fails.
        """
        self.busy = False
        return await super().run(*changes)

    def hear(self, kind, message):
        """Store error alerts, and whether the page has a cancel button."""
        if kind == "delta":
            element = message.delta.new_element
            if element.alert.format == Alert.ERROR:
                self.alerts.append(element.alert.body)
            self.busy |= element.button.label == "Cancel"


async def train(url, pages, query, seconds=240):
    """Let one visitor wait on each page until all trees are trained. Raises TimeoutError."""
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
    """Let `count` visitors open a page at once. Return (seconds of first runs, seconds of reruns)."""
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


async def measure(app, page, options):
    """Return a dict with the metrics of one page.

    options : arguments of the command.
    """
    others = options.visitors - 1
    async with Visitor(app.url, page, options.query) as visitor:
        alone = [await visitor.run() for _ in range(6)][1:]
        held, worked = app.memory(), app.work()
        first, later, visitors = await visit(app.url, page, options.query, others, options.reruns, options.think)
        figures = {
            "alone": statistics.median(alone), "first": first, "later": later,
            "work": (app.work() - worked) / (len(first) + len(later)), "memory": (app.memory() - held) / others,
            "received": statistics.median(visitor.received for visitor in visitors),
        }  # fmt: skip
        await leave(visitors)
    return figures


HEADER = ("page", "alone", "first run p50", "p95", "rerun p50", "p95", "work a run", "memory", "sent")


def row(page, figures):
    """Return the table row."""
    cuts = [statistics.quantiles(figures[kind], n=20) for kind in ("first", "later")]
    seconds = [figures["alone"], cuts[0][9], cuts[0][18], cuts[1][9], cuts[1][18]]
    sizes = [f"{figures[name] / 1e6:.2f} MB" for name in ("memory", "received")]
    return [f"/{page}", *(f"{value:.3f} s" for value in seconds), f"{figures['work'] * 1000:.0f} ms", *sizes]


async def measure_all(app, options):
    """Return {page: metrics}, and print the metrics as they arrive."""
    await train(app.url, options.pages, options.query)
    results = {}
    for page in options.pages:
        results[page] = await measure(app, page, options)
        print(*row(page, results[page]), sep="  ", flush=True)
    return results


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--reruns", type=int, default=6, help="number of reruns of each visitor on each page")
    parser.add_argument("--think", type=float, default=5.0, help="seconds between an answer and the next click")
    parser.add_argument("--pages", nargs="*", default=PAGES, choices=PAGES)
    parser.add_argument("--query", default="", help="settings of the pages, as in their URLs")
    parser.add_argument("--seconds", type=int, default=1500, help="maximum duration in seconds")
    parser.add_argument("--quick", action="store_true", help="use 5 visitors, 2 reruns and iris")
    options = parser.parse_args()
    if options.quick:
        options.visitors, options.reruns, options.think = 5, 2, 1.0
        options.query = "data_set=iris&max_depth=3&n_lambdas=6"
    with served() as app:
        results = asyncio.run(asyncio.wait_for(measure_all(app, options), options.seconds))
    title = f"{options.visitors} visitors, {options.think:g} s between an answer and the next click"
    print(heading(title), table(HEADER, [row(*item) for item in results.items()]), sep="\n")
    write_json("load", {"arguments": vars(options), "pages": results}, "quick" if options.quick else None)


if __name__ == "__main__":
    main()
