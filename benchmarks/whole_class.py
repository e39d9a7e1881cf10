"""Run a whole class in minutes: a teacher with a remote control, students with phones, lessons, a contest, and files.

    python -m benchmarks.whole_class                           # 30 phones, the bundled class plan
    python -m benchmarks.whole_class --students 5 --lessons 2
    python -m benchmarks.whole_class --link "learn?lesson=care-points"

The teacher is a Chromium that presses Page Down, as a remote control does. The students are websockets, as in
benchmarks/room.py. In between, some phones sleep, guessing closes by the timer, and the teacher reloads the page in the
middle of the contest. The script reports each check, and ends with 1 if one of them fails.
"""

import argparse
import asyncio
import csv
import random
import re
import shutil
import sys
import time
from html import escape
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import async_playwright

from benchmarks.common import heading, table, write_json
from benchmarks.harness import BROWSERS, FLAGS, served
from benchmarks.room import Member
from pages.ui.learn import lessons
from pages.ui.learn.class_plan import class_plan
from pages.ui.shell.markdown_text import spans

PLAN = class_plan.BUNDLED
GUESS = re.compile(r"room-(?!threshold|else|code)(.+)-(\d+)-(\d+|made)$")  # end of the id of a button that guesses
COUNT = re.compile(r"(\d+) present, (\d+) (?:answered|drew)")
FOLLOW = 6.0  # seconds within which phones follow the teacher
ASLEEP = 3  # number of phones that sleep


class Phone(Member):
    """A phone that answers each question once."""

    def __init__(self, url, query):
        super().__init__(url, "room", query)
        self.text, self.done, self.answered, self.large = "", set(), 0, {}

    async def run(self, *changes, fragment=""):
        """Run the page, whose widgets replace those of the previous run."""
        async with self.free:
            self.text = ""
            self.buttons.clear(), self.sliders.clear()
            self.stage = None
            self.runs.append(await super(Member, self).run(*changes, fragment=fragment))

    def hear(self, kind, message):
        """Collect the text of the page as well. The server sends a large message once, then its name only."""
        if kind == "ref_hash":
            message = self.large[message.ref_hash]
            kind = message.WhichOneof("type")
        elif message.hash:
            self.large[message.hash] = message
        super().hear(kind, message)
        if kind == "delta" and message.delta.new_element.WhichOneof("type") == "html":
            self.text += message.delta.new_element.html.body

    async def answer(self):
        """Guess, move the slider or draw, if the page has a task that this phone has not done."""
        while self.free.locked():  # a run has not sent all widgets yet
            await asyncio.sleep(0.02)
        task = self.task()
        if task is None or task in self.done:
            return
        self.done.add(task)
        self.answered += 1
        if self.stage is not None:
            await self.draw(random.uniform(-0.5, 0.5))
        elif "Send guess" in self.buttons:
            await self.slide()
            await self.press("Send guess")
        elif self.sliders:
            await self.slide()
        else:
            await self.press(random.choice([label for label, (name, _) in self.buttons.items() if GUESS.search(name)]))

    def task(self):
        """Return a name of the task on the page, or None."""
        if self.stage is not None:
            return self.stage[2]["key"]
        for name, _ in self.buttons.values():
            if found := GUESS.search(name):
                return found[1], found[2]
        return next((one.id for one in self.sliders.values() if not one.options), None)

    async def sleep(self):
        """Disconnect, and return a `Phone` that wakes up at the same address."""
        await self.close()
        return Phone(self.url, self.query)


class Report:
    """Checks and their outcomes."""

    def __init__(self):
        self.rows, self.failed = [], 0

    def check(self, what, is_right, found=""):
        """Add a check."""
        self.failed += not is_right
        self.rows.append(("yes" if is_right else "NO", what, str(found)))


async def settle(phones, is_done, seconds=FOLLOW):
    """Wait until every phone satisfies `is_done`; return the seconds, or None after `seconds`."""
    began = time.perf_counter()
    while not all(map(is_done, phones)):
        if time.perf_counter() - began > seconds:
            return None
        await asyncio.sleep(0.1)
    return time.perf_counter() - began


def words_of(url):
    """Return the longest words of one style on the screen in an address, as phones show them, or None."""
    query = parse_qs(urlsplit(url).query)
    lesson = lessons.ALL.get(query.get("lesson", [""])[0])
    if lesson is None:
        return None
    moment = lessons.build(lesson.slug).moments[int(query.get("moment", ["1"])[0]) - 1]
    return escape(max((words for _, words in spans(moment.text[0])), key=len))


async def teach(page, phones, options, report):
    """Go through lessons by Page Down until `options.lessons` of them are over."""
    seen, taught, late, presses, timed = [], set(), [], 0, False
    while presses < options.presses:
        await page.wait_for_timeout(1000)
        lesson = parse_qs(urlsplit(page.url).query).get("lesson", [""])[0]
        if lesson not in taught and len(taught) == options.lessons:
            break
        if lesson not in taught and len(taught) == 1:
            await nap(page, phones, report)
        taught.add(lesson)
        words = words_of(page.url)
        took = await settle(phones, lambda phone, words=words: words is None or words in phone.text)
        seen.append(took or 0.0)
        late += [page.url] if took is None else []
        if any(phone.task() is not None and phone.task() not in phone.done for phone in phones):
            if not timed and await page.get_by_role("button", name="30 s", exact=True).count():
                timed = True
                await page.get_by_role("button", name="30 s", exact=True).click()
                report.check("phones show the time", await settle(phones, lambda phone: "--seconds" in phone.text))
                await page.get_by_role("button", name="No time limit").click()
            await asyncio.gather(*(phone.answer() for phone in phones))
            count = await counted(page, len(phones))
            report.check(f"all answers of screen '{(words or '')[:40]}' are counted", count[1] == len(phones), count)
        await page.keyboard.press("PageDown")
        presses += 1
    report.check("phones follow each screen", not late, late or f"most {max(seen):.1f} s, {len(seen)} screens")
    report.check("lessons", len(taught) >= options.lessons, ", ".join(sorted(taught)))


