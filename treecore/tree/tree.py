"""`Tree`: a trained decision tree in flat, read-only arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike

from treecore.errors import DataError, TreeFormatError
from treecore.notebook import cell_html, display_cell
from treecore.tree import tree_json
from treecore.tree.classes import Classes
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.feature_statistics import QUANTILES
from treecore.tree.leaf_model import CONSTANT
from treecore.tree.nodes import dict_of, frame_of, graph_of, node_number, node_paths, nodes_of, path_to
from treecore.tree.quantity import Quantity
from treecore.tree.routing import check_rows, leaf_ids, margins
from treecore.tree.sklearn_estimator import sklearn_estimator
from treecore.tree.target import Target
from treecore.tree.text_tree import text_tree
from treecore.tree.tree_arrays import TreeArrays

if TYPE_CHECKING:
    import pandas
    from sklearn.base import BaseEstimator

_DTYPES = {
    "left": np.int32, "right": np.int32, "indptr": np.int64, "features": np.int32, "weights": np.float64,
    "bias": np.float64, "labels": np.int32, "values": np.float64, "n_samples": np.int64, "origin": np.int64,
    "missing_right": np.bool_, "feature_quantiles": np.float64,
}  # fmt: skip


NO_NODE = "The tree has no nodes. It needs at least a root."


@dataclass(frozen=True, eq=False, repr=False)
class Tree(TreeArrays):
    """Binary decision tree whose splits are sparse hyperplanes in raw units.

    A row goes right if ``w . x + b >= 0``. Node 0 is the root, and parents precede their children. ``tree[3]`` is a
    `Node`, iterating over the tree returns all nodes, and ``len(tree)`` is their number.

    Parameters
    ----------
    left, right : int32 array of shape (m,)
        Children of each node, -1 in a leaf.
    indptr : int64 array of shape (m + 1,)
        The weights of node i are at ``[indptr[i], indptr[i + 1])``.
    features : int32 array
        Features of the weights, increasing within a node.
    weights : float64 array
        Weights of the splits.
    bias : float64 array of shape (m,)
        Bias of each split.
    labels : int32 array of shape (m,)
        Index into `classes` of the predicted class of each node, 0 for regression.
    values : float64 array of shape (m, k)
        Weighted number of training rows per class. For regression, shape (m, 3): weight, mean and variance of the
        training rows, where a leaf predicts the mean. A tree for the absolute error has the median and the mean squared
        difference from it instead.
    n_samples : int64 array of shape (m,)
        Number of training rows.
    origin : int64 array of shape (m,)
        Id of the node in the initial tree, kept along a regularisation path.
    classes : array of shape (k,)
        Class labels (numbers, booleans or strings), empty for regression.
    n_features : int
        Number of features.
    feature_names : tuple of str or None, default=None
        Names of the features.
    missing_right : bool array of shape (m,) or None, default=None
        Whether a row with a missing value (NaN) for the split goes right. None for a tree that was trained without
        missing values and does not support them.
    feature_quantiles : float64 array of shape (n_features, 5) or None, default=None
        Quantiles `QUANTILES` of the training values of each used feature, NaN for other features. None if unknown.
    leaf_model : LeafModel, default=CONSTANT
        Predictions of the leaves: `labels` or means (``CONSTANT``), or linear models (`LinearLeaves`).

    Raises
    ------
    TreeFormatError
        If the arrays do not describe a tree.

    See Also
    --------
    TAOClassifier : Trains a tree.
    treecore.Node : One node of a tree.
    treecore.rules : Converts a tree to rules.
    treecore.export : Converts a tree to source code.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = CARTClassifier(random_state=0).fit(X, y).tree_
    >>> tree
    <Tree of 5 nodes, 3 leaves, depth 2, 4 features>
    >>> tree.predict(X[:2]).tolist(), tree.path_of(X[0]).tolist()
    ([0, 0], [0, 1])
    >>> tree[1].n, tree[1].value
    (50, 0)
    """

    def __post_init__(self):
        self._freeze()
        _check(self)
        self._keep_used_quantiles()

    def _freeze(self):
        """Convert the fields to their types, and make the arrays read-only."""
        for name, dtype in _DTYPES.items():
            if getattr(self, name) is None:
                continue
            array = np.ascontiguousarray(getattr(self, name), dtype)
            if array is getattr(self, name) and array.flags.writeable:
                array = array.copy()
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        classes = np.array(self.classes)
        if classes.dtype.kind in "OUT":
            classes = np.array([str(label) for label in classes.tolist()])
        classes.setflags(write=False)
        object.__setattr__(self, "classes", classes)
        object.__setattr__(self, "n_features", int(self.n_features))
        if self.leaf_model is None:  # in pickles of earlier versions, and in `trusted_tree`
            object.__setattr__(self, "leaf_model", CONSTANT)
        if self.feature_names is not None:
            object.__setattr__(self, "feature_names", tuple(str(name) for name in self.feature_names))

    def _keep_used_quantiles(self):
        if self.feature_quantiles is not None:
            is_used = np.zeros(self.n_features, bool)
            is_used[self.features] = True
            quantiles = np.where(is_used[:, None], self.feature_quantiles, np.nan)
            quantiles.setflags(write=False)
            object.__setattr__(self, "feature_quantiles", quantiles)

    def __reduce__(self):
        # Arrays in a pickle or a deep copy are writeable. The constructor validates and freezes them.
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    @property
    def outputs(self) -> np.ndarray:
        """Prediction of each node, [m], as class codes (int32) or numbers (float64)."""
        return self._kind.predictions(self)

    @property
    def _kind(self) -> type[Target]:
        return Quantity if self.is_regression else Classes

    @cached_property
    def target(self) -> Target:
        """`Target` without a data set: the classes of the tree, or the range of its means."""
        return self._kind.of_tree(self)

    @property
    def predictions(self) -> np.ndarray:
        """Prediction of each node, [m], as class labels or numbers (float64)."""
        return self._kind.predictions(self, self.classes)

    def apply(self, X: ArrayLike, n_jobs: int | None = None) -> np.ndarray:
        """Return the leaf of each row.

        Parameters
        ----------
        X : array-like, CSR matrix or DataFrame of shape (n, n_features)
            Rows. The columns of a DataFrame are matched by name if the tree has `feature_names`.
        n_jobs : int or None, default=None
            Number of threads. None means 1, and -1 uses all cores.

        Returns
        -------
        int32 array of shape (n,)
            Node numbers of the leaves.

        Raises
        ------
        DataError
            If `X` does not have the features of the tree, or has missing values that the tree does not support.
        """
        return leaf_ids(self.routing, self._checked(X), n_jobs)

    def predict(self, X: ArrayLike, n_jobs: int | None = None) -> np.ndarray:
        """Predict the class label or number of each row.

        Parameters
        ----------
        X : array-like, CSR matrix or DataFrame of shape (n, n_features)
            Rows. The columns of a DataFrame are matched by name if the tree has `feature_names`.
        n_jobs : int or None, default=None
            Number of threads. None means 1, and -1 uses all cores.

        Returns
        -------
        array of shape (n,)
            Class labels, or float64 numbers.

        Raises
        ------
        DataError
            If `X` does not have the features of the tree, or has missing values that the tree does not support.
        """
        X = self._checked(X)
        return self.leaf_model.predict(self, self._kind, self.classes, X, leaf_ids(self.routing, X, n_jobs))

    def predict_proba(self, X: ArrayLike, n_jobs: int | None = None) -> np.ndarray:
        """Return the class probabilities of each row.

        Parameters
        ----------
        X : array-like, CSR matrix or DataFrame of shape (n, n_features)
            Rows. The columns of a DataFrame are matched by name if the tree has `feature_names`.
        n_jobs : int or None, default=None
            Number of threads. None means 1, and -1 uses all cores.

        Returns
        -------
        float64 array of shape (n, k)
            Class shares of the training rows in the leaf, or the probabilities of its linear model.

        Raises
        ------
        DataError
            For a regression tree, or if `X` does not fit the tree.
        """
        self._kind.require("probabilities")
        X = self._checked(X)
        return self.leaf_model.probabilities(self, X, leaf_ids(self.routing, X, n_jobs))

    def decision_path(self, X: ArrayLike) -> scipy.sparse.csr_matrix:
        """Return the nodes on the decision path of each row, as in scikit-learn.

        Parameters
        ----------
        X : array-like, CSR matrix or DataFrame of shape (n, n_features)
            Rows. The columns of a DataFrame are matched by name if the tree has `feature_names`.

        Returns
        -------
        CSR bool matrix of shape (n, m)
            True for each node on the decision path of the row.

        Raises
        ------
        DataError
            If `X` does not have the features of the tree, or has missing values that the tree does not support.
        """
        return node_paths(self)[self.apply(X)]

    def path_of(self, row: ArrayLike) -> np.ndarray:
        """Return the nodes on the decision path of one row.

        Parameters
        ----------
        row : array-like of shape (n_features,), Series or dict
            The row. The values of a Series or dict are matched by name if the tree has `feature_names`.

        Returns
        -------
        int32 array
            Node numbers from the root to the leaf.

        Raises
        ------
        DataError
            If `row` is not a single row with the features of the tree.
        """
        leaves = self.apply(_one_row(row))
        if leaves.size != 1:
            raise DataError(f"row has {leaves.size} rows, but path_of supports one row. Use decision_path.")
        return np.array(path_to(self, int(leaves[0])), np.int32)

    def margins(self, X: ArrayLike, node: int) -> np.ndarray:
        """Return the margin of each row at one decision node.

        Parameters
        ----------
        X : array-like, CSR matrix or DataFrame of shape (n, n_features)
            Rows. The columns of a DataFrame are matched by name if the tree has `feature_names`.
        node : int
            Number of the decision node.

        Returns
        -------
        float64 array of shape (n,)
            ``w . x + b``. A row with a margin >= 0 goes right. For NaN, see `missing_right`.

        Raises
        ------
        DataError
            If `X` does not match the tree.
        """
        return margins(self.routing, self._checked(X), node)

    def to_frame(self) -> "pandas.DataFrame":
        """Return the nodes as a table.

        Returns
        -------
        pandas.DataFrame
            One row for each `Node`, with the number of the node as index. For classification, the columns
            ``count of <class>`` have the weighted number of training rows.
        """
        return frame_of(self, self.target)

    def to_networkx(self) -> Any:
        """Return the tree as a graph of the package networkx.

        Returns
        -------
        networkx.DiGraph
            Nodes have the values of `Node.to_dict`, and edges have their `condition`.

        Raises
        ------
        DataError
            If networkx is not installed.
        """
        return graph_of(self, self.target)

    def to_dict(self) -> dict:
        """Return the nodes as a dict of numbers, texts and lists. `to_json` stores a tree completely.

        Returns
        -------
        dict
            "n_features", "feature_names", "classes" and "nodes", a list with `Node.to_dict` of each node.
        """
        return dict_of(self, self.target)

    def to_json(self) -> str:
        """Return the tree as JSON text.

        Returns
        -------
        str
            Text that `from_json` converts to an identical tree.
        """
        return tree_json.dumps(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the tree from JSON text.

        Parameters
        ----------
        text : str
            Text from `to_json`. Every field is validated.

        Returns
        -------
        Tree
            The tree.

        Raises
        ------
        TreeFormatError
            If the text is damaged or does not describe a tree.
        """
        return cls(**tree_json.loads(text))

    def to_sklearn(self) -> "BaseEstimator":
        """Return the tree as a fitted scikit-learn estimator with the same nodes.

        On float32 rows, `apply`, `predict` and `predict_proba` return the same results. scikit-learn rounds other rows
        to float32. The estimator accepts missing values even if this tree does not support them.

        Returns
        -------
        DecisionTreeClassifier or DecisionTreeRegressor
            The fitted estimator.

        Raises
        ------
        DataError
            If a split uses several features, or a leaf does not predict its majority class.
        """
        return sklearn_estimator(self, self.target)

    def with_names(self, feature_names: Sequence[str] | None) -> Self:
        """Return the tree with new feature names.

        Parameters
        ----------
        feature_names : sequence of str or None
            The names, one per feature.

        Returns
        -------
        Tree
            The renamed tree.

        Raises
        ------
        TreeFormatError
            If the number of names is wrong.
        """
        return replace(self, feature_names=feature_names)

    def __len__(self):
        return self.n_nodes

    def __iter__(self):
        return nodes_of(self, self.target, range(self.n_nodes))

    def __getitem__(self, node):
        number = node_number(self, node)
        return next(nodes_of(self, self.target, range(number, number + 1)))

    def __str__(self):
        return text_tree(self, self.target)

    def __repr__(self):
        return f"<Tree of {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.depth}, {self.n_features} features>"

    def _repr_html_(self):
        return cell_html(self)

    def _ipython_display_(self):
        display_cell(self)

    def _checked(self, X):
        return check_rows(X, self.n_features, self.missing_right is not None, self.feature_names)

    def __eq__(self, other):
        if not isinstance(other, Tree):
            return NotImplemented
        return all(_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    __hash__ = None


def trusted_tree(**arrays: Any) -> Tree:
    """Return a `Tree` of arrays that the engine has made, without the checks of the constructor.

    A recorded run makes hundreds of trees, and the checks would take a third of its time.
    """
    tree = object.__new__(Tree)
    for one in fields(Tree):
        object.__setattr__(tree, one.name, arrays.get(one.name))
    tree._freeze()
    tree._keep_used_quantiles()
    return tree


def target_of(tree: Tree, data: DataSetLike) -> Target:
    """Return the `Target` of the data set if it matches the tree, else that of the tree."""
    given = getattr(data, "target", None)
    return given if isinstance(given, Target) and given.fits(tree) else tree.target.of_data(data)


def _one_row(x):
    if isinstance(x, dict) or (hasattr(x, "to_frame") and hasattr(x, "index")):  # a Series with the names as its index
        import pandas  # slow import

        return pandas.DataFrame([dict(x.items())])
    if hasattr(x, "tocsr") or hasattr(x, "columns"):
        return x
    x = np.asarray(x)
    return x.reshape(1, -1) if x.ndim == 1 else x


def _equal(a, b):
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        same = type(a) is type(b) and a.dtype == b.dtype
        return same and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return a == b


def _check(tree):  # noqa: C901  (a list of conditions)
    m = tree.left.size
    if not (m >= 1):
        raise TreeFormatError(NO_NODE)
    for name in ("left", "right", "bias", "labels", "n_samples", "origin"):
        if getattr(tree, name).shape != (m,):
            raise TreeFormatError(f"'{name}' must have one entry for each of the {m} nodes.")
    if tree.indptr.shape != (m + 1,):
        raise TreeFormatError(f"'indptr' must have {m + 1} entries.")
    k = tree.classes.size
    if tree.classes.ndim != 1:
        raise TreeFormatError("'classes' must be a list of class labels.")
    if np.unique(tree.classes).size != k:
        raise TreeFormatError("'classes' contains a class twice.")
    kind = tree._kind
    width = kind.width(k)
    if tree.values.shape != (m, width):
        raise TreeFormatError(f"'values' must have shape ({m}, {width}).")
    if not (tree.missing_right is None or tree.missing_right.shape == (m,)):
        raise TreeFormatError("'missing_right' must have one entry for each node.")
    quantiles = tree.feature_quantiles
    if quantiles is not None:
        shape = (tree.n_features, len(QUANTILES))
        if quantiles.shape != shape:
            raise TreeFormatError(f"'feature_quantiles' must have shape {shape}.")
        known = quantiles[~np.isnan(quantiles).all(axis=1)]
        if not (np.isfinite(known).all() and (np.diff(known) >= 0).all()):
            raise TreeFormatError("'feature_quantiles' must be increasing numbers.")
    nonzeros = tree.features.size
    if not (tree.features.shape == tree.weights.shape == (nonzeros,)):
        raise TreeFormatError("'features' and 'weights' must have the same length.")
    if not (tree.indptr[0] == 0 and tree.indptr[-1] == nonzeros and (np.diff(tree.indptr) >= 0).all()):
        raise TreeFormatError("'indptr' must increase from 0 to the number of weights.")
    if not (tree.n_features >= 1):
        raise TreeFormatError(f"n_features={tree.n_features}: expected at least 1.")
    if not (tree.feature_names is None or len(tree.feature_names) == tree.n_features):
        raise TreeFormatError("'feature_names' must name every feature.")
    if not (nonzeros == 0 or (tree.features.min() >= 0 and tree.features.max() < tree.n_features)):
        raise TreeFormatError(f"'features' must lie in [0, {tree.n_features}).")
    node_of = np.repeat(np.arange(m), np.diff(tree.indptr))
    same_node = node_of[1:] == node_of[:-1]
    if not (np.diff(tree.features)[same_node] > 0).all():
        raise TreeFormatError("The features of a node must increase.")
    if not (np.isfinite(tree.weights).all() and np.isfinite(tree.bias).all() and np.isfinite(tree.values).all()):
        raise TreeFormatError("Weights, biases and values must be finite.")
    if not ((kind.amounts(tree.values) >= 0).all() and (tree.n_samples >= 0).all()):
        raise TreeFormatError("Counts and variances must not be negative.")
    leaf = tree.left < 0
    if not (((tree.left == -1) == (tree.right == -1)).all() and (tree.left >= -1).all() and (tree.right >= -1).all()):
        raise TreeFormatError("A node must have two children, or none (-1, -1).")
    if not (np.diff(tree.indptr)[leaf] == 0).all():
        raise TreeFormatError("A leaf must not have weights.")
    children = np.concatenate([tree.left[~leaf], tree.right[~leaf]])
    parents = np.tile(np.flatnonzero(~leaf), 2)
    if not ((children > parents).all() and (children < m).all()):
        raise TreeFormatError("Children must come after their parent (no cycles).")
    if not (children.size == m - 1 and np.unique(children).size == m - 1):
        raise TreeFormatError("Every node except the root must have exactly one parent.")
    if not ((tree.labels >= 0).all() and (tree.labels < max(k, 1)).all()):
        raise TreeFormatError(f"'labels' must lie in [0, {max(k, 1)}).")
    tree.leaf_model.check_tree(tree, k or 1)
    if not (np.unique(tree.origin).size == m and tree.origin.min() >= 0):
        raise TreeFormatError("'origin' ids must be unique and not negative.")
    if not (kind.weights(tree.values[leaf]) > 0).all():
        raise TreeFormatError("'values' must contain the weight of the training points of every leaf.")
