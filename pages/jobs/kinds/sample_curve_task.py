"""The task of the learning curve of a sample."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pages.jobs.kinds.training_task import TrainingTask
from sample_data import DataSet
from treecore.training.partitions.learning_curve import sample_curve
from treecore.training.partitions.sources.row_source import ArraySource


class SampleCurveTask(TrainingTask):
    """Train on growing parts of the sample."""

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        super().__init__(request["path"], data)
        self.n_rows = request["n_rows"]

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record."""
        source: Any = ArraySource(self.without_left_out(self.data.X.copy()), self.data.labels())
        curve = sample_curve(self.estimator(), source)
        curve = replace(curve, n_rows=self.n_rows)
        lists = {name: getattr(curve, name).tolist() for name in ("sizes", "errors", "leaves")}
        yield {"index": 0, "text": str(curve.advice), "needs_all_rows": curve.needs_all_rows, **lists}
