"""Test that the jobs of many visitors are kept, stopped and found again, and survive faults of disks and workers.

In these tests, the pieces of a job run in threads.
"""

import contextlib
import json
import re
import shutil
import subprocess
import threading
import time
from dataclasses import replace

import pytest

import sample_data
from pages.jobs import job_files, job_queue
from pages.jobs.job_queue import JobQueue
from pages.jobs.kinds import plans
from pages.jobs.kinds.alternative_paths import FailedPath
from pages.jobs.kinds.tasks import AlternativesTask
from pages.jobs.settings import Alternatives, ComparisonSettings, OneTree, PhaseSettings, Settings
from pages.serving.seldom_log import SeldomLog
from tests.pages.jobs.thread_executor import ThreadExecutor
from tests.refusals import wording
from tests.waiting import wait_until
from treecore.comparison.comparison import compare
from treecore.comparison.methods import METHODS
from treecore.errors import DataError, TreecoreError
from treecore.training.estimators import TAOClassifier
from treecore.training.path import regularization_path
from treecore.training.phase import phase_diagram

# Python reports an interruption that is lost in a callback. The worker sends the interruption again.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

SMALL = Settings("iris", max_depth=2, n_lambdas=4)
LONG = Settings("mnist-5k", n_lambdas=60, max_depth=12)


