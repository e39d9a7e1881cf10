"""Kinds of values of the parameters of the estimators that only one parameter has."""

import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.declarations import Choice, Number, Whole
from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.parameter_checks import LARGEST, check_number

AUTO = "auto"
NO_CRITICAL_IN_PARTS = "lams='critical' requires rows in memory. Use a number of values, or load the rows into memory."


class Words(Mapping):
    """Labels for the names in a table of kinds, read from the table at each use."""

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        self.kinds = kinds

    def __getitem__(self, name):
        return self.kinds[name].words

    def __iter__(self):
        return iter(self.kinds)

    def __len__(self):
        return len(self.kinds)


class WholeOrShare(Whole):
    """Number of rows of at least `low`, or their share of all rows, a float in (0, 1)."""

    @property
    def allowed(self) -> str:
        return f"{super().allowed}, or a share of the rows between 0 and 1"

    @property
    def source(self) -> str:
        return f"{super().source} or float in (0, 1)"

    def check(self, value: Any, name: str) -> None:
        if isinstance(value, numbers.Integral) or not isinstance(value, numbers.Real):
            super().check(value, name)
        elif not 0 < value < 1:
            raise ParameterError(
                f"{name}={literal(value)}: expected a whole number >= {self.low}, or a share between 0 and 1."
            )

    def read(self, text: str | None) -> Any:
        share = Number(0.0, 1.0).read(text)
        return share if share is not None and 0 < share < 1 else super().read(text)


def check_class_weight(value: Any, name: str) -> None:
    """Raise ParameterError unless `value` is a class weight."""
    if isinstance(value, dict):
        for label, weight in value.items():
            check_number(weight, f"{name}[{label!r}]", 0.0)
    elif value != "balanced":
        raise ParameterError(invalid_class_weight(name, value))


def read_class_weight(text: str) -> Any:
    """Parse "balanced" or a text such as "no=1,yes=50" (a dict). Return None for other texts."""
    if text == "balanced":
        return text
    parts = [part.rpartition("=") for part in text.split(",")]
    weights = {label: Number(0.0).read(number) for label, sign, number in parts if sign}
    return weights if len(weights) == len(parts) and None not in weights.values() else None


def check_frozen(value: Any, name: str) -> None:
    """Raise ParameterError unless `value` contains ids of nodes."""
    listed = isinstance(value, list | tuple | set | frozenset | range | np.ndarray)
    if not listed or not all(isinstance(node, numbers.Integral) for node in value):
        raise ParameterError(f"{name}={literal(value)}: expected a list of origin ids (whole numbers).")


class CategoriesChoice(Choice):
    """Treatment of categories, or a list with the features of each column, which the data check."""

    @property
    def source(self) -> str:
        return f"{super().source} or list of lists of int"

    def check(self, value: Any, name: str) -> None:
        listed = list | tuple
        if isinstance(value, str):
            super().check(value, name)
        elif not isinstance(value, listed) or not all(
            isinstance(column, listed | range) and all(isinstance(feature, numbers.Integral) for feature in column)
            for column in value
        ):
            raise ParameterError(
                f"{name}={literal(value)}: expected 'features', 'groups' or a list of lists of features."
            )


@dataclass(frozen=True)
class LambdaNumber(Number):
    """Value of lambda, or "auto"."""

    @property
    def source(self) -> str:
        return f"'auto' or {super().source}"

    @property
    def allowed(self) -> str:
        return f"'auto', or {super().allowed}"

    def check(self, value: Any, name: str) -> None:
        if isinstance(value, str) and value != AUTO:
            raise ParameterError(f"{name}={literal(value)}: expected {self.allowed}.")
        if not isinstance(value, str):
            super().check(value, name)


class InitialTreeChoice(Choice):
    """Name of an initial tree, "auto", or a `Tree`. `initial_tree` checks the value."""

    @property
    def source(self) -> str:
        return f"{{{', '.join(map(repr, (AUTO, *self.words)))}}} or Tree"

    def check(self, value: Any, name: str) -> None:
        pass


def checked_lams(lams: Any) -> np.ndarray:
    """Return the sorted values of lambda, float64[n]. Raise ParameterError if they are invalid."""
    try:
        values = np.array(sorted(float(lam) for lam in lams))
    except (TypeError, ValueError):
        raise ParameterError(
            f"lams={literal(lams)}: expected an int (number of values) or a sequence of numbers >= 0."
        ) from None
    if values.size == 0:
        raise ParameterError(
            "lams is empty: expected an int (number of values) or a non-empty sequence of numbers >= 0."
        )
    if not np.isfinite(values).all() or values[0] < 0 or values[-1] > LARGEST:
        raise ParameterError(f"lams={literal(lams)}: expected finite numbers from 0 to 1e30.")
    return np.unique(values)


def invalid_class_weight(name: object, value: Any) -> str:
    """Return the message about an invalid class_weight."""
    return f"{name}={literal(value)}: expected None, 'balanced' or a dict of class label to weight."
