"""Draw the results of a comparison over one parameter: curves, table, files."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.ui.compare.comparison_results import Pictures, pictures, table_files
from pages.ui.save.saved_file import SavedFile
from pages.ui.shell import chart
from pages.ui.shell.bound import label_by
from sample_data import DataSet
from treecore.comparison.one_parameter import MEASURES, PARAMETERS, parameter_of, parameter_table
from treecore.errors import TreecoreError
from treecore.tree.target import Target
from viz.charts.comparison_charts import ERRORS, measure_axis, parameter_chart, parameter_curves


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
        column_config=_columns(titles, deviations, found.target),
    )
    rows = [
        [value if isinstance(value, str) else f"{value:.6g}" for value in row] for row in table.itertuples(index=False)
    ]
    figures = pictures(f"{MEASURES[by].capitalize()} over {words}", found, data, kind="parameter", by=by)
    return table_files(list(table.columns), rows, data), [figures]


def _columns(titles: Mapping[str, str], deviations: Mapping[str, str], target: Target) -> dict[str, Any]:
    error = "%.4g" if target.error_digits is None else f"%.{target.error_digits + 1}f"
    forms = dict.fromkeys(titles, "%.1f") | dict.fromkeys(ERRORS, error) | {"fit_seconds": "%.3g"}
    named = {title: forms[name] for name, title in titles.items()}
    named |= {title: forms[name.removesuffix("_deviation")] for name, title in deviations.items()}
    return {title: st.column_config.NumberColumn(format=form) for title, form in named.items()}
