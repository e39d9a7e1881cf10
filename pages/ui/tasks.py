"""What the worker can be asked for, one class for each kind of job."""

from dataclasses import replace
from functools import lru_cache

import sample_data
from pages.ui.row_split import split_rows
from treecore import TAOClassifier, Tree, phase_diagram, regularization_path


@lru_cache(maxsize=1)
def _data(name):
    return sample_data.load(name)  # the next job is most often about the same data


class _Task:
    """Data of a job: training, validation and test rows of its data set. Raises TreecoreError."""

    def __init__(self, settings):
        self.settings = settings
        data = self.data = _data(settings["data_set"])
        train, validation, test = split_rows(data, settings["seed"], settings["rows"])
        labels = data.labels()
        self.train_rows = data.X[train], labels[train]
        self.validating = {"X_val": data.X[validation], "y_val": labels[validation]} if validation.size else {}
        self.test = data.X[test], labels[test]
        self.n_validation = int(validation.size)

    def estimator(self, callback, **others):
        """Unfitted TAOClassifier of the settings."""
        chosen = {name: self.settings[name] for name in ("split", "init", "node_solver", "surrogate", "bivariate_cost")
                  if name in self.settings}  # fmt: skip
        return TAOClassifier(
            max_depth=self.settings["max_depth"] or None, random_state=self.settings["seed"],
            scale="minmax" if self.data.image_shape else "standard", callback=callback,
            missing="learn" if self.data.has_missing else "error", **(chosen | others),
        )  # fmt: skip


class PathTask(_Task):
    """A regularisation path."""

    @property
    def total(self):
        """Number of trees."""
        return self.settings["n_lambdas"]

    def train(self, on_step, on_point):
        """Train; `on_step` and `on_point` hear of it and may stop it by returning true."""
        if self.settings["lambdas"] == "critical":
            self._train_critical(on_step, on_point)
            return
        regularization_path(
            self.estimator(on_step), *self.train_rows, self.settings["n_lambdas"], on_point=on_point, **self.validating
        )

    def _train_critical(self, on_step, on_point):
        """How many values there are is known at the end only; of too many, evenly spread ones are kept."""
        path = regularization_path(self.estimator(on_step, lam=0.0), *self.train_rows, "critical", **self.validating)
        count = min(len(path), self.total)
        for index in range(count):
            point = path[round(index * (len(path) - 1) / max(count - 1, 1))]
            if on_point(replace(point, index=index, total=count)):
                return


class TreeTask(_Task):
    """The tree of one lambda, from a given tree or from the initial one."""

    total = 1

    def __init__(self, request):
        super().__init__(request["path"])
        self.lam, self.start = request["lam"], request["start"]

    def train(self, on_step, on_point):
        """Train; `on_step` and `on_point` hear of it and may stop it by returning true."""
        start = {} if self.start is None else {"init": Tree.from_json(self.start)}
        regularization_path(
            self.estimator(on_step, **start), *self.train_rows, [self.lam], on_point=on_point, **self.validating
        )


class PhaseTask(_Task):
    """A phase diagram."""

    @property
    def total(self):
        """Number of trees."""
        return self.settings["n_lambdas"] * len(self.settings["costs"])

    def train(self, on_step, on_point):
        """Train; `on_step` and `on_point` hear of it and may stop it by returning true."""
        phase_diagram(
            self.estimator(on_step, split="bivariate"), *self.train_rows, self.settings["n_lambdas"],
            self.settings["costs"], on_point=on_point, **self.validating,
        )  # fmt: skip


TASKS = {"path": PathTask, "tree": TreeTask, "phase": PhaseTask}
