"""Story: the pen strokes that a node uses, after Carreira-Perpiñán and Tavallali 2018, section 4."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from sample_data import DataSet
from treecore.tree.number_text import number
from treecore.tree.tree import Tree

THIRDS = {
    (0, 0): "the top left", (0, 1): "the top", (0, 2): "the top right",
    (1, 0): "the left", (1, 1): "the centre", (1, 2): "the right",
    (2, 0): "the bottom left", (2, 1): "the bottom", (2, 2): "the bottom right",
}  # fmt: skip
MOST_PAIRS = 3
ROUND, NEAR = ["0", "6", "8", "9"], ["0", "1", "2", "3", "4"]  # wrong guesses for the first split
LEAST_SHARE = 0.2  # of each of two digits, among the points of a node that separates them
SETTINGS = Settings(data_set="mnist-5k", max_depth=5, n_lambdas=6)


def build() -> BuiltLesson:
    """Build this story."""
    scene = scenes.path(SETTINGS, "Handwritten digits (MNIST)")
    k = few_pixels(scene)
    tree, data = scene.tree(k), scene.data
    height, width = lookup.image_size(data)
    root = lookup.origin(scene, k, 0)
    claims.fewer_wrong(scene, k - 1, scene, k, 2)
    nodes = [node for node in above_two_leaves(scene, k) if separates(scene, k, node)]
    pairs = [_pair(scene, k, node) for node in nodes[:MOST_PAIRS]]
    pairs[-1] = replace(pairs[-1], **_how_many_right(scene, k, nodes[:MOST_PAIRS][-1]))
    claims.hold(pairs, "no node separates two digits")
    row = _row_to_follow(scene, k)
    followed = lookup.label(scene, k, int(tree.apply(data.X[[row]])[0]))
    left = [name for name in data.class_names if goes_left(scene, k, name) > 0.5]
    right = [name for name in data.class_names if name not in left]
    claims.hold(left not in (ROUND, NEAR), "a wrong guess for the first split is correct")
    return BuiltLesson(
        (scene,),
        (
            Moment(
                0,
                k,
                (
                    f"Digits of {height} × {width} pixels. At λ = {number(scene.points[k].lam)}, the tree has "
                    f"{lookup.many(tree.n_leaves, 'leaf', 'leaves')} and uses {tree.features_per_node:.0f} of "
                    f"{data.n_features} pixels per node. This is the largest λ with a validation error of at most 25 "
                    "%.",
                    f"The tree misclassifies {lookup.error(scene, k, 2)} of the test digits. That is a lot, but you "
                    "can *read* this tree.",
                ),
                ask="Which digits will the first split separate?",
                answer=f"It separates {_list(left)} from {_list(right)}. The next screen shows this split.",
                guess=Guess(1, choices=tuple(f"{_list(some)} from the others" for some in (NEAR, left, ROUND))),
                source="Carreira-Perpiñán and Tavallali 2018, section 4 and figure 1",
            ),
            Moment(
                0,
                k,
                (
                    f"The root uses {len(tree.split(0)[0])} pixels. Ink in pixels of one colour increases the sum. In "
                    "the other colour, it decreases the sum.",
                    f"Mostly {_list(left)} go left, and the other digits go right. The root in the paper separates 4, "
                    "7 and 9.",
                ),
                node=root,
                ask="Where in the image does only one of the two groups have ink?",
                answer=f"Look at the weights. Weights for the right side lie mostly at {where(tree, 0, 1, data)}. "
                f"Weights for the left side lie mostly at {where(tree, 0, -1, data)}.",
                formula=formulas.OBLIQUE,
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (interpretable trees)",
            ),
            *pairs[:-1],
            Moment(
                0,
                k,
                (
                    f"Follow one {followed} from the root to its leaf.",
                    "Each node tests one set of strokes. Together the nodes *define* the digit.",
                ),
                node=lookup.origin(scene, k, int(tree.apply(data.X[[row]])[0])),
                row=row,
                ask="How many pixels does the tree use on this path?",
                answer=f"{lookup.count(_pixels_on_path(scene, k, row))} of {data.n_features}. The values of all other "
                "pixels do not matter.",
                guess=Guess(_pixels_on_path(scene, k, row), 0, data.n_features, unit="pixels"),
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (inference, interpretable trees)",
            ),
            pairs[-1],
            Moment(
                0,
                k - 1,
                (
                    f"With a smaller λ, the tree uses {scene.tree(k - 1).features_per_node:.0f} pixels per node and "
                    f"has {lookup.many(scene.tree(k - 1).n_leaves, 'leaf', 'leaves')}.",
                    f"The tree with fewer pixels misclassified {lookup.error(scene, k, 2)} of the test digits.",
                ),
                node=root,
                ask="What percentage of the test digits does this tree misclassify?",
                answer=f"{lookup.error(scene, k - 1, 2)}. This tree is harder to read. To teach and to sort mail, use "
                "different λ. The paper reaches about 5 % with deeper trees and all 60,000 training digits. This "
                "lesson uses 3,000 digits.",
                guess=Guess(100 * lookup.wrong(scene, k - 1, 2) / len(scene.rows[2]), 0, 50, 0.5, 1, "%"),
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (classification accuracy)",
            ),
        ),
    )


def few_pixels(scene: Scene) -> int:
    """Return the index of the last tree whose validation error is at most 25 %."""
    return max(k for k, point in enumerate(scene.points) if point.figures["validation_error"] <= 0.25)


def goes_left(scene: Scene, k: int, name: str) -> float:
    """Return the share of the training rows of a class that go left at the root."""
    tree = scene.tree(k)
    code = [str(label) for label in tree.classes].index(name)
    return float(tree.values[tree.left[0], code] / tree.values[0, code])


def where(tree: Tree, node: int, sign: int, data: DataSet) -> str:
    """Describe in words where most weights of one sign lie in the image."""
    pixels, weights, _ = tree.split(node)
    image = np.zeros(lookup.image_size(data))
    image.flat[pixels] = np.maximum(sign * weights, 0)
    return claims.places(image, THIRDS) if image.any() else "no place at all"


def above_two_leaves(scene: Scene, k: int) -> list[int]:
    """Return nodes above two leaves of different digits.

    Nodes with a text of their own come first, then the largest ones.
    """
    tree = scene.tree(k)
    found = [
        node
        for node in np.flatnonzero(tree.left >= 0).tolist()
        if all(tree.left[child] < 0 for child in (tree.left[node], tree.right[node]))
        and len(set(digits(scene, k, node))) == 2
    ]
    return sorted(found, key=lambda node: (_own_words(scene, k, node) is None, -tree.n_samples[node]))


def separates(scene: Scene, k: int, node: int) -> bool:
    """Test whether a node separates two digits that are both frequent, on training and test digits.

    Each digit is at least `LEAST_SHARE` of the points. The split must classify more points correctly than always
    predicting the more frequent digit.
    """
    for part in (0, 2):
        right, alone, counts = _counts(scene, k, node, part)
        codes = [scene.data.class_names.index(digit) for digit in digits(scene, k, node)]
        if right <= alone or counts[codes].min() < LEAST_SHARE * counts.sum():
            return False
    return True


def digits(scene: Scene, k: int, node: int) -> tuple[str, ...]:
    """Return (digit of the left child, digit of the right child)."""
    tree = scene.tree(k)
    return tuple(lookup.label(scene, k, int(child)) for child in (tree.left[node], tree.right[node]))


def middle(tree: Tree, node: int, sign: int, data: DataSet) -> list[float]:
    """Return the weighted mean (row, column) of the weights of one sign, in [0, 1]."""
    pixels, weights, _ = tree.split(node)
    weights = np.maximum(sign * weights, 0)
    size = lookup.image_size(data)
    places = np.divmod(pixels, size[1])
    return [weights @ place / weights.sum() / (length - 1) for place, length in zip(places, size, strict=True)]


def _pair(scene: Scene, k: int, node: int) -> Moment:
    """Return the screen of a node that separates two digits."""
    tree, data = scene.tree(k), scene.data
    left, right = digits(scene, k, node)
    places = [where(tree, node, sign, data) for sign in (1, -1)]
    own = _own_words(scene, k, node)
    hint, ask, answer, source = own or (
        "The image of a node shows the pixels that it uses.",
        "Complete the sentence before you look: this node looks for ink at …",
        f"… {places[0]} for {right}, and at {places[1]} for {left}"
        + (": the place is the same, but not the shape." if places[0] == places[1] else "."),
        "Carreira-Perpiñán and Tavallali 2018, section 4",
    )
    return Moment(
        0,
        k,
        (
            f"**{min(left, right)} or {max(left, right)}?** This node uses "
            f"{lookup.many(len(tree.split(node)[0]), 'pixel')}.",
            hint,
        ),
        node=lookup.origin(scene, k, node),
        ask=ask,
        answer=f"{answer} The node classifies {_right(scene, k, node)}.",
        formula=formulas.OBLIQUE,
        source=source,
    )


def _how_many_right(scene: Scene, k: int, node: int) -> dict[str, Any]:
    """Return a question about the test digits that a node classifies correctly, with its answer and its guess."""
    tree, data = scene.tree(k), scene.data
    (left, right), (correct, alone, counts) = digits(scene, k, node), _counts(scene, k, node, 2)
    places = [where(tree, node, sign, data) for sign in (1, -1)]
    return {
        "ask": f"{lookup.count(counts.sum())} test digits reach this node. A single leaf would classify "
        f"{lookup.count(alone)} of them correctly. How many does the node classify correctly?",
        "answer": f"{lookup.count(correct)}. The node looks for ink at {places[0]} for {right}, and at {places[1]} for "
        f"{left}.",
        "guess": Guess(correct, 0, int(counts.sum()), unit="digits"),
    }


def _own_words(scene: Scene, k: int, node: int) -> tuple[str, str, str, str] | None:
    """Return (hint, question, answer, source) if a node uses a stroke with a name, else None."""
    tree, data = scene.tree(k), scene.data
    found = digits(scene, k, node)
    if not (np.diff(tree.indptr)[node] and all((sign * tree.split(node)[1] > 0).any() for sign in (-1, 1))):
        return None
    if set(found) == {"3", "5"}:
        sign = 1 if found[1] == "5" else -1
        five, three = (middle(tree, node, side, data) for side in (sign, -sign))
        if five[1] < three[1] and max(five[0], three[0]) < 0.5:
            return (
                "Both digits end in the same bow. Look at the strokes above this bow.",
                "Write a 3 and a 5. Which short stroke is in only one of them?",
                "The short upright stroke: it is on the left in a 5, and on the right in a 3. The tree in the paper "
                "found the same stroke.",
                "Carreira-Perpiñán and Tavallali 2018, section 4 (node 53 of figure 1)",
            )
    if set(found) == {"4", "9"} and where(tree, node, 1 if found[1] == "9" else -1, data) == "the top":
        return (
            "A 4 is open at the top, but a 9 is closed.",
            "So where should the node look?",
            "At the top stroke. Most of the weights for 9 are there.",
            "Carreira-Perpiñán and Tavallali 2018, section 4 (node 5 of figure 1)",
        )
    return None


def _counts(scene: Scene, k: int, node: int, part: int) -> tuple[int, int, np.ndarray]:
    """Return how many rows of a part at a node its two leaves classify correctly, and how many a single leaf would.

    The third value is the number of rows of each class.
    """
    tree, data = scene.tree(k), scene.data
    sides = [lookup.reaching(scene, k, int(child), part) for child in (tree.left[node], tree.right[node])]
    counts = np.array([np.bincount(data.y[rows], minlength=len(data.class_names)) for rows in sides])
    codes = [data.class_names.index(digit) for digit in digits(scene, k, node)]
    both = counts.sum(axis=0)
    return int(counts[[0, 1], codes].sum()), int(both[codes].max()), both


def _right(scene: Scene, k: int, node: int) -> str:
    """Return a sentence that compares the numbers of correct rows with and without a node's split."""
    (right, alone, counts), (new_right, new_alone, new) = (_counts(scene, k, node, part) for part in (0, 2))
    return (
        f"{lookup.count(right)} of {lookup.count(counts.sum())} training digits and {lookup.count(new_right)} of "
        f"{lookup.count(new.sum())} test digits correctly (always the more frequent digit: {lookup.count(alone)} and "
        f"{lookup.count(new_alone)})"
    )


def _row_to_follow(scene: Scene, k: int) -> int:
    """Return a correctly classified training row, preferably a 9."""
    rows, names = scene.rows[0], np.array(scene.data.class_names)
    right = rows[~lookup.wrong_rows(scene, k)]
    return int(right[np.argmax(names[scene.data.y[right]] == "9")])


def _pixels_on_path(scene: Scene, k: int, row: int) -> int:
    tree = scene.tree(k)
    return len({int(j) for node in tree.path_of(scene.data.X[row]) for j in tree.split(node)[0]})


def _list(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)


LESSON = Lesson(
    "mnist",
    "Which strokes does this node look at?",
    "The pixels that each node compares, and the errors of a tree with few pixels.",
    build,
    "story",
    ":material/draw:",
    picture=0,
    keep="A sparse weighted sum shows the strokes that distinguish two digits.",
    task="Raise λ step by step. Which pixels does the root keep longest?",
)
