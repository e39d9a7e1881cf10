"""Save the tree on the screen as a model file, which the Predict page can open."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from pages.ui.save.saved_file import SavedFile
from pages.ui.session import data_sets
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.session.loaded_models import MOST_BYTES
from pages.ui.shell import file_names
from pages.ui.shell.markdown_text import file_size
from treecore.model.model import Model
from treecore.model.model_files import MODEL_FILES

_ROWS = "save_rows"
ROWS_HELP = (
    "Includes up to 300 training rows for each tree, so that the app can draw and explain the tree without the data. "
    "If off, the file contains only counts."
)


def model_lines(chosen: ChosenTree, model: Callable[[bool], Model]) -> None:
    """Draw the menu entries of the model.

    model : function that returns the `Model`, given whether to include sample rows.
    """
    st.checkbox("Include sample rows", takes_rows(), key=f"{_ROWS}_box", on_change=_keep, help=ROWS_HELP)
    with_rows = takes_rows()  # read here, because files are made outside the session
    if fault := too_large([model(with_rows)], lambda: model(with_rows).to_json()):
        st.caption(f"The model cannot be saved: {fault}")
        return
    stem = f"model-{name_of(chosen)}"
    SavedFile.of(MODEL_FILES["model"], lambda: {"model": model(with_rows)}, stem, "deployed_code").button()


def too_large(models: Iterable[Model], write: Callable[[], str]) -> str | None:
    """Return a sentence if a file would be too large to open again, else None.

    models : list of the models in the file; write : function that returns its text, called only for large models.
    """
    if sum(map(most_bytes, models)) <= MOST_BYTES or (n_bytes := len(write().encode())) <= MOST_BYTES:
        return None
    return (
        f"The file would have {file_size(n_bytes)}; the maximum is {file_size(MOST_BYTES)}. Turn off *Include sample "
        "rows* (under Model), or close some trees on the Predict page."
    )


def most_bytes(model: Model) -> int:
    """Return an upper limit for the file size, assuming numbers of up to 24 characters."""
    tree, sample = model.tree, model.sample
    n_numbers = 2 * tree.weights.size + tree.n_nodes * (8 + tree.values.shape[1])
    n_numbers += 0 if sample is None else sample.X.size + sample.y.size
    return 26 * n_numbers + 20_000 + 400 * (tree.n_features if tree.feature_names else 0)


def takes_rows() -> bool:
    """Return whether models and projects include sample rows."""
    return st.session_state.get(_ROWS, True)


def _keep() -> None:
    # Streamlit drops the value of a widget when the visitor closes the menu.
    st.session_state[_ROWS] = st.session_state[f"{_ROWS}_box"]


def name_of(chosen: ChosenTree) -> str:
    """Return the part of a file name that identifies the tree and its data."""
    data = f"{file_names.of_data(chosen.data)}-" if hasattr(chosen.data, "fingerprint") else ""
    threshold = "" if chosen.threshold is None else f"-threshold-{chosen.threshold.share:.3g}"
    size = f"{chosen.tree.n_leaves}-leaves" if chosen.point.lam == 0 else f"lambda-{chosen.point.lam:.3g}"
    return f"{data}{size}{threshold}"


def model_of(chosen: Any, with_rows: bool = False) -> Model:
    """Return the `Model` of a `ChosenTree`, with a sample of its training rows on request."""
    if chosen.loaded is not None:
        return chosen.loaded if with_rows else replace(chosen.loaded, sample=None)
    point, data, parameters, rows = chosen.point, chosen.data, chosen.parameters, None
    if with_rows:
        rows = np.arange(data.n_rows)
        if "seed" in parameters:
            rows = data_sets.rows(data.name, parameters["seed"], parameters.get("rows", "standard"))[0]
    figures = {name: value for name, value in point.figures.items() if name not in ("index", "total", "is_simplified")}
    return Model.of(point.tree, data, parameters | {"lam": point.lam}, point.trace, figures, rows)
