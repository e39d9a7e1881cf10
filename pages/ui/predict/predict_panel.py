"""Draw the main area of the Predict page: the tree, new rows, their predictions, files."""

import pandas
import streamlit as st

from pages.ui.predict import new_rows, predictions
from pages.ui.save import project_file, saving
from pages.ui.save.save_menu import place
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import stage
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from sample_data.data_set import split_words
from treecore.messages import counted
from treecore.model.model import Model
from treecore.tree.metrics import tree_metrics
from viz.charts.phase_maps import ERRORS
from viz.words.error_names import error_name


def predict_page(chosen: ChosenTree) -> None:
    """Draw the page of a `ChosenTree`."""
    model, words = _facts(chosen.name, chosen)
    menu, more = place(), {}
    st.caption(words)
    left, right = stage.columns((2, 3)) if chosen.data is not None else (st.container(), None)
    with left:
        rows = new_rows.choose(chosen, model)
        if rows is None:
            st.info(
                (
                    "Upload a file, or paste rows from a spreadsheet. The result shows the prediction, probability, "
                    "decision path and margin of each row."
                ),
                icon=":material/online_prediction:",
            )
    if rows is not None:
        wide = st.container()
        with right or st.container():
            more = predictions.predictions_section(chosen, model, rows, wide)
    if right is not None:
        with right if rows is None else left, st.container(key="predict-stage"):
            name = f"predict-{chosen.name}"
            # The row sample in a model file does not include all training rows.
            parts = chosen.rows if chosen.has_data else None
            content = stage.payload(
                name, False, [chosen.point], chosen.data, parts, _monotone=chosen.monotone, whole=chosen.n_all_rows > 0
            )
            stage.mount(name, content, stage.View(0), "predict", stage.Options(compact=True, alone=True))
    _about(model)
    with menu:
        saving.tree_menu(chosen, more=more)


@computed(24)
def _facts(name: str, _chosen: ChosenTree) -> tuple[Model, str]:
    """Return the `Model` of a tree, and its description."""
    model = _chosen.loaded or project_file.model_of(_chosen)
    return model, _words(model, _chosen)


def _words(model: Model, chosen: ChosenTree) -> str:
    """Return the size and errors of the tree in one line."""
    size = tree_metrics(model.tree)
    words = [
        counted(size.n_leaves, "leaf"),
        f"depth {size.depth}",
        f"{size.n_features_used:,} of {model.tree.n_features:,} features used",
    ]
    target, is_weighted = model.tree.target, model.parameters.get("class_weight") not in (None, "equal")
    known = [(error_name(figure, is_weighted), model.figures.get(figure)) for figure in ERRORS]
    words += [
        f"{name.replace('error', target.error_label)} {target.error_text(value)}"
        for name, value in known
        if isinstance(value, int | float)
    ]
    if chosen.has_data and (tested := split_words(chosen.data, chosen.rows[2])):
        words.append(plain(tested))
    if chosen.loaded is not None and not chosen.has_data:
        words.append("the data set is not available")
    return " · ".join(words)


def _about(model: Model) -> None:
    folded = st.expander("About this model", icon=":material/info:", key="about-model-open", on_change="rerun")
    if not folded.open:
        return
    facts = {}
    if model.data is not None:
        facts |= {"data": model.data.title, "data fingerprint": model.data.fingerprint}
    facts["classes"] = ", ".join(map(str, model.classes[:40])) or "none (regression)"
    facts |= {"columns": f"{len(model.column_names):,}", "rows in the file": _n_rows(model)}
    facts |= {f"parameter {name}": value for name, value in model.parameters.items() if value is not None}
    facts |= {f"metric {name}": value for name, value in model.figures.items() if value is not None}
    facts |= {f"written by {name}": value for name, value in model.created_by.items()}
    facts = [(name, str(value)[:300]) for name, value in facts.items()]
    with folded:
        st.dataframe(pandas.DataFrame(facts, columns=["property", "value"]), hide_index=True, key="about-model")
        if model.trace:
            st.caption("TAO passes")
            st.dataframe(pandas.DataFrame(list(model.trace)), hide_index=True, key="trace-model")


def _n_rows(model: Model) -> str:
    return "none" if model.sample is None else str(len(model.sample.X))
