"""Oblique CART: CART-LC (Breiman et al. 1984, section 5.2) and OC1 (Murthy, Kasif, Salzberg 1994)."""

import numpy as np

from treecore.data.training_data import TrainingData
from treecore.errors import DataError, ParameterError
from treecore.fixed_order import dot
from treecore.initial import greedy
from treecore.initial import oblique_kernels as kernels
from treecore.parallel import thread_map
from treecore.tree.split import Split
from treecore.tree.working_tree import WorkingTree

METHODS = ("cart_lc", "oc1")
SHIFTS = {"cart_lc": np.array([0.0, -0.25, 0.25]), "oc1": np.zeros(1)}  # constants added to a standardised feature
RESTARTS, PERTURBATIONS = 5, 5


class ObliqueSearch:
    """Search for the best hyperplane of a node by coordinate descent on the impurity, starting from its best threshold.

    method : "cart_lc" | "oc1"; n_restarts : int >= 0, descents from random directions (OC1); n_perturbations : int >=
    0, random jumps after each descent (OC1); n_candidates : number of features for the threshold, None for all. If no
    hyperplane is better than the threshold, the threshold is returned.
    """

    def __init__(
        self,
        method: str = "oc1",
        n_restarts: int = RESTARTS,
        n_perturbations: int = PERTURBATIONS,
        n_candidates: int | None = None,
    ) -> None:
        self.shifts, self.n_candidates = SHIFTS[method], n_candidates
        self.n_restarts, self.n_perturbations = (n_restarts, n_perturbations) if method == "oc1" else (0, 0)

    def __call__(self, node):
        """Return the split of a `greedy.Node`, or None if no feature varies."""
        found = greedy.best_threshold(node, self.n_candidates)
        if found is None or node.usable.size < 2:
            return found and found[1]
        score, threshold = found
        tie = greedy.TIE * node.total
        if score >= node.total - tie:
            return threshold
        data, features = node.data, node.usable
        rows = np.empty((features.size, node.points.size))
        kernels.gather_scaled(data.columns.values, features, node.points, data.center, data.inverse_scale, rows)
        rng = node.rng
        starts = rng.standard_normal((self.n_restarts + 1, features.size + 1))
        jumps = rng.standard_normal((self.n_restarts + 1, self.n_perturbations, features.size + 1))
        starts[:, -1] = 0.0
        starts[0] = scaled_hyperplane(node, threshold)
        _, coefficients = kernels.best_hyperplane(
            rows, node.channels, node.amounts, node.weights, node.n_channels, self.shifts, starts, jumps, tie
        )
        split = greedy.raw_split(node, features, coefficients[:-1], coefficients[-1])
        is_better = split is not None and node.score(node.goes_right(split)) > score + tie
        return split if is_better else threshold


def scaled_hyperplane(node: greedy.Node, split: Split) -> np.ndarray:
    """Convert a split in raw units to a hyperplane over the k scaled usable features, float64[k + 1], bias last."""
    data, coefficients = node.data, np.zeros(node.usable.size + 1)
    coefficients[np.searchsorted(node.usable, split.features)] = split.weights / data.inverse_scale[split.features]
    coefficients[-1] = split.bias + dot(split.weights, data.center[split.features])
    return coefficients / np.abs(coefficients[:-1]).max()


def oblique_cart_tree(
    data: TrainingData,
    max_depth: int | None,
    rng: np.random.RandomState,
    max_features: int | None = None,
    n_jobs: int | None = None,
) -> WorkingTree:
    """Grow a WorkingTree of OC1 splits over all features to `max_depth` (None: until leaves are pure).

    data : dense TrainingData without NaN; rng : numpy.random.RandomState; max_features : None or more than 2, but not
    used as a limit. Raise ParameterError or DataError for unsupported input.
    """
    if max_features is not None and max_features < 3:
        raise ParameterError("init='oblique_cart' needs split='oblique'. Use init='cart' or init='bivariate_cart'.")
    if data.columns.is_sparse:
        raise DataError("init='oblique_cart' does not support sparse X. Use X.toarray() or init='random'.")
    if data.has_missing():
        raise DataError("init='oblique_cart' does not support NaN in X. Fill the missing values.")
    seeds = np.random.SeedSequence(rng.randint(2**31 - 1))
    with thread_map(n_jobs) as run:
        points = np.arange(data.n_rows)
        return greedy.grow(data, points, data.weights, ObliqueSearch(), max_depth, seeds=seeds, run=run)[0]
