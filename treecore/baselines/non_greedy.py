"""Non-greedy trees: all splits and leaves trained together by stochastic gradient descent (Norouzi et al. 2015a)."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from treecore.baselines import non_greedy_kernels as kernels
from treecore.baselines.co2 import CO2Regressor, co2_search
from treecore.baselines.co2_stump import threshold_search
from treecore.baselines.dense_rows import NO_CLASSES, tree_of
from treecore.baselines.greedy_estimator import DenseRows, TreeClassifier, TreeRegressor
from treecore.baselines.non_greedy_kernels import Parameters, Shape
from treecore.data.training_data import TrainingData
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.initial import greedy
from treecore.initial.cart import cart_tree
from treecore.messages import literal
from treecore.parameter_checks import check_number, check_whole
from treecore.training.prune import prune
from treecore.training.training_run import check_start
from treecore.tree.split import Split, constant_split
from treecore.tree.tree import Tree
from treecore.tree.working_tree import WorkingTree

INFERENCE = ("fast", "exact")
STARTS = ("co2", "cart")
NEGLIGIBLE = 1e-3  # smallest relative decrease of the bound in an epoch for which rows keep their leaves (section 6)
# epochs without a new lowest bound after which the learning rate is halved (Norouzi et al. 2015b, section 5)
PATIENCE = 5


class EpochRecord(NamedTuple):
    """One epoch: mean bound and mean loss of the rows before their steps, and number of reached leaves."""

    bound: float
    loss: float
    n_active: int
    learning_rate: float


@dataclass(eq=False, repr=False)
class _NonGreedy(DenseRows):
    """Base of the classifier and the regressor. The fields are their parameters."""

    max_depth: int | None = 6
    nu: float = 10.0
    learning_rate: float = 0.1
    momentum: float = 0.9
    n_epochs: int = 100
    batch_size: int = 100
    inference: str = "fast"
    stable: bool = True
    init: str | Tree = "co2"
    scale: str | None = "standard"
    random_state: int | np.random.RandomState | np.random.Generator | None = None

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the tree.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Training rows: a dense array or a DataFrame.
        y : array-like of shape (n,)
            Class labels or numbers.
        sample_weight : array-like of shape (n,) or None, default=None
            Non-negative weight of each row.

        Returns
        -------
        Self
            The fitted estimator.

        Raises
        ------
        DataError
            If `X`, `y` or `sample_weight` cannot be used.
        ParameterError
            If a parameter is outside its range.
        """
        _check_parameters(self)
        X, targets, task, weights, rng = self._begin(X, y, sample_weight)
        data = TrainingData(X, targets, task.n_classes, weights, self.scale)
        working = self._initial_tree(data, rng)
        self.trace_ = []
        if working.decisions.size:
            training = SurrogateTraining(data, working, self.nu)
            self.trace_ = training.descend(self, rng)
            training.write_back()
        self.tree_, self._widths = prune(tree_of(self, working, data, 1)), data.widths
        return self

    def _initial_tree(self, data, rng):
        tree = self.init
        if not isinstance(tree, Tree) and tree == "co2":
            search = co2_search(CO2Regressor(nu=self.nu), threshold_search(None))
            seeds = np.random.SeedSequence(rng.randint(2**31 - 1))
            return greedy.grow(data, np.arange(data.n_rows), data.weights, search, self.max_depth, 2, seeds)[0]
        if not isinstance(tree, Tree):
            return cart_tree(data, self.max_depth, rng)
        check_start(tree, data, getattr(self, "classes_", NO_CLASSES), self.encoder_.feature_names)
        return WorkingTree.from_tree(tree, lambda features, weights: 0.0)


