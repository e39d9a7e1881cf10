"""`ColumnReading`: conversion of column values as declared in the file of a foreign model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treecore.errors import DataError
from treecore.messages import literal

TREATMENTS = ("returnInvalid", "asIs", "asMissing", "asValue")


@dataclass(frozen=True)
class ColumnReading:
    """Replacement of values and treatment of invalid values.

    read_as : {text of a value: its replacement, None for a missing value}; invalid : texts of values that the file
    lists as invalid; valid : texts of all valid categories, () if the file does not list them; ranges : (low, high,
    whether low is included, whether high is included) of the valid numbers, () if the file does not list them;
    treatment : one of `TREATMENTS`; replacement : value for "asValue".

    "returnInvalid" raises an error. Values are invalid if they are listed as invalid, or not listed as valid.
    """

    read_as: dict[str, Any] = field(default_factory=dict)
    invalid: frozenset[str] = frozenset()
    valid: tuple[str, ...] = ()
    ranges: tuple[tuple[float, float, bool, bool], ...] = ()
    treatment: str = "returnInvalid"
    replacement: Any = None
    needs_value: bool = False

    @property
    def has_marks(self) -> bool:
        """Whether the file treats some values as missing or invalid, apart from unknown categories."""
        return None in self.read_as.values() or bool(self.invalid or self.ranges)

    def __call__(self, name: str, values: Iterable) -> list:
        """Return the values of a column in the form that the tree requires, None for a missing value.

        name : str, for error messages. Raise DataError for invalid values.
        """
        found = [None if is_missing(value) else self._read(name, value) for value in values]
        if self.needs_value and None in found:
            raise DataError(
                f"Column {name!r:.60} contains missing values, which the model declares invalid, so it makes no "
                "prediction. Fill these values, or remove the rows."
            )
        return found

    def _read(self, name, value):
        text = value_text(value)
        if text in self.read_as:
            return self.read_as[text]
        if text not in self.invalid and self._is_valid(value, text):
            return value
        if self.treatment == "returnInvalid":
            raise DataError(
                f"Column {name!r:.60} contains {literal(text, 60)}, which the model declares invalid, so it "
                "makes no prediction. Remove these rows, or treat the value as missing."
            )
        return {"asMissing": None, "asValue": self.replacement}.get(self.treatment, value)

    def _is_valid(self, value, text):
        if self.valid:
            return text in self.valid
        if not self.ranges:
            return True
        try:
            number = float(value)
        except (TypeError, ValueError):
            return False
        return any(
            (low <= number if with_low else low < number) and (number <= high if with_high else number < high)
            for low, high, with_low, with_high in self.ranges
        )


def is_missing(value: Any) -> bool:
    """Return whether a value of a column is missing: None, NaN or NA."""
    return value is None or str(value) == "<NA>" or bool(value != value)


def value_text(value: Any) -> str:
    """Return the text of a value. 1 and 1.0 give the same text, because whole numbers can have either type."""
    is_whole = isinstance(value, float | np.floating) and float(value).is_integer()
    return str(int(value)) if is_whole else str(value)
