"""Result of one method on one fold."""

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, Self

import numpy as np

from treecore.comparison.model_size import ModelSize
from treecore.errors import TreeFormatError
from treecore.parameter_checks import typed
from treecore.tree.tree import Tree


class CurvePoint(NamedTuple):
    """Result of one setting: its validation error, and the leaves, test error and size of its model, for display only.

    Settings of one `group` differ only in their penalty. is_start : whether the setting is the initial tree of the
    group.
    """

    setting: str
    lam: float | None
    n_leaves: int | None
    test_error: float
    validation_error: float | None
    group: int = 0
    is_start: bool = False
    size: ModelSize = ModelSize()


@dataclass(frozen=True, eq=False)
class Cell:
    """Result of a method on a fold.

    The `Target` defines the errors. After a failure, only `failure` is set.

    Parameters
    ----------
    method : str
        Key of the method.
    fold : int
        Number of the fold.
    n_train : int
        Number of training rows.
    n_test : int
        Number of test rows.
    failure : str or None, default=None
        Reason for a failure.
    setting : str, default=''
        Description of the selected setting.
    test_error : float or None, default=None
        Test error of the selected model.
    size : ModelSize
        Size of the selected model.
    fit_seconds : float or None, default=None
        Training time of the selected model, including the path up to it.
    search_seconds : float or None, default=None
        Training time of all candidate models.
    predict_seconds : float or None, default=None
        Prediction time.
    predicted : array of shape (n_test,)
        Class codes (int32) or numbers (float64).
    curve : tuple of CurvePoint, default=()
        One point per setting.
    chosen : int, default=0
        Index of the selected setting.
    tree : Tree or None, default=None
        Tree of the model, or the first tree of a forest.
    path : tuple, default=()
        (index on the curve, Tree) of the settings that differ from the selected one only in their penalty, in
        increasing order, if they were kept.
    train_error : float or None, default=None
        Training error of the selected model.
    trees : tuple of Tree, default=()
        Trees of a forest, or the first ones that are small enough, if they were kept.

    See Also
    --------
    compare : Returns the cells of all methods and folds.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore.comparison import compare
    >>> X, y = load_iris(return_X_y=True)
    >>> cell = compare(X, y, ["cart"], cv=2, inner=2, n_jobs=1).cells[0]
    >>> cell.method, cell.n_train, cell.n_test
    ('cart', 75, 75)
    """

    method: str
    fold: int
    n_train: int
    n_test: int
    failure: str | None = None
    setting: str = ""
    test_error: float | None = None
    size: ModelSize = ModelSize()
    fit_seconds: float | None = None
    search_seconds: float | None = None
    predict_seconds: float | None = None
    predicted: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    curve: tuple = ()
    chosen: int = 0
    tree: Tree | None = None
    path: tuple = ()
    train_error: float | None = None
    trees: tuple = ()

    def to_dict(self) -> dict:
        """Convert to a dict of JSON values."""
        record = {one.name: getattr(self, one.name) for one in fields(self)}
        record |= {"predicted": self.predicted.tolist(), "size": list(self.size)}
        record["curve"] = [[*point[:-1], list(point.size)] for point in self.curve]
        record["tree"] = None if self.tree is None else self.tree.to_json()
        record["path"] = [[place, tree.to_json()] for place, tree in self.path]
        record["trees"] = [tree.to_json() for tree in self.trees]
        return record

    @classmethod
    def from_dict(cls, record: Any) -> Self:
        """Return the cell from a result of `to_dict`. Raise TreeFormatError if it is invalid."""
        try:
            with typed(TreeFormatError):
                return cls(**cls._values(record))
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise TreeFormatError(
                f"The record is not a result of a comparison: {type(error).__name__} {error}."
            ) from None

    @staticmethod
    def _values(record):
        values = dict(record)
        are_numbers = any(isinstance(value, float) for value in record["predicted"])
        values["predicted"] = np.array(record["predicted"], np.float64 if are_numbers else np.int32)
        values["size"] = ModelSize(*record["size"])
        values["curve"] = tuple(CurvePoint(*point[:-1], size=ModelSize(*point[-1])) for point in record["curve"])
        values["tree"] = None if record["tree"] is None else Tree.from_json(record["tree"])
        values["path"] = tuple((place, Tree.from_json(text)) for place, text in record["path"])
        values["trees"] = tuple(map(Tree.from_json, record["trees"]))
        return values
