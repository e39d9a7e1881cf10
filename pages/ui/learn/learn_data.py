"""The data of the Learn page: a data set, two of its columns, or painted points."""

from typing import NamedTuple

import numpy as np

from pages.ui.learn.learn_settings import LearnSettings
from pages.ui.session import data_sets
from pages.ui.shell.computed import computed
from sample_data import DataSet, painted
from sample_data.painted import informative_pair, two_columns
from treecore.errors import TreecoreError
from treecore.messages import counted, plural

MOST_FEATURES_FOR_PAIRS = 100
MANY_POINTS = 600  # number of points from which the depth is limited; on noise, a tree would have one leaf per point
MANY_VALUES = 20_000  # training rows times features from which oblique trees must stay small
DEEPEST_OF_MANY = 4
# Smallest λ of oblique splits on more than MOST_FEATURES_FOR_PAIRS features. Below it, hardly any weight becomes 0.
LEAST_LAMBDA = 0.1
MOST_VALUES = 400_000  # training rows times features of a run that takes about a second
MOST_TEST_ROWS = 2000
TRAINING_SHARE = 0.7  # largest share of the rows for training


Rows = tuple[np.ndarray, ...]


class LearnData(NamedTuple):
    """The data of a run.

    data : DataSet, or None if nothing is painted; rows : (training, validation, test) row numbers; remarks : sentences
    about changed settings.
    """

    data: DataSet | None
    rows: Rows
    remarks: tuple[str, ...]


def of(chosen: LearnSettings) -> LearnData:
    """Return the `LearnData` for `LearnSettings`. Raises TreecoreError.

    An unknown data set ends the run of the page with a message.
    """
    if chosen.data_set == painted.NAME:
        if not chosen.painted:
            return LearnData(None, (), ())
        data = _painting(chosen.painted)  # with a single class, the paint tools show the next step
        return LearnData(data, (np.arange(data.n_rows), *_none(2)), ())
    whole = data_sets.load_or_stop(chosen.data_set)
    data, remarks = whole, []
    if is_table(whole) and chosen.columns == "two":
        data = _pair(chosen.data_set, whole.fingerprint, *axes(whole, chosen), whole)
        if data.n_rows < whole.n_rows:
            n = whole.n_rows - data.n_rows
            remarks.append(
                f"{counted(n, 'row')} with missing values in these columns {plural(n, 'is', 'are')} left out."
            )
    most = max(50, MOST_VALUES // data.n_features)
    if chosen.n_points > most:
        remarks.append(f"With {data.n_features} features, the run uses {most} points, so that it appears immediately.")
    rows = None
    if chosen.rows == "lesson" and data.n_rows == whole.n_rows:
        rows = data_sets.rows(chosen.data_set, chosen.seed)
    if rows is None or len(rows[0]) > most:
        rows = _random_rows(data, min(chosen.n_points, most), chosen.seed)
    return LearnData(data, rows, tuple(remarks))


def is_table(data: DataSet) -> bool:
    """Test whether two columns of the data set can be chosen."""
    return data.n_features > 2 and not data.image_shape


def axes(data: DataSet, chosen: LearnSettings) -> tuple[str, str]:
    """Return the names of the two chosen columns. An informative column replaces a column that does not exist."""
    known = data.feature_names
    if chosen.x in known and chosen.y in known and chosen.x != chosen.y:
        return chosen.x, chosen.y
    pair = _telling_pair(data.fingerprint, data)
    x = chosen.x if chosen.x in known else pair[0]
    y = chosen.y if chosen.y in known else pair[1]
    if x == y:
        y = next(name for name in (*reversed(pair), *known) if name != x)
    return x, y


@computed(100)
def _telling_pair(fingerprint: str, _data: DataSet) -> tuple[str, str]:
    return informative_pair(_data)


@computed(12)
def _pair(name: str, fingerprint: str, x: str, y: str, _data: DataSet) -> DataSet:
    return two_columns(_data, (x, y))


@computed(24)
def _painting(text: str) -> DataSet:
    return painted.painted_set(text)


def _random_rows(data: DataSet, count: int, seed: int) -> Rows:
    """Return random training and test rows."""
    order = np.random.default_rng(seed).permutation(data.n_rows)
    count = min(count, max(1, int(TRAINING_SHARE * data.n_rows)))
    test = order[count : count + MOST_TEST_ROWS]
    return np.sort(order[:count]), np.empty(0, np.int64), np.sort(test)


def _none(count: int) -> Rows:
    return (np.empty(0, np.int64),) * count


def as_painting(found: LearnData) -> str | None:
    """Return the training points of a plane as text, scaled to the unit square, or None if they cannot be painted."""
    data, rows = found.data, found.rows[0] if found.rows else ()
    if data is None or data.n_features != 2 or not 0 < data.n_classes <= painted.MOST_CLASSES:
        return None
    X = data.X[rows].astype(np.float64)
    low, width = X.min(axis=0), np.ptp(X, axis=0)
    try:
        return painted.encode(0.05 + 0.9 * (X - low) / np.where(width > 0, width, 1.0), data.y[rows])
    except TreecoreError:
        return None
