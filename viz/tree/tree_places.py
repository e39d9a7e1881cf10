"""Where the nodes of a drawing are and how large, in pixels, as on the stage (viz/stage/geometry/places.js)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.tree.date_text import column_name
from viz.drawing.canvas import Box
from viz.looks import LOOKS
from viz.tree.category_content import CategoryContent
from viz.tree.layout import Layout
from viz.tree.node_content import Decision, LeafContent, LinearLeaf, Projection, SplitScatter, TreeContents, WeightImage
from viz.tree.tree_part import TreePart
from viz.words import text_fit
from viz.words.condition_lines import condition_lines

ABOVE, LEAST_NAMED = 16, 76  # height of the name of the upward axis, side from which a scatterplot has it
LEAST_WITH_WORDS = 40  # height from which a histogram has its condition
LEAST_LEVEL, MOST_LEVEL = 64, 200  # natural height of a level
LOOK = LOOKS.places


class NodeBox(NamedTuple):
    """Middle, width and height of a node; room : width that texts may take; below : free height below it; above :
    height that is kept for the name of an axis."""

    x: float
    y: float
    w: float
    h: float
    room: float
    below: float
    above: float = 0.0

    @property
    def left(self) -> float:
        return self.x - self.w / 2

    @property
    def top(self) -> float:
        return self.y - self.h / 2

    @property
    def bottom(self) -> float:
        return self.y + self.h / 2


def level_rooms(places: Layout) -> np.ndarray:
    """float64[levels]: median width of a node on each level of a `Layout`, in slots."""
    medians = np.zeros(int(places.depth.max()) + 1)
    for level in range(medians.size):
        rooms = np.sort(places.room[places.depth == level])
        # a level may be empty: where a branch died, its sibling keeps its place
        medians[level] = rooms[rooms.size // 2] if rooms.size else 1.0
    return medians


def natural_height(rooms: np.ndarray, n_slots: float, width: float) -> float:
    """Pixels that a tree of these `level_rooms` needs in a picture of this width."""
    return float(np.clip(0.8 * rooms * width / n_slots + 46, LEAST_LEVEL, MOST_LEVEL).sum())


def node_boxes(
    contents: TreeContents, part: TreePart, places: Layout, box: Box, rooms: np.ndarray | None = None
) -> list:
    """list of `NodeBox` of a TreePart, placed by a `Layout` in a `Box`.

    rooms : `level_rooms` that share the height (None: those of the layout).
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
    # neighbours stand on one line
    above = {int(level): ABOVE for level, has in zip(places.depth, named, strict=True) if has}
    for i, (content, room) in enumerate(zip(shown, widths, strict=True)):
        level = int(places.depth[i])
        free = above.get(level, 0)
        high = heights[level] - free
        lines = _n_lines(content, room, high) + named[i]
        w, h = _size(content, contents.is_image, max(room * LOOK.wide, LOOK.least_wide), _most(high, lines))
        x, y = box.left + places.x[i] * scale, tops[level] + free + h / 2
        boxes.append(NodeBox(float(x), float(y), float(w), float(h), room, float(high - h), named[i] * float(ABOVE)))
    return boxes


def _most(high, lines):
    """Largest height of a picture on a level: words below it only where the picture stays large enough."""
    words = LOOKS.words.kept + LOOKS.words.line * max(lines - 1, 0)
    roomy = high - words - max(LOOK.gap, high * LOOK.gap_share)
    return max(min(roomy if roomy >= LOOK.roomy else min(LOOK.roomy, high - LOOK.close), LOOK.largest), LOOK.least_high)


def _n_lines(content, room, high):
    """Number of lines that the condition of a node is broken into, if they leave the picture large enough."""
    is_told = isinstance(content, (SplitScatter, Projection, CategoryContent))
    if not is_told or getattr(content, "bars", np.zeros(0)).size or room < 48:
        return 1
    least = LEAST_WITH_WORDS if isinstance(content, Projection) else LOOKS.detail.line
    for most_lines in (3, 2):
        lines = len(words_of(content, max(room - LOOKS.words.margin, LOOK.wide * room), most_lines))
        if lines and _most(high, lines) >= least:
            return lines
    return 1


def words_of(content: Decision, room: float, most_lines: int) -> tuple:
    """Tuple of lines below the picture of a decision that tells its condition, () when there is no room.

    room : pixels; a scatterplot whose condition does not fit has the names of its features, → and ↑, a picture of
    categories those of its columns.
    """
    lines = condition_lines(content.words, LOOKS.text.small, room, most_lines)
    if lines or isinstance(content, Projection) or most_lines < 2:
        return lines
    if isinstance(content, CategoryContent):
        names = content.columns
    else:
        names = (f"{arrow} {column_name(name)}" for arrow, name in zip("→↑", content.names, strict=True))
    lines = tuple(text_fit.fit(text_fit.clean(name, any_glyph=True), LOOKS.text.small, room)[0] for name in names)
    return lines if all(lines) else ()


def _is_named(content, room, high):
    """Whether a node is a scatterplot that is large enough for the names of its axes."""
    if not isinstance(content, SplitScatter):
        return False
    high = high - ABOVE
    return min(LOOK.wide * room, _most(high, _n_lines(content, room, high) + 1)) >= LEAST_NAMED


def used_height(contents: TreeContents, boxes: Sequence[NodeBox]) -> float:
    """Pixels from the top of the first node to below the words of the lowest one."""
    words = 38 if contents.is_image else 48
    return max(box.bottom + min(box.below, words if box.h > 50 or contents.is_image else 6) for box in boxes) - min(
        box.top - box.above for box in boxes
    )


def level_bands(rooms: np.ndarray, box: Box) -> tuple:
    """(top, height) of each level, float64[levels]: those with more room a node, in pixels, are higher."""
    weights = LOOK.level + LOOK.root * np.sqrt(np.minimum(rooms, LOOK.largest))
    heights = np.minimum(weights / weights.sum() * box.height, LOOK.largest * LOOK.tallest)
    return box.top + np.concatenate([[0.0], np.cumsum(heights)[:-1]]), heights


def _size(content, is_image, room, most):
    if content is None or isinstance(content, LeafContent) and content.image is None:
        h = min(most, max(room * LOOK.leaf, LOOK.least_leaf), LOOK.most_leaf)
        return min(room, LOOK.longest_leaf, h * LOOK.leaf_long), h
    if is_image:
        image = content.values if isinstance(content, WeightImage | LinearLeaf) else content.image
        share = LOOK.leaf_image if isinstance(content, LeafContent | LinearLeaf) else 1.0
        unit = min(room / image.shape[1], most * share / image.shape[0])
        return unit * image.shape[1], unit * image.shape[0]
    if isinstance(content, SplitScatter) or getattr(content, "is_square", False):
        side = min(room, most)
        return side, side
    h = min(most, room / LOOK.flat)
    return min(room, h * LOOK.long), h
