"""Node solvers on rows in parts, by split type."""

from collections.abc import Callable
from typing import Any

from treecore.data.training_data import TrainingData
from treecore.training.partitions.care_points import Scaling
from treecore.training.partitions.coding import Layout
from treecore.training.partitions.line_nodes import LineNodes
from treecore.training.partitions.threshold_nodes import ThresholdNodes


def level_solver(estimator: Any, layout: Layout, sample: Callable[[], TrainingData], parts: list[str]) -> Any:
    """Return the solver of levels for the split type of an estimator.

    sample : function that returns the rows of the survey; parts : names of the parts, in the order of the source.
    """
    e = estimator
    if e.split == "univariate":
        return ThresholdNodes(layout)
    data = sample()
    order = {name: place for place, name in enumerate(parts)}
    scaling = Scaling(order, data.center, data.inverse_scale, layout.groups.columns)
    return LineNodes(layout, scaling, e.bivariate_cost, e.n_orientations, e.exactness, e.n_jobs)
