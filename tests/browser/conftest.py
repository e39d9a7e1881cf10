"""Start the app as a separate server, and visit it in a real Chromium."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser import stage_examples

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120_000  # milliseconds to wait for an element, long because a busy machine may be slow
MOST_HISTORY = 30  # history entries of a reused page; browsers keep 50, and tests count them
# The headless shell draws no windows around its pages. Drawing them takes most of the time for a new page.
BROWSERS = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
)
# Pages are short-lived, so optimising their code takes longer than it saves.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--js-flags=--no-opt --no-maglev",
]


class SharedServer:
    """The app that most tests visit, with an empty jobs folder made by `new_folder()`."""

    def __init__(self, new_folder):
        self._new_folder, self._port = new_folder, free_port()
        self.start()

    def start(self):
        """Start the server, at the same address each time."""
        self._process, self.url = start_server(self._new_folder(), port=self._port, environment={"TAO_WORKERS": "2"})

    def end(self):
        """End the server and its workers."""
        self._process.terminate()
        self._process.wait(timeout=60)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory):
    """Return the app that most tests visit."""
    shared = SharedServer(lambda: tmp_path_factory.mktemp("browser-jobs"))
    yield shared
    shared.end()


@pytest.fixture(scope="session")
def server(shared_server):
    """Return the URL of the app that most tests visit."""
    return shared_server.url


def start_server(folder, script="app.py", flags=(), port=None, environment=None):
    """Return (process, URL) of an app that is ready, with one worker and its jobs in `folder`.

    flags : more options of Streamlit.
    """
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless=true", f"--server.port={port}"]
    base = next((flag.partition("=")[2] for flag in flags if flag.startswith("--server.baseUrlPath")), "")
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(
            [*command, *flags],
            cwd=ROOT,
            stdout=log,
            stderr=log,
            env={**os.environ, "TAO_JOBS": str(folder), "TAO_WORKERS": "1", "TAO_FOLDS": "1", **(environment or {})},
        )
    url = f"http://127.0.0.1:{port}{base}"
    wait_until_up(f"{url}/_stcore/health", process)
    return process, url


def free_port():
    """Return a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_until_up(url, process, seconds=180):
    end = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    process.kill()
    pytest.fail(f"the app did not come up within {seconds} s")


