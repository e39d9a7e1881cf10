"""Node solvers on rows in parts, by split type."""

from collections.abc import Callable
from typing import Any

from treecore.data.training_data import TrainingData
from treecore.errors import DataError, ParameterError
from treecore.messages import literal
from treecore.node_solvers import SPLITS, missing_in_oblique
from treecore.node_solvers.oblique import node_limits
from treecore.training.partitions.coding import Layout
from treecore.training.partitions.nodes.level import Scaling
from treecore.training.partitions.nodes.line_nodes import LineNodes
from treecore.training.partitions.nodes.oblique_nodes import ObliqueNodes
from treecore.training.partitions.nodes.threshold_nodes import ThresholdNodes

OWN_SOLVERS = ("auto", "cd")  # values of `node_solver`


def level_solver(
    estimator: Any, layout: Layout, rows: Any, sample: Callable[[], TrainingData], parts: list[str]
) -> Any:
    """Return the solver of levels for the split type of an estimator.

    rows : object with the numbers `n_rows` and `n_features` of all rows; sample : function that returns the rows of the
    survey; parts : names of the parts, in the order of the source.
    """
    if estimator.node_solver not in OWN_SOLVERS:
        raise ParameterError(only_value("node_solver", estimator.node_solver, OWN_SOLVERS[0]))
    return _MAKERS[estimator.split](estimator, layout, rows, sample, parts)


def _thresholds(estimator, layout, rows, sample, parts):
    return ThresholdNodes(layout)


def _lines(e, layout, rows, sample, parts):
    scaling = _scaling(layout, sample(), parts)
    return LineNodes(layout, scaling, e.bivariate_cost, e.n_orientations, e.exactness, e.n_jobs)


def _weighted_sums(e, layout, rows, sample, parts):
    data = sample()
    if data.has_missing():
        others = [name for name in SPLITS if SPLITS[name].takes_missing]
        raise DataError(missing_in_oblique(others))
    limits = node_limits(rows, e.node_tol, e.max_inner)
    return ObliqueNodes(_scaling(layout, data, parts), e.surrogate, limits, e.n_jobs)


def _scaling(layout, data, parts):
    order = {name: place for place, name in enumerate(parts)}
    return Scaling(order, data.center, data.inverse_scale, layout.groups.columns)


_MAKERS = {"univariate": _thresholds, "bivariate": _lines, "oblique": _weighted_sums}


def only_value(name: object, value: Any, only: Any) -> str:
    """Return the message about a parameter that has one value for rows that are read in parts."""
    return (
        f"{name}={literal(value, 60)}: rows that are read in parts require {name}={literal(only)}. Use this value, "
        "or load the rows into memory."
    )
