"""A tree with all that belongs to it, as one value that goes into a file and comes out of it unchanged."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from treecore.errors import TreeFormatError
from treecore.model import model_json
from treecore.model.messages import MESSAGES
from treecore.model.model_parts import MOST_ROWS, ModelContent, ModelData, ModelSample
from treecore.ordered_levels import without_levels
from treecore.tables.predict_table import TablePrediction, predict_table
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import Tree
from treecore.version import VERSION

if TYPE_CHECKING:
    import pandas

MOST_VALUES = 300_000  # of the X of a sample
MOST_NAMED = 10_000  # features without names that are still listed


@dataclass(frozen=True, eq=False)
class Model(ModelContent):
    """A tree, what it was trained on and how, and its figures.

    tree : Tree, with the names of the features; columns : TableColumns of the user's table, or None where features are
    columns of numbers; data : ModelData or None; parameters, figures : dict of str to numbers, texts, None, or lists of
    these; trace : tuple of dict, one record for each pass of training; sample : ModelSample or None; created_by : dict
    of str, versions of what wrote it.

    Raises TreeFormatError where these do not fit together.
    """

    def __post_init__(self):
        _check(self)

    @classmethod
    def of(
        cls,
        tree: Tree,
        data: DataSetLike | None = None,
        parameters: dict | None = None,
        trace: Sequence = (),
        figures: dict | None = None,
        rows: np.ndarray | None = None,
        target: str | None = None,
    ) -> Self:
        """Model of a tree.

        data : DataSet, or the like (name, title, fingerprint, feature_names, class_names, image_shape, columns, X, y);
        parameters, figures : dict; trace : records of training (`TAOClassifier.trace_`, or dicts); rows : int[n], rows
        of `data` from which at most 300 are taken along, None for none; target : name of the predicted column.
        """
        known = None
        if data is not None:
            tree = tree.with_names(data.feature_names)
            shape = None if data.image_shape is None else tuple(data.image_shape)
            known = ModelData(
                data.name,
                data.title,
                data.fingerprint,
                tuple(data.feature_names),
                tuple(data.class_names),
                shape,
                target,
            )
        return cls(
            tree,
            getattr(data, "columns", None),
            known,
            {str(name): _plain(value) for name, value in (parameters or {}).items()},
            tuple({name: _plain(value) for name, value in _fields(record).items()} for record in trace),
            {str(name): _plain(value) for name, value in (figures or {}).items()},
            None if rows is None or data is None else _sample(data, np.asarray(rows)),
            versions(),
        )

    @property
    def classes(self) -> list:
        """List of what the classes are called; empty for regression."""
        labels, names = self.tree.classes.tolist(), () if self.data is None else self.data.class_names
        if not names or all(str(label) in names for label in labels):
            return labels
        return [names[label] for label in labels]

    @property
    def column_names(self) -> list:
        """List of the columns that a table of new rows should have; of very many without names, those that are used."""
        if self.columns is not None:
            return [column.name for column in self.columns.columns]
        tree = self.tree
        features = range(tree.n_features)
        if tree.feature_names is None and tree.n_features > MOST_NAMED:
            features = np.unique(tree.features).tolist()
        return [without_levels(tree.feature_name(feature)) for feature in features]

    @cached_property
    def checksum(self) -> str:
        """str: sha256 of the content, equal for equal models."""
        return model_json.checksum(model_json.to_content(self))

    def predict_table(self, frame: pandas.DataFrame, deviation: np.ndarray | None = None) -> TablePrediction:
        """`TablePrediction` for the rows of a DataFrame; see `treecore.tables.predict_table`. Raises DataError."""
        return predict_table(self, frame, deviation)

    def to_json(self) -> str:
        """JSON text that `from_json` turns into an equal model, bit for bit."""
        return model_json.dumps(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Model from the text (or UTF-8 bytes) of `to_json`, or of `Tree.to_json`; every field is validated.

        Raises TreeFormatError. A checksum tells damage and careless edits; it is no signature, so it does not say who
        wrote the file. Nothing in a file is ever run.
        """
        return cls(**model_json.loads(text))

    @classmethod
    def from_record(cls, record: Any) -> Self:
        """As `from_json`, from the plain values of such a text. Raises TreeFormatError."""
        return cls(**model_json.from_record(record))

    def __eq__(self, other):
        return self.checksum == other.checksum if isinstance(other, Model) else NotImplemented

    __hash__ = None


def versions() -> dict:
    """dict: what a file is written by."""
    return {"treecore": VERSION, "python": platform.python_version(), "numpy": np.__version__}


def _check(model):
    tree, data = model.tree, model.data
    if model.columns is not None:
        same = tree.feature_names == model.columns.feature_names()
        MESSAGES.require(same, TreeFormatError, "features_of_columns")
    if data is None:
        MESSAGES.require(model.sample is None, TreeFormatError, "sample_without_names")
        return
    MESSAGES.require(tree.feature_names == data.feature_names, TreeFormatError, "features_of_data")
    MESSAGES.require(tree.target.goes_with(data.class_names), TreeFormatError, "target_of_data")
    labels, names = tree.classes, data.class_names
    known = all(str(label) in names for label in labels.tolist())
    coded = labels.dtype.kind in "iu" and labels.size > 0 and labels.min() >= 0 and labels.max() < len(names)
    MESSAGES.require(known or coded, TreeFormatError, "classes_of_data")
    if model.sample is not None:
        X, y = model.sample.X, model.sample.y
        MESSAGES.require(
            X.shape[1] == tree.n_features,
            TreeFormatError,
            "features_of_sample",
            n_features=X.shape[1],
            expected=tree.n_features,
        )
        MESSAGES.require(tree.target.holds(y, names), TreeFormatError, "classes_of_sample")


def _sample(data, rows):
    """At most 300 of the rows, of every class as large a share."""
    most = max(1, min(MOST_ROWS, MOST_VALUES // data.X.shape[1]))
    if rows.size == 0:
        return None
    if rows.size > most:
        rows = rows[np.argsort(data.y[rows], kind="stable")]
        rows = np.sort(rows[np.linspace(0, rows.size - 1, most).round().astype(np.int64)])
    X = np.array(data.X[rows])
    return ModelSample(X if X.dtype.str in model_json.DTYPES else X.astype(np.float64), np.array(data.y[rows]))


def _fields(record):
    return record._asdict() if hasattr(record, "_asdict") else dict(record)


def _plain(value):
    """A value that JSON has; a text where it is something else, such as a tree to start from."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, list | tuple):
        return [_plain(item) if not isinstance(item, list | tuple) else str(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return f"a {type(value).__name__}"
