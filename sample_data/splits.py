"""Split the rows into training, validation and test sets."""

import numpy as np

from sample_data.data_set import TEST, TRAIN, VALIDATION, DataSet
from treecore.errors import ParameterError
from treecore.messages import literal


def split_rows(
    data_set: DataSet, seed: int, validation: float = 0.2, test: float = 0.2
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Split the rows into training, validation and test rows.

    The split is stratified: every class or range of numbers has the same shares, as closely as possible. The same seed
    gives the same rows. Each class keeps at least one training row, so very small sets can have an empty validation or
    test part. A published split keeps its test rows and ignores `test`. Unless it also marks validation rows,
    `validation` is a share of its training rows. All rows of a group are in the same part. Among several random splits,
    the function returns the most even one; a group that contains all rows of a class is in the training part. If rows
    have times, the oldest rows are for training and the newest for testing, for any seed.

    Parameters
    ----------
    data_set : DataSet
        The data.
    seed : int
        Seed, at least 0.
    validation : float, default=0.2
        Share of the validation rows, in [0, 1).
    test : float, default=0.2
        Share of the test rows, in [0, 1).

    Returns
    -------
    train : int64 array
        Sorted row numbers of the training rows.
    validation : int64 array
        Sorted row numbers of the validation rows.
    test : int64 array
        Sorted row numbers of the test rows.

    Raises
    ------
    ParameterError
        If a share is out of range or the seed is negative.

    See Also
    --------
    load : Load a data set.

    Examples
    --------
    >>> import sample_data
    >>> [rows.size for rows in sample_data.split_rows(sample_data.load("iris"), seed=0)]
    [90, 30, 30]
    """
    for argument, share in (("validation", validation), ("test", test)):
        if not 0.0 <= share < 1.0:
            raise ParameterError(f"{argument}={share}: expected a share >= 0 and < 1.")
    if validation + test >= 1.0:
        raise ParameterError(
            f"validation + test is {validation + test}: expected a sum below 1, to leave training rows."
        )
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ParameterError(f"seed={literal(seed)}: expected an integer >= 0.")

    published = data_set.split is not None
    marked = np.flatnonzero(data_set.split == VALIDATION) if published else np.empty(0, np.int64)
    if marked.size:
        return np.flatnonzero(data_set.split == TRAIN), marked, np.flatnonzero(data_set.split == TEST)
    free = np.flatnonzero(data_set.split != TEST) if published else np.arange(data_set.n_rows)
    target = data_set.target
    if data_set.dependence.is_known:
        return _dependent(data_set, free, seed, validation, 0.0 if published else test)
    groups, n_groups = target.group_of(data_set.y[free]), len(target.groups)
    classes = _shuffled_classes(free, groups, n_groups, np.random.default_rng(seed))
    sizes = np.array([len(rows) for rows in classes], dtype=np.int64)
    n_test = _quotas(sizes, 0.0 if published else test, sizes - 1)
    n_validation = _quotas(sizes, validation, sizes - 1 - n_test)

    train_rows, validation_rows, test_rows = [], [], []
    for rows, k_test, k_validation in zip(classes, n_test, n_validation, strict=True):
        test_rows.append(rows[:k_test])
        validation_rows.append(rows[k_test : k_test + k_validation])
        train_rows.append(rows[k_test + k_validation :])
    if published:
        test_rows = [np.flatnonzero(data_set.split == TEST)]
    return _joined(train_rows), _joined(validation_rows), _joined(test_rows)


def _dependent(data_set, free, seed, validation, test):
    """Split rows that belong to groups or form a time series."""
    labels, strata = data_set.target.strata(data_set.labels()), data_set.target.group_of(data_set.y)

    def held(rows, share):
        return rows[data_set.dependence.of(rows).held_out(strata[rows], labels[rows], share, seed)]

    test_rows = held(free, test)
    rest = np.setdiff1d(free, test_rows)
    validation_rows = held(rest, validation * len(free) / len(rest))
    published = np.empty(0, np.int64) if data_set.split is None else np.flatnonzero(data_set.split == TEST)
    return np.setdiff1d(rest, validation_rows), validation_rows, np.union1d(test_rows, published).astype(np.int64)


def _shuffled_classes(rows: np.ndarray, y: np.ndarray, n_classes: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Return the rows of each class, int64[k], in random order."""
    order = rng.permutation(len(rows))
    order = order[np.argsort(y[order], kind="stable")]
    ends = np.cumsum(np.bincount(y, minlength=n_classes))
    return np.split(rows[order], ends[:-1])


def _quotas(sizes: np.ndarray, share: float, most: np.ndarray) -> np.ndarray:
    """Return how many rows to take from each class, int64[n_classes], by the method of largest remainders.

    The total is share * sum(sizes), rounded, unless the limits `most` of the classes make it smaller.
    """
    most = np.maximum(most, 0)
    exact = sizes * share
    quotas = np.minimum(np.floor(exact).astype(np.int64), most)
    missing = int(np.floor(sizes.sum() * share + 0.5)) - int(quotas.sum())
    for k in np.argsort(quotas - exact, kind="stable"):
        if missing <= 0:
            break
        if quotas[k] < most[k] and exact[k] > quotas[k]:
            quotas[k] += 1
            missing -= 1
    return quotas


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.sort(np.concatenate(parts)).astype(np.int64)
