"""Choose the random rows of the sample of an entry."""

from typing import NamedTuple

import numpy as np

from sample_data.data_folder.entries import FolderEntry
from sample_data.user_data.limits import MAX_CELLS

MOST_ROWS = 100_000
MOST_CELLS = 120_000_000  # read for a sample: 2 s of one core
FEWEST_GROUPS = 8  # row groups, so that the sample has rows from all over the entry


class Drawn(NamedTuple):
    """Rows drawn from a row group.

    file, group : index of the file and of its row group; rows : int64, sorted indices within the row group.
    """

    file: int
    group: int
    rows: np.ndarray


def draw(entry: FolderEntry, seed: int = 0) -> list[Drawn]:
    """Return the random rows of the sample of an entry, which the metadata of its files determine.

    The row groups are divided into ranges, and each range has the same share of the sample as of the rows. If there
    are too many values to read, the rows of a range come from one of its row groups, chosen at random.
    """
    rng = np.random.default_rng([seed, 1])
    return [
        Drawn(file, group, np.sort(rng.choice(n_rows, n, replace=False, shuffle=False)))
        for file, group, n_rows, n in _sizes(entry, seed)
    ]


def sample_size(entry: FolderEntry, seed: int = 0) -> int:
    """Return the number of rows of the sample."""
    return sum(n for *_, n in _sizes(entry, seed))


def _sizes(entry, seed):
    """Return (file, row group, its rows, rows to draw) for each row group to read."""
    groups = [(i, k, n) for i, file in enumerate(entry.files) for k, n in enumerate(file.n_rows) if n]
    sizes, rng = np.array([n for *_, n in groups]), np.random.default_rng([seed, 0])
    total = int(sizes.sum())
    most = min(MOST_ROWS, max(MAX_CELLS // entry.n_columns, 1), total)
    share = min(1.0, MOST_CELLS / (total * entry.n_columns)) if total > most else 1.0
    n_ranges = min(len(groups), max(round(share * len(groups)), FEWEST_GROUPS))
    found, done, taken = [], 0, 0
    for places in np.array_split(np.arange(len(groups)), n_ranges):
        done += int(sizes[places].sum())
        place = int(rng.choice(places, p=sizes[places] / sizes[places].sum()))
        n = min(round(most * done / total) - taken, int(sizes[place]))
        taken += n
        if n:
            found.append((*groups[place], n))
    return found
