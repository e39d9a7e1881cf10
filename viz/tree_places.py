"""Where the nodes of a drawing are and how large, in pixels, as on the stage (viz/stage/places.js)."""

from typing import NamedTuple

import numpy as np

from viz.node_content import LeafContent, SplitScatter, WeightImage

LARGEST = 280  # side of a node
CAPTION = 17  # height that words below a node need
LEAST_LEVEL, MOST_LEVEL = 64, 200  # natural height of a level


class NodeBox(NamedTuple):
    """Middle, width and height of a node; room : width that texts may take; below : free height below it."""

    x: float
    y: float
    w: float
    h: float
    room: float
    below: float

    @property
    def left(self):
        return self.x - self.w / 2

    @property
    def top(self):
        return self.y - self.h / 2

    @property
    def bottom(self):
        return self.y + self.h / 2


def level_rooms(places):
    """float64[levels]: median width of a node on each level of a `Layout`, in slots."""
    medians = np.zeros(int(places.depth.max()) + 1)
    for level in range(medians.size):
        rooms = np.sort(places.room[places.depth == level])
        # a level may be empty: where a branch died, its sibling keeps its place
        medians[level] = rooms[rooms.size // 2] if rooms.size else 1.0
    return medians


def natural_height(rooms, n_slots, width):
    """Pixels that a tree of these `level_rooms` needs in a picture of this width."""
    return float(np.clip(0.8 * rooms * width / n_slots + 46, LEAST_LEVEL, MOST_LEVEL).sum())


def node_boxes(contents, part, places, box, rooms=None):
    """list of `NodeBox` of a TreePart, placed by a `Layout` in a `Box`.

    rooms : `level_rooms` that share the height (None: those of the layout).
    """
    scale = box.width / places.n_slots
    rooms = level_rooms(places) if rooms is None else rooms
    tops, heights = level_bands(rooms * scale, box)
    boxes = []
    for i, node in enumerate(part.nodes):
        high, room = heights[places.depth[i]], places.room[i] * scale
        # words below the picture only where the picture stays large enough
        roomy = high - CAPTION - max(16.0, high * 0.15)
        most = max(min(roomy if roomy >= 26 else min(26.0, high - 12), LARGEST), 5.0)
        content = None if i in part.closed else contents.nodes[node]
        w, h = _size(content, contents.is_image, max(room * 0.92, 3.0), most)
        x, y = box.left + places.x[i] * scale, tops[places.depth[i]] + h / 2
        boxes.append(NodeBox(float(x), float(y), float(w), float(h), float(room), float(high - h)))
    return boxes


def used_height(contents, boxes):
    """Pixels from the top of the first node to below the words of the lowest one."""
    words = 38 if contents.is_image else 22
    return max(box.bottom + min(box.below, words if box.h > 50 or contents.is_image else 6) for box in boxes) - min(
        box.top for box in boxes
    )


def level_bands(rooms, box):
    """(top, height) of each level, float64[levels]: those with more room a node, in pixels, are higher."""
    weights = 40 + 5 * np.sqrt(np.minimum(rooms, LARGEST))
    heights = np.minimum(weights / weights.sum() * box.height, LARGEST * 1.3)
    return box.top + np.concatenate([[0.0], np.cumsum(heights)[:-1]]), heights


def _size(content, is_image, room, most):
    if content is None or isinstance(content, LeafContent) and content.image is None:
        h = min(most, max(room * 0.75, 16.0), 50.0)
        return min(room, 132.0, h * 3.4), h
    if is_image:
        image = content.values if isinstance(content, WeightImage) else content.image
        share = 0.86 if isinstance(content, LeafContent) else 1.0
        unit = min(room / image.shape[1], most * share / image.shape[0])
        return unit * image.shape[1], unit * image.shape[0]
    if isinstance(content, SplitScatter):
        side = min(room, most)
        return side, side
    h = min(most, room / 1.3)
    return min(room, h * 1.75), h
