"""The tree on screen as a model file, which opens on the Predict page."""

from dataclasses import asdict

import numpy as np
import streamlit as st

from pages.jobs import user_store
from pages.ui.shell import data_sets, file_names
from treecore.model.model import Model


def model_file_button(point, data, chosen):
    """Download button of the model file, with a choice whether a few rows go with it; `chosen` : the settings."""
    left, right = st.columns([1, 3], vertical_alignment="center")
    with_rows = right.checkbox(
        "with a few rows",
        value=True,
        key="model_rows",
        help="At most 300 training rows, so that the tree can be drawn and explained where the data are not. Without "
        "them the file holds no row of the data, only the counts of each node.",
    )
    left.download_button(
        "Model (JSON)", lambda: model_of(point, data, asdict(chosen), with_rows).to_json(),
        f"model-{file_names.of_data(data)}-lambda-{point.lam:.3g}.json", "application/json", on_click="ignore",
        key="save-model", width="stretch", help="Tree, names, parameters, figures: open it on the Predict page.",
    )  # fmt: skip


def model_of(point, data, parameters, with_rows=False):
    """`Model` of a `Point` of these parameters (dict), with a sample of its training rows on request."""
    rows = None
    if with_rows:
        rows = np.arange(data.n_rows)
        if "seed" in parameters:
            rows = data_sets.rows(data.name, parameters["seed"], parameters.get("rows", "standard"))[0]
    figures = {name: value for name, value in point.figures.items() if name not in ("index", "total")}
    return Model.of(
        point.tree, data, parameters | {"lam": point.lam}, point.trace, figures, rows, user_store.target(data.name)
    )
