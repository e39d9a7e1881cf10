"""Test the hash of the sources, by which results of other code are not reused."""

import pytest

from pages.jobs import source_digest
from pages.jobs.kinds.plans import PLANS
from pages.jobs.kinds.tasks import TASKS


@pytest.fixture
def digest(tmp_path, monkeypatch):
    """Return a function that writes a file of a copy and returns the hash."""
    for package in ("treecore", "sample_data", "pages"):
        (tmp_path / package / "jobs").mkdir(parents=True)
    monkeypatch.setattr(source_digest, "ROOT", tmp_path)

    def written(name, text):
        (tmp_path / name).write_text(text)
        return source_digest.source_digest.__wrapped__()

    return written


@pytest.mark.parametrize("name", ["treecore/a.py", "sample_data/jobs/a.py", "pages/jobs/a.py"])
def test_code_that_affects_a_result_changes_the_hash(digest, name):
    first, second = digest(name, "1\n"), digest(name, "2\n")
    assert first != second
    assert digest(name, "1\n") == first


@pytest.mark.parametrize("name", ["pages/a.py", "treecore/a.json", "a.py"])
def test_other_files_leave_the_hash(digest, name):
    assert digest(name, "1\n") == digest(name, "2\n")


def test_a_renamed_file_and_another_library_change_the_hash(digest, tmp_path, monkeypatch):
    first = digest("treecore/a.py", "1\n")
    (tmp_path / "treecore/a.py").rename(tmp_path / "treecore/b.py")
    second = digest("treecore/b.py", "1\n")
    monkeypatch.setattr(source_digest, "version", lambda name: "0.0")
    assert len({first, second, digest("treecore/b.py", "1\n")}) == 3


def test_lessons_depend_on_more_folders():
    assert source_digest.source_digest(source_digest.LESSONS) != source_digest.source_digest()
    for folder in source_digest.LESSONS:
        assert list((source_digest.ROOT / folder).rglob("*.py")) != []


def test_the_tasks_of_jobs_are_in_the_hash():
    assert {task.__module__.rpartition(".")[0] for task in TASKS.values()} == {"pages.jobs.kinds"}
    assert PLANS.keys() == TASKS.keys()
