"""BiDT: greedy trees with optimal lines, found by branch and bound (Bollwein and Westphal 2021)."""

import math
import time

import numpy as np

from treecore.baselines import bidt_kernels as kernels
from treecore.baselines.bidt_lines import gather_locations
from treecore.baselines.bivariate_cart import BivariateCARTClassifier, check_growth
from treecore.docstrings import filled
from treecore.errors import DataError
from treecore.initial.bivariate_cart import GreedyTarget, Node, grow
from treecore.initial.impurity_kernels import cut_line
from treecore.parallel import thread_map
from treecore.parameter_checks import check_number
from treecore.tree.working_tree import WorkingTree

ORIENTATIONS = 60  # orientations in the fast search for the initial score
ROUND = 16  # planes searched with the same initial score, so that the result does not depend on the number of threads
BUDGET = 1_000_000  # open locations between two checks of the time limit, about 0.03 s


@filled()
class BiDTClassifier(BivariateCARTClassifier):
    """Classification tree whose splits minimise the Gini index over all thresholds and all lines in two features.

    The lines are optimal: branch and bound over slopes and intercepts [1]_. The search starts from the split of
    bivariate CART. The tree is grown fully and pruned by cost-complexity on held-out rows, as in [2]_.

    Parameters
    ----------
    {max_depth}
    time_limit : float or None, default=None
        Growth time in seconds, > 0. After that, the current node uses the best line found so far, and new nodes use
        thresholds. The tree then depends on the speed of the machine. None sets no limit.
    {validation_fraction}
    scale : {'standard', 'minmax'} or None, default='standard'
        Scaling of the features. It does not change the tree.
    {class_weight, n_jobs, random_state}

    Attributes
    ----------
    {tree_}
    timed_out_ : bool
        Whether the time limit ended the search.
    note_ : str
        Description of the incomplete searches, "" if there are none.
    {encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    BivariateCARTClassifier : Faster search for lines, without a guarantee of the optimum.
    TAOClassifier : Optimises the splits of a whole tree.

    References
    ----------
    {bidt_2021, bivariate_2024}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import BiDTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BiDTClassifier(max_depth=2, random_state=0).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 2)
    (3, 0.98)
    """

    def __init__(
        self,
        max_depth: int | None = None,
        time_limit: float | None = None,
        validation_fraction: float | None = 0.1,
        scale: str | None = "standard",
        class_weight: dict | str | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.time_limit = time_limit
        self.validation_fraction = validation_fraction
        self.scale = scale
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _grow(self, data):
        if data.has_missing():
            raise DataError("X contains NaN, which BiDT does not support. Fill or remove these values.")
        clock = _Clock(self.time_limit)

        def node_type(*given):
            return _OptimalNode(clock, *given)

        usable = np.flatnonzero(data.inverse_scale > 0)
        target = GreedyTarget(data.task, data.y, data.weights)
        with thread_map(self.n_jobs) as run:
            grown = grow(data.columns.values, usable, target, self.max_depth, ORIENTATIONS, run, node_type)
        self.timed_out_ = clock.n_cut_short > 0
        self.note_ = ""
        if self.timed_out_:
            self.note_ = (
                f"The time limit of {self.time_limit:g} s was reached: {clock.n_cut_short} of {clock.n_begun} "
                "bivariate searches were incomplete, so their nodes use the best split found so far. Raise "
                "time_limit, or set max_depth."
            )
        return WorkingTree(grown.left, grown.right, grown.splits, grown.predictions, np.arange(len(grown.left)))

    def _check_parameters(self):
        check_growth(self)
        if self.time_limit is not None:
            check_number(self.time_limit, "time_limit", 1e-6)


class _Clock:
    """Deadline of one fit, with the numbers of started and incomplete line searches."""

    def __init__(self, time_limit):
        self.deadline = math.inf if time_limit is None else time.monotonic() + time_limit
        self.n_begun, self.n_cut_short = 0, 0

    def is_over(self):
        return time.monotonic() > self.deadline


class _OptimalNode(Node):
    """Node that finds the optimal line over all planes, searching each plane from the best score so far."""

    def __init__(self, clock, *given):
        super().__init__(*given)
        self.clock = clock

    def best_line(self, raw, low, width, varying, score, tie, run):
        """Return the best line in the form of `Node.best_line`."""
        self.clock.n_begun += 1
        if self.clock.is_over():
            self.clock.n_cut_short += 1
            return None
        best = super().best_line(raw, low, width, varying, score, tie, run)
        score = max(score, best[0] if best else -np.inf)
        planes = _Planes(self, raw, low, width, varying)
        pairs = [(j, k) for place, j in enumerate(varying) for k in varying[place + 1 :]]
        complete = True
        for first in range(0, len(pairs), ROUND):
            asked = [(j, k, score) for j, k in pairs[first : first + ROUND]]
            if run is None:
                found = [planes.best(*plane, tie) for plane in asked]
            else:
                found = run(lambda plane: planes.best(*plane, tie), asked)
            complete &= all(ended for _, ended in found)
            for line, _ in found:
                if line is not None and line[0] > score + tie:
                    best, score = line, line[0]
            if self.clock.is_over():
                complete &= first + ROUND >= len(pairs)
                break
        self.clock.n_cut_short += not complete
        return best


class _Planes:
    """Points of a node in planes of two features. The features are scaled by their middle ranges."""

    def __init__(self, node, raw, low, width, varying):
        self.node, self.raw, self.width = node, raw, width
        self.scaled = {j: (raw[j] - low[j]) / width[j] - 0.5 for j in varying}
        self.ranks = {j: np.unique(raw[j], return_inverse=True)[1] for j in varying}

    def best(self, j, k, score, tie):
        """Return (line, whether the search was completed).

        The line is (score, j, k, weight of j, weight of k, bias) of rows j < k of `raw`, with a score above `score` +
        `tie`, or None.
        """
        node, line, ended = self.node, None, True
        points = gather_locations(
            self.scaled[j], self.scaled[k], self.ranks[j] * np.int64(node.weights.size) + self.ranks[k], node.channels,
            node.weights, node.n_channels,
        )  # fmt: skip
        for is_steep in (False, True):
            turned = points._replace(x=points.y, y=points.x) if is_steep else points
            boxes, size = kernels.first_box(turned, node.n_channels), 1
            to_beat = score if line is None else max(score, line[0])
            while size and ended:
                size, to_beat, slope, _ = kernels.search(turned, boxes, size, to_beat, tie, BUDGET)
                if not np.isnan(slope):
                    weights = (1.0, slope) if is_steep else (slope, 1.0)
                    found = self._routed(j, k, *weights)
                    if found is not None and (line is None or found[0] > line[0]):
                        line = found
                ended = size == 0 or not node.clock.is_over()
        return line, ended

    def _routed(self, j, k, weight_j, weight_k):
        """Return the best line in a direction, rounded as in routing, or None if it does not split the points."""
        node, m = self.node, self.node.weights.size
        narrow = min(self.width[j], self.width[k])
        a, b = weight_j * (narrow / self.width[j]), weight_k * (narrow / self.width[k])
        if a == 0.0 or b == 0.0:
            return None
        score, bias = cut_line(
            self.raw[j], self.raw[k], a, b, node.channels, node.amounts, node.weights, np.empty(m), np.empty(m),
            np.empty(node.n_channels), np.empty(node.n_channels),
        )  # fmt: skip
        return (score, j, k, a, b, bias) if np.isfinite(score) else None
