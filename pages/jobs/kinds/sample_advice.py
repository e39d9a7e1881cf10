"""State whether a sample is sufficient, and which λ are tried on all rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Self

from treecore.errors import TreeFormatError

# values of λ for all rows, ascending, as shares of the λ of the sample's tree times the ratio of the numbers of rows
SHARES = (1 / 9, 1 / 3, 1.0)


@dataclass(frozen=True)
class SampleAdvice:
    """Learning curve of a sample.

    text : advice in words; needs_all_rows : whether more rows probably lower the error; sizes, errors, leaves : numbers
    of training rows, test errors and leaves of the trees.
    """

    index: int
    text: str
    needs_all_rows: bool
    sizes: tuple[int, ...]
    errors: tuple[float, ...]
    leaves: tuple[int, ...]

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Return the result of a worker's record. Raises TreeFormatError if the record is invalid."""
        values: dict[str, Any] = {one.name: record.get(one.name) for one in fields(cls)}
        lists = [values[name] for name in ("sizes", "errors", "leaves")]
        if not isinstance(values["text"], str) or not all(map(_are_numbers, lists)):
            raise TreeFormatError("The record of a learning curve is damaged.")
        sizes, errors, leaves = map(tuple, lists)
        return cls(values["index"], values["text"], bool(values["needs_all_rows"]), sizes, errors, leaves)


def _are_numbers(values: Any) -> bool:
    return isinstance(values, list | tuple) and all(
        isinstance(value, int | float) and math.isfinite(value) for value in values
    )
