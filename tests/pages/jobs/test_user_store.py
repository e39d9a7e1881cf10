"""Test user data on the disk: owners, permissions, limits and expiry."""

import json
import os
import stat
import time

import numpy as np
import pytest

from pages.jobs import job_files, kept_files, user_store
from sample_data import DataSet
from tests.refusals import refused
from treecore.errors import DataError, DataSetNotFound

ANNA, BOB = "a" * 32, "b" * 32
NAMES = [f"own-{k:012x}" for k in range(20)]


@pytest.fixture(autouse=True)
def jobs(tmp_path, monkeypatch):
    monkeypatch.setenv("TAO_JOBS", str(tmp_path))
    return tmp_path


def a_set(name, n_rows=8):
    X = np.arange(n_rows * 2.0).reshape(n_rows, 2)
    return DataSet(name, "A set", X, np.arange(n_rows) % 2, ("a", "b"), ("no", "yes"))


def save(name, owner, age=0.0):
    user_store.save(a_set(name), owner=owner)
    for path in (user_store.folder() / f"{name}.npz", user_store.folder() / user_store.OWNERS / owner / name):
        os.utime(path, (time.time() - age,) * 2)


def here():
    return {path.stem for path in user_store.folder().glob("own-*.npz")}


def job(jobs, name, data_set, state="done"):
    (jobs / name).mkdir()
    job_files.write_json(job_files.point_path(jobs / name, 0), {"index": 0})
    job_files.write_json(jobs / name / job_files.PROGRESS, {"state": state, "total": 1, "data_set": data_set})
    cells = jobs / job_files.CELLS / (data_set if user_store.is_own(data_set) else "")
    job_files.write_json(cells / f"{name}.json", {})


@pytest.mark.parametrize(
    "record",
    [{}, {"file": 3}, {"file": "a.csv"}, {"file": "a.csv", "options": []},
     {"file": "a.csv", "options": {}, "source": {"entry": "x"}}, {"file": "a.csv", "options": {}, "source": "x"}],
)  # fmt: skip
def test_a_damaged_origin_is_unknown(jobs, record):
    save(NAMES[0], ANNA)
    user_store.note_origin(NAMES[0], "a.csv", (("sheet", "b"),), {"entry": "x", "digest": "y", "n_rows": 3})
    assert user_store.origin(NAMES[0]) == {
        "file": "a.csv", "options": {"sheet": "b"}, "entry": "x", "digest": "y", "recipe": None,
    }  # fmt: skip
    place = user_store.folder() / f"{NAMES[0]}.origin"
    text = place.read_text()
    for damaged in (text.replace("a.csv", "b.csv"), json.dumps(record), "[]", ""):
        place.write_text(damaged)
        assert user_store.origin(NAMES[0]) == {}
        assert user_store.source(NAMES[0]) is None


def test_only_the_server_can_read_them(jobs):
    os.umask(old := os.umask(0))
    save(NAMES[0], ANNA)
    token = user_store.keep_upload(b"a,b\n1,2\n", ANNA)
    user_store.take_over(NAMES[0], user_store.folder(), BOB)
    user_store.delete(BOB)
    for path in user_store.folder().rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert stat.S_IMODE(user_store.folder().stat().st_mode) == 0o700
    assert user_store.upload(token).read_bytes() == b"a,b\n1,2\n"
    assert os.umask(old) == old


def test_the_sets_of_one_push_out_only_their_own(monkeypatch):
    monkeypatch.setattr(user_store, "KEPT_OF_ONE", 3)
    save(NAMES[0], BOB, age=9000)
    for k in range(1, 8):
        save(NAMES[k], ANNA, age=100 - k)
    assert here() == {NAMES[0], *NAMES[5:8]}
    assert user_store.names_of(ANNA) == [NAMES[7], NAMES[6], NAMES[5]]
    assert user_store.names_of(BOB) == [NAMES[0]]


def test_when_all_is_full_the_owner_who_keeps_most_gives_way(monkeypatch):
    monkeypatch.setattr(user_store, "KEPT", 4)
    save(NAMES[0], BOB, age=100)
    save(NAMES[1], BOB, age=9000)
    save(NAMES[2], BOB, age=50)
    save(NAMES[3], ANNA, age=10000)
    save(NAMES[4], ANNA)
    assert here() == {NAMES[0], NAMES[2], NAMES[3], NAMES[4]}
    assert user_store.names_of(BOB) == [NAMES[2], NAMES[0]]


