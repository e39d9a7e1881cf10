"""Store built lessons in the jobs folder, so that only the first visitor of a new version waits for their trees.

``python -m pages.ui.learn.lesson_store`` builds and stores all lessons.
"""

import base64
import contextlib
import hashlib
import shutil
import threading
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pages.jobs import job_files
from pages.jobs.point import check_fits
from pages.jobs.settings import PathSettings, Settings
from pages.jobs.source_digest import LESSONS, source_digest
from pages.jobs.task_data import task_data
from pages.serving import private_files
from pages.ui.learn import lessons
from pages.ui.learn.lessons import fresh
from pages.ui.learn.lessons.formulas import Formula
from pages.ui.learn.lessons.lesson import BuiltLesson, Drawn, Figure, Guess, Knob, Moment, Scene, Series
from sample_data import DataSet
from sample_data.user_data import store as data_store
from treecore.errors import DataError, TreecoreError
from treecore.tree.tree import Tree

NAME = "lesson.json"
VERSIONS = 3  # number of versions of the code whose lessons are kept, because several servers may share a folder
_SETTINGS = {kind.__name__: kind for kind in (Settings, PathSettings)}
_opened: dict[str, BuiltLesson] = {}
_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
_choosing = threading.Lock()


def opened(slug: str) -> BuiltLesson:
    """Return a lesson for a page: from memory, else from the jobs folder, else built and stored there.

    Visitors who open a lesson at the same time wait for one build. Recordings are only in built lessons (see `build`).
    """
    with _choosing:
        lock = _locks[slug]
    with lock:
        if slug not in _opened:
            folder = _folder() / slug
            found = read(folder)
            if found is None:
                found = lessons.build(slug)
                with contextlib.suppress(OSError, DataError):  # on a full disk, the next start builds the lesson again
                    write(found, folder)
            _opened[slug] = found
        return _opened[slug]


def write(built: BuiltLesson, folder: Path) -> None:
    """Store a built lesson. Raises OSError or DataError."""
    is_new = not folder.parent.is_dir()
    record = {
        "scenes": [_scene_record(scene, folder / str(k)) for k, scene in enumerate(built.scenes)],
        "moments": [asdict(moment) for moment in built.moments],
        "knobs": [asdict(knob) for knob in built.knobs],
    }
    job_files.write_json(folder / NAME, _plain(record))  # last, because it marks the lesson as complete
    if is_new:
        for old in sorted(folder.parent.parent.glob("*/"), key=job_files.age)[VERSIONS:]:
            shutil.rmtree(old, ignore_errors=True)


def read(folder: Path) -> BuiltLesson | None:
    """Return a stored lesson, or None if it is missing, damaged, or made from other data."""
    record = job_files.read_json(folder / NAME, is_checked=True)
    if record is None:
        return None
    try:
        return BuiltLesson(
            tuple(_scene(one, folder / str(k)) for k, one in enumerate(record["scenes"])),
            tuple(_moment(one) for one in record["moments"]),
            tuple(Knob(one["name"], tuple(one["values"])) for one in record["knobs"]),
        )
    except (AttributeError, LookupError, TypeError, ValueError, OSError, TreecoreError):
        job_files.note_damage(folder / NAME)
        return None


@dataclass(frozen=True)
class _StoredScene(Scene):
    """Scene with its bytes instead of the recording from which they were made."""

    stored: bytes = b""
    kind: str = ""

    @property
    def content(self) -> bytes:
        return self.stored

    @property
    def is_recorded(self) -> bool:
        return self.kind == "recorded"

    @property
    def is_growth(self) -> bool:
        return self.kind == "growth"


class _StoredPoint(NamedTuple):
    """A tree, its λ and its metrics."""

    lam: float
    figures: dict[str, Any]
    tree: Tree


def _scene_record(scene: Scene, place: Path) -> dict[str, Any]:
    data, known = scene.data, _known_data(scene.data)
    if known is None:
        private_files.make(place)
        data_store.save(data, place, keep=None)
    return {
        "title": scene.title,
        "data": data.name,
        "fingerprint": data.fingerprint,
        "is_known": known is not None,
        "rows": [part.tolist() for part in scene.rows],
        "points": [
            {"lam": point.lam, "tree": point.tree.to_json(), "figures": point.figures} for point in scene.points
        ],
        "settings": None if scene.settings is None else [type(scene.settings).__name__, asdict(scene.settings)],
        "places": list(scene.places),
        "is_made": scene.is_made,
        "grows": scene.grows,
        "kind": "growth" if scene.is_growth else "recorded" if scene.is_recorded else "",
        "content": base64.b64encode(scene.content).decode(),
    }


def _scene(record: dict[str, Any], place: Path) -> Scene:
    name = record["data"]
    data = task_data(name) if record["is_known"] else data_store.load(name, place)
    if data.fingerprint != record["fingerprint"]:
        raise ValueError(f"The data set {name} has changed.")
    chosen = record["settings"]
    return _StoredScene(
        title=record["title"],
        data=data,
        rows=tuple(np.array(part, np.int64) for part in record["rows"]),
        # Reading the trees at once takes 20 ms at most, and finds damage before the lesson opens.
        points=tuple(_point(one, data) for one in record["points"]),
        settings=None if chosen is None else _SETTINGS[chosen[0]](**_with_tuples(chosen[1])),
        places=tuple(record["places"]),
        is_made=record["is_made"],
        grows=record["grows"],
        stored=base64.b64decode(record["content"], validate=True),
        kind=record["kind"],
    )


def _point(record: dict[str, Any], data: DataSet) -> _StoredPoint:
    tree = Tree.from_json(record["tree"])
    check_fits(tree, data)
    return _StoredPoint(record["lam"], record["figures"], tree)


def _moment(record: dict[str, Any]) -> Moment:
    values = _with_tuples(record)
    guess, formula, figure = record["guess"], record["formula"], record["figure"]
    values["draws"] = tuple(Drawn(*one) for one in record["draws"])
    if guess is not None:
        values["guess"] = Guess(**_with_tuples(guess))
    if formula is not None:
        values["formula"] = Formula(formula["formula"], tuple(map(tuple, formula["signs"])))
    if figure is not None:
        values["figure"] = _figure(figure)
    return Moment(**values)


def _figure(record: dict[str, Any]) -> Figure:
    values = _with_tuples(record)
    values["series"] = tuple(Series(name, tuple(numbers), late) for name, numbers, late in record["series"])
    return Figure(**values)


def _known_data(data: DataSet) -> DataSet | None:
    """Return the bundled data set that equals `data`, or None if `data` were made for the lesson."""
    with contextlib.suppress(TreecoreError):
        known = task_data(data.name)
        if known is data or (known.fingerprint, known.source) == (data.fingerprint, data.source):
            return known
    return None


def _with_tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def _plain(value: Any) -> Any:
    """Return a value with Python numbers instead of numpy's."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def _folder() -> Path:
    # The numbers of fresh draws are not in a Python file.
    digest = hashlib.sha256(source_digest(LESSONS).encode() + fresh.FILE.read_bytes()).hexdigest()
    return job_files.jobs_folder() / job_files.LESSONS / digest[:16]


def main() -> None:
    """Build and store all lessons."""
    for slug in lessons.ALL:
        opened(slug)


if __name__ == "__main__":
    main()
