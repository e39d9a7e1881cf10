"""The base class of tasks that train trees with TAO."""

from collections.abc import Callable
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import numpy as np

from pages.jobs.class_weights import class_weight
from pages.jobs.kinds.constraint_values import constraint_values
from pages.jobs.row_split import split_rows
from pages.jobs.setting import settings_of
from pages.jobs.settings import Settings
from pages.jobs.training_effort import is_large_regression
from sample_data import DataSet
from treecore.errors import ParameterError
from treecore.training.estimators import ESTIMATORS
from treecore.training.parameters import parameters_of
from treecore.training.path import WARM_TOL, PathPoint
from treecore.training.tao import TrainingStep
from treecore.tree.metrics import error_of
from viz.nodes.category_columns import grouped_columns


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
