"""Test the files of visitors: owner, expiry, order of removal, and permissions."""

import errno
import os
import stat
import time

import pytest

from pages.jobs import job_files, kept_files
from pages.serving import private_files
from pages.serving.seldom_log import SeldomLog
from tests.refusals import refused
from treecore.errors import DataError

ANNA, BOB = "a" * 32, "b" * 32


@pytest.fixture(autouse=True)
def jobs(tmp_path, monkeypatch):
    monkeypatch.setenv("TAO_JOBS", str(tmp_path))
    return tmp_path


def edit(owner, host=None, age=0.0, text=""):
    token = kept_files.new_token()
    kept_files.write(token, {"name": "tree", "text": text}, owner, host)
    path = next((job_files.jobs_folder() / job_files.EDITS).glob(f"*/{token}.json"))
    os.utime(path, (time.time() - age,) * 2)
    return token


@pytest.mark.long
def test_fifty_students_lose_nothing_to_each_other():
    tokens = [edit(f"{student:032x}", "192.0.2.1") for student in range(50) for _ in range(6)]
    assert all(kept_files.read(token) for token in tokens)


def test_the_later_file_of_two_owners_of_one_token_is_read():
    for first, second in ((ANNA, BOB), (BOB, ANNA)):
        token = kept_files.new_token()
        for age, owner in ((60, first), (0, second)):
            kept_files.write(token, {"text": owner}, owner)
            path = job_files.jobs_folder() / job_files.EDITS
            mine = max(path.glob(f"*/{token}.json"), key=lambda one: one.stat().st_mtime)
            os.utime(mine, (time.time() - age,) * 2)
        assert kept_files.read(token) == {"text": second}


def test_the_oldest_of_one_owner_gives_way_to_their_newest(monkeypatch):
    monkeypatch.setenv("TAO_OWN_EDITS", "3")
    bobs = edit(BOB, age=9000)
    annas = [edit(ANNA, age=100 - k) for k in range(5)]
    assert [bool(kept_files.read(token)) for token in annas] == [False, False, True, True, True]
    assert kept_files.read(bobs)


def test_many_owners_of_one_address_do_not_push_out_others(monkeypatch):
    monkeypatch.setattr(kept_files, "MOST", 5)
    annas, bobs = edit(ANNA, "192.0.2.1", 9000), edit(BOB, "192.0.2.2", 9000)
    for k in range(3):
        edit(f"{k:032x}", "198.51.100.1")
    for k in range(3, 9):
        with refused(DataError, "The storage for edited trees is full, mostly with trees from your network address"):
            edit(f"{k:032x}", "198.51.100.1")
    assert kept_files.read(annas)
    assert kept_files.read(bobs)
    edit(BOB, "192.0.2.2")  # another address still has room


def test_files_unused_for_days_are_removed(monkeypatch, jobs):
    monkeypatch.setenv("TAO_EDIT_DAYS", "2")
    old, new = edit(ANNA, age=2.1 * 86_400), edit(BOB, age=1.9 * 86_400)
    kept_files.drop_unused()
    assert not kept_files.read(old)
    assert kept_files.read(new)["name"] == "tree"
    assert [place.name for place in (jobs / job_files.EDITS).iterdir()] == [BOB]
    kept_files.drop_unused()  # the file was used in the meantime
    assert time.time() - next((jobs / job_files.EDITS / BOB).glob("*.json")).stat().st_mtime < 60


def test_a_file_of_an_earlier_version_is_still_found(jobs):
    job_files.write_json(jobs / job_files.EDITS / f"{'1' * 32}.json", {"name": "old"})
    assert kept_files.read("1" * 32) == {"name": "old"}


def test_only_the_server_can_read_them(jobs):
    old = os.umask(0)
    try:
        edit(ANNA, "192.0.2.1")
    finally:
        os.umask(old)
    paths = [*(jobs / job_files.EDITS).rglob("*"), jobs / job_files.EDITS]
    assert len(paths) == 4
    for path in paths:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_no_file_holds_an_address(jobs):
    edit(ANNA, "192.0.2.77")
    paths = [*jobs.rglob("*")]
    assert not [path for path in paths if "192.0.2" in path.name]
    assert not [path for path in paths if path.is_file() and b"192.0.2" in path.read_bytes()]


def test_a_full_disk_is_reported_and_logged(monkeypatch, caplog):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(private_files.os, "replace", full)
    monkeypatch.setattr(private_files, "_failures", SeldomLog(private_files.__name__))
    full_disk = os.strerror(errno.ENOSPC)
    with refused(DataError, f"The server cannot store your changes ({full_disk}), so reloading the page discards them"):
        kept_files.write(kept_files.new_token(), {}, ANNA)
    assert [record.getMessage() for record in caplog.records] == [
        f"The jobs folder is not writable: {full_disk}. Free space on its disk."
    ]
