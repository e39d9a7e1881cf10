"""Positions and sizes of the nodes in a drawing in pixels, as on the stage (viz/stage/geometry/places.js)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.tree.tree import Tree
from viz.drawing.canvas import Box
from viz.looks import LOOKS
from viz.nodes.node_box import ABOVE, NodeBox
from viz.nodes.node_content import leaf_size
from viz.nodes.tree_contents import TreeContents
from viz.tree.layout import Layout
from viz.tree.tree_part import TreePart, part_layout

LEAST_NAMED = 76  # minimum side of a scatterplot with the name of its vertical axis
LEAST_LEVEL, MOST_LEVEL = 70, 216  # minimum and maximum height of a level
MOST_IMAGE = 150  # maximum height of an image in a figure of free height
LOOK = LOOKS.places
# height of a level that has only leaves
LEAF_LEVEL = LOOK.most_leaf + LOOKS.words.kept + LOOK.gap
IMAGE_GAP = LOOKS.words.kept + LOOK.gap / 2  # free height below the largest image of a level


class ImageLevels(NamedTuple):
    """Levels of a tree of images, which are equally large if there is room.

    wanted : float64[levels], height of the largest image that fits between its neighbours, in pixels
    typical : median of these heights over the decision nodes
    shares : float64[levels], height of the images relative to those in decision nodes
    """

    wanted: np.ndarray
    typical: float
    shares: np.ndarray

    def heights(self, limit: float, gap: float = IMAGE_GAP) -> np.ndarray:
        """Return float64[levels], the heights of the levels if `limit` is the maximum height of an image."""
        return np.minimum(self.wanted, limit * self.shares) + gap


def level_rooms(places: Layout) -> np.ndarray:
    """Return float64[levels], the median width of a node on each level of a `Layout`, in slots."""
    medians = np.zeros(int(places.depth.max()) + 1)
    for level in range(medians.size):
        rooms = np.sort(places.room[places.depth == level])
        # A level may be empty, because the sibling of a pruned branch keeps its position.
        medians[level] = rooms[rooms.size // 2] if rooms.size else 1.0
    return medians


def compact_layout(tree: Tree, part: TreePart, image_shape: tuple | None) -> Layout:
    """Return the `Layout` of a TreePart. Leaves take less width if they are images."""
    is_leaf = tree.left[part.nodes] < 0
    return part_layout(part, None if image_shape is None else np.where(is_leaf, LOOK.leaf_image, 1.0) / 2)


def natural_height(rooms: np.ndarray, n_slots: float, width: float, most: float | np.ndarray = MOST_LEVEL) -> float:
    """Return the height in pixels of a tree with these `level_rooms` in a figure of this width.

    most : maximum height of each level
    """
    return float(np.clip(0.8 * rooms * width / n_slots + 55, LEAST_LEVEL, np.maximum(most, LEAST_LEVEL)).sum())


def compact_height(tree: Tree, part: TreePart, image_shape: tuple | None, width: float) -> float:
    """Return the height in pixels of a TreePart in its `compact_layout`, in a figure of this width."""
    places = compact_layout(tree, part, image_shape)
    only_leaves = _only_leaves(tree, part, places)
    if image_shape is None:
        most = np.where(only_leaves, LEAF_LEVEL, MOST_LEVEL)
        return natural_height(level_rooms(places), places.n_slots, width, most)
    levels = _image_levels(tree, part, places, image_shape, width / places.n_slots)
    return float(levels.heights(min(levels.typical, MOST_IMAGE)).sum())


def node_boxes(
    contents: TreeContents, part: TreePart, places: Layout | None, box: Box, rooms: np.ndarray | None = None
) -> list:
    """Return the `NodeBox` of each node of a TreePart as a list.

    places : Layout of the nodes, None for the `compact_layout`, which fills the box
    box : Box to draw into
    rooms : `level_rooms` that divide the height, None for those of the layout
    """
    tree, is_compact = contents.tree, places is None
    if places is None:
        places = compact_layout(tree, part, contents.image_shape)
    scale = box.width / places.n_slots
    rooms = level_rooms(places) if rooms is None else rooms
    most_image = np.inf
    if is_compact and contents.image_shape is not None:
        tops, heights, most_image = _image_bands(_image_levels(tree, part, places, contents.image_shape, scale), box)
    else:
        most = np.where(_only_leaves(tree, part, places), LEAF_LEVEL, np.inf) if is_compact else np.inf
        tops, heights = level_bands(rooms * scale, box, most)
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
        most = _most(high, lines)
        if content is not None and content.kind.is_leaf and np.isfinite(most_image):
            most = min((high - LOOKS.words.kept) / LOOK.leaf_image, most_image)
        space = max(room * LOOK.wide, LOOK.least_wide), most
        w, h = leaf_size(*space) if content is None else content.size(*space)
        x, y = box.left + places.x[i] * scale, tops[level] + free + h / 2
        boxes.append(NodeBox(float(x), float(y), float(w), float(h), room, float(high - h), named[i] * float(ABOVE)))
    return boxes


def _only_leaves(tree, part, places):
    """Return bool[levels], whether all nodes of a level are leaves."""
    only = np.ones(int(places.depth.max()) + 1, bool)
    only[places.depth[tree.left[part.nodes] >= 0]] = False
    return only


def _image_levels(tree, part, places, image_shape, scale):
    """Return the `ImageLevels` of a part. `scale`: pixels of a slot."""
    rows, columns = image_shape
    fitting = places.room * scale * LOOK.wide / columns * rows
    wanted = np.full(int(places.depth.max()) + 1, float(LOOK.least_high))
    np.maximum.at(wanted, places.depth, fitting)
    inner = tree.left[part.nodes] >= 0
    typical = np.median(fitting[inner]) if inner.any() else fitting[0]
    return ImageLevels(wanted, float(typical), np.where(_only_leaves(tree, part, places), LOOK.leaf_image, 1.0))


def _image_bands(levels, box):
    """Return (tops, heights, maximum height of an image) of levels that fill a box, as on the stage."""
    gap = max(0.0, min(IMAGE_GAP, box.height / levels.wanted.size - LOOK.least_high))
    low, high = 0.0, LOOK.largest
    for _ in range(30):
        limit = (low + high) / 2
        if levels.heights(limit, gap).sum() <= box.height:
            low = limit
        else:
            high = limit
    heights = levels.heights(low, gap)
    return box.top + np.concatenate([[0.0], np.cumsum(heights)[:-1]]), heights, low


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
    words = 46 if contents.is_image else 57
    return max(box.bottom + min(box.below, words if box.h > 50 or contents.is_image else 6) for box in boxes) - min(
        box.top - box.above for box in boxes
    )


def level_bands(rooms: np.ndarray, box: Box, most: float | np.ndarray = np.inf) -> tuple:
    """Return the top and the height of each level, float64[levels] each. Levels with wider nodes are higher.

    most : maximum height of each level; the other levels divide the rest
    """
    weights = LOOK.level + LOOK.root * np.sqrt(np.minimum(rooms, LOOK.largest))
    most, fixed = np.broadcast_to(most, weights.shape), np.zeros(weights.size, bool)
    while True:
        unit = max(0.0, box.height - most[fixed].sum()) / (weights[~fixed].sum() or 1.0)
        over = ~fixed & (weights * unit > most)
        if not over.any():
            break
        fixed[np.argmax(over)] = True
    heights = np.where(fixed, most, np.minimum(weights * unit, LOOK.largest * LOOK.tallest))
    return box.top + np.concatenate([[0.0], np.cumsum(heights)[:-1]]), heights
