"""List the tasks of a worker, one class for each kind of job.

A task is made from a request (settings as a dict) and a DataSet. `results(arguments)` yields the records of one piece,
each with its `index`. If a task `is_whole`, it cannot pause between two records.
"""

import itertools
import json
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from itertools import islice, pairwise
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any

import numpy as np
import psutil
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.class_weight import compute_sample_weight

from pages.jobs.class_weights import class_weight
from pages.jobs.kinds.alternative_paths import alternative_paths
from pages.jobs.kinds.comparison_protocol import SHOWN_FOLD, plan
from pages.jobs.kinds.constraint_values import constraint_values
from pages.jobs.kinds.optimality import ALL_THRESHOLDS, SECONDS, SHARES, THRESHOLDS
from pages.jobs.row_split import split_rows
from pages.jobs.setting import settings_of
from pages.jobs.settings import Alternatives, ComparisonSettings, Settings
from pages.jobs.training_effort import is_large_regression
from sample_data import DataSet
from sample_data.data_folder.source import EntrySource
from treecore.baselines.cart import CARTClassifier, CARTRegressor
from treecore.baselines.optimal.gap import optimality_gap
from treecore.comparison.evaluation import evaluate
from treecore.data.dependence import Dependence
from treecore.errors import DataError, ParameterError
from treecore.foreign.from_sklearn import from_sklearn
from treecore.node_solvers import SPLITS
from treecore.parameter_checks import typed
from treecore.training.estimators import ESTIMATORS
from treecore.training.improve import improve
from treecore.training.parameters import parameters_of
from treecore.training.partitions.learning_curve import sample_curve
from treecore.training.partitions.partitioned_run import PartitionedRun
from treecore.training.partitions.shards import LocalExecutor
from treecore.training.partitions.sources.row_source import ArraySource, PartRows, RowPart, RowSource
from treecore.training.partitions.validation_rows import ValidationRows
from treecore.training.path import WARM_TOL, PathPoint, PathRun, figures, fitted_point, regularization_path
from treecore.training.phase import PhaseRun
from treecore.training.size_path import SizePathRun, size_path, usual_sizes
from treecore.training.tao import TrainingStep
from treecore.tree.metrics import error_of, tree_metrics
from treecore.tree.target import Target
from treecore.tree.tree import Tree
from viz.nodes.category_columns import grouped_columns
from viz.payload.reference_facts import errors_of_sizes


def has_sizes(request: dict[str, Any]) -> bool:
    """Test whether a request is for a tree of each size. Jobs of previous versions have no such setting."""
    return request.get("sweep") == "size" and request["leaf"] == "constant"


class TrainingTask:
    """Base class: the training, validation and test rows of a DataSet, and the estimator for settings (a dict).

    on_step : called with each `TrainingStep`; a worker sets it for each piece; news : dict that it reports with each
    step. Raises TreecoreError.
    """

    def __init__(self, settings: dict[str, Any], data: DataSet) -> None:
        self.settings, self.data = settings, data
        train, validation, test = split_rows(data, settings["seed"], settings["rows"])
        labels = data.labels()
        self.train_rows = self.inputs(train), labels[train]
        self.validating = {"X_val": data.X[validation], "y_val": labels[validation]} if validation.size else {}
        self.test = data.X[test], labels[test]
        if settings.get("class_weight") not in (None, "equal"):
            data.target.require("class_weights", ParameterError)
        self.class_weight = class_weight(settings.get("class_weight"), data.class_names)
        self.test_weights = None
        if self.class_weight is not None:  # test rows get the same weights as training rows
            known = self.class_weight
            if known == "balanced":
                names, counts = np.unique(labels[train], return_counts=True)
                known = dict(zip(names.tolist(), 1 / counts, strict=True))
            self.test_weights = np.array([known.get(label, 0.0) for label in labels[test].tolist()])
        self.n_validation = int(validation.size)
        self.on_step: Callable[[TrainingStep], None] = lambda step: None
        self.news: dict[str, Any] = {}

    def inputs(self, rows: np.ndarray) -> np.ndarray:
        """Return the features of training rows, see `without_left_out`."""
        return self.without_left_out(self.data.X[rows])

    def without_left_out(self, X: np.ndarray) -> np.ndarray:
        """Set the features left out to 0, so that no split can use them, and return `X`."""
        X[:, [column for column in self.settings.get("left_out", ()) if column < X.shape[1]]] = 0
        return X

    def estimator(self, **others: Any) -> Any:
        """Return the unfitted estimator for the settings and the target."""
        kind = ESTIMATORS[self.data.target.loss]
        # jobs of previous versions have fewer settings, and those of a phase diagram have no split type
        split = {"split": others["split"]} if "split" in others else {}
        values = SimpleNamespace(**asdict(Settings()) | self.settings | split)
        chosen: dict[str, Any] = {
            one.parameter: getattr(values, name)
            for name, one in settings_of(Settings).items()
            if one.parameter in parameters_of(kind) and one.is_effective(values)
        }
        chosen = {name: value for name, value in chosen.items() if value is not None}
        if chosen.get("categories") == "groups":
            chosen["categories"] = grouped_columns(self.data)
        chosen |= constraint_values(chosen, self.data.feature_names)
        if self.class_weight is not None:
            chosen["class_weight"] = self.class_weight
        common: dict[str, Any] = {
            "max_depth": self.settings["max_depth"] or None,
            "random_state": self.settings["seed"] + self.settings.get("start", 0),
            "scale": "minmax" if self.data.image_shape else "standard",
            "n_jobs": -1,
            "callback": lambda step: self.on_step(step),
            "missing": "learn" if self.data.has_missing else "error",
            "tol": WARM_TOL if is_large_regression(self.data) else 0.0,
        }
        return kind(**(common | chosen | others))

    def record(self, point: PathPoint) -> dict[str, Any]:
        """Return the metrics and tree of a `PathPoint`, with its test error, as JSON values."""
        record = {name: getattr(point, name) for name in point.__dataclass_fields__}
        X, y = self.test
        record["test_error"] = error_of(point.tree, X, y, self.test_weights) if len(y) else None
        record["n_validation"], record["n_test"] = self.n_validation, len(y)
        record["is_weighted"] = int(point.is_weighted)  # metrics must be numbers
        record["tree"] = point.tree.to_json()
        record["trace"] = [step._asdict() for step in getattr(point, "trace", ())]
        return record


