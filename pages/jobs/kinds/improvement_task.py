"""The job of a better tree than one that is there."""

from dataclasses import replace

from pages.jobs.kinds.training_task import TrainingTask
from treecore.errors import DataError
from treecore.training.improve import improve
from treecore.tree.tree import Tree


class ImprovementTask(TrainingTask):
    """TAO from a given tree: the best smaller one of `improve`, else the first of its path."""

    is_whole = True

    def __init__(self, request, data):
        super().__init__(request["path"], data)
        self.start = Tree.from_json(request["start"])

    def results(self, given):
        """Yield the record."""
        if not self.validating:
            raise DataError("The data have no validation rows, by which the better tree would be chosen.")
        found = improve(self.start, *self.train_rows, **self.validating, estimator=self.estimator())
        yield self.record(replace(found.point or found.path[0], index=0, total=1))
