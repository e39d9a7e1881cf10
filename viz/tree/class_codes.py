"""The classes of a tree and of its data as numbers of colours; for regression, ranges of the target."""

from typing import NamedTuple

import numpy as np

from viz.palette import class_color, rgb
from viz.words.number_words import number

RANGES = 7  # of a regression's target
LOW, MIDDLE, HIGH = "#3b4cc0", "#c9c9c9", "#b40426"  # of a regression's means


class ClassCodes(NamedTuple):
    """names : str of each code; of_node : int64[m], what each node predicts; of_row : int64[n], code of each row;
    labels : str of each node, or None to name it by its code; colors : hex of each code."""

    names: tuple
    of_node: np.ndarray
    of_row: np.ndarray
    labels: tuple | None
    colors: tuple

    def label(self, node):
        """What a node predicts, in words."""
        return self.labels[node] if self.labels else self.names[self.of_node[node]]


def class_codes(tree, data):
    """`ClassCodes` of a Tree and its DataSet."""
    if tree.is_regression:
        return _ranges(tree, np.asarray(data.y, np.float64))
    names, positions = class_positions(tree, data)
    known = [str(name) for name in data.class_names]
    known += names[len(known) :] if len(names) > len(known) else []
    colors = tuple(class_color(index) for index in range(len(known)))
    return ClassCodes(tuple(known), positions[tree.labels], np.asarray(data.y, np.int64), None, colors)


def class_positions(tree, data):
    """(names of the tree's classes, their positions in ``data.class_names``); empty for a regression tree.

    The tree may have been trained on the class names or on their codes.
    """
    labels = [str(label) for label in tree.classes.tolist()]
    position = {name: i for i, name in enumerate(data.class_names)}
    if all(label in position for label in labels):
        return labels, np.array([position[label] for label in labels], np.int64)
    if tree.classes.dtype.kind in "iu" and tree.classes.min() >= 0 and tree.classes.max() < len(data.class_names):
        return [data.class_names[code] for code in tree.classes], tree.classes.astype(np.int64)
    return labels, np.arange(len(labels))


def _ranges(tree, y):
    """Equal ranges of the target, coloured from low to high."""
    means = tree.values[:, 1]
    seen = y if y.size else means
    low, high = float(seen.min()), float(seen.max())
    edges = np.linspace(low, high if high > low else low + 1.0, RANGES + 1)

    def code(values):
        return np.clip(np.searchsorted(edges, values, side="right") - 1, 0, RANGES - 1)

    names = tuple(f"{number(a)} to {number(b)}" for a, b in zip(edges[:-1], edges[1:], strict=True))
    labels = tuple(number(mean, 4) for mean in means)
    return ClassCodes(names, code(means), code(y), labels, _ramp(RANGES))


def _ramp(count):
    stops = np.array([rgb(color) for color in (LOW, MIDDLE, HIGH)], float)
    places = np.linspace(0, 2, count)
    channels = [np.interp(places, [0, 1, 2], stops[:, c]) for c in range(3)]
    return tuple("#" + bytes(np.rint(color).astype(np.uint8).tolist()).hex() for color in np.transpose(channels))