SHORTEST = 1.0  # seconds between two rounds of preliminary trees of each size
GROWTH = 0.5  # the next round follows after this share of the time that has passed


class PathTask(TrainingTask):
    """Train a regularisation path, or a tree of each size."""

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request, data)
        self.has_sizes = has_sizes(request)
        self.is_whole = request["lambdas"] == "critical" or self.has_sizes
        self._run: PathRun | None = None
        self._rounds: Iterator[list[dict[str, Any]]] | None = None  # goes on in the next piece

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the records from index arguments["done"] on.

        arguments["last"] is the previous tree as JSON. For a tree of each size, these are the records of one round (see
        `_sizes`), so that a round is on the screen while the next one is trained.
        """
        if self.has_sizes:
            self._rounds = self._sizes(arguments) if self._rounds is None else self._rounds
            yield from next(self._rounds, [])
            return
        if self.is_whole:
            yield from self._critical()
            return
        # starts from the initial tree, even if this task has trained before
        if self._run is None or not arguments["done"]:
            self._run = PathRun(self.estimator(), *self.train_rows, self.settings["n_lambdas"], **self.validating)
        last = None if arguments["last"] is None else Tree.from_json(arguments["last"])
        for point in self._run.points(arguments["done"], last):
            yield self.record(point)

    def _sizes(self, arguments: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
        """Yield rounds of the different trees of all sizes, the largest first. The last round has the best trees.

        arguments["done"], arguments["next"] : number of results of the job, and the index of the next one.
        """
        estimator = self.estimator()
        n_classes = len(self.data.target.groups) if self.data.target.values_are_groups else 0
        wanted = usual_sizes(n_classes, estimator.max_leaf_nodes)
        run = SizePathRun(estimator, *self.train_rows, wanted, **self.validating)
        n_done, first, began, due = arguments["done"], arguments["next"], monotonic(), 0.0
        try:
            for share in run.steps():
                self.news = {"share": share}
                if monotonic() < due:
                    continue
                records = self._round(run, first, None, share)
                yield records
                n_done, first = n_done + len(records), first + len(records)
                due = monotonic() + max(SHORTEST, GROWTH * (monotonic() - began))
            yield self._round(run, first, n_done)
        finally:
            run.close()

    def _round(self, run: SizePathRun, first: int, n_done: int | None, share: float = 1.0) -> list[dict[str, Any]]:
        """Return the records of one round.

        n_done : number of earlier results, None for preliminary trees; share : share of the search that is done.
        """
        found = run.path().points
        points = [found[0], *(point for before, point in pairwise(found) if point.tree != before.tree)][::-1]
        total = 0 if n_done is None else n_done + len(points)
        return [
            self.record(replace(point, index=first + at, total=total, size=point.n_leaves))
            | {"round": first, "round_size": len(points), "share": share}
            for at, point in enumerate(points)
        ]

    def _critical(self) -> Iterator[dict[str, Any]]:
        """Yield at most `n_lambdas` evenly spaced trees. Their number is unknown until the end."""
        path = regularization_path(self.estimator(lam=0.0), *self.train_rows, "critical", **self.validating)
        count = min(len(path), self.settings["n_lambdas"])
        for index in range(count):
            point = path[round(index * (len(path) - 1) / max(count - 1, 1))]
            yield self.record(replace(point, index=index, total=count))


class TreeTask(TrainingTask):
    """Train the tree of one λ, from a given tree or from the initial one."""

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request["path"], data)
        self.lam, self.start, self.refine = request["lam"], request["start"], request["refine"]
        self.first_origin = request["first_origin"]

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record."""
        start = {} if self.start is None else {"init": Tree.from_json(self.start)}
        if self.refine:
            estimator = self.estimator(**start, lam=self.lam, refine=self.refine, tol=WARM_TOL)
            yield self.record(
                fitted_point(estimator, *self.train_rows, **self.validating, first_origin=self.first_origin)
            )
            return
        for point in regularization_path(self.estimator(**start), *self.train_rows, [self.lam], **self.validating):
            yield self.record(point)


