"""The job of a phase diagram."""

from pages.jobs.training_task import TrainingTask
from treecore.training.phase import phase_diagram


class PhaseTask(TrainingTask):
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
