"""Folds that all methods share. Invalid input is reported before any training."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit, check_cv

from treecore.data.dependence import Dependence
from treecore.errors import DataError, ParameterError
from treecore.messages import joined, literal
from treecore.parameter_checks import typed
from treecore.tree.classes import Classes
from treecore.tree.target import Target

CLASSES = Classes(())
INDEPENDENT = Dependence()


class Fold(NamedTuple):
    """One fold: row numbers (int64) of the training and the test part."""

    train: np.ndarray
    test: np.ndarray


def outer_folds(
    X: np.ndarray, y: np.ndarray, cv: Any, seed: int, target: Target = CLASSES, dependence: Dependence = INDEPENDENT
) -> list:
    """Return the list of outer `Fold`s.

    cv : int >= 2, folds (stratified for classification); a splitter of scikit-learn; or a list of (training rows, test
    rows); target : `Target` of y; dependence : groups that folds do not separate, or times that they follow.

    Raise DataError or ParameterError for fewer than 4 rows, a missing label, a single class or number, a class with
    fewer rows than folds, or fewer groups or times than folds.
    """
    y = np.asarray(y)
    if hasattr(X, "tocsr"):
        raise DataError(
            "A comparison does not support sparse X, because most methods need dense rows. Use X.toarray()."
        )
    strata = _checked(X, y, target)
    classes, sizes = np.unique(strata, return_counts=True)
    if isinstance(cv, bool) or (isinstance(cv, int | np.integer) and cv < 2):
        raise ParameterError(
            f"cv={literal(cv)}: expected a number of folds >= 2, a splitter, or a list of (train, test) rows."
        )
    if isinstance(cv, int | np.integer) and cv > len(y):
        raise ParameterError(f"cv={literal(cv)}: expected at most {len(y)} folds, the number of rows. Use fewer folds.")
    if isinstance(cv, int | np.integer):
        is_free = not dependence.is_known
        cv = StratifiedKFold(int(cv), shuffle=True, random_state=seed) if is_free else dependence.splitter(cv, seed)
    needed = cv.get_n_splits() if isinstance(cv, StratifiedKFold) else 2
    if isinstance(cv, StratifiedKFold | StratifiedShuffleSplit) and sizes.min() < needed:
        rare = [f"{str(classes[k])!r} ({sizes[k]})" for k in np.flatnonzero(sizes < needed)[:5]]
        if needed == 2:
            raise DataError(
                "Every class needs at least one training row and one test row, but some classes have a single "
                f"row: {joined(rare)}. Remove these classes."
            )
        if sizes.min() == 1:
            raise DataError(
                f"{needed} folds need {needed} rows of every class, but some classes have fewer: {joined(rare)}. "
                "Remove these classes."
            )
        raise DataError(
            f"{needed} folds need {needed} rows of every class, but some classes have fewer: {joined(rare)}. Use "
            f"fewer folds ({sizes.min()}), or remove these classes."
        )
    with typed(ParameterError):
        splits = check_cv(cv, strata, classifier=True).split(X, strata, dependence.groups)
        folds = [Fold(*map(np.asarray, fold)) for fold in splits]
    if not folds or any(len(fold.train) == 0 or len(fold.test) == 0 for fold in folds):
        raise ParameterError("cv contains a fold without training or test rows. Remove it.")
    for fold in folds:
        if any(rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= len(y) for rows in fold):
            raise ParameterError(f"cv contains a fold with invalid row numbers: expected 0 to {len(y) - 1}.")
        if np.intersect1d(fold.train, fold.test).size:
            raise ParameterError("cv contains a fold with the same row in training and test. Use disjoint rows.")
    return folds


def _checked(X, y, target):
    """Check the input and return the strata of the rows. Every part contains the same share of each stratum."""
    if y.ndim != 1 or np.ndim(X) != 2:
        raise DataError(
            f"X has {np.ndim(X)} dimensions and y has {y.ndim}: expected X of shape [n, d] and y of shape [n]."
        )
    if len(y) != len(X):
        raise DataError(f"X has {len(X)} rows, but y has {len(y)} labels. Pass one label for each row.")
    if len(y) < 4:
        raise DataError(f"The data have {len(y)} rows: expected at least 4, two of each class.")
    if has_missing(y):
        raise DataError("y has missing labels. Remove these rows.")
    with typed(DataError):
        strata = target.strata(y)
    if (found := np.unique(y)).size < 2:
        raise DataError(
            f"The data have the single {target.value_noun} {literal(str(found[0]))}: expected at least two "
            f"{target.values_noun}."
        )
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise DataError("y contains infinite values. Remove these rows.")
    return strata


def has_missing(X: np.ndarray) -> bool:
    """Return whether `X` (array or DataFrame) has missing values."""
    import pandas  # slow import

    return bool(np.any(pandas.isna(X)))


def inner_folds(
    y: np.ndarray, inner: float, seed: int, target: Target = CLASSES, dependence: Dependence = INDEPENDENT
) -> list:
    """Return the inner `Fold`s, which divide the training rows for the selection of settings.

    inner : int >= 2, number of folds, or fewer if a class is too small or there are too few groups; or float in (0, 1),
    share of a single validation part. Raise DataError or ParameterError for invalid input.
    """
    is_share = isinstance(inner, float) and 0 < inner < 1
    if not is_share and (isinstance(inner, bool) or not isinstance(inner, int | np.integer) or inner < 2):
        raise ParameterError(
            f"inner={literal(inner)}: expected a number of folds >= 2, or a share of the rows in (0, 1)."
        )
    y = target.strata(y)
    if dependence.is_known:
        return _dependent(y, inner if is_share else int(inner), seed, dependence)
    smallest = int(np.unique(y, return_counts=True)[1].min())
    rows = np.zeros(len(y))
    if not is_share:
        splitter = StratifiedKFold(max(2, min(int(inner), smallest)), shuffle=True, random_state=seed)
    else:
        splitter = StratifiedShuffleSplit(1, test_size=inner, random_state=seed)
        if (
            smallest < 2 or min(inner, 1 - inner) * len(y) < np.unique(y).size
        ):  # not supported by StratifiedShuffleSplit
            splitter = StratifiedKFold(2, shuffle=True, random_state=seed)
    with warnings.catch_warnings(), typed(DataError):
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return [Fold(*fold) for fold in splitter.split(rows, y)]


def _dependent(strata, inner, seed, dependence):
    """Return the inner folds if rows depend on each other."""
    parts = [part for part in dependence if part is not None]
    if isinstance(inner, float):
        held = dependence.held_out(np.unique(strata, return_inverse=True)[1], strata, inner, seed)
        if held.size:
            return [Fold(np.setdiff1d(np.arange(len(strata)), held), held)]
        inner = 2
    most = min(np.unique(part).size for part in parts) - (dependence.groups is None)
    if most < 2:
        raise DataError(
            "The training rows have too few groups or times, so no validation rows are left. Use fewer folds, or "
            "more rows."
        )
    splitter = dependence.splitter(min(inner, most), seed)
    with warnings.catch_warnings(), typed(DataError):
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        folds = [Fold(*fold) for fold in splitter.split(np.zeros(len(strata)), strata, dependence.groups)]
    return [fold for fold in folds if len(fold.train) and len(fold.test)]
