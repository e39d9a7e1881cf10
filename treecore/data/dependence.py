"""`Dependence`: groups or times of rows, and folds that respect them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import DataError, ParameterError
from treecore.parameter_checks import typed

CANDIDATES = 100  # number of random parts, from which the one with the most even shares is selected


class Dependence(NamedTuple):
    """Dependence among rows. If both fields are None, the rows are independent.

    groups : [n], group of each row, such as a patient; a group is never in two parts. times : [n] numbers; training
    rows are earlier than evaluated rows, and NaN is the earliest time
    """

    groups: np.ndarray | None = None
    times: np.ndarray | None = None

    @property
    def is_known(self) -> bool:
        """Whether rows depend on each other."""
        return self.groups is not None or self.times is not None

    def of(self, rows: np.ndarray) -> Dependence:
        """Return the dependence among some of the rows."""
        return Dependence(*(None if one is None else one[rows] for one in self))

    def splitter(self, count: int, seed: int) -> Any:
        """Return a splitter with `count` folds. Raise DataError if there are too few groups or times."""
        from sklearn.model_selection import StratifiedGroupKFold  # slow import

        if self.groups is None:
            return TimeFolds(count, np.empty(0) if self.times is None else self.times)
        found = np.unique(self.groups).size
        if found < count:
            raise DataError(f"{count} folds by group need {count} groups, but there are {found}. Use fewer folds.")
        return StratifiedGroupKFold(count, shuffle=True, random_state=seed)

    def held_out(self, strata: np.ndarray, labels: np.ndarray, share: float, seed: int) -> np.ndarray:
        """Return the sorted numbers of about this share of the rows: the latest rows, or random whole groups.

        strata : int64[n], whose shares in the part are about the same; labels : [n]; a group that contains all rows of
        a label is not drawn, so that the other rows keep every label
        """
        if self.groups is None:
            times = earliest_for_missing(np.empty(0) if self.times is None else self.times)
            count = int(np.floor(share * times.size + 0.5))
            return np.flatnonzero(times > np.sort(times)[times.size - count - 1]) if count else np.empty(0, np.int64)
        from sklearn.model_selection import ShuffleSplit  # slow import

        groups, place = np.unique(self.groups, return_inverse=True)
        free = np.setdiff1d(np.arange(groups.size), _indispensable(place, labels))
        count = int(np.floor(share * groups.size + 0.5))
        if share <= 0 or free.size < 2:
            return np.empty(0, np.int64)
        drawn = ShuffleSplit(CANDIDATES, test_size=min(max(count, 1), free.size - 1), random_state=seed)
        counts = _table(place, strata, groups.size)
        wanted = share * np.asarray(counts.sum(axis=0)).ravel()
        of_labels = _table(place, np.unique(labels, return_inverse=True)[1], groups.size)
        all_labels = np.asarray(of_labels.sum(axis=0)).ravel()

        def fault(chosen):
            lost = np.asarray(of_labels[chosen].sum(axis=0)).ravel() == all_labels
            return lost.sum() + np.abs(np.asarray(counts[chosen].sum(axis=0)).ravel() - wanted).sum() / place.size

        found = min((free[part] for _, part in drawn.split(free)), key=fault)
        return np.flatnonzero(np.isin(place, found))


class TimeFolds:
    """Folds in time order, like `sklearn.model_selection.TimeSeriesSplit` on sorted rows.

    Rows with the same time stay together. Rows without a time count as the earliest.

    Parameters
    ----------
    n_splits : int
        Number of folds.
    times : array-like of shape (n,)
        Time of each row, as a number.
    """

    def __init__(self, n_splits: int, times: ArrayLike) -> None:
        self.n_splits, self.times = n_splits, times

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        """Yield (training rows, held-out rows) of each fold. Raise DataError if there are too few times."""
        from sklearn.model_selection import TimeSeriesSplit  # slow import

        known, place = np.unique(earliest_for_missing(self.times), return_inverse=True)
        if known.size <= self.n_splits:
            raise DataError(
                f"{self.n_splits} folds by time need {self.n_splits + 1} different times, but there are "
                f"{known.size}. Use fewer folds."
            )
        for train, held in TimeSeriesSplit(self.n_splits).split(known):
            yield np.flatnonzero(place <= train[-1]), np.flatnonzero((place >= held[0]) & (place <= held[-1]))


def dependence_of(n_rows: int, groups: ArrayLike | None, times: ArrayLike | None) -> Dependence:
    """Return the `Dependence` of groups or times. Raise DataError or ParameterError if they are invalid."""
    if groups is not None and times is not None:
        raise ParameterError("groups and times: expected only one of them. Pass one, or pass custom folds.")
    for name, given in (("groups", groups), ("times", times)):
        if given is not None and np.shape(given) != (n_rows,):
            raise DataError(f"{name} has shape {np.shape(given)}: expected one value for each of the {n_rows} rows.")
    if groups is not None:
        with typed(DataError):
            groups = np.unique(np.asarray(groups).astype(str), return_inverse=True)[1]
    if times is not None:
        times = np.asarray(times)
        if times.dtype.kind == "M":
            times = np.where(
                np.isnat(times), np.nan, times.astype("datetime64[us]").astype(np.int64).astype(np.float64)
            )
        if times.dtype.kind not in "uif":
            raise DataError(f"times has dtype {times.dtype}: expected numbers or numpy datetime64.")
        times = times.astype(np.float64)
    return Dependence(groups, times)


def earliest_for_missing(times: ArrayLike) -> np.ndarray:
    """Return the times, float64[n], with missing ones replaced by -inf."""
    times = np.asarray(times, np.float64)
    return np.where(np.isnan(times), -np.inf, times)


def _table(place, strata, n_groups):
    """Return the number of rows of each group and stratum, as a sparse matrix."""
    from scipy.sparse import csr_array  # slow import

    return csr_array((np.ones(place.size), (place, strata)), shape=(n_groups, int(strata.max()) + 1))


def _indispensable(place, labels):
    """Return the groups that contain all rows of some label."""
    _, of_label = np.unique(labels, return_inverse=True)
    order = np.lexsort((place, of_label))
    starts = np.flatnonzero(np.diff(of_label[order], prepend=-1))
    ends = np.append(starts[1:], place.size) - 1
    first, last = place[order[starts]], place[order[ends]]
    return np.unique(first[first == last])