class PhaseTask(TrainingTask):
    """Train a phase diagram."""

    is_whole = False

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request, data)
        self._run = PhaseRun(
            self.estimator(split="bivariate"), *self.train_rows, lams=request["n_lambdas"], costs=request["costs"],
            **self.validating,
        )  # fmt: skip

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the records of arguments["row"], from arguments["column"] up to but excluding arguments["stop"]."""
        column, stop = arguments["column"], arguments["stop"]
        below = [_tree(text) for text in arguments["below"]]
        for point in islice(
            self._run.points(arguments["row"], column, _tree(arguments["beside"]), below), stop - column
        ):
            yield self.record(point)


def _tree(text: str | None) -> Tree | None:
    return None if text is None else Tree.from_json(text)


# CART estimator for each loss of a target
CARTS = {"unequal": DecisionTreeClassifier, "squared": DecisionTreeRegressor}


class ImprovementTask(TrainingTask):
    """Improve a given tree with TAO.

    The result is the best smaller tree that `improve` finds, else the first tree on its path.

    The record's `cart_error` is the validation error of a CART with as many leaves. CART has not used the validation
    rows; the given tree may have used them.
    """

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request["path"], data)
        self.start = Tree.from_json(request["start"])

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record."""
        if not self.validating:
            raise DataError(
                "The data set has no validation rows to compare the trees on. Choose a data split with validation rows."
            )
        found = improve(self.start, *self.train_rows, **self.validating, estimator=self.estimator())
        record = self.record(replace(found.point or found.path[0], index=0, total=1))
        yield record | {"cart_error": self._cart_error()}

    def _cart_error(self) -> float:
        kind = CARTS[self.start.target.loss]
        cart = kind(max_leaf_nodes=max(self.start.n_leaves, 2), random_state=0).fit(*self.train_rows)
        return error_of(from_sklearn(cart), self.validating["X_val"], self.validating["y_val"])


class GapTask(TrainingTask):
    """Search for a tree with a smaller objective on the training rows. A record has the fields of `Optimality`."""

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request["path"], data)
        self.tree, self.lam = Tree.from_json(request["tree"]), request["lam"]

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record."""
        count = max(1, min(THRESHOLDS, ALL_THRESHOLDS // self.data.n_features))
        found = optimality_gap(self.tree, *self.train_rows, self.lam, n_thresholds=count, time_limit=SECONDS)
        known = found.certificate
        yield {
            "index": 0, "objective": found.objective, "least": known.lower_bound, "best": known.objective,
            "is_proven": known.proven, "n_thresholds": known.n_thresholds, "depth": self.tree.depth,
        }  # fmt: skip


class SampleCurveTask(TrainingTask):
    """Train on growing parts of the sample."""

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request["path"], data)
        self.n_rows = request["n_rows"]

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record."""
        source: Any = ArraySource(self.without_left_out(self.data.X.copy()), self.data.labels())
        curve = sample_curve(self.estimator(), source)
        curve = replace(curve, n_rows=self.n_rows)
        lists = {name: getattr(curve, name).tolist() for name in ("sizes", "errors", "leaves")}
        yield {"index": 0, "text": str(curve.advice), "needs_all_rows": curve.needs_all_rows, **lists}


