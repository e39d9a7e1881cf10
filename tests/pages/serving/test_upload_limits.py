from collections import defaultdict
from types import SimpleNamespace

import pytest

from pages.serving.quotas import Quotas
from pages.serving.upload_limits import LEFT, UploadLimits
from tests.refusals import is_said

QUOTAS = Quotas(upload_megabytes=100, own_upload_megabytes=20, address_upload_megabytes=50)
MB = 1_000_000


class Server:
    """Uploads as Streamlit stores them."""

    def __init__(self):
        self.now, self.kept = 0.0, defaultdict(dict)
        self.limits = UploadLimits(QUOTAS, 10 * MB, clock=lambda: self.now)

    def put(self, session, megabytes=10, browser=None, address="x", announced=True):
        path = f"/trees/_stcore/upload_file/{session}/file"
        n_bytes = megabytes * MB
        with self.limits.room(path, browser, address, n_bytes if announced else None, self.kept) as words:
            if words is None:
                self.kept[session][len(self.kept[session])] = SimpleNamespace(data=range(n_bytes))
        return words


@pytest.fixture
def server():
    return Server()


WHOSE = {"tab": "browser tab", "browser": "browser", "address": "address", "visitors": "visitors"}


def is_full(words, whose, megabytes):
    return is_said(words, (f"The uploads from …{WHOSE[whose]} have reached the limit of {megabytes:,} MB"))


def test_fifteen_files_of_one_tab_do_not_fill_the_memory(server):
    words = [server.put("a") for _ in range(15)]
    assert words[:2] == [None, None]
    assert all(is_full(one, "tab", 20) for one in words[2:])
    server.kept["a"].clear()  # the app has taken the uploads
    assert server.put("a") is None


def test_tabs_of_one_browser_and_browsers_of_one_address_count_together(server):
    assert [server.put(f"a{k}", browser="b") is None for k in range(3)] == [True, True, False]
    found = [server.put(f"c{k}") for k in range(9)]
    assert found[:3] == [None] * 3
    assert all(is_full(one, "address", 50) for one in found[3:])
    assert server.put("d", address="y") is None


def test_all_together_have_a_limit(server):
    assert [server.put(f"s{k}", address=f"{k}") for k in range(10)] == [None] * 10
    assert is_full(server.put("late", address="z"), "visitors", 100)


def test_announced_uploads_count_with_their_largest_size(server):
    paths = [f"/_stcore/upload_file/{session}/f" for session in "aaa"]
    with (
        server.limits.room(paths[0], None, "x", None, {}),
        server.limits.room(paths[1], None, "x", 1, {}),
        server.limits.room(paths[2], None, "x", 10 * MB, {}) as words,
    ):
        assert is_full(words, "tab", 20)
    with server.limits.room(paths[2], None, "x", 10 * MB, {}) as words:
        assert words is None


def test_a_limit_below_the_largest_file_takes_that_file():
    limits = UploadLimits(QUOTAS, 300 * MB)
    with limits.room("/_stcore/upload_file/a/f", None, "x", 300 * MB, {}) as words:
        assert words is None


def test_uploads_go_with_their_session(server):
    server.put("stays")
    server.put("goes")
    assert server.limits.ended_sessions([*server.kept], {"stays", "goes"}.__contains__) == []
    server.now = LEFT - 1  # a lost connection may come back
    assert server.limits.ended_sessions([*server.kept], {"stays"}.__contains__) == []
    server.now = LEFT + 1
    assert server.limits.ended_sessions([*server.kept], {"stays"}.__contains__) == ["goes"]


def test_an_upload_that_is_still_coming_keeps_its_browser_and_address(server):
    for k in range(5):
        path, kept = f"/_stcore/upload_file/tab{k}/file", server.kept
        with server.limits.room(path, f"browser{k}", "x", 10 * MB, kept) as words:
            assert words is None
            assert server.limits.ended_sessions([*kept], lambda session: True) == []
            kept[f"tab{k}"][0] = SimpleNamespace(data=range(10 * MB))
    assert is_full(server.put("one-more", browser="another"), "address", 50)
