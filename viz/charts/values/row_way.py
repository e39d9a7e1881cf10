"""How the share of one class, or the mean, changes on the way of a row through a tree."""

from collections.abc import Sequence
from typing import NamedTuple

from treecore.explain.explanation import Explanation
from treecore.tree.target import Target


class RowWay(NamedTuple):
    """group : name of the class; conditions : of the decisions on the way, as the row meets them; shares : of the class
    at the root and after each of them, 0 to 1; told : the same in words where they are means of numbers."""

    group: str
    conditions: tuple[str, ...]
    shares: tuple[float, ...]
    told: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What the values are of."""
        return f"mean {self.group}" if self.told else f"share of {self.group} (%)"

    @property
    def values(self) -> list[float]:
        """Means, or per cent."""
        return [share if self.told else 100 * share for share in self.shares]

    @property
    def texts(self) -> list[str]:
        """Of `values`, in words."""
        return list(self.told) or [f"{value:.0f} %" for value in self.values]

    @property
    def description(self) -> str:
        """The way in words."""
        first, *texts = self.texts
        steps = (f"{condition}: {text}" for condition, text in zip(self.conditions, texts, strict=True))
        what = f"Mean {self.group}" if self.told else f"Share of {self.group}"
        return f"{what}: {first} of all rows; " + "; ".join(steps)


def row_way(
    explanation: Explanation, place: int, target: Target, group: str, nodes: Sequence[str] | None = None
) -> RowWay:
    """`RowWay` of an `Explanation`.

    place : among the parts of a summary of the target; group : its name; nodes : names of all nodes, to stand for
    conditions that are too long.
    """
    steps = explanation.steps
    shares = [step.before[place] for step in steps] + [explanation.shares[place]]
    return RowWay(
        group,
        tuple(step.condition if nodes is None else nodes[step.node] for step in steps),
        tuple(float(share) for share in shares),
        () if target.values_are_groups else tuple(map(target.part_text, shares)),
    )
