"""What the words of a lesson say about a tree, read from that tree."""

import numpy as np

from pages.ui.learn.lessons.lesson import Scene
from sample_data import DataSet
from treecore.tree.category_columns import decision_text
from treecore.tree.decision_digits import decision_digits
from treecore.tree.feature_statistics import feature_deviation
from treecore.tree.number_text import count, percent
from treecore.tree.tree import Tree
from viz.nodes.category_columns import category_columns

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def many(k: int, thing: str, things: str | None = None) -> str:
    """ "one leaf", "two leaves", "40 leaves"."""
    return f"{NUMBERS[k] if k < len(NUMBERS) else count(k)} {thing if k == 1 else things or thing + 's'}"


def image_size(data: DataSet) -> tuple[int, int]:
    """Return the height and width of the images of a data set, (0, 0) without images."""
    return data.image_shape or (0, 0)


def place(scene: Scene, step: int, origin: int) -> int:
    """Position of a node in a tree by its origin id."""
    return int(np.flatnonzero(scene.tree(step).origin == origin)[0])


def origin(scene: Scene, step: int, node: int) -> int:
    """Origin id of a node, a plain int."""
    return int(scene.tree(step).origin[node])


def question(scene: Scene, step: int, node: int) -> str:
    """Condition of a decision node in the words of the stage."""
    tree, data = scene.tree(step), scene.data
    split = tree.split(node)
    names = [data.feature_names[feature] for feature in split[0]]
    digits = int(decision_digits(tree, data.X, columns=category_columns(data))[node])
    pixels = data.image_shape is not None
    return decision_text(split, names, digits, feature_deviation(data.X), 4, pixels, category_columns(data))


def reaching(scene: Scene, step: int, node: int, part: int = 0) -> np.ndarray:
    """Row numbers of the data that reach a node; part : 0 train, 1 validation, 2 test."""
    tree, rows = scene.tree(step), scene.rows[part]
    below = np.zeros(tree.n_nodes, bool)
    for i in range(node, tree.n_nodes):  # parents come first
        below[i] = i == node or (tree.parents[i] >= 0 and below[tree.parents[i]])
    return rows[below[tree.apply(scene.data.X[rows])]]


def wrong_rows(scene: Scene, step: int, part: int = 0) -> np.ndarray:
    """bool[n]: which rows of a part a tree gets wrong."""
    tree, rows = scene.tree(step), scene.rows[part]
    target = scene.data.target
    return target.is_wrong(target.outputs(tree)[tree.apply(scene.data.X[rows])], scene.data.y[rows])


def wrong(scene: Scene, step: int, part: int = 0) -> int:
    """Number of rows of a part that a tree gets wrong."""
    return int(wrong_rows(scene, step, part).sum())


def error(scene: Scene, step: int, part: int = 0) -> str:
    """The same as a share in words."""
    return percent(wrong(scene, step, part) / len(scene.rows[part]))


def label(scene: Scene, step: int, node: int) -> str:
    """What a node predicts, in words."""
    return scene.data.target.text(scene.data.target.outputs(scene.tree(step))[node])


def two_feature_nodes(tree: Tree) -> int:
    """Number of decision nodes that use two features."""
    return int((np.diff(tree.indptr) == 2).sum())


def features(scene: Scene, step: int, node: int) -> list[str]:
    """Names of the features of a decision node."""
    return [scene.data.feature_names[j] for j in scene.tree(step).split(node)[0]]


def leaf_pair(scene: Scene, step: int, one: str, other: str) -> int | None:
    """Node whose two children are the leaves of these classes, or None."""
    tree = scene.tree(step)
    for node in np.flatnonzero(tree.left >= 0):
        children = tree.left[node], tree.right[node]
        leaves = all(tree.left[child] < 0 for child in children)
        if leaves and {label(scene, step, child) for child in children} == {one, other}:
            return int(node)
    return None


def step_of(scene: Scene, iteration: int, depth: int) -> int:
    """Index of the step of a depth level of a pass."""
    return next(
        k
        for k, step in enumerate(scene.recording.steps)
        if (step.kind, step.iteration, step.depth) == ("level", iteration, depth)
    )