async def counted(page, n):
    """Return (present, answered) on the teacher's screen, as soon as n have answered or after a while."""
    found = (0, 0)
    for _ in range(60):
        match = COUNT.search(await page.locator(".room-count").first.inner_text())
        found = tuple(map(int, match.groups())) if match else found
        if found[1] == n:
            break
        await page.wait_for_timeout(200)
    return found


async def nap(page, phones, report):
    """Let some phones sleep and wake."""
    before = [(phone.query, phone.answered) for phone in phones[:ASLEEP]]
    phones[:ASLEEP] = await asyncio.gather(*(phone.sleep() for phone in phones[:ASLEEP]))
    for phone, (_, answered) in zip(phones, before, strict=False):
        phone.answered = answered
    await page.get_by_text(f"{ASLEEP} left").wait_for(timeout=30_000)
    report.check("sleeping phones are counted as left", True)
    await asyncio.gather(*(phone.open() for phone in phones[:ASLEEP]))
    same = [phone.query == query for phone, (query, _) in zip(phones, before, strict=False)]
    report.check("they wake as the same students", all(same))


async def compete(page, phones, report, code):
    """Open the contest of the class plan or of the laboratory, reload in the middle of it, and show TAO's tree."""
    if await page.get_by_role("button", name="Open in laboratory").count():  # not on the contest's page of a plan
        await page.get_by_role("button", name="Open in laboratory").click()
    await page.get_by_role("button", name="Beat TAO, in a room").click(timeout=60_000)
    await page.get_by_role("button", name="Show TAO's tree").wait_for(timeout=60_000)
    report.check("phones have the plane", await settle(phones, lambda phone: phone.stage is not None, 20))
    half = len(phones) // 2
    await asyncio.gather(*(phone.answer() for phone in phones[:half]))
    await page.reload()
    await page.get_by_role("button", name="Show TAO's tree").wait_for(timeout=60_000)
    report.check("a reload leads the same room", await page.locator(".room-code").inner_text() == code)
    report.check("the address has the public code only", page.url.endswith(f"teach={code}"), page.url)
    await asyncio.gather(*(phone.answer() for phone in phones[half:]))
    report.check("all drawings are counted", (await counted(page, len(phones)))[1] == len(phones))
    await page.keyboard.press("PageDown")
    report.check("phones show TAO", await settle(phones, lambda phone: ">TAO<" in phone.text))


async def save(page, phones, report, places):
    """Show the score, save the three files, and end the room."""
    await page.get_by_role("button", name="Room", exact=True).click()
    await page.get_by_text("Running score").click()
    report.check("phones show the score", await settle(phones, lambda phone: "room-score" in phone.text))
    files = (("Guesses (CSV)", "csv"), ("Summary (HTML)", "html"), ("Questions (Moodle GIFT)", "gift.txt"))
    for label, name in files:
        async with page.expect_download() as found:
            await page.get_by_role("button", name=label, exact=True).click()
        download = await found.value
        await download.save_as(places / f"room.{name}")
    rows = list(csv.DictReader((places / "room.csv").read_text(encoding="utf-8").splitlines()))
    answers = sum(phone.answered for phone in phones)
    report.check("the table has every answer", len(rows) == answers, f"{len(rows)} of {answers}")
    report.check("the summary and the questions are there", all(
        (places / f"room.{name}").stat().st_size > 500 for name in ("html", "gift.txt")
    ))  # fmt: skip
    await page.get_by_role("button", name="End room").click()
    await page.get_by_role("button", name="End and delete").click()
    report.check("phones learn that the room has ended", await settle(phones, lambda phone: not phone.text, 12))


async def hold(app, options, report):
    """Hold the class."""
    path = next(filter(None, map(shutil.which, BROWSERS)))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = await browser.new_page(viewport={"width": 1920, "height": 1080})
        await page.goto(f"{app.url}/{options.link}")
        await page.get_by_role("button", name="Open room").click(timeout=120_000)
        await page.locator(".room-code").wait_for()
        code = await page.locator(".room-code").inner_text()
        phones = await asyncio.gather(*(Phone(app.url, f"room={code}").open() for _ in range(options.students)))
        began = time.perf_counter()
        await teach(page, phones, options, report)
        await compete(page, phones, report, code)
        await save(page, phones, report, app.jobs)
        await asyncio.gather(*(phone.close() for phone in phones))
        await browser.close()
        return time.perf_counter() - began


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=30, help="60 at most, because they have no cookies")
    parser.add_argument("--lessons", type=int, default=len(PLAN.parts) - 1, help="number of lessons before the contest")
    parser.add_argument("--link", default=f"learn?plan={PLAN.to_text()}", help="page at which the teacher starts")
    parser.add_argument("--presses", type=int, default=300, help="maximum number of times that Page Down is pressed")
    options = parser.parse_args()
    report = Report()
    with served() as app:
        try:
            seconds = asyncio.run(hold(app, options, report))
        finally:
            print(table(("right", "check", "found"), report.rows))
    print(heading(f"{options.students} students, {options.lessons} lessons, {seconds:.0f} s"))
    write_json("whole_class", {"arguments": vars(options), "seconds": seconds, "checks": report.rows})
    sys.exit(report.failed > 0)


if __name__ == "__main__":
    main()
