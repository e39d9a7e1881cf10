"""Test the server as visitors use it: host names, base path, shutdown, and a failing connection."""

import contextlib
import re
import signal
import socket
import threading
import time

import psutil
import pytest
from playwright.sync_api import expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from pages.serving import opened_page
from tests.browser.conftest import PATIENCE, free_port, save_button, start_server

pytestmark = pytest.mark.browser
SMALL = "data_set=iris&max_depth=3&n_lambdas=6"
LONG = "data_set=mnist-5k&n_lambdas=20"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the jobs folder of the servers in this file."""
    return tmp_path_factory.mktemp("serving")


@pytest.fixture
def page(browser):
    """Return a page in a separate browser."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


@pytest.fixture
def started(folder):
    """Return a function like `start_server` whose servers end with the test."""
    processes = []

    def start(**arguments):
        process, url = start_server(folder, **arguments)
        processes.append(process)
        return process, url

    yield start
    for process in processes:
        process.terminate()
        process.wait(timeout=60)


def test_a_foreign_name_opens_nothing(started):
    _, url = started(flags=["--server.baseUrlPath=/trees"], environment={"TAO_VISITORS": "1"})
    port = url.rsplit(":", 1)[1].split("/")[0]
    stream = f"ws://127.0.0.1:{port}/trees/_stcore/stream"
    for host, origin in (
        ("evil.example", "http://evil.example"),
        ("evil.example", None),
        ("127.0.0.1", "http://e.example"),
    ):
        sock = socket.create_connection(("127.0.0.1", int(port)))
        with pytest.raises(InvalidStatus, match="403"):
            connect(stream.replace("127.0.0.1", host), sock=sock, origin=origin, proxy=None)
    with connect(stream, origin=f"http://127.0.0.1:{port}", proxy=None), pytest.raises(InvalidStatus, match="403"):
        connect(stream, proxy=None)  # the only session is in use


def test_a_link_to_a_page_asks_for_nothing_that_is_not_there(server, page):
    failed = []
    page.on("response", lambda answer: failed.append((answer.status, answer.url)) if answer.status >= 400 else None)
    names = [route.path for route in opened_page.routes()]
    for name in ("/", "/compare"):  # the documents of the other pages are that of the second
        assert name in names
        page.goto(f"{server}{name}?{SMALL}")
        page.locator("[data-testid=stApp][data-test-connection-state=CONNECTED]").wait_for()
    assert failed == []


@pytest.mark.long
def test_data_belong_to_a_browser_after_it_was_closed(server, page, browser, tmp_path):
    file = tmp_path / "kept.csv"
    file.write_text("a,b,c\n" + "".join(f"{k},{k % 7},{k % 2}\n" for k in range(40)))
    page.goto(f"{server}/data?from=file")
    page.get_by_test_id("stMain").locator("input[type=file]").set_input_files(file)
    page.get_by_text("40 rows · 3 columns").wait_for()
    (own,) = (cookie for cookie in page.context.cookies() if cookie["name"] == "tao_owner")
    assert (own["httpOnly"], own["sameSite"], own["secure"], own["path"]) == (True, "Lax", False, "/")
    assert own["expires"] == pytest.approx(time.time() + 168 * 3600, abs=600)
    assert "tao_owner" not in page.evaluate("document.cookie")
    kept = [cookie for cookie in page.context.cookies() if cookie["expires"] > 0]  # a closed browser forgets the others
    again, stranger = (browser.new_context() for _ in range(2))
    again.add_cookies(kept)
    for context, is_owner in ((again, True), (stranger, False)):
        shown = context.new_page()
        shown.goto(f"{server}/data?from=file")
        shown.get_by_test_id("stMain").locator("input[type=file]").wait_for(state="attached", timeout=PATIENCE)
        expect(shown.get_by_text("40 rows · 3 columns")).to_have_count(int(is_owner), timeout=PATIENCE)
        context.close()


def test_the_first_tree_loads_the_files_of_the_stage_once(server, page):
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    asked, sizes = {}, {}
    network.on("Network.responseReceived", lambda event: asked.update({event["requestId"]: event["response"]["url"]}))
    network.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(server)
    page.locator("[data-testid=stage][data-painted]").wait_for()
    files = [request for request, url in asked.items() if url.startswith("http")]
    stage = [request for request in files if "/stage-files/" in asked[request]]
    assert len(stage) == len({asked[request] for request in stage}) == 3  # nothing loaded early is loaded again
    assert sum(sizes[request] for request in stage) <= 300_000


class Line:
    """A connection to a server on this machine that a test can interrupt."""

    def __init__(self, port):
        self.port, self.whole, self.ends = port, True, []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                near, _ = self.listening.accept()
            except OSError:
                return
            if not self.whole:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.port))
            self.ends += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            end.close()

    def cut(self):
        self.whole = False
        for end in self.ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self):
        self.whole = True


def is_alive(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


@pytest.mark.long
def test_a_visitor_outlives_a_killed_server_and_a_cut_line_and_training_ends_with_the_server(started, page, folder):
    port = free_port()
    process, url = started(flags=["--server.baseUrlPath=/trees"], port=port)
    page.goto(f"{url}/?{SMALL}")
    stage = page.get_by_test_id("stage")
    stage.wait_for()
    save_button(page).wait_for()  # the path is complete, so no further trees arrive during the moves
    page.get_by_test_id("stage-slider").press("Home")
    expect(page).to_have_url(re.compile("/trees/.*tree=0"))
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    page.get_by_text("Connection error").or_(page.locator("[data-test-connection-state=CONNECTING]")).first.wait_for()
    before = (folder / "server.log").stat().st_size
    process, url = started(flags=["--server.baseUrlPath=/trees"], port=port)
    page.locator("[data-testid=stApp][data-test-connection-state=CONNECTED]").wait_for()
    expect(page.locator("[data-testid=stage][data-painted='0']")).to_be_visible(timeout=PATIENCE)
    expect(page).to_have_url(re.compile("tree=0"))
    assert page.get_by_test_id("stException").count() == 0

    line = Line(port)
    page.goto(f"{line.url}/trees/?{LONG}")
    page.get_by_text("Training tree").wait_for()
    address = page.url
    line.cut()
    page.locator("[data-testid=stApp]:not([data-test-connection-state=CONNECTED])").wait_for()
    page.wait_for_timeout(2_000)
    line.mend()
    page.locator("[data-testid=stApp][data-test-connection-state=CONNECTED]").wait_for()
    page.get_by_test_id("stage").wait_for(timeout=180_000)
    assert page.url.startswith(address)
    assert page.get_by_test_id("stException").count() == 0
    page.close()  # an open page would look for the server
    line.listening.close()
    left = psutil.Process(process.pid).children(recursive=True)
    assert len(left) >= 2  # the cluster and its worker
    process.terminate()
    process.wait(timeout=60)
    end = time.monotonic() + 60
    while any(map(is_alive, left)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(map(is_alive, left))
    logged = (folder / "server.log").read_text()[before:]
    assert "distributed" not in logged  # only a page that was being drawn may log an error