def test_a_client_that_uploads_without_a_cookie_pushes_out_its_own_data_only(monkeypatch):
    monkeypatch.setattr(user_store, "KEPT", 10)
    for k, owner in enumerate((ANNA, ANNA, BOB)):
        user_store.keep_upload(b"x", owner, f"192.0.2.{k}")
        save(NAMES[k], owner, age=9000)
    for k in range(3, 19):
        user_store.keep_upload(b"x", f"{k:032x}", "198.51.100.7")
        if k < 10:
            save(NAMES[k], f"{k:032x}")
        else:
            with refused(
                DataError, "The server's storage for user data is full, mostly with data from your network address"
            ):
                save(NAMES[k], f"{k:032x}")
    assert {*NAMES[:3]} < here()
    assert len(here()) == 10
    save(NAMES[19], BOB)  # another address still has room
    assert NAMES[19] in here()


def test_a_class_at_one_address_keeps_its_data(monkeypatch):
    monkeypatch.setattr(user_store, "KEPT", 12)
    for k in range(10):
        user_store.keep_upload(b"x", f"{k:032x}", "192.0.2.1")
        save(NAMES[k], f"{k:032x}", age=100 - k)
    for k in range(10, 16):
        save(NAMES[k], ANNA)
    assert {*NAMES[:10]} < here()
    assert len(user_store.names_of(ANNA)) == 2


def test_bytes_count_as_well(monkeypatch):
    monkeypatch.setattr(user_store, "BYTES_OF_ONE", 2500)
    for k in range(5):
        save(NAMES[k], ANNA, age=50 - k)
    assert 1 <= len(here()) < 4
    assert NAMES[4] in here()
    monkeypatch.setattr(user_store, "UPLOAD_BYTES", 100)
    tokens = [user_store.keep_upload(bytes(60), ANNA) for _ in range(3)]
    assert [user_store.upload(token) is not None for token in tokens] == [False, False, True]


def test_uploads_of_one_push_out_only_their_own(monkeypatch):
    monkeypatch.setattr(user_store, "KEPT_UPLOADS", 2)
    bobs = user_store.keep_upload(b"x", BOB)
    annas = []
    for _ in range(4):
        annas.append(user_store.keep_upload(b"x", ANNA))
        time.sleep(0.02)
    assert user_store.upload(bobs)
    assert [user_store.upload(token) is not None for token in annas] == [False, False, True, True]
    assert user_store.n_uploads(ANNA) == 2


def test_data_read_from_an_upload_count_as_well(monkeypatch):
    monkeypatch.setattr(user_store, "UPLOAD_BYTES", 1000)
    monkeypatch.setattr(user_store, "ALL_UPLOAD_BYTES", 1500)
    bobs, first, second = (user_store.keep_upload(b"x", owner) for owner in (BOB, ANNA, ANNA))
    for age, (token, n_bytes) in enumerate(((second, 600), (first, 600), (bobs, 600))):
        folder = user_store.place_of_upload(token)
        (folder / "read-1").mkdir()
        (folder / "read-1" / "table.arrow").write_bytes(bytes(n_bytes))
        os.utime(folder, (time.time() - age,) * 2)
    user_store.trim_uploads(second)
    assert [user_store.upload(token) is not None for token in (bobs, first, second)] == [True, False, True]
    monkeypatch.setattr(user_store, "ALL_UPLOAD_BYTES", 700)
    with refused(DataError, "The server's storage for user data is full, mostly with data from your network address"):
        user_store.trim_uploads(second)
    assert [user_store.upload(token) is not None for token in (bobs, first, second)] == [True, False, False]


