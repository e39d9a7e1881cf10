"""Measure the cost of a rerun of each page, as a multiple of a bare Streamlit page in the same run.

    python -m benchmarks.reruns                           # 50 visitors x 4 reruns of each page, with pauses of 0.5 s
    python -m benchmarks.reruns --pages tree rules --repeats 5
    python -m benchmarks.reruns --change                  # each rerun changes the value of a slider or a select box
    python -m benchmarks.reruns --against FOLDER          # another version of the app in the same run
    python -m benchmarks.reruns --memory 20 --rest 600    # memory of the server while visitors come and go

The bare page has 20 lines of text, a slider and a select box, and its server has the same configuration. The visitors
are websockets that use Streamlit's protocol, as in benchmarks/load.py. All of them open a page and run it again, half a
second after the previous run has arrived. The bare page and the pages take turns, so that other work on the machine
affects all of them. The script reports the seconds until all reruns have arrived, and the CPU seconds of the server per
rerun, both also as a multiple of the bare page. The CPU seconds depend less on other work on the machine.

With `--memory`, the script visits all pages in rounds and reports the memory of the server after each round, when no
visitor is left, and at the end of the rest.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks.common import heading, table, write_json
from benchmarks.harness import served
from benchmarks.load import Visitor, leave, train

BARE = """
import streamlit as st

for number in range(20):
    st.write(f"This is line {number} of a page with little text.")