class ComparisonTask:
    """Train and test one method on one fold."""

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        values = {name: value for name, value in request.items() if name != "kind"}
        values |= {"methods": tuple(request["methods"])}
        self.chosen, self.data = ComparisonSettings(**values), data
        self.plan = plan(self.chosen, data)
        self.on_step: Callable[[TrainingStep], None] = lambda step: None

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record of the method arguments["method"] on the fold arguments["fold"]."""
        chosen, fold = self.chosen, arguments["fold"]
        method = next(method for method in self.plan.methods if method.name == arguments["method"])
        cell = evaluate(
            method,
            self.data.X,
            self.plan.y,
            self.plan.target,
            self.plan.folds[fold],
            fold,
            inner=chosen.inner,
            rule=chosen.rule,
            seed=chosen.seed + fold,
            limit=chosen.limit,
            keep_path=fold <= SHOWN_FOLD,
            dependence=self.data.dependence,
            columns=grouped_columns(self.data),
        )
        yield {"index": arguments["index"]} | cell.to_dict()


TOLERANCE = 0.2  # largest relative difference in the number of leaves among which the validation error decides
ENOUGH = 0.6  # share of the wanted number of leaves below which a path ends


class AlternativesTask:
    """Train a path, and keep its best tree of about the wanted size.

    The record has the index of the tree on its path as `place`.
    """

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        path = {name: value for name, value in request["path"].items() if name != "kind"}
        path["left_out"] = tuple(path["left_out"])
        self.wanted = Alternatives(Settings(**path), request["n_leaves"], tuple(map(tuple, request["root"])))
        self.data = data
        self.paths = alternative_paths(self.wanted, data)
        self.on_step: Callable[[TrainingStep], None] = lambda step: None

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record of the path with the index arguments["index"]."""
        index = arguments["index"]
        task = PathTask({"kind": "path", **asdict(self.paths[index].settings)}, self.data)
        task.on_step = lambda step: self.on_step(step)
        found = []
        for record in task.results({"done": 0, "last": None}):
            found.append(record)
            if record["n_leaves"] < ENOUGH * self.wanted.n_leaves:
                break  # later trees are smaller
        best = self._best(found)
        yield best | {"index": index, "total": len(self.paths), "place": best["index"], "trace": []}

    def _best(self, records: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the record with the smallest validation error among those of about the wanted size."""
        wanted = self.wanted.n_leaves
        nearest = min(abs(record["n_leaves"] - wanted) for record in records)
        most = max(nearest, 1, TOLERANCE * wanted)
        near = [record for record in records if abs(record["n_leaves"] - wanted) <= most]
        kind = "train_error" if near[0]["validation_error"] is None else "validation_error"
        return min(near, key=lambda record: (record[kind], record["n_leaves"], -record["index"]))


FOLDS = 10


class ReferenceTask(TrainingTask):
    """Grow CART and prune it by ten-fold cross-validation on the training rows.

    The trace of the record contains the errors of its other subtrees, in the order of their leaves.
    """

    is_whole = True

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record."""
        X, y = self.train_rows
        kind = CARTClassifier if self.data.target.values_are_groups else CARTRegressor
        missing = "learn" if self.data.has_missing else "error"
        weights = None if self.class_weight is None else compute_sample_weight(self.class_weight, y)
        categories = grouped_columns(self.data) if self.settings.get("categories") == "groups" else "features"
        model = kind(
            cv=FOLDS, rule="min", missing=missing, random_state=self.settings["seed"], categories=categories, n_jobs=-1
        )
        began = time.perf_counter()
        tree = model.fit(X, y, weights).tree_
        seconds = time.perf_counter() - began
        size = tree_metrics(tree)
        record = self.record(
            PathPoint(
                index=0,
                total=1,
                lam=0.0,
                tree=tree,
                train_error=error_of(tree, X, y, weights),
                validation_error=error_of(tree, *self.validating.values()) if self.validating else None,
                n_decision=size.n_decision,
                n_leaves=size.n_leaves,
                depth=size.depth,
                n_nonzero=size.n_nonzero,
                mean_path_length=size.mean_path_length,
                max_path_length=size.max_path_length,
                inference_cost=size.inference_cost,
                n_iter=0,
                seconds=seconds,
                is_weighted=weights is not None,
            )  # fmt: skip
        )
        sets = {"train": (X, y, weights)}
        if self.validating:
            sets["validation"] = (*self.validating.values(), None)
        if len(self.test[1]):
            sets["test"] = (*self.test, self.test_weights)
        yield record | {"trace": errors_of_sizes(model, sets)}


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


MEMORY = 0.5  # share of the available memory that the rows may use; further rows are kept in temporary files


class _WatchedPart:
    """Part of the rows. prepared : function that returns its features for training, called after each reading."""

    def __init__(self, part: RowPart, prepared: Callable[[np.ndarray], np.ndarray]) -> None:
        self.name, self._part, self._prepared = part.name, part, prepared

    def read(self) -> PartRows:
        rows = self._part.read()
        return rows._replace(X=self._prepared(rows.X))


class _WatchedSource:
    """Rows of a source. prepared : see `_WatchedPart`; on_part : see `AllRowsTask`."""

    def __init__(
        self, source: RowSource, prepared: Callable[[np.ndarray], np.ndarray], on_part: Callable[[int, int], None]
    ) -> None:
        self.feature_names, parts, count = source.feature_names, source.parts(), itertools.count()

        def read(X: np.ndarray) -> np.ndarray:
            on_part(next(count) % len(parts) + 1, len(parts))
            return prepared(X)

        self._parts = [_WatchedPart(part, read) for part in parts]

    def parts(self) -> list[_WatchedPart]:
        return self._parts


class AllRowsTask(TrainingTask):
    """Train on all rows except the held-out rows of the sample, for several λ.

    The penalty of a split has the same share of the objective as on the sample, for the largest λ. The held-out rows of
    the sample give the validation and test errors.

    on_part : called with the number of each part of the rows that has been read, and the number of parts.
    """

    is_whole = False

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request["path"], data)
        self.lam, self.folder, self.known = request["lam"], request["folder"], json.loads(request["source"])
        self._rows = split_rows(data, self.settings["seed"], self.settings["rows"])
        self._labels = np.array(sorted(data.class_names))
        self._run: Any = None
        self.on_part: Callable[[int, int], None] = lambda part, n_parts: None

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record of each λ from index `done` on."""
        if self._run is None:
            self._run = self._started()
        run, done = self._run, arguments["done"]
        if done:
            run.continue_from(self._with_codes(Tree.from_json(arguments["last"])))
        scale = self.lam * run.data.n_rows / len(self.train_rows[1])
        validating = ValidationRows(run, *self._validation())
        for index in range(done, len(SHARES)):
            with warnings.catch_warnings(record=True) as heard:
                warnings.simplefilter("always")
                run.optimise(SHARES[index] * scale, run.estimator.callback, tol=WARM_TOL)
            lost = [str(one.message) for one in heard if issubclass(one.category, UserWarning)]
            tree = run.tree()
            run.continue_from(tree)
            found = figures(run, tree, validating)
            named = replace(tree, classes=self._labels[tree.classes]) if self._labels.size else tree
            point = PathPoint(index, len(SHARES), SHARES[index] * scale, named, **found, trace=tuple(run.trace))
            if lost or index == len(SHARES) - 1:
                run.close()
                self._run = None
            yield self.record(point) | {"n_all_rows": run.data.n_rows}
            if lost:
                raise DataError(lost[0])

    def _started(self) -> PartitionedRun:
        """Return the run after reading all rows."""
        source: Any = EntrySource(Path(self.folder), self.known, self.data, self._rows[0])
        weights = {}
        if isinstance(self.class_weight, dict):
            weights = {"class_weight": {int(self._code(name)): one for name, one in self.class_weight.items()}}
        missing = "learn" if SPLITS[self.settings["split"]].takes_missing else "error"
        estimator = self.estimator(missing=missing, **weights)
        memory = int(MEMORY * psutil.virtual_memory().available)
        return PartitionedRun(
            estimator,
            _WatchedSource(source, self.without_left_out, lambda *place: self.on_part(*place)),
            LocalExecutor(estimator.n_jobs, memory),
        )

    def _code(self, label: Any) -> Any:
        return np.searchsorted(self._labels, label)

    def _with_codes(self, tree: Tree) -> Tree:
        return replace(tree, classes=self._code(tree.classes)) if self._labels.size else tree

    def _validation(self) -> tuple:
        X, y = self.validating.get("X_val"), self.validating.get("y_val")
        return X, y if y is None or not self._labels.size else self._code(y)


Task = (
    PathTask | TreeTask | ImprovementTask | PhaseTask | ComparisonTask | FoldsTask | ReferenceTask | AlternativesTask
    | GapTask | AllRowsTask | SampleCurveTask
)  # fmt: skip

TASKS: dict[str, type[Task]] = {
    "path": PathTask, "tree": TreeTask, "improvement": ImprovementTask, "phase": PhaseTask,
    "comparison": ComparisonTask, "folds": FoldsTask, "reference": ReferenceTask,
    "alternatives": AlternativesTask, "gap": GapTask,
    "all_rows": AllRowsTask, "sample_curve": SampleCurveTask,
}  # fmt: skip
