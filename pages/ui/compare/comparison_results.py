"""Draw the results of a comparison: table, errors against size or over a parameter, errors by class, files."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.save import save_figures
from pages.ui.save.save_menu import SavedFile
from pages.ui.shell import address, chart, file_names, link_notes
from pages.ui.shell.arrow_table import arrow_table
from pages.ui.shell.bound import bound, label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.comparison.one_parameter import MEASURES, PARAMETERS, parameter_of, parameter_table
from treecore.comparison.tables import TRAINING, header, p_text, table_rows
from treecore.errors import TreecoreError
from treecore.tables.text_tables import to_csv, to_latex, to_markdown
from treecore.tree.target import Target
from viz.charts.comparison_charts import (
    ERRORS,
    MOST_NUMBERS,
    SIZE_WORDS,
    class_error_map,
    confusion_map,
    error_by_size,
    error_by_size_chart,
    heat_map_chart,
    measure_axis,
    parameter_chart,
    parameter_curves,
)
from viz.charts.comparison_figures import comparison_figure

LINEAR = "linear"  # key of the linear model in `METHODS`
LEVEL = 0.05  # p values below this level are significant


def linear_sentence(found: Any) -> str | None:
    """Return the sentence for a `Comparison`, or None if it lacks a linear model, a tree, or a second fold.

    The best tree has the smallest mean test error of all methods with a single tree. The test is the corrected paired
    test on the folds of both methods.
    """
    trees = [name for name in found.methods if any(cell.size.n_trees == 1 for cell in found.of(name))]
    if LINEAR not in found.methods or not found.of(LINEAR) or not trees:
        return None
    best = min(trees, key=lambda name: float(np.nanmean(found.errors(name))))
    test = found.paired_test(LINEAR, best)
    if not np.isfinite(test.p):
        return None
    linear, tree = (found.target.error_text(float(np.nanmean(found.errors(one)))) for one in (LINEAR, best))
    title, p = found.methods[best], p_text(test.p)
    if test.p >= LEVEL:
        return (
            f"A linear model is about as good as the best tree here: test error {linear}, against {tree} for "
            f"{title} (difference not significant, p = {p})."
        )
    if test.difference < 0:
        return (
            f"A linear model is better than the best tree here: test error {linear}, against {tree} for {title} "
            f"(p = {p})."
        )
    return (
        f"A linear model is worse than the best tree here: test error {linear}, against {tree} for {title} (p = {p})."
    )


Pictures = Callable[[str], list[SavedFile]]  # files of a chart for the background "light" or "dark"
_SIZE, _FIRST = "compare_size", "n_leaves"
FORMATS = {
    "CSV": ("csv", "text/csv", to_csv),
    "Markdown": ("md", "text/markdown", to_markdown),
    "LaTeX": ("tex", "application/x-tex", to_latex),
}
METHOD_WIDTH = 140  # in pixels, so that titles are not cut off
HELP = {
    "R²": "Coefficient of determination R² on the test rows, mean over the folds.",
    "MAE": "Mean absolute error on the test rows, in the unit of the target, mean over the folds.",
    "standard error": (
        "Standard deviation between the folds divided by the square root of their number. Do not use it for a test, "
        "because folds share training rows; use p instead."
    ),
    TRAINING: "Error on the training rows, mean over the folds.",
    "leaves": "Number of leaves in all trees of the model.",
    "features per node": "Mean number of features per decision node.",
    "multiplications per row": "Mean number of multiplications per test row.",
    "fit s": "Seconds to train the selected model and its path, without the search for settings.",
    "p": (
        "p-value of a paired t-test against the method above, corrected for overlapping training "
        "sets (Nadeau and Bengio 2003)."
    ),
    "p (Holm)": "p-value corrected for the number of tested methods (Holm 1979).",
}
OPTIMISTIC = (
    "Each error is measured on test rows that were not used to select the model. If you choose the method with "
    "the smallest error in this table, that error is optimistic."
)


def size() -> str | None:
    """Return the size on the x axis according to the link, one of `SIZE_WORDS`, or None for the default."""
    if address.is_from_address(_SIZE):
        linked = st.query_params.get("size")
        if linked is not None and linked not in SIZE_WORDS:
            link_notes.add(
                f"This link contains an unsupported size: '{plain(linked[:40])}'. The chart shows errors by "
                f"{SIZE_WORDS[_FIRST]}."
            )
        _keep_size(linked)
    return st.session_state[_SIZE]


def _keep_size(name: str | None) -> None:
    st.session_state[_SIZE] = name if name in SIZE_WORDS and name != _FIRST else None


def _choose_size(name: str) -> None:
    _keep_size(name)
    address.change(size=st.session_state[_SIZE])


def comparison_results(found: Any, data: DataSet, job: str) -> tuple[list[SavedFile], list[Pictures], DeltaGenerator]:
    """Draw a `Comparison`, complete or not.

    Return (tables as `SavedFile`, figures, container between the table and the charts).
    """
    seen = [name for name in found.methods if found.of(name) or found.failures(name)]
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    left.markdown("## Errors and sizes")
    hopeful = [name for name in found.methods if found.of(name) or not found.failures(name)] or seen
    reference = right.selectbox("Compare against", hopeful, format_func=label_by(found.methods), key=f"reference-{job}")
    cells = f"{job} {_cells(found)}"
    rows, table, columns, sentence = _table(cells, reference, found)
    st.dataframe(
        table, hide_index=True, width="stretch", height="content", column_config=columns, placeholder="–",
    )  # fmt: skip
    if sentence:
        st.markdown(plain(sentence))
    st.caption(OPTIMISTIC)
    between = st.container()
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    left.markdown("## Error against size")
    by = size() or _FIRST
    right.segmented_control(
        "Size", list(SIZE_WORDS), format_func=label_by(SIZE_WORDS), required=True, label_visibility="collapsed",
        **bound("compare_size_shown", by, _choose_size),
    )  # fmt: skip
    chart.show(_size_chart(cells, by, chart.theme(), found), f"sizes-{job}-{by}")
    st.caption(
        "Large marks: the selected models (mean over the folds, with a 95 % interval corrected for overlapping "
        "training sets). Grey line: the settings that no setting of any method beats in both error and size. "
        "Faint marks: all settings of a method, mean over the folds; point at one for its name. Faint lines: the "
        "best settings or paths of a method. Open marks: initial trees of TAO. The settings were not selected by "
        "their test errors. Click a name to hide its method, or double-click to show that method only."
    )
    working = [name for name in seen if found.of(name)]
    figures = []
    if working:
        figures.append(pictures("Error against size", found, data, by=by))
        figures += _classes(found, data, working, job, cells)
    return _tables(rows, found.target, data), figures, between


def _cells(found: Any) -> str:
    """Return the cache key for the results of a job. The key changes with each new result."""
    return " ".join(f"{cell.method} {cell.fold} {cell.failure or ''}" for cell in found.cells)


@computed(20)
def _table(cells: str, reference: str, _found: Any) -> tuple[list[Any], Any, dict[str, Any], str | None]:
    """Return the rows of the methods that have cells as text, their table and its columns, and a sentence."""
    titles = {_found.methods[cell.method] for cell in _found.cells}
    rows = [row for row in table_rows(_found, reference) if row[0] in titles]
    return rows, arrow_table(_frame(rows, _found.target)), _columns(_found.target), linear_sentence(_found)


@computed(20)
def _size_chart(cells: str, by: str, theme: str, _found: Any) -> chart.Drawn:
    return chart.drawn(error_by_size_chart(error_by_size(_found, by), theme))


@computed(20)
def _class_chart(
    cells: str, methods: str, theme: str, _found: Any, _methods: Sequence[str], _order: Any
) -> chart.Drawn:
    found: Any = class_error_map(_found, tuple(_methods), _order)
    return chart.drawn(heat_map_chart(found, theme))


@computed(40)
def _confusion_chart(cells: str, method: str, theme: str, _found: Any, _order: Any) -> chart.Drawn:
    return chart.drawn(heat_map_chart(confusion_map(_found, method, _order), theme))


def _frame(rows: Sequence[Any], target: Target) -> Any:
    names = header(target)
    frame = pandas.DataFrame(rows, columns=names)
    numbers = names[1:-1]
    frame[list(numbers)] = frame[list(numbers)].apply(pandas.to_numeric)
    # Means over fewer folds are not comparable with means over all folds.
    frame["partial"] = frame["folds"] < frame["folds"].max()
    frame = frame.sort_values(["partial", names[1]], kind="stable", na_position="last")
    return frame.drop(columns="partial")


def _columns(target: Target) -> dict[str, Any]:
    error = header(target)[1]
    form = "%.4g" if target.error_digits is None else f"%.{target.error_digits + 1}f"
    forms = {error: form, "standard error": form, TRAINING: form} | dict.fromkeys(target.other_names, "%.4g") | {
        "leaves": "%.1f", "nodes": "%.1f", "depth": "%.1f",
        "features per node": "%.2f", "multiplications per row": "%.1f", "fit s": "%.3f", "folds": "%d", "p": "%.2g",
        "p (Holm)": "%.2g",
    }  # fmt: skip
    help_of = HELP | {error: f"{target.error_name.capitalize()}: mean over the folds (or splits)."}
    columns = {
        name: st.column_config.NumberColumn(name, format=form, help=help_of.get(name)) for name, form in forms.items()
    }
    return columns | {
        "method": st.column_config.TextColumn("method", width=METHOD_WIDTH),
        "remark": st.column_config.TextColumn(
            "remark", width="large", help="Why a result is missing or incomplete. *No tree*: sizes do not apply."
        ),
    }


def _tables(rows: Sequence[Any], target: Target, data: DataSet) -> list[SavedFile]:
    return table_files(header(target), rows, data)


def table_files(names: Sequence[str], rows: Sequence[Any], data: DataSet) -> list[SavedFile]:
    """Return the `SavedFile` of a table in each of `FORMATS`.

    rows : texts under the `names`.
    """
    return [
        SavedFile(f"Table ({label})", partial(write, names, rows), f"comparison-{data.name}.{ending}", mime, "table")
        for label, (ending, mime, write) in FORMATS.items()
    ]


def _classes(found: Any, data: DataSet, working: Sequence[str], job: str, cells: str) -> list[Pictures]:
    by = f"Errors by {found.target.title}"
    st.markdown(f"## {plain(by)}")
    is_wide = len(found.target.groups) > MOST_NUMBERS
    left, right = (st.container(), st.container()) if is_wide else st.columns(2)
    errors = _class_chart(cells, " ".join(working), chart.theme(), found, working, data.class_names)
    chart.show(errors, f"classes-{job}", left)
    with right:
        name = st.selectbox("Confusion matrix", working, format_func=label_by(found.methods), key=f"confusion-of-{job}")
        confusion = _confusion_chart(cells, name, chart.theme(), found, data.class_names)
        chart.show(confusion, f"confusion-{job}")
    confusion = pictures("Confusion", found, data, kind="confusion", method=name, title=found.methods[name])
    return [pictures(by, found, data, kind="classes"), confusion]


def pictures(label: str, found: Any, data: DataSet, title: str | None = None, **what: Any) -> Pictures:
    """Return a function that returns the `SavedFile` list of a chart for a background."""
    return lambda look: save_figures.files(
        label if look == "light" else f"{label}, {look}",
        f"{file_names.safe(label.lower())}-{data.name}",
        lambda ending: comparison_figure(
            found, ending, order=data.class_names, theme=look, title=title or data.title, **what
        ),
    )


def over_parameter(found: Any, data: DataSet, job: str) -> tuple[list[SavedFile], list[Pictures]]:
    """Draw a `Comparison` of variants, complete or not, and return (tables as `SavedFile`, figures)."""
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    words = PARAMETERS[parameter_of(found)].words
    left.markdown(f"## Over the {words}")
    by = right.segmented_control(
        "Measure", list(MEASURES), default="test_error", format_func=label_by(MEASURES), required=True,
        key=f"over-by-{job}", label_visibility="collapsed",
    )  # fmt: skip
    try:
        chart.show(parameter_chart(parameter_curves(found, by), chart.theme()), f"over-{job}-{by}")
    except TreecoreError as error:  # nearest neighbours have no leaves
        st.info(str(error), icon=":material/info:")
        return [], []
    st.caption(
        "Mean over the folds (or splits), with the standard deviation between folds. All other settings were "
        "selected on the training rows. Click a name to hide its method, or double-click to show that method "
        "only."
    )
    table = parameter_table(found)
    scale = found.target.error_scale
    for name in ERRORS:
        table[[name, f"{name}_deviation"]] *= scale
    titles = MEASURES | {name: measure_axis(name, found.target) for name in ERRORS}
    deviations = {f"{name}_deviation": f"± ({title})" for name, title in titles.items()}
    table = table.drop(columns="method").rename(columns={"title": "method", "value": words} | titles | deviations)
    st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        height="content",
        column_config=_parameter_columns(titles, deviations, found.target),
    )
    rows = [
        [value if isinstance(value, str) else f"{value:.6g}" for value in row] for row in table.itertuples(index=False)
    ]
    figures = pictures(f"{MEASURES[by].capitalize()} over {words}", found, data, kind="parameter", by=by)
    return table_files(list(table.columns), rows, data), [figures]


def _parameter_columns(titles: Mapping[str, str], deviations: Mapping[str, str], target: Target) -> dict[str, Any]:
    error = "%.4g" if target.error_digits is None else f"%.{target.error_digits + 1}f"
    forms = dict.fromkeys(titles, "%.1f") | dict.fromkeys(ERRORS, error) | {"fit_seconds": "%.3g"}
    named = {title: forms[name] for name, title in titles.items()}
    named |= {title: forms[name.removesuffix("_deviation")] for name, title in deviations.items()}
    return {title: st.column_config.NumberColumn(format=form) for title, form in named.items()}