@pytest.fixture(scope="module", autouse=True)
def cells_here(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAO_JOBS", str(tmp_path_factory.mktemp("cells")))
        yield


@pytest.fixture
def open_queue(tmp_path):
    """Return a function that opens a queue on one folder, like a starting server."""
    opened = []

    def open_queue(n_slots=2):
        jobs = JobQueue(ThreadExecutor(n_slots), tmp_path / "jobs")
        opened.append(jobs)
        return jobs

    yield open_queue
    for jobs in opened:
        for job in list(jobs.jobs.values()):
            jobs.cancel(job.name, None)
        jobs.close()


@pytest.fixture
def jobs(open_queue):
    return open_queue()


def submitted(jobs, settings, **others):
    return jobs.submit(settings, "fingerprint", **others)


def wait_for(jobs, name, *states, seconds=240):
    end = time.monotonic() + seconds
    while (status := jobs.status(name))["state"] not in states:
        assert time.monotonic() < end, status
        assert status["state"] in job_files.RUNNING_STATES, status
        time.sleep(0.01)
    return status


def trained(jobs, settings, **others):
    name = submitted(jobs, settings, **others)
    wait_for(jobs, name, "done")
    return jobs.points(name)


def texts(points):
    return [point.tree.to_json() for point in points]


def test_a_path_in_pieces_is_that_of_one_process(jobs, monkeypatch):
    monkeypatch.setattr("pages.jobs.training_worker.BUDGET", 0.0)  # makes every tree a piece
    points = trained(jobs, SMALL)
    assert len(jobs.executor.begun) == 4
    task = plans.PLANS["path"](SMALL)
    data = sample_data.load("iris")
    from pages.jobs.row_split import split_rows

    train, validation, _ = split_rows(data, 0, "standard")
    labels = data.labels()
    estimator = TAOClassifier(init="random", max_depth=2, random_state=0)
    whole = regularization_path(estimator, data.X[train], labels[train], 4, data.X[validation], labels[validation])
    assert texts(points) == texts(whole)
    assert [point.figures["validation_error"] for point in points] == [point.validation_error for point in whole]
    assert task.total == 4


@pytest.mark.parametrize("n_slots", [1, 4])
def test_a_phase_diagram_in_pieces_is_that_of_one_process(open_queue, monkeypatch, n_slots):
    monkeypatch.setattr("pages.jobs.training_worker.BUDGET", 0.0)
    chosen = PhaseSettings("wine", n_lambdas=5, costs=(1.0, 1.25, 2.0))
    jobs = open_queue(n_slots)
    points = trained(jobs, chosen)
    data = sample_data.load("wine")
    from pages.jobs.row_split import split_rows

    train, *_ = split_rows(data, 0, "standard")
    estimator = TAOClassifier(split="bivariate", init="cart", random_state=0)
    whole = phase_diagram(estimator, data.X[train], data.labels()[train], lams=5, costs=(1.0, 1.25, 2.0))
    assert texts(points) == texts(whole)
    if n_slots > 1:  # several rows are trained at once, along a diagonal
        first = [call["arguments"]["row"] for _, call in jobs.executor.begun]
        assert first != sorted(first)


def test_a_comparison_in_pieces_is_that_of_one_process(jobs):
    chosen = ComparisonSettings("iris", ("cart", "c50", "tao_univariate"), repeats=2, inner=2)
    cells = trained(jobs, chosen)
    data = sample_data.load("iris")
    whole = compare(data.X, data.labels(), chosen.methods, cv=2, inner=2, seed=0, n_jobs=1)
    assert [(cell.method, cell.fold, cell.test_error, cell.size) for cell in cells] == [
        (cell.method, cell.fold, cell.test_error, cell.size)
        for cell in sorted(whole.cells, key=lambda cell: (cell.fold, chosen.methods.index(cell.method)))
    ]
    again = submitted(jobs, replace(chosen, methods=("c50", "cart")))
    begun = len(jobs.executor.begun)
    wait_for(jobs, again, "done")
    assert len(jobs.executor.begun) == begun  # all results are stored


def test_one_tree_and_critical_values(jobs):
    critical = replace(SMALL, split="bivariate", init="cart", lambdas="critical", max_depth=4)
    points = trained(jobs, critical)
    assert 2 <= len(points) <= 4
    (one,) = trained(jobs, OneTree(critical, points[1].lam, points[1].tree.to_json()))
    assert one.tree.n_nodes <= points[1].tree.n_nodes


def test_finished_jobs_are_found_again_by_the_next_server(open_queue):
    first, second = open_queue(), open_queue()
    points = trained(first, SMALL)
    assert texts(trained(second, SMALL)) == texts(points)
    assert second.executor.begun == []
    assert trained(second, SMALL)[0].figures == points[0].figures


def test_trained_parts_of_an_unfinished_job_are_kept(open_queue, monkeypatch):
    monkeypatch.setattr("pages.jobs.training_worker.BUDGET", 0.0)
    first = open_queue(1)
    name = submitted(first, replace(SMALL, n_lambdas=30))
    wait_until(lambda: len(first.points(name)) >= 3)
    first._events.shutdown(wait=False, cancel_futures=True)  # as if the server was killed
    kept = len(list((first.folder / name).glob("point-*.json")))
    second = open_queue(1)
    points = trained(second, replace(SMALL, n_lambdas=30))
    assert second.executor.begun[0][1]["arguments"]["done"] >= kept >= 3
    assert len(points) == 30


def test_cancelling_answers_at_once_and_training_can_go_on(jobs):
    name = submitted(jobs, LONG)
    wait_for(jobs, name, "running")
    began = time.monotonic()
    assert jobs.cancel(name, "me")
    assert jobs.status(name)["state"] == "cancelled"
    assert time.monotonic() - began < 1
    submitted(jobs, LONG)
    assert jobs.status(name)["state"] == "cancelled"
    submitted(jobs, LONG, again=True)
    wait_for(jobs, name, "running")
    assert jobs.cancel(name, "me")
    assert trained(jobs, SMALL)


def test_a_piece_that_does_not_stop_loses_its_worker(jobs):
    jobs.executor.free.clear()
    name = submitted(jobs, SMALL)
    wait_for(jobs, name, "running")
    assert jobs.cancel(name, "me")
    end = time.monotonic() + 60
    while not jobs.executor.ended and time.monotonic() < end:
        time.sleep(0.01)
    assert jobs.executor.ended
    jobs.executor.free.set()
    assert trained(jobs, replace(SMALL, seed=1))


def test_a_job_that_somebody_else_watches_goes_on(jobs):
    name = submitted(jobs, LONG)
    wait_for(jobs, name, "running")
    jobs.status(name, session="somebody else")
    assert not jobs.cancel(name, "me")
    assert jobs.status(name)["state"] == "running"
    assert jobs.cancel(name, "somebody else")


def test_a_lost_worker_is_not_noticed(jobs):
    jobs.executor.free.clear()
    name = submitted(jobs, SMALL)
    wait_for(jobs, name, "running")
    jobs.executor.end(jobs.executor.begun[0][0])
    jobs.executor.free.set()
    assert wait_for(jobs, name, "done", "failed")["state"] == "done"


def test_work_whose_workers_die_again_and_again_is_given_up_and_says_why(jobs):
    jobs.executor.free.clear()
    name = submitted(jobs, SMALL)
    for count in (1, 2, 3):
        wait_until(lambda count=count: len(jobs.executor.begun) >= count)
        jobs.executor.end(jobs.executor.begun[-1][0])
    assert "unexpectedly" in wait_for(jobs, name, "failed")["message"]
    jobs.executor.free.set()
    assert trained(jobs, replace(SMALL, seed=2))


def test_work_that_kills_its_worker_goes_behind_what_waits(open_queue):
    jobs = open_queue(1)
    jobs.executor.free.clear()
    names = [submitted(jobs, replace(SMALL, seed=seed)) for seed in (0, 1)]
    wait_until(lambda: jobs.executor.begun and all(jobs.jobs[name].plan is not None for name in names))
    jobs.executor.end(jobs.executor.begun[0][0])
    jobs.executor.free.set()
    for name in names:
        wait_for(jobs, name, "done")
    assert {call["job"] for _, call in jobs.executor.begun[:2]} == set(names)


def test_a_method_that_kills_its_workers_leaves_the_others(jobs):
    jobs.executor.free.clear()
    chosen = ComparisonSettings("wine", ("cart", "c50"), repeats=2, inner=2)
    name = submitted(jobs, chosen)
    for count in (1, 2, 3):
        wait_until(lambda count=count: len(jobs.executor.begun) >= count)
        jobs.executor.end(jobs.executor.begun[-1][0])
    jobs.executor.free.set()
    wait_for(jobs, name, "done")
    failures = [cell.failure for cell in jobs.points(name)]
    assert sum(failure is not None for failure in failures) == 1
    assert "unexpectedly" in next(filter(None, failures))


def test_work_that_everybody_has_left_gives_way(open_queue):
    jobs = open_queue(1)
    long = submitted(jobs, LONG)
    wait_for(jobs, long, "running")
    with jobs.lock:  # set the times instead of waiting, so that the speed of the machine does not matter
        jobs.jobs[long].watchers["somebody"] = time.monotonic() + 600
    jobs.executor.free.clear()
    other = submitted(jobs, SMALL)
    time.sleep(2 * job_queue.TICK)
    assert jobs.status(other)["waiting"] == 1
    assert jobs.status(long)["state"] == "running"
    with jobs.lock:
        jobs.jobs[long].watchers["somebody"] = time.monotonic() - job_queue.ABANDONED
    jobs.executor.free.set()
    wait_for(jobs, other, "done")
    assert not jobs.has_job(long)


def test_unwatched_work_stops(jobs):
    name = submitted(jobs, LONG)
    wait_for(jobs, name, "running")
    with jobs.lock:
        job = jobs.jobs[name]
        job.touched = job.since = time.monotonic() - job_queue.LEFT - 1
    end = time.monotonic() + 60
    while jobs.has_job(name) and time.monotonic() < end:
        time.sleep(0.02)
    assert job.state == "cancelled"


def test_the_waiting_time_is_shown(open_queue):
    jobs = open_queue(1)
    jobs.executor.free.clear()
    first = submitted(jobs, SMALL, visitor="a")
    wait_for(jobs, first, "running")
    names = [submitted(jobs, replace(SMALL, seed=seed), visitor=f"v{seed}") for seed in (1, 2)]
    time.sleep(2 * job_queue.TICK)
    assert [jobs.status(name)["waiting"] for name in names] == [1, 2]
    with jobs.lock:
        jobs.jobs[first].recent = [90.0]
    assert jobs.status(names[0])["wait"] is None  # one of four results does not show which duration is typical
    with jobs.lock:
        jobs.jobs[first].recent = [90.0, 2.0, 1.0]
    low, high = jobs.status(names[0])["wait"]
    assert 0 < low <= high < 90
    with jobs.lock:
        jobs.held[next(iter(jobs.held))].began -= 50  # a running piece is slower than all results
    low, slow = jobs.status(names[0])["wait"]
    assert low < high < slow
    low, high = jobs.span(3.0)
    assert low == 3.0
    assert high > 50
    jobs.executor.free.set()
    for name in names:
        wait_for(jobs, name, "done")


def test_many_settings_at_once_and_none_is_forgotten(open_queue, monkeypatch):
    monkeypatch.setattr(job_queue, "REMEMBERED", 0.0)
    monkeypatch.setattr(job_queue, "IN_MEMORY", 3)
    jobs = open_queue(4)
    found = {}

    def visit(seed):
        name = submitted(jobs, replace(SMALL, n_lambdas=2, seed=seed), visitor=str(seed))
        wait_for(jobs, name, "done")
        time.sleep(0.01 * seed)
        found[seed] = len(jobs.points(name)), jobs.status(name)["state"], jobs.has_job(name)

    threads = [threading.Thread(target=visit, args=(seed,)) for seed in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == {seed: (2, "done", True) for seed in range(20)}
    trained(jobs, SMALL)
    assert len(jobs.jobs) < 20


def test_bad_data_fails_with_the_engines_message(jobs):
    name = submitted(jobs, Settings("no-such-set"))
    assert "no-such-set" in wait_for(jobs, name, "failed")["message"]
    assert jobs.points(name) == []


def test_a_search_skips_a_path_that_fails(jobs, monkeypatch):
    whole = AlternativesTask.results

    def results(self, arguments):
        if arguments["index"] == 1:
            raise DataError("Not enough rows.")
        yield from whole(self, arguments)

    monkeypatch.setattr(AlternativesTask, "results", results)
    name = submitted(jobs, Alternatives(SMALL, 3, ((3,), (2,))))
    assert wait_for(jobs, name, "done", "failed")["state"] == "done"
    found = jobs.points(name)
    assert [one.index for one in found if isinstance(one, FailedPath)] == [1]
    assert len(found) == jobs.status(name)["total"] > 2


def test_an_unexpected_error_is_reported(jobs, monkeypatch):
    monkeypatch.setattr("pages.jobs.kinds.tasks.PathTask.results", lambda self, given: 1 / 0)
    name = submitted(jobs, SMALL)
    assert "ZeroDivisionError" in wait_for(jobs, name, "failed")["message"]
    monkeypatch.undo()
    submitted(jobs, SMALL, again=True)
    wait_for(jobs, name, "done")


def with_tree(record, **changes):
    """Return a record whose tree has other values."""
    tree = json.loads(record["tree"])
    return record | {"tree": json.dumps(tree | {name: change(tree[name]) for name, change in changes.items()})}


def of_wine(record):
    data = sample_data.load("wine")
    return record | {"tree": TAOClassifier(split="univariate", init="cart").fit(data.X, data.y).tree_.to_json()}


TEXTS = {
    "empty": lambda text: "",
    "half": lambda text: text[: len(text) // 2],
    "list": lambda text: "[]",
    "number": lambda text: "3",
    "object": lambda text: "{}",
    "deep": lambda text: "[" * 100_000,
    "bytes": lambda text: "\udcff",
    "another number": lambda text: re.sub(r'"lam": [0-9.e-]*', '"lam": 0.5', text),
    "no checksum": lambda text: re.sub(', "checksum": "[0-9a-f]*"', "", text),
    "written again": lambda text: json.dumps(with_tree(json.loads(text), n_features=lambda n: n + 1)),
}
RECORDS = {
    "no tree": lambda record: {k: v for k, v in record.items() if k != "tree"},
    "tree of another kind": lambda record: record | {"tree": "{}"},
    "tree that is a number": lambda record: record | {"tree": 3},
    "wrong index": lambda record: record | {"index": 7},
    "index that is a text": lambda record: record | {"index": "1"},
    "no lambda": lambda record: {k: v for k, v in record.items() if k != "lam"},
    "lambda that is a text": lambda record: record | {"lam": "1"},
    "error that is no number": lambda record: record | {"test_error": float("nan")},
    "trace": lambda record: record | {"trace": [1]},
    "one feature more": lambda record: with_tree(record, n_features=lambda n: n + 1),
    "other names": lambda record: with_tree(record, feature_names=lambda names: ["a", "b", "c", "d"]),
    "other classes": lambda record: with_tree(record, classes=lambda classes: ["x", "y", "z"]),
    "tree of other data": of_wine,
    "result of another job": lambda record: record | {"job": "0123456789abcdef"},
}


@pytest.fixture
def damages(monkeypatch, caplog):
    """Return the log, in which no line on damage is left out."""
    monkeypatch.setattr(job_files, "_damaged", SeldomLog("damages"))
    return caplog


def trained_again(open_queue, damage, damages):
    """Test that the second result of a job is trained again after `damage(path)`, and that the log reports it."""
    first = open_queue()
    points = trained(first, SMALL)
    damage(job_files.point_path(first.folder / submitted(first, SMALL), 1))
    second = open_queue()
    assert texts(trained(second, SMALL)) == texts(points)
    assert len(second.executor.begun) == 1
    assert [record.name for record in damages.records] == ["damages"]
    assert texts(trained(open_queue(), SMALL)) == texts(points)


@pytest.mark.parametrize("damage", TEXTS)
def test_a_damaged_result_is_trained_again(open_queue, damage, damages):
    trained_again(
        open_queue,
        lambda path: path.write_bytes(TEXTS[damage](path.read_text()).encode(errors="surrogateescape")),
        damages,
    )


@pytest.mark.parametrize("damage", RECORDS)
def test_a_result_that_does_not_match_is_trained_again_even_with_its_checksum(open_queue, damage, damages):
    def write(path):
        record = json.loads(path.read_text())
        assert record.pop("checksum")
        job_files.write_json(path, RECORDS[damage](record))

    trained_again(open_queue, write, damages)


def test_results_in_the_files_of_others_are_trained_again(open_queue, damages):
    first = open_queue()
    other = trained(first, replace(SMALL, seed=1))
    mine = trained(first, SMALL)
    folders = [first.folder / submitted(first, one) for one in (SMALL, replace(SMALL, seed=1))]
    for index in range(4):
        shutil.copy(job_files.point_path(folders[1], index), job_files.point_path(folders[0], index))
    shutil.copy(job_files.point_path(folders[1], 2), job_files.point_path(folders[1], 1))
    second = open_queue()
    assert texts(trained(second, SMALL)) == texts(mine)
    assert texts(trained(second, replace(SMALL, seed=1))) == texts(other)
    assert "damaged" in damages.text


@pytest.mark.parametrize(
    "text", ["", "[]", "3", "{}", "[" * 100_000, '{"state": 3}', '{"state": "done", "total": "x"}']
)
def test_damaged_progress_is_ignored(open_queue, text):
    first = open_queue()
    trained(first, SMALL)
    (first.folder / submitted(first, SMALL) / job_files.PROGRESS).write_text(text)
    assert len(trained(open_queue(), SMALL)) == 4


def test_an_erased_folder_is_made_again(jobs):
    jobs.executor.free.clear()
    name = submitted(jobs, SMALL)
    wait_for(jobs, name, "running")
    shutil.rmtree(jobs.folder, ignore_errors=True)
    jobs.executor.free.set()
    wait_for(jobs, name, "done")
    shutil.rmtree(jobs.folder)
    assert len(jobs.points(name)) == 4
    assert len(trained(jobs, replace(SMALL, seed=1))) == 4


def test_a_disk_that_cannot_be_written_fails_the_job_and_no_other(jobs):
    """A file replaces the folder, so that not even the administrator of a machine can write into it."""
    shutil.rmtree(jobs.folder, ignore_errors=True)
    jobs.folder.write_text("")
    name = submitted(jobs, SMALL)
    status = wait_for(jobs, name, "failed", seconds=30)
    assert wording("The server's jobs folder is not writable (…)").search(status["message"])
    other = submitted(jobs, replace(SMALL, seed=1))
    wait_for(jobs, other, "failed", seconds=30)
    jobs.folder.unlink()
    submitted(jobs, SMALL, again=True)
    wait_for(jobs, name, "done")
    assert len(trained(jobs, replace(SMALL, seed=2))) == 4


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder on a disk of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("only root can mount a disk, and not everywhere")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_fails_the_job_and_the_next_one_is_done_once_there_is_room(small_disk):
    jobs = JobQueue(ThreadExecutor(2), small_disk / "jobs")
    before = trained(jobs, SMALL)
    filling = small_disk / "filling"
    with contextlib.suppress(OSError), filling.open("wb", buffering=0) as stream:
        while stream.write(bytes(4096)):
            pass
    names = [submitted(jobs, replace(SMALL, seed=1)), submitted(jobs, ComparisonSettings("wine", ("cart",), seed=3))]
    for name in names:
        assert "No space left" in wait_for(jobs, name, "failed", seconds=30)["message"]
    assert texts(trained(jobs, SMALL)) == texts(before)
    assert not list(small_disk.rglob("*.part"))
    filling.unlink()
    submitted(jobs, replace(SMALL, seed=1), again=True)
    wait_for(jobs, names[0], "done")
    assert len(trained(jobs, replace(SMALL, seed=2))) == 4
    jobs.close()


def test_two_servers_on_one_folder(open_queue, monkeypatch):
    monkeypatch.setattr("pages.jobs.training_worker.BUDGET", 0.0)
    one, other = open_queue(1), open_queue(1)
    names = [submitted(jobs, replace(SMALL, n_lambdas=12)) for jobs in (one, other)]
    assert names[0] == names[1]
    for jobs in (one, other):
        wait_for(jobs, names[0], "done")
    assert texts(one.points(names[0])) == texts(other.points(names[0]))
    # The other server's work must not be deleted.
    monkeypatch.setattr(job_files, "KEPT_JOBS", 1)
    trained(one, replace(SMALL, seed=3))
    assert (one.folder / names[0]).is_dir()


def test_data_that_are_deleted_take_their_jobs_along(jobs):
    done = submitted(jobs, SMALL)
    wait_for(jobs, done, "done")
    name = submitted(jobs, LONG)
    wait_for(jobs, name, "running")
    jobs.drop_data(["mnist-5k", "iris"])
    assert not jobs.has_job(name)
    assert not jobs.has_job(done)
    wait_until(lambda: not jobs.held)
    assert not any(path.is_dir() for path in jobs.folder.iterdir())


def test_the_same_job_again_on_the_same_worker_begins_at_the_initial_tree(open_queue):
    jobs = open_queue(1)
    whole = texts(trained(jobs, SMALL))
    jobs.drop_data(["iris"])
    assert texts(trained(jobs, SMALL)) == whole
    assert [call["arguments"]["done"] for _, call in jobs.executor.begun].count(0) == 2


def test_a_failed_job_keeps_its_reason_when_late_results_come(jobs):
    name = submitted(jobs, PhaseSettings("wine", n_lambdas=5, costs=(1.0, 1.25, 2.0)))
    wait_for(jobs, name, "running")
    with jobs.lock:
        jobs._fail(jobs.jobs[name], "a reason")
    wait_until(lambda: not jobs.held)
    assert jobs.status(name)["message"] == "a reason"


def test_to_go_on_with_a_job_of_which_nothing_is_left_ends_it(jobs):
    name = submitted(jobs, SMALL)
    wait_for(jobs, name, "done")
    with jobs.lock:
        jobs.jobs[name].state = "cancelled"  # the last results arrived after the job was stopped
    submitted(jobs, SMALL, again=True)
    wait_for(jobs, name, "done")


def test_a_new_request_counts_as_watching(jobs):
    name = submitted(jobs, LONG, session="a")
    submitted(jobs, LONG, session="b")
    assert not jobs.cancel(name, "a")
    assert jobs.cancel(name, "b")


def test_only_the_last_setting_of_a_hundred_quick_changes_is_trained(open_queue):
    jobs = open_queue(2)
    whole = texts(trained(jobs, SMALL))
    other = submitted(jobs, replace(LONG, seed=1), session="somebody else")
    threads = threading.active_count()
    names = [submitted(jobs, replace(LONG, seed=seed), session="me") for seed in range(100)]
    name = names[-1]
    assert {job.name for job in jobs.jobs.values() if job.is_open} == {name, other}
    last = submitted(jobs, replace(SMALL, seed=100), session="me")
    wait_for(jobs, last, "done")
    assert jobs.status(name)["state"] == "cancelled"
    assert submitted(jobs, replace(LONG, seed=99), session="me") == name  # resumes the cancelled job
    assert jobs.status(name)["state"] == "queued"
    submitted(jobs, replace(SMALL, seed=100), session="me")
    assert [job.name for job in jobs.jobs.values() if job.is_open] == [other]
    assert {jobs.status(one)["state"] for one in names if one != other} == {"cancelled"}
    wait_until(lambda: threading.active_count() < threads + 20)
    assert texts(trained(jobs, SMALL, session="me")) == whole


def test_threads_ask_for_everything_at_once(jobs):
    stop, faults = time.monotonic() + 1.5, []

    def ask(seed):
        while time.monotonic() < stop:
            name = submitted(jobs, replace(SMALL, n_lambdas=2, seed=seed % 3))
            try:
                jobs.status(name, str(seed))
                jobs.points(name)
                if seed == 5:
                    jobs.cancel(name, "5")
                    submitted(jobs, replace(SMALL, n_lambdas=3), session="5")
            except KeyError:  # another visitor abandoned the job
                continue
            except (TreecoreError, RuntimeError, TypeError, ValueError) as fault:
                faults.append(fault)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with contextlib.suppress(KeyError):
        assert trained(jobs, replace(SMALL, seed=9))


def test_methods_that_are_compared_have_plans():
    kinds = {
        "path", "tree", "improvement", "phase", "comparison", "folds", "reference", "alternatives", "gap", "all_rows",
        "sample_curve",
    }  # fmt: skip
    assert set(plans.PLANS) == kinds
    assert METHODS


def test_a_job_that_runs_or_is_complete_is_found_without_queueing_it(open_queue):
    jobs = open_queue()
    assert not jobs.is_begun(SMALL, "iris")
    assert not jobs.jobs
    name = jobs.submit(SMALL, "iris")
    assert jobs.is_begun(SMALL, "iris")
    wait_for(jobs, name, "done")
    assert open_queue().is_begun(SMALL, "iris")  # as after a restart of the server
    other = jobs.submit(LONG, "mnist-5k")
    jobs.cancel(other, None)
    assert not jobs.is_begun(LONG, "mnist-5k")