@pytest.fixture(scope="session")
def browser():
    """Return a headless Chromium. Skip the test without one, except in CI."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        message = "no Chromium here: browser tests need one (Debian: apt-get install chromium-headless-shell)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


def at_rest(locator):
    """Return the locator after it has stopped moving, because an opening element moves under the mouse."""
    page = locator.page
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    seen = []
    while len(seen) < 4 or seen[-1] is None or len({str(box) for box in seen[-4:]}) > 1:
        seen.append(locator.bounding_box())
        page.wait_for_timeout(100)
    return locator


def choose(box, option):
    """Choose an option of a select box. If a redrawn page closes the list, open it again."""
    wanted = box.page.get_by_role("option", name=option)
    for _ in range(10):
        at_rest(box).click()
        with contextlib.suppress(PlaywrightTimeout):
            wanted.wait_for(timeout=3_000)
            wanted.click(timeout=3_000)
            return
    raise AssertionError(f"The list never stayed open for {option!r}.")


def show_details(page):
    """Show all parts of the stage, which opens with few of them."""
    button = page.get_by_test_id("stage-details")
    button.wait_for()
    if button.get_attribute("aria-pressed") == "false":
        button.click()


def save_button(page):
    """Return the button that opens the menu with all files of a page.

    The button appears when the page has all its trees.
    """
    return page.get_by_role("button", name="Save", exact=True)


def open_save_menu(page, *groups):
    """Open the menu and some of its groups."""
    at_rest(save_button(page)).click()
    for group in groups:
        at_rest(page.get_by_test_id("stPopoverBody").get_by_text(group)).click()


class AppPages:
    """Pages of the app that the tests reuse.

    `complaints` collects warnings, errors and requests to other servers.
    """

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        self.free, self.taken, self.complaints = [], [], []

    def open(self, path="/", color_scheme="light"):
        """Open a path of the app in a new session and return the page."""
        page = self.free.pop() if self.free else self.new()
        self.taken.append(page)
        page.emulate_media(color_scheme=color_scheme)
        page.mouse.move(0, 0)
        page.goto(self.server + path)
        return page

    def new(self):
        """Open a new page."""
        page = self.browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", self.note)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", self.leaves)
        return page

    def note(self, message):
        # For a deep link, Streamlit first requests two files that do not exist there. These 404s are harmless.
        expected = "404" in message.text and "/_stcore/" in message.location.get("url", "")
        if message.type in ("error", "warning") and not expected:
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def leaves(self, request):
        if not request.url.startswith((self.server, self.server.replace("http", "ws"), "data:", "blob:")):
            self.complaints.append(f"request to {request.url}")

    def give_up(self):
        """Close the pages of a failed test. Return (address, start of the accessibility tree) for each page."""
        pages = [page for page in self.taken if not page.is_closed()]
        shown = [(page.url, page.locator("body").aria_snapshot(timeout=10_000)[:6000]) for page in pages]
        for page in pages:
            page.context.close()
        self.taken = []
        return shown

    def end(self):
        """Return the complaints of a test, end its sessions and clear the storage of its pages."""
        heard = self.complaints.copy()
        for page in self.taken:
            if page.is_closed():
                continue
            if page.url.startswith(self.server):
                page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            if page.evaluate("() => history.length") > MOST_HISTORY:
                page.context.close()
                continue
            page.context.clear_cookies()
            page.goto("about:blank")
            page.set_viewport_size({"width": 1440, "height": 900})
            page.set_default_timeout(PATIENCE)
            self.free.append(page)
        self.taken = []
        self.complaints.clear()  # closing the pages interrupts requests, which causes complaints
        return heard

    def close(self):
        """Close all pages."""
        for page in self.free:
            page.context.close()


@pytest.fixture(scope="session")
def app_pages(browser, server):
    """Return the `AppPages` that `open_page` uses."""
    pages = AppPages(browser, server)
    yield pages
    pages.close()


@pytest.fixture
def open_page(app_pages):
    """Return a function that opens a page of the app, given its path and colour scheme.

    Afterwards, check that the console is empty and that there was no request to another machine.
    """
    yield app_pages.open
    assert app_pages.end() == []


@pytest.fixture(scope="session")
def stage_file(tmp_path_factory):
    """Return a function that makes the standalone file of a named example with test hooks, and returns its address."""
    folder = tmp_path_factory.mktemp("stage")

    def address(name, opened_up=True):
        path = folder / f"{name.replace(' ', '-')}{'' if opened_up else '-as-it-is'}.html"
        if not path.exists():
            text = stage_examples.page_text(name)
            path.write_text(stage_examples.opened_up(text) if opened_up else text, encoding="utf-8")
        return path.as_uri()

    return address


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Tell fixtures that their test has failed, restart the app, and report the texts of its pages."""
    report = yield
    if call.when == "call":
        item.stash[FAILED] = report.failed
        if report.failed and "app_pages" in item.funcargs:
            report.sections += item.funcargs["app_pages"].give_up()
            item.funcargs["shared_server"].end()
            item.funcargs["shared_server"].start()
    return report


class StagePages:
    """Offline pages with painted stages. Tests reuse them, because a new page costs more than most tests.

    `complaints` collects every line in the console and every request.
    """

    def __init__(self, browser, stage_file):
        self.browser, self.stage_file = browser, stage_file
        self.free, self.taken = [], []
        self.addresses, self.complaints = set(), []

    def begin(self):
        """Mark all pages as free before a test."""
        self.free, self.taken = self.free + self.taken, []
        self.complaints.clear()

    def end(self, test):
        """Assert after a test that there are no complaints, and close the pages of a failed test."""
        if test.stash.get(FAILED, False):
            for page in self.taken:
                page.context.close()
            self.taken = []
        assert self.complaints == []

    def open(self, name, opened_up=True, width=1440, height=900, color_scheme="light", reduced_motion="reduce"):
        """Open an example and return its page.

        reduced_motion : "no-preference" for animations, whose frames take most of the time of a step.
        """
        page = self.free.pop() if self.free else self.new()
        self.taken.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        page.mouse.move(0, 0)
        address = self.stage_file(name, opened_up)
        self.addresses.add(address)
        page.goto(address)
        page.wait_for_selector("[data-testid=stage][data-painted]")
        return page

    def new(self):
        """Open a new page."""
        page = self.browser.new_context(offline=True).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", lambda request: self.note(request.url))
        return page

    def note(self, url):
        """Complain about a request for anything but the files of the test."""
        if url not in self.addresses and not url.startswith(("data:", "blob:")):
            self.complaints.append(f"request to {url}")

    def close(self):
        """Close all pages."""
        for page in self.free + self.taken:
            page.context.close()


@pytest.fixture(scope="session")
def stage_pages(browser, stage_file):
    """Return the `StagePages` that `open_stage` uses."""
    pages = StagePages(browser, stage_file)
    yield pages
    pages.close()


@pytest.fixture
def open_stage(stage_pages, request):
    """Return a function that opens the page of an example in its initial state.

    Afterwards, check that the console is empty and that there was no request.
    """
    stage_pages.begin()
    yield stage_pages.open
    stage_pages.end(request.node)
