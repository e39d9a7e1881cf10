"""`Steering`: a tree whose splits a user chooses while TAO optimises everything else."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from treecore.constraints.constraints import constraints_of
from treecore.data.category_groups import category_columns
from treecore.data.costs import cost_table
from treecore.errors import ParameterError, PenaltyWarning
from treecore.messages import counted, literal
from treecore.parameter_checks import check_number
from treecore.training.candidate_splits import KINDS, CandidateSplit, NodeSearch, condition_text
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.training.reoptimise import reoptimise
from treecore.training.training_run import row_weights, unfitted
from treecore.tree.nodes import node_number, node_paths
from treecore.tree.split import Split
from treecore.tree.tree import Tree
from treecore.tree.working_tree import WorkingTree, copied

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

LEAF = "leaf"
OVERLAP = 0.6  # smallest share of common rows at which a name follows to another node
SAME = 1e-9  # relative difference between objectives that may be a rounding error
MOST_CHARACTERS = 200  # of a name


@dataclass(frozen=True)
class NodeName:
    """Name of a node, and the node that has its rows.

    Parameters
    ----------
    text : str
        The name.
    node : int or None
        Number of the node. None if no node has more than 60 % of rows in common with the named one: the name has lost
        its node.
    overlap : float
        Rows that the named node and `node` have in common, divided by the rows of either. For a lost name, the largest
        value of any node.

    See Also
    --------
    Steering : Has the names of a tree.

    Examples
    --------
    >>> from treecore import NodeName
    >>> NodeName("small flowers", 1, 1.0).is_lost
    False
    """

    text: str
    node: int | None
    overlap: float

    @property
    def is_lost(self) -> bool:
        """Whether the name has lost its node."""
        return self.node is None


@dataclass(frozen=True)
class SteeringStep:
    """One step of `Steering`, with the tree before and after it.

    Parameters
    ----------
    text : str
        What the user did.
    code : str
        Line of Python that does the same.
    objective : tuple of float
        Objective before and after the step.
    loss : tuple of float
        Training loss before and after the step.
    n_leaves : tuple of int
        Number of leaves before and after the step.

    See Also
    --------
    Steering : Returns these steps.

    Examples
    --------
    >>> from treecore import SteeringStep
    >>> SteeringStep("Locked node 1.", "steered.lock(0)", (4.0, 4.0), (2.0, 2.0), (3, 3)).text
    'Locked node 1.'
    """

    text: str
    code: str
    objective: tuple
    loss: tuple
    n_leaves: tuple


@dataclass(frozen=True)
class _State:
    """State that `Steering.undo` restores. names : tuple of (text, row numbers, origin id of the named node)."""

    search: NodeSearch
    locked: frozenset
    names: tuple
    history: tuple


class Steering:
    """Tree that a user steers: chosen splits are locked, and TAO optimises everything else around them.

    Nodes have their number in the present `tree`, as in ``tree[node]``. The objective of a tree is that of the
    estimator, on all training rows. No step of TAO increases it if the estimator has the true loss (``split`` other
    than ``"oblique"``).

    Parameters
    ----------
    estimator : TAOClassifier or TAORegressor
        Estimator with the parameters. If it is fitted, its tree is the first one.
    X : array-like of shape (n, d)
        Training rows, in any form that the estimator supports.
    y : array-like of shape (n,)
        Class labels or numbers.
    sample_weight : array-like of shape (n,) or None, default=None
        Non-negative weight of each row.
    start : Tree, 'leaf' or None, default=None
        First tree. "leaf" starts with a single leaf, to grow a tree by hand. None uses the tree of the fitted
        estimator, or trains it.
    X_val, y_val : array-like or None, default=None
        Validation rows, for `CandidateSplit.validation_error`.

    Attributes
    ----------
    estimator : TAOClassifier or TAORegressor
        Estimator with a numeric lambda. Its lists of features are those of the encoded columns.

    Raises
    ------
    DataError
        If the rows do not match the tree.
    ParameterError
        If a parameter is outside its range.

    See Also
    --------
    candidate_splits : Lists other splits of one node.
    improve : Searches for a smaller tree without a user.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import Steering, TAOClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> steered = Steering(TAOClassifier(lam=1, split="univariate", init="cart", random_state=0), X, y)
    >>> wanted = [one for one in steered.candidates(0) if one.feature_names == ("sepal length (cm)",)]
    >>> steered.take(wanted[0]).text
    'Split of node 0: sepal length (cm) < 5.45.'
    >>> steered.tree[0].condition, steered.tree.n_leaves
    ('sepal length (cm) < 5.45', 4)
    """

    def __init__(
        self,
        estimator: BaseEstimator,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        start: Tree | str | None = None,
        X_val: ArrayLike | None = None,
        y_val: ArrayLike | None = None,
    ) -> None:
        if not isinstance(estimator, TAOClassifier | TAORegressor):
            raise ParameterError(
                f"estimator is a {type(estimator).__name__}: expected a TAOClassifier or TAORegressor."
            )
        if not (start is None or isinstance(start, Tree) or (isinstance(start, str) and start == LEAF)):
            raise ParameterError(f"start={literal(start, 60)}: expected a Tree, 'leaf' or None.")
        fitted = estimator
        if not hasattr(estimator, "tree_"):
            fitted = unfitted(estimator)
            if fitted.random_state is None:  # so that the script trains the same tree
                fitted.set_params(random_state=0)
            estimator = unfitted(fitted)
            if start is not None:  # only lambda and the columns are needed
                fitted.set_params(max_iter=0, max_depth=1, n_init=1)
            with warnings.catch_warnings():
                if start is not None:
                    warnings.simplefilter("ignore", PenaltyWarning)  # this tree is not used
                fitted.fit(X, y, sample_weight)
        elif start is None:
            start = fitted.tree_
        self._given, self._start, self._fitted = estimator, start, fitted
        self._y, self._X = np.asarray(y), _encoded(fitted, X)
        self._weights = None if sample_weight is None else row_weights(self._X, sample_weight)
        self.estimator = _resolved(estimator, fitted, self._X)
        tree = start if isinstance(start, Tree) else fitted.tree_
        tree = _root(tree) if isinstance(start, str) else tree
        X_val = None if X_val is None else _encoded(fitted, X_val)
        search = NodeSearch(tree, self._X, self._y, self.estimator, self._weights, X_val, y_val)
        self._states = [_State(search, frozenset(), (), ())]

    @property
    def _state(self):
        return self._states[-1]

    @property
    def tree(self) -> Tree:
        """Present tree."""
        return self._state.search.tree

    @property
    def objective(self) -> float:
        """Objective of the present tree on the training rows."""
        return self._state.search.objective

    @property
    def locked(self) -> list:
        """Numbers of the locked nodes."""
        return np.flatnonzero(np.isin(self.tree.origin, list(self._state.locked))).tolist()

    @property
    def history(self) -> list:
        """Steps so far, each a `SteeringStep`."""
        return list(self._state.history)

    @property
    def names(self) -> list:
        """Names of nodes, each a `NodeName`, in the order in which they were given."""
        leaves = self.tree.apply(self._X)
        return [_followed(self.tree, leaves, *one) for one in self._state.names]

    def candidates(self, node: int, kinds: Sequence[str] = KINDS, n: int = 10) -> list[CandidateSplit]:
        """Return other splits of a node.

        Parameters
        ----------
        node : int
            Number of a decision node or a leaf.
        kinds : sequence of str, default=("univariate", "bivariate", "oblique")
            Kinds of splits.
        n : int, default=10
            Maximum number of splits.

        Returns
        -------
        list of CandidateSplit
            Splits, best first, as in `candidate_splits`.

        Raises
        ------
        ParameterError
            If a parameter is outside its range.
        """
        return self._state.search.candidates(node, kinds, n)

    def take(self, candidate: CandidateSplit) -> SteeringStep:
        """Use a split, lock its node, and re-optimise all other nodes by TAO.

        Parameters
        ----------
        candidate : CandidateSplit
            Split from the last `candidates`.

        Returns
        -------
        SteeringStep
            Description of the step.

        Raises
        ------
        ParameterError
            If the candidate belongs to another tree, or the node contradicts a constraint.
        """
        if not isinstance(candidate, CandidateSplit):
            raise ParameterError(f"candidate={literal(candidate, 60)}: expected a CandidateSplit.")
        if candidate.search is not self._state.search:
            raise ParameterError("The candidate belongs to another tree. Call candidates again.")
        return self._taken(candidate.node, candidate.split, candidate.tree)

    def set_split(
        self, node: int, features: Sequence, weights: Sequence[float], bias: float, missing_right: bool = False
    ) -> SteeringStep:
        """Use a given split, lock its node, and re-optimise all other nodes by TAO.

        Parameters
        ----------
        node : int
            Number of a decision node, which keeps its children, or of a leaf, which gets two leaves.
        features : sequence of str or int
            Names or numbers of the features.
        weights : sequence of float
            Weights of these features. A row goes right if ``weights . x + bias >= 0``.
        bias : float
            Bias of the split.
        missing_right : bool, default=False
            Whether a row with a missing value goes right.

        Returns
        -------
        SteeringStep
            Description of the step.

        Raises
        ------
        ParameterError
            If the split is invalid, or the node contradicts a constraint.
        """
        node, split = node_number(self.tree, node), self._split(features, weights, bias, missing_right)
        search = self._state.search
        return self._taken(node, split, search.tree_of(search.with_split(node, split)))

    def grow(self, node: int) -> SteeringStep:
        """Let TAO train a new subtree below a node on its rows, then re-optimise all nodes that are not locked.

        Parameters
        ----------
        node : int
            Number of a node. Its present subtree is replaced.

        Returns
        -------
        SteeringStep
            Description of the step.

        Raises
        ------
        ParameterError
            If the node has rows of one class only, or a locked node is below it.
        """
        node, tree, search = node_number(self.tree, node), self.tree, self._state.search
        paths = node_paths(tree)
        below = np.flatnonzero(paths[:, [node]].toarray().ravel())
        if set(self.locked) & {*below.tolist()}:
            raise ParameterError(f"Node {node} cannot grow again, because it or a node below it is locked. Unlock it.")
        inside = np.isin(tree.apply(self._X), below)
        weights = np.zeros(self._y.size)
        search.run.restore_order()
        weights[search.run.data.rows] = search.run.data.weights  # with class weights
        rows = np.flatnonzero(inside & (weights > 0))
        if rows.size < 2 or (self._y[rows] == self._y[rows[0]]).all():
            what = f"{counted(rows.size, 'row')} with one target value" if rows.size else "no rows"
            raise ParameterError(f"Node {node} has {what}. Grow another node.")
        parameters = {"lam": search.lam, "min_samples_leaf": search.run.least_leaf, "max_leaf_nodes": None}
        if tree.classes.size:
            parameters |= {"class_weight": None}
            parameters["cost_matrix"] = cost_table(self.estimator.cost_matrix, tree.classes)
        if self.estimator.max_depth is not None:
            parameters["max_depth"] = max(self.estimator.max_depth - int(tree.depths[node]), 1)
        part = unfitted(self.estimator).set_params(**parameters)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PenaltyWarning)  # a single leaf is a result
            grown = part.fit(self._X[rows], self._y[rows], weights[rows]).tree_
        whole = search.tree_of(_grafted(search.working, node, grown, tree.classes, search.run.solver.penalty))
        return self._done(f"Grew node {node}.", f"grow({node})", self._optimised(whole, self._state.locked))

    def lock(self, node: int) -> SteeringStep:
        """Lock a node: TAO keeps the split of a decision node, or the prediction of a leaf.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        SteeringStep
            Description of the step.
        """
        node = node_number(self.tree, node)
        locked = self._state.locked | {int(self.tree.origin[node])}
        return self._done(f"Locked node {node}.", f"lock({node})", locked=locked)

    def unlock(self, node: int) -> SteeringStep:
        """Unlock a node.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        SteeringStep
            Description of the step.
        """
        node = node_number(self.tree, node)
        locked = self._state.locked - {int(self.tree.origin[node])}
        return self._done(f"Unlocked node {node}.", f"unlock({node})", locked=locked)

    def name(self, node: int, text: str) -> SteeringStep:
        """Name a node. The name follows the rows of the node through all later steps, see `names`.

        Parameters
        ----------
        node : int
            Number of the node.
        text : str
            The name. It replaces the earlier name of the same node. An empty text removes it.

        Returns
        -------
        SteeringStep
            Description of the step.

        Raises
        ------
        ParameterError
            If the text is too long, another node has the same name, or the node has no training rows.
        """
        node = node_number(self.tree, node)
        if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
            raise ParameterError(f"text={literal(text, 60)}: expected a text of at most {MOST_CHARACTERS} characters.")
        kept = tuple(given for given, one in zip(self._state.names, self.names, strict=True) if one.node != node)
        if text and text in [given for given, *_ in kept]:
            raise ParameterError(f"text={literal(text, 60)}: another node has this name. Use another name.")
        leaves = self.tree.apply(self._X)
        below = np.flatnonzero(node_paths(self.tree)[:, [node]].toarray().ravel())
        rows = np.flatnonzero(np.isin(leaves, below))
        if text and not rows.size:
            raise ParameterError(f"Node {node} has no training rows that its name could follow. Name another node.")
        names = (*kept, (text, rows, int(self.tree.origin[node]))) if text else kept
        return self._done(f"Named node {node} {text!r}.", f"name({node}, {text!r})", names=names)

    def names_on(self, tree: Tree, X: ArrayLike) -> list[NodeName]:
        """Return the names of nodes in another tree, such as one that was trained on other rows.

        Parameters
        ----------
        tree : Tree
            Other tree on the same features.
        X : array-like of shape (n, n_features)
            Rows that both trees route, by which their nodes are compared.

        Returns
        -------
        list of NodeName
            The names, with the nodes of the other tree.

        Raises
        ------
        DataError
            If the rows do not match the trees.
        """
        X = _encoded(self._fitted, X)
        own, leaves, paths, found = self.tree.apply(X), tree.apply(X), node_paths(self.tree), []
        for one in self.names:
            if one.node is None:
                found.append(one)
                continue
            below = np.flatnonzero(paths[:, [one.node]].toarray().ravel())
            found.append(_followed(tree, leaves, one.text, np.flatnonzero(np.isin(own, below))))
        return found

    def reoptimise(self) -> SteeringStep:
        """Re-optimise all nodes that are not locked by TAO.

        Returns
        -------
        SteeringStep
            Description of the step.
        """
        tree = self._optimised(self.tree, self._state.locked)
        return self._done("Re-optimised the tree.", "reoptimise()", tree)

    def undo(self) -> None:
        """Undo the last step.

        Raises
        ------
        ParameterError
            If there is no step.
        """
        if len(self._states) == 1:
            raise ParameterError("This tree has no step to undo. Take a step first.")
        self._states.pop()

    def script(self) -> str:
        """Return a Python script that repeats all steps with the library.

        Returns
        -------
        str
            Script with the variable names ``X``, ``y`` and, with weights, ``sample_weight`` for the training rows.

        Raises
        ------
        ParameterError
            If a parameter of the estimator cannot be written as Python code.
        """
        estimator = self._given
        names = ["Steering", type(estimator).__name__, *(["Tree"] if isinstance(self._start, Tree) else [])]
        arguments = [_code(estimator), "X", "y"]
        if self._weights is not None:
            arguments.append("sample_weight=sample_weight")
        if isinstance(self._start, Tree):
            arguments.append("start=start")
        elif self._start is not None:
            arguments.append(f"start={self._start!r}")
        lines = [
            '"""Repeat the steps of a steered tree. X and y are the training rows."""',
            "",
            f"from treecore import {', '.join(names)}",
            "",
        ]
        if isinstance(self._start, Tree):
            lines.append(f"start = Tree.from_json({self._start.to_json()!r})")
        lines.append(f"steered = Steering({', '.join(arguments)})")
        lines += [f"steered.{step.code}" for step in self._state.history]
        return "\n".join([*lines, "tree = steered.tree", ""])

    def _split(self, features, weights, bias, missing_right):
        names = list(self.tree.feature_names or ())
        known = {name: place for place, name in enumerate(names)} | {k: k for k in range(self.tree.n_features)}
        for value, name in ((features, "features"), (weights, "weights")):
            if isinstance(value, str) or np.ndim(value) != 1:
                raise ParameterError(f"{name}={literal(value, 60)}: expected a list.")
        unknown = [one for one in features if not isinstance(one, Hashable) or one not in known]
        if unknown:
            raise ParameterError(f"features contains {literal(unknown[0], 60)}, which the tree does not have.")
        if len(features) != len(weights) or len({known[one] for one in features}) < len(features) or not len(features):
            raise ParameterError("features and weights: expected one weight for each of at least one feature.")
        for value in (*weights, bias):
            check_number(value, "weights and bias", -np.inf)
        if not any(weights):
            raise ParameterError("All weights are 0. Pass at least one other weight.")
        found = sorted((known[one], float(weight)) for one, weight in zip(features, weights, strict=True))
        return Split(
            np.array([one for one, _ in found], np.int32), np.array([weight for _, weight in found]), float(bias), 0.0,
            bool(missing_right),
        )  # fmt: skip

    def _taken(self, node, split, tree):
        """Lock a new split, re-optimise the rest and return the step."""
        locked = self._state.locked | {int(tree.origin[node])}
        text = f"Split of node {node}: {condition_text(tree, split)}."
        names = self.tree.feature_names
        features = split.features.tolist()
        listed = features if names is None else [names[feature] for feature in features]
        code = f"set_split({node}, {listed!r}, {split.weights.tolist()!r}, {split.bias!r}"
        code += ", missing_right=True)" if split.missing_right else ")"
        return self._done(text, code, self._optimised(tree, locked), locked)

    def _optimised(self, tree, locked):
        """Return a tree after TAO around the locked nodes, or the tree itself if it has a smaller objective."""
        search = self._state.search
        found = reoptimise(tree, sorted(locked), self._X, self._y, self.estimator, self._weights).tree
        found = found.with_names(tree.feature_names)
        before, after = (search.of_tree(one).objective for one in (tree, found))
        return found if after <= before + SAME * abs(before) else tree

    def _done(self, text, code, tree=None, locked=None, names=None):
        """Add a step with the new values, and return it."""
        state = self._state
        search = state.search if tree is None else state.search.of_tree(tree)
        pair = state.search, search
        step = SteeringStep(
            text,
            code,
            tuple(one.objective for one in pair),
            tuple(one.loss for one in pair),
            tuple(one.tree.n_leaves for one in pair),
        )
        locked = state.locked if locked is None else locked
        locked &= {*search.tree.origin.tolist()}
        names = state.names if names is None else names
        self._states.append(_State(search, frozenset(locked), names, (*state.history, step)))
        return step


def _encoded(fitted, X):
    """Return the features of rows, as an array or a CSR matrix."""
    return fitted.encoder_.transform(fitted, X)


def _resolved(estimator, fitted, X):
    """Return an unfitted estimator for encoded rows, with a numeric lambda and lists of features.

    fitted : the estimator or a similar one, fitted on the same rows; X : encoded rows
    """
    found = unfitted(estimator)
    groups = category_columns(estimator.categories, fitted.encoder_, X)
    classes = getattr(fitted, "classes_", None)
    limits = constraints_of(fitted, fitted.encoder_, X.shape[1], None if classes is None else len(classes), groups)
    own = {"lam": fitted.lam_, "categories": [list(group) for group in groups] or "features", "n_init": 1}
    return found.set_params(**own, **limits.parameters())


def _root(tree):
    """Return the tree without its decision nodes."""
    taken = {name: getattr(tree, name)[:1] for name in ("labels", "values", "n_samples", "origin", "bias")}
    return replace(
        tree, left=np.array([-1]), right=np.array([-1]), indptr=np.zeros(2, np.int64), features=tree.features[:0],
        weights=tree.weights[:0], missing_right=None if tree.missing_right is None else np.zeros(1, np.bool_),
        feature_quantiles=None, **taken,
    )  # fmt: skip


def _grafted(working, node, grown, classes, penalty):
    """Return a WorkingTree with the subtree of a node replaced by a `Tree`, whose classes are among `classes`."""
    part = WorkingTree.from_tree(grown, penalty)
    if classes.size:
        part.labels = np.searchsorted(classes, grown.classes)[part.labels].astype(working.labels.dtype)
    return copied(working, working.left < 0, {int(node): part}, int(working.origin.max()) + 1)


def _followed(tree, leaves, text, rows, origin=-1):
    """Return the `NodeName` for the node of a tree that has most rows in common with `rows`.

    leaves : leaf of each row; origin : id of the named node. A node and its child have the same rows if the other child
    has none. Between such nodes, the one with this id is preferred.
    """
    paths = node_paths(tree).T
    sizes = paths @ np.bincount(leaves, minlength=tree.n_nodes)
    common = paths @ np.bincount(leaves[rows], minlength=tree.n_nodes)
    shares = common / np.maximum(sizes + rows.size - common, 1)
    is_best = shares == shares.max()
    own = np.flatnonzero(is_best & (tree.origin == origin))
    best = int(own[0] if own.size else np.argmax(is_best))
    return NodeName(text, best if shares[best] > OVERLAP else None, float(shares[best]))


def _code(estimator):
    """Return the Python code of an estimator. Raise ParameterError for a parameter without a literal."""
    defaults = type(estimator)().get_params(deep=False)
    parts = []
    for name, value in estimator.get_params(deep=False).items():
        value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        if name == "callback" or repr(value) == repr(defaults[name]):
            continue
        try:
            ast.literal_eval(repr(value))
        except (SyntaxError, ValueError):
            raise ParameterError(
                f"A script cannot contain {name}={literal(value, 60)}. Use a number, a text, a list or a dict."
            ) from None
        parts.append(f"{name}={value!r}")
    return f"{type(estimator).__name__}({', '.join(parts)})"
