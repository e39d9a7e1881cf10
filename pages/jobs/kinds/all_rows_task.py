"""The task of trees that are trained on all rows of an entry of the folder of the machine."""

import itertools
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from pages.jobs.kinds.sample_advice import SHARES
from pages.jobs.kinds.training_task import TrainingTask
from pages.jobs.row_split import split_rows
from sample_data import DataSet
from sample_data.data_folder.source import EntrySource
from treecore.errors import DataError
from treecore.node_solvers import SPLITS
from treecore.training.partitions.partitioned_run import PartitionedRun
from treecore.training.partitions.shards import LocalExecutor
from treecore.training.partitions.sources.row_source import PartRows, RowPart, RowSource
from treecore.training.partitions.validation_rows import ValidationRows
from treecore.training.path import WARM_TOL, PathPoint, figures
from treecore.tree.tree import Tree

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
