"""Manage the models that this visitor has opened from files or saved."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import streamlit as st

import sample_data
from pages.jobs import row_split
from pages.ui.session import data_sets, user_data
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.model.model import MOST_NAMED, Model
from viz.tree.bare_data import BareData

MODELS, FAULT, UPLOADS = "loaded_models", "loaded_model_fault", "loaded_model_uploads"
MOST = 16
MOST_BYTES = 25_000_000  # maximum size of a file, because parsing JSON blocks the server


def models() -> list[tuple[str, Model]]:
    """Return (name, `Model`) of each model, the newest last."""
    return list(st.session_state.get(MODELS, {}).items())


def uploader() -> None:
    """Draw the uploader of model files, and the fault of the last file. Open models stay open."""
    key = f"open-model-{st.session_state.get(UPLOADS, 0)}"
    st.file_uploader(
        "Open a model file", type="json", key=key, on_change=_open, args=(key,),
        max_upload_size=MOST_BYTES // 1_000_000,
        help=("A file saved as Model (JSON) or Tree (JSON). The app validates the file and never executes its "
        "content."),
    )  # fmt: skip
    if FAULT in st.session_state:
        st.error(st.session_state[FAULT], icon=":material/error:")
    chosen = st.session_state.get("chosen_source", "")
    if chosen.removeprefix("model-") in dict(models()):
        st.button("Close model", icon=":material/close:", on_click=_close, args=(chosen,), width="stretch")


def add(content: bytes, file_name: str) -> str:
    """Add the model of a file and return its name. Raises TreecoreError."""
    if len(content) > MOST_BYTES:
        raise TreecoreError(
            f"The file has {len(content) / 1000000.0:,.0f} MB (maximum {MOST_BYTES // 1000000} MB for a model)."
        )
    return add_model(Model.from_json(content), file_name.removesuffix(".json"))


def add_model(model: Model, title: str) -> str:
    """Add a `Model` and return its name, `title` or a similar one. Raises TreecoreError."""
    return add_models([(title, model)])[0]


def add_models(titled: Iterable[tuple[str, Model]]) -> list[str]:
    """Add all models of the (title, `Model`) pairs, or none of them, and return their names. Raises TreecoreError."""
    known, names = dict(st.session_state.get(MODELS, {})), []
    for title, model in titled:
        name = next((name for name, other in known.items() if other.checksum == model.checksum), None)
        if name is None:
            if len(known) >= MOST:
                raise TreecoreError(f"You can open up to {MOST} models. Close one on the Predict page first.")
            stem = " ".join(title.split())[:60] or "model"
            name = next(name for name in (stem, *(f"{stem} ({i})" for i in range(2, MOST + 2))) if name not in known)
            known[name] = model
        names.append(name)
    st.session_state[MODELS] = known
    return names


def data_of(model: Model) -> tuple[DataSet | BareData | None, tuple[np.ndarray, ...], bool]:
    """Return (DataSet, (training, validation, test) row numbers, whether these are the training data of the model).

    The DataSet is the training data if they are available, else the sample rows in the file, else an empty `BareData`.
    For trees with too many unnamed features, the result is None instead of a DataSet.
    """
    empty = np.empty(0, np.int64)
    data = _training_data(model)
    if data is not None:
        return data, _rows(data, model.parameters), True
    tree = model.tree
    if model.data is None and tree.n_features > MOST_NAMED:
        return None, (empty, empty, empty), False
    if model.sample is None:
        return BareData.of(tree, model.data), (empty, empty, empty), False
    return *_of_sample(model.checksum, model), False


def _rows(data: DataSet, parameters: dict[str, Any]) -> tuple[np.ndarray, ...]:
    """Return the (training, validation, test) rows of the training, as far as the parameters define them."""
    seed, kind = parameters.get("seed"), parameters.get("rows")
    shares = {part: parameters[part] for part in ("validation", "test") if isinstance(parameters.get(part), float)}
    try:
        if kind == "pooled" or not shares:
            return row_split.split_rows(data, 0 if seed is None else seed, "pooled" if kind == "pooled" else "standard")
        return sample_data.split_rows(data, 0 if seed is None else seed, **shares)
    except TreecoreError:  # invalid shares of rows or invalid seed
        return row_split.split_rows(data, 0)


def explain_no_rows(model: Any) -> None:
    """Show that a page needs rows, and that the model does not have any."""
    title = plain(model.data.title) if model.data else "its data"
    st.info(
        (
            f"The model file contains no rows, and the data set ({title}) is not available. You can use the model on "
            "the Predict and Rules pages. For the other pages, save the model again with sample rows."
        ),
        icon=":material/table_rows:",
    )


def _open(key: str) -> None:
    file = st.session_state[key]
    if file is None:
        return
    try:
        name = add(file.getvalue(), file.name)
    except TreecoreError as error:
        st.session_state[FAULT] = not_opened(plain(file.name[:80]), plain(error))
        return
    st.session_state.pop(FAULT, None)
    user_data.release(file)
    st.session_state["chosen_source"] = f"model-{name}"
    st.session_state[UPLOADS] = st.session_state.get(UPLOADS, 0) + 1  # empties the uploader


def _close(source: str) -> None:
    st.session_state[MODELS].pop(source.removeprefix("model-"), None)
    st.session_state.pop("chosen_source", None)


def _training_data(model: Model) -> DataSet | None:
    """Return the training data of the model by name and fingerprint, or None if they are not available."""
    if model.data is None:
        return None
    entry = data_sets.entries().get(model.data.name)  # includes user data of this visitor only
    if entry is None or not entry.available:
        return None
    try:
        data = data_sets.load(model.data.name)
    except TreecoreError:
        return None
    return data if data.fingerprint == model.data.fingerprint else None


@computed(6)
def _of_sample(checksum: str, _model: Model) -> tuple[DataSet | BareData, tuple[np.ndarray, ...]]:
    """Return (DataSet of the rows in the file, their row numbers), or `BareData` if the rows do not make a data set."""
    known, sample = _model.data, _model.sample
    empty = np.empty(0, np.int64)
    try:
        data = DataSet(
            name=known.name,
            title=f"{known.title} (rows of the model file)",
            X=sample.X,
            y=sample.y,
            feature_names=known.feature_names,
            class_names=known.class_names,
            image_shape=known.image_shape,
            description="A few training rows saved with the model.",
            columns=_model.columns,
            target_name=known.target or "",
        )
    except TreecoreError:
        return BareData.of(_model.tree, known), (empty, empty, empty)
    return data, (np.arange(data.n_rows), empty, empty)


def not_opened(name: object, why: object) -> str:
    """Return the message about a file that was not opened."""
    return f"{name} was not opened. {why}"
