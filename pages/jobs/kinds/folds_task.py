"""Train a cross-validated path: one path per fold, all with the same λ values."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from pages.jobs.kinds.training_task import TrainingTask, has_sizes
from pages.jobs.row_split import split_rows
from sample_data import DataSet
from treecore.data.dependence import Dependence
from treecore.errors import DataError
from treecore.parameter_checks import typed
from treecore.training.path import PathPoint, PathRun
from treecore.training.size_path import size_path
from treecore.tree.metrics import error_of
from treecore.tree.target import Target
from treecore.tree.tree import Tree

INDEPENDENT = Dependence()
Parts = list[tuple[np.ndarray, np.ndarray]]  # training rows, validation rows
FEWEST = 2  # smallest number of validation rows in a fold


class FoldsTask(TrainingTask):
    """Train paths on folds of the training and validation rows.

    With five folds, each path trains on about as many rows as the original path. Test rows are not used. λ is scaled by
    the number of rows. A path of sizes has a tree of each of the same sizes.
    """

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request["path"], data)
        self._swept, self._count = np.array(request["lams"]), request["folds"]
        self.is_whole = has_sizes(request["path"])
        train, validation, _ = split_rows(data, self.settings["seed"], self.settings["rows"])
        self._n_path, self._rows = train.size, np.concatenate([train, validation])
        labels, dependence = data.labels()[self._rows], data.dependence.of(self._rows)
        self._folds = folds(data.target, labels, self._count, self.settings["seed"], dependence)
        self.test = data.X[:0], data.labels()[:0]
        self._run: PathRun | None = None
        self._fold: int | None = None

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the records of arguments["fold"] from arguments["column"] on.

        arguments["last"] is the previous tree as JSON.
        """
        fold, column = arguments["fold"], arguments["column"]
        if self.is_whole:
            points = self._sizes(fold)[column:]
        else:
            last = None if arguments["last"] is None else Tree.from_json(arguments["last"])
            points = self._lambdas(fold, column, last)
        count = self._swept.size
        for point in points:
            own = {"index": fold * count + point.index, "total": self._count * count, "trace": []}
            yield self.record(point) | own | {"fold_lam": float(self._swept[point.index])}

    def _sizes(self, fold: int) -> list[PathPoint]:
        """Return the trees of all sizes. The held-out rows do not select the λ of their weights."""
        fit, held = (self._rows[part] for part in self._folds[fold])
        X, X_held, labels = self.inputs(fit), self.data.X[held], self.data.labels()
        path = size_path(self.estimator(), X, labels[fit], [int(size) for size in self._swept])
        return [replace(point, validation_error=error_of(point.tree, X_held, labels[held])) for point in path]

    def _lambdas(self, fold: int, column: int, last: Tree | None) -> Iterator[PathPoint]:
        """Yield the trees of all λ values from `column` on. last : previous tree."""
        if self._fold != fold or not column:
            fit, held = (self._rows[part] for part in self._folds[fold])
            labels = self.data.labels()
            self._run = PathRun(
                self.estimator(), self.inputs(fit), labels[fit], self._swept * (fit.size / self._n_path),
                self.data.X[held], labels[held],
            )  # fmt: skip
            self._fold = fold
        yield from self._run.points(column, last)


def folds(target: Target, labels: np.ndarray, count: int, seed: int, dependence: Dependence = INDEPENDENT) -> Parts:
    """Return `count` pairs (training rows, validation rows), stratified if the labels [n] are classes.

    dependence : `Dependence` of the rows. Groups stay together and times stay in order. If a class has fewer rows than
    folds, its rows are in every training set and in no validation set, so no fold trains without it. Raises DataError
    if there are too few rows.
    """
    strata = target.strata(labels)
    if dependence.is_known:
        return _dependent(strata, count, seed, dependence)
    groups, place, sizes = np.unique(strata, return_inverse=True, return_counts=True)
    judging = np.flatnonzero(sizes[place] >= count)
    if judging.size < FEWEST * count or (groups.size > 1 and np.unique(place[judging]).size < 2):
        fewest, n = FEWEST * count, judging.size
        if groups.size > 1:
            raise DataError(
                f"Too few rows for cross-validation: {count} folds need {fewest} training and validation rows of "
                f"two {target.values_noun} with at least {count} rows each; the data have {n}."
            )
        raise DataError(
            f"Too few rows for cross-validation: {count} folds need at least {fewest} training and validation "
            f"rows, but the data have {n}."
        )
    splitter = StratifiedKFold(count, shuffle=True, random_state=seed)
    always = np.setdiff1d(np.arange(labels.size), judging)
    return [
        (np.sort(np.concatenate([judging[fit], always])), judging[held])
        for fit, held in splitter.split(judging, place[judging])
    ]


def _dependent(strata: np.ndarray, count: int, seed: int, dependence: Dependence) -> Parts:
    """Return the folds of dependent rows, without validation rows of classes that have no training rows."""
    found, splitter = [], dependence.splitter(count, seed)
    with typed(DataError):
        parts = list(splitter.split(strata, strata, dependence.groups))
    for fit, held in parts:
        judging = held[np.isin(strata[held], strata[fit])]
        if judging.size < FEWEST or np.unique(strata[fit]).size < min(np.unique(strata).size, 2):
            raise DataError(
                f"Too few rows for cross-validation: one of {count} folds would have {judging.size} validation "
                "rows, or a single class to train on."
            )
        found.append((fit, judging))
    return found
