"""Measure the response times of a room: the teacher and the students are websockets, as in benchmarks/load.py.

    python -m benchmarks.room                      # 50 students in 5 rooms, one after the other
    python -m benchmarks.room --students 5 --rooms 1
    python -m benchmarks.room --draw               # each student moves a threshold in a contest instead of guessing

The script starts its own server. The teacher opens a room from a lesson's first question. The students join by its code
and guess within `--spread` seconds. All pages refresh as often as in a browser. The script reports the seconds from a
student's click until the count on the teacher's screen includes it, and the seconds of each run of a page, from the
request to the end. The script also reports the CPU seconds of a run, which depend little on the load of the machine.
"""

import argparse
import asyncio
import json
import random
import re
import statistics
import time
from typing import NamedTuple

from benchmarks.common import heading, table, write_json
from benchmarks.harness import served
from benchmarks.tabs import Tab, pressed
from pages.ui.learn import lessons

LESSON, CONTEST = "lesson=lambda-prunes", "split-choice"
CODE, COUNT = re.compile(r'room-code">(\w+)<'), re.compile(r"present, (\d+) (?:answered|drew)")


class Slider(NamedTuple):
    """A slider of a page: with options, or with numbers from low to high."""

    id: str
    options: list
    low: float
    high: float
    fragment: str


class Member(Tab):
    """A tab of a teacher or a student, which runs its page and then the fragments that refresh themselves."""

    def __init__(self, url, page, query):
        super().__init__(url, page, query)
        self.buttons, self.sliders, self.code, self.count, self.runs = {}, {}, "", 0, []
        self.timers, self.free, self.changed = {}, asyncio.Lock(), asyncio.Event()
        self.stage, self.drawn = None, 0

    async def open(self):
        """Connect and run the page once."""
        await self.__aenter__()
        await self.run()
        return self

    async def close(self):
        """Close the connection."""
        for timer in self.timers.values():
            timer.cancel()
        await self.__aexit__()

    async def press(self, label):
        """Press a button in its fragment."""
        button, fragment = self.buttons[label]
        await self.run(pressed(button), fragment=fragment)

    async def slide(self):
        """Move the slider of the page to a random option or number. A guess can be sent afterwards only."""
        slider = next(iter(self.sliders.values()))
        value = random.choice(slider.options[1:]) if slider.options else random.uniform(slider.low, slider.high)
        await self.run(_moved(slider.id, value), fragment=slider.fragment)

    async def draw(self, at):
        """Draw a threshold on the first feature, as the editor of the stage reports it."""
        name, fragment, header = self.stage
        root = header["edit"]["document"]["nodes"][0]
        low, high = (root | {"id": name, "left": None, "right": None} for name in (1001, 1002))
        root = root | {"left": 1001, "right": 1002, "features": [0], "weights": [1.0], "bias": -at}
        self.drawn += 1
        report = {"key": header["key"], "turn": self.drawn, "ask": "keep", "document": {"nodes": [root, low, high]}}

        def change(widget):
            widget.id, widget.json_value = name, json.dumps({"edited": report})

        await self.run(change, fragment=fragment)

    async def run(self, *changes, fragment=""):
        """Run the page or a fragment when no other run is in progress. Raises RuntimeError if it fails."""
        async with self.free:
            self.runs.append(await super().run(*changes, fragment=fragment))

    def hear(self, kind, message):
        """Store widgets, codes and counts, and start the fragments that refresh themselves."""
        if kind == "auto_rerun" and message.auto_rerun.fragment_id not in self.timers:
            fragment, pause = message.auto_rerun.fragment_id, message.auto_rerun.interval
            self.timers[fragment] = asyncio.create_task(self._look(fragment, pause))
        elif kind == "delta":
            self._hear(message.delta.new_element, message.delta.fragment_id)

    def _hear(self, element, fragment):
        kind = element.WhichOneof("type")
        if kind == "button":
            self.buttons[element.button.label] = element.button.id, fragment
        elif kind == "slider":
            one = element.slider
            self.sliders[one.label] = Slider(one.id, list(one.options), one.min, one.max, fragment)
        elif kind == "bidi_component" and "header" in (data := json.loads(element.bidi_component.json or "{}")):
            self.stage = element.bidi_component.id, fragment, json.loads(data["header"])
        elif kind == "html":
            code, count = CODE.search(element.html.body), COUNT.search(element.html.body)
            self.code, self.count = code[1] if code else self.code, int(count[1]) if count else self.count
            self.changed.set()

    async def _look(self, fragment, pause):
        while True:
            await asyncio.sleep(pause)
            await self.run(fragment=fragment)


def _moved(slider, value):
    def change(widget):
        widget.id = slider
        if isinstance(value, str):
            widget.string_array_value.data.append(value)
        else:
            widget.double_array_value.data.append(value)

    return change


def contest():
    """Return the URL parameters of the first moment in a lesson at which lines are drawn."""
    moments = lessons.build(CONTEST).moments
    return f"lesson={CONTEST}&moment={next(k for k, one in enumerate(moments, 1) if one.beat is not None)}"


async def one_room(app, options):
    """Return {measure: list of seconds} for one room."""
    teacher = await Member(app.url, "learn", contest() if options.draw else LESSON).open()
    await teacher.press("Open room")
    students = await asyncio.gather(
        *(Member(app.url, "room", f"room={teacher.code}").open() for _ in range(options.students))
    )
    first = [student.runs.pop(0) for student in students]
    pressed, answers = [], []

    async def guess(student):
        await asyncio.sleep(random.uniform(0, options.spread))
        if not options.draw:
            await student.slide()
        pressed.append(time.perf_counter())
        await (student.slide() if options.draw else student.press("Send guess"))

    async def watch():
        # Guesses are counted in the order of their clicks, unless one overtakes another.
        while len(answers) < options.students:
            await teacher.changed.wait()
            teacher.changed.clear()
            answers.extend(time.perf_counter() - begun for begun in sorted(pressed)[len(answers) : teacher.count])

    teacher.runs.clear()
    worked = app.work()
    await asyncio.wait_for(asyncio.gather(watch(), *map(guess, students)), 60 + options.spread)
    later = [seconds for student in students for seconds in student.runs]
    worked = (app.work() - worked) / (len(later) + len(teacher.runs))
    await teacher.press("End room")
    await asyncio.gather(*(tab.close() for tab in (teacher, *students)))
    return {"answer on the teacher's screen": answers, "first run of a student": first, "run of a student": later,
            "run of the teacher's strip": teacher.runs, "work of a run": [worked]}  # fmt: skip


async def measure(app, options):
    """Return {measure: list of seconds} for all rooms together."""
    rooms = [await one_room(app, options) for _ in range(options.rooms)]
    return {what: [seconds for room in rooms for seconds in room[what]] for what in rooms[0]}


def row(what, seconds):
    """Return the table row."""
    cuts = statistics.quantiles(seconds * 2, n=20)  # also works for a single value
    return [what, f"{len(seconds)}", *(f"{value:.3f} s" for value in (cuts[9], cuts[18], max(seconds)))]


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=50, help="60 at most, because they have no cookies")
    parser.add_argument("--rooms", type=int, default=5)
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--spread", type=float, default=10.0, help="seconds within which all students guess")
    options = parser.parse_args()
    with served() as app:
        results = asyncio.run(measure(app, options))
    print(heading(f"{options.students} students, {options.rooms} rooms, guesses within {options.spread:g} s"))
    print(table(("what", "n", "p50", "p95", "most"), [row(*item) for item in results.items()]))
    write_json("room", {"arguments": vars(options), "seconds": results})


if __name__ == "__main__":
    main()
