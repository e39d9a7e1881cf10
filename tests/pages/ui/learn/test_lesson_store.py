"""Test the store of built lessons: one build for visitors at the same time, and none after a restart."""

import threading
import time

import pytest

import sample_data
from pages.jobs import job_files
from pages.ui.learn import lesson_store, lessons
from treecore import CARTClassifier

SLUG = "care-points"
ODD = '{"scenes": [], "moments": ["text"], "knobs": []}'  # a text has no items


@pytest.fixture
def starts(monkeypatch, tmp_path):
    """Return a function that begins a new process, and the list of the lessons that were built."""
    monkeypatch.setattr(job_files, "jobs_folder", lambda: tmp_path)
    built, build = [], lessons.build

    def counted(slug):
        built.append(slug)
        time.sleep(0.05)  # time for other visitors to come
        return build(slug)

    def start():
        monkeypatch.setattr(lesson_store, "_opened", {})

    monkeypatch.setattr(lessons, "build", counted)
    start()
    return start, built


def the_file(tmp_path):
    (found,) = tmp_path.glob(f"{job_files.LESSONS}/*/{SLUG}/{lesson_store.NAME}")
    return found


def test_visitors_at_the_same_time_share_one_build(starts):
    found = []
    threads = [threading.Thread(target=lambda: found.append(lesson_store.opened(SLUG))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert starts[1] == [SLUG]
    assert len(found) == 4
    assert len({id(one) for one in found}) == 1


def test_after_a_restart_the_lesson_is_read_and_not_built(starts):
    start, built = starts
    first = lesson_store.opened(SLUG)
    start()
    assert lesson_store.opened(SLUG).moments == first.moments
    assert built == [SLUG]


def test_other_code_builds_the_lesson_again(starts, monkeypatch):
    start, built = starts
    lesson_store.opened(SLUG)
    start()
    monkeypatch.setattr(lesson_store, "source_digest", lambda folders: 16 * "f")
    lesson_store.opened(SLUG)
    assert built == [SLUG, SLUG]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"scenes": [{}], "moments": [], "knobs": []}', ODD])
def test_a_damaged_file_is_replaced(text, starts, tmp_path):
    start, built = starts
    first = lesson_store.opened(SLUG)
    whole = the_file(tmp_path).read_text()
    the_file(tmp_path).write_text(text)
    start()
    assert lesson_store.opened(SLUG).moments == first.moments
    assert built == [SLUG, SLUG]
    assert the_file(tmp_path).read_text() == whole


@pytest.mark.parametrize("damage", [lambda tree: tree[:90], lambda tree: tree.replace("0", "7"), lambda _: None])
def test_a_damaged_tree_in_a_valid_file_is_replaced(damage, starts, tmp_path):
    start, built = starts
    lesson_store.opened(SLUG)
    path = the_file(tmp_path)
    record = job_files.read_json(path)
    point = record["scenes"][-1]["points"][-1]
    point["tree"] = damage(point["tree"])
    job_files.write_json(path, record)
    start()
    lesson = lesson_store.opened(SLUG)
    assert built == [SLUG, SLUG]
    assert all(scene.tree(k).n_leaves for scene in lesson.scenes for k in range(scene.last + 1))


def test_a_tree_that_does_not_match_its_data_is_replaced(starts, tmp_path):
    start, built = starts
    lesson_store.opened(SLUG)
    path = the_file(tmp_path)
    record = job_files.read_json(path)
    wine = sample_data.load("wine")
    record["scenes"][-1]["points"][-1]["tree"] = CARTClassifier().fit(wine.X, wine.y).tree_.to_json()
    job_files.write_json(path, record)
    assert lesson_store.read(path.parent) is None
    start()
    lesson_store.opened(SLUG)
    assert built == [SLUG, SLUG]


def test_a_lesson_made_from_other_data_is_not_shown(starts, tmp_path):
    lesson_store.opened(SLUG)
    path = the_file(tmp_path)
    record = job_files.read_json(path)
    record["scenes"][0]["fingerprint"] = "another"
    job_files.write_json(path, record)
    assert lesson_store.read(path.parent) is None


def test_a_full_disk_shows_the_lesson_all_the_same(starts, monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(job_files, "write_json", full)
    assert lesson_store.opened(SLUG).moments


@pytest.mark.parametrize("is_known", [True, False])
def test_only_the_newest_versions_are_kept(is_known, starts, monkeypatch, tmp_path):
    start, _ = starts
    if not is_known:  # the lesson stores its own data
        monkeypatch.setattr(lesson_store, "_known_data", lambda _: None)
    folders = []
    for version in range(lesson_store.VERSIONS + 2):
        monkeypatch.setattr(lesson_store, "source_digest", lambda folders, version=version: f"{version:016x}")
        start()
        lesson_store.opened(SLUG)
        folders.append(lesson_store._folder().name)
    left = {path.name for path in (tmp_path / job_files.LESSONS).iterdir()}
    assert left == set(folders[2:])
    assert len(left) == lesson_store.VERSIONS


def test_lessons_are_no_jobs(tmp_path, monkeypatch):
    monkeypatch.setattr(job_files, "KEPT_JOBS", 0)
    monkeypatch.setattr(job_files, "MOST_JOBS", 0)
    (tmp_path / job_files.LESSONS).mkdir()
    (tmp_path / "job").mkdir()
    job_files.drop_old_jobs(tmp_path, ())
    assert [path.name for path in tmp_path.iterdir()] == [job_files.LESSONS]
