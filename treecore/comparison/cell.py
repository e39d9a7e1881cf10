"""One method on one fold: what was chosen, how good and how large it is."""

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, Self

import numpy as np

from treecore.comparison.messages import MESSAGES
from treecore.comparison.model_size import ModelSize
from treecore.errors import TreeFormatError
from treecore.parameter_checks import typed
from treecore.tree.tree import Tree


class CurvePoint(NamedTuple):
    """One setting: leaves, test error and size of its model (for looking, not for choosing), its validation error.

    Settings of one `group` differ in their penalty alone; is_start : what they were started from.
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
    """Result of a method on a fold. Errors are those of the `Target`; after a failure only its reason is set.

    fit_seconds : training of the model that was chosen, with the path that leads to it; search_seconds : of everything
    that was trained to choose it; predicted : int32[n_test], class codes, or float64[n_test], numbers; curve : one
    `CurvePoint` per setting, and chosen its place there; tree : the model's Tree, of a forest the first; path : (place
    on the curve, Tree) of the settings that differ from the chosen one in their penalty alone, by rising penalty, if
    they were kept; train_error : of the model that was chosen; trees : of a forest, its Trees, or as many of the first
    as are small enough, if they were kept.
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
        """Values that JSON can hold."""
        record = {one.name: getattr(self, one.name) for one in fields(self)}
        record |= {"predicted": self.predicted.tolist(), "size": list(self.size)}
        record["curve"] = [[*point[:-1], list(point.size)] for point in self.curve]
        record["tree"] = None if self.tree is None else self.tree.to_json()
        record["path"] = [[place, tree.to_json()] for place, tree in self.path]
        record["trees"] = [tree.to_json() for tree in self.trees]
        return record

    @classmethod
    def from_dict(cls, record: Any) -> Self:
        """Inverse of `to_dict`. Raises TreeFormatError."""
        try:
            with typed(TreeFormatError):
                return cls(**cls._values(record))
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise TreeFormatError(MESSAGES("not_a_record", kind=type(error).__name__, error=error)) from None

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
