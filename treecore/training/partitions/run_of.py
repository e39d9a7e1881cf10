"""`run_of`: the training run for rows in memory, or for rows that are read in parts."""

from contextlib import ExitStack
from typing import Any

from treecore.training.partitions.sources.sources import close_source, training_source
from treecore.training.training_run import TrainingRun


def run_of(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> TrainingRun:
    """Return an unstarted `TrainingRun` or `PartitionedRun`. Raise ParameterError or DataError for invalid input."""
    source = training_source(X, y, sample_weight)
    if source is None:
        return TrainingRun(estimator, X, y, sample_weight)
    from treecore.training.partitions.partitioned_run import PartitionedRun  # slow import

    with ExitStack() as on_error:
        on_error.callback(close_source, source)
        run = PartitionedRun(estimator, source)
        on_error.pop_all()
    return run
