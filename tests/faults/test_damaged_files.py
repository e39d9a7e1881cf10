"""Damage the stored files of every kind: results of jobs, cells, lessons, edits, data sets and uploads."""

import hashlib
import json
import random
import shutil

import numpy as np
import pytest

from pages.jobs import job_files, kept_files, reading_task, readings, user_store
from pages.jobs.job_queue import JobQueue
from pages.jobs.kinds.plans import PLANS
from pages.jobs.settings import (
    Alternatives,
    ComparisonSettings,
    CrossValidation,
    Gap,
    Improvement,
    OneTree,
    PhaseSettings,
    Reference,
    Settings,
)
from pages.serving.browser import COOKIE, browser
from sample_data import DataSet
from sample_data.user_data import Recipe
from tests.faults.conftest import SMALL, Visitor, trained
from tests.pages.jobs.test_job_queue import wait_for
from tests.pages.jobs.thread_executor import ThreadExecutor
from tests.waiting import awaited

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of interruptions
PATH = Settings("iris", max_depth=2, n_lambdas=3)
TOKEN = "5" * 32
OWN, COOKIES = "own-0123456789ab", {COOKIE: "c" * 32}
OWNER = browser(COOKIES)


def flipped(content, draw):
    place = draw.randrange(len(content))
    return content[:place] + bytes([content[place] ^ (1 << draw.randrange(8))]) + content[place + 1 :]


def other_number(content, draw):
    """Change a digit, which leaves most JSON valid."""
    places = [k for k, byte in enumerate(content) if 48 <= byte < 58] or [0]
    place = draw.choice(places)
    return content[:place] + b"%d" % draw.randrange(10) + content[place + 1 :]


DAMAGES = {
    "empty": lambda content, draw: b"",
    "cut": lambda content, draw: content[: draw.randrange(len(content))],
    "zeros": lambda content, draw: bytes(len(content)),
    "noise": lambda content, draw: draw.randbytes(len(content)),
    "a bit": flipped,
    "a digit": other_number,
    "an object": lambda content, draw: b"{}",
    "a list": lambda content, draw: b"[]",
    "nothing": lambda content, draw: b"null",
    "a number": lambda content, draw: b"3",
    "a text": lambda content, draw: b'"x"',
    "deep": lambda content, draw: b"[" * 100_000,
}


def damage(path, how, draw):
    """Damage a file. Return whether its content has changed."""
    before = path.read_bytes()
    after = DAMAGES[how](before, draw) if before else b"x"
    path.write_bytes(after)
    return before != after


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    """Return a function that opens a queue on one folder, like a starting server."""
    monkeypatch.setenv("TAO_JOBS", str(tmp_path))
    opened = []

    def start():
        opened.append(JobQueue(ThreadExecutor(1), tmp_path))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def requests(queue):
    """Return the settings of a job of every kind except those that need a folder of data."""
    points = done(queue, PATH)
    tree = points[-1].tree.to_json()
    return {
        "path": PATH,
        "tree": OneTree(PATH, 2.5, tree),
        "phase": PhaseSettings("iris", n_lambdas=2, costs=(1.0, 1.5)),
        "comparison": ComparisonSettings("iris", ("cart", "c50"), repeats=2, inner=2),
        "folds": CrossValidation(PATH, (1.0, 4.0), 2),
        "reference": Reference("iris"),
        "improvement": Improvement(PATH, tree),
        "alternatives": Alternatives(PATH, 3, ((3,), (2,))),
        "gap": Gap(PATH, tree, points[-1].lam),
    }


def done(queue, settings):
    name = queue.submit(settings, "fingerprint")
    wait_for(queue, name, "done")
    return queue.points(name)


def content(results):
    """Return results without the measured seconds."""
    return [_content(one) for one in results]


def _content(result):
    if hasattr(result, "figures"):
        return result.tree.to_json()
    if hasattr(result, "fold"):
        return result.method, result.fold, result.test_error, result.predicted.tolist()
    return repr(result)


@pytest.mark.long
def test_damaged_results_of_every_kind_are_computed_again(jobs, tmp_path, caplog):
    draw, queue = random.Random(0), jobs()
    wanted = requests(queue)
    assert wanted.keys() == PLANS.keys() - {"all_rows", "sample_curve"}
    right = {name: content(done(queue, wanted[name])) for name in wanted}
    for how in DAMAGES:
        for path in [*tmp_path.glob("*/*.json"), *tmp_path.glob("*.json")]:
            if draw.random() < 0.6:
                damage(path, how, draw)
        queue = jobs()
        for name in wanted:
            assert content(done(queue, wanted[name])) == right[name], (how, name)
    assert "damaged" in caplog.text


