"""Show the predictions of a table: remarks, metrics, rows that the tree was trained on, all rows, and the file."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.jobs import user_store
from pages.ui.predict import how_good
from pages.ui.predict.new_rows import NewRows
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import address, chart, file_names, link_notes
from pages.ui.shell.arrow_table import arrow_table
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.distinct_names import distinct_names
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.save_button import save_button
from treecore.errors import TreecoreError
from treecore.messages import counted, plural
from treecore.model.model import Model
from treecore.tables.known_rows import known_rows
from treecore.tables.predict_table import COLUMNS, FIRST, beside
from treecore.tables.prediction_figures import prediction_figures
from treecore.tables.table_columns import category_text
from treecore.tables.text_tables import frame_to_csv
from treecore.tree.number_text import percent
from treecore.tree.target import Target
from viz.charts.prediction_charts import RESIDUAL_KINDS, Residuals, residual_chart

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


SHOWN_ROWS, SHOWN_COLUMNS, SHOWN_CLASSES = 1000, 40, 20
PARTS = {"rows": "Predictions", "good": "Performance"}
KEY, KEPT = "predict_part", "predict_kept_part"
ROW_HELP = "Row number in the file. The header is row 1, so the first row is 2"
FORMS = {"percent": "percent", "deviations": "%.2f sd"}
CONFIG = {
    column.name: st.column_config.NumberColumn(format=FORMS[column.form], help=column.help)
    if column.form
    else st.column_config.Column(help=column.help)
    for column in COLUMNS
}


def predictions_section(
    chosen: ChosenTree, model: Model, rows: NewRows, wide: DeltaGenerator
) -> dict[str, Callable[[], Any]]:
    """Draw the predictions of `new_rows.NewRows` by a Model, and return groups of files for the Save menu.

    wide : container as wide as the page.
    """
    asks = rows.truth is None
    places = st.columns([1.4] * asks + [1, 1, 1, 1], vertical_alignment="bottom")
    with places.pop(0) if asks else st.container():
        truth = _truth_column(chosen, model, rows)
    key = f"{chosen.name}-{rows.key}-{truth}"
    try:
        found = _predict(key, model, rows, truth, chosen.deviation)
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        st.info("Columns are matched by name. Use the template.", icon=":material/lightbulb:")
        return {}
    trained = trained_rows(chosen, model, rows)
    judged = found
    if warn(trained, rows.numbers is not None, truth is not None):
        judged, key = found.part(~trained), f"{key}-new"
    compared = None
    if truth is not None:
        labels = {} if chosen.data is None else user_store.class_labels(chosen.data.name)
        compared = _compared(f"{key}-{labels}", judged, rows, truth, None if judged is found else ~trained, labels)
    _figures(chosen.target, found, compared, places)
    _notes(rows, found)
    part = _part(compared)
    if compared is not None and truth is not None:
        _note_unknown_classes(compared, truth)
    if part == "good":
        if compared.numbers is not None:
            with wide:
                _residuals(chosen, compared)
            return {}
        how_good.class_table(key, judged, compared)
        _confusion(compared)
        with wide:
            return how_good.how_good(chosen, judged, compared, key, file_names.safe(rows.name.rsplit(".", 1)[0]))
    _table(key, found, rows, truth, chosen.target_name)
    _file(found, rows)
    return {}


def part_for_address() -> Any:
    """Return the value of `part` in the address, see `PARTS`."""
    return "good" if current_part() == "good" else None


def current_part() -> str:
    if address.is_from_address(KEPT):
        st.session_state.pop(KEY, None)
        st.session_state[KEPT] = part_for_address = st.query_params.get("part", "rows")
        if part_for_address not in PARTS:
            link_notes.add(
                f"This link contains an unsupported section: '{plain(part_for_address[:40])}'. Showing "
                f"'{PARTS['rows']}'."
            )
            st.session_state[KEPT] = "rows"
    return st.session_state.get(KEY) or st.session_state[KEPT]


def _part(compared: Any) -> str:
    """Draw the choice of a part if there are several parts, and return the chosen one."""
    if compared is None or (compared.confusion is None and not compared.n):
        return "rows"
    st.session_state[KEY] = current_part()
    st.session_state[KEPT] = chosen = st.segmented_control(
        "Part", list(PARTS), format_func=label_by(PARTS), required=True, key=KEY, label_visibility="collapsed"
    )
    return chosen or "rows"


@computed(4, ttl=3600, show_spinner="Predicting …")
def _predict(key: str, _model: Model, _rows: NewRows, _truth: str | None, _deviation: np.ndarray | None) -> Any:
    model, frame = _model, _rows.frame
    if _rows.are_features:
        model = replace(model, columns=None)
    idle = {_truth, _rows.number, _rows.names} - {None, *model.column_names}
    return model.predict_table(frame.drop(columns=[name for name in frame.columns if name in idle]), _deviation)


@computed(8, ttl=3600)
def _compared(
    key: str, _judged: Any, _rows: NewRows, _truth: str, _kept: np.ndarray | None, _labels: dict[str, str]
) -> Any:
    known = _rows.frame[_truth]
    if _labels:
        known = known.map(lambda value: _labels.get(category_text(value), value), na_action="ignore")
    return prediction_figures(_judged, known if _kept is None else known[_kept])


def _notes(rows: NewRows, found: Any) -> None:
    if rows.notes:
        st.caption("Read with " + plain("; ".join(rows.notes)) + ".")
    for note in found.notes:
        st.info(plain(note), icon=":material/info:")
    if found.n_refused:
        st.warning(
            (
                f"{found.n_refused:,} of {counted(len(found.leaf), 'row')} have no prediction, because a split on "
                "the decision path tests a missing value and this tree does not support missing values. The table "
                "shows the split."
            ),
            icon=":material/rule:",
        )


def _truth_column(chosen: ChosenTree, model: Model, rows: NewRows) -> str | None:
    """Return the column with the true values, either detected or chosen by the visitor, or None."""
    if rows.truth is not None:
        return rows.truth
    names = [str(name) for name in rows.frame.columns]
    known = set(model.column_names)
    free = [name for name in names if name not in {*known, rows.number, rows.names}]
    if not free:
        return None
    target = None if model.data is None else model.data.target
    index = free.index(target) + 1 if target in free else free.index("class") + 1 if "class" in free else 0
    return st.selectbox(
        f"Column with the true {model.tree.target.values_noun}",
        [None, *free],
        index,
        key=f"truth-{chosen.base}-{rows.key[:16]}",
        format_func=lambda name: "None" if name is None else name,
    )


def _figures(target: Target, found: Any, compared: Any, places: Any) -> None:
    figures = {"Rows": f"{len(found.leaf):,}", "Predicted": f"{len(found.leaf) - found.n_refused:,}"}
    if compared is not None and compared.error is not None:
        figures[target.error_name.capitalize()] = target.error_text(compared.error)
        figures["Rows"] = f"{compared.n:,}"
        if compared.numbers is not None:
            others = target.other_figures(*compared.numbers.T)
            figures = {"Rows": figures["Rows"], target.error_label: target.error_text(compared.error)}
            figures["Mean absolute error"] = target.error_text(others["MAE"])
            figures["R²"] = (
                "–" if np.isnan(others["R²"]) else "< −999" if others["R²"] < -999 else f"{others['R²']:.3f}"
            )
    elif found.probability is not None and found.n_refused < len(found.leaf):
        figures["Mean probability"] = percent(pandas.Series(found.probability).mean())
    for column, (label, value) in zip(places, figures.items(), strict=False):
        column.metric(label, value)


def _note_unknown_classes(compared: Any, truth: str) -> None:
    if compared.n == 0:
        st.info(
            f"{plain(repr(truth))} contains none of the classes of the tree, so the error is undefined.",
            icon=":material/info:",
        )
        return
    if compared.unknown:
        rows = compared.confusion[-len(compared.unknown) :].sum()
        names = ", ".join(plain(repr(name[:40])) for name in compared.unknown[:5]) + " …" * (len(compared.unknown) > 5)
        st.info(
            (
                f"{counted(int(rows), 'row')} with a class that is not in the tree ({names}) "
                f"{plural(int(rows), 'counts', 'count')} as errors."
            ),
            icon=":material/info:",
        )


def _residuals(chosen: ChosenTree, compared: Any) -> None:
    """Draw the predicted numbers against the true ones."""
    found = Residuals(*compared.numbers.T, chosen.target)
    for column, kind in zip(st.columns(2), RESIDUAL_KINDS, strict=True):
        chart.show(residual_chart(found, kind, chart.theme()), f"residuals-{kind}", column)
    why = "; all rows in a leaf have the same prediction" * chosen.tree.leaf_model.is_constant
    st.caption(
        f"Left: each point is a row, and points on the line are predicted exactly{why}. {plain(found.description)}."
    )


def _confusion(compared: Any) -> None:
    if len(compared.names) > SHOWN_CLASSES:
        return
    with st.expander("Confusion matrix"):
        names = distinct_names(compared.names)
        frame = pandas.DataFrame(compared.confusion, columns=names, index=pandas.Index(names, name="true \\ predicted"))
        st.dataframe(frame, width="content")


def _table(key: str, found: Any, rows: NewRows, truth: str | None, target_name: str) -> None:
    called = [name for name in (rows.number, rows.names) if name is not None]
    others = [name for name in rows.frame.columns if name not in {truth, *called}]
    n_rows = len(rows.frame)
    table, names = _shown_table(key, found, rows, truth, called, others[:SHOWN_COLUMNS])
    pinned = {name: st.column_config.Column(pinned=True, help=ROW_HELP) for name in names}
    st.dataframe(
        table,
        hide_index=True,
        column_config=CONFIG | _prediction_column(target_name) | pinned,
        height=min(430, 38 + 35 * (min(n_rows, SHOWN_ROWS) + 1)),
        key="predictions",
    )
    cut = [f"the first {SHOWN_ROWS:,} of {n_rows:,} rows"] if n_rows > SHOWN_ROWS else []
    cut += [f"the first {SHOWN_COLUMNS} of {len(others):,} columns"] if len(others) > SHOWN_COLUMNS else []
    if cut:
        st.caption(f"Showing {' and '.join(cut)}. The file contains all rows.")


def _prediction_column(target_name: str) -> dict[str, Any]:
    """Return the configuration of the predictions, whose header names the target."""
    if not target_name:
        return {}
    return {FIRST[0]: st.column_config.Column(f"predicted {target_name}", help=COLUMNS[0].help)}


@computed(8, ttl=3600)
def _shown_table(
    key: str, _found: Any, _rows: NewRows, _truth: str | None, _called: Sequence[str], _others: Sequence[str]
) -> tuple[Any, list[str]]:
    """Return the first predictions and rows for the page, and the names of the pinned columns."""
    table = _found.to_frame()
    first = [name for name in FIRST if name in table.columns]
    if "reason" in table:
        table["reason"] = table["reason"].fillna("")
    shown = _rows.frame[[*_called, *([] if _truth is None else [_truth]), *_others]].head(SHOWN_ROWS)
    shown = shown.set_axis(distinct_names(shown.columns, first), axis=1).reset_index(drop=True)
    names, rest = shown.iloc[:, : len(_called)], shown.iloc[:, len(_called) :]
    n_true = int(_truth is not None)
    true, rest = rest.iloc[:, :n_true], rest.iloc[:, n_true:]
    found = table[first].head(SHOWN_ROWS)
    parts = [names, found.iloc[:, :1], true, found.iloc[:, 1:], rest]
    return arrow_table(pandas.concat(parts, axis=1)), list(names.columns)


def _beside(found: Any, rows: NewRows) -> Any:
    """Return a table with the predictions and the rows, starting with row numbers and IDs."""
    whole = beside(found, rows.frame)
    called = [name for name in (rows.number, rows.names) if name in whole]
    return whole[[*called, *(name for name in whole.columns if name not in called)]]


def _file(found: Any, rows: NewRows) -> None:
    stem = file_names.safe(rows.name.rsplit(".", 1)[0])
    save_button(
        "Predictions (CSV)", lambda: frame_to_csv(_beside(found, rows)), f"predictions-{stem}.csv", "text/csv",
        type="primary", key="save-predictions",
        help=("All rows with prediction, class probabilities, leaf, decision path and margin, "
            "followed by your columns."),
    )  # fmt: skip
