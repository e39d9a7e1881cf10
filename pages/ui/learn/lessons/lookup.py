"""Look up the numbers and words of a lesson in its trees."""

import numpy as np

from pages.ui.learn.lessons.lesson import Scene
from sample_data import DataSet
from treecore.tree.category_columns import decision_words
from treecore.tree.decision_digits import decision_digits
from treecore.tree.feature_statistics import feature_deviation
from treecore.tree.number_text import count, percent
from treecore.tree.tree import Tree
from viz.nodes.category_columns import category_columns

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def many(k: int, thing: str, things: str | None = None) -> str:
    """Return a number with its noun: "one leaf", "two leaves", "40 leaves"."""
    return f"{NUMBERS[k] if k < len(NUMBERS) else count(k)} {thing if k == 1 else things or thing + 's'}"


def image_size(data: DataSet) -> tuple[int, int]:
    """Return the height and width of the images in a data set, or (0, 0) without images."""
    return data.image_shape or (0, 0)


def place(scene: Scene, step: int, origin: int) -> int:
    """Return the position of a node in a tree by its origin id."""
    return int(np.flatnonzero(scene.tree(step).origin == origin)[0])


def origin(scene: Scene, step: int, node: int) -> int:
    """Return the origin id of a node as a plain int."""
    return int(scene.tree(step).origin[node])


def question(scene: Scene, step: int, node: int) -> str:
    """Return the condition of a decision node as the stage shows it."""
    tree, data = scene.tree(step), scene.data
    split = tree.split(node)
    names = [data.feature_names[feature] for feature in split[0]]
    digits = int(decision_digits(tree, data.X, columns=category_columns(data))[node])
    pixels = data.image_shape is not None
    return decision_words(split, names, digits, feature_deviation(data.X), 4, pixels, category_columns(data)).text


def reaching(scene: Scene, step: int, node: int, part: int = 0) -> np.ndarray:
    """Return the row numbers of the rows that reach a node.

    part : 0 training, 1 validation, 2 test.
    """
    tree, rows = scene.tree(step), scene.rows[part]
    below = np.zeros(tree.n_nodes, bool)
    for i in range(node, tree.n_nodes):  # a parent's position is before its children's
        below[i] = i == node or (tree.parents[i] >= 0 and below[tree.parents[i]])
    return rows[below[tree.apply(scene.data.X[rows])]]


def wrong_rows(scene: Scene, step: int, part: int = 0) -> np.ndarray:
    """Return which rows in a part the tree misclassifies, bool[n]."""
    tree, rows = scene.tree(step), scene.rows[part]
    target = scene.data.target
    return target.is_wrong(target.outputs(tree)[tree.apply(scene.data.X[rows])], scene.data.y[rows])


def wrong(scene: Scene, step: int, part: int = 0) -> int:
    """Return the number of rows in a part that the tree misclassifies."""
    return int(wrong_rows(scene, step, part).sum())


def error(scene: Scene, step: int, part: int = 0) -> str:
    """Return the error of a tree on a part as a percentage."""
    return percent(wrong(scene, step, part) / len(scene.rows[part]))


def label(scene: Scene, step: int, node: int) -> str:
    """Return the prediction of a node in words."""
    return scene.data.target.text(scene.data.target.outputs(scene.tree(step))[node])


def two_feature_nodes(tree: Tree) -> int:
    """Return the number of bivariate splits."""
    return int((np.diff(tree.indptr) == 2).sum())


def features(scene: Scene, step: int, node: int) -> list[str]:
    """Return the names of the features of a decision node."""
    return [scene.data.feature_names[j] for j in scene.tree(step).split(node)[0]]


def step_of(scene: Scene, iteration: int, depth: int) -> int:
    """Return the index of the step that optimises a depth level in a TAO pass."""
    return next(
        k
        for k, step in enumerate(scene.recording.steps)
        if (step.kind, step.iteration, step.depth) == ("level", iteration, depth)
    )
