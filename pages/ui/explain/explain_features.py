"""Show the permutation importance of each feature, and the number of nodes that use it."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas
import streamlit as st

from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import chart
from pages.ui.shell.computed import computed
from treecore.explain.permutation_importance import PermutationImportance, permutation_importance
from treecore.tables.text_tables import to_csv
from treecore.tree.tree import Tree
from viz.charts.explanation_charts import FeatureImportance, feature_effect_chart, feature_effects, importance_chart
from viz.images.pixel_image import ink_image
from viz.words.row_words import category_features, column_names

MOST_ROWS, MANY_COLUMNS = 5000, 100
REPEATS, FEW_REPEATS = 20, 5
HEADER = ("feature", "increase in {what}", "standard deviation", "decision nodes")


def features_section(chosen: ChosenTree) -> None:
    """Draw the section for the test rows."""
    data = chosen.data
    part, rows = _rows(chosen)
    if not chosen.has_data or not len(rows):
        st.info("This section needs the training data of the tree. Load these data first.", icon=":material/info:")
        return
    found = _importance(chosen.name, chosen.tree, data, rows)
    used, target = np.flatnonzero(found.n_nodes), chosen.target
    error = target.error_text(target.error(found.loss))
    what = "pixels" if data.image_shape else "features" if data.columns is None else "columns"
    st.markdown(
        f"**{target.error_sentence.format(error=error, rows=f'{len(rows):,} {part}rows')} How much does the error "
        f"rise when the values of one {what[:-1]} are shuffled among the rows?**  \nThe tree uses {used.size} of "
        f"{len(found.columns)} {what}"
        + ("; all other features have importance 0." if used.size < len(found.columns) else ".")
    )
    if not used.size:
        return
    names, header = _names(data, found.columns), list(HEADER)
    unit = "percentage points" if target.unit == "%" else target.unit
    header[1] = f"{HEADER[1].format(what=target.error_name)} {f'({unit})' * bool(unit)}".rstrip()
    rises = target.error_rises(found.loss, found.increases)
    mean, deviation = rises.mean(axis=1), rises.std(axis=1)
    if chosen.tree.linear is not None:
        header[3] = "nodes"  # linear leaves use features too, so the column is not about splits
    order = used[np.argsort(-mean[used], kind="stable")]
    table = pandas.DataFrame(
        {
            header[0]: [names[i] for i in order],
            header[1]: mean[order],
            header[2]: deviation[order],
            header[3]: found.n_nodes[order],
        }
    )
    if data.image_shape:
        _images(data, found)
    else:
        importance = FeatureImportance(
            tuple(names[i] for i in order), mean[order], deviation[order], found.n_nodes[order], header[1]
        )
        chart.show(importance_chart(importance, chart.theme()), "importance")
        _effect(chosen, rows, [(names[i], found.columns[i]) for i in order])
    places = 0 if mean.max() >= 1000 else 3
    st.dataframe(
        table, hide_index=True, width="stretch", height=min(36 * len(table) + 38, 330), key="explain_importance",
        column_config={name: st.column_config.NumberColumn(format=f"%.{places}f") for name in header[1:3]},
    )  # fmt: skip
    st.download_button(
        "CSV", to_csv(header, list(table.itertuples(index=False))), f"importance-{data.name}.csv", "text/csv",
        on_click="ignore", icon=":material/download:", key="save-importance",
    )  # fmt: skip
    st.caption(
        f"Mean over {found.increases.shape[1]} permutations with fixed seeds. Lines show one standard deviation. "
        "The 0/1 features of one column are permuted together. Features with the same information can replace "
        "each other, so each can appear less important than it is."
    )


def _effect(chosen: ChosenTree, rows: np.ndarray, columns: Sequence[tuple[str, Any]]) -> None:
    """Draw the effect of one column on the prediction.

    columns : list of (name, features); the first one is preselected.
    """
    tree, target, data = chosen.tree, chosen.target, chosen.data
    names = target.parts(tree)
    st.markdown("**Effect of one feature on the prediction**")
    one, other = st.columns(2)
    feature = one.selectbox(
        "Feature", range(len(columns)), format_func=lambda i: columns[i][0], key=f"explain_effect_{data.name}"
    )
    place = 0
    if target.values_are_groups:
        place = other.selectbox("Class", range(len(names)), index=len(names) - 1, format_func=names.__getitem__,
                                key=f"explain_effect_class_{data.name}")  # fmt: skip
    words = target.part_words.format(part=names[place])
    found = feature_effects(tree, data, rows, *columns[feature], place, words)
    if found is None:
        st.caption("No row has a value of this feature.")
        return
    chart.show(feature_effect_chart(found, chart.theme()), "effect")
    what = "share of the class in" if target.values_are_groups else "prediction of"
    st.caption(
        f"Mean (partial dependence) and single rows. The chart shows the {what} the leaf that a row reaches. If "
        "columns depend on each other, some changed rows are unrealistic."
    )


def _rows(chosen: ChosenTree) -> tuple[str, np.ndarray]:
    """Return (adjective, row numbers) of the rows to evaluate: the test rows, else all rows.

    If there are many rows, return only some, evenly spaced.
    """
    test = chosen.rows[2]
    part, rows = ("test ", test) if len(test) else ("", np.arange(chosen.data.n_rows))
    return part, rows[:: -(-len(rows) // MOST_ROWS)] if len(rows) > MOST_ROWS else rows


@computed(8, show_spinner="Permuting the values of each feature …")
def _importance(name: str, _tree: Tree, _data: Any, _rows: Any) -> PermutationImportance:
    groups = category_features(_data)
    repeats = REPEATS if _data.n_features <= MANY_COLUMNS else FEW_REPEATS
    return permutation_importance(_tree, _data.X[_rows], _data.labels()[_rows], groups, repeats)


def _names(data: Any, columns: Iterable[Any]) -> list[str]:
    """Return the distinct names of the data columns in the result."""
    by_features = {features: name for name, features in column_names(data)}
    return [by_features[features] for features in columns]


def _images(data: Any, found: PermutationImportance) -> None:
    pictures = (
        (np.maximum(found.mean, 0.0), f"increase in error (darkest: {100 * max(found.mean.max(), 0.0):.2g} points)"),
        (found.n_nodes.astype(np.float64), f"nodes that use the pixel (darkest: {found.n_nodes.max()})"),
    )
    for column, (values, words) in zip(st.columns([2, 2, 1]), pictures, strict=False):
        column.image(ink_image(values, data.image_shape, chart.theme()), caption=words, width="stretch", alt=words)
