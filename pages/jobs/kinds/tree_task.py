"""The job of one tree."""

from pages.jobs.kinds.training_task import TrainingTask
from treecore.training.path import regularization_path
from treecore.tree.tree import Tree


class TreeTask(TrainingTask):
    """The tree of one lambda, from a given tree or from the initial one."""

    is_whole = True

    def __init__(self, request, data):
        super().__init__(request["path"], data)
        self.lam, self.start = request["lam"], request["start"]

    def results(self, given):
        """Yield the record."""
        start = {} if self.start is None else {"init": Tree.from_json(self.start)}
        for point in regularization_path(self.estimator(**start), *self.train_rows, [self.lam], **self.validating):
            yield self.record(point)