st.slider("Number", 0, 100, 50)
st.selectbox("Letter", list("abcdefgh"))
"""
# for each page: its name in the address, its settings, and the label of a widget that `--change` changes
PAGES = {
    "bare": ("", "", "Number"),
    "tree": ("", "", "Split type"),
    "rules": ("rules", "", "Sort by"),
    "compare": ("compare", "data_set=iris&methods=cart-tao_univariate-tao_bivariate&repeats=3", "Compare against"),
    "data": ("data", "", "Data set"),
    "predict": ("predict", "", "Part"),
    "learn": ("learn", "", "Split type"),
}


class Changer(Visitor):
    """A visitor who chooses another value of a widget in every run, if `label` names one."""

    def __init__(self, url, page, query, label=None):
        super().__init__(url, page, query, reads_all=label is not None)
        self.label, self.widget, self.turn = label, None, 0

    def hear(self, kind, message):
        """Find the widget."""
        super().hear(kind, message)
        if kind == "delta" and self.label is not None:
            kind = message.delta.new_element.WhichOneof("type")
            if kind in ("slider", "selectbox", "button_group"):
                widget = getattr(message.delta.new_element, kind)
                if widget.label == self.label:
                    self.widget = kind, widget

    async def again(self):
        """Run the page again."""
        self.turn += 1
        await self.run(*(() if self.label is None else (self._change,)))

    def _change(self, state):
        kind, widget = self.widget
        state.id, place = widget.id, self.turn % 2
        if kind == "selectbox":
            state.string_value = widget.options[place]
        elif kind == "button_group":
            state.string_array_value.data[:] = [widget.options[place].content]
        else:
            state.double_array_value.data[:] = [widget.default[0] + place * widget.step]


async def visit(app, page, options):
    """Let visitors open a page and then run it again. Return (seconds of all reruns, CPU seconds of each)."""
    path, query, label = PAGES[page]
    visitors = [Changer(app.url, path, query, label if options.change else None) for _ in range(options.visitors)]

    async def rerun(visitor):
        for _ in range(options.reruns):
            await asyncio.sleep(options.pause)
            await visitor.again()

    try:
        for visitor in visitors:
            await visitor.__aenter__()
        await asyncio.gather(*(visitor.run() for visitor in visitors))
        began, worked = time.perf_counter(), app.work()
        await asyncio.gather(*map(rerun, visitors))
        work = (app.work() - worked) / (options.visitors * options.reruns)
        return time.perf_counter() - began, work
    finally:
        await leave(visitors)


async def prepare(app, pages, options):
    """Train the trees of all pages, also those that `--change` needs."""
    for page in pages:
        path, query, label = PAGES[page]
        await train(app.url, [path], query, options.train)
        if options.change:
            for _ in range(2):
                async with Changer(app.url, path, query, label) as visitor:
                    await visitor.run()
                    await visitor.again()
                    while visitor.busy:
                        await asyncio.sleep(1)
                        await visitor.run()


async def measure(apps, options):
    """Return {name: [(seconds of all reruns, CPU seconds of the server per rerun), ...]}.

    apps : {name: (page, `App`)}
    """
    found = {name: [] for name in apps}
    for turn in range(options.repeats):
        for name, (page, app) in apps.items():
            seconds, work = await visit(app, page, options)
            found[name].append((seconds, work))
            print(f"{turn + 1}  {name:14} {seconds:6.2f} s  {work * 1000:6.1f} ms", flush=True)
    return found


def rows(found):
    """Return the rows of the table."""
    bare = [statistics.median(values) for values in zip(*found["bare"], strict=True)]
    for page, values in found.items():
        seconds, work = (statistics.median(part) for part in zip(*values, strict=True))
        yield page, f"{seconds:.2f} s", f"{seconds / bare[0]:.2f}", f"{work * 1000:.1f} ms", f"{work / bare[1]:.2f}"


async def remember(app, pages, options):
    """Visit the pages in rounds, rest, and return [(moment, megabytes of the server)]."""
    found = [("start", app.memory() / 1e6)]
    for turn in range(options.memory):
        for page in pages:
            await visit(app, page, options)
        await asyncio.sleep(1)
        found.append((f"round {turn + 1}", app.memory() / 1e6))
        print(*found[-1], flush=True)
    for minute in range(round(options.rest / 60)):
        await asyncio.sleep(60)
        found.append((f"{minute + 1} min of rest", app.memory() / 1e6))
        print(*found[-1], flush=True)
    return found


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", nargs="*", default=[page for page in PAGES if page != "bare"], choices=PAGES)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--reruns", type=int, default=4, help="number of reruns of each visitor")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between an answer and the next rerun")
    parser.add_argument("--repeats", type=int, default=3, help="number of times that each page is measured")
    parser.add_argument("--change", action="store_true", help="change the value of a widget in each rerun")
    parser.add_argument("--against", type=Path, help="folder of another version of the app")
    parser.add_argument("--memory", type=int, default=0, help="number of rounds after which the memory is reported")
    parser.add_argument("--rest", type=float, default=600, help="seconds of rest after these rounds")
    parser.add_argument("--train", type=int, default=600, help="maximum seconds in which the trees of a page train")
    parser.add_argument("--jobs", type=Path, help="folder of trained trees (default: a new one)")
    options = parser.parse_args()
    with ExitStack() as stack:
        app = stack.enter_context(served(jobs=options.jobs))
        asyncio.run(prepare(app, options.pages, options))
        apps = {page: (page, app) for page in options.pages}
        if options.against:
            other = stack.enter_context(served(place=options.against, jobs=options.jobs))
            asyncio.run(prepare(other, options.pages, options))
            apps |= {f"{page}, other": (page, other) for page in options.pages}
            apps = dict(sorted(apps.items(), key=lambda item: options.pages.index(item[1][0])))
        if options.memory:
            results = asyncio.run(remember(app, options.pages, options))
            print(table(("moment", "MB"), [(moment, f"{size:.0f}") for moment, size in results]))
        else:
            script = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "bare.py"
            script.write_text(BARE, encoding="utf-8")
            bare = stack.enter_context(served(script))
            results = asyncio.run(measure({"bare": ("bare", bare)} | apps, options))
            title = f"{options.visitors} visitors x {options.reruns} reruns, pauses of {options.pause:g} s"
            header = ("page", "all reruns", "/ bare", "CPU of a rerun", "/ bare")
            print(heading(title), table(header, list(rows(results))), sep="\n")
    write_json("reruns", {"arguments": vars(options) | {"jobs": None, "against": None}, "results": results})


if __name__ == "__main__":
    main()
