"""Learning curves: the error of trees that are trained on more and more rows of a sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone, is_classifier

from treecore.data.category_groups import category_columns
from treecore.data.feature_encoder import FeatureEncoder
from treecore.errors import DataError
from treecore.messages import counted
from treecore.parameter_checks import check_whole
from treecore.training.partitions.partitioned_run import PartitionedRun
from treecore.training.partitions.shards import Executor
from treecore.training.partitions.sources.row_source import ArraySource, RowSource
from treecore.training.partitions.sources.sources import close_source, executor_of, training_source
from treecore.training.partitions.survey import survey
from treecore.training.path import WARM_TOL
from treecore.training.training_run import unfitted
from treecore.tree.metrics import row_losses

if TYPE_CHECKING:
    import pandas
    from sklearn.base import BaseEstimator

LEAST_ROWS = 1000  # smallest sample from which rows can be held out
GRID = 2e-5, 1e-2  # lambda grid, as shares of the lambda of a single leaf
MOST_PASSES = 5  # for each lambda
CLEAR = 2.0  # standard errors that a gain must have to be more than chance
WORTH = 0.001  # smallest gain, as an error rate or as a share of the error, for which more rows are worth their time


@dataclass(frozen=True)
class LearningCurve:
    """Test errors of trees that are trained on random samples of increasing size, each twice the previous one.

    Parameters
    ----------
    n_rows : int
        Number of rows of the source.
    n_test : int
        Number of test rows. They are the same for all samples.
    sizes : int64 array of shape (k,)
        Number of training rows.
    errors : float64 array of shape (k,)
        Test error: misclassification error in [0, 1], or root mean squared error.
    leaves : int64 array of shape (k,)
        Number of leaves of the tree with the smallest error on the validation rows, over a grid of lambda.
    gains : float64 array of shape (k,)
        Decrease of the error by the last doubling of the rows, NaN for the first size.
    gain_spreads : float64 array of shape (k,)
        Standard errors of `gains`, from the paired test losses.
    unit : {'points', 'target'}
        Whether the errors are rates or in units of the target.

    See Also
    --------
    learning_curve : Computes a learning curve.

    Examples
    --------
    >>> import numpy as np
    >>> from treecore import LearningCurve
    >>> curve = LearningCurve(
    ...     10**6, 5000, np.array([7500, 15000]), np.array([0.2, 0.18]), np.array([20, 31]), np.array([np.nan, 0.02]),
    ...     np.array([np.nan, 0.004]), "points"
    ... )
    >>> curve.needs_all_rows
    True
    """

    n_rows: int
    n_test: int
    sizes: np.ndarray
    errors: np.ndarray
    leaves: np.ndarray
    gains: np.ndarray
    gain_spreads: np.ndarray
    unit: str

    @property
    def needs_all_rows(self) -> bool:
        """Whether more rows than those of the largest sample probably lower the error noticeably."""
        if self.n_rows <= self.sizes[-1] + self.n_test:
            return False
        gain, spread = self.gains[-1], self.gain_spreads[-1]
        least = WORTH if self.unit == "points" else WORTH * self.errors[-1]
        return bool(gain > CLEAR * spread and gain > least)

    @property
    def advice(self) -> str:
        """Whether a sample is sufficient, in words."""
        is_rate = self.unit == "points"
        scale = 100.0 if is_rate else 1.0
        return (
            (
                f"Train on all {self.n_rows:,} rows: {int(self.sizes[-1]):,} instead of {int(self.sizes[-2]):,} "
                f"training rows lowered the test error by {scale * self.gains[-1]:.2g} ± "
                f"{2 * scale * self.gain_spreads[-1]:.1g}{' points' if is_rate else ''}."
            )
            if self.needs_all_rows
            else (
                f"A sample is sufficient: {int(self.sizes[-1]):,} instead of {int(self.sizes[-2]):,} training "
                f"rows changed the test error by only {scale * self.gains[-1]:.2g} ± "
                f"{2 * scale * self.gain_spreads[-1]:.1g}{' points' if is_rate else ''}."
            )
        )

    def to_frame(self) -> pandas.DataFrame:
        """Return the curve as a table.

        Returns
        -------
        pandas.DataFrame
            One row per size.
        """
        import pandas  # slow import

        names = {"sizes": "n_rows", "errors": "error", "leaves": "n_leaves", "gains": "gain"}
        columns = {names.get(name, name): getattr(self, name) for name in (*names, "gain_spreads")}
        return pandas.DataFrame(columns).rename(columns={"gain_spreads": "gain_spread"})


def learning_curve(
    estimator: BaseEstimator,
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    n_sizes: int = 3,
    n_lams: int = 4,
    random_state: int = 0,
) -> LearningCurve:
    """Measure how much more training rows lower the test error.

    A random sample of at most 200,000 rows is divided into training (60 %), validation and test rows (20 % each). Trees
    are trained on increasing shares of the training rows, each twice the previous one. The validation error selects
    lambda.

    Parameters
    ----------
    estimator : TAOClassifier or TAORegressor
        Training parameters. The estimator stays unfitted, and its `lam` is not used.
    X : array-like of shape (n, d), path, query or RowSource
        Rows, as in `TAOClassifier.fit`.
    y : array-like of shape (n,), str or None, default=None
        Class labels or numbers, or the name of their column.
    sample_weight : array-like of shape (n,), str or None, default=None
        Non-negative weight of each row, or the name of their column.
    n_sizes : int, default=3
        Number of sizes, at least 2.
    n_lams : int, default=4
        Number of values of lambda for each size.
    random_state : int, default=0
        Seed of the sample.

    Returns
    -------
    LearningCurve
        Test errors, and the advice to use a sample or all rows.

    Raises
    ------
    DataError
        If the rows cannot be used, or there are fewer than 1,000.
    ParameterError
        If a parameter is outside its range.

    See Also
    --------
    TAOClassifier : Trains on all rows of the same sources.

    Examples
    --------
    >>> import numpy as np
    >>> from treecore import TAOClassifier, learning_curve
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((2000, 2))
    >>> y = (X[:, 0] > 0.5).astype(int)
    >>> curve = learning_curve(TAOClassifier(split="univariate", init="cart"), X, y)
    >>> curve.sizes.tolist(), curve.needs_all_rows
    ([300, 600, 1200], False)
    """
    source = training_source(X, y, sample_weight)
    source = ArraySource(X, np.asarray(y), sample_weight) if source is None else source
    try:
        return sample_curve(estimator, source, n_sizes, n_lams, random_state)
    finally:
        close_source(source)


def sample_curve(
    estimator: BaseEstimator,
    source: RowSource,
    n_sizes: int = 3,
    n_lams: int = 4,
    random_state: int = 0,
    executor: Executor | None = None,
) -> LearningCurve:
    """Return the `LearningCurve` of a source. See `learning_curve`.

    A random sample of at most 200,000 rows is divided into training (60 %), validation and test rows.
    """
    check_whole(n_sizes, "n_sizes", 2)
    check_whole(n_lams, "n_lams", 1)
    executor = executor_of(source, estimator.n_jobs) if executor is None else executor
    missing = estimator.missing == "learn"
    is_squared = not is_classifier(estimator)
    found = survey(source.parts(), source.feature_names, executor, is_squared, random_state, missing)
    n, weights = len(found.sample.y), found.sample.weights
    if n < LEAST_ROWS:
        raise DataError(
            f"The source has {counted(n, 'row')}: a learning curve needs {LEAST_ROWS:,}. Train on all rows."
        )
    base, encoder = clone(unfitted(estimator)), FeatureEncoder(missing)
    X, y = encoder.fit(base, found.table(source.feature_names), found.sample.y, found.all_texts())
    base.set_params(categories=category_columns(estimator.categories, encoder, X))
    order = np.random.default_rng(random_state).permutation(n)
    train, validation, test = np.split(order, [int(0.6 * n), int(0.8 * n)])
    sizes = [len(train) >> (n_sizes - 1 - k) for k in range(n_sizes)]
    losses, errors, leaves, target = [], [], [], None
    for size in sizes:
        rows = train[:size]
        part = ArraySource(X[rows], y[rows], None if weights is None else weights[rows])
        tree = _best_tree(clone(base), part, X[validation], y[validation], n_lams)
        target = tree.target
        losses.append(row_losses(tree, X[test], y[test]))
        errors.append(target.error_and_deviation(losses[-1])[0])
        leaves.append(tree.n_leaves)
    errors = np.array(errors)
    slope = 2 * errors[1:] if target.is_root else np.ones(len(sizes) - 1)
    spreads = [np.std(a - b) / np.sqrt(len(test)) for a, b in zip(losses[:-1], losses[1:], strict=True)]
    return LearningCurve(
        found.n_rows, len(test), np.array(sizes), errors, np.array(leaves), np.append(np.nan, errors[:-1] - errors[1:]),
        np.append(np.nan, spreads / np.where(slope > 0, slope, 1.0)), "target" if target.is_root else "points",
    )  # fmt: skip


def _best_tree(estimator: Any, part: ArraySource, X: np.ndarray, y: np.ndarray, n_lams: int) -> Any:
    """Return the tree of a grid of lambda with the smallest error on the rows `X`."""
    run = PartitionedRun(estimator, part)
    data: Any = run.data
    largest = data.task.largest_lambda(data, None)
    best: tuple = (np.inf, None)
    try:
        for lam in np.geomspace(*GRID, n_lams) * largest:
            run.optimise(float(lam), max_iter=MOST_PASSES, tol=WARM_TOL)
            tree = run.tree()
            error = float(row_losses(tree, X, y).mean())
            if error <= best[0]:
                best = error, tree
            run.continue_from(tree)
    finally:
        run.shards.close()
    return best[1]
