"""Positions and sizes of the nodes in a drawing in pixels, as on the stage (viz/stage/geometry/places.js)."""

from collections.abc import Sequence

import numpy as np

from viz.drawing.canvas import Box
from viz.looks import LOOKS
from viz.nodes.node_box import ABOVE, NodeBox
from viz.nodes.node_content import leaf_size
from viz.nodes.tree_contents import TreeContents
from viz.tree.layout import Layout
from viz.tree.tree_part import TreePart

LEAST_NAMED = 76  # minimum side of a scatterplot with the name of its vertical axis
LEAST_LEVEL, MOST_LEVEL = 64, 200  # minimum and maximum height of a level
LOOK = LOOKS.places


def level_rooms(places: Layout) -> np.ndarray:
    """Return float64[levels], the median width of a node on each level of a `Layout`, in slots."""
    medians = np.zeros(int(places.depth.max()) + 1)
    for level in range(medians.size):
        rooms = np.sort(places.room[places.depth == level])
        # A level may be empty, because the sibling of a pruned branch keeps its position.
        medians[level] = rooms[rooms.size // 2] if rooms.size else 1.0
    return medians


def natural_height(rooms: np.ndarray, n_slots: float, width: float) -> float:
    """Return the height in pixels of a tree with these `level_rooms` in a figure of this width."""
    return float(np.clip(0.8 * rooms * width / n_slots + 46, LEAST_LEVEL, MOST_LEVEL).sum())


def node_boxes(
    contents: TreeContents, part: TreePart, places: Layout, box: Box, rooms: np.ndarray | None = None
) -> list:
    """Return the `NodeBox` of each node of a TreePart as a list.

    places : Layout of the nodes
    box : Box to draw into
    rooms : `level_rooms` that divide the height, None for those of the layout
    """
    scale = box.width / places.n_slots
    rooms = level_rooms(places) if rooms is None else rooms
    tops, heights = level_bands(rooms * scale, box)
    boxes = []
    shown = [None if i in part.closed else contents.nodes[node] for i, node in enumerate(part.nodes)]
    widths = [float(room * scale) for room in places.room]
    named = [
        _is_named(content, width, heights[level])
        for content, width, level in zip(shown, widths, places.depth, strict=True)
    ]
    # The axis names of neighbours are on one line.
    above = {int(level): ABOVE for level, has in zip(places.depth, named, strict=True) if has}
    for i, (content, room) in enumerate(zip(shown, widths, strict=True)):
        level = int(places.depth[i])
        free = above.get(level, 0)
        high = heights[level] - free
        has_words = content is None or content.has_branch_words
        lines = _n_lines(content, room, high) + named[i] if has_words else 0
        space = max(room * LOOK.wide, LOOK.least_wide), _most(high, lines)
        w, h = leaf_size(*space) if content is None else content.size(*space)
        x, y = box.left + places.x[i] * scale, tops[level] + free + h / 2
        boxes.append(NodeBox(float(x), float(y), float(w), float(h), room, float(high - h), named[i] * float(ABOVE)))
    return boxes


def _most(high, lines):
    """Return the maximum height of a plot on a level: text is below it only if the plot stays large enough."""
    words = LOOKS.words.kept + LOOKS.words.line * (lines - 1) if lines else 0
    roomy = high - words - max(LOOK.gap, high * LOOK.gap_share)
    return max(min(roomy if roomy >= LOOK.roomy else min(LOOK.roomy, high - LOOK.close), LOOK.largest), LOOK.least_high)


def _n_lines(content, room, high):
    """Return the number of condition lines below a node that leave the plot large enough."""
    least = None if content is None else content.least_with_words
    if least is None or room < 48:
        return 1
    for most_lines in (3, 2):
        lines = len(content.lines(max(room - LOOKS.words.margin, LOOK.wide * room), most_lines))
        if lines and _most(high, lines) >= least:
            return lines
    return 1


def _is_named(content, room, high):
    """Return whether a node is a scatterplot that is large enough to show the names of its axes."""
    if content is None or not content.has_upward_name:
        return False
    high = high - ABOVE
    return min(LOOK.wide * room, _most(high, _n_lines(content, room, high) + 1)) >= LEAST_NAMED


def used_height(contents: TreeContents, boxes: Sequence[NodeBox]) -> float:
    """Return the height in pixels from the top of the first node to the text below the lowest node."""
    words = 38 if contents.is_image else 48
    return max(box.bottom + min(box.below, words if box.h > 50 or contents.is_image else 6) for box in boxes) - min(
        box.top - box.above for box in boxes
    )


def level_bands(rooms: np.ndarray, box: Box) -> tuple:
    """Return the top and the height of each level, float64[levels] each. Levels with wider nodes are higher."""
    weights = LOOK.level + LOOK.root * np.sqrt(np.minimum(rooms, LOOK.largest))
    heights = np.minimum(weights / weights.sum() * box.height, LOOK.largest * LOOK.tallest)
    return box.top + np.concatenate([[0.0], np.cumsum(heights)[:-1]]), heights