def test_deleting_leaves_nothing_and_the_link_reports_it(jobs):
    save(NAMES[0], ANNA)
    save(NAMES[1], ANNA)
    save(NAMES[1], BOB)  # both owners have uploaded this file
    save(NAMES[2], BOB)
    token = user_store.keep_upload(b"x", ANNA)
    (user_store.place_of_upload(token) / "read-1").mkdir()
    for name, data_set in (
        ("0123456789abcdef", NAMES[0]),
        ("9" * 16, NAMES[0]),
        ("f" * 16, NAMES[1]),
        ("e" * 16, "iris"),
    ):
        job(jobs, name, data_set)
    kept_files.write("5" * 32, {"name": "learn", "data_set": "xor"}, ANNA)
    for name, tree in (("1" * 32, "0123456789abcdef-3"), ("2" * 32, f"{'f' * 16}-3")):
        job_files.write_json(jobs / job_files.EDITS / f"{name}.json", {"name": tree, "document": {}})
    for name, data_set in (("3" * 32, NAMES[0]), ("4" * 32, "xor")):
        job_files.write_json(jobs / job_files.EDITS / f"{name}.json", {"name": "learn", "data_set": data_set})
    assert user_store.delete(ANNA, ["iris", NAMES[0], NAMES[2]]) == [NAMES[1], NAMES[0], NAMES[2]]
    assert here() == {NAMES[1], NAMES[2]}
    assert user_store.upload(token) is None
    assert not list((user_store.folder() / user_store.OWNERS).glob(f"{ANNA}*"))
    assert {path.name for path in jobs.iterdir()} == {"f" * 16, "e" * 16, job_files.EDITS, job_files.OWN_DATA, "cells"}
    assert {path.name for path in (jobs / job_files.CELLS).iterdir()} == {NAMES[1], f"{'e' * 16}.json"}
    assert {path.stem for path in (jobs / job_files.EDITS).iterdir()} == {"2" * 32, "4" * 32}
    with refused(DataSetNotFound, "The data set … was made from a visitor's file and is not available"):
        user_store.load(NAMES[0])
    with refused(DataSetNotFound, "The data set … was made from a visitor's file and is not available"):
        user_store.load(NAMES[9])
    save(NAMES[0], BOB)
    assert user_store.load(NAMES[0]).n_rows == 8


def test_unused_results_are_removed(jobs, monkeypatch):
    monkeypatch.setenv("TAO_KEPT_HOURS", "2")
    save(NAMES[0], ANNA, age=7300)
    save(NAMES[1], ANNA, age=7000)
    job(jobs, "e" * 16, NAMES[0])
    old, new = (user_store.keep_upload(b"x", BOB) for _ in range(2))
    os.utime(user_store.place_of_upload(old), (time.time() - 7300,) * 2)
    (user_store.folder() / ".draft-1").touch()
    os.utime(user_store.folder() / ".draft-1", (time.time() - 7300,) * 2)
    assert user_store.upload(old) is None
    user_store.drop_unused()
    assert here() == {NAMES[1]}
    assert user_store.names_of(ANNA) == [NAMES[1]]
    assert not (jobs / ("e" * 16)).exists()
    assert not user_store.place_of_upload(old).exists()
    assert user_store.upload(new)
    assert not (user_store.folder() / ".draft-1").exists()


def test_a_clock_that_is_set_deletes_nothing_early_and_keeps_nothing_for_ever(monkeypatch):
    now = time.time()
    save(NAMES[0], ANNA, age=3600)
    token = user_store.keep_upload(b"x", ANNA)
    for hours in (300, -300):
        monkeypatch.setattr(time, "time", lambda hours=hours: now + 3600 * hours)
        user_store.drop_unused()
        assert user_store.names_of(ANNA) == [NAMES[0]]
        assert user_store.upload(token)
    monkeypatch.undo()


def test_an_unused_file_is_removed_sooner(monkeypatch):
    monkeypatch.setattr(user_store, "UPLOAD_HOURS", 1)
    save(NAMES[0], ANNA, age=3700)
    token = user_store.keep_upload(b"x", ANNA)
    os.utime(user_store.place_of_upload(token), (time.time() - 3700,) * 2)
    assert user_store.upload(token) is None
    user_store.drop_unused()
    assert not user_store.place_of_upload(token).exists()
    assert here() == {NAMES[0]}


def test_used_data_stay(monkeypatch):
    monkeypatch.setenv("TAO_KEPT_HOURS", "2")
    save(NAMES[0], ANNA, age=7000)
    assert user_store.use(NAMES[0])
    assert time.time() - (user_store.folder() / f"{NAMES[0]}.npz").stat().st_mtime < 60
    save(NAMES[1], ANNA, age=7300)
    with pytest.raises(DataSetNotFound):
        user_store.load(NAMES[1])
    assert not user_store.use(NAMES[1])


@pytest.mark.parametrize("token", ["", "../../x", f"{ANNA}-../..", f"{ANNA}/x", ANNA, "x" * 65])
def test_names_of_uploads_lead_nowhere_else(token):
    assert user_store.upload(token) is None
    user_store.drop_upload(token)
    with pytest.raises(DataError):
        user_store.keep_upload(b"", "../x")
