"""Test files that need far more resources than their size suggests: the server still responds, and Cancel works."""

import io
import threading
import time
import urllib.request

import numpy as np
import pytest

from tests.budget import budget

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TO_HOLD = 0.5  # maximum seconds for an answer to the health check, on an otherwise idle machine


class Health:
    """Requests the health check of a server ten times a second, and stores how long each answer took."""

    def __init__(self, server):
        self.url, self.seconds, self.going = f"{server}/_stcore/health", [], True
        self.thread = threading.Thread(target=self.ask, daemon=True)

    def ask(self):
        while self.going:
            begin = time.perf_counter()
            with urllib.request.urlopen(self.url, timeout=60) as answer:
                answer.read()
            self.seconds.append(time.perf_counter() - begin)
            time.sleep(0.1)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.going = False
        self.thread.join(60)


def squeezed(shape):
    out = io.BytesIO()
    y = np.arange(shape[0]) % 2
    np.savez_compressed(out, X=np.zeros(shape, np.uint8), y=y, class_names=np.array(["a", "b"]))
    return out.getvalue()


def wide():
    row = ",".join(str(k % 100) for k in range(9999))
    return (",".join(f"c{k}" for k in range(9999)) + ",class\n" + f"{row},x\n{row},y\n" * 250).encode()


FILES = {
    "digits.csv": lambda: b"a,b\n1," + b"1" * 131_000 + b"x\n2,y\n3,x\n",
    "names.csv": lambda: (
        b",".join([b"x" * 100] * 5000)
        + b"\n"
        + b"".join(b",".join([b"%d" % (k % 7)] * 5000) + b"\n" for k in range(20))
    ),
    "line.csv": lambda: b"1,2," * 8_000_000,
    "wide.csv": wide,
    "zeros.npz": lambda: squeezed((100_000, 784)),
}


@pytest.fixture(scope="module")
def idle(server):
    with Health(server) as health:
        time.sleep(2)
    return max(health.seconds)


@pytest.mark.long
@pytest.mark.nightly  # the other files take the same path as the archive, which is tested every time
@pytest.mark.parametrize("name", budget(("zeros.npz",), tuple(FILES)))
def test_the_server_answers_while_a_file_is_read(open_page, server, idle, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(FILES[name]())
    page = open_page("/data?from=file")
    drop_zone = page.get_by_test_id("stMain").locator("input[type=file]")
    drop_zone.wait_for(state="attached")
    with Health(server) as health:
        begin = time.perf_counter()
        drop_zone.set_input_files(path)
        large = page.get_by_role("button", name="Read file")
        outcome = page.get_by_role("button", name="Explore this data set").or_(page.get_by_test_id("stAlert")).first
        outcome.or_(large).first.wait_for()
        if large.is_visible():
            large.click()
        outcome.wait_for()
        whole = time.perf_counter() - begin
    assert max(health.seconds) < max(TO_HOLD, 3 * idle, whole / 2), sorted(health.seconds)[-5:]


def test_cancel_ends_a_reading(open_page, server, tmp_path):
    path = tmp_path / "slow.csv"
    path.write_bytes(wide())
    page = open_page("/data?from=file")
    drop_zone = page.get_by_test_id("stMain").locator("input[type=file]")
    drop_zone.wait_for(state="attached")
    drop_zone.set_input_files(path)
    page.get_by_text("Reading slow.csv").wait_for()
    page.locator(".st-key-own_cancel button").click()
    page.get_by_text("Reading slow.csv was cancelled.").wait_for()
    page.locator(".st-key-own_cancel").wait_for(state="detached")
