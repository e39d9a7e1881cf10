"""The job of a cross-validated path: the same λ on rows that leave out a part of them each, which then judges."""

import numpy as np
from sklearn.model_selection import StratifiedKFold

from pages.jobs.kinds.training_task import TrainingTask
from pages.jobs.messages import MESSAGES
from pages.jobs.row_split import split_rows
from treecore.data.dependence import Dependence
from treecore.errors import DataError
from treecore.parameter_checks import typed
from treecore.training.path import PathRun
from treecore.tree.tree import Tree

INDEPENDENT = Dependence()
FEWEST = 2  # rows that judge in a fold


class FoldsTask(TrainingTask):
    """Paths on folds of the training and validation rows. Of five folds each trains on about as many rows as the path
    itself; the test rows have no part in it. Errors are over the rows left out, λ in proportion to the rows."""

    is_whole = False

    def __init__(self, request, data):
        super().__init__(request["path"], data)
        self._lams, self._count = np.array(request["lams"]), request["folds"]
        train, validation, _ = split_rows(data, self.settings["seed"], self.settings["rows"])
        self._n_path, self._rows = train.size, np.concatenate([train, validation])
        labels, dependence = data.labels()[self._rows], data.dependence.of(self._rows)
        self._folds = folds(data.target, labels, self._count, self.settings["seed"], dependence)
        self.test = data.X[:0], data.labels()[:0]
        self._run, self._fold = None, None

    def results(self, given):
        """Yield the records of given["fold"] from given["column"] on; given["last"] is the tree before, as JSON."""
        fold, column = given["fold"], given["column"]
        if self._fold != fold or not column:
            fit, held = (self._rows[part] for part in self._folds[fold])
            labels = self.data.labels()
            self._run = PathRun(
                self.estimator(), self.data.X[fit], labels[fit], self._lams * (fit.size / self._n_path),
                self.data.X[held], labels[held],
            )  # fmt: skip
            self._fold = fold
        last = None if given["last"] is None else Tree.from_json(given["last"])
        for point in self._run.points(column, last):
            n_lams = self._lams.size
            own = {"index": fold * n_lams + point.index, "total": self._count * n_lams, "trace": []}
            yield self.record(point) | own | {"fold_lam": float(self._lams[point.index])}


def folds(target, labels, count, seed, dependence=INDEPENDENT):
    """List of `count` (rows that train, rows that judge), stratified where labels [n] are classes.

    dependence : `Dependence` of the rows, whose groups stay together and whose times come one after the other.

    Rows of a class with fewer rows than folds train in each fold and judge in none, so that no fold lacks a class.
    Raises DataError for too few rows.
    """
    strata = target.strata(labels)
    if dependence.is_known:
        return _dependent(strata, count, seed, dependence)
    groups, place, sizes = np.unique(strata, return_inverse=True, return_counts=True)
    judging = np.flatnonzero(sizes[place] >= count)
    if judging.size < FEWEST * count or (groups.size > 1 and np.unique(place[judging]).size < 2):
        facts = {"count": count, "fewest": FEWEST * count, "n": judging.size}
        if groups.size > 1:
            raise DataError(MESSAGES("folds.too_few_of_classes", **facts, nouns=target.values_noun))
        raise DataError(MESSAGES("folds.too_few", **facts))
    splitter = StratifiedKFold(count, shuffle=True, random_state=seed)
    always = np.setdiff1d(np.arange(labels.size), judging)
    return [
        (np.sort(np.concatenate([judging[fit], always])), judging[held])
        for fit, held in splitter.split(judging, place[judging])
    ]


def _dependent(strata, count, seed, dependence):
    """The same of rows that depend on each other; rows of a class on which nothing was trained do not judge."""
    found, splitter = [], dependence.splitter(count, seed)
    with typed(DataError):
        parts = list(splitter.split(strata, strata, dependence.groups))
    for fit, held in parts:
        judging = held[np.isin(strata[held], strata[fit])]
        if judging.size < FEWEST or np.unique(strata[fit]).size < min(np.unique(strata).size, 2):
            raise DataError(MESSAGES("folds.one_too_small", count=count, n=judging.size))
        found.append((fit, judging))
    return found
