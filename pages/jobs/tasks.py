"""What the worker can be asked for, one class for each kind of job.

A task has `total` results; `train(on_step, on_result)` makes them and may be stopped by a true answer; `record(result)`
is what is written of one, and `news(result)` what the visitor is told of it.
"""

from dataclasses import replace
from functools import lru_cache

import sample_data
from pages.jobs import comparison_cells, user_store
from pages.jobs.comparison_protocol import SHOWN_FOLD, plan
from pages.jobs.row_split import split_rows
from pages.ui.shell.settings import ComparisonSettings
from treecore import TAOClassifier, Tree, phase_diagram, regularization_path
from treecore.comparison import compare
from treecore.tree.metrics import error_of


@lru_cache(maxsize=1)
def _data(name):
    # the next job is most often about the same data
    return user_store.load(name) if user_store.is_own(name) else sample_data.load(name)


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

    def record(self, point):
        """Figures and tree of a `PathPoint`, with its test error."""
        record = {name: getattr(point, name) for name in point.__dataclass_fields__}
        X, y = self.test
        record["test_error"] = error_of(point.tree, X, y) if len(y) else None
        record["n_validation"], record["n_test"] = self.n_validation, len(y)
        record["tree"] = point.tree.to_json()
        record["trace"] = [step._asdict() for step in getattr(point, "trace", ())]
        return record

    def news(self, point):
        """Lambda and error of the last tree."""
        error = point.train_error if point.validation_error is None else point.validation_error
        return {"total": point.total, "lam": point.lam, "error": error, "recent": point.seconds}


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


class ComparisonTask:
    """A comparison of methods; what it has in common with earlier ones is not trained again."""

    def __init__(self, request):
        values = {name: value for name, value in request.items() if name != "kind"}
        self.chosen = ComparisonSettings(**values | {"methods": tuple(request["methods"])})
        self.data = _data(self.chosen.data_set)
        self.plan = plan(self.chosen, self.data)
        self.total = len(self.plan.methods) * len(self.plan.folds)
        self.titles = {method.name: method.title for method in self.plan.methods}

    def train(self, on_step, on_result):
        """Train and test every method on every fold; `on_result` hears of each `Cell` and may stop it."""
        chosen, known = self.chosen, comparison_cells.Store(self.chosen, self.data.fingerprint)
        cells = known.saved(self.plan)
        if any([on_result(cell) for cell in cells]):
            return

        def on_cell(cell):
            known.save(cell)
            return on_result(cell)

        compare(
            self.data.X, self.plan.y, self.plan.methods, self.plan.cv, chosen.inner, chosen.rule, chosen.seed,
            chosen.limit, on_cell=on_cell, cells=cells, keep_paths=SHOWN_FOLD + 1,
        )  # fmt: skip

    def record(self, cell):
        """The `Cell`."""
        return cell.to_dict()

    def news(self, cell):
        """Method, fold and error of the last cell."""
        return {"last": f"{self.titles[cell.method]}, part {cell.fold + 1}", "error": cell.test_error}


TASKS = {"path": PathTask, "tree": TreeTask, "phase": PhaseTask, "comparison": ComparisonTask}
