"""What the tasks have in common that train trees by TAO."""

from pages.jobs.row_split import split_rows
from pages.jobs.task_data import task_data
from treecore.training.estimators import TAOClassifier
from treecore.tree.metrics import error_of


class TrainingTask:
    """Data of a job: training, validation and test rows of its data set. Raises TreecoreError."""

    def __init__(self, settings):
        self.settings = settings
        data = self.data = task_data(settings["data_set"])
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
        told = self.data.target.error_text(error)
        return {"total": point.total, "lam": point.lam, "error": told, "recent": point.seconds}