@filled()
@dataclass(eq=False, repr=False)
class NonGreedyClassifier(_NonGreedy, TreeClassifier):
    """Oblique classification tree whose splits are trained jointly on an upper bound on the loss.

    The tree keeps the structure of the initial tree. During training, leaves contain log-probabilities (log loss,
    equation 2 of [1]_). Afterwards they predict the class shares of their rows, which minimise the log loss for the
    final splits. Leaves that no row reaches are removed.

    Parameters
    ----------
    max_depth : int, default=6
        Depth of the initial tree, at least 1.
    nu : float, default=10.0
        Upper bound > 0 on the squared norm of the weights and offset of a split, in scaled features (equation 9).
    learning_rate : float, default=0.1
        Learning rate > 0 of the first epoch. It is halved when the bound stops decreasing.
    momentum : float, default=0.9
        Momentum of the gradient steps, in [0, 1).
    n_epochs : int, default=100
        Number of passes over the rows.
    batch_size : int, default=100
        Number of rows per gradient step.
    inference : {'fast', 'exact'}, default='fast'
        Loss-augmented inference (section 6). 'fast' searches sign vectors that differ in at most one sign, at a cost of
        depth² per step. 'exact' searches all of them, at a cost of 2^depth.
    stable : bool, default=True
        Whether to use stable SGD (section 6), in which rows keep their leaves until the bound hardly improves.
    init : {'co2', 'cart'} or Tree, default='co2'
        Initial tree. 'co2' is a greedy tree of CO2 stumps with the same `nu`, as in section 7 of the paper. `max_depth`
        applies to 'co2' and 'cart'.
    scale : {'standard', 'minmax'} or None, default='standard'
        Scaling of the features while training. `tree_` is in raw units.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the initial tree and the row order.
    {class_weight}

    Attributes
    ----------
    {tree_}
    trace_ : list of EpochRecord
        One record per epoch.
    {encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    NonGreedyRegressor : Estimator for regression.
    TAOClassifier : Optimises the true loss node by node.

    References
    ----------
    {non_greedy_2015}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import NonGreedyClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NonGreedyClassifier(max_depth=2, n_epochs=20, random_state=0).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 2)
    (3, 0.96)
    """

    class_weight: dict | str | None = None


@filled(NonGreedyClassifier)
class NonGreedyRegressor(_NonGreedy, TreeRegressor):
    """Oblique regression tree whose splits are trained jointly on an upper bound on the squared loss.

    During training, the target is scaled to unit variance, so that `nu` does not depend on its unit (equation 3 of
    [1]_). Afterwards, leaves predict the mean of their training rows.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {tree_, trace_, encoder_, n_features_in_, feature_names_in_}

    See Also
    --------
    NonGreedyClassifier : Estimator for classification.

    References
    ----------
    {non_greedy_2015}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import NonGreedyRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = NonGreedyRegressor(max_depth=2, n_epochs=20, random_state=0).fit(X, y)
    >>> model.get_n_leaves()
    4
    """


class SurrogateTraining:
    """Flat arrays of one descent: `shape`, `parameters`, and rows float64[n, d + 1] of scaled features and a 1.

    data : dense TrainingData; working : WorkingTree with a decision node, whose splits `write_back` replaces; nu :
    float > 0.
    """

    def __init__(self, data: TrainingData, working: WorkingTree, nu: float) -> None:
        self.data, self.working, self.nu = data, working, nu
        self.rows = np.ones((data.n_rows, data.n_features + 1))
        self.rows[:, :-1] = (data.columns.row_major() - data.center) * data.inverse_scale
        self.targets, n_parameters, squared = data.task.leaf_targets(data.y, data.weights)
        self.row_weights = data.weights / data.weights.mean()
        self.shape = flat_shape(working)
        weights = np.zeros((working.decisions.size, self.rows.shape[1]))
        for row, node in zip(weights, working.decisions, strict=True):
            row[:] = self._scaled(working.splits[node])
        self.leaves = np.empty(data.n_rows, np.int32)
        kernels.reached_leaves(self.shape, weights, self.rows, self.leaves)
        shape = working.n_leaves, n_parameters
        theta = data.task.first_parameters(self.leaves, self.targets, self.row_weights, shape, 1.0)
        self.parameters = parameters_of(weights, theta, squared)

    def descend(self, settings: Any, rng: np.random.Generator) -> list[EpochRecord]:
        """Run the epochs and return the list of `EpochRecord`s. settings : the estimator."""
        trace, total = [], self.row_weights.sum()
        active = np.empty(self.working.n_leaves, np.bool_)
        rate, lowest, since = float(settings.learning_rate), np.inf, 0
        for _ in range(settings.n_epochs):
            bound, loss = kernels.epoch(
                self.shape, self.parameters, self.rows, self.targets, self.row_weights,
                rng.permutation(self.targets.size), self.leaves, settings.inference == "exact", bool(settings.stable),
                int(settings.batch_size), rate, float(settings.momentum), float(self.nu), active,
            )  # fmt: skip
            record = EpochRecord(float(bound / total), float(loss / total), int(active.sum()), rate)
            if trace and record.bound > trace[-1].bound * (1 - NEGLIGIBLE):
                kernels.reached_leaves(self.shape, self.parameters.weights, self.rows, self.leaves)
            since = 0 if record.bound < lowest else since + 1
            lowest = min(lowest, record.bound)
            if since >= PATIENCE:
                rate, since = rate / 2, 0
            trace.append(record)
        return trace

    def bound(self, exact: bool, stable: bool) -> tuple:
        """Return the current mean bound and mean loss over all rows."""
        sums = kernels.surrogate(
            self.shape, self.parameters, self.rows, self.targets, self.row_weights, self.leaves, exact, stable
        )
        return tuple(float(value / self.row_weights.sum()) for value in sums)

    def write_back(self) -> None:
        """Write the splits to the working tree, in raw units."""
        for node, row in zip(self.working.decisions, self.parameters.weights, strict=True):
            features = np.flatnonzero(row[:-1]).astype(np.int32)
            weights = row[features] * self.data.inverse_scale[features]
            bias = float(row[-1] - weights @ self.data.center[features])
            split = Split(features, weights, bias, 0.0) if features.size else constant_split(bias >= 0)
            self.working.set_split(node, split)
        self.working.labels[:] = 0  # Without the labels of training, ties select the first class.

    def _scaled(self, split):
        """Convert a split to scaled features, float64[d + 1]. The largest norm gives the tightest bound (Eq. 8)."""
        row, usable = np.zeros(self.rows.shape[1]), self.data.inverse_scale[split.features] > 0
        features, weights = split.features[usable], split.weights[usable]
        row[features] = weights / self.data.inverse_scale[features]
        row[-1] = split.bias + split.weights @ self.data.center[split.features]
        length = np.sqrt(row @ row)
        return row * (np.sqrt(self.nu) / length) if length > 0 else row


