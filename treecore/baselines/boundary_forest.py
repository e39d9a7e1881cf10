"""Boundary forest: approximate nearest neighbours by trees of examples (Mathy et al. 2015)."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from treecore.baselines.boundary_kernels import MOST_BYTES, grow_boundary_tree, nearest_nodes
from treecore.baselines.greedy_estimator import DenseClassifier
from treecore.data.training_data import TrainingData, compact_dtype
from treecore.docstrings import filled
from treecore.parallel import even_ranges, resolve_jobs, thread_map
from treecore.parameter_checks import check_whole


class BoundaryTree(NamedTuple):
    """Nodes of one boundary tree, root first. Each node stores a training row. Arrays are int32[m], -1 for none."""

    rows: np.ndarray
    first_child: np.ndarray
    next_sibling: np.ndarray
    n_children: np.ndarray


@filled()
class BoundaryForestClassifier(DenseClassifier):
    """Boundary forest: a forest of nearest-neighbour trees.

    Each node of a tree stores a training row. A point moves from the root to the nearest child until no child is nearer
    than the node itself. In training, a row becomes a child of that node if their classes differ. Each tree is trained
    on a different order of the rows. Each tree votes for the class of the node that a point reaches, with weight 1 /
    distance (Shepard); nodes at distance 0 outvote all others. The result is not a decision tree and contains no
    `Tree`.

    Parameters
    ----------
    {n_estimators}
    max_children : int, default=50
        Maximum number of children of a node, at least 2 (k of the paper). A point never stops at a node with this many
        children.
    scale : {'standard', 'minmax'} or None, default=None
        Scaling of the features for the distances; None uses raw units, as in the paper.
    {n_jobs}
    random_state : int, RandomState, Generator or None, default=None
        Seed of the row orders.

    Attributes
    ----------
    estimators_ : list of BoundaryTree
        The trees of the forest.
    examples_ : array of shape (n, d)
        The training rows (uint8 or float64) in the units of `scale`.
    labels_ : int32 array of shape (n,)
        Classes of the training rows, as indices of `classes_`.
    {encoder_, classes_, n_features_in_, feature_names_in_}

    See Also
    --------
    TAOForestClassifier : Forest of decision trees.

    References
    ----------
    {boundary_2015}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import BoundaryForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BoundaryForestClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> round(model.score(X, y), 2)
    1.0
    """

    def __init__(
        self,
        n_estimators: int = 50,
        max_children: int = 50,
        scale: str | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_children = max_children
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train the forest.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Training rows: a dense array or a DataFrame.
        y : array-like of shape (n,)
            Class labels.

        Returns
        -------
        Self
            The fitted estimator.

        Raises
        ------
        DataError
            If `X` or `y` cannot be used.
        ParameterError
            If a parameter is outside its range.
        """
        check_whole(self.n_estimators, "n_estimators", 1)
        check_whole(self.max_children, "max_children", 2)
        resolve_jobs(self.n_jobs)
        X, codes, task, _, rng = self._begin(X, y, None)
        data = TrainingData(X, codes, task.n_classes, None, self.scale)
        self._center, self._inverse_scale = data.center, data.inverse_scale
        self.labels_ = data.y
        del data
        self.examples_ = self._points(X)
        seeds = np.random.SeedSequence(rng.randint(2**31 - 1)).spawn(self.n_estimators)
        with thread_map(self.n_jobs) as run:
            self.estimators_ = run(self._tree, seeds)
        return self

    def _tree(self, seed):
        n = self.labels_.size
        order = np.random.default_rng(seed).permutation(n).astype(np.int32)
        arrays = [np.empty(n, np.int32) for _ in BoundaryTree._fields]
        size = grow_boundary_tree(self.examples_, self.labels_, order, int(self.max_children), *arrays)
        return BoundaryTree(*(array[:size].copy() for array in arrays))

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Return the node of each tree at which each row ends.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        int32 array of shape (n, n_estimators)
            Node numbers.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        return self._walk(X)[0]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the class probabilities of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        float64 array of shape (n, k)
            Share of each class in the votes of the trees, each of weight 1 / distance.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        nodes, distances = self._walk(X)
        weights = vote_weights(distances)
        votes = np.zeros((len(nodes), self.classes_.size))
        every = np.arange(len(nodes))
        for i, tree in enumerate(self.estimators_):
            votes[every, self.labels_[tree.rows[nodes[:, i]]]] += weights[:, i]
        return votes / votes.sum(axis=1, keepdims=True)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class label of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows with the same columns as the training table.

        Returns
        -------
        array of shape (n,)
            Class label with the largest share of the votes, the first one in a tie.

        Raises
        ------
        DataError
            If `X` does not match the training table.
        """
        votes = self.predict_proba(X)
        return self.classes_[votes.argmax(axis=1)]

    def _walk(self, X):
        """Return the final node of each row in each tree, int32[n, trees], and its distance, float64[n, trees]."""
        points = self._points(self._check(X))
        n_trees = len(self.estimators_)
        nodes = np.empty((n_trees, len(points)), np.int32)
        distances = np.empty((n_trees, len(points)))

        def walk(part):
            low, high = part
            for i, tree in enumerate(self.estimators_):
                nearest_nodes(
                    self.examples_, *tree, int(self.max_children), points[low:high], nodes[i, low:high],
                    distances[i, low:high],
                )  # fmt: skip

        with thread_map(self.n_jobs) as run:
            run(walk, even_ranges(len(points), resolve_jobs(self.n_jobs)))
        return nodes.T, distances.T

    def _points(self, X):
        """Return the rows in the units of `scale`, in a new uint8 or float64 array [n, d]."""
        if self.scale is not None:
            return (X - self._center) * self._inverse_scale
        if X.shape[1] <= MOST_BYTES and compact_dtype(X) == np.uint8:
            return np.array(X, np.uint8, order="C")
        return np.array(X, np.float64, order="C")


def vote_weights(distances: np.ndarray) -> np.ndarray:
    """Return weights proportional to 1 / distance, float64[n, trees], scaled to a maximum of 1.

    If a row has a distance of 0, its weights are 1 at distance 0 and 0 elsewhere.
    """
    distances = np.minimum(distances, np.finfo(np.float64).max)
    least = distances.min(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(least > 0, least / distances, distances == 0)
