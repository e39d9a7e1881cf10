"""Describe the test rows in a sentence, if rows form groups or a time series."""

import numpy as np

from sample_data.data_set import DataSet
from sample_data.messages import MESSAGES
from treecore.tree.number_text import percent


def split_words(data: DataSet, test: np.ndarray) -> str:
    """Return a sentence such as "Test rows: 8 of 40 subjects (20 %), none of them in training.".

    Returns "" if the rows are independent. test : row numbers.
    """
    if not data.dependence.is_known or not len(test):
        return ""
    name = data.kept_apart_by[:40] or "group"
    if data.groups is None:
        return MESSAGES("newest_test", share=percent(len(test) / data.n_rows, 0), name=name)
    tested, known = (np.unique(groups).size for groups in (data.groups[test], data.groups))
    share = percent(tested / known, 0)
    return MESSAGES("grouped_test", tested=tested, known=known, name=name, share=share)
