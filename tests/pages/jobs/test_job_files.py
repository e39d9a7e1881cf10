"""Test that job files survive several writing threads and changes of the system clock."""

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pages.jobs import job_files


def test_threads_write_the_same_file_and_drop_old_ones(tmp_path):
    def work(k):
        job_files.write_json(tmp_path / f"{k % 3}.json", {"k": k})
        job_files.drop_oldest(tmp_path, 2)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(200)))
    job_files.drop_oldest(tmp_path, 2)
    left = list(tmp_path.iterdir())
    assert len(left) <= 2  # several simultaneous deletions may delete more
    assert {path.suffix for path in left} <= {".json"}
    assert all(job_files.read_json(path)["k"] < 200 for path in left)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=9).filter(lambda key: key != "checksum"), VALUES, max_size=4), st.data())
def test_files_come_back_as_they_were_and_damage_is_seen(value, data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.json"
        job_files.write_json(path, value)
        content = path.read_bytes()
        assert repr(job_files.read_json(path, is_checked=True)) == repr(value)
        assert json.loads(content).keys() == {*value, "checksum"}
        place = data.draw(st.integers(0, len(content) - 1))
        other = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[place]))
        for damaged in (
            content[:place],
            content[:place] + bytes([other]) + content[place + 1 :],
            content + content[place:],
        ):
            path.write_bytes(damaged)
            assert job_files.read_json(path, is_checked=True) is None


def test_files_of_previous_versions_have_no_checksum(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"name": "x", "document": {}}')
    assert job_files.read_json(path) == {"name": "x", "document": {}}
    assert job_files.read_json(path, is_checked=True) is None


def used(path, seconds):
    """Make a folder whose last use was so many seconds ago."""
    path.mkdir(exist_ok=True)
    os.utime(path, (time.time() - seconds,) * 2)


def test_jobs_from_the_future_are_neither_immortal_nor_in_the_way(tmp_path, monkeypatch):
    monkeypatch.setattr(job_files, "KEPT_JOBS", 2)
    for place, hours in enumerate((-5, -5, -5, 0.1, 2, 3)):  # the clock was set back by five hours
        used(tmp_path / str(place), 3600 * hours)
    job_files.drop_old_jobs(tmp_path, keep=["5"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1", "2", "3", "5"]
    assert all(path.stat().st_mtime <= time.time() for path in tmp_path.iterdir())
    for place in range(3):  # from now on, all folders age equally
        used(tmp_path / str(place), job_files.IN_USE + 60 + place)
    job_files.drop_old_jobs(tmp_path, keep=[])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "3"]


def test_a_clock_that_is_set_forward_makes_nothing_old(tmp_path, monkeypatch):
    used(tmp_path / "before", 7200)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 300 * 3600)
    used(tmp_path / "after", 0)
    assert 7200 <= job_files.age(tmp_path / "before") < 7300
    assert job_files.age(tmp_path / "after") < job_files.age(tmp_path / "before")
    monkeypatch.setattr(time, "time", lambda: now - 5 * 3600)
    assert job_files.age(tmp_path / "after") == 0
    assert job_files.age(tmp_path / "gone") == float("inf")


def test_without_a_writable_folder_one_lasts_as_long_as_the_process(tmp_path):
    (tmp_path / "file").touch()
    program = (
        "import os; from pages.jobs.job_files import jobs_folder; print(jobs_folder());"
        "assert jobs_folder() == jobs_folder() and jobs_folder().is_dir();"
        "assert os.environ['TAO_JOBS'] == str(jobs_folder())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=job_files.ROOT, capture_output=True, text=True, check=True,
        env=os.environ | {"TAO_JOBS": str(tmp_path / "file" / "jobs")},
    )  # fmt: skip
    assert "TAO_JOBS" in ended.stderr
    assert ended.stdout.strip() in ended.stderr
    assert not Path(ended.stdout.strip()).exists()


def test_threads_that_can_write_nowhere_share_one_folder(tmp_path):
    (tmp_path / "file").touch()
    program = (
        "import sys; from concurrent.futures import ThreadPoolExecutor; from pages.jobs.job_files import jobs_folder;"
        "sys.setswitchinterval(1e-6);"
        "print(len(set(ThreadPoolExecutor(16).map(lambda _: jobs_folder(), range(16)))))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=job_files.ROOT, capture_output=True, text=True, check=True,
        env=os.environ | {"TAO_JOBS": str(tmp_path / "file" / "jobs")},
    )  # fmt: skip
    assert ended.stdout == "1\n"
    assert ended.stderr.count("is not writable") == 1
