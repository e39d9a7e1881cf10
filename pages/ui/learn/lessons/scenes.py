"""Scenes made of settings, exactly as the pages of the app train them, so that a link opens the same trees there."""

from bisect import bisect
from dataclasses import asdict, replace
from typing import NamedTuple

import numpy as np

from pages.jobs import point as jobs_point
from pages.jobs import row_split
from pages.jobs.kinds.path_task import PathTask
from pages.jobs.kinds.tree_task import TreeTask
from pages.jobs.settings import OneTree, PathSettings
from pages.ui.learn.lessons.lesson import Scene
from pages.ui.session import data_sets
from treecore.training.recording import grow, record
from treecore.tree.tree import Tree

SMALLEST_LAMBDA = 0.5  # first value of a page's path of true 0/1 losses: half the weight of a point


class Point(NamedTuple):
    """A tree with its lambda and figures by name."""

    lam: float
    tree: Tree
    figures: dict


def made(settings, title, data):
    """Scene of the path of `settings` on data that the lesson has made."""
    task, points = _trained(settings, data)
    return Scene(title, data, _rows(task), tuple(points), settings=settings, is_made=True)


def growing(scene, step, title):
    """Scene of a tree of a path from its single leaf on, question by question."""
    steps = grow(scene.tree(step)).steps
    points = tuple(Point(scene.points[step].lam, one.tree, {}) for one in steps)
    places = (None,) * (len(points) - 1) + (scene.places[step],)
    return replace(scene, title=title, points=points, places=places, grows=True)


def forest(settings, title, titles, n_trees, seed):
    """(scene of the tree that CART grows, scene of those that it grows on rows drawn with replacement, these draws)."""
    task = _task(settings)
    X, y = task.train_rows
    draws = np.random.default_rng(seed).integers(0, len(y), (n_trees, len(y)))
    grown = [task.estimator(lam=0.0, max_iter=0).fit(X[draw], y[draw]).tree_ for draw in (np.arange(len(y)), *draws)]
    points = tuple(Point(0.0, tree, {}) for tree in grown)
    parts = ((title, points[:1]), (titles, points[1:]))
    return *(Scene(name, task.data, _rows(task), some, settings=settings, is_made=True) for name, some in parts), draws


def path(settings, title):
    """Scene of the whole path of `settings`; of `PathSettings` with the tree of `lam` on it."""
    task, points = _trained(settings)
    if getattr(settings, "lam", None) is not None:
        points.insert(bisect([point.lam for point in points], settings.lam), _added(settings, points))
    return Scene(title, task.data, _rows(task), tuple(points), settings=settings, places=tuple(range(len(points))))


def some(scene, steps, title=None):
    """Scene of some trees of a path, which keep their places on its page."""
    return replace(
        scene,
        title=title or scene.title,
        points=tuple(scene.points[k] for k in steps),
        places=tuple(scene.places[k] for k in steps),
    )


def recording(settings, title):
    """Scene of a run of TAO at the smallest lambda of the path of `settings`: its last tree is the first of that
    path."""
    task = _task(settings)
    estimator = task.estimator(lam=SMALLEST_LAMBDA)
    return _recorded(settings, title, task, record(estimator, *task.train_rows), 0)


def growth(settings, title):
    """Scene of the greedy growth of the initial tree of `settings`, split by split."""
    task = _task(settings)
    initial = task.estimator(lam=0.0, max_iter=0).fit(*task.train_rows).tree_
    return _recorded(settings, title, task, grow(initial, SMALLEST_LAMBDA), None)


def _recorded(settings, title, task, found, place):
    points = tuple(Point(found.lam, step.tree, {"train_error": step.error}) for step in found.steps)
    places = (None,) * (len(points) - 1) + (place,)
    return Scene(title, task.data, _rows(task), points, found, settings, places)


def _trained(settings, data=None):
    chosen = settings.path() if isinstance(settings, PathSettings) else settings
    task = _task(chosen, data)
    return task, [_point(record) for record in task.results({"done": 0, "last": None})]


def _added(settings, points):
    left = [point for point in points if point.lam <= settings.lam][-1:]
    one = OneTree(settings.path(), settings.lam, left[0].tree.to_json() if left else None)
    (record,) = TreeTask(asdict(one), data_sets.load(settings.data_set)).results({})
    return _point(record)


def _task(settings, data=None):
    return PathTask(asdict(settings), data_sets.load(settings.data_set) if data is None else data)


def _point(record):
    found = jobs_point.Point.from_record(record)
    return Point(found.lam, found.tree, found.figures)


def _rows(task):
    chosen = task.settings
    return row_split.split_rows(task.data, chosen["seed"], chosen["rows"])
