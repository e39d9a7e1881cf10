"""Find new rows that the tree was trained on, because such rows do not test the tree."""

from typing import Any

import numpy as np
import streamlit as st

from pages.ui.predict.new_rows import NewRows
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell.computed import computed
from treecore.messages import counted
from treecore.model.model import Model
from treecore.tables.known_rows import known_rows

MOST_VALUES = 50_000_000


def trained_rows(chosen: ChosenTree, model: Model, rows: NewRows) -> Any:
    """Return which `NewRows` are training rows, bool[n], found by row number or by all values.

    Returns None if neither is possible.
    """
    if rows.numbers is not None:
        return np.isin(rows.numbers, chosen.rows[0])
    if not chosen.has_rows or not len(chosen.rows) or not len(chosen.rows[0]):
        return None
    return _by_values(f"{chosen.base}-{rows.key}", chosen.data, chosen.rows[0], model, rows)


def warn(trained: Any, by_number: bool, is_judged: bool) -> bool:
    """Draw a warning. Return whether to exclude these rows from the metrics.

    is_judged : whether metrics are shown.
    """
    n = int(np.count_nonzero(trained)) if trained is not None else 0
    if not n:
        return False
    all_rows = counted(len(trained), "row")
    which = f"All {all_rows}" if n == len(trained) else f"{n:,} of {all_rows}"
    words = (
        f"{which} took part in training"
        if by_number
        else (
            f"{which} equals a training row in every column"
            if n == 1 < len(trained)
            else f"{which} equal a training row in every column"
        )
    )
    st.warning(f"{words}, so this error is not an estimate of the test error.", icon=":material/fitness_center:")
    return is_judged and n < len(trained) and st.toggle("Exclude from the metrics", key="without-trained")


@computed(4, ttl=3600)
def _by_values(key: str, _data: Any, _train: np.ndarray, _model: Model, _rows: NewRows) -> Any:
    frame, columns = _rows.frame, None if _rows.are_features else _model.columns
    names = list(_data.feature_names) if columns is None else _model.column_names
    if not set(names) <= set(map(str, frame.columns)) or len(frame) * len(names) > MOST_VALUES:
        return None
    frame = frame.set_axis(frame.columns.map(str), axis=1)[names]
    X = frame.apply(_numbers).to_numpy(np.float64) if columns is None else columns.encode(frame).X
    return known_rows(X, _data.X[_train])


def _numbers(values: Any) -> Any:
    import pandas  # slow import

    return pandas.to_numeric(values, errors="coerce")