def flat_shape(working: WorkingTree) -> Shape:
    """Return the `Shape` of a WorkingTree with a decision node. Leaves are numbered in node order."""
    is_leaf = working.left < 0
    number = np.where(is_leaf, np.cumsum(is_leaf) - 1, np.cumsum(~is_leaf) - 1)
    decisions = working.decisions
    parent = np.full(working.n_nodes, -1, np.int32)
    side = np.zeros(working.n_nodes, np.int8)
    children = []
    for sign, nodes in ((-1, working.left[decisions]), (1, working.right[decisions])):
        place = np.where(is_leaf[nodes], decisions.size + number[nodes], number[nodes])
        parent[place], side[place] = np.arange(decisions.size), sign
        children.append(np.where(is_leaf[nodes], ~number[nodes], number[nodes]).astype(np.int32))
    return kernels.Shape(np.stack(children, axis=1), parent, side, int(working.depth.max()))


def parameters_of(weights: np.ndarray, theta: np.ndarray, squared: bool = False) -> Parameters:
    """Return `Parameters` with velocity 0. weights : float64[m, p]; theta : float64[m + 1, k].

    squared : whether the loss is squared.
    """
    normaliser = np.empty(len(theta))
    for leaf in range(len(theta)):
        kernels.normalise(theta, normaliser, leaf)
    return kernels.Parameters(weights, theta, np.zeros_like(weights), np.zeros_like(theta), normaliser, squared)


def _check_parameters(e):
    check_whole(e.max_depth, "max_depth", 1)
    check_whole(e.n_epochs, "n_epochs", 0)
    check_whole(e.batch_size, "batch_size", 1)
    check_number(e.nu, "nu", 1e-12, 1e12)
    check_number(e.learning_rate, "learning_rate", 0.0, 1e6)
    check_number(e.momentum, "momentum", 0.0, 0.9999)
    if not isinstance(e.inference, str) or e.inference not in INFERENCE:
        raise ParameterError(f"inference={literal(e.inference)}: expected 'fast' or 'exact'.")
    if not isinstance(e.stable, bool | np.bool_):
        raise ParameterError(f"stable={literal(e.stable)}: expected True (stable SGD) or False (plain SGD).")
    if not isinstance(e.init, Tree) and not (isinstance(e.init, str) and e.init in STARTS):
        raise ParameterError(f"init={literal(e.init)}: expected 'co2', 'cart' or a Tree.")
