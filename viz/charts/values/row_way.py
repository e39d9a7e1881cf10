"""Class probability or mean along the decision path of a row."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treecore.explain.explanation import Explanation
from treecore.tree.number_text import decimals
from treecore.tree.target import Target

MODEL = "linear model of the leaf"


class RowWay(NamedTuple):
    """Values along the decision path of a row.

    group : name of the class
    conditions : conditions along the decision path, as the row meets them
    shares : class probability in [0, 1] at the root and after each split, or mean of the numbers
    unit : unit of the numbers, None for class probabilities
    place : power of ten of the last digit, or None to derive it from the values
    """

    group: str
    conditions: tuple[str, ...]
    shares: tuple[float, ...]
    unit: str | None = None
    place: int | None = None

    @property
    def title(self) -> str:
        """Return the label of the values."""
        return f"share of {self.group} (%)" if self.unit is None else f"mean {self.group}"

    @property
    def digits(self) -> int:
        """Return the number of decimals.

        Shares have one decimal. Means have enough decimals for four digits in the largest mean and two significant
        digits in the range, unless `place` is set.
        """
        if self.unit is None:
            return 1
        if self.place is not None:
            return -self.place
        largest, range_ = max(map(abs, self.shares)), max(self.shares) - min(self.shares)
        needed = [most - math.floor(math.log10(size)) for most, size in ((3, largest), (1, range_)) if size > 0]
        return max([0, *needed])

    @property
    def values(self) -> list[float]:
        """Return the displayed means or percentages."""
        return [round(share if self.unit is not None else 100 * share, self.digits) + 0.0 for share in self.shares]

    @property
    def changes(self) -> list[float]:
        """Return the contribution of each split, rounded so that the displayed contributions add up."""
        return [round(after - before, self.digits) + 0.0 for before, after in pairwise(self.values)]

    @property
    def texts(self) -> list[str]:
        """Return `values` as texts."""
        unit = "%" if self.unit is None else self.unit
        return [f"{self._text(value)} {unit}".rstrip() for value in self.values]

    @property
    def change_texts(self) -> list[str]:
        """Return `changes` as texts."""
        return [self._text(change) for change in self.changes]

    @property
    def description(self) -> str:
        """Describe the decision path."""
        first, *texts = self.texts
        steps = (f"{condition}: {text}" for condition, text in zip(self.conditions, texts, strict=True))
        what = f"Share of {self.group}" if self.unit is None else f"Mean {self.group}"
        return f"{what}: {first} of all rows; " + "; ".join(steps)

    def _text(self, value):
        return decimals(value, max(self.digits, 0)).replace("-", "−")


def row_way(
    explanation: Explanation, place: int, target: Target, group: str, nodes: Sequence[str] | None = None
) -> RowWay:
    """Return the `RowWay` of an `Explanation`.

    place : index of the group in a summary of the target
    group : name of the group
    nodes : names of all nodes, used instead of conditions that are too long
    """
    steps = explanation.steps
    shares = [step.before[place] for step in steps] + [explanation.shares[place]]
    conditions = [step.condition if nodes is None else nodes[step.node] for step in steps]
    if explanation.reason:
        shares.insert(-1, steps[-1].after[place])
        conditions.append(MODEL)
    return RowWay(
        group,
        tuple(conditions),
        tuple(float(share) for share in shares),
        *(() if target.values_are_groups else (target.unit, target.place if 0 < target.deviation < np.inf else None)),
    )
