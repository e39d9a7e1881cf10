"""`CarePoints`: care points of some nodes at the coordinator, in the form of `TrainingData` for the node solvers."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from treecore.data.category_groups import CategoryGroups
from treecore.data.columns import DenseColumns
from treecore.training.partitions.nodes.level import Level

MOST_POINTS = 5000  # per node; nodes with at most this many care points are solved on all of them
MOST_BYTES = 64_000_000  # of the points that are gathered together


class Scaling:
    """Scaling of the features and the order of the parts. It does not depend on the nodes.

    order : dict of part name -> place; center, inverse_scale : float64[d]; columns : features of each column of
    categories.
    """

    def __init__(self, order: Mapping[str, int], center: np.ndarray, inverse_scale: np.ndarray, columns: list) -> None:
        self.order, self.center, self.inverse_scale, self.columns = order, center, inverse_scale, columns


class CarePoints:
    """Care points of some nodes, in the order of the source within a node.

    places : int64[p], places of the nodes in the level; starts, stops : int64[p], range of each node; signed :
    float64[n]; other attributes : as in `TrainingData`.
    """

    def __init__(self, level: Level, places: np.ndarray, shares: np.ndarray, scaling: Scaling) -> None:
        answers = level.shards.call("care_points", level.nodes[places], shares)
        blocks = sorted((block for answer in answers for block in answer), key=lambda block: scaling.order[block[0]])
        self.places = places
        node = np.concatenate([np.repeat(np.arange(places.size), np.diff(edges)) for _, edges, _, _ in blocks])
        order = np.argsort(node, kind="stable")
        values = np.concatenate([values for _, _, values, _ in blocks])[order]
        self.signed = np.concatenate([signed for _, _, _, signed in blocks])[order].astype(np.float64)
        edges = np.searchsorted(node[order], np.arange(places.size + 1))
        self.starts, self.stops = edges[:-1], edges[1:]
        self.columns = DenseColumns(np.ascontiguousarray(values.T))
        self.rows = np.arange(len(values))
        self.center, self.inverse_scale = scaling.center, scaling.inverse_scale
        self.groups = CategoryGroups(scaling.columns, self.columns.values, scaling.inverse_scale > 0)
        self.n_rows, self.n_features = values.shape

    def has_missing(self) -> bool:
        """Return whether any value is missing."""
        return bool(np.isnan(self.columns.values).any())


def gathered(level: Level, places: np.ndarray, scaling: Scaling) -> Iterator[Any]:
    """Yield `CarePoints` with the care points of some nodes, or a random share of them of about `MOST_POINTS`."""
    n_care = level.n_care[places]
    shares = np.minimum(1.0, MOST_POINTS / n_care)
    bytes_before = np.cumsum(n_care * shares) * scaling.center.size * 8
    batch = (bytes_before // MOST_BYTES).astype(np.int64)
    for b in np.unique(batch):
        yield CarePoints(level, places[batch == b], shares[batch == b], scaling)
