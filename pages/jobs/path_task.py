"""The job of a path."""

from dataclasses import replace

from pages.jobs.training_task import TrainingTask
from treecore.training.path import regularization_path


class PathTask(TrainingTask):
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
