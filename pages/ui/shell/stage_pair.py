"""Show two trees of the same data on linked stages."""

from collections.abc import Container
from typing import Any

from pages.jobs.point import Point
from pages.ui.shell import stage
from pages.ui.shell.computed import computed
from treecore.tree.tree import Tree
from viz.payload.stage_payload import shared_sample


def stage_pair(
    group: str, trees: dict[str, Tree], data: Any, parts: Any, slot: str, whole: Container[str] = ()
) -> None:
    """Draw the two stages.

    group : unique name of these trees and data; trees : {title: Tree}; parts : (training, validation, test) row
    numbers, or None; slot : name that distinguishes this pair on a page; whole : titles of trees whose training rows
    are more than those of `data`.
    """
    points = {title: Point(0, 0.0, tree, {}) for title, tree in trees.items()}
    sample = _sample(group, data, parts, points)
    for place, (column, (title, point)) in enumerate(zip(stage.columns(len(points)), points.items(), strict=True)):
        name = f"{group}-{place}"
        content = stage.payload(name, False, [point], data, parts, sample, whole=title in whole)
        with column:
            stage.mount(
                name, content, stage.View(0), f"{slot}-{place}",
                stage.Options(title=title, link=group, compact=True, alone=True),
            )  # fmt: skip


@computed(4)
def _sample(group: str, _data: Any, _parts: Any, _points: dict[str, Point]) -> Any:
    return shared_sample(_data, _parts, [[point] for point in _points.values()])
