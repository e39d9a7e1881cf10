"""How the share of one class changes on the way of a row through a tree."""

from collections.abc import Sequence
from typing import NamedTuple

from treecore.explain.explanation import Explanation


class RowWay(NamedTuple):
    """group : name of the class; conditions : of the decisions on the way, as the row meets them; shares : of the class
    at the root and after each of them, 0 to 1."""

    group: str
    conditions: tuple[str, ...]
    shares: tuple[float, ...]

    @property
    def description(self) -> str:
        """The way in words."""
        steps = (
            f"{condition}: {100 * share:.0f} %"
            for condition, share in zip(self.conditions, self.shares[1:], strict=True)
        )
        return f"Share of {self.group}: {100 * self.shares[0]:.0f} % of all rows; " + "; ".join(steps)


def row_way(explanation: Explanation, place: int, group: str, nodes: Sequence[str] | None = None) -> RowWay:
    """`RowWay` of an `Explanation`.

    place : of the class among those of the tree; group : its name; nodes : names of all nodes, to stand for conditions
    that are too long.
    """
    steps = explanation.steps
    shares = [step.before[place] for step in steps] + [explanation.shares[place]]
    return RowWay(
        group,
        tuple(step.condition if nodes is None else nodes[step.node] for step in steps),
        tuple(float(share) for share in shares),
    )
