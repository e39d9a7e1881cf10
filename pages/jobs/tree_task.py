"""The job of one tree."""

from pages.jobs.training_task import TrainingTask
from treecore.training.path import regularization_path
from treecore.tree.tree import Tree


class TreeTask(TrainingTask):
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
