"""Ranked list of other splits of a node, from which a user can choose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from treecore.column_groups import column_groups
from treecore.errors import DataError, ParameterError
from treecore.fixed_order import exactly_added
from treecore.messages import literal
from treecore.node_solvers import make_solver, simplest_split
from treecore.node_solvers.category_groups import best_group
from treecore.node_solvers.permitted import Permitted, directions
from treecore.node_solvers.side_kernels import scan_sides, sides_loss
from treecore.node_solvers.thresholds import OUTSIDE, threshold_split
from treecore.parallel import thread_map
from treecore.parameter_checks import check_whole
from treecore.training.estimators import ESTIMATORS
from treecore.training.reoptimise import repairing
from treecore.training.tao import AlternatingOptimization
from treecore.training.training_run import TrainingRun, mean_loss, row_weights
from treecore.tree.category_columns import CategoryColumns
from treecore.tree.condition_text import TYPED
from treecore.tree.conditions import MOST_TERMS, condition_of
from treecore.tree.nodes import node_number
from treecore.tree.routing import by_name
from treecore.tree.split import Split, constant_split
from treecore.tree.text_tree import DIGITS
from treecore.tree.tree import Tree
from treecore.tree.working_tree import WorkingTree

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

KINDS = ("univariate", "bivariate", "oblique")
SAMPLE = 4_000  # maximum number of points on which the directions of lines are searched
EXACT_POINTS, EXACT_PAIRS = 200, 250  # largest numbers for which all lines are searched exactly
LEVELS = (
    0.5,
    0.25,
    0.1,
    0.04,
    0.01,
    0.001,
)  # penalties of oblique splits, as shares of the smallest one without weights
MOST_LABELS = 3  # maximum number of pairs of predictions for which the directions of the split of a leaf are searched
INTERVAL = 1.96  # half width of a 95 % interval, in standard errors
SAME = 1e-12  # share of the sum of all gains; differences below it are rounding errors


@dataclass(frozen=True, eq=False, repr=False)
class CandidateSplit:
    """One split that a node may have instead of its present one.

    Parameters
    ----------
    node : int
        Number of the node.
    kind : str
        ``"univariate"``, ``"bivariate"`` or ``"oblique"``. A group of categories counts as univariate.
    condition : str
        Condition of the left child, with rounded numbers.
    feature_names : tuple of str
        Names of the features.
    features : tuple of int
        Features of the split.
    weights : tuple of float
        Weights of these features. A row goes right if ``weights . x + bias >= 0``.
    bias : float
        Bias of the split.
    missing_right : bool
        Whether a row with a missing value goes right.
    n_left, n_right : int
        Number of training rows on each side.
    change : float
        Objective of the tree with this split minus the present objective. The rest of the tree is unchanged; if the
        node is a leaf, its two new leaves predict the best values for their rows.
    loss_change : float
        Change of the training loss alone, such as the number of misclassified rows.
    cost : float
        Sum of the `feature_costs` of the features, by default their number. A column of categories counts once.
    agreement : float
        Similarity to the present split: the measure of association for surrogate splits of CART. It is 1 if both splits
        separate the rows in the same way, and 0 if the majority side alone predicts the present split as well. NaN for
        a leaf.
    search : object
        Data and tree from which `tree`, `after` and the validation error are computed when they are read.

    See Also
    --------
    candidate_splits : Returns a list of these splits.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, candidate_splits
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = CARTClassifier(random_state=0).fit(X, y).tree_
    >>> best = candidate_splits(tree, 0, X, y, kinds=("univariate",))[0]
    >>> best.condition, best.n_left, best.n_right, best.loss_change
    ('petal length (cm) < 2.45', 50, 100, 0.0)
    """

    node: int
    kind: str
    condition: str
    feature_names: tuple
    features: tuple
    weights: tuple
    bias: float
    missing_right: bool
    n_left: int
    n_right: int
    change: float
    loss_change: float
    cost: float
    agreement: float
    search: Any = field(repr=False)

    @property
    def split(self) -> Split:
        """The `Split`, with penalty 0."""
        return Split(np.array(self.features, np.int32), np.array(self.weights), self.bias, 0.0, self.missing_right)

    @cached_property
    def tree(self) -> Tree:
        """Tree with this split and all other nodes unchanged. A leaf has two new leaves."""
        return self.search.tree_of(self.search.with_split(self.node, self.split))

    @cached_property
    def after(self) -> Tree:
        """Tree after one pass of TAO over the nodes below this split."""
        return self._passed[0]

    @cached_property
    def change_after(self) -> float:
        """Objective of `after` minus the present objective."""
        return self._passed[1]

    @cached_property
    def _passed(self):
        return self.search.after(self.node, self.split)

    @cached_property
    def validation_error(self) -> float | None:
        """Mean loss of `after` on the validation rows: their error, mean cost or mean squared error. None without."""
        return None if self.search.validation is None else self._validated[0]

    @cached_property
    def validation_interval(self) -> tuple | None:
        """95 % interval (low, high) of the validation error, from its standard error. None without validation rows."""
        if self.search.validation is None:
            return None
        mean, error = self._validated
        return max(mean - INTERVAL * error, 0.0), mean + INTERVAL * error

    @cached_property
    def _validated(self):
        X, y = self.search.validation
        return mean_loss(self.search.run.data.loss, self.search.tree.classes, self.after.predict(X), y)

    def __repr__(self):
        sides = f"{self.n_left} and {self.n_right} rows"
        return f"<CandidateSplit of node {self.node}: {self.condition}, {sides}, change {self.change:+.4g}>"


def candidate_splits(
    tree: Tree,
    node: int,
    X: ArrayLike,
    y: ArrayLike,
    *,
    kinds: Sequence[str] = KINDS,
    n: int = 10,
    X_val: ArrayLike | None = None,
    y_val: ArrayLike | None = None,
    estimator: BaseEstimator | None = None,
    sample_weight: ArrayLike | None = None,
) -> list[CandidateSplit]:
    """Return other splits of a node, sorted by the objective of the tree.

    The list has at most one threshold or group of categories for each feature or column, one line for each pair of
    features, and one oblique split for each number of features. The kinds share the `n` places equally. The objective
    has this split in the node and the rest of the tree unchanged, which is the reduced problem of TAO. In a leaf, the
    two new leaves predict the best values, and between equal objectives the purer leaves win, as in CART.

    Thresholds are exact. Groups of categories are exact in a decision node. Lines are exact in a decision node with at
    most 200 care points and 250 pairs; otherwise the pairs are screened as in training. Missing values go to the better
    side. Oblique splits need rows without missing values. Splits that violate a constraint of the estimator or
    `min_samples_leaf` are left out.

    Parameters
    ----------
    tree : Tree
        Tree with constant leaves.
    node : int
        Number of a decision node or a leaf, as in ``tree[node]``. Negative numbers count from the end.
    X : array-like of shape (n_rows, n_features)
        Training rows. They may differ from the rows that the tree was trained on.
    y : array-like of shape (n_rows,)
        Class labels or numbers.
    kinds : sequence of str, default=("univariate", "bivariate", "oblique")
        Kinds of splits.
    n : int, default=10
        Maximum number of splits.
    X_val, y_val : array-like or None, default=None
        Validation rows, for `CandidateSplit.validation_error`.
    estimator : TAOClassifier, TAORegressor or None, default=None
        Estimator with lambda, the costs and the constraints. None uses the simplest split type of the tree, with the
        default parameters.
    sample_weight : array-like of shape (n_rows,) or None, default=None
        Non-negative weight of each row.

    Returns
    -------
    list of CandidateSplit
        Splits, best first. Empty if no split separates the rows, or if a leaf has rows of one class only.

    Raises
    ------
    DataError
        If the rows do not match the tree.
    ParameterError
        If a parameter is outside its range.

    See Also
    --------
    Steering : Takes splits, and optimises the rest of the tree around them.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, candidate_splits
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = CARTClassifier(random_state=0).fit(X, y).tree_
    >>> for one in candidate_splits(tree, 0, X, y, kinds=("univariate",), n=3):
    ...     print(one.condition, one.loss_change, round(one.agreement, 2))
    petal length (cm) < 2.45 0.0 1.0
    petal width (cm) < 0.8 0.0 1.0
    sepal length (cm) < 5.45 11.0 0.76
    """
    return NodeSearch(tree, X, y, estimator, sample_weight, X_val, y_val).candidates(node, kinds, n)


class NodeSearch:
    """Search for splits at the nodes of a tree.

    The parameters are those of `candidate_splits`. tree : the tree; lam : lambda; run : `TrainingRun` with the training
    rows; validation : (X, y) or None.
    """

    def __init__(
        self,
        tree: Tree,
        X: ArrayLike,
        y: ArrayLike,
        estimator: BaseEstimator | None = None,
        sample_weight: ArrayLike | None = None,
        X_val: ArrayLike | None = None,
        y_val: ArrayLike | None = None,
    ) -> None:
        if not isinstance(tree, Tree):
            raise ParameterError(f"tree={literal(tree, 60)}: expected a Tree, such as tree_ of a fitted estimator.")
        tree.leaf_model.require("edit")
        if estimator is None:
            split = simplest_split(int(np.diff(tree.indptr).max(initial=0)))
            estimator = ESTIMATORS[tree.target.loss](split=split, random_state=0)
        X, y = named_rows(tree, X), np.asarray(y)
        weights = None if sample_weight is None else row_weights(X, sample_weight)
        start, X, _ = repairing(tree, tree.origin.tolist(), X, y, estimator, weights)
        self.tree, self.estimator = tree, start.set_params(n_init=1)
        self.run = TrainingRun(self.estimator, X, y, weights)
        self.lam = float(self.run.lam)
        self.validation = None
        if X_val is not None or y_val is not None:
            if X_val is None or y_val is None or np.size(y_val) == 0:
                raise ParameterError("Validation needs rows and their labels. Pass X_val and y_val, or neither.")
            self.validation = named_rows(tree, X_val), np.asarray(y_val)
            shape, (n_rows, *_) = np.shape(self.validation[1]), np.shape(self.validation[0])
            if shape != (n_rows,):
                raise DataError(f"y_val has shape {shape}, but X_val has {n_rows} rows. Pass one label for each row.")
        self.working, self._made = self.working_of(tree), {}

    def of_tree(self, tree: Tree) -> NodeSearch:
        """Return the search for another tree on the same rows."""
        found = object.__new__(type(self))
        found.__dict__ |= {name: value for name, value in self.__dict__.items() if name not in ("objective", "loss")}
        found.tree, found.working = tree, self.working_of(tree)
        return found

    @cached_property
    def objective(self) -> float:
        """Objective of the tree on the training rows."""
        return self.objective_of(self.working)

    @cached_property
    def loss(self) -> float:
        """Training loss of the tree, such as the number of misclassified rows."""
        return self.objective - self.lam * self.working.penalty()

    def objective_of(self, working: WorkingTree) -> float:
        """Return the objective of a WorkingTree on the training rows."""
        data = self.run.data
        self.run.restore_order()  # the sum depends on the order of the rows in its last digits
        return float(data.loss.total(working.labels[self._leaves(working)], data.y, data.weights)) + (
            self.lam * working.penalty()
        )

    def working_of(self, tree: Tree) -> WorkingTree:
        """Return a tree as a WorkingTree with the penalties of this estimator."""
        return WorkingTree.from_tree(tree, self.run.solver.penalty)

    def candidates(self, node: int, kinds: Sequence[str] = KINDS, n: int = 10) -> list[CandidateSplit]:
        """Return the list of `candidate_splits`."""
        if not isinstance(node, Integral):
            raise ParameterError(f"node={literal(node, 60)}: expected the number of a node, 0 for the root.")
        node = node_number(self.tree, node)
        kinds = (kinds,) if isinstance(kinds, str) or not isinstance(kinds, Iterable) else tuple(kinds)
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown or not kinds:
            raise ParameterError(f"kinds={literal(kinds)}: expected one or several of {', '.join(map(repr, KINDS))}.")
        check_whole(n, "n", 1)
        problem = self._problem(node)
        if problem is None:
            return []
        with thread_map(self.estimator.n_jobs) as run:
            lists = self._splits(problem, kinds, n, run)
        found = {kind: self._ranked(problem, kind, splits) for kind, splits in lists.items()}
        places = sorted(
            (rank, KINDS.index(kind), kind) for kind, ranked in found.items() for rank in range(len(ranked))
        )
        chosen = [found[kind][rank] for rank, _, kind in places[:n]]
        return [self._described(problem, node, one) for one in sorted(chosen, key=_key)]

    def with_split(self, node: int, split: Split) -> WorkingTree:
        """Return the tree with a new split. A leaf gets two leaves with the best predictions for their rows."""
        working = self.working
        split = split._replace(penalty=self.run.solver.penalty(split.features, split.weights))
        if working.left[node] >= 0:
            found = WorkingTree(
                working.left, working.right, list(working.splits), working.labels.copy(), working.origin
            )
            found.set_split(node, split)
            return found
        data, m = self.run.data, working.n_nodes
        points = np.flatnonzero(self._leaves() == node)
        goes = split.goes_right(data.columns.margins_at(points, split)).astype(np.int64)
        own = np.full(2, working.labels[node], working.labels.dtype)
        labels = np.asarray(data.loss.leaf_labels(goes, data.y[points], data.weights[points], own), own.dtype)
        first = int(working.origin.max()) + 1
        left, right = (np.append(side, [-1, -1]) for side in (working.left, working.right))
        left[node], right[node] = m, m + 1
        splits = [*working.splits, None, None]
        splits[node] = split
        origin = np.append(working.origin, [first, first + 1])
        return WorkingTree(left, right, splits, np.append(working.labels, labels), origin)

    def tree_of(self, working: WorkingTree) -> Tree:
        """Return a WorkingTree as a Tree with the statistics of the training rows. Leaves keep their predictions."""
        run = self.run
        run.restore_order()
        tree = working.to_tree(
            run.data.loss, *self._optimisation(working, 0).leaf_statistics(), run.classes, run.data.n_features,
            self.tree.feature_names, frozen=working.origin, missing=self.estimator.missing == "learn",
        )  # fmt: skip
        return replace(tree, feature_quantiles=run.quantiles)

    def after(self, node: int, split: Split) -> tuple[Tree, float]:
        """Return the tree after one pass of TAO below a new split, and the change of the objective."""
        self.run.restore_order()
        working = self.with_split(node, split)
        below = np.zeros(working.n_nodes, np.bool_)
        for parent in working.decisions:  # parents precede their children
            for child in (working.left[parent], working.right[parent]):
                below[child] = below[parent] or parent == node
        run = self._optimisation(working, 1, working.origin[~below].tolist())
        run.keeps_better = not self.run.solver.monotone
        for _ in run.steps():
            pass
        return self.tree_of(working), self.objective_of(working) - self.objective

    def _optimisation(self, working: WorkingTree, max_iter: int, frozen: Sequence[int] = ()):
        e, run = self.estimator, self.run
        return AlternatingOptimization(
            run.data,
            working,
            run.solver,
            self.lam,
            max_iter=max_iter,
            tol=0.0,
            frozen=frozen,
            keep_initial=True,
            n_jobs=e.n_jobs,
            first_iteration=0,
            leaf="constant",
            min_samples_leaf=run.least_leaf,
            constraints=run.constraints,
        )

    def _leaves(self, working=None, root=0):
        """Return the leaf that each training row reaches below a node."""
        working, leaf = self.working if working is None else working, np.empty(self.run.data.n_rows, np.int64)
        self.run.data.columns.leaves(working.routing(), int(root), 0, leaf.size, leaf)
        return leaf

    def _problem(self, node):
        """Return the `_Problem` of a node, or None if no split can separate its rows."""
        self.run.restore_order()
        data, working = self.run.data, self.working
        leaf = self._leaves()
        rank = working.rank[leaf]
        points = np.flatnonzero((rank >= working.first[node]) & (rank < working.last[node]))
        y, weights = data.y[points], data.weights[points]
        if points.size < 2:
            return None
        if working.left[node] >= 0:
            sides = (self._leaves(root=child)[points] for child in (working.left[node], working.right[node]))
            left, right = (data.loss.row_losses(working.labels[side], y, weights) for side in sides)
            gains = exactly_added(left - right)
            limits = self.run.constraints.permitted(working, np.array([node])) if self._is_restricted else [None]
            present = working.splits[node]
            goes = present.goes_right(data.columns.margins_at(points, present))
            score, tie = float(gains[goes].sum()), SAME * float(np.abs(gains).sum())
            return _Problem(
                node, points, gains[:, None], 1, None, (gains,), -score, present.penalty, limits[0], goes, 1, tie
            )
        if (y == y[0]).all():
            return None
        growing = data.growing()
        sums, form = growing.loss.leaf_sums(y, growing.weights[points])
        amounts, n_sums = sums, sums.shape[1]
        if not data.loss.is_usual and data.n_classes is not None:
            own, form = data.loss.leaf_sums(y, weights)
            amounts, n_sums = np.hstack([own, sums]), own.shape[1]
        loss = float(data.loss.row_losses(working.labels[leaf[points]], y, weights).sum())
        least, tie = self.run.least_leaf, SAME * float(np.abs(amounts[:, :n_sums]).sum())
        return _Problem(node, points, amounts, n_sums, form, (), loss, 0.0, None, None, least, tie)

    @property
    def _is_restricted(self):
        return self.run.constraints.restrict_nodes

    def _splits(self, problem, kinds, n, run):
        """Return {kind: list of Split}."""
        data, found = self.run.data, {}
        if data.columns.is_sparse:
            kinds = [kind for kind in kinds if kind == "oblique"]
        thresholds = self._thresholds(problem, n, run) if not data.columns.is_sparse else []
        if not problem.signed and {*kinds} & {"bivariate", "oblique"} or (not problem.signed and data.groups):
            problem = problem._replace(signed=self._signed(problem, thresholds))
        if "univariate" in kinds:
            found["univariate"] = thresholds + self._groups(problem)
        if "bivariate" in kinds:
            found["bivariate"] = self._lines(problem, n, run)
        if "oblique" in kinds and not self._is_restricted and not data.has_missing():
            found["oblique"] = self._oblique(problem)
        return found

    def _thresholds(self, problem, n, run):
        """Return the best threshold of each of the 2 n best features, best first."""
        data, points = self.run.data, problem.points
        usable = (data.inverse_scale > 0) & data.groups.is_single
        rises, falls = directions(usable, problem.permitted)
        features = np.flatnonzero(rises | falls)

        def search(j):
            return _best_cut(data.columns.values[j][points], problem, rises[j], falls[j])

        cuts = [(cut, j) for cut, j in zip(run(search, features), features, strict=True) if cut is not None]
        costs = self.lam * self.run.constraints.costs if self.run.constraints.costs is not None else None
        cuts.sort(key=lambda one: (one[0].loss + (0.0 if costs is None else costs[one[1]]), one[0].impurity))
        return [
            threshold_split(int(j), cut.low, cut.high, cut.above, self._missing_right(cut, j, points))
            for cut, j in cuts[: 2 * n]
        ]

    def _missing_right(self, cut, j, points):
        """Return the side of missing values. Without such values, they go with the majority of the rows."""
        if cut.missing_right is not None:
            return cut.missing_right
        values = self.run.data.columns.values[j][points]
        return bool((2 * np.count_nonzero(values >= cut.high) > values.size) == cut.above)

    def _groups(self, problem):
        """Return the best group of categories of each column."""
        data, found = self.run.data, []
        nothing = np.zeros(data.n_features)
        for column in data.groups.members:
            use = np.isin(np.arange(data.n_features), column)
            own = Permitted(*directions(use, problem.permitted))
            for gains in problem.signed:
                care = np.flatnonzero(gains)
                one = best_group(data.groups, problem.points[care], gains[care], nothing, own, 0.0)
                if one is not None:
                    found.append(one.split)
        return found

    def _signed(self, problem, splits):
        """Return reduced problems of a leaf, given the predictions of its children under some splits."""
        data, points = self.run.data, problem.points
        y, weights, pairs = data.y[points], data.weights[points], []
        for split in splits:
            goes = split.goes_right(data.columns.margins_at(points, split)).astype(np.int64)
            pair = data.loss.labels_of(data.loss.leaf_values(goes, y, weights, 2)).tolist()
            if pair[0] != pair[1] and {*pair} not in map(set, pairs) and len(pairs) < MOST_LABELS:
                pairs.append(pair)
            if pairs and data.n_classes is None:
                break
        if not pairs and data.n_classes is not None:  # the two classes with the smallest losses
            values = data.loss.leaf_values(np.zeros(y.size, np.int64), y, weights, 1)
            pairs = [np.argsort(data.loss.label_losses(values)[0], kind="stable")[:2].tolist()]
        elif not pairs:
            middle = np.average(y, weights=weights)
            pairs = [[np.mean(y[y <= middle]), np.mean(y[y >= middle])]]
        losses = (
            [data.loss.row_losses(np.full(y.size, label, data.y.dtype), y, weights) for label in pair] for pair in pairs
        )
        return tuple(exactly_added(left - right) for left, right in losses)

    def _lines(self, problem, n, run):
        """Return the best lines of pairs of features. Directions are searched on a sample of many points."""
        solver, data = self._solvers("bivariate"), self.run.data
        found = []
        for gains in problem.signed:
            signed = self._whole(problem, _sampled(gains))
            n_care = np.count_nonzero(signed)
            n_usable = np.count_nonzero(data.inverse_scale)
            is_exact = n_care <= EXACT_POINTS and n_usable * (n_usable - 1) <= 2 * EXACT_PAIRS
            found += solver.best_lines(0, data.n_rows, signed, n, is_exact, problem.permitted)
        return run(partial(self._recut, problem), found)

    def _oblique(self, problem):
        """Return one oblique split for each number of features."""
        solver, data, found = self._solvers("oblique"), self.run.data, []
        for gains in problem.signed:
            signed = self._whole(problem, _sampled(gains))
            if not (signed > 0).any() or not (signed < 0).any():
                continue
            most, split = self._without_weights(signed), constant_split(False)
            for level in LEVELS:
                split = solver.solve(0, data.n_rows, signed, most * level, split)
                if split.features.size > 2:
                    found.append(split)
        return [self._recut(problem, split) for split in found]

    def _without_weights(self, signed):
        """Return the smallest lambda at which an oblique split has no weights, for the logistic loss."""
        data = self.run.data
        slopes = signed - signed.sum() / np.count_nonzero(signed) * (signed != 0)
        columns = data.columns
        sums = columns.rows.T @ slopes if columns.is_sparse else columns.values.astype(np.float64, copy=False) @ slopes
        return 0.5 * float(np.abs(sums * data.inverse_scale).max())

    def _recut(self, problem, split):
        """Return the split with the best threshold on all rows of the node, or the split itself if it is better."""
        flat = split._replace(bias=0.0)
        values = self.run.data.columns.margins_at(problem.points, flat)
        cut = _best_cut(values, problem, True, problem.form is None)
        if cut is None:
            return split
        sign = 1.0 if cut.above else -1.0
        middle = cut.low + (cut.high - cut.low) / 2
        missing_right = split.missing_right if cut.missing_right is None else cut.missing_right
        return split._replace(weights=sign * split.weights, bias=-sign * middle, missing_right=bool(missing_right))

    def _whole(self, problem, gains):
        signed = np.zeros(self.run.data.n_rows)
        signed[problem.points] = gains
        return signed

    def _solvers(self, kind):
        """Return the solver of a kind of splits for the training rows."""
        if kind not in self._made:
            e, limits = self.estimator, self.run.constraints
            if kind == e.split:
                self._made[kind] = self.run.solver
            else:
                self._made[kind] = make_solver(
                    self.run.data, kind, node_solver=e.node_solver if kind == e.split else "auto",
                    bivariate_cost=e.bivariate_cost, n_orientations=e.n_orientations, exactness=e.exactness,
                    feature_costs=limits.costs, is_constrained=limits.restrict_nodes,
                )  # fmt: skip
        return self._made[kind]

    def _ranked(self, problem, kind, splits):
        """Return the best `_Evaluated` split of each feature, pair of features or number of features, best first."""
        evaluated = [one for one in (self._evaluated(problem, split) for split in splits) if one is not None]
        best = {}
        for one in sorted(evaluated, key=_key):
            columns = tuple(np.unique(self.run.data.groups.distinct(one.split.features)).tolist())
            best.setdefault(len(columns) if kind == "oblique" else columns, one)
        return [one for one in best.values() if self._is_allowed(problem, one)]

    def _evaluated(self, problem, split):
        """Return the `_Evaluated` split, or None if it does not separate the rows."""
        data, points = self.run.data, problem.points
        goes = split.goes_right(data.columns.margins_at(points, split))
        n_right = int(np.count_nonzero(goes))
        if not 0 < n_right < goes.size:
            return None
        penalty = self.run.solver.penalty(split.features, split.weights)
        if not self.run.solver.monotone and split.features.size < 3 and penalty > 0:  # the norm has no unit
            split = split._replace(weights=split.weights / penalty, bias=split.bias / penalty)
            penalty = 1.0
        if problem.form is None:
            loss, impurity = -float(problem.amounts[goes].sum()), 0.0
        else:
            leaf, y, weights = goes.astype(np.int64), data.y[points], data.weights[points]
            loss = float(data.loss.losses_of(data.loss.leaf_values(leaf, y, weights, 2)).sum())
            impurity = _impurity(problem, goes)
            if min(n_right, goes.size - n_right) < problem.least:
                return None
        loss -= problem.loss
        loss = 0.0 if abs(loss) <= problem.tie else loss
        return _Evaluated(split, loss + self.lam * (penalty - problem.penalty), loss, impurity, goes)

    def _is_allowed(self, problem, one):
        """Test whether a split satisfies the constraints of the estimator."""
        limits, least, node = self.run.constraints, self.run.least_leaf, problem.node
        if least > 1 and problem.form is None:
            working = self.with_split(node, one.split)
            rank = working.rank[self._leaves(working)[problem.points]]
            counts = np.bincount(rank, minlength=working.n_leaves)
            if ((counts > 0) & (counts < least)).any():
                return False
        if limits.restrict_nodes or limits.max_leaf_nodes is not None:
            return limits.holds(self.with_split(node, one.split))
        return True

    def _described(self, problem, node, one):
        """Return an `_Evaluated` split as a CandidateSplit."""
        tree, split, run = self.tree, one.split, self.run
        columns = run.data.groups.distinct(split.features)
        costs = run.constraints.costs
        n_right = int(np.count_nonzero(one.goes_right))
        return CandidateSplit(
            node=node,
            kind=KINDS[min(len(columns), 3) - 1],
            condition=condition_text(tree, split),
            feature_names=tuple(map(tree.feature_name, split.features.tolist())),
            features=tuple(split.features.tolist()),
            weights=tuple(split.weights.tolist()),
            bias=float(split.bias),
            missing_right=bool(split.missing_right),
            n_left=one.goes_right.size - n_right,
            n_right=n_right,
            change=float(one.change),
            loss_change=float(one.loss),
            cost=float(len(columns) if costs is None else costs[columns].sum()),
            agreement=_agreement(problem.present, one.goes_right),
            search=self,
        )


class _Problem(NamedTuple):
    """Problem of a node.

    points : int64[k], positions of its rows; amounts : float64[k, s], contributions of the rows to the sums that give
    losses: the gain on the right in a decision node, else the first `n_sums` for the loss of a leaf and the last ones
    for its impurity; form : form of the first ones, None in a decision node; signed : tuple of float64[k], gains of the
    rows on the right for two fixed predictions or subtrees; loss : present loss of these rows, except for a constant;
    penalty : present penalty; permitted : `Permitted` or None; present : bool[k], rows that go right at present, or
    None; least : smallest number of rows in a leaf; tie : difference between losses that may be a rounding error.
    """

    node: int
    points: np.ndarray
    amounts: np.ndarray
    n_sums: int
    form: int | None
    signed: tuple
    loss: float
    penalty: float
    permitted: Permitted | None
    present: np.ndarray | None
    least: int
    tie: float


class _Cut(NamedTuple):
    """Best threshold of some values. missing_right : None without missing values."""

    loss: float
    impurity: float
    low: float
    high: float
    above: bool
    missing_right: bool | None


class _Evaluated(NamedTuple):
    """Split with the changes of the objective and of the loss, and the impurity of two new leaves."""

    split: Split
    change: float
    loss: float
    impurity: float
    goes_right: np.ndarray


def named_rows(tree: Tree, X: ArrayLike) -> Any:
    """Return rows with the columns of a DataFrame in the order of the tree."""
    return by_name(X, tree.feature_names)


def _best_cut(values, problem, rises, falls):
    """Return the best `_Cut` of float[k] values, or None if they are all equal.

    rises, falls : whether larger values may go right, or left. In a leaf, both sides are alike.
    """
    amounts, n = problem.amounts, values.size
    is_missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(n, np.bool_)
    n_missing = int(np.count_nonzero(is_missing))
    present = np.flatnonzero(~is_missing) if n_missing else None
    known = values if present is None else values[present]
    if not known.size:
        return None
    order = np.argsort(known)
    ranked = known[order]
    rows = order if present is None else present[order]
    sides = np.array([rises, falls and problem.form is None], np.bool_)
    form = -1 if problem.form is None else problem.form
    lost = amounts[is_missing].sum(axis=0)
    loss, impurity, at, above, missing_right = scan_sides(
        ranked, rows, amounts, lost, n_missing, sides, form, problem.n_sums, problem.least, problem.tie
    )
    if at < 0:
        return None
    is_outside = at == 0
    low = -OUTSIDE if is_outside else float(ranked[at - 1])
    return _Cut(loss, impurity, low, float(ranked[at]), bool(above), bool(missing_right) if n_missing else None)


def _impurity(problem, goes_right):
    """Return the impurity of both sides of the split of a leaf."""
    right, left = (side.astype(np.float64) @ problem.amounts for side in (goes_right, ~goes_right))
    return float(sides_loss(left, right, problem.form, problem.n_sums)[1])


def _key(one):
    """Return the sorting key of an `_Evaluated` split."""
    return one.change, one.impurity, one.split.features.size


def _sampled(gains):
    """Return the gains of a sample of the care points, 0 for all others."""
    care = np.flatnonzero(gains)
    if care.size <= SAMPLE:
        return gains
    found, kept = np.zeros(gains.size), np.random.default_rng(0).choice(care, SAMPLE, replace=False)
    found[kept] = gains[kept]
    return found


def _agreement(present, goes_right):
    """Return the measure of association between two splits (Breiman et al. 1984, section 5.3), NaN without the first.

    Sides may be exchanged.
    """
    if present is None:
        return np.nan
    n, n_right = present.size, int(np.count_nonzero(present))
    smaller = min(n_right, n - n_right)
    same = int(np.count_nonzero(present == goes_right))
    differ = n - max(same, n - same)
    return float(max(1.0 - differ / smaller, 0.0)) if smaller else 0.0


def condition_text(tree: Tree, split: Split) -> str:
    """Return the condition of the left child of a split, with rounded numbers."""
    names = tuple(map(tree.feature_name, split.features.tolist()))
    missing_right = None if tree.missing_right is None else bool(split.missing_right)
    found = condition_of((split.features, split.weights, split.bias), names, False, missing_right)
    columns = CategoryColumns.of(tree.feature_names, column_groups(tree.feature_names))
    return "always" if found is None else columns.combine(found).rounded(DIGITS).text(TYPED, MOST_TERMS)
