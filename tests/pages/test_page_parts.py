"""Parts of pages without a page: files that several threads write, views that a browser reports."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from pages.jobs import job_files
from pages.ui.shell import stage


def test_threads_write_the_same_file_and_drop_old_ones(tmp_path):
    def work(k):
        job_files.write_json(tmp_path / f"{k % 3}.json", {"k": k})
        job_files.drop_oldest(tmp_path, 2)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(200)))
    job_files.drop_oldest(tmp_path, 2)
    left = list(tmp_path.iterdir())
    assert len(left) <= 2  # several that drop at the same time may drop more
    assert {path.suffix for path in left} <= {".json"}
    assert all(job_files.read_json(path)["k"] < 200 for path in left)


GOOD = {"key": "a", "tree": 2, "node": 7, "turn": 1, "scene": None, "moment": 3}


@pytest.mark.parametrize(
    "seen", [None, 3, "a", [], {}, {"tree": 1}, GOOD | {"key": "b"},
             *(GOOD | {part: value} for part in ("tree", "node", "turn", "scene", "moment")
               for value in (-1, 1.5, "x", True, [], {}, 10**30, float("nan")))],
)  # fmt: skip
def test_a_view_that_makes_no_sense_is_none(monkeypatch, seen):
    monkeypatch.setattr(stage, "st", SimpleNamespace(session_state={"stage": {"view": seen}}))
    assert stage.reported("a") is None
    monkeypatch.setattr(stage, "st", SimpleNamespace(session_state={"stage": {"view": GOOD}}))
    assert stage.reported("a") == stage.View(2, 7, 1, None, 3)
    monkeypatch.setattr(
        stage, "st", SimpleNamespace(session_state={"stage": {"view": {"key": "a", "tree": 1, "node": None}}})
    )
    assert stage.reported("a") == stage.View(1)
