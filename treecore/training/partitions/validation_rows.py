"""`ValidationRows`: rows that select a tree, in memory or read in parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from treecore.errors import DataError, ParameterError
from treecore.parameter_checks import typed
from treecore.training.partitions.sources.row_checks import check_target
from treecore.training.partitions.sources.sources import close_source, training_source, with_names
from treecore.training.training_run import TrainingRun, mean_loss
from treecore.tree.tree import Tree


class ValidationRows:
    """Validation rows of a run. Only their targets stay in memory if the rows are read in parts.

    X, y : as in the `fit` of the estimator, or None. Raise DataError or ParameterError if they are invalid.
    """

    def __init__(self, run: TrainingRun, X: Any, y: Any) -> None:
        self._run, self._X = run, X
        self._source = None if X is None else training_source(X, y, None)
        if self._source is not None:
            self._parts = self._source.parts()
            y = [self._targets(part) for part in self._parts]
            y = np.concatenate(y) if y else np.empty(0)
        elif X is not None:
            with typed(DataError):
                self._X = run.estimator.encoder_.transform(run.estimator, X)
        self._y: Any = None if y is None else run.data.task.checked(y, "y_val", run.classes)
        if self._source is None and self._y is not None and self._y.shape != (self._X.shape[0],):
            raise ParameterError(
                f"y_val has shape {self._y.shape}, but X_val has {self._X.shape[0]} rows. Pass one label for each row."
            )

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return 0 if self._y is None else len(self._y)

    def error(self, tree: Tree) -> tuple:
        """Return (error, standard error) of a tree, or (None, None) without rows."""
        if not self.n_rows:
            return None, None
        losses = tree.target.losses(self._predicted(tree), self._y)
        return tree.target.error_and_deviation(losses, self._run.weights_of(self._y))

    def loss(self, tree: Tree) -> tuple:
        """Return (mean loss of a row, its standard error) of a tree, or (None, None) without rows."""
        if not self.n_rows:
            return None, None
        run = self._run
        return mean_loss(run.data.loss, run.classes, self._predicted(tree), self._y, run.weights_of(self._y))

    def close(self) -> None:
        """Remove the files that the source has written."""
        close_source(self._source)

    def _predicted(self, tree):
        return np.concatenate([tree.predict(X) for X in self._features()])

    def _features(self) -> Iterator[np.ndarray]:
        if self._source is None:
            yield self._X
            return
        e = self._run.estimator
        names = getattr(e, "feature_names_in_", None)
        for part in self._parts:
            X = with_names(part.read().X, part.name, self._source.feature_names, names)
            if len(X):
                yield e.encoder_.transform(e, X)

    def _targets(self, part):
        y = np.asarray(part.read().y)
        check_target(y, part.name, self._run.data.n_classes is None)
        return y
