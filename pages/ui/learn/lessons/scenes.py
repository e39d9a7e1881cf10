"""Make scenes from settings. Trees are trained exactly as on the pages, so that a link opens the same trees there."""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import numpy as np

from pages.jobs import point as jobs_point
from pages.jobs import row_split
from pages.jobs.kinds.tasks import PathTask, TreeTask
from pages.jobs.settings import OneTree, PathSettings, Settings
from pages.ui.learn.lessons.lesson import Scene
from pages.ui.session import data_sets
from sample_data import DataSet
from treecore.training.recording import Recording, grow, record
from treecore.tree.tree import Tree

SMALLEST_LAMBDA = 0.5  # first λ of a path for 0/1 losses: half the weight of one point


class Point(NamedTuple):
    """A tree, its λ, and its metrics by name."""

    lam: float
    tree: Tree
    figures: dict


def generated_path(settings: Settings, title: str, data: DataSet) -> Scene:
    """Return a scene with the path of `settings` on data that are generated for the lesson."""
    task, points = _train_path(settings, data)
    return Scene(title, data, rows_of(task), tuple(points), settings=settings, is_made=True)


def growth_of(scene: Scene, step: int, title: str) -> Scene:
    """Return a scene that grows a tree of a path from a single leaf, split by split."""
    steps = grow(scene.tree(step)).steps
    points = tuple(Point(scene.points[step].lam, one.tree, {}) for one in steps)
    places = (None,) * (len(points) - 1) + (scene.places[step],)
    return replace(scene, title=title, points=points, places=places, grows=True)


def forest(settings: Settings, title: str, titles: str, n_trees: int, seed: int, data: DataSet | None = None) -> tuple:
    """Return a scene with CART's tree, a scene with CART's trees on bootstrap samples, and these samples."""
    task = task_of(settings, data)
    X, y = task.train_rows
    draws = np.random.default_rng(seed).integers(0, len(y), (n_trees, len(y)))
    grown = [task.estimator(lam=0.0, max_iter=0).fit(X[draw], y[draw]).tree_ for draw in (np.arange(len(y)), *draws)]
    points = tuple(Point(0.0, tree, {}) for tree in grown)
    parts = ((title, points[:1]), (titles, points[1:]))
    return *(
        Scene(name, task.data, rows_of(task), some, settings=settings, is_made=True) for name, some in parts
    ), draws


def path(settings: Settings, title: str) -> Scene:
    """Return a scene with the whole path of `settings`, including the tree for a custom λ."""
    task, points = _train_path(settings)
    if getattr(settings, "lam", None) is not None:
        points.insert(bisect([point.lam for point in points], settings.lam), _train_custom(settings, points))
    return Scene(title, task.data, rows_of(task), tuple(points), settings=settings, places=tuple(range(len(points))))


def some(scene: Scene, steps: Sequence[int], title: str | None = None) -> Scene:
    """Return a scene with some trees of a path. The trees keep their positions on the path."""
    return replace(
        scene,
        title=title or scene.title,
        points=tuple(scene.points[k] for k in steps),
        places=tuple(scene.places[k] for k in steps),
    )


def recording(settings: Settings, title: str, data: DataSet | None = None) -> Scene:
    """Return a scene with a TAO run at the smallest λ of the path. The run ends with the first tree of the path."""
    task = task_of(settings, data)
    estimator = task.estimator(lam=SMALLEST_LAMBDA)
    return _scene_of(settings, title, task, record(estimator, *task.train_rows), 0)


def growth(settings: Settings, title: str, data: DataSet | None = None) -> Scene:
    """Return a scene that grows the initial tree of `settings` greedily, split by split."""
    task = task_of(settings, data)
    initial = task.estimator(lam=0.0, max_iter=0).fit(*task.train_rows).tree_
    return _scene_of(settings, title, task, grow(initial, SMALLEST_LAMBDA), None)


def _scene_of(settings: Settings, title: str, task: PathTask, found: Recording, place: int | None) -> Scene:
    points = tuple(Point(found.lam, step.tree, {"train_error": step.error}) for step in found.steps)
    places = (None,) * (len(points) - 1) + (place,)
    return Scene(title, task.data, rows_of(task), points, found, settings, places)


def _train_path(settings: Settings, data: DataSet | None = None) -> tuple[PathTask, list[Point]]:
    chosen = settings.path() if isinstance(settings, PathSettings) else settings
    task = task_of(chosen, data)
    return task, [_point(record) for record in task.results({"done": 0, "last": None})]


def _train_custom(settings: Any, points: Sequence[Point]) -> Point:
    left = [point for point in points if point.lam <= settings.lam][-1:]
    one = OneTree(settings.path(), settings.lam, left[0].tree.to_json() if left else None)
    (record,) = TreeTask(asdict(one), data_sets.load(settings.data_set)).results({})
    return _point(record)


def task_of(settings: Settings, data: DataSet | None = None) -> PathTask:
    """Return the task that trains the trees of `settings`, on its data set or on `data`."""
    return PathTask(asdict(settings), data_sets.load(settings.data_set) if data is None else data)


def _point(record: dict[str, Any]) -> Point:
    found = jobs_point.Point.from_record(record)
    return Point(found.lam, found.tree, found.figures)


def rows_of(task: PathTask) -> tuple[np.ndarray, ...]:
    """Return the training, validation and test row numbers of a task."""
    chosen = task.settings
    return row_split.split_rows(task.data, chosen["seed"], chosen["rows"])
