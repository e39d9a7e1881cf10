"""Test files that browsers load by reference."""

import gzip
import re

from pages.ui.shell import served_files
from pages.ui.shell.served_files import ServedFiles
from tests.waiting import awaited
from treecore.errors import DataError


def test_equal_contents_are_one_file_that_stays_under_its_name():
    files = ServedFiles()
    name = files.put(b"payload" * 100, "application/octet-stream")
    assert files.put(b"payload" * 100, "application/octet-stream") == name
    assert files.put(b"other", "application/octet-stream") != name
    answer = files.answer(name, "gzip, br")
    assert (answer.status_code, answer.body) == (200, b"payload" * 100)
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "identity"
    missing = files.answer("../../etc/passwd")
    assert (missing.status_code, missing.headers["cache-control"]) == (404, "no-store")


def test_a_content_is_hashed_once_while_it_is_stored(monkeypatch):
    files, content, hashed = ServedFiles(), b"payload" * 100, []
    make = served_files.hashlib.sha256
    monkeypatch.setattr(served_files.hashlib, "sha256", lambda found: hashed.append(found) or make(found))
    name = files.put(content, served_files.DATA)
    assert files.put(content, served_files.DATA) == name
    assert hashed == [content]
    files.forget_data()
    assert files.put(content, served_files.DATA) == name
    assert hashed == [content] * 2


def test_a_browser_loads_the_first_stage_early_but_only_its_module_with_parameters(monkeypatch):
    files = ServedFiles()
    monkeypatch.setattr(served_files, "served_files", lambda: files)
    assert served_files.early_links(False) == ""  # the server still starts
    files.set_first("module", "style", "data")
    every, code = served_files.early_links(False), served_files.early_links(True)
    assert every.startswith(code)
    assert re.findall(r'href="./stage-files/(\w+)"', code) == ["module"]
    assert 'as="fetch" crossorigin href="./stage-files/data"' in every  # as `fetch` requests it


def test_code_is_packed_for_who_can_unpack_it():
    files, code = ServedFiles(), b"export default 1;\n" * 200
    name = files.put(code, "text/javascript")
    packed = files.answer(name, "gzip, deflate")
    assert gzip.decompress(packed.body) == code
    assert len(packed.body) < len(code) / 10
    assert packed.media_type == "text/javascript"
    assert files.answer(name).body == code


def test_the_memory_for_them_is_bounded(monkeypatch):
    monkeypatch.setattr(served_files, "MOST_BYTES", 1000)
    files = ServedFiles()
    names = [files.put(bytes([i]) * 300, "application/octet-stream") for i in range(3)]
    assert files.answer(names[0]).status_code == 200  # now the second file is the longest unused
    last = files.put(b"x" * 300, "application/octet-stream")
    assert [files.answer(name).status_code for name in (*names, last)] == [200, 404, 200, 200]
    large = files.put(b"y" * 5000, "application/octet-stream")
    assert files.answer(large).status_code == 200


def test_a_promised_file_is_made_once_at_its_first_request(monkeypatch):
    monkeypatch.setattr(served_files, "MOST_PROMISES", 2)
    files, made = ServedFiles(), []

    def fails():
        raise DataError("Nothing to train on.")

    files.promise("pushed out", lambda: b"")
    files.promise("run", lambda: made.append(1) or b"bytes")
    files.promise("none", fails)
    assert not made
    for name in ("run", "run", "none", "pushed out"):
        awaited(files.wait_for(name))
    assert [files.answer(name).status_code for name in ("run", "none", "pushed out")] == [200, 404, 404]
    assert made == [1]
    files.promise("again", lambda: files.promise("again", lambda: b"") or b"bytes")  # registered again while it is made
    awaited(files.wait_for("again"))
    assert files.answer("again").body == b"bytes"
    files.promise("forgotten", lambda: files.forget_data() or b"bytes")
    for name in ("forgotten", "run"):
        awaited(files.wait_for(name))
        assert files.answer(name).status_code == 404


def test_data_go_and_code_stays_where_data_are_deleted():
    files = ServedFiles()
    names = [files.put(b"payload", "application/octet-stream"), files.put(b"code", "text/javascript")]
    files.forget_data()
    assert [files.answer(name).status_code for name in names] == [404, 200]
    assert files.put(b"payload", "application/octet-stream") == names[0]
    assert files.answer(names[0]).status_code == 200
