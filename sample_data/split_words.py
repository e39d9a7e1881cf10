"""Describe the test rows in a sentence, if rows form groups or a time series."""

import numpy as np

from sample_data.data_set import DataSet
from treecore.tree.number_text import percent


def split_words(data: DataSet, test: np.ndarray) -> str:
    """Return a sentence such as "Test rows: 8 of 40 subjects (20 %), none of them in training.".

    Returns "" if the rows are independent. test : row numbers.
    """
    if not data.dependence.is_known or not len(test):
        return ""
    name = data.kept_apart_by[:40] or "group"
    if data.groups is None:
        return f"Test rows: the newest {percent(len(test) / data.n_rows, 0)} by '{name}'. Training rows are older."
    tested, known = (np.unique(groups).size for groups in (data.groups[test], data.groups))
    share = percent(tested / known, 0)
    return f"Test rows: {tested:,} of {known:,} values of '{name}' ({share}). No training row has one of these values."