@pytest.mark.long
@pytest.mark.parametrize("how", DAMAGES)
def test_no_page_fails_for_damaged_files(serve, tmp_path, monkeypatch, how):
    """All files of all kinds, and then some of them."""
    folder = tmp_path / "jobs"
    monkeypatch.setenv("TAO_JOBS", str(folder))
    server = serve(folder=folder)
    awaited(fill(server, folder))
    server.stop()
    # without its data, an own job cannot run again; each result of a comparison is also a cell, and one is enough
    apart = jobs_with(OWN, folder) | jobs_with('"method"', folder)
    before, compared = server.results(apart), cells(folder)
    assert before
    assert compared
    whole = tmp_path / "whole"
    shutil.copytree(folder, whole)
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    kinds = {path.name.split("-")[0] for path in files} | {path.parts[0] for path in files}
    assert kinds >= {"point", "progress.json", "cells", "edits", "lessons", "lesson.json", "data", "draft.json",
                     "reading.json", "table.arrow", "first.arrow", "own", "file", "code"}  # fmt: skip
    draw = random.Random(how)
    for share in (1.0, 0.3):
        shutil.rmtree(folder)
        shutil.copytree(whole, folder)
        changed = [path for path in files if draw.random() < share and damage(folder / path, how, draw)]
        assert changed
        server.start()
        awaited(look_at_all(server))
        server.stop()
        server.is_quiet()
        after = server.results(apart)
        assert {key: after.get(key) for key in before} == before
        assert cells(folder).items() >= compared.items()
    assert "damaged" in server.log()


def jobs_with(text, folder):
    return {path.parent.name for path in folder.glob("*/*.json") if text in path.read_text()}


def cells(folder):
    """Return {(method, fold, test rows): predictions} of the valid results of comparisons, as points or cells."""
    paths = [*folder.glob("*/point-*.json"), *folder.glob(f"{job_files.CELLS}/*.json")]
    records = [job_files.read_json(path, is_checked=True) for path in paths]
    records = [one for one in records if one and "method" in one]
    return {(one["method"], one["fold"], one["n_test"]): one["predicted"] for one in records}


async def fill(server, folder):
    """Let visitors store files of every kind."""
    for page in ("", "rules", "explain", "predict", "edit", "about"):
        await trained(server, SMALL, page)
    await trained(server, COMPARED, "compare")
    await trained(server, "lesson=care-points", "learn")
    X = np.arange(120.0).reshape(60, 2) % 7
    data = DataSet(OWN, "Mine", X, (X[:, 0] > 3).astype(int), ("a", "b"), ("no", "yes"))
    user_store.save(data, Recipe("y", {"a": "number", "b": "number"}), OWNER)
    user_store.note_origin(OWN, "mine.csv", ())
    await trained(server, f"data_set={OWN}&max_depth=2&n_lambdas=3")
    token = user_store.keep_upload(b"a,b,c\n" + b"".join(b"%d,%d,%d\n" % (k, k % 5, k % 2) for k in range(60)), OWNER)
    place = user_store.place_of_upload(token)
    read = place / f"read-{hashlib.sha256(b'[]').hexdigest()[:12]}"
    reading_task.read_file(lambda *_: None, str(place / user_store.FILE), "mine.csv", {}, str(read))
    proposed = job_files.read_json(read / readings.READING)["proposed"]
    draft = {"name": "mine.csv", "n_bytes": 300, "options": [], "recipe": proposed, "source": None}
    job_files.write_json(place / "draft.json", draft)
    job = min(job for job, _ in server.results() if json.loads(server.results()[job, 0])["n_features"] == 4
              and (folder / job / "point-003.json").exists())  # fmt: skip
    kept_files.write(TOKEN, {"name": f"{job}-0", "document": {"nodes": []}}, OWNER)


COMPARED = "data_set=iris&methods=cart-c50&repeats=2"


async def look_at_all(server):
    """Open every page, and wait for its results. A traceback on a page raises RuntimeError."""
    headers = {"Cookie": f"{COOKIE}={COOKIES[COOKIE]}"}
    for page, query in (
        ("", SMALL),
        ("compare", COMPARED),
        ("rules", SMALL),
        ("explain", SMALL),
        ("predict", SMALL),
        ("edit", f"{SMALL}&edit={TOKEN}"),
        ("learn", "lesson=care-points"),
        ("learn", f"kept={TOKEN}"),
        ("lessons", ""),
        ("data", f"from=file&{SMALL}"),
        ("data", f"data_set={OWN}"),
        ("", f"data_set={OWN}&max_depth=2&n_lambdas=3"),
        ("rules", f"data_set={OWN}"),
        ("compare", f"data_set={OWN}&methods=cart"),
    ):
        async with Visitor(server.url, page, query, headers) as visitor:
            await visitor.run()
            await visitor.wait()
            # of data and files of a visitor there is nothing else, so the page says that they are damaged
            is_own = OWN in query or "from=file" in query
            assert is_own or visitor.errors == [], (page, query, visitor.errors)
            assert not any("Traceback" in text for text in visitor.texts)
