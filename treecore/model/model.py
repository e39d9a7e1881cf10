"""`Model`: a tree with its columns, data, parameters and metrics. A file stores the model without loss."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from treecore.errors import TreeFormatError
from treecore.model import model_json
from treecore.model.model_parts import MOST_ROWS, ModelContent, ModelData, ModelSample
from treecore.ordered_levels import without_levels
from treecore.tables.predict_table import TablePrediction, predict_table
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import Tree
from treecore.version import VERSION

if TYPE_CHECKING:
    import pandas

MOST_VALUES = 300_000  # maximum number of values in the X of a sample
MOST_NAMED = 10_000  # maximum number of unnamed features that are all listed


@dataclass(frozen=True, eq=False)
class Model(ModelContent):
    """Tree with a summary of its training data, its parameters and its metrics.

    Parameters
    ----------
    tree : Tree
        The tree, with feature names.
    columns : TableColumns or None, default=None
        Columns of the user's table. None if each feature is a numeric column.
    data : ModelData or None, default=None
        Names and fingerprint of the training data.
    parameters : dict, default={}
        Training parameters: numbers, strings, None, or lists of these.
    trace : tuple of dict, default=()
        One record per training pass.
    figures : dict, default={}
        Metrics, such as errors.
    sample : ModelSample or None, default=None
        At most 300 rows of the data.
    created_by : dict, default={}
        Versions of the programs that wrote the model.

    Raises
    ------
    TreeFormatError
        If the parts do not match.

    See Also
    --------
    Project : Several trees in one file.

    Examples
    --------
    >>> import sample_data
    >>> from treecore import CARTClassifier, Model
    >>> data = sample_data.load("iris")
    >>> tree = CARTClassifier(random_state=0).fit(data.X, data.labels()).tree_
    >>> model = Model.of(tree.with_names(data.feature_names), data)
    >>> Model.from_json(model.to_json()) == model
    True
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
        """Create a model from a tree.

        Parameters
        ----------
        tree : Tree
            The tree.
        data : DataSet or None, default=None
            Training data, or an object with the attributes name, title, fingerprint, feature_names, class_names,
            image_shape, columns, X and y.
        parameters : dict or None, default=None
            Parameters of the training.
        trace : sequence, default=()
            Training records: `TAOClassifier.trace_`, or dicts.
        figures : dict or None, default=None
            Metrics.
        rows : int array or None, default=None
            Rows of `data` from which to store a sample of at most 300. None stores no rows.
        target : str or None, default=None
            Name of the predicted column. None uses the attribute target_name of `data`, if it has one.

        Returns
        -------
        Model
            The model.

        Raises
        ------
        TreeFormatError
            If the parts do not match.
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
                target or getattr(data, "target_name", "") or None,
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
        """Class names, empty for regression."""
        labels, names = self.tree.classes.tolist(), () if self.data is None else self.data.class_names
        if not names or all(str(label) in names for label in labels):
            return labels
        return [names[label] for label in labels]

    @property
    def ordered_classes(self) -> list[int]:
        """Places of the classes in `classes`, in the order of the training data, such as low, medium, high."""
        names = () if self.data is None else self.data.class_names
        place = {name: k for k, name in enumerate(names)}
        return sorted(range(len(self.classes)), key=lambda k: place.get(str(self.classes[k]), len(place)))

    @property
    def column_names(self) -> list:
        """Columns that a table of new rows needs. If there are very many unnamed columns, only those in use."""
        if self.columns is not None:
            return self.columns.names()
        tree = self.tree
        features = range(tree.n_features)
        if tree.feature_names is None and tree.n_features > MOST_NAMED:
            features = np.unique(tree.features).tolist()
        return [without_levels(tree.feature_name(feature)) for feature in features]

    @cached_property
    def checksum(self) -> str:
        """SHA-256 hash of the content, which is equal for equal models."""
        return model_json.checksum(model_json.to_content(self))

    def predict_table(self, frame: pandas.DataFrame, deviation: np.ndarray | None = None) -> TablePrediction:
        """Predict the rows of a DataFrame.

        Parameters
        ----------
        frame : pandas.DataFrame
            Rows with the same columns as the training table.
        deviation : float array or None, default=None
            Standard deviation of each feature, for the margins.

        Returns
        -------
        TablePrediction
            Predictions, see `treecore.tables.predict_table`.

        Raises
        ------
        DataError
            If the table does not match the model.
        """
        return predict_table(self, frame, deviation)

    def to_json(self) -> str:
        """Return the model as JSON text.

        Returns
        -------
        str
            Text that `from_json` converts to an identical model.
        """
        return model_json.dumps(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Return the model from JSON text.

        Every field is validated, and nothing in the file is executed. The checksum detects damage and accidental edits.
        The checksum is not a signature and does not prove who wrote the file.

        Parameters
        ----------
        text : str or bytes
            Text (or its UTF-8 bytes) from `to_json` or `Tree.to_json`.

        Returns
        -------
        Model
            The model.

        Raises
        ------
        TreeFormatError
            If the text is damaged or does not describe a model.
        """
        return cls(**model_json.loads(text))

    @classmethod
    def from_record(cls, record: Any) -> Self:
        """Return the model from the parsed values of a JSON text.

        Parameters
        ----------
        record : dict
            Parsed result of `to_json`.

        Returns
        -------
        Model
            The model.

        Raises
        ------
        TreeFormatError
            If the values do not describe a model.
        """
        return cls(**model_json.from_record(record))

    def __eq__(self, other):
        return self.checksum == other.checksum if isinstance(other, Model) else NotImplemented

    __hash__ = None


def versions() -> dict:
    """Return the versions of the programs that write files."""
    return {"treecore": VERSION, "python": platform.python_version(), "numpy": np.__version__}


def _check(model):
    tree, data = model.tree, model.data
    if model.columns is not None:
        same = tree.feature_names == model.columns.feature_names()
        if not same:
            raise TreeFormatError("The columns do not match the features of the tree.")
    if data is None:
        if model.sample is not None:
            raise TreeFormatError("The sample has no names of classes and features. Add them.")
        return
    if tree.feature_names != data.feature_names:
        raise TreeFormatError("The features of the data do not match the features of the tree.")
    if not tree.target.goes_with(data.class_names):
        raise TreeFormatError("The classes of the data do not match the classes of the tree.")
    labels, names = tree.classes, data.class_names
    known = all(str(label) in names for label in labels.tolist())
    coded = labels.dtype.kind in "iu" and labels.size > 0 and labels.min() >= 0 and labels.max() < len(names)
    if not (known or coded):
        raise TreeFormatError("The tree predicts a class that the data do not contain.")
    if model.sample is not None:
        X, y = model.sample.X, model.sample.y
        if X.shape[1] != tree.n_features:
            raise TreeFormatError(f"The sample has {X.shape[1]} features, but the tree has {tree.n_features}.")
        if not tree.target.holds(y, names):
            raise TreeFormatError("The sample contains a class that the data do not contain.")


def _sample(data, rows):
    """Return a stratified sample of at most 300 rows."""
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
    """Convert a value to a JSON value. Other values, such as an initial tree, are converted to text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, list | tuple):
        return [_plain(item) if not isinstance(item, list | tuple) else str(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return f"a {type(value).__name__}"
